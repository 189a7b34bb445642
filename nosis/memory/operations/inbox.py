"""Facts that wait for the user: what came from material, or reads like an instruction."""

from __future__ import annotations

from dataclasses import replace

from nosis.errors import UsageError
from nosis.memory.filing.writing import FACTS
from nosis.memory.operations.workspace import Workspace
from nosis.memory.types import Entry, Filter, Outcome, Receipt, Status


class Inbox(Workspace):
    """Memory's operations on pending facts."""

    def pending(self) -> list[Entry]:
        """Facts that wait for the user, newest first."""
        return self.store.find(Filter(FACTS, (Status.PENDING,)))

    def accept(self, entry_id: str) -> Receipt:
        """Take a pending fact in, as if the user had said it now."""
        entry = self._pending_entry(entry_id)
        with self._operation() as writer:
            receipt = writer.accept(entry, self.base.store if self.base else None)
        return self._logged([receipt])[0]

    def reject(self, entry_id: str) -> Receipt:
        """Refuse a pending fact; it stays in history only."""
        entry = self._pending_entry(entry_id)
        with self._operation() as writer:
            receipt = writer.forget(entry, "rejected")
        return self._logged([replace(receipt, outcome=Outcome.REJECTED)])[0]

    def _pending_entry(self, entry_id: str) -> Entry:
        entry = self.get(entry_id)
        if entry.status is not Status.PENDING:
            raise UsageError(f"{entry_id} is not pending", "See what is: nosis memory pending list")
        return entry
