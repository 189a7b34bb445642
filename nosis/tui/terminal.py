"""Whether a screen can be drawn here, and whether it still can.

Both ends must be a terminal that moves its cursor. Textual draws on standard error, so that is
an end as well: redirected, nothing would be seen.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Mapping
from typing import TextIO

from nosis.errors import UsageError

_NO_CURSOR = {"", "dumb", "unknown"}


def in_browser() -> bool:
    """Whether ``nosis serve --web`` started this process: it draws through a pipe."""
    return "TEXTUAL_DRIVER" in os.environ


def check_terminal(
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
    environ: Mapping[str, str] | None = None,
) -> None:
    """Return if the app can be drawn.

    Raises:
        UsageError: an end is a pipe or file, or ``TERM`` names no usable terminal.
    """
    ends = {
        "standard input": stdin or sys.__stdin__,
        "standard output": stdout or sys.__stdout__,
        "standard error": stderr or sys.__stderr__,
    }
    for name, end in ends.items():
        try:
            interactive = end is not None and end.isatty()
        except ValueError:  # closed
            interactive = False
        if not interactive:
            raise UsageError(
                f"the app needs a terminal, and {name} is none",
                'Ask one question instead: nosis -p "…"',
            )
    term = (environ if environ is not None else os.environ).get("TERM", "")
    if sys.platform != "win32" and term.lower() in _NO_CURSOR:
        raise UsageError(
            f"the app cannot draw on a terminal of the kind {term!r}",
            'Set TERM (for example to xterm-256color), or ask one question: nosis -p "…"',
        )


def has_vanished(stdin: int = 0) -> bool:
    """Whether the other side of the terminal (or of the web server's pipe) is closed.

    Nobody sees or types anything any more then. The signal for it, SIGHUP, does not always come:
    it may be blocked, or the terminal is not the controlling one. Textual would read the end
    again and again, as fast as it can.
    """
    if not hasattr(select, "poll"):  # Windows
        return False
    watcher = select.poll()
    watcher.register(stdin, 0)
    return any(told & (select.POLLHUP | select.POLLNVAL) for _, told in watcher.poll(0))
