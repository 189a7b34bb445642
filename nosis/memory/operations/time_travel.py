"""What a workspace knew at a moment, replayed from its journal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from nosis.errors import UsageError
from nosis.memory.core import with_value
from nosis.memory.operations.workspace import Workspace
from nosis.memory.store import Event
from nosis.memory.store.fold import (
    Accessed,
    Added,
    Change,
    Changed,
    CoreSet,
    ForeignEvent,
    Purged,
    fold,
)
from nosis.memory.times import from_iso
from nosis.memory.types import CoreMemory, Entry, Kind, Status

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Knowledge(NamedTuple):
    """Core memory and the live facts of a moment, newest fact first."""

    core: CoreMemory
    facts: list[Entry]


class TimeTravel(Workspace):
    """What Memory can tell of its own past."""

    def as_of(self, when: str | float) -> Knowledge:
        """What memory knew at a moment: (core, live facts), replayed from the journal.

        Args:
            when: a day (its end, UTC), an ISO 8601 time, or POSIX seconds.
        """
        return replay((event for _, event in self.store.events()), moment(when))


def moment(when: str | float) -> float:
    """POSIX seconds of a moment; a day without a time means its end (UTC).

    Raises:
        UsageError: the text is neither a day nor an ISO 8601 time.
    """
    if not isinstance(when, str):
        return when
    if _DAY.fullmatch(text := when.strip()):
        try:
            last = datetime.combine(date.fromisoformat(text), time.max, UTC)
        except ValueError:
            raise UsageError(f"not a date: {when!r}", "Use a date such as 2026-11-30.") from None
        return last.timestamp()
    return from_iso(text)


def replay(events: Iterable[Event], until: float) -> Knowledge:
    """The knowledge that all events up to a moment add up to.

    Each event counts by its own time, also where a clock once ran backwards. What was purged
    since is not brought back: its words are gone from the journal.
    """
    entries: dict[str, Entry] = {}
    core: CoreMemory = {}
    for event in events:
        if event.get("type") in ("turn", "session", "curated"):
            continue
        try:
            changes = fold(event) if from_iso(event["at"]) <= until else ()
        except (ForeignEvent, UsageError, KeyError):
            continue  # the store reports foreign lines when it opens
        for change in changes:
            if isinstance(change, CoreSet):
                core = with_value(core, change.field, change.value)
            else:
                _apply(entries, change)
    live = [
        entry._replace(importance=1.0) if entry.pinned else entry
        for entry in entries.values()
        if entry.kind is Kind.FACT and entry.status is Status.LIVE
    ]
    return Knowledge(core, sorted(live, key=lambda entry: -entry.created_at))


def _apply(entries: dict[str, Entry], change: Change) -> None:
    match change:
        case Added(entry):
            entries.setdefault(entry.id, entry)
        case Changed(entry_id, columns):
            if old := entries.get(entry_id):
                entries[entry_id] = old._replace(**columns)
        case Accessed(ids, at):
            for entry_id in dict.fromkeys(ids):
                if old := entries.get(entry_id):
                    used = old.accesses + 1
                    entries[entry_id] = old._replace(accesses=used, accessed_at=at)
        case Purged(ids):
            for entry_id in ids:
                entries.pop(entry_id, None)
