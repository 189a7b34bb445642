"""Why an answer says what it says: its memories, each beside the turn that it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static

from nosis.events import TurnDone
from nosis.memory.types import Entry, Kind, Origin, Recollection
from nosis.tui.memory import drawing, words
from nosis.tui.memory.detail import DetailScreen
from nosis.tui.memory.forms import HEIGHTS, WIDTHS
from nosis.tui.memory.receipts import receipt_content, toast, toast_error
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import Changed, Refused, change, read

if TYPE_CHECKING:
    from nosis.memory import Memory

AROUND = 2  # messages shown before and after those of the source turn
_NONE = (
    "No memory was used for this answer. It comes from the model, this conversation, and core "
    "memory, which is in every prompt."
)


@dataclass(frozen=True, slots=True)
class Source:
    """The messages around the turn that a memory came from; ``ids`` are those of the turn."""

    entry: Entry
    messages: tuple[Entry, ...]
    ids: frozenset[str]


def find_source(memory: Memory, entry: Entry) -> Source:
    """The conversation in which a memory was said; no messages where it came another way."""
    if not entry.session:
        return Source(entry, (), frozenset())
    messages = memory.conversation(entry.session)
    places = [n for n, m in enumerate(messages) if m.id == entry.id]
    if not places and entry.turn:
        places = [n for n, m in enumerate(messages) if m.turn == entry.turn]
    if not places:
        return Source(entry, (), frozenset())
    shown = messages[max(places[0] - AROUND, 0) : places[-1] + AROUND + 1]
    return Source(entry, tuple(shown), frozenset(messages[n].id for n in places))


class WhyScreen(Screen[None]):
    """The recollections of a turn on one side, where they come from on the other.

    Args:
        turn: the finished turn; its question is read from the archive.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "pin", "pin", id="memory.why.pin"),
        Binding("f,delete", "forget", "forget", id="memory.why.forget"),
        Binding("u", "undo", "undo", id="memory.why.undo"),
        Binding("escape,q", "close", "back", id="memory.why.close"),
        Binding("tab", "turn", "source", show=False, id="memory.why.source"),
    ]
    AUTO_FOCUS = "#why-list"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    WhyScreen {
        #why-head { height: auto; max-height: 4; padding: 0 3; margin-bottom: 1;
                    text-wrap: nowrap; text-overflow: ellipsis; }
        #why-body { height: 1fr; layout: horizontal; }
        #why-list { width: 1fr; }
        #why-source { width: 1fr; padding: 0 2; scrollbar-size-vertical: 1;
                      border-left: solid $foreground 10%; }
        #why-source > Static { height: auto; margin-bottom: 1; }
        .why-message { padding: 0 1; border-left: blank; }
        .why-message.-mine { border-left: outer $primary; }
        #why-source:focus { border-left: solid $primary; }
        #why-changed { height: auto; max-height: 4; padding: 0 3; color: $text-muted; }
    }
    WhyScreen.-normal, WhyScreen.-narrow {
        #why-body { layout: vertical; }
        #why-list { height: 1fr; min-height: 3; width: 1fr; }
        #why-source { height: 2fr; border-left: none; border-top: solid $foreground 10%; }
        #why-source:focus { border-left: none; border-top: solid $primary; }
    }
    WhyScreen.-short {
        #why-head { max-height: 1; margin-bottom: 0; }
        #why-changed { display: none; }
    }
    """

    class Loaded(Message):
        """Where the memory under the cursor comes from."""

        def __init__(self, source: Source) -> None:
            super().__init__()
            self.source = source

    class QuestionLoaded(Message):
        """What the user asked in this turn."""

        def __init__(self, question: str) -> None:
            super().__init__()
            self.question = question

    class Reread(Message):
        """The memories as they are after a change."""

        def __init__(self, hits: list[Recollection]) -> None:
            super().__init__()
            self.hits = hits

    def __init__(self, memory: Memory, turn: TurnDone) -> None:
        super().__init__()
        self.memory = memory
        self.turn = turn

    def compose(self) -> ComposeResult:
        yield Static(_head(self.turn, ""), id="why-head", markup=False)
        with Container(id="why-body"):
            yield Rows(drawing.hit_line, id="why-list")
            yield VerticalScroll(id="why-source")
        yield Static(_changed(self.turn), id="why-changed", markup=False)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one("#why-changed").display = bool(self.turn.receipts)
        self.query_one(Rows).show(list(self.turn.recalled), empty=_NONE)
        memory, turn = self.memory, self.turn

        def question() -> Message:
            said = memory.conversation(turn.session)
            asked = [m.text for m in said if m.turn == turn.turn and m.role == "user"]
            return self.QuestionLoaded(asked[0] if asked else "")

        read(self, "why-question", question)

    @property
    def entry(self) -> Entry | None:
        """The memory under the cursor."""
        hit = self.query_one(Rows).item
        return hit.entry if hit else None

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        memory, entry = self.memory, self.entry
        if entry:
            read(self, "why-source", lambda: self.Loaded(find_source(memory, entry)), delay=0.05)
        self.refresh_bindings()

    @on(Rows.Chosen)
    def _chosen(self) -> None:
        if self.entry:
            self.app.push_screen(DetailScreen(self.memory, self.entry))

    async def on_why_screen_loaded(self, event: Loaded) -> None:
        event.stop()
        hit = self.query_one(Rows).item
        if hit and hit.entry.id == event.source.entry.id:
            shown = self.query_one("#why-source", VerticalScroll)
            with self.app.batch_update():
                await shown.remove_children()
                await shown.mount_all(_told(hit, event.source))
            shown.scroll_home(animate=False)
            if mine := shown.query(".-mine"):
                self.call_after_refresh(shown.scroll_to_widget, mine.last(), animate=False)

    def on_why_screen_question_loaded(self, event: QuestionLoaded) -> None:
        event.stop()
        self.query_one("#why-head", Static).update(_head(self.turn, event.question))

    # -- changes -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("pin", "forget"):
            return self.is_mounted and self.entry is not None
        return True

    def action_pin(self) -> None:
        if entry := self.entry:
            operation = self.memory.unpin if entry.pinned else self.memory.pin
            change(self, lambda: operation(entry.id))

    def action_forget(self) -> None:
        if entry := self.entry:
            change(self, lambda: self.memory.forget(entry.id))

    def action_undo(self) -> None:
        change(self, self.memory.undo)

    def action_turn(self) -> None:
        self.query_one("#why-source" if self.query_one(Rows).has_focus else "#why-list").focus()

    def action_close(self) -> None:
        self.dismiss(None)

    def on_changed(self, event: Changed) -> None:
        for receipt in event.receipts:
            toast(self.app, receipt)
        memory, shown = self.memory, list(self.query_one(Rows).items)

        def reread() -> Message:
            now = {entry.id: entry for entry in memory.store.get([h.entry.id for h in shown])}
            return self.Reread(
                [
                    Recollection(now.get(h.entry.id, h.entry), h.score, h.parts, h.reasons)
                    for h in shown
                ]
            )

        read(self, "why-reread", reread)

    def on_why_screen_reread(self, event: Reread) -> None:
        event.stop()
        self.query_one(Rows).show(event.hits, empty=_NONE)

    def on_refused(self, event: Refused) -> None:
        event.stop()
        toast_error(self.app, event)


def _head(turn: TurnDone, question: str) -> Content:
    used = words.plural(len(turn.recalled), "memory", "memories")
    lines = [Content.assemble(("Why this answer", "bold"), (f"  {used}", "$foreground-muted"))]
    if question:
        lines.append(Content.assemble(("you    ", "$text-success"), words.line(question)[:300]))
    lines.append(Content.assemble(("nosis  ", "$text-primary"), words.line(turn.answer)[:300]))
    return Content("\n").join(lines)


def _changed(turn: TurnDone) -> Content:
    lines = [Content("this answer changed memory")]
    return Content("\n").join([*lines, *(receipt_content(receipt) for receipt in turn.receipts)])


def _told(hit: Recollection, source: Source) -> list[Static]:
    """A memory's reasons, then the messages around its source."""
    entry = source.entry
    why = " · ".join(words.line(reason) for reason in hit.reasons) or f"score {hit.score:.2f}"
    head = [
        Content(words.paragraph(entry.text).strip()),
        Content.styled(why, "$foreground-muted"),
        Content(""),
        _provenance(entry, bool(source.messages)),
    ]
    shown = [Static(Content("\n").join(head), classes="why-words")]
    for message in source.messages:
        mine = message.id in source.ids
        name, colour = message.speaker or "you", "$text-success"
        if message.role == "assistant":
            name, colour = "nosis", "$text-primary"
        text = words.line(message.text)
        if not mine and len(text) > 160:
            text = text[:159] + "…"
        content = Content.assemble(
            (words.line(name), colour if mine else "$foreground-muted"),
            "\n",
            (text, "" if mine else "$foreground-muted"),
        )
        shown.append(Static(content, classes="why-message -mine" if mine else "why-message"))
    return shown


def _provenance(entry: Entry, found: bool) -> Content:
    when = words.minute(entry.created_at)
    said, colour = words.ORIGINS[entry.origin]
    if found:
        how = f"from the conversation {words.line(entry.session or '')}"
    elif entry.kind is Kind.TURN or entry.session:
        how = "its conversation is not in the archive any more"
    elif entry.origin is Origin.USER:
        how = "added by hand, outside a conversation"
    else:
        how = "not from a conversation"
    return Content.assemble((said, colour), (f" · {when} · {how}", "$foreground-muted"))
