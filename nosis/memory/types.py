"""The values that memory is made of: entries, recollections, receipts, directives.

All are small and frozen. Times are POSIX seconds (UTC); scores and importance lie in 0-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Origin(StrEnum):
    """Whose words a memory holds."""

    USER = "user"
    ASSISTANT = "assistant"
    MATERIAL = "material"  # pasted, piped or read from a file
    IMPORT = "import"
    CURATOR = "curator"


class Status(StrEnum):
    """Whether a memory is current. Only live ones are ever recalled."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    PENDING = "pending"


class Kind(StrEnum):
    """What an entry is: a statement, or one message of a conversation."""

    FACT = "fact"
    TURN = "turn"


class Category(StrEnum):
    """The categories a fact may have; a fact without one is shown under "General"."""

    SECURITY = "security"
    DECISION = "decision"
    KNOWLEDGE = "knowledge"
    CONTACT = "contact"
    PROJECT = "project"
    EVENT = "event"
    PREFERENCE = "preference"


DEFAULT_IMPORTANCE = 0.5
CORE_FIELDS = ("name", "role", "company", "preference")

CoreMemory = dict[str, str | list[str]]
"""Field -> one value, or a list of values (``preference``). Fits one system prompt."""


# A named tuple, since a recall makes hundreds: a frozen dataclass takes four times as long.
class Entry(NamedTuple):
    """One archived memory: a fact, or one message (``role``) of a turn."""

    id: str
    kind: Kind
    text: str
    status: Status = Status.LIVE
    category: Category | None = None
    importance: float = DEFAULT_IMPORTANCE
    pinned: bool = False
    origin: Origin = Origin.USER
    role: str | None = None  # turns: "user" or "assistant"
    speaker: str | None = None
    field: str | None = None  # facts that mirror a field of core memory
    agent: str = ""
    session: str | None = None
    turn: str | None = None  # groups the two messages of a turn and the facts from it
    created_at: float = 0.0
    updated_at: float = 0.0
    accessed_at: float | None = None
    accesses: int = 0
    superseded_by: str | None = None
    reason: str | None = None  # why it is pending, or why it changed status
    external_id: str | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON-ready dict with ISO 8601 dates; empty optional fields are left out."""
        from nosis.memory.times import to_iso

        record: dict[str, Any] = {}
        for name, value in self._asdict().items():
            if value is not None and value != "":
                record[name] = to_iso(value) if name.endswith("_at") else value
        return record


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries count, applied before any limit. None means "any"."""

    kinds: tuple[Kind, ...] = (Kind.FACT, Kind.TURN)
    statuses: tuple[Status, ...] = (Status.LIVE,)
    category: Category | None = None
    min_importance: float | None = None
    max_importance: float | None = None
    since: float | None = None
    until: float | None = None
    session: str | None = None
    not_session: str | None = None  # its turns are in the prompt already; its facts still count
    pinned: bool | None = None
    core: bool | None = None  # whether it mirrors a value of core memory
    material_turns: bool = True  # False: without the answers to pasted or piped material

    def admits(self, entry: Entry) -> bool:
        """Whether one entry passes, as the stores decide it for all."""
        return (
            entry.kind in self.kinds
            and entry.status in self.statuses
            and self.category in (None, entry.category)
            and (self.min_importance is None or entry.importance >= self.min_importance)
            and (self.max_importance is None or entry.importance <= self.max_importance)
            and (self.since is None or entry.created_at >= self.since)
            and (self.until is None or entry.created_at <= self.until)
            and self.session in (None, entry.session)
            and not (
                entry.kind is Kind.TURN and entry.session and entry.session == self.not_session
            )
            and self.pinned in (None, entry.pinned)
            and self.core in (None, entry.field is not None)
            and (
                self.material_turns
                or entry.kind is not Kind.TURN
                or entry.origin is not Origin.MATERIAL
            )
        )


@dataclass(frozen=True, slots=True)
class Recollection:
    """One hit of a recall, with the parts of its score so that a screen can say why."""

    entry: Entry
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()  # short phrases for people: "words: dog", "pinned"
    begins: int = 0  # number of the term with which its best passage begins
    excerpt: str = ""  # that passage, where a prompt holds it for a long text
    workspace: str = ""  # the inherited workspace that it comes from; "" is the open one

    @property
    def shown(self) -> str:
        """What a prompt holds of it."""
        return self.excerpt or self.entry.text

    def to_json(self) -> dict[str, Any]:
        return {
            **self.entry.to_json(),
            **({"workspace": self.workspace} if self.workspace else {}),
            "score": round(self.score, 4),
            "parts": {name: round(value, 4) for name, value in self.parts.items()},
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True)
class Recall:
    """The outcome of one search: what is good enough, and what narrowly was not."""

    hits: tuple[Recollection, ...] = ()
    near_misses: tuple[Recollection, ...] = ()
    notice: str | None = None  # e.g. "words only: vectors come from another model"


class Outcome(StrEnum):
    """What filing did with one directive or operation."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"  # stored, and the entry in ``previous`` is history now
    CORE_UPDATED = "core updated"
    UPDATED = "updated"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    PURGED = "purged"
    PENDING = "pending"
    REJECTED = "rejected"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of what a memory operation did; it exists only if the store has it."""

    outcome: Outcome
    text: str
    id: str | None = None
    previous: str | None = None  # the words this replaced, for a diff
    field: str | None = None
    category: Category | None = None
    importance: float | None = None
    origin: Origin | None = None
    agent: str = ""
    op: str | None = None  # the operation, for undo
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {n: v for n in self.__slots__ if (v := getattr(self, n)) not in (None, "")}

    def line(self) -> str:
        """One line for people: the outcome and the fact's words."""
        where = f" {self.field}:" if self.field else ""
        return f"{self.outcome}{where} {self.words}"

    @property
    def words(self) -> str:
        """What it is about, for people: the words, those they replace, and why."""
        change = f" (was: {self.previous})" if self.previous else ""
        why = f" — {self.reason}" if self.reason else ""
        return f"{self.text}{change}{why}"


class DirectiveKind(StrEnum):
    """The three verbs of the directive grammar (design.md, section 4)."""

    UPDATE = "MEMORY_UPDATE"
    REPLACE = "MEMORY_REPLACE"
    FORGET = "MEMORY_FORGET"


@dataclass(frozen=True, slots=True)
class Directive:
    """One ``MEMORY_…:`` line of a reply, parsed. Untrusted: filing decides what becomes of it."""

    kind: DirectiveKind
    text: str = ""
    target: str | None = None  # REPLACE and FORGET: the id that the model was shown
    category: str | None = None  # as written; filing matches it to a Category
    importance: float | None = None  # within 0-1, or None where none or nonsense was written
