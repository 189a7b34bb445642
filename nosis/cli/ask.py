"""Asking before what cannot be undone."""

from __future__ import annotations

import sys

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.errors import UsageError


def confirm(arguments: Arguments, what: str) -> None:
    """Go on if the person says yes; ``--yes`` says it beforehand.

    Raises:
        UsageError: the answer is not yes, or there is no terminal to ask on.
    """
    if arguments.yes:
        return
    if not on_terminal():
        raise UsageError(f"not done without a yes: {what}", "Add --yes if you mean it.")
    sys.stderr.write(f"{output.one_line(what)}? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise UsageError("nothing was done", "Answer y to go ahead.")


def on_terminal() -> bool:
    """Whether a question on stderr can be answered on stdin."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
