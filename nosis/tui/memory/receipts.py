"""Receipts on the screen: a line for each change that the store really has, and a toast for those
that no command of the user's asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from nosis.errors import UsageError
from nosis.memory.types import Outcome, Receipt
from nosis.tui.memory import drawing, words
from nosis.tui.memory.work import Changed, Refused, change

if TYPE_CHECKING:
    from nosis.memory import Memory

_MARKS = {
    Outcome.STORED: ("+", "$text-success", ""),
    Outcome.DUPLICATE: ("=", "$foreground-muted", "known already: "),
    Outcome.SUPERSEDED: ("~", "$text-accent", ""),
    Outcome.CORE_UPDATED: ("~", "$text-accent", ""),
    Outcome.UPDATED: ("~", "$text-accent", ""),
    Outcome.FORGOTTEN: ("−", "$text-error", "forgotten: "),
    Outcome.RESTORED: ("+", "$text-success", "restored: "),
    Outcome.PINNED: (drawing.PIN, "$text-warning", "pinned: "),
    Outcome.UNPINNED: ("☆", "$foreground-muted", "unpinned: "),
    Outcome.PURGED: ("×", "$text-error", "purged from every file"),
    Outcome.PENDING: ("?", "$text-warning", "waits for you: "),
    Outcome.REJECTED: ("×", "$foreground-muted", "rejected: "),
    Outcome.UNDONE: ("↶", "$foreground-muted", "undone: "),
}
_FINAL = (Outcome.DUPLICATE, Outcome.PURGED, Outcome.UNDONE)


def receipt_content(receipt: Receipt) -> Content:
    """One line for a receipt: a mark, what happened, and the words, as a diff if they changed."""
    mark, colour, verb = _MARKS[receipt.outcome]
    field = f"{words.line(receipt.field)}: " if receipt.field else ""
    if receipt.outcome is Outcome.PURGED:
        said = Content("")
    elif receipt.previous:
        said = drawing.diff(receipt.previous, receipt.text)
    else:
        said = Content(words.line(receipt.text))
        if receipt.outcome is Outcome.CORE_UPDATED:
            mark, colour = "+", "$text-success"
    parts: list[Any] = [(mark, colour), " ", (verb + field, "$foreground-muted"), said]
    if receipt.reason:
        parts.append((f" · {words.line(receipt.reason)}", "$foreground-muted"))
    return Content.assemble(*parts)


def undoable(receipt: Receipt) -> bool:
    """Whether ``undo_receipt`` can take the change back."""
    return receipt.op is not None and receipt.outcome not in _FINAL


def way_back(receipts: Iterable[Receipt], way: str = "/undo") -> str:
    """How the user decides on these changes or takes them back; empty: there is nothing to."""
    receipts = list(receipts)
    if any(receipt.outcome is Outcome.PENDING for receipt in receipts):
        return "f2 to decide"
    return way if any(map(undoable, receipts)) else ""


def toast(app: App[Any], receipt: Receipt) -> None:
    """Show a receipt for a few seconds, with the way to take it back.

    ``u`` is the way where no text is being typed, else ``/undo``.
    """
    typing = isinstance(app.focused, Input | TextArea)
    way = way_back([receipt], "/undo" if typing else "u to undo")
    message = receipt_content(receipt).plain + (f" · {way}" if way else "")
    severity = "warning" if receipt.outcome is Outcome.PENDING else "information"
    app.notify(message, severity=severity, timeout=6, markup=False)  # type: ignore[arg-type]


def toast_error(app: App[Any], error: Refused) -> None:
    """Say what failed, and the way out."""
    failed = error.error
    app.notify(
        words.line(failed.hint), title=words.line(failed.message), severity="error", markup=False
    )


def undo_receipt(memory: Memory, receipt: Receipt) -> list[Receipt]:
    """Take a change back, if nothing was changed since.

    Raises:
        UsageError: a newer change stands above it, or it cannot be undone.
    """
    if not undoable(receipt):
        raise UsageError("this cannot be undone", "Nothing was changed, or it is gone for good.")
    if memory.store.last_op(memory.agent) != receipt.op:
        raise UsageError(
            "memory has changed since, or this is undone already",
            "Undo the newer changes first, or change the fact in the browser (f2).",
        )
    return memory.undo()


class ReceiptLine(Static, can_focus=True):
    """A receipt in the conversation; ``u`` undoes the operation that it belongs to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "undo this", id="memory.receipt.undo"),
    ]
    DEFAULT_CSS = """
    ReceiptLine {
        height: auto;
        padding: 0 1;
        color: $text-muted;
        &:focus { background: $primary 22%; }
        &.-undone { text-style: dim; }
    }
    """

    def __init__(self, memory: Memory, receipt: Receipt) -> None:
        super().__init__(receipt_content(receipt), markup=False)
        self.memory = memory
        self.receipt = receipt
        self.undone = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "undo" or (undoable(self.receipt) and not self.undone)

    def action_undo(self) -> None:
        change(self, lambda: undo_receipt(self.memory, self.receipt))

    def on_changed(self, event: Changed) -> None:
        if self.receipt.op:
            mark_undone(self, self.receipt.op)

    def on_refused(self, event: Refused) -> None:
        event.stop()
        toast_error(self.app, event)

    def show_undone(self) -> None:
        self.undone = True
        self.add_class("-undone")
        self.update(
            Content.assemble(receipt_content(self.receipt), (" · undone", "$foreground-muted"))
        )
        self.refresh_bindings()


def mark_undone(widget: Widget, op: str) -> None:
    """Show every receipt of an undone operation on this screen as undone."""
    for shown in widget.screen.query(ReceiptLine):
        if shown.receipt.op == op:
            shown.show_undone()
