"""``nosis serve --web``: the app in a browser, on this machine."""

from __future__ import annotations

import shlex
import sys
from ipaddress import ip_address
from typing import TYPE_CHECKING

from nosis.cli import output
from nosis.cli.arguments import Arguments, whole
from nosis.cli.opened import FLAGS, load_settings
from nosis.errors import UsageError
from nosis.memory.home import check_name

if TYPE_CHECKING:
    from aiohttp.typedefs import Handler, Middleware
    from aiohttp.web import Request, StreamResponse

HOST, PORT = "127.0.0.1", 8000
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
# The page is textual-serve's, which would load a font from another site.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self' ws: wss:; frame-ancestors 'none'"
)


def serve(arguments: Arguments) -> None:
    """Serve the app until ctrl+c; every visit gets an app of its own.

    Raises:
        UsageError: the extra is not installed, or the address cannot be served.
    """
    if not arguments.web:
        raise UsageError("serve needs to know what to serve", "Try: nosis serve --web")
    host = arguments.host or HOST
    port = PORT if arguments.port is None else whole("--port", arguments.port, 65_535)
    if host in ("0.0.0.0", "::"):
        raise UsageError(
            f"{host} is not an address that a browser can open",
            "Name the one that browsers use, such as --host 192.168.1.5",
        )
    # What is wrong is told here, not in the browser.
    check_name(load_settings(arguments).workspace)
    try:
        from aiohttp import web
        from textual_serve.server import Server
    except ImportError:
        raise UsageError(
            "serving the app needs a package that is not installed",
            "Install it with: pip install 'nosis-agent[web]'",
        ) from None
    name = f"[{host}]" if ":" in host else host
    url = f"http://{name}:{port}"

    class Quiet(Server):
        async def on_startup(self, app: web.Application) -> None:
            """Print nothing: what is told comes once the server listens."""

    async def app() -> web.Application:
        served = Quiet(_command(arguments), host, port, title="nosis", public_url=url)
        made = await served._make_app()
        made.middlewares.append(_only_from(name, port))
        return made

    def told(_: str) -> None:
        if not _is_loopback(host):
            output.notice(
                f"whoever reaches {name}:{port} can read and change this memory: "
                "there is no password"
            )
        output.notice(f"nosis is at {url} (ctrl+c ends it)")

    try:
        web.run_app(app(), host=host, port=port, print=told, access_log=None)
    except OSError as error:
        raise UsageError(
            f"cannot serve on {name}:{port}: {error.strerror}", "Choose another one with --port."
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


def _only_from(name: str, port: int) -> Middleware:
    """Refuse pages of other sites, which could else open a socket to this one, or rename it; let
    the page itself load nothing from elsewhere."""
    from aiohttp import web

    names = {*_LOOPBACK, name} if _is_loopback(name.strip("[]")) else {name}
    hosts = {f"{each}:{port}" for each in names} | (names if port == 80 else set())

    @web.middleware
    async def guard(request: Request, handler: Handler) -> StreamResponse:
        origin = request.headers.get("Origin")
        if request.host not in hosts or (origin and origin.partition("://")[2] not in hosts):
            raise web.HTTPForbidden(text="this page may not open nosis\n")
        response = await handler(request)
        if not response.prepared:
            response.headers["Content-Security-Policy"] = _POLICY
        return response

    return guard
