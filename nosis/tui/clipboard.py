"""Copying: through the terminal, a clipboard program where there is one, and a file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from textual.app import App

from nosis.errors import NosisError
from nosis.memory.core import write_private
from nosis.memory.home import make_private

FILE = "copied.txt"
_PROGRAMS = (
    ("wl-copy", "WAYLAND_DISPLAY", ()),
    ("xclip", "DISPLAY", ("-selection", "clipboard")),
    ("xsel", "DISPLAY", ("--clipboard", "--input")),
    ("pbcopy", "", ()),
    ("clip.exe", "", ()),
)


def copy(app: App[object], text: str, home: Path) -> str:
    """Copy a text; what to add to "copied" for the user.

    Many terminals ignore the escape sequence for copying, without a sign. Where no program
    can do it, the text is also in a private file.
    """
    app.copy_to_clipboard(text)
    if not app.is_headless and _by_program(text):
        return ""
    try:
        make_private(home)
        write_private(home / FILE, text)
    except (OSError, NosisError):
        return ""
    return f" (also to {home / FILE})"


def _by_program(text: str) -> bool:
    for name, needs, arguments in _PROGRAMS:
        if needs and not os.environ.get(needs):
            continue
        if name == "pbcopy" and sys.platform != "darwin":
            continue
        if program := shutil.which(name):
            try:
                subprocess.run(
                    [program, *arguments],
                    input=text.encode("utf-8", "replace"),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=2,
                    check=True,
                )
            except (OSError, subprocess.SubprocessError):
                continue
            return True
    return False
