"""The core tab: the few fields that are in every prompt, and how full they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from nosis.memory import core as core_memory
from nosis.memory.types import CoreMemory, Receipt
from nosis.tui.memory import drawing, words
from nosis.tui.memory.forms import CoreDraft, CoreForm
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from nosis.memory import Memory

_EMPTY = (
    "Core memory is empty. It holds what every answer should know: your name, role, company "
    "and preferences. Say them in the chat, or press a to add one."
)


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a field; ``first`` where the field's name is to be shown."""

    field: str
    text: str
    first: bool


class CorePane(Pane):
    """Fields and their values, one line each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "add", id="memory.core.add"),
        Binding("e,enter", "edit", "edit", id="memory.core.edit"),
        Binding("f,delete", "remove", "remove", id="memory.core.remove"),
    ]
    DEFAULT_CSS = """
    CorePane {
        #core-room { height: 1; padding: 0 3; margin-bottom: 1; }
        #core-full { height: auto; max-height: 6; padding: 0 3; color: $text-muted; }
    }
    """

    class Loaded(Message):
        """Core memory."""

        def __init__(self, core: CoreMemory) -> None:
            super().__init__()
            self.core = core

    def __init__(self, memory: Memory, *, id: str = "core") -> None:
        super().__init__(memory, id=id)
        self._core: CoreMemory = {}

    def compose(self) -> ComposeResult:
        yield Static(id="core-room", markup=False)
        yield Rows(_value_line, id="core-list")
        yield Static(id="core-full", markup=False)

    @property
    def value(self) -> Value | None:
        item: Value | None = self.query_one(Rows).item
        return item

    def enter(self) -> None:
        self.query_one(Rows).focus()

    def reload(self) -> None:
        past, memory = self.past, self.memory
        read(self, "core", lambda: self.Loaded(past.core if past else memory.core()))

    def on_core_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        self._core = event.core
        values = [
            Value(field, text, number == 0)
            for field in event.core
            for number, text in enumerate(core_memory.values(event.core, field))
        ]
        empty = _EMPTY if self.past is None else "Core memory was empty then."
        self.query_one(Rows).show(values, empty=empty)
        used, most = core_memory.size(event.core), core_memory.MAX_BYTES
        room = Content.assemble(
            drawing.bar(used / most, 16, "$primary" if used < most * 0.9 else "$warning"),
            (f"  {used:,} of {most:,} bytes, in every prompt", "$foreground-muted"),
        )
        self.query_one("#core-room", Static).update(room)

    @on(Rows.Moved, "#core-list")
    def _moved(self) -> None:
        value = self.value
        self.query_one("#core-full", Static).update(
            Content(words.line(value.text)) if value and len(value.text) > 40 else Content("")
        )
        self.refresh_bindings()

    @on(Rows.Chosen, "#core-list")
    def _chosen(self) -> None:
        if self.past is None:
            self.action_edit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("edit", "remove") and (not self.is_mounted or self.value is None):
            return False
        return super().check_action(action, parameters)

    def action_add(self) -> None:
        self.app.push_screen(CoreForm(self._core), self._save)

    def action_edit(self) -> None:
        if not (value := self.value):
            return

        def edited(draft: CoreDraft | None) -> None:
            if draft:
                held = self._core.get(value.field)
                if isinstance(held, list):
                    items = [draft.value if item == value.text else item for item in held]
                    self.change(lambda: self.memory.core_set(value.field, items))
                else:
                    self.change(lambda: self.memory.core_set(value.field, draft.value))

        self.app.push_screen(CoreForm(self._core, value.field, value.text), edited)

    def action_remove(self) -> None:
        if value := self.value:
            many = isinstance(self._core.get(value.field), list)
            self.change(lambda: self.memory.core_remove(value.field, value.text if many else None))

    def _save(self, draft: CoreDraft | None) -> None:
        if draft:

            def save() -> Receipt:
                if draft.add:
                    return self.memory.core_append(draft.field, draft.value)
                return self.memory.core_set(draft.field, draft.value)

            self.change(save)


def _value_line(value: Value, width: int) -> Content:
    label = words.line(value.field) if value.first else ""
    room = max(width - 18, 8)
    text = Content(words.line(value.text)).truncate(room, ellipsis=True, pad=True)
    field = Content.styled(label, "$text-primary").truncate(13, ellipsis=True, pad=True)
    return Content.assemble("   ", field, "  ", text)
