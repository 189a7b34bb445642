"""Undo: one operation taken back, as far as nobody has changed the same things since.

Several agents may share a workspace, so an undo must leave what the others did alone: it
compares the present state with what each event had made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory.filing.writing import Writer
from nosis.memory.store import Event
from nosis.memory.types import Entry, Outcome, Receipt, Status

MAX_TIMES = 100
_CHANGED_SINCE = "changed since: it stays as it is"


def checked_times(times: int | str) -> int:
    """A number of changes, as people write it.

    Raises:
        UsageError: it is none from 1 to 100.
    """
    text = str(times).strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_TIMES):
        raise UsageError(
            f"not a number of changes: {text!r}", f"Use 1 to {MAX_TIMES}, or leave it out for one."
        )
    return int(text)


def undo(writer: Writer, events: Sequence[Event]) -> list[Receipt]:
    """Append what takes the events of one operation back, the newest first; a receipt for each
    thing. Turns, accesses and sessions stay."""
    before = writer.written
    receipts = [r for event in reversed(events) for r in _undone(writer, event)]
    if writer.written == before:
        writer.mark()  # so that the next undo goes further back
    return receipts


def _undone(writer: Writer, event: Event) -> Iterator[Receipt]:
    if event["type"] == "core":
        yield _core(writer, event)
    elif event["type"] in _INVERSES and (entry := writer.get(event["id"])):
        yield from _INVERSES[event["type"]](writer, event, entry)


def _fact(writer: Writer, event: Event, entry: Entry) -> Iterator[Receipt]:
    if entry.status is Status.SUPERSEDED:  # a newer fact builds upon it
        yield _refused(writer, entry)
        return
    if entry.status is not Status.FORGOTTEN:
        forget = writer.op.event("forget", id=entry.id, was=entry.status, reason="undone")
        yield writer.change(Outcome.UNDONE, entry, forget)
    yield from _successor_gone(writer, event)


def _changed(writer: Writer, event: Event, entry: Entry) -> Iterator[Receipt]:
    mine = {name for name, value in event["set"].items() if getattr(entry, name) == value}
    if not mine:
        yield _refused(writer, entry)
        return
    former = {name: event["was"].get(name) for name in mine}
    latter = {name: event["set"][name] for name in mine}
    change = writer.op.event(event["type"], id=entry.id, set=former, was=latter)
    yield writer.change(Outcome.UNDONE, entry, change, shown=former.get("text"))


def _forgotten(writer: Writer, event: Event, entry: Entry) -> Iterator[Receipt]:
    if entry.status is Status.FORGOTTEN:
        yield _given(writer, entry, event["was"])
    else:
        yield _refused(writer, entry)


def _restored(writer: Writer, event: Event, entry: Entry) -> Iterator[Receipt]:
    if entry.status != event["status"]:
        yield _refused(writer, entry)
        return
    yield _given(writer, entry, event["was"])
    yield from _successor_gone(writer, event)


_INVERSES = {
    "fact": _fact,
    "revise": _changed,
    "pin": _changed,
    "forget": _forgotten,
    "restore": _restored,
}


def _successor_gone(writer: Writer, event: Event) -> Iterator[Receipt]:
    """Bring back the fact that the event's own one had superseded."""
    old = writer.get(event["supersedes"]) if event.get("supersedes") else None
    if old and old.status is Status.SUPERSEDED and old.superseded_by == event["id"]:
        yield _given(writer, old, Status.LIVE)


def _given(writer: Writer, entry: Entry, status: str) -> Receipt:
    """Give an entry a former status again, with what belongs to it."""
    more: dict[str, Any] = {}
    history = writer.history(entry.id)
    said_by = {Status.PENDING: "fact", Status.FORGOTTEN: "forget"}.get(Status(status))
    reasons = [e.get("reason") for e in history if e["type"] == said_by]
    if reasons:
        more["reason"] = reasons[-1]
    if status == Status.SUPERSEDED:
        took = [e["id"] for e in history if e.get("supersedes") == entry.id]
        more["superseded_by"] = took[-1] if took else None
    change = writer.op.event("restore", id=entry.id, status=status, was=entry.status, **more)
    return writer.change(Outcome.UNDONE, entry, change)


def _core(writer: Writer, event: Event) -> Receipt:
    """Give a field its former value; in a list that was changed since, only the event's items."""
    field, made, was = event["field"], event["value"], event.get("was")
    now = writer.core.get(field)
    wanted = was
    if now != made:
        if not isinstance(made, list) and not isinstance(was, list):
            text = "; ".join(core_memory.values(writer.core, field)) or "(removed)"
            return writer.receipt(Outcome.REJECTED, text, field=field, reason=_CHANGED_SINCE)
        held, before, after = _items(now), _items(was), _items(made)
        kept = [item for item in held if item in before or item not in after]
        wanted = [*kept, *(item for item in before if item not in after and item not in kept)]
    count = writer.written
    writer.write_core(field, wanted or None)
    text = "; ".join(core_memory.values(writer.core, field)) or "(removed)"
    if writer.written == count:
        return writer.receipt(Outcome.REJECTED, text, field=field, reason=_CHANGED_SINCE)
    return writer.receipt(Outcome.UNDONE, text, field=field)


def _items(value: str | list[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def _refused(writer: Writer, entry: Entry) -> Receipt:
    return writer.receipt(Outcome.REJECTED, entry.text, entry.id, reason=_CHANGED_SINCE)
