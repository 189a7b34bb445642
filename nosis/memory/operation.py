"""One memory operation as the events it appends, and its inverse."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nosis.memory.ids import new_id
from nosis.memory.store import Event
from nosis.memory.times import to_iso
from nosis.memory.types import Status

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

    def inverses(self, events: Iterable[Event]) -> list[Event]:
        """Events that bring back what was before the given ones (newest undone first)."""
        inverse: list[Event] = []
        for event in reversed(list(events)):
            inverse += self._inverse(event)
        return inverse

    def _inverse(self, event: Event) -> list[Event]:
        match event["type"]:
            case "fact":
                undone = [self.event("forget", id=event["id"], was=Status.LIVE, reason="undone")]
                if old := event.get("supersedes"):
                    undone.append(self._status(old, Status.LIVE, Status.SUPERSEDED))
                return undone
            case "revise" | "pin":
                kind, former, latter = event["type"], event["was"], event["set"]
                return [self.event(kind, id=event["id"], set=former, was=latter)]
            case "forget":
                return [self._status(event["id"], event["was"], Status.FORGOTTEN)]
            case "restore":
                undone = [self._status(event["id"], event["was"], event["status"])]
                if old := event.get("supersedes"):
                    undone.append(self._status(old, Status.LIVE, Status.SUPERSEDED))
                return undone
            case "core":
                return [
                    self.event(
                        "core", field=event["field"], value=event.get("was"), was=event["value"]
                    )
                ]
        return []  # turns, accesses and sessions stay

    def _status(self, entry_id: str, status: str, was: str) -> Event:
        return self.event("restore", id=entry_id, status=status, was=was)
