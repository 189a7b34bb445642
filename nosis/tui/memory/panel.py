"""The recall panel: what this turn's search brought up, why, and what narrowly was not used."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from nosis.events import Recalled
from nosis.memory.types import Recollection
from nosis.tui.memory import words
from nosis.tui.memory.card import RecollectionCard
from nosis.tui.memory.receipts import toast, toast_error
from nosis.tui.memory.work import Changed, Refused, change

if TYPE_CHECKING:
    from nosis.memory import Memory

_WELCOME = "What each message brings to mind is shown here, with the reasons."
_KEYS = "p pin  m mute  f forget  u undo"


class RecallPanel(Vertical):
    """Live each turn: ``show(recalled)``. ``memory`` may be set once it is open.

    ``muted`` holds the ids that this conversation shall not recall; each change of it is
    announced by a Muted message, for the agent to follow.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "step(1)", show=False, id="memory.panel.down"),
        Binding("up,k", "step(-1)", show=False, id="memory.panel.up"),
        Binding("p", "pin", "pin", id="memory.panel.pin"),
        Binding("m", "mute", "mute", id="memory.panel.mute"),
        Binding("f", "forget", "forget", id="memory.panel.forget"),
        Binding("u", "undo", "undo", id="memory.panel.undo"),
    ]
    DEFAULT_CSS = """
    RecallPanel {
        width: 40;
        padding: 0;
        background: $surface;
        #recall-head { height: 2; padding: 0 2; }
        #recall-cards { height: 1fr; scrollbar-size-vertical: 1; }
        #recall-keys { height: 2; padding: 1 2 0 2; color: $text-muted; text-wrap: nowrap; }
        .recall-note { padding: 0 2; color: $text-muted; height: auto; margin-bottom: 1; }
        .recall-title { padding: 0 2; color: $text-muted; height: 1; margin-bottom: 1; }
    }
    """

    class Muted(Message):
        """A memory shall not be recalled in this conversation, or may be again."""

        def __init__(self, entry_id: str, muted: bool) -> None:
            super().__init__()
            self.entry_id = entry_id
            self.muted = muted

    def __init__(self, memory: Memory | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.memory = memory
        self.muted: set[str] = set()

    def compose(self) -> ComposeResult:
        yield Static(_head(None), id="recall-head", markup=False)
        with VerticalScroll(id="recall-cards", can_focus=False):
            yield Static(_WELCOME, classes="recall-note", markup=False)
        keys = Static(_KEYS, id="recall-keys", markup=False)
        keys.display = False
        yield keys

    async def clear(self) -> None:
        """Show what the panel is for: another conversation begins, with nothing muted."""
        self.muted = set()
        self.query_one("#recall-head", Static).update(_head(None))
        self.query_one("#recall-keys").display = False
        cards = self.query_one("#recall-cards", VerticalScroll)
        await cards.remove_children()
        await cards.mount(Static(_WELCOME, classes="recall-note", markup=False))

    async def show(self, recalled: Recalled) -> None:
        """Replace what is shown by this turn's recall."""
        self.query_one("#recall-head", Static).update(_head(recalled))
        cards = self.query_one("#recall-cards", VerticalScroll)
        had_focus = self.has_focus_within
        shown: list[Static | RecollectionCard] = []
        if recalled.notice:
            shown.append(Static(words.line(recalled.notice), classes="recall-note", markup=False))
        if note := _nothing(recalled):
            shown.append(Static(note, classes="recall-note", markup=False))
        shown += [self._card(hit, used=True) for hit in recalled.recollections]
        if recalled.near_misses:
            shown.append(Static("near misses, not used", classes="recall-title", markup=False))
            shown += [self._card(hit, used=False) for hit in recalled.near_misses]
        with self.app.batch_update():
            await cards.remove_children()
            await cards.mount_all(shown)
            keys = bool(recalled.recollections or recalled.near_misses)
            self.query_one("#recall-keys").display = keys
        cards.scroll_home(animate=False)
        if had_focus:
            self.focus_first()

    def focus_first(self) -> None:
        """Put the cursor on the best recollection, if there is one."""
        for card in self.query(RecollectionCard):
            card.focus()
            return

    @property
    def focused_card(self) -> RecollectionCard | None:
        focused = self.screen.focused
        return focused if isinstance(focused, RecollectionCard) else None

    def action_step(self, step: int) -> None:
        cards = list(self.query(RecollectionCard))
        if card := self.focused_card:
            cards[min(max(cards.index(card) + step, 0), len(cards) - 1)].focus()

    def action_pin(self) -> None:
        if (card := self.focused_card) and (memory := self.memory):
            entry = card.hit.entry
            operation = memory.unpin if entry.pinned else memory.pin
            change(card, lambda: operation(entry.id))

    def action_forget(self) -> None:
        if (card := self.focused_card) and (memory := self.memory):
            entry_id = card.hit.entry.id
            change(card, lambda: memory.forget(entry_id))

    def action_undo(self) -> None:
        if memory := self.memory:
            change(self, memory.undo)

    def action_mute(self) -> None:
        if card := self.focused_card:
            entry_id = card.hit.entry.id
            card.muted = not card.muted
            (self.muted.add if card.muted else self.muted.discard)(entry_id)
            self.post_message(self.Muted(entry_id, card.muted))

    def on_changed(self, event: Changed) -> None:
        """Toast the receipts, and draw the memories that they name as they are now."""
        for receipt in event.receipts:
            toast(self.app, receipt)
        for card in self.query(RecollectionCard):
            if self.memory and card.hit.entry.id in {r.id for r in event.receipts}:
                card.reload(self.memory)

    def on_refused(self, event: Refused) -> None:
        event.stop()
        toast_error(self.app, event)

    def _card(self, hit: Recollection, *, used: bool) -> RecollectionCard:
        card = RecollectionCard(hit, used=used, now=self.memory.clock() if self.memory else None)
        card.muted = hit.entry.id in self.muted
        return card


def _head(recalled: Recalled | None) -> Content:
    count = "" if recalled is None else f"{len(recalled.recollections)} used"
    tokens = f" · {words.plural(recalled.tokens, 'token')}" if recalled and recalled.tokens else ""
    return Content.assemble(("Recall", "bold"), (f"  {count}{tokens}", "$foreground-muted"))


def _nothing(recalled: Recalled) -> str:
    """What to say where no memory fits the message."""
    if recalled.recollections:
        found = any(hit.score for hit in recalled.recollections)
        return "" if found else "Nothing fits this message; what is most important stands in."
    best = max((hit.score for hit in recalled.near_misses), default=None)
    near = "" if best is None else f" The nearest scored {best:.2f}, below the floor."
    return f"Nothing fits this message; 0 injected.{near} Core memory is always in the prompt."
