"""Searching all that was ever said or kept, and going to where it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from nosis.memory.types import Kind, Recall
from nosis.tui.memory import drawing
from nosis.tui.memory.detail import DetailScreen
from nosis.tui.memory.forms import HEIGHTS, WIDTHS
from nosis.tui.memory.receipts import toast_error
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import Refused, read

if TYPE_CHECKING:
    from nosis.memory import Memory

LIMIT = 50
_HINT = "Type a few words. Memories and messages of all sessions are searched."
_NONE = "Nothing fits these words."


class SearchScreen(Screen[str]):
    """Recall by hand. Gives back the id of a session to open, or None."""

    AUTO_FOCUS = "Input"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "again", "words", key_display="/", id="search.again"),
        Binding("o", "open", "open its session", id="search.open"),
        Binding("escape", "back", "back", key_display="esc", id="search.back"),
    ]

    class Found(Message):
        """What the search brought up."""

        def __init__(self, recall: Recall) -> None:
            super().__init__()
            self.recall = recall

    def __init__(self, memory: Memory, typed: str = "") -> None:
        super().__init__()
        self._memory = memory
        self._typed = typed

    def compose(self) -> ComposeResult:
        yield Static(Content("Search"), classes="screen-title", markup=False)
        yield Input(self._typed, placeholder="words", compact=True)
        yield Rows(drawing.hit_line)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self._search(self._typed)
        if self._typed:
            self.query_one(Rows).focus()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.query_one(Rows).focus()

    def _search(self, typed: str) -> None:
        memory, words = self._memory, typed.strip()
        if not words:
            self.query_one(Rows).show([], empty=_HINT)
            return
        read(self, "search", lambda: self.Found(memory.search(words, None, LIMIT)), delay=0.15)

    def on_search_screen_found(self, event: Found) -> None:
        hits = [*event.recall.hits, *event.recall.near_misses]
        self.query_one(Rows).show(hits, index=0, empty=event.recall.notice or _NONE)

    def on_refused(self, event: Refused) -> None:
        event.stop()
        toast_error(self.app, event)

    @on(Rows.Chosen)
    def _chosen(self) -> None:
        hit = self.query_one(Rows).item
        if hit and hit.entry.kind is Kind.FACT:
            self.app.push_screen(DetailScreen(self._memory, hit.entry))
        else:
            self.action_open()

    def action_open(self) -> None:
        hit = self.query_one(Rows).item
        if hit and hit.entry.session:
            self.dismiss(hit.entry.session)
        else:
            self.notify("This memory was not said in a session.", timeout=3)

    def action_again(self) -> None:
        self.query_one(Input).focus()

    def action_back(self) -> None:
        self.dismiss(None)
