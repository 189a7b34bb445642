"""The history tab: every change that memory went through, newest first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from nosis.memory.types import Entry
from nosis.tui.memory import words
from nosis.tui.memory.detail import DetailScreen
from nosis.tui.memory.happenings import Happening, happenings
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from textual.binding import BindingType

    from nosis.memory import Memory

PAGE = 500  # events read at first; twice as many each time the end comes near
MANY = 50  # changes of one operation (an import) from which on only the first are listed
_EMPTY = "Nothing has happened yet. Every change to memory is listed here and can be undone (u)."


@dataclass(frozen=True, slots=True)
class Told:
    """One change; ``undone`` where a later operation took it back."""

    happening: Happening
    undone: bool
    about: str  # the memory's words, where the change itself does not hold them


class HistoryPane(Pane):
    """What happened, when and by whom; ``enter`` opens the memory it happened to."""

    BINDINGS: ClassVar[list[BindingType]] = []

    class Loaded(Message):
        """The changes, newest first."""

        def __init__(self, told: list[Told], more: bool) -> None:
            super().__init__()
            self.told = told
            self.more = more  # older ones can be read

    class Opened(Message):
        """A memory to show."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, memory: Memory, *, id: str = "history") -> None:
        super().__init__(memory, id=id)
        self._limit = PAGE
        self._more = False

    def compose(self) -> ComposeResult:
        yield Rows(_told_line, id="history-list")

    def enter(self) -> None:
        self.query_one(Rows).focus()

    def reload(self) -> None:
        memory, until, limit = self.memory, self.past_until, self._limit

        def load() -> Message:
            events = [event for _, event in memory.store.events(after=-limit)]
            told = [h for h in happenings(events) if until is None or h.at <= until]
            undone = {h.undoes for h in told if h.undoes}
            unnamed = [h.entry_id for h in told if h.entry_id and not h.named]
            texts = {entry.id: words.spoken(entry) for entry in memory.store.get(unnamed)}
            shown = [
                Told(h, h.op in undone, "" if h.named else texts.get(h.entry_id or "", ""))
                for h in reversed(told)
            ]
            return self.Loaded(_shortened(shown), more=len(events) == limit)

        read(self, "history", load)

    def on_history_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        self._more = event.more
        self.query_one(Rows).show(event.told, empty=_EMPTY)

    @on(Rows.NearEnd, "#history-list")
    def _near_end(self) -> None:
        if self._more:
            self._more = False
            self._limit *= 2
            self.reload()

    @on(Rows.Chosen, "#history-list")
    def _chosen(self, event: Rows.Chosen) -> None:
        told: Told | None = event.rows.item
        memory, entry_id = self.memory, told.happening.entry_id if told else None
        if entry_id:
            read(self, "history-open", lambda: self.Opened(memory.get(entry_id)))

    def on_history_pane_opened(self, event: Opened) -> None:
        event.stop()
        self.app.push_screen(DetailScreen(self.memory, event.entry))


def _shortened(told: list[Told]) -> list[Told]:
    """The changes, with the bulk of a large operation (an import) told as a number."""
    sizes = Counter(change.happening.op for change in told)
    seen: Counter[str | None] = Counter()
    shown = []
    for change in told:
        op = change.happening.op
        seen[op] += 1
        if sizes[op] <= MANY or seen[op] <= 3:
            shown.append(change)
        elif seen[op] == 4:
            count = f"… and {sizes[op] - 3:,} more at once"
            text = Content.styled(count, "$foreground-muted")
            rest = replace(change.happening, text=text, entry_id=None)
            shown.append(replace(change, happening=rest, about=""))
    return shown


def _told_line(told: Told, width: int) -> Content:
    happening = told.happening
    when = words.minute(happening.at) if width >= 60 else words.day(happening.at)[5:]
    who = Content("")
    if width >= 72:
        who = Content.styled(f"  {happening.agent}", "$foreground-muted").truncate(14, pad=True)
    text = happening.text
    if told.about:
        text = Content.assemble(text, ("  ", ""), (told.about, "$foreground-muted"))
    if told.undone:
        text = Content.assemble(Content.styled(text.plain, "$foreground-muted strike"), " ")
    room = max(width - len(when) - 4 - who.cell_length, 1)
    return Content.assemble(
        " ", (when, "$foreground-muted"), "  ", text.truncate(room, ellipsis=True, pad=True), who
    )
