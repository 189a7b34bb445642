"""What a turn tells its reader, in order: one closed union of small frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nosis.memory.types import Receipt, Recollection


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one turn; ``estimated`` where the server reported none."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    cost_usd: float | None = None  # None: no price known for the model
    estimated: bool = False

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Recalled:
    """The memories that go into this turn's prompt, and those that narrowly did not."""

    recollections: tuple[Recollection, ...]
    near_misses: tuple[Recollection, ...] = ()
    tokens: int = 0
    notice: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "type": "recalled",
            "recalled": [hit.to_json() for hit in self.recollections],
            "near_misses": [hit.to_json() for hit in self.near_misses],
            "tokens": self.tokens,
            "notice": self.notice,
        }


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the visible answer; never any directive text."""

    text: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "text", "text": self.text}


@dataclass(frozen=True, slots=True)
class Thinking:
    """The model is reasoning; the text may be shown, and is never stored."""

    text: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "thinking", "text": self.text}


@dataclass(frozen=True, slots=True)
class MemoryChanged:
    """One receipt of this turn."""

    receipt: Receipt

    def to_json(self) -> dict[str, Any]:
        return {"type": "memory", "receipt": self.receipt.to_json()}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know that does not stop the turn."""

    message: str
    hint: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"type": "notice", "message": self.message, "hint": self.hint}


@dataclass(frozen=True, slots=True)
class TurnDone:
    """The turn is over and archived."""

    answer: str
    session: str
    turn: str
    model: str
    usage: Usage
    recalled: tuple[Recollection, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    stopped: str | None = None  # why the answer is incomplete: "length", "cancelled", "dropped"

    def to_json(self) -> dict[str, Any]:
        return {
            "type": "done",
            "answer": self.answer,
            "session": self.session,
            "recalled": [hit.to_json() for hit in self.recalled],
            "memory": [receipt.to_json() for receipt in self.receipts],
            "usage": self.usage.to_json(),
            "model": self.model,
            "stopped": self.stopped,
        }


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn gave no usable answer; nothing of it is in history."""

    message: str
    hint: str
    exit_code: int
    partial: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "type": "failed",
            "error": self.message,
            "hint": self.hint,
            "exit_code": self.exit_code,
            "partial": self.partial,
        }


TurnEvent = Recalled | TextDelta | Thinking | MemoryChanged | Notice | TurnDone | TurnFailed
