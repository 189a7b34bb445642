"""Memory blocks, so its calls run in threads: what comes back is a message to the widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from nosis.errors import NosisError
from nosis.memory.types import Receipt


class Changed(Message):
    """Memory was changed; the receipts prove it. Bubbles, so that any screen can follow."""

    def __init__(self, receipts: tuple[Receipt, ...]) -> None:
        super().__init__()
        self.receipts = receipts


class Refused(Message):
    """A call failed; ``changing`` where it was to change memory, and may have in part."""

    def __init__(self, error: NosisError, changing: bool) -> None:
        super().__init__()
        self.error = error
        self.changing = changing


def read(
    widget: Widget, group: str, call: Callable[[], Message], *, delay: float = 0.0
) -> Worker[None]:
    """Run a blocking call in a thread and post the message it returns to the widget.

    A newer call of the same group replaces an older one, whose message is dropped.

    Args:
        delay: seconds to wait for a newer call first (typing).
    """

    def job() -> None:
        worker = get_current_worker()
        if delay and worker.cancelled_event.wait(delay):
            return
        message = _outcome(call, changing=False)
        if not worker.is_cancelled:
            widget.post_message(message)

    return widget.run_worker(
        job, group=f"memory-{group}", exclusive=True, thread=True, exit_on_error=False
    )


def change(widget: Widget, call: Callable[[], Receipt | list[Receipt]]) -> Worker[None]:
    """Run a memory operation in a thread and post Changed, or Refused, to the widget."""

    def changed() -> Message:
        receipts: Any = call()
        return Changed(tuple(receipts) if isinstance(receipts, list) else (receipts,))

    def job() -> None:
        widget.post_message(_outcome(changed, changing=True))

    return widget.run_worker(job, group="memory-change", thread=True, exit_on_error=False)


def _outcome(call: Callable[[], Message], *, changing: bool) -> Message:
    try:
        return call()
    except NosisError as error:
        return Refused(error, changing)
    except Exception as error:  # a fault of ours must be seen, not swallowed with its thread
        return Refused(
            NosisError(f"memory failed: {type(error).__name__}: {error}", "Run: nosis doctor"),
            changing,
        )
