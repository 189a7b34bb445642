"""One line above the prompt while something takes its time."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from nosis.errors import NosisError
from nosis.tui.text import one_line

CELLS = 24


class Stopped(NosisError):
    """The user ended something that took its time."""


class Progress(Widget):
    """What is going on and how far it is; hidden when nothing is."""

    label: reactive[str] = reactive("")
    done: reactive[int] = reactive(0)
    total: reactive[int] = reactive(0)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._can_stop = False
        self._stopped = False
        self._work = 0  # counts what was begun: late news of what is over are dropped

    def on_mount(self) -> None:
        self.display = False

    def say(self, label: str, *, can_stop: bool = False) -> None:
        """Something begins, of unknown length."""
        self._work += 1
        self.label, self.done, self.total = label, 0, 0
        self._can_stop, self._stopped = can_stop, False
        self.display = True

    def stop(self) -> bool:
        """End what is going on at its next step; whether that can be done."""
        self._stopped = self.display and self._can_stop
        return self._stopped

    def advance(self, label: str, done: int, total: int) -> None:
        """It is this far."""
        self.label, self.done, self.total = label, done, total
        self.display = True

    def from_thread(self, label: str, done: int, total: int) -> None:
        """As ``advance``, for work in another thread. Stopped, if the user wants no more."""
        if self._stopped:
            raise Stopped(f"{label} was stopped", "What was done is kept; start it again any time.")
        self.app.call_later(self._advance, self._work, label, done, total)

    def _advance(self, work: int, label: str, done: int, total: int) -> None:
        # An index that catches up later tells of it, too: nobody would take that line away.
        if work == self._work and self.display:
            self.advance(label, done, total)

    def finish(self) -> None:
        self._work += 1
        self.label = ""
        self._can_stop = self._stopped = False
        self.display = False

    def render(self) -> Content:
        label = Content.styled(one_line(self.label, 60), "$foreground-muted")
        hint = "  esc stops it" if self._can_stop else ""
        if not self.total:
            return Content.assemble(label, (hint, "$foreground-disabled"))
        share = min(self.done / self.total, 1.0)
        full = round(share * CELLS)
        return Content.assemble(
            label,
            "  ",
            ("━" * full, "$primary"),
            ("━" * (CELLS - full), "$border"),
            (f"  {share:.0%}", "$foreground-muted"),
            (hint, "$foreground-disabled"),
        )
