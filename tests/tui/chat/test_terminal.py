"""The app in a real terminal, as its own process."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from nosis.memory import Memory

PATIENCE = 60.0  # seconds; a loaded machine is slow, a working app is not waited for
CONTROL = re.compile(r"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>78]")


class Terminal:
    """A child process on a pseudo-terminal, and what it has painted so far."""

    def __init__(self, home: Path, *arguments: str, columns: int = 100, rows: int = 30) -> None:
        self._end, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("OPENAI", "NOSIS"))},
            "TERM": "xterm-256color",
            "NOSIS_HOME": str(home),
            "NOSIS_MODEL": "offline",
            "NOSIS_AUTO_CURATE": "manual",
            "OMP_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nosis", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
        )
        os.close(inner)
        self.painted = ""

    def read(self, seconds: float = 0.2) -> None:
        """Take what comes within some time."""
        ready, _, _ = select.select([self._end], [], [], seconds)
        if ready:
            with suppress(OSError):
                self.painted += os.read(self._end, 1 << 20).decode("utf-8", "replace")

    def wait_for(self, words: str) -> None:
        """Read until the words were painted (since the last ``send``)."""
        end = time.monotonic() + PATIENCE
        while words not in CONTROL.sub("", self.painted):
            assert time.monotonic() < end, f"{words!r} did not appear:\n{self.painted[-2000:]}"
            self.read()

    def send(self, typed: str) -> None:
        """Type; what was painted before is forgotten."""
        self.painted = ""
        data = typed.encode()
        while data:  # the terminal takes a few kilobytes at a time
            _, ready, _ = select.select([], [self._end], [], PATIENCE)
            assert ready
            data = data[os.write(self._end, data[:2048]) :]
            self.read(0)

    def end(self) -> int:
        """Read to the end of the process; its exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, CONTROL.sub("", self.painted)[-3000:]
            self.read()
        self.read()
        return self.process.returncode

    def hang_up(self) -> None:
        """Close the other side of the terminal."""
        os.close(self._end)
        self._end = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._end >= 0:
            os.close(self._end)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def terminal(home: Path) -> Iterator[Terminal]:
    opened = Terminal(home)
    yield opened
    opened.close()


def test_a_first_run_in_an_empty_home_and_the_next_day(home: Path, terminal: Terminal) -> None:
    terminal.wait_for("for a command")  # the first paint; nothing is loaded yet
    terminal.send("My name is Ada and I live in Turin\r")
    terminal.wait_for("Nice to meet you, Ada")
    terminal.wait_for("saved")
    terminal.send("\x1b[200~first line\nsecond line\x1b[201~")  # a bracketed paste
    terminal.wait_for("second line")
    terminal.send("\x1b[18~\x7f/quit\r")  # f7 selects all, backspace removes it
    assert terminal.end() == 0, terminal.painted[-3000:]
    assert "\x1b[?1049l" in terminal.painted and "Traceback" not in terminal.painted
    again = Terminal(home, "-c")
    try:
        again.wait_for("Nice to meet you, Ada")
        again.send("Where do I live?\r")
        again.wait_for("You live in Turin")
        again.process.send_signal(signal.SIGTERM)
        assert again.end() == 128 + signal.SIGTERM
        assert "\x1b[?1049l" in again.painted and "Traceback" not in again.painted
    finally:
        again.close()
    with Memory(home, embedder=None) as memory:
        assert memory.core()["name"] == "Ada"
        assert len(memory.conversation(memory.sessions()[0].id)) == 4
    for file in (home / "history.jsonl", home / "workspaces" / "default" / "archival.jsonl"):
        assert file.stat().st_mode & 0o077 == 0


def test_what_is_typed_before_the_first_paint_reaches_the_prompt(
    home: Path, terminal: Terminal
) -> None:
    terminal.send("My name is Ada\r")  # Python is only starting
    terminal.wait_for("Nice to meet you, Ada")
    terminal.wait_for("saved")
    terminal.send("/quit\r")
    assert terminal.end() == 0


def test_lines_pasted_before_the_first_paint_are_not_sent_by_themselves(
    home: Path, terminal: Terminal
) -> None:
    terminal.send("My name is Ada.\nI like tea.")
    terminal.wait_for("A chat that remembers")  # awake, and nothing was sent
    terminal.send("\r")
    terminal.wait_for("saved")
    terminal.send("/quit\r")
    assert terminal.end() == 0
    with Memory(home, embedder=None) as memory:
        said = memory.conversation(memory.sessions()[0].id)[0]
    assert said.text == "My name is Ada.\nI like tea."


def test_the_app_ends_when_its_terminal_vanishes_without_a_signal(
    home: Path, terminal: Terminal
) -> None:
    terminal.wait_for("for a command")
    terminal.send("My name is Ada\r")
    terminal.wait_for("saved")
    terminal.hang_up()  # it is not the controlling terminal: no SIGHUP comes
    assert terminal.process.wait(PATIENCE) == 128 + signal.SIGHUP
    with Memory(home, embedder=None) as memory:
        assert memory.core()["name"] == "Ada"


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_draw_gets_an_error_and_no_escape_sequence(
    home: Path, term: str
) -> None:
    end, inner = pty.openpty()
    code = (
        "import sys, nosis.settings, nosis.tui.app\n"
        "try: nosis.tui.app.run(nosis.settings.Settings())\n"
        "except nosis.NosisError as error: print(error.message, '|', error.hint); sys.exit(2)"
    )
    done = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env={**os.environ, "TERM": term, "NOSIS_HOME": str(home)},
    )
    os.close(inner)
    assert done.wait(PATIENCE) == 2
    said = os.read(end, 4096).decode()
    os.close(end)
    assert said.startswith("the app cannot draw on a terminal of the kind") and "| Set TERM" in said
