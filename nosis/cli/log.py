"""``nosis log``: what happened on a day."""

from __future__ import annotations

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.opened import opened


def show(arguments: Arguments) -> None:
    """The log of a day (UTC), today if none is given."""
    day = arguments.day or "today"
    with opened(arguments) as memory:
        text = memory.read_memory(day)
        if arguments.json:
            output.data({"day": day, "text": text})
        elif text:
            output.page(text)
        else:
            output.note(f"nothing happened on {arguments.day}" if arguments.day else "nothing yet")
