"""``nosis core …``: the few fields that every prompt holds."""

from __future__ import annotations

from nosis.cli import output, shown
from nosis.cli.arguments import Arguments
from nosis.cli.opened import opened


def show(arguments: Arguments) -> None:
    """Core memory as it is."""
    from nosis.memory.core import values

    with opened(arguments) as memory:
        core = memory.core()
        if arguments.json:
            output.data(core)
            return
        for field in core:
            for value in values(core, field):
                output.line(f"{field}: {value}")
        if not core:
            output.note('core memory is empty; fill it with: nosis core set name "YOUR NAME"')


def set_field(arguments: Arguments) -> None:
    """Replace a field."""
    with opened(arguments, writes=True) as memory:
        shown.receipts([memory.core_set(arguments.field, arguments.words)], arguments)


def append(arguments: Arguments) -> None:
    """Add a value to a list."""
    with opened(arguments, writes=True) as memory:
        shown.receipts([memory.core_append(arguments.field, arguments.words)], arguments)


def remove(arguments: Arguments) -> None:
    """Remove a field, or one value of a list."""
    with opened(arguments, writes=True) as memory:
        shown.receipts([memory.core_remove(arguments.field, arguments.words or None)], arguments)
