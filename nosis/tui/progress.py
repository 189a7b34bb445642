"""One line above the prompt while something takes its time."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from nosis.tui.text import one_line

CELLS = 24


class Progress(Widget):
    """What is going on and how far it is; hidden when nothing is."""

    label: reactive[str] = reactive("")
    done: reactive[int] = reactive(0)
    total: reactive[int] = reactive(0)

    def on_mount(self) -> None:
        self.display = False

    def say(self, label: str) -> None:
        """Something begins, of unknown length."""
        self.label, self.done, self.total = label, 0, 0
        self.display = True

    def advance(self, label: str, done: int, total: int) -> None:
        """It is this far."""
        self.label, self.done, self.total = label, done, total
        self.display = True

    def from_thread(self, label: str, done: int, total: int) -> None:
        """As ``advance``, for work in another thread."""
        self.app.call_later(self.advance, label, done, total)

    def finish(self) -> None:
        self.label = ""
        self.display = False

    def render(self) -> Content:
        label = Content.styled(one_line(self.label, 60), "$foreground-muted")
        if not self.total:
            return label
        share = min(self.done / self.total, 1.0)
        full = round(share * CELLS)
        return Content.assemble(
            label,
            "  ",
            ("━" * full, "$primary"),
            ("━" * (CELLS - full), "$border"),
            (f"  {share:.0%}", "$foreground-muted"),
        )
