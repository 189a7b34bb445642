"""What the browser's tabs have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.message import Message

from nosis.memory.types import Receipt
from nosis.tui.memory.work import change

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.memory.operations.time_travel import Knowledge


class Pane(Vertical):
    """One tab: reads memory when shown, and again after each change.

    ``past`` is what memory knew at an earlier moment, or None for now. A pane that shows the
    past changes nothing.
    """

    READ_ONLY_ACTIONS: frozenset[str] = frozenset()
    """Actions that stay possible in the past."""

    class Titled(Message):
        """How many there are, for the tab's label."""

        def __init__(self, name: str, count: int) -> None:
            super().__init__()
            self.name = name
            self.count = count

    def __init__(self, memory: Memory, *, id: str) -> None:
        super().__init__(id=id)
        self.memory = memory
        self.past: Knowledge | None = None
        self.past_until: float | None = None

    def reload(self) -> None:
        """Read again what is shown."""

    def enter(self) -> None:
        """Take the keyboard."""

    def leave(self) -> bool:
        """Give up a search or the like; False where there is nothing to give up."""
        return False

    def change(self, call: Callable[[], Receipt | list[Receipt]]) -> None:
        """Run a memory operation; the browser shows its receipts."""
        change(self, call)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        own = f"action_{action}" in vars(type(self))
        changes = own and action not in self.READ_ONLY_ACTIONS
        return not (self.past is not None and changes)
