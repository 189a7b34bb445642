"""Drive the program in tmux, a picture a step: ``python -m tests.tui.drive [MODEL.gguf]``.

Without a model file it is offline.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
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
PATIENCE = 180.0  # seconds; a model in a file takes its time
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
    path = FOLDER / f"{name}.svg"
    path.write_text(svg, encoding="utf-8")
    print(path)


def drive(model: str, pictures: str) -> None:
    """A first run in an empty home, a conversation, an undo, the browser, the session resumed."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        program = (
            f"cd {folder} && env -u OPENAI_API_KEY -u OPENAI_BASE_URL HOME={home} NOSIS_HOME={home}"
            f" NOSIS_MODEL={shlex.quote(model)} PYTHONPATH={FOLDER.parents[1]} COLORTERM=truecolor"
            f" {sys.executable} -m nosis"
        )
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        tmux("new-session", "-d", *size, f"{program}; {program} -c")
        try:
            wait_for("A chat that remembers")
            draw(f"{pictures}-first-run")
            say("My name is Ada and I live in Turin", "+ The user lives in Turin")
            say("The board meets on Fridays", "+ The board meets on Fridays")
            say("When does the board meet?", "1 memory used")
            draw(f"{pictures}-conversation")
            say("My dog is called Rex", "+ The user's dog is called Rex")
            say("/undo", "undone:")
            draw(f"{pictures}-undone")
            tmux("send-keys", "F2")
            wait_for("every category")
            draw(f"{pictures}-browser")
            tmux("send-keys", "Escape")
            wait_for("Write a message")
            say("/quit", "When does the board meet?")  # the second program resumes it
            wait_for("What each message brings")
            say("What is my name?", "Ada.")
            draw(f"{pictures}-resumed")
        finally:
            tmux("kill-server")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, nargs="?", help="a GGUF file")
    given = parser.parse_args()
    if given.model:
        drive(str(given.model.resolve()), "local")
    else:
        drive("offline", "terminal")


if __name__ == "__main__":
    main()
