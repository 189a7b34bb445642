"""All that is known of one memory: its words, where it comes from, what happened to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from nosis.memory.types import Entry
from nosis.tui.memory import drawing, words
from nosis.tui.memory.happenings import Happening, happenings
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from nosis.memory import Memory


class EntryDetail(VerticalScroll):
    """``show(entry)`` draws a memory at once and its history as soon as it is read."""

    DEFAULT_CSS = """
    EntryDetail {
        padding: 0 2;
        scrollbar-size-vertical: 1;
        & > Static { height: auto; width: 1fr; margin-bottom: 1; }
        .detail-history { margin-bottom: 0; }
    }
    """

    class HistoryLoaded(Message):
        """What happened to the memory that is shown."""

        def __init__(self, entry_id: str, history: tuple[Happening, ...]) -> None:
            super().__init__()
            self.entry_id = entry_id
            self.history = history

    def __init__(self, memory: Memory, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self.memory = memory
        self.entry: Entry | None = None

    def compose(self) -> ComposeResult:
        yield Static(classes="detail-words", markup=False)
        yield Static(classes="detail-about", markup=False)
        yield Static(classes="detail-history", markup=False)

    def show(self, entry: Entry | None, *, until: float | None = None) -> None:
        """Show a memory, or nothing.

        Args:
            until: history is told up to this moment only.
        """
        self.entry = entry
        text, about, history = self.query(Static)
        history.update("")
        if entry is None:
            text.update("")
            about.update("")
            return
        text.update(Content(words.paragraph(entry.text).strip()))
        about.update(drawing.table(drawing.facts_about(entry, until or self.memory.clock())))
        self.scroll_home(animate=False)
        entry_id, memory = entry.id, self.memory

        def load() -> Message:
            told = happenings(memory.history(entry_id), about=entry_id)
            past = tuple(h for h in told if until is None or h.at <= until)
            return self.HistoryLoaded(entry_id, past)

        read(self, "history", load, delay=0.08)

    def on_entry_detail_history_loaded(self, event: HistoryLoaded) -> None:
        event.stop()
        if self.entry and event.entry_id == self.entry.id:
            self.query_one(".detail-history", Static).update(_history(event.history))


def _history(told: tuple[Happening, ...]) -> Content:
    lines = [Content.styled("history", "$foreground-muted")]
    for happening in told:
        who = f"  {happening.agent}" if happening.agent else ""
        lines.append(
            Content.assemble(
                (words.day(happening.at) + "  ", "$foreground-muted"),
                happening.text,
                (who, "$foreground-muted"),
            )
        )
    return Content("\n").join(lines)


class Sheet(ModalScreen[None]):
    """One scrollable text over the rest; escape puts it away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "close", "close", id="memory.sheet.close"),
        Binding("up,k", "scroll(-1)", show=False, id="memory.sheet.up"),
        Binding("down,j", "scroll(1)", show=False, id="memory.sheet.down"),
    ]
    DEFAULT_CSS = """
    Sheet {
        align: center middle;
        background: $background 60%;
        & > VerticalScroll {
            width: 84;
            max-width: 100%;
            height: auto;
            max-height: 90%;
            padding: 1 2;
            background: $surface;
            border: round $primary 60%;
            border-title-color: $text-primary;
            border-subtitle-color: $text-muted;
        }
        & > VerticalScroll > Static { height: auto; }
    }
    """

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class DetailScreen(Sheet):
    """A memory on the whole screen, for what the side pane cannot hold."""

    def __init__(self, memory: Memory, entry: Entry, *, until: float | None = None) -> None:
        super().__init__()
        self._memory, self._entry, self._until = memory, entry, until

    def compose(self) -> ComposeResult:
        detail = EntryDetail(self._memory)
        detail.border_subtitle = "esc close"
        yield detail

    def on_mount(self) -> None:
        detail = self.query_one(EntryDetail)
        detail.show(self._entry, until=self._until)
        detail.focus()


def key_list(screen: Screen[Any]) -> str:
    """The keys that do something now, one a line, as text for a PageScreen."""
    active: dict[str, list[str]] = {}
    for bound in screen.active_bindings.values():
        if bound.node is not screen.app and bound.binding.description and bound.enabled:
            keys = active.setdefault(bound.binding.description, [])
            keys.append(screen.app.get_key_display(bound.binding))
    return "\n".join(f"{' '.join(keys):<14}{what}" for what, keys in active.items())


class PageScreen(Sheet):
    """A page that nosis wrote: a day's log, or MEMORY.md, as plain text."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll() as scroll:
            scroll.border_title = Content(words.line(self._title))
            scroll.border_subtitle = "esc close"
            yield Static(Content(words.paragraph(self._text)))
