"""``nosis serve --web``: the app in a browser, for this machine only."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
from collections.abc import Iterator

import aiohttp
import pytest

from tests.cli.driver import TIMEOUT, Nosis


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def address(nosis: Nosis) -> Iterator[str]:
    """Where a served app answers."""
    nosis.patch.setenv("NOSIS_MODEL", "offline")
    port = free_port()
    with nosis.process("serve", "--web", "--port", str(port), "-w", "notes") as process:
        assert process.stderr
        assert f"http://127.0.0.1:{port}" in process.stderr.readline().decode()
        yield f"127.0.0.1:{port}"
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=TIMEOUT)
        process.kill()
    assert process.returncode == 0


async def test_the_app_paints_and_takes_keys_in_a_browser(nosis: Nosis, address: str) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(f"http://{address}/") as page:
            assert page.status == 200
            assert "font-src 'self'" in page.headers["Content-Security-Policy"]
        socket_url = f"ws://{address}/ws?width=100&height=30"
        async with session.ws_connect(socket_url, origin=f"http://{address}") as browser:
            shown = b""
            async with asyncio.timeout(TIMEOUT):
                while b"rite a message" not in shown:
                    shown += (await browser.receive()).data or b""
                await browser.send_json(["stdin", "My dog is called Rex.\r"])
                while b"Noted" not in shown:
                    shown += (await browser.receive()).data or b""
    assert (nosis.home / "workspaces" / "notes" / "archival.jsonl").exists()


async def test_pages_of_other_sites_may_neither_open_nor_rename_it(address: str) -> None:
    async with aiohttp.ClientSession() as session:
        for header in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            async with session.get(f"http://{address}/", headers=header) as page:
                assert page.status == 403
        for origin in ("http://evil.example", "null"):
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await session.ws_connect(f"ws://{address}/ws", origin=origin)


def test_an_address_of_another_machine_is_one_error(nosis: Nosis) -> None:
    ran = nosis.run("serve", "--web", "--host", "192.0.2.1")

    error, _ = ran.failed(2)
    assert error.startswith("cannot serve on 192.0.2.1:8000")
