"""Settings and memory as the flags of a command line name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory

FLAGS = ("home", "workspace", "inherit", "read_only", "agent", "model", "timeout")


def load_settings(arguments: Arguments) -> Settings:
    """Flags over environment over ``.env`` over defaults."""
    if not arguments.debug:
        output.silence_logging()
    return Settings.load({name: getattr(arguments, name) for name in FLAGS})


@contextmanager
def opened(arguments: Arguments, *, writes: bool = False) -> Iterator[Memory]:
    """The workspace of a command; its notices go to stderr. ``writes``: what was written is
    findable by meaning when the command ends."""
    from nosis.cli.progress import Bar
    from nosis.opening import open_memory

    settings = load_settings(arguments)
    with Bar() as bar, open_memory(settings, bar.update) as memory:
        tell_notices(memory)
        yield memory
        if writes:
            memory.embed_pending()
        tell_notices(memory)


def tell_notices(memory: Memory) -> None:
    """Say on stderr what memory had to repair or cannot do."""
    while memory.notices:
        output.notice(memory.notices.pop(0))
