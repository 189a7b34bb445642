"""One write to the hosted store in the making."""

from __future__ import annotations

from nosis.errors import StorageError
from nosis.memory.store import Event
from nosis.memory.store.fold import ForeignEvent, check_schema, fold
from nosis.memory.store.journal import clean
from nosis.memory.store.postgres import head
from nosis.memory.store.postgres.apply import Changes
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head
from nosis.memory.types import CoreMemory, Entry


class PostgresBatch:
    """Events appended so far; they go out together at the end."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self.events: list[Event] = []

    def append(self, *events: Event) -> None:
        """Add events to this write; one whose id is there already is left out.

        Raises:
            StorageError: an event that the fold does not understand.
        """
        for event in map(clean, events):
            check_schema(event)
            try:
                self._changes.add(event, fold(event))
            except ForeignEvent as error:
                raise _refused(error) from None
            self.events.append(event)

    def get(self, entry_id: str) -> Entry | None:
        """The entry as it is with this write's events."""
        try:
            return self._changes.get(entry_id)
        except ForeignEvent as error:
            raise _refused(error) from None

    def core(self) -> CoreMemory:
        """Core memory as it is with this write's events."""
        return self._changes.core()

    def commit(self, db: Db, at: Head) -> None:
        """Send the events and end the transaction, if there are any."""
        try:
            if self._changes.empty:
                return
        except ForeignEvent as error:
            raise _refused(error) from None
        with db.pipeline():
            self._changes.flush()
            head.save(db, at)
            db.execute("COMMIT")


def _refused(error: ForeignEvent) -> StorageError:
    return StorageError(f"this cannot be recorded: {error}", "Report this fault.")
