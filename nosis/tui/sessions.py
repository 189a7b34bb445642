"""The sessions screen: list, search, rename, delete, resume."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from nosis.memory.store import SessionInfo
from nosis.tui.memory import words
from nosis.tui.memory.forms import HEIGHTS, WIDTHS, Ask, Confirm
from nosis.tui.memory.receipts import toast_error
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import Refused, read
from nosis.tui.text import one_line

if TYPE_CHECKING:
    from nosis.memory import Memory

_EMPTY = "No session yet. Write a message, and it becomes the first one."
_NONE = "No session has these words in its title or id."


class SessionsScreen(Screen[str]):
    """All conversations of the workspace, the most recent first.

    Gives back the id of the session to resume, or None.

    Args:
        current: id of the session that is open now.
    """

    AUTO_FOCUS = "Rows"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search", key_display="/", id="sessions.search"),
        Binding("r", "rename", "rename", id="sessions.rename"),
        Binding("d,delete", "delete", "delete", key_display="d", id="sessions.delete"),
        Binding("escape,q,ctrl+s", "back", "back", key_display="esc", id="sessions.back"),
    ]

    class Listed(Message):
        """The sessions as the store has them now."""

        def __init__(self, sessions: list[SessionInfo]) -> None:
            super().__init__()
            self.sessions = sessions

    def __init__(self, memory: Memory, current: str) -> None:
        super().__init__()
        self._memory = memory
        self._current = current
        self._sessions: list[SessionInfo] = []

    def compose(self) -> ComposeResult:
        yield Static(Content("Sessions"), classes="screen-title", markup=False)
        yield Input(placeholder="search titles", compact=True, id="sessions-search")
        yield Rows(self._line)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).display = False
        self._load()

    @property
    def session(self) -> SessionInfo | None:
        """The one under the cursor."""
        return self.query_one(Rows).item

    def on_sessions_screen_listed(self, event: Listed) -> None:
        self._sessions = event.sessions
        self._show()

    def on_refused(self, event: Refused) -> None:
        event.stop()
        toast_error(self.app, event)

    @on(Rows.Chosen)
    def _chosen(self) -> None:
        if self.session:
            self.dismiss(self.session.id)

    @on(Input.Changed)
    def _searched(self) -> None:
        self._show()

    @on(Input.Submitted)
    def _found(self) -> None:
        self.query_one(Rows).focus()

    def action_search(self) -> None:
        search = self.query_one(Input)
        search.display = True
        search.focus()

    def action_back(self) -> None:
        """Leave the search first, then the screen."""
        search = self.query_one(Input)
        if search.display:
            search.value = ""
            search.display = False
            self.query_one(Rows).focus()
        else:
            self.dismiss(None)

    def action_rename(self) -> None:
        session, memory = self.session, self._memory
        if session is None:
            return

        def named(title: str | None) -> None:
            if title:
                self._change(lambda: memory.rename_session(session.id, title))

        self.app.push_screen(Ask("Rename the session", value=words.line(session.title)), named)

    def action_delete(self) -> None:
        session, memory = self.session, self._memory
        if session is None:
            return
        if session.id == self._current:
            self.notify("This session is open; start a new one first (ctrl+n).", timeout=4)
            return

        def sure(yes: bool | None) -> None:
            if yes:
                self._change(lambda: memory.delete_session(session.id))

        lines = [
            one_line(session.title, 120),
            "",
            "It leaves this list. What was said stays in memory; purge removes words for good.",
        ]
        self.app.push_screen(Confirm("Delete this session?", lines), sure)

    def _change(self, change: object) -> None:
        def changed() -> Message:
            change()  # type: ignore[operator]
            return self.Listed(self._memory.sessions())

        read(self, "sessions", changed)

    def _load(self) -> None:
        read(self, "sessions", lambda: self.Listed(self._memory.sessions()))

    def _show(self) -> None:
        typed = self.query_one(Input).value.casefold().split()
        fits = [
            s
            for s in self._sessions
            if all(word in f"{s.title} {s.id}".casefold() for word in typed)
        ]
        self.query_one(Rows).show(fits, empty=_NONE if typed else _EMPTY)

    def _line(self, session: SessionInfo, width: int) -> Content:
        """Title, then what there is room for: turns, age, id."""
        now = self._memory.clock()
        right: list[str] = []
        if width >= 48:
            right.append(f"{words.plural(session.turns, 'turn'):>9}")
        if width >= 34:
            right.append(f"{words.ago(session.updated_at, now):>14}")
        if width >= 76:
            right.append(f"{session.id:>9}")
        end = Content.styled("  ".join(["", *right]), "$foreground-muted")
        room = width - 4 - end.cell_length
        title = words.line(session.title) or "(no title)"
        mark = Content.styled("  open", "$text-primary") if session.id == self._current else ""
        start = Content.assemble("   ", title, mark).truncate(room, ellipsis=True)
        return Content.assemble(start, " " * (room - start.cell_length), end)
