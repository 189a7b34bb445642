"""What only a real process shows: signals, pipes, terminals, raw bytes, silence of libraries."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.cli.driver import TIMEOUT, Nosis
from tests.replies import Reply
from tests.server import Server


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_stops_the_answer_and_keeps_what_was_said(
    nosis: Nosis, server: Server, number: signal.Signals
) -> None:
    server.add(Reply(["Well, \n", "MEMORY_UPDATE: I like tea\n", "never"], hold_after=2))

    process = nosis.process("-p", "I like tea", stdin=subprocess.DEVNULL)
    with process:
        assert server.holding.wait(TIMEOUT)
        assert process.stdout is not None
        assert process.stdout.read(5) == b"Well,"
        process.send_signal(number)
        out, err = process.communicate(timeout=TIMEOUT)

    assert process.returncode == 130
    assert out == b"\n"
    assert [line.split(b" ")[0] for line in err.splitlines()][-2:] == [b"error:", b"hint:"]
    assert b"Traceback" not in err
    assert nosis("memory", "list", "--json").json == []
    assert nosis("sessions", "list", "--json").json[0]["turns"] == 1


def test_a_reader_that_leaves_early_ends_a_listing_quietly(nosis: Nosis) -> None:
    nosis.fill(f"fact number {number} {'x' * 10_000}" for number in range(30))

    with nosis.process("memory", "list") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()

    assert process.returncode == 0
    assert errors == b""


def test_a_reader_that_leaves_early_does_not_stop_the_turn_from_being_kept(
    nosis: Nosis, server: Server
) -> None:
    server.add(Reply(["one\n", "two\n", "MEMORY_UPDATE: I like tea\n"], hold_after=1))

    with nosis.process("-p", "I like tea", stdin=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert server.holding.wait(TIMEOUT)
        process.stdout.close()
        server.release()
        errors = process.stderr.read()

    assert process.returncode == 0
    assert b"Traceback" not in errors
    assert [fact["text"] for fact in nosis("memory", "list", "--json").json] == ["I like tea"]


def test_bytes_that_are_no_text_are_replaced_and_stored(nosis: Nosis, server: Server) -> None:
    nosis.run(b"memory", b"add", b"caf\xff in Springfield").ok()
    nosis.run(b"-p", b"caf\xff?").ok()
    nosis.run("-p", "what?", piped=b"caf\xff \x00 \xed\xa0\xbd").ok()

    assert nosis("memory", "list", "--json").json[0]["text"] == "caf\ufffd in Springfield"
    assert server.chats[0]["messages"][-1]["content"].endswith("caf\ufffd?")
    assert "\x00" not in str(server.chats)
    nosis.journal().decode()


def test_halves_of_characters_and_nul_in_a_message_are_stored_as_replacements(
    nosis: Nosis, server: Server
) -> None:
    nosis.add("half \ud83d and nul \0 end")
    server.add(Reply(["half \ud83d and ", "nul \0 end\nMEMORY_UPDATE: half \ud83d nul\n"]))

    ran = nosis("-p", "half \ud83d nul").ok()

    assert "\ufffd" in ran.out
    assert all(b"\0" not in path.read_bytes() for path in nosis.workspace.glob("*.*"))
    nosis.journal().decode()
    assert len(nosis("memory", "list", "--json").json) == 2


def test_nothing_but_ours_on_stdout_and_stderr(nosis: Nosis, server: Server) -> None:
    nosis.patch.delenv("NOSIS_VECTOR_INDEX")

    added = nosis.run("memory", "add", "I prefer tea").ok()
    found = nosis.run("memory", "search", "tea").ok()
    turn = nosis.run("-p", "what do I prefer?", stdin=subprocess.DEVNULL)

    assert [len(ran.out.splitlines()) for ran in (added, found, turn)] == [1, 1, 1]
    ours = ("notice:", "memory:")
    for line in (added.err + found.err + turn.err).splitlines():
        assert line.startswith(ours), line


def test_no_library_leaves_a_device_id_or_another_file_outside_the_home(nosis: Nosis) -> None:
    nosis.patch.delenv("NOSIS_VECTOR_INDEX")

    nosis.run("-p", "My dog is called Rex.").ok()
    nosis.run("-p", "What is my dog called?").ok()

    left = {path.relative_to(nosis.folder).parts[0] for path in nosis.folder.rglob("*")}
    assert left == {"here", "home"}


def test_streams_that_are_closed_are_no_trouble(nosis: Nosis, server: Server) -> None:
    command = f"exec {sys.executable} -m nosis -p hi <&- >&- 2>&-"

    subprocess.run(["sh", "-c", command], check=True, env=nosis.environment(), timeout=TIMEOUT)

    assert len(server.chats) == 1


def test_a_full_disk_behind_stdout_is_an_error_of_two_lines(nosis: Nosis) -> None:
    nosis.add("I prefer tea")
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("only Linux has /dev/full")
    with full.open("wb") as stdout:
        ran = nosis.process("memory", "list", stdout=stdout)
        _, err = ran.communicate(timeout=TIMEOUT)

    assert ran.returncode == 2
    assert [line.split(b" ")[0] for line in err.splitlines()] == [b"error:", b"hint:"]


def test_a_read_only_workspace_is_read_and_the_chat_goes_on(nosis: Nosis, server: Server) -> None:
    before: list[str] = []
    if os.geteuid() == 0:  # permissions do not bind root, unless it gives up that right
        if not shutil.which("setpriv"):
            pytest.skip("root writes everywhere")
        before = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    nosis.add("deploys are on Fridays")
    folders = [nosis.workspace, *(p for p in nosis.workspace.rglob("*") if p.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        turn = nosis.run("-p", "when are deploys?", before=before).ok()
        listed = nosis.run("memory", "list", before=before).ok()
        refused = nosis.run("memory", "add", "x", before=before)
    finally:
        for folder in folders:
            folder.chmod(0o700)

    assert turn.out == "OK.\n"
    assert "not remembered" in turn.err
    assert "deploys are on Fridays" in server.chats[0]["messages"][-1]["content"]
    assert "deploys are on Fridays" in listed.out
    assert refused.code == 2
    assert [line.split()[0] for line in refused.err.splitlines()[-2:]] == ["error:", "hint:"]
    assert len(nosis("memory", "list", "--json").json) == 1


def test_an_encoding_without_the_character_replaces_it(nosis: Nosis) -> None:
    nosis.add("tea ☕ now")
    nosis.patch.setenv("PYTHONIOENCODING", "ascii")

    assert b"tea ? now" in nosis.run("memory", "list").ok().raw_out
    assert b'"tea \\u2615 now"' in nosis.run("memory", "list", "--json").ok().raw_out


def test_a_plain_prompt_answers_line_by_line_in_one_session(nosis: Nosis, server: Server) -> None:
    server.add("Hello \x1b]0;title\x07Ada!\nMEMORY_UPDATE: name: Ada\n", "You are Ada.")
    process, parent = _on_terminal(nosis, "dumb")
    screen = _prompted(parent)
    os.write(parent, b"I am Ada\n")
    screen += _prompted(parent)
    os.write(parent, b"who am I?\n")
    screen += _prompted(parent)
    os.write(parent, b"\x04")
    assert process.wait(TIMEOUT) == 0
    os.close(parent)

    assert "Hello ]0;titleAda!" in screen
    assert "\x1b]0" not in screen
    assert "MEMORY_UPDATE" not in screen
    assert nosis("sessions", "list", "--json").json[0]["turns"] == 2


def test_a_plain_prompt_runs_slash_commands_and_sends_none_to_the_model(
    nosis: Nosis, server: Server
) -> None:
    process, parent = _on_terminal(nosis, "dumb")
    screen = _prompted(parent)
    for line in (
        "/remember tea is at five",
        "/undo 1",
        "/theme dark",
        "/undoo",
        "/forget",
        "/help",
    ):
        os.write(parent, f"{line}\n".encode())
        screen += _prompted(parent)
    os.write(parent, b"/quit\n")
    assert process.wait(TIMEOUT) == 0
    os.close(parent)

    assert "stored tea is at five" in screen and "undone tea is at five" in screen
    assert "/theme works in the app only" in screen and "Did you mean /undo?" in screen
    assert "/forget needs fact" in screen and "/remember TEXT" in screen
    assert list(server.chats) == [] and nosis("memory", "list", "--json").json == []


def test_on_a_terminal_the_app_opens_and_leaves_it_as_it_was(nosis: Nosis) -> None:
    process, parent = _on_terminal(nosis, "xterm-256color")
    shown = _shown(parent, "\x1b[?2004h")  # from here on the terminal itself takes no ctrl+q
    assert "\x1b[?1049h" in shown
    os.write(parent, b"\x11")
    shown += _shown(parent, "\x1b[?1049l")
    assert process.wait(TIMEOUT) == 0
    os.close(parent)

    assert "Traceback" not in shown


def _on_terminal(nosis: Nosis, kind: str) -> tuple[subprocess.Popen[bytes], int]:
    """nosis on a new terminal of 80×24, and the other end of it."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "nosis"],
        stdin=child,
        stdout=child,
        stderr=child,
        env={**nosis.environment(), "TERM": kind},
        start_new_session=True,
    )
    os.close(child)
    return process, parent


def _shown(terminal: int, words: str) -> str:
    """What the terminal shows until these words."""
    text = ""
    latest = time.monotonic() + TIMEOUT
    while words not in text:
        assert time.monotonic() < latest, text
        ready, _, _ = select.select([terminal], [], [], TIMEOUT)
        assert ready, text
        text += os.read(terminal, 65_536).decode(errors="replace")
    return text


def _prompted(terminal: int) -> str:
    """What the terminal shows until the next prompt."""
    text = ""
    while not text.endswith("\n> ") and text != "> ":
        ready, _, _ = select.select([terminal], [], [], TIMEOUT)
        assert ready, text
        text += os.read(terminal, 65_536).decode()
    return text
