"""The facts tab: every fact, searched as you type, and all that can be done with one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from nosis.memory.tokenizer import terms
from nosis.memory.types import Category, Entry, Filter, Kind, Recollection, Status
from nosis.tui.memory import drawing, words
from nosis.tui.memory.detail import DetailScreen, EntryDetail
from nosis.tui.memory.forms import Ask, Confirm, FactDraft, FactForm
from nosis.tui.memory.inputs import OneLine
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import Changed, read

if TYPE_CHECKING:
    from nosis.memory import Memory

T = TypeVar("T")
PAGE = 200  # facts read at first; as many again as there are each time the end comes near
FOUND = 50  # hits of a search
TYPING = 0.12  # seconds without a key before a search starts
_STATUSES = (Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN)
_ORDERS = ("newest", "importance", "oldest")


@dataclass(frozen=True, slots=True)
class View:
    """What the list shows."""

    query: str = ""
    status: Status = Status.LIVE
    category: Category | None = None
    order: str = "newest"
    limit: int = PAGE

    def where(self) -> Filter:
        return Filter((Kind.FACT,), (self.status,), category=self.category)


class FactsPane(Pane):
    """Search above, list, and the detail of the fact under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "add", id="memory.facts.add"),
        Binding("e", "edit", "edit", id="memory.facts.edit"),
        Binding("p", "pin", "pin", id="memory.facts.pin"),
        Binding("f,delete", "forget", "forget", id="memory.facts.forget"),
        Binding("r", "restore", "restore", id="memory.facts.restore"),
        Binding("slash", "search", "search", key_display="/", id="memory.facts.search"),
        Binding("i", "important", "importance", show=False, id="memory.facts.important"),
        Binding("x", "purge", "purge", id="memory.facts.purge"),
        Binding("t", "test", "test", show=False, id="memory.facts.test"),
        Binding("down", "list", show=False, id="memory.facts.list"),
        Binding("s", "status", "status", show=False, id="memory.facts.status"),
        Binding("c", "category", "category", show=False, id="memory.facts.category"),
        Binding("o", "order", "order", show=False, id="memory.facts.order"),
    ]
    READ_ONLY_ACTIONS = frozenset({"search", "list", "category", "order"})
    DEFAULT_CSS = """
    FactsPane {
        #facts-top { height: 1; margin: 0 0 1 2; }
        #facts-search { width: 2fr; }
        #facts-state { width: auto; max-width: 75%; padding: 0 1; color: $text-muted; }
    }
    """

    class Loaded(Message):
        """The facts of a view."""

        def __init__(
            self, view: View, items: list[Entry | Recollection], total: int, notice: str
        ) -> None:
            super().__init__()
            self.view, self.items, self.total, self.notice = view, items, total, notice

    def __init__(self, memory: Memory, *, id: str = "facts", entry: str | None = None) -> None:
        super().__init__(memory, id=id)
        self.view = View()
        self._wanted = entry  # the fact to put the cursor on once it is there
        self._total = 0
        self._adding = False

    def compose(self) -> ComposeResult:
        with Horizontal(id="facts-top"):
            yield OneLine(placeholder="/ search", id="facts-search", select_on_focus=False)
            yield Static(id="facts-state", markup=False)
        with Container(classes="pane-body"):
            yield Rows(_draw, id="facts-list", classes="pane-list")
            yield EntryDetail(self.memory, classes="pane-detail")

    @property
    def entry(self) -> Entry | None:
        """The fact under the cursor."""
        item = self.query_one(Rows).item
        return item.entry if isinstance(item, Recollection) else item

    def enter(self) -> None:
        self.query_one(Rows).focus()

    def leave(self) -> bool:
        search = self.query_one("#facts-search", OneLine)
        had = bool(search.value) or search.has_focus
        search.value = ""
        self.enter()
        return had

    def reload(self) -> None:
        self._load()

    def _load(self, delay: float = 0.0) -> None:
        view, past, memory, wanted = self.view, self.past, self.memory, self._wanted

        def load() -> Message:
            if past is not None:
                return self.Loaded(view, *_past_facts(view, past.facts))
            if not view.query:
                found: list[Entry | Recollection] = [
                    *memory.store.find(view.where(), view.limit, by=view.order)
                ]
                if wanted and all(_entry(item).id != wanted for item in found):
                    found = [*memory.store.get([wanted]), *found]
                return self.Loaded(view, found, memory.store.count(view.where()), "")
            recall = memory.search(view.query, view.where(), FOUND)
            return self.Loaded(
                view,
                [*recall.hits, *recall.near_misses],
                len(recall.hits),
                _search_notice(recall.hits, recall.near_misses),
            )

        read(self, "facts", load, delay=delay)

    def on_facts_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        if replace(event.view, limit=0) != replace(self.view, limit=0):
            return
        rows = self.query_one(Rows)
        keep = self._wanted or (self.entry.id if self.entry else None)
        ids = [_entry(item).id for item in event.items]
        index = ids.index(keep) if keep in ids else None
        self._wanted = None
        self._total = event.total
        rows.show(event.items, index=index, empty=self._nothing())
        self._show_state(event.notice)
        if not event.view.query and self.view.status is Status.LIVE and not self.view.category:
            self.post_message(self.Titled("facts", event.total))

    def _show_state(self, notice: str = "") -> None:
        view = self.view
        count = words.plural(self._total, "match", "matches") if view.query else f"{self._total:,}"
        turns = [("s", view.status.value), ("c", view.category or "every category")]
        if not view.query:
            turns.append(("o", view.order))
        if self.size.width < 60:
            turns = []
        parts = [Content.assemble((f"{key} ", "$text-primary"), value) for key, value in turns]
        self.query_one("#facts-state", Static).update(
            Content("  ").join([*parts, Content(notice or count)])
        )

    def _nothing(self) -> str:
        if self.view.query:
            return f"Nothing matches “{words.line(self.view.query)}”."
        if self.past is not None:
            return "Nothing was recorded by then."
        if self.view.status is not Status.LIVE or self.view.category:
            return "No such facts. s changes the status shown, c the category."
        return "No facts yet. Tell nosis something worth keeping, or press a to add a fact."

    # -- what is shown ---------------------------------------------------------------------

    @on(Input.Changed, "#facts-search")
    def _typed(self, event: Input.Changed) -> None:
        self.view = replace(self.view, query=event.value.strip())
        self._load(TYPING)

    @on(Input.Submitted, "#facts-search")
    def _searched(self) -> None:
        self.enter()

    @on(Rows.Moved, "#facts-list")
    def _moved(self) -> None:
        self.query_one(EntryDetail).show(self.entry, until=self.past_until)
        self.refresh_bindings()

    @on(Rows.NearEnd, "#facts-list")
    def _more(self, event: Rows.NearEnd) -> None:
        loaded = len(event.rows.items)
        if self.past is None and not self.view.query and loaded >= self.view.limit < self._total:
            # Who went to the very end wants all of them.
            wanted = self._total if event.rows.index == loaded - 1 else self.view.limit * 2
            self.view = replace(self.view, limit=wanted)
            self._load()

    @on(Rows.Chosen, "#facts-list")
    def _chosen(self) -> None:
        if self.entry:
            self.app.push_screen(DetailScreen(self.memory, self.entry, until=self.past_until))

    def action_search(self) -> None:
        self.query_one("#facts-search").focus()

    def action_list(self) -> None:
        self.enter()

    def action_status(self) -> None:
        self._turn(status=_after(_STATUSES, self.view.status))

    def action_category(self) -> None:
        self._turn(category=_after((None, *Category), self.view.category))

    def action_order(self) -> None:
        self._turn(order=_after(_ORDERS, self.view.order))

    def _turn(self, **values: object) -> None:
        self.view = replace(self.view, limit=PAGE, **values)  # type: ignore[arg-type]
        self.query_one(Rows).index = 0
        self._load()

    # -- what can be done ------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        entry = self.entry if self.is_mounted else None
        gone = entry is not None and entry.status is not Status.LIVE
        if action in ("edit", "pin", "forget", "important", "test") and (entry is None or gone):
            return False
        if action == "restore" and not gone:
            return False
        if action == "purge" and entry is None:
            return False
        return super().check_action(action, parameters)

    def action_add(self) -> None:
        def added(draft: FactDraft | None) -> None:
            if draft:
                memory = self.memory
                self._adding = True
                self.change(lambda: memory.remember(draft.text, draft.importance, draft.category))

        self.app.push_screen(FactForm(), added)

    def on_changed(self, event: Changed) -> None:
        """Go to the fact that was added; the browser, which hears of it next, reads it in."""
        if self._adding and event.receipts and self.view.status is Status.LIVE:
            self._wanted = event.receipts[0].id
        self._adding = False

    def action_edit(self, focus: str = "fact-text") -> None:
        if not (entry := self.entry):
            return

        def edited(draft: FactDraft | None) -> None:
            if draft:
                memory, text = self.memory, draft.text
                unchanged = text == words.paragraph(entry.text).strip()
                self.change(
                    lambda: memory.update_memory(
                        entry.id,
                        None if unchanged else text,
                        # A pinned fact shows importance 1.0, which is not its own.
                        None if draft.importance == entry.importance else draft.importance,
                        draft.category,
                    )
                )

        self.app.push_screen(FactForm(entry, focus=focus), edited)

    def action_important(self) -> None:
        self.action_edit("fact-importance")

    def action_pin(self) -> None:
        if entry := self.entry:
            operation = self.memory.unpin if entry.pinned else self.memory.pin
            self.change(lambda: operation(entry.id))

    def action_forget(self) -> None:
        if entry := self.entry:
            self.change(lambda: self.memory.forget(entry.id))

    def action_restore(self) -> None:
        if entry := self.entry:
            self.change(lambda: self.memory.restore(entry.id))

    def action_purge(self) -> None:
        if not (entry := self.entry):
            return

        def confirmed(yes: bool | None) -> None:
            if yes:
                self.change(lambda: self.memory.purge(entry.id))

        lines = [
            words.line(entry.text),
            "",
            "Its words leave the journal, the index, the logs and MEMORY.md for good.",
            "This cannot be undone. To keep it in history, forget it instead (f).",
        ]
        self.app.push_screen(Confirm("Purge this fact?", lines), confirmed)

    def action_test(self) -> None:
        if not (entry := self.entry):
            return

        def asked(question: str | None) -> None:
            if question:
                self.post_message(self.TestWanted(question, entry.id))

        self.app.push_screen(
            Ask(
                "Recall test",
                hint="the question that must find it",
                about=words.line(entry.text),
            ),
            asked,
        )

    class TestWanted(Message):
        """A recall test shall be kept: this question must find this fact."""

        def __init__(self, question: str, entry_id: str) -> None:
            super().__init__()
            self.question, self.entry_id = question, entry_id


def _entry(item: Entry | Recollection) -> Entry:
    return item.entry if isinstance(item, Recollection) else item


def _draw(item: Entry | Recollection, width: int) -> Content:
    if isinstance(item, Recollection):
        return drawing.hit_line(item, width)
    return drawing.entry_line(item, width)


def _after(options: tuple[T, ...], current: T) -> T:
    return options[(options.index(current) + 1) % len(options)]


def _search_notice(hits: tuple[Recollection, ...], near: tuple[Recollection, ...]) -> str:
    if hits or not near:
        return ""
    return f"no match above the floor · best {max(hit.score for hit in near):.2f}"


def _past_facts(view: View, facts: list[Entry]) -> tuple[list[Entry | Recollection], int, str]:
    """A view of a moment's facts; words must occur, for the past has no index."""
    wanted = set(terms(view.query))
    found = [
        fact
        for fact in facts
        if (not view.category or fact.category is view.category)
        and (not view.query or (wanted and wanted <= set(terms(fact.text))))
    ]
    if view.order == "importance":
        found.sort(key=lambda fact: -fact.importance)
    elif view.order == "oldest":
        found.reverse()
    return list(found), len(found), ""
