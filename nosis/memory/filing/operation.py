"""One memory operation as the events it appends."""

from __future__ import annotations

from typing import Any

from nosis.memory.ids import new_id
from nosis.memory.store import Event
from nosis.memory.times import to_iso

SCHEMA_VERSION = 1


class Operation:
    """Makes the events of one operation, all with the same op id, author and context."""

    def __init__(
        self,
        agent: str,
        now: float,
        *,
        session: str | None = None,
        turn: str | None = None,
        undoes: str | None = None,
        op: str | None = None,
    ) -> None:
        """``op``: its id, where an earlier try may have been recorded already."""
        self.id = op or new_id("o", 10)
        self.agent = agent
        self._common = {
            "agent": agent,
            "session": session,
            "turn": turn,
            "undoes": undoes,
        }
        self._at = to_iso(now)

    def event(self, event_type: str, **fields: Any) -> Event:
        """One event; fields that are None are left out, except the values of core events."""
        event = {
            "v": SCHEMA_VERSION,
            "type": event_type,
            "event": new_id("e", 13),
            "at": self._at,
            "op": self.id,
            **self._common,
            **fields,
        }
        return {
            name: value
            for name, value in event.items()
            if value is not None or (event_type == "core" and name in ("value", "was"))
        }
