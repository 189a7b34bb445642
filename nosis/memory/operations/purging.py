"""Purging: the one operation that removes words for good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nosis.errors import StorageError
from nosis.memory import summaries
from nosis.memory.operations import recall_tests
from nosis.memory.operations.workspace import Workspace
from nosis.memory.store import Event
from nosis.memory.types import Kind, Outcome, Receipt, Status


class Purging(Workspace):
    """Memory's operation that leaves no copy behind."""

    def purge(self, entry_id: str) -> Receipt:
        """Remove a memory's text, and what it was before each edit, from every file of the
        workspace, and prove it.

        Raises:
            StorageError: some file still holds the text; the message names it.
        """
        self.check_writable()
        entry = self.get(entry_id)
        history = [event for _, event in self.store.events(entry=entry.id)]
        recall_tests.remove_for(self.folder, entry.id)
        summaries.clear(self.folder)
        if entry.status is Status.LIVE and entry.kind is Kind.FACT:
            with self._operation() as writer:
                writer.forget(entry, "purged")
        with self._operation() as writer:
            writer.change(Outcome.PURGED, entry, writer.op.event("purge", ids=[entry.id]))
        self.pages.remove({entry.text, *_edited(history)})
        self.render_page()
        if left := self.store.purge([entry.id]):
            raise StorageError(
                f"text of {entry.id} is still in: {', '.join(left)}",
                "Another memory or message repeats these words; purge that one as well.",
            )
        return Receipt(Outcome.PURGED, "(removed)", entry.id, agent=self.agent)


def _edited(history: Iterable[Event]) -> Iterator[str]:
    """The words before and after each edit."""
    for event in history:
        if event["type"] == "revise":
            yield from (part["text"] for part in (event["set"], event["was"]) if "text" in part)
