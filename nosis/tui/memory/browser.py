"""The memory browser: everything that a workspace holds, and all that can be done with it."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Footer, Static, Tab, Tabs

from nosis.memory.operations.time_travel import Knowledge
from nosis.memory.types import Filter, Kind, Status
from nosis.tui.memory import words
from nosis.tui.memory.checks import ChecksPane
from nosis.tui.memory.core import CorePane
from nosis.tui.memory.detail import PageScreen, key_list
from nosis.tui.memory.facts import FactsPane
from nosis.tui.memory.forms import HEIGHTS, WIDTHS, Ask
from nosis.tui.memory.history import HistoryPane
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.pending import PendingPane
from nosis.tui.memory.receipts import toast, toast_error
from nosis.tui.memory.timeline import TimelinePane
from nosis.tui.memory.transfer import Transfers
from nosis.tui.memory.work import Changed, Refused, change, read
from nosis.tui.progress import Progress

if TYPE_CHECKING:
    from nosis.memory import Memory

PANES: dict[str, type[Pane]] = {
    "core": CorePane,
    "facts": FactsPane,
    "pending": PendingPane,
    "history": HistoryPane,
    "timeline": TimelinePane,
    "tests": ChecksPane,
}
TABS = tuple(PANES)


class BrowserScreen(Transfers):
    """Core memory, facts, the pending inbox, history, timeline and recall tests.

    Args:
        tab: the one to open with, of ``TABS``.
        entry: id of a fact to put the cursor on (in the facts tab).
        as_of: a day or time; the browser then shows what memory knew at its end.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(n), f"tab('{name}')", name, show=False, id=f"memory.tab.{name}")
            for n, name in enumerate(TABS, 1)
        ),
        Binding("d", "travel", "date", id="memory.browser.date"),
        Binding("left_square_bracket", "step(-1)", "day before", id="memory.browser.day-before"),
        Binding("right_square_bracket", "step(1)", "day after", id="memory.browser.day-after"),
        Binding("u", "undo", "undo", id="memory.browser.undo"),
        Binding("v", "page", "MEMORY.md", show=False, id="memory.browser.page"),
        Binding("escape", "leave", "back", id="memory.browser.back"),
        Binding("f1,question_mark", "keys", "keys", show=False, id="memory.browser.keys"),
        Binding("f2", "close", "close", show=False, id="memory.browser.close"),
    ]
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    BrowserScreen {
        #browser-head { height: 1; padding: 0 3; }
        Tabs { padding: 0 2; }
        #browser-title { width: 1fr; }
        #browser-moment { width: auto; color: $text-warning; }
        #browser-panes { height: 1fr; }
        Progress { height: 1; padding: 0 3; }
        Pane { height: 1fr; padding-top: 1; }
    }
    BrowserScreen .pane-body { height: 1fr; layout: horizontal; }
    BrowserScreen .pane-list { width: 1fr; }
    BrowserScreen .pane-detail { width: 46; border-left: solid $foreground 10%; }
    BrowserScreen.-normal {
        .pane-body { layout: vertical; }
        .pane-detail { width: 1fr; height: 8; border-left: none;
                       border-top: solid $foreground 10%; }
    }
    BrowserScreen.-narrow .pane-detail, BrowserScreen.-short .pane-detail { display: none; }
    BrowserScreen.-short {
        Tabs { height: 1; }
        Pane { padding-top: 0; }
        #facts-top, #core-room, #checks-head { margin-bottom: 0; }
        #core-full { display: none; }
        .timeline-title { margin-top: 0; }
    }
    BrowserScreen.-narrow #timeline-scroll { padding: 0 1; }
    BrowserScreen.-wide #timeline-more { layout: horizontal; }
    """

    class Arrived(Message):
        """What memory knew at the moment that was asked for."""

        def __init__(self, when: float, knowledge: Knowledge) -> None:
            super().__init__()
            self.when, self.knowledge = when, knowledge

    class TestKept(Message):
        """A recall test was kept."""

    class PageLoaded(Message):
        """MEMORY.md."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self,
        memory: Memory,
        *,
        tab: str = "facts",
        entry: str | None = None,
        as_of: str | None = None,
    ) -> None:
        super().__init__(memory)
        self._tab = tab
        self._entry = entry
        self._as_of = as_of
        self._when: float | None = None
        self._knowledge: Knowledge | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="browser-head"):
            title = Content.assemble(
                ("Memory", "bold"), (f"  {words.line(self.memory.workspace)}", "$foreground-muted")
            )
            yield Static(title, id="browser-title")
            yield Static(id="browser-moment", markup=False)
        yield Tabs(
            *(Tab(_label(n, name), id=f"tab-{name}") for n, name in enumerate(TABS, 1)),
            active=f"tab-{self._tab}",
        )
        yield Container(id="browser-panes")
        yield Progress(id="browser-progress")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        if self._as_of:
            self._go_to(self._as_of)

    @property
    def pane(self) -> Pane | None:
        """The tab that is open."""
        panes = [pane for pane in self.query(Pane) if pane.display]
        return panes[0] if panes else None

    # -- tabs --------------------------------------------------------------------------------

    @on(Tabs.TabActivated)
    async def _activated(self, event: Tabs.TabActivated) -> None:
        name = (event.tab.id or "").removeprefix("tab-")
        for pane in self.query(Pane):
            pane.display = pane.id == name
        if not self.query(f"#{name}"):
            await self.query_one("#browser-panes").mount(self._new_pane(name))
        self.reload()
        if self.pane and not isinstance(self.focused, Tabs):
            self.pane.enter()

    def _new_pane(self, name: str) -> Pane:
        """A tab's content, made when the tab is opened for the first time."""
        if name == "facts":
            pane: Pane = FactsPane(self.memory, entry=self._entry)
        else:
            pane = PANES[name](self.memory, id=name)
        pane.past, pane.past_until = self._knowledge, self._when
        return pane

    @on(Pane.Titled)
    def _titled(self, event: Pane.Titled) -> None:
        label = _label(TABS.index(event.name) + 1, event.name, event.count)
        self.query_one(f"#tab-{event.name}", Tab).label = label

    def _count_pending(self) -> None:
        memory, where = self.memory, Filter((Kind.FACT,), (Status.PENDING,))
        read(self, "pending-count", lambda: Pane.Titled("pending", memory.store.count(where)))

    @on(FactsPane.TestWanted)
    def _test_wanted(self, event: FactsPane.TestWanted) -> None:
        memory = self.memory

        def add() -> Message:
            memory.recall_tests.add(event.question, event.entry_id)
            return self.TestKept()

        read(self, "tests-change", add)

    def on_browser_screen_test_kept(self) -> None:
        self.action_tab("tests")

    def action_tab(self, name: str) -> None:
        tabs = self.query_one(Tabs)
        self.set_focus(None)
        if tabs.active == f"tab-{name}":
            self.reload()
            if self.pane:
                self.pane.enter()
        tabs.active = f"tab-{name}"

    def reload(self) -> None:
        if self.pane:
            self.pane.reload()
        self._count_pending()

    # -- changes -----------------------------------------------------------------------------

    def on_changed(self, event: Changed) -> None:
        for receipt in event.receipts:
            toast(self.app, receipt)
        self.reload()

    def on_refused(self, event: Refused) -> None:
        event.stop()
        self.query_one(Progress).finish()
        toast_error(self.app, event)
        if event.changing:
            self.reload()

    def action_undo(self) -> None:
        change(self, self.memory.undo)

    # -- time travel -------------------------------------------------------------------------

    def action_travel(self) -> None:
        def asked(day: str | None) -> None:
            if day:
                self._go_to(day)

        today = words.day(self._when or self.memory.clock())
        self.app.push_screen(
            Ask(
                "What did memory know on…",
                value=today,
                hint="2026-11-30",
                about="A day (its end, UTC) or a time such as 2026-11-30T20:10.",
            ),
            asked,
        )

    def action_step(self, days: int) -> None:
        if self._when is not None:
            there = datetime.fromtimestamp(self._when, UTC).date() + timedelta(days=days)
            self._travel(_end_of(there))

    @on(TimelinePane.Travel)
    def _travel_to(self, event: TimelinePane.Travel) -> None:
        self._travel(event.when)
        self.action_tab("facts")

    def _go_to(self, day: str) -> None:
        memory = self.memory

        def go() -> Message:
            from nosis.memory.operations.time_travel import moment

            when = moment(day)
            return self.Arrived(when, memory.as_of(when))

        read(self, "travel", go)

    def _travel(self, when: float) -> None:
        memory = self.memory
        read(self, "travel", lambda: self.Arrived(when, memory.as_of(when)))

    def on_browser_screen_arrived(self, event: Arrived) -> None:
        event.stop()
        self._show_past(event.when, event.knowledge)

    def _show_past(self, when: float | None, knowledge: Knowledge | None) -> None:
        self._when, self._knowledge = when, knowledge
        shown = Content("")
        if when is not None:
            shown = Content.assemble((f"as of {words.day(when)}", "bold"), "  [ ] day  esc now")
        self.query_one("#browser-moment", Static).update(shown)
        self.set_class(when is not None, "-past")
        for pane in self.query(Pane):
            pane.past, pane.past_until = knowledge, when
        self.reload()
        self.refresh_bindings()

    # -- leaving -----------------------------------------------------------------------------

    def action_leave(self) -> None:
        if self.stop_transfer() or (self.pane and self.pane.leave()):
            return
        if self._when is not None:
            self._show_past(None, None)
        else:
            self.dismiss(None)

    def action_keys(self) -> None:
        self.app.push_screen(PageScreen("keys", key_list(self)))

    def action_close(self) -> None:
        self.dismiss(None)

    def action_page(self) -> None:
        memory = self.memory
        read(self, "page", lambda: self.PageLoaded(memory.read_memory()))

    def on_browser_screen_page_loaded(self, event: PageLoaded) -> None:
        event.stop()
        self.app.push_screen(PageScreen("MEMORY.md", event.text))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "step":
            return self._when is not None
        if action in ("undo", "import"):
            return self._when is None
        return True


def _end_of(day: date) -> float:
    return datetime.combine(day, time.max, UTC).timestamp()


def _label(number: int, name: str, count: int | None = None) -> Content:
    return Content.assemble(
        (f"{number} ", "$foreground-muted"),
        name.capitalize(),
        (f" {count:,}", "$foreground-muted") if count is not None else "",
    )
