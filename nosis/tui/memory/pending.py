"""The inbox: facts that wait for the user's yes, with whose words they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message

from nosis.memory.types import Entry
from nosis.tui.memory import words
from nosis.tui.memory.detail import DetailScreen, EntryDetail
from nosis.tui.memory.forms import Confirm, FactDraft, FactForm
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from nosis.memory import Memory

_EMPTY = (
    "Nothing waits for you. Facts from pasted text, and facts that read like instructions, "
    "come here first; none of them is recalled before you accept it."
)


class PendingPane(Pane):
    """``y`` takes the fact under the cursor in, ``n`` refuses it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "accept", "accept", id="memory.pending.accept"),
        Binding("n", "reject", "reject", id="memory.pending.reject"),
        Binding("e", "edit", "edit", id="memory.pending.edit"),
        Binding("N", "reject_all", "reject all", id="memory.pending.reject-all"),
    ]

    class Loaded(Message):
        """The facts that wait."""

        def __init__(self, entries: list[Entry]) -> None:
            super().__init__()
            self.entries = entries

    def __init__(self, memory: Memory, *, id: str = "pending") -> None:
        super().__init__(memory, id=id)

    def compose(self) -> ComposeResult:
        with Container(classes="pane-body"):
            yield Rows(_pending_line, id="pending-list", classes="pane-list")
            yield EntryDetail(self.memory, classes="pane-detail")

    @property
    def entry(self) -> Entry | None:
        item: Entry | None = self.query_one(Rows).item
        return item

    def enter(self) -> None:
        self.query_one(Rows).focus()

    def reload(self) -> None:
        memory = self.memory
        read(self, "pending", lambda: self.Loaded(memory.pending()))

    def on_pending_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        self.query_one(Rows).show(event.entries, empty=_EMPTY)
        self.post_message(self.Titled("pending", len(event.entries)))

    @on(Rows.Moved, "#pending-list")
    def _moved(self) -> None:
        self.query_one(EntryDetail).show(self.entry)
        self.refresh_bindings()

    @on(Rows.Chosen, "#pending-list")
    def _chosen(self) -> None:
        if self.entry:
            self.app.push_screen(DetailScreen(self.memory, self.entry))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("accept", "reject", "edit", "reject_all"):
            return self.is_mounted and self.entry is not None
        return super().check_action(action, parameters)

    def action_accept(self) -> None:
        if entry := self.entry:
            self.change(lambda: self.memory.accept(entry.id))

    def action_reject(self) -> None:
        if entry := self.entry:
            self.change(lambda: self.memory.reject(entry.id))

    def action_edit(self) -> None:
        if not (entry := self.entry):
            return

        def edited(draft: FactDraft | None) -> None:
            if draft:
                self.change(
                    lambda: self.memory.update_memory(
                        entry.id, draft.text, draft.importance, draft.category
                    )
                )

        self.app.push_screen(FactForm(entry), edited)

    def action_reject_all(self) -> None:
        waiting = list(self.query_one(Rows).items)

        def confirmed(yes: bool | None) -> None:
            if yes:
                self.change(lambda: [self.memory.reject(entry.id) for entry in waiting])

        count = words.plural(len(waiting), "pending fact")
        self.app.push_screen(
            Confirm(f"Reject {count}?", ["They stay in history and can be restored."]), confirmed
        )


def _pending_line(entry: Entry, width: int) -> Content:
    """Whose words first, then the words, then why they wait."""
    origin, colour = words.ORIGINS[entry.origin]
    mark = Content.assemble(" ", ("● ", colour))
    if width >= 48:
        mark = Content.assemble(mark, Content.styled(origin, colour).truncate(15, pad=True))
    why = Content("")
    if width >= 72 and entry.reason:
        why = Content.styled(words.line(entry.reason), "$foreground-muted")
        why = why.truncate(width // 3, ellipsis=True)
    room = width - mark.cell_length - (why.cell_length + 3 if why else 1)
    text = Content(words.spoken(entry)).truncate(max(room, 1), ellipsis=True, pad=True)
    return Content.assemble(mark, text, "  " if why else "", why)
