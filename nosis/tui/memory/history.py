"""The history tab: every change that memory went through, newest first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
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

SHOWN = 5_000  # changes, the newest
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

        def __init__(self, told: list[Told]) -> None:
            super().__init__()
            self.told = told

    class Opened(Message):
        """A memory to show."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, memory: Memory, *, id: str = "history") -> None:
        super().__init__(memory, id=id)

    def compose(self) -> ComposeResult:
        yield Rows(_told_line, id="history-list")

    def enter(self) -> None:
        self.query_one(Rows).focus()

    def reload(self) -> None:
        memory, until = self.memory, self.past_until

        def load() -> Message:
            events = (event for _, event in memory.store.events())
            told = (h for h in happenings(events) if until is None or h.at <= until)
            newest = deque(told, maxlen=SHOWN)
            undone = {h.undoes for h in newest if h.undoes}
            ids = [h.entry_id for h in newest if h.entry_id and not h.named]
            texts = {entry.id: words.spoken(entry) for entry in memory.store.get(ids)}
            return self.Loaded(
                [
                    Told(h, h.op in undone, "" if h.named else texts.get(h.entry_id or "", ""))
                    for h in reversed(newest)
                ]
            )

        read(self, "history", load)

    def on_history_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        self.query_one(Rows).show(event.told, index=0, empty=_EMPTY)

    @on(Rows.Chosen, "#history-list")
    def _chosen(self, event: Rows.Chosen) -> None:
        told: Told | None = event.rows.item
        memory, entry_id = self.memory, told.happening.entry_id if told else None
        if entry_id:
            read(self, "history-open", lambda: self.Opened(memory.get(entry_id)))

    def on_history_pane_opened(self, event: Opened) -> None:
        event.stop()
        self.app.push_screen(DetailScreen(self.memory, event.entry))


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
