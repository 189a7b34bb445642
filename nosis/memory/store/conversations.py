"""The list of sessions, from the turns that are there."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.memory.store import SessionInfo, catalog
from nosis.memory.store.attributes import ASSISTANT, TURN

TITLE = 60  # characters of the first message that stand for a missing title


def listed_sessions(db: sqlite3.Connection, data: NDArray[Any]) -> list[SessionInfo]:
    """Sessions that lists show, the last used first. ``data``: the attributes of all rows."""
    turns = (data["kind"] == TURN) & (data["status"] > 0) & (data["session"] > 0)
    rows = np.flatnonzero(turns)
    numbers = data["session"][rows]
    size = int(numbers.max(initial=0)) + 1
    users = numbers[data["flags"][rows] & ASSISTANT == 0]
    counts = np.bincount(users, minlength=size)
    started, updated = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(started, numbers, data["created"][rows])
    np.maximum.at(updated, numbers, data["created"][rows])
    first = dict(zip(numbers[::-1].tolist(), rows[::-1].tolist(), strict=True))
    found = []
    for number, session, title, at, agent in catalog.visible_sessions(db):
        row = first.get(number)
        found.append(
            SessionInfo(
                session,
                title or _title(db, row),
                at if row is None else float(started[number]),
                at if row is None else float(updated[number]),
                0 if row is None else int(counts[number]),
                agent,
            )
        )
    return sorted(found, key=lambda session: -session.updated_at)


def _title(db: sqlite3.Connection, row: int | None) -> str:
    """The first words of a session without a title."""
    if row is None:
        return ""
    (text,) = db.execute(
        f"SELECT substr({catalog.TEXT}, 1, 200) FROM entries e WHERE row = ?", (row,)
    ).fetchone()
    line = " ".join(text.split())
    return line if len(line) <= TITLE else line[: TITLE - 1] + "…"
