"""One message of the conversation, as a widget that can be focused, copied and retried."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message as Posted
from textual.widgets import Static

from nosis.memory.text import clean
from nosis.memory.types import Entry
from nosis.tui.folding import Foldable
from nosis.tui.text import content

_CODE = re.compile(r"^[ ]*(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ ]*\1[ ]*$|\Z)", re.MULTILINE | re.DOTALL)


class ChatMessage(Foldable, can_focus=True):
    """Common to both sides: text, focus, keys."""

    FOCUS_ON_CLICK = False  # a click begins a selection; the prompt keeps the focus

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "copy", id="message.copy"),
        Binding("c", "copy_code", "copy code", id="message.copy_code"),
        Binding("r", "ask('retry')", "retry", id="message.retry"),
        Binding("e", "ask('edit')", "edit", id="message.edit"),
        Binding("up,k", "app.focus_previous", "previous", id="message.previous"),
        Binding("down,j", "app.focus_next", "next", id="message.next"),
    ]

    class Copied(Posted):
        """This text is wanted in the clipboard."""

        def __init__(self, text: str, what: str) -> None:
            super().__init__()
            self.text = text
            self.what = what

    class Asked(Posted):
        """Retry or edit this message."""

        def __init__(self, message: ChatMessage, what: Literal["retry", "edit"]) -> None:
            super().__init__()
            self.message = message
            self.what = what

    entry: str | None = None  # its id in the archive, if it was read from there
    turn: str | None = None  # id of its turn, if it was said now and is in the archive

    def shows(self, entry: Entry) -> bool:
        """Whether this is that archived message, or one of its turn."""
        return entry.id == self.entry or (self.turn is not None and entry.turn == self.turn)

    @property
    def text(self) -> str:
        """The message's own words."""
        raise NotImplementedError

    @property
    def code(self) -> str:
        """The contents of its code fences."""
        return "\n".join(match[2] for match in _CODE.finditer(self.text)).rstrip("\n")

    def action_copy(self) -> None:
        self.post_message(self.Copied(self.text, "message"))

    def action_copy_code(self) -> None:
        self.post_message(self.Copied(self.code, "code"))

    def action_ask(self, what: Literal["retry", "edit"]) -> None:
        self.post_message(self.Asked(self, what))


class UserMessage(ChatMessage):
    """What the user said, with a note while it waits or where it failed."""

    def __init__(self, text: str, material: str = "", *, note: str = "") -> None:
        super().__init__(classes="user")
        self._text = clean(text)
        self.material = material
        self._note = note

    @property
    def text(self) -> str:
        return self._text

    def compose(self) -> ComposeResult:
        yield Static(content(self._text), classes="words")
        yield Static(self._note, classes="note", markup=False)

    def on_mount(self) -> None:
        self.note(self._note)

    def note(self, note: str) -> None:
        """Say why nothing happens yet (empty: it does)."""
        self._note = note
        shown = self.query_one(".note", Static)
        shown.update(content(note))
        shown.display = bool(note)
