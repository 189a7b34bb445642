"""nosis: a chat agent for the terminal that remembers.

Public names are loaded on first use, so that ``import nosis`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nosis.agent import Agent as Agent
    from nosis.errors import NosisError as NosisError
    from nosis.events import MemoryChanged as MemoryChanged
    from nosis.events import Notice as Notice
    from nosis.events import Recalled as Recalled
    from nosis.events import TextDelta as TextDelta
    from nosis.events import Thinking as Thinking
    from nosis.events import TurnDone as TurnDone
    from nosis.events import TurnFailed as TurnFailed
    from nosis.memory import Memory as Memory
    from nosis.settings import Settings as Settings

__version__ = "0.1.0"

_HOMES = {
    "Agent": "nosis.agent",
    "Memory": "nosis.memory",
    "MemoryChanged": "nosis.events",
    "NosisError": "nosis.errors",
    "Notice": "nosis.events",
    "Recalled": "nosis.events",
    "Settings": "nosis.settings",
    "TextDelta": "nosis.events",
    "Thinking": "nosis.events",
    "TurnDone": "nosis.events",
    "TurnFailed": "nosis.events",
}
__all__ = [*sorted(_HOMES), "__version__"]  # noqa: PLE0604  # names of _HOMES are strings


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
