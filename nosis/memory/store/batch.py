"""One write to the local store in the making."""

from __future__ import annotations

import sqlite3

from nosis.errors import StorageError
from nosis.memory.store import Event, catalog
from nosis.memory.store.apply import Writer
from nosis.memory.store.fold import ForeignEvent, check_schema, fold
from nosis.memory.store.journal import Journal, clean
from nosis.memory.types import CoreMemory, Entry


class LocalBatch:
    """Events appended so far; they are applied in the catalog's open transaction at once."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.events: list[Event] = []
        self.writer = Writer(db)
        self._ids: set[str] = set()

    def append(self, *events: Event) -> None:
        """Add events to this write; one whose id is there already is left out.

        Raises:
            StorageError: an event that the fold does not understand.
        """
        for event in map(clean, events):
            check_schema(event)
            try:
                changes = fold(event)
                if event["event"] in self._ids or catalog.has_event(self.db, event["event"]):
                    continue
                self.writer.apply(event, changes)
            except ForeignEvent as error:
                raise StorageError(
                    f"this cannot be recorded: {error}", "Report this fault."
                ) from None
            self._ids.add(event["event"])
            self.events.append(event)

    def get(self, entry_id: str) -> Entry | None:
        """The entry as it is with this write's events."""
        found = catalog.by_ids(self.db, [entry_id])
        return found[0] if found else None

    def core(self) -> CoreMemory:
        """Core memory as it is with this write's events."""
        return catalog.core(self.db)

    def commit(self, journal: Journal) -> None:
        """Make the events durable, then visible; nothing of them remains if that fails."""
        if not self.events:
            return
        meta = catalog.meta(self.db)
        spans = journal.append(self.events, meta["offset"])
        try:
            position = meta["position"]
            for event, (offset, end) in zip(self.events, spans, strict=True):
                position += 1
                catalog.record(self.db, event, position, offset, end)
            self.writer.flush(offset=spans[-1][1], position=position)
            self.db.execute("COMMIT")
        except BaseException:
            journal.truncate(meta["offset"])
            raise
