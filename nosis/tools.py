"""Memory's operations as tools for models and other agents: typed, described, JSON in and out.

Two operations are left to people: accepting a pending fact, and purging one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nosis.memory.types import Origin

if TYPE_CHECKING:
    from nosis.memory import Memory

Json = dict[str, Any]


class MemoryTools:
    """The operations over one workspace. Each method is one tool; its docstring describes it.

    What an agent remembers has origin assistant, and waits for the user where it reads like an
    instruction. UsageError carries the message for the agent.
    """

    NAMES = (
        "remember",
        "recall",
        "update_memory",
        "forget",
        "restore",
        "mark_important",
        "pin",
        "unpin",
        "list_memories",
        "history",
        "undo",
        "core_get",
        "core_set",
        "core_append",
        "core_remove",
        "pending",
        "read_memory",
    )

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def remember(self, content: str, importance: float = 0.5, category: str | None = None) -> Json:
        """Keep one fact, as a full sentence. Importance runs from 0 to 1; category is one of
        security, decision, knowledge, contact, project, event, preference."""
        receipt = self._memory.remember(
            content, importance, category, origin=Origin.ASSISTANT, gate=True
        )
        return receipt.to_json()

    def recall(
        self,
        query: str,
        limit: int = 5,
        score_threshold: float = 0.0,
        category: str | None = None,
        min_importance: float | None = None,
        max_importance: float | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> list[Json]:
        """Search memory by meaning and words; best first, with ids, scores and reasons. Dates
        are ISO 8601."""
        hits = self._memory.recall(
            query,
            limit,
            score_threshold,
            category,
            min_importance,
            max_importance,
            since,
            until,
        )
        return [hit.to_json() for hit in hits]

    def update_memory(
        self, query_or_id: str, new_content: str, importance: float | None = None
    ) -> Json:
        """Correct a fact, named by its id or by words that only it has."""
        return self._memory.update_memory(query_or_id, new_content, importance).to_json()

    def forget(self, query_or_id: str) -> Json:
        """Retract a fact; it can be restored."""
        return self._memory.forget(query_or_id).to_json()

    def restore(self, entry_id: str) -> Json:
        """Bring back a forgotten or superseded fact."""
        return self._memory.restore(entry_id).to_json()

    def mark_important(self, query_or_id: str, importance: float) -> Json:
        """Set a fact's importance, 0 to 1."""
        return self._memory.mark_important(query_or_id, importance).to_json()

    def pin(self, query_or_id: str) -> Json:
        """Pin a fact: full importance, never pruned."""
        return self._memory.pin(query_or_id).to_json()

    def unpin(self, query_or_id: str) -> Json:
        """Take a pin away."""
        return self._memory.unpin(query_or_id).to_json()

    def list_memories(self, category: str | None = None, limit: int = 50) -> list[Json]:
        """Live facts, newest first."""
        return [entry.to_json() for entry in self._memory.list_memories(category, limit)]

    def history(self, entry_id: str) -> list[Json]:
        """All that happened to one fact, oldest first."""
        return self._memory.history(entry_id)

    def undo(self) -> list[Json]:
        """Revert this agent's newest change."""
        return [receipt.to_json() for receipt in self._memory.undo()]

    def core_get(self) -> Json:
        """Core memory: the user's name, role, company, preferences and own fields."""
        return dict(self._memory.core())

    def core_set(self, field: str, value: str) -> Json:
        """Set a field of core memory."""
        return self._memory.core_set(field, value).to_json()

    def core_append(self, field: str, value: str) -> Json:
        """Add a value to a list field of core memory, such as preference."""
        return self._memory.core_append(field, value).to_json()

    def core_remove(self, field: str, value: str | None = None) -> Json:
        """Remove a field of core memory, or one value of it."""
        return self._memory.core_remove(field, value).to_json()

    def pending(self) -> list[Json]:
        """Facts that wait for the user to accept them."""
        return [entry.to_json() for entry in self._memory.pending()]

    def read_memory(self, day: str | None = None) -> str:
        """The summary page MEMORY.md, or the log of a day ("today" or 2026-11-30)."""
        return self._memory.read_memory(day)
