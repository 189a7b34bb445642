"""One recollection as a card: its words, its score, and why it came to mind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from nosis.memory.types import Entry, Recollection, Status
from nosis.tui.memory import drawing, words
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from nosis.memory import Memory

_AGE = re.compile(r"\b(old|ago|today|yesterday)\b")
_PART_WIDTH = 10
_PARTS = {"tokens": "wording"}  # names of parts that people know by another word


class RecollectionCard(Widget, can_focus=True):
    """Two lines of words and the reasons; ``enter`` opens it to all that is known."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "more", "more", id="memory.card.more"),
    ]
    DEFAULT_CSS = """
    RecollectionCard {
        height: auto;
        padding: 0 1;
        margin-bottom: 1;
        border-left: blank;
        text-wrap: nowrap;
        &:focus { border-left: outer $primary; background: $primary 12%; }
    }
    """

    expanded = reactive(False, layout=True)
    muted = reactive(False, layout=True)

    class Loaded(Message):
        """The memory as it is now."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, hit: Recollection, *, used: bool = True, now: float | None = None) -> None:
        super().__init__()
        self.hit = hit
        self.used = used
        self._now = now

    def reload(self, memory: Memory) -> None:
        """Draw the memory as it is now; its score stays that of the turn."""
        entry_id = self.hit.entry.id
        read(self, "card", lambda: self.Loaded(memory.get(entry_id)))

    def on_recollection_card_loaded(self, event: Loaded) -> None:
        event.stop()
        self.hit = Recollection(event.entry, self.hit.score, self.hit.parts, self.hit.reasons)
        self.refresh(layout=True)

    def action_more(self) -> None:
        self.expanded = not self.expanded

    def on_click(self) -> None:
        if self.has_focus:
            self.action_more()

    def on_resize(self, event: Resize) -> None:
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._content(width).plain.count("\n") + 1

    def render(self) -> Content:
        return self._content(self.content_size.width or 36)

    def _content(self, width: int) -> Content:
        entry = self.hit.entry
        gone = entry.status is not Status.LIVE
        style = (
            "$foreground-muted strike"
            if gone or self.muted
            else ("" if self.used else "$foreground-muted")
        )
        mark = f"{drawing.PIN} " if entry.pinned else ""
        lines = Content.styled(mark + words.spoken(entry), style).wrap(width)
        if not self.expanded and len(lines) > 2:
            second = lines[1].rstrip().truncate(width - 1)
            lines = [lines[0], Content.assemble(second, ("…", style))]
        parts: list[Any] = [*lines]
        if self.hit.score:  # what is always in the prompt was not found by a score
            parts.append(self._score(width))
        parts += [Content.styled(text, "$foreground-muted") for text in self._why(width)]
        if self.expanded:
            parts += ["", *self._parts(), "", self._about(width)]
        return Content("\n").join(parts)

    def _score(self, width: int) -> Content:
        colour = "$primary" if self.used else "$foreground 40%"
        return Content.assemble(
            drawing.bar(self.hit.score, max(width - 6, 4), colour),
            (f"  {self.hit.score:.2f}", "$foreground-muted"),
        )

    def _why(self, width: int) -> list[str]:
        """The reasons in lines, broken between them."""
        entry = self.hit.entry
        said = [words.line(reason) for reason in self.hit.reasons]
        if self._now is not None and not any(_AGE.search(reason) for reason in said):
            said.append(words.ago(entry.created_at, self._now))
        if entry.pinned and "pinned" not in said:
            said.append("pinned")
        if entry.status is not Status.LIVE:
            said.insert(0, words.STATUSES[entry.status][0])
        if self.muted:
            said.insert(0, "muted in this conversation")
        lines = said[:1]
        for reason in said[1:]:
            if cell_len(joined := f"{lines[-1]} · {reason}") <= width:
                lines[-1] = joined
            else:
                lines.append(reason)
        return lines

    def _parts(self) -> list[Content]:
        """What each part adds to the score, the largest first."""
        parts = sorted(self.hit.parts.items(), key=lambda part: -part[1])
        named = [(_PARTS.get(name, words.line(name)), value) for name, value in parts]
        width = max((len(name) for name, _ in named), default=0)
        return [
            Content.assemble(
                (name.ljust(width + 2), "$foreground-muted"),
                drawing.bar(value, _PART_WIDTH, "$secondary"),
                f" {value:.2f}",
            )
            for name, value in named
        ]

    def _about(self, width: int) -> Content:
        rows = drawing.facts_about(self.hit.entry, self._now or self.hit.entry.created_at)
        keep = ("category", "importance", "origin", "recorded", "id")
        table = drawing.table([row for row in rows if row[0] in keep])
        return Content("\n").join(part.truncate(width, ellipsis=True) for part in table.split("\n"))
