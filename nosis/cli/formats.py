"""What a turn's events become on stdout and stderr, in the three output formats."""

from __future__ import annotations

from typing import Protocol

from nosis.cli import output, shown
from nosis.events import (
    MemoryChanged,
    Notice,
    Recalled,
    TextDelta,
    TurnDone,
    TurnEvent,
    TurnFailed,
)


class Format(Protocol):
    """Shows the events of one turn in order."""

    def show(self, event: TurnEvent) -> None: ...


class Text:
    """The answer as it comes, ending in one newline; receipts and notices on stderr."""

    def __init__(self) -> None:
        self._held = ""  # white space that is shown only when more text follows
        self._begun = False

    def show(self, event: TurnEvent) -> None:
        match event:
            case TextDelta(text):
                self._add(text)
            case MemoryChanged(receipt):
                self._end()
                output.note(f"memory: {shown.receipt_line(receipt)}")
            case Notice(message, hint):
                self._end()
                output.notice(message, hint)
            case TurnDone():
                self._end()
                if not event.receipts:
                    output.note("memory: 0 memories saved")
            case TurnFailed():
                self._end()

    def _add(self, text: str) -> None:
        text = self._held + text
        if not self._begun:
            text = text.lstrip()
        shown = text.rstrip()
        self._held = text[len(shown) :]
        if shown:
            output.piece(shown)
            self._begun = True

    def _end(self) -> None:
        if self._begun:
            output.piece("\n")
        self._begun, self._held = False, ""


class Json:
    """One JSON object at the end; notices on stderr."""

    def show(self, event: TurnEvent) -> None:
        match event:
            case Notice(message, hint):
                output.notice(message, hint)
            case TurnDone():
                output.data(event.to_json())


class StreamJson:
    """Each event as one line of JSON, at once."""

    def show(self, event: TurnEvent) -> None:
        output.data(event.to_json(), indent=None)


def chosen(name: str) -> Format:
    """The format of this name."""
    formats: dict[str, type[Format]] = {"text": Text, "json": Json, "stream-json": StreamJson}
    return formats[name]()


def explain(recalled: Recalled) -> None:
    """Say on stderr which memories went into the prompt, and which narrowly did not."""
    count, near = len(recalled.recollections), len(recalled.near_misses)
    plural = "memory" if count == 1 else "memories"
    below = f", {near} below the floor" if near else ""
    output.note(f"recalled: {count} {plural}, {recalled.tokens} tokens{below}")
    for hit in recalled.recollections:
        output.note(f"recalled: {shown.reasoned(hit)}")
    for hit in recalled.near_misses:
        output.note(f"not recalled: {shown.reasoned(hit)}")
    if recalled.notice:
        output.notice(recalled.notice)
