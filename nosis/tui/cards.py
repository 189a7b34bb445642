"""Cards: what nosis itself says in the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message as Posted
from textual.widgets import Static

from nosis.memory.types import Receipt
from nosis.tui.text import content

if TYPE_CHECKING:
    from nosis.memory import Memory


class Card(Vertical):
    """A titled note between the messages."""

    def __init__(self, title: str, body: str | Content = "", *, kind: str = "info") -> None:
        super().__init__(classes=f"card -{kind}")
        self._title = title
        self._body = body

    def compose(self) -> ComposeResult:
        yield Static(content(self._title), classes="title", markup=False)
        if self._body:
            body = content(self._body) if isinstance(self._body, str) else self._body
            yield Static(body, classes="text", markup=False)


class Receipts(Vertical):
    """What a command did to memory, a line each, and the way back."""

    def __init__(self, memory: Memory, receipts: Sequence[Receipt]) -> None:
        from nosis.tui.memory.receipts import ReceiptLine, way_back

        super().__init__(*(ReceiptLine(memory, receipt) for receipt in receipts))
        self._way = way_back(receipts)

    def compose(self) -> ComposeResult:
        if self._way:
            yield Static(self._way, classes="note", markup=False)


class ErrorCard(Card, can_focus=True):
    """A failure: what happened, what helps, and a way to try again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,enter", "retry", "retry", id="error.retry"),
        Binding("up,k", "app.focus_previous", "previous", id="error.previous"),
        Binding("down,j", "app.focus_next", "next", id="error.next"),
    ]

    class Retry(Posted):
        """Try again what failed."""

        def __init__(self, card: ErrorCard) -> None:
            super().__init__()
            self.card = card

    def __init__(self, message: str, hint: str = "", *, retry: str = "") -> None:
        super().__init__(message, hint, kind="error")
        self._retry = retry

    def compose(self) -> ComposeResult:
        yield from super().compose()
        if self._retry:
            yield Static(content(self._retry), classes="retry", markup=False)

    def on_click(self) -> None:
        self.action_retry()

    def action_retry(self) -> None:
        if self._retry:
            self.post_message(self.Retry(self))
