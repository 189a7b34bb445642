"""Drive the program offline in tmux, a picture a step: ``python -m tests.tui.drive``."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual.color import Color

from nosis.tui.themes import DARK
from tests.tui.pictures import FOLDER, tidy

COLUMNS, ROWS = 100, 30
PATIENCE = 60.0  # seconds
TMUX = ("tmux", "-L", "nosis-drive", "-f", os.devnull)


def tmux(*arguments: str) -> str:
    return subprocess.run([*TMUX, *arguments], check=True, capture_output=True, text=True).stdout


def wait_for(words: str) -> None:
    """Until the words stand on the screen."""
    end = time.monotonic() + PATIENCE
    while words not in tmux("capture-pane", "-p"):
        assert time.monotonic() < end, f"{words!r} did not appear:\n{tmux('capture-pane', '-p')}"
        time.sleep(0.2)


def say(text: str, answer: str) -> None:
    """Type a message, and wait for what comes of it."""
    tmux("send-keys", "-l", text)
    tmux("send-keys", "Enter")
    wait_for(answer)


def draw(name: str) -> None:
    """The screen as it is, once it has come to rest."""
    time.sleep(7.0)  # until the toasts are gone
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), color_system="truecolor")
    screen = tmux("capture-pane", "-p", "-e", "-N").rstrip("\n")
    console.print(Text.from_ansi(screen, style=f"on {DARK.background}"), soft_wrap=True)
    theme = TerminalTheme(Color.parse(DARK.background).rgb, (220, 216, 207), [(0, 0, 0)] * 8)
    svg = tidy(console.export_svg(title="nosis", theme=theme))
    (FOLDER / f"terminal-{name}.svg").write_text(svg, encoding="utf-8")
    print(FOLDER / f"terminal-{name}.svg")


def main() -> None:
    """A first run in an empty home, a conversation, an undo, the browser, the session resumed."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        program = (
            f"cd {folder} && env -u OPENAI_API_KEY -u OPENAI_BASE_URL HOME={home} NOSIS_HOME={home}"
            f" NOSIS_MODEL=offline PYTHONPATH={FOLDER.parents[1]} COLORTERM=truecolor"
            f" {sys.executable} -m nosis"
        )
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        tmux("new-session", "-d", *size, f"{program}; {program} -c")
        try:
            wait_for("A chat that remembers")
            draw("first-run")
            say("My name is Ada and I live in Turin", "meet you, Ada")
            say("The board meets on Fridays", "+ The board meets on Fridays")
            say("When does the board meet?", "you told me")
            draw("conversation")
            say("My dog is called Rex", "Rex.")
            say("/undo", "undone:")
            draw("undone")
            tmux("send-keys", "F2")
            wait_for("every category")
            draw("browser")
            tmux("send-keys", "Escape")
            wait_for("Write a message")
            say("/quit", "When does the board meet?")  # the second program resumes it
            wait_for("What each message brings")
            say("What is my name?", "Ada.")
            draw("resumed")
        finally:
            tmux("kill-server")


if __name__ == "__main__":
    main()
