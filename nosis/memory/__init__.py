"""Memory: what an agent keeps, finds again, corrects and forgets.

``Memory`` (in ``nosis.memory.memory``) is the whole of it; the modules beside it know nothing
of models, prompts or screens. Importing this package loads none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nosis.memory.memory import Memory as Memory

__all__ = ["Memory"]


def __getattr__(name: str) -> Any:
    if name == "Memory":
        from nosis.memory.memory import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
