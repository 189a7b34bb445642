"""``nosis reindex``: everything derived, made anew."""

from __future__ import annotations

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.opened import opened
from nosis.cli.progress import Bar


def reindex(arguments: Arguments) -> None:
    """Rebuild the index from the journal, with vectors of the present embedding model."""
    with opened(arguments) as memory:
        with Bar() as bar:
            embedded = memory.reindex(bar.update)
        if arguments.json:
            output.data({"embedded": embedded})
        else:
            output.line(f"the index is rebuilt; {embedded} memories were embedded anew")
        if not memory.meaning.usable():
            output.notice(memory.meaning.notice())
