"""The fold: what each event of the journal does to the state.

Pure, and the only place that knows the meaning of events: every store turns the changes
that ``fold`` returns into its own inserts and updates, so that two stores which read the
same events hold the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nosis.errors import NosisError, StorageError
from nosis.memory.store import Event
from nosis.memory.times import from_iso
from nosis.memory.types import DEFAULT_IMPORTANCE, Category, Entry, Kind, Origin, Status

SCHEMA = 1
UNDOABLE = ("fact", "revise", "forget", "restore", "pin", "core")
"""Types of events that an undo can revert; the others record what happened."""


class ForeignEvent(ValueError):
    """An event that nosis did not write: something is missing, or of the wrong kind."""


@dataclass(frozen=True, slots=True)
class Added:
    """A new entry."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Changed:
    """New values for some columns of an entry."""

    id: str
    columns: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Accessed:
    """Entries that a prompt held."""

    ids: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True)
class CoreSet:
    """A new value of a field of core memory; None removes the field."""

    field: str
    value: str | list[str] | None


@dataclass(frozen=True, slots=True)
class Titled:
    """A session's title; None takes the session off the lists."""

    session: str
    title: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Curated:
    """Curation has read up to this position."""

    upto: int


@dataclass(frozen=True, slots=True)
class Purged:
    """Entries that are gone."""

    ids: tuple[str, ...]


Change = Added | Changed | Accessed | CoreSet | Titled | Curated | Purged


def check_schema(event: Event) -> None:
    """Refuse what only a newer nosis understands.

    Raises:
        StorageError: the event's schema version is newer than this one's.
    """
    version = event.get("v", SCHEMA)
    if isinstance(version, int) and version > SCHEMA:
        raise StorageError(
            f"this memory was written by a newer nosis (schema {version}, known here: {SCHEMA})",
            "Update nosis; nothing was changed.",
        )


def fold(event: Event) -> tuple[Change, ...]:
    """The changes one event makes, in order.

    Raises:
        ForeignEvent: the event is not one of the known types, complete and of the right kinds.
    """
    try:
        if not (_text(event["event"]) and _text(event.get("op", "")) is not None):
            raise ForeignEvent("an event needs an id")
        return _FOLDS[event["type"]](event, from_iso(event["at"]))
    except (KeyError, TypeError, ValueError, AttributeError, NosisError) as error:
        raise ForeignEvent(f"{type(error).__name__}: {error}") from None


def touched(event: Event) -> tuple[str, ...]:
    """Ids of the entries that a (folded) event created or changed; its place in their history."""
    if event["type"] == "purge":
        return tuple(event["ids"])
    if event["type"] not in ("turn", "fact", "revise", "forget", "restore", "pin"):
        return ()
    supersedes = event.get("supersedes")
    return (event["id"], supersedes) if supersedes else (event["id"],)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ForeignEvent(f"not a text: {value!r}")
    return value


def _optional(value: Any) -> str | None:
    return None if value is None else _text(value)


def _importance(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ForeignEvent(f"not an importance: {value!r}")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ForeignEvent(f"not true or false: {value!r}")
    return value


def _category(value: Any) -> Category | None:
    return None if value is None else Category(value)


def _ids(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ForeignEvent(f"not a list: {value!r}")
    return tuple(_text(item) for item in value)


_COLUMNS: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "status": Status,
    "category": _category,
    "importance": _importance,
    "pinned": _flag,
    "origin": Origin,
    "role": _optional,
    "speaker": _optional,
    "field": _optional,
    "session": _optional,
    "turn": _optional,
    "superseded_by": _optional,
    "reason": _optional,
    "external_id": _optional,
}

_REVISABLE = _COLUMNS.keys() - {"role", "session", "turn"}


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _COLUMNS[name](value) for name, value in values.items()}


def _added(event: Event, at: float, kind: Kind, *names: str) -> tuple[Change, ...]:
    columns = _columns({name: event[name] for name in names if event.get(name) is not None})
    columns.setdefault("importance", DEFAULT_IMPORTANCE)
    created = from_iso(_text(event["created_at"])) if "created_at" in event else at
    entry = Entry(
        id=_text(event["id"]),
        kind=kind,
        agent=_text(event.get("agent") or ""),
        created_at=created,
        updated_at=at,
        **columns,
    )
    if entry.status is not Status.LIVE:
        return (Added(entry),)
    return Added(entry), *_superseded(event, at)


def _superseded(event: Event, at: float) -> tuple[Change, ...]:
    """The change to the entry that the event's own entry takes the place of, if any."""
    old = _optional(event.get("supersedes"))
    if old is None:
        return ()
    history = {"status": Status.SUPERSEDED, "superseded_by": event["id"], "updated_at": at}
    return (Changed(old, history),)


_SHARED = ("text", "session", "turn", "origin", "importance", "external_id", "speaker")


def _turn(event: Event, at: float) -> tuple[Change, ...]:
    if event.get("purged"):
        return ()
    role = _text(event["role"])
    origin = event.get("origin") or (Origin.ASSISTANT if role == "assistant" else Origin.USER)
    _text(event["text"])
    return _added({**event, "origin": origin}, at, Kind.TURN, "role", *_SHARED)


def _fact(event: Event, at: float) -> tuple[Change, ...]:
    if event.get("purged"):
        return ()
    _text(event["text"])
    names = ("category", "field", "status", "reason", "pinned")
    return _added(event, at, Kind.FACT, *names, *_SHARED)


def _revise(event: Event, at: float) -> tuple[Change, ...]:
    if event.get("purged"):
        return ()
    if not event["set"].keys() <= _REVISABLE:
        raise ForeignEvent(f"cannot be revised: {event['set'].keys() - _REVISABLE}")
    return (Changed(_text(event["id"]), {**_columns(event["set"]), "updated_at": at}),)


def _forget(event: Event, at: float) -> tuple[Change, ...]:
    reason = _optional(event.get("reason"))
    columns = {"status": Status.FORGOTTEN, "reason": reason, "updated_at": at}
    return (Changed(_text(event["id"]), columns),)


def _restore(event: Event, at: float) -> tuple[Change, ...]:
    status = Status(event.get("status", Status.LIVE))
    reason = _optional(event.get("reason"))
    successor = _optional(event.get("superseded_by"))
    columns = {"status": status, "superseded_by": successor, "reason": reason, "updated_at": at}
    return Changed(_text(event["id"]), columns), *_superseded(event, at)


def _access(event: Event, at: float) -> tuple[Change, ...]:
    return (Accessed(_ids(event["ids"]), at),)


def _core(event: Event, at: float) -> tuple[Change, ...]:
    value = event["value"]
    if isinstance(value, list):
        value = list(_ids(value))
    elif value is not None:
        _text(value)
    return (CoreSet(_text(event["field"]), value),)


def _session(event: Event, at: float) -> tuple[Change, ...]:
    return (Titled(_text(event["id"]), _optional(event.get("title")), at),)


def _curated(event: Event, at: float) -> tuple[Change, ...]:
    if not isinstance(event["upto"], int):
        raise ForeignEvent(f"not a position: {event['upto']!r}")
    return (Curated(event["upto"]),)


def _purge(event: Event, at: float) -> tuple[Change, ...]:
    return (Purged(_ids(event["ids"])),)


_FOLDS: dict[str, Callable[[Event, float], tuple[Change, ...]]] = {
    "turn": _turn,
    "fact": _fact,
    "revise": _revise,
    "forget": _forget,
    "restore": _restore,
    "pin": _revise,
    "access": _access,
    "core": _core,
    "session": _session,
    "curated": _curated,
    "purge": _purge,
}
