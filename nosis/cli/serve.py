"""``nosis serve --web``: the app in a browser, on this machine."""

from __future__ import annotations

import logging
import shlex
import socket
import sys
from ipaddress import ip_address
from typing import TYPE_CHECKING

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.opened import FLAGS, load_settings
from nosis.errors import UsageError
from nosis.memory.home import check_name

if TYPE_CHECKING:
    from aiohttp.typedefs import Handler, Middleware
    from aiohttp.web import Application, Request, StreamResponse

HOST, PORT = "127.0.0.1", 8000
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def serve(arguments: Arguments) -> None:
    """Serve the app until ctrl+c; every visit gets an app of its own.

    Raises:
        UsageError: the extra is not installed, or the address cannot be served.
    """
    if not arguments.web:
        raise UsageError("serve needs to know what to serve", "Try: nosis serve --web")
    host, port = arguments.host or HOST, _port(arguments.port)
    if host in ("0.0.0.0", "::"):
        raise UsageError(
            f"{host} is not an address that a browser can open",
            "Name the one that browsers use, such as --host 192.168.1.5",
        )
    # What is wrong is told here, not in the browser.
    check_name(load_settings(arguments).workspace)
    if not _is_loopback(host):
        output.notice(
            f"whoever reaches {host}:{port} can read and change this memory: there is no password"
        )
    try:
        from textual_serve.server import Server
    except ImportError:
        raise UsageError(
            "serving the app needs a package that is not installed",
            "Install it with: pip install 'nosis-agent[web]'",
        ) from None

    class Guarded(Server):
        async def _make_app(self) -> Application:
            app = await super()._make_app()
            app.middlewares.append(_only_from(host, port))
            return app

        def initialize_logging(self) -> None:
            logging.basicConfig(level=logging.WARNING)

        async def on_startup(self, app: Application) -> None:
            output.notice(f"nosis is at {self.public_url} (ctrl+c ends it)")

    _check_free(host, port)
    Guarded(_command(arguments), host, port, title="nosis").serve()


def _port(given: str | None) -> int:
    if given is None:
        return PORT
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= 65_535:
        raise UsageError(f"--port: {given!r} is not valid", "Expected: 1 to 65535.")
    return int(given)


def _check_free(host: str, port: int) -> None:
    """Raises UsageError where nobody can listen at an address."""
    try:
        socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        ).close()
    except OSError as error:
        raise UsageError(
            f"cannot serve on {host}:{port}: {error.strerror}", "Choose another one with --port."
        ) from error


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _command(arguments: Arguments) -> str:
    """The command line of one visitor's app, with the flags that were given to this one."""
    words = [sys.executable, "-m", "nosis", "chat"]
    for name in FLAGS:
        value = getattr(arguments, name)
        if name == "read_only":
            words += ["--read-only"] if value else []
        elif value is not None:
            words.append(f"--{name}={value}")
    return shlex.join(words)


def _only_from(host: str, port: int) -> Middleware:
    """Refuse pages of other sites, which could else open a socket to this one, or rename it."""
    from aiohttp import web

    names = {*_LOOPBACK, host} if _is_loopback(host) else {host}
    hosts = {f"{name}:{port}" for name in names} | (names if port == 80 else set())

    @web.middleware
    async def guard(request: Request, handler: Handler) -> StreamResponse:
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin and origin.partition("://")[2] not in hosts):
            raise web.HTTPForbidden(text="this page may not open nosis\n")
        return await handler(request)

    return guard
