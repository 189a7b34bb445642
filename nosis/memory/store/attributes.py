"""What filters look at, for every row, as columns in memory.

The catalog keeps the columns as one blob per 1,024 rows, so that a process reads a few
megabytes at 100,000 rows, not as many table rows, and later only the blobs that changed.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.memory.types import Category, Entry, Filter, Kind, Origin, Status

SEGMENT = 1024  # rows a blob: small enough to rewrite at every write
COLUMNS = np.dtype(
    [
        ("created", "<f8"),
        ("importance", "<f8"),  # 1.0 where pinned
        ("session", "<u4"),  # the session's number; 0 for none
        ("length", "<u4"),  # terms in the text
        ("status", "u1"),  # 0: no such row (any more)
        ("kind", "u1"),
        ("category", "u1"),
        ("flags", "u1"),
    ]
)
PINNED, ASSISTANT, CORE, MATERIAL = 1, 2, 4, 8
_STATUS = {status: code for code, status in enumerate(Status, 1)}
_KIND = {kind: code for code, kind in enumerate(Kind, 1)}
_CATEGORY = {category: code for code, category in enumerate(Category, 1)}
LIVE, TURN = _STATUS[Status.LIVE], _KIND[Kind.TURN]

Bool = NDArray[np.bool_]
Changed = Iterable[tuple[NDArray[np.int64], NDArray[Any]]]
"""(rows, their columns): what changed since a reader last looked."""


def values(entry: Entry, session: int, length: int) -> tuple[Any, ...]:
    """One row of COLUMNS."""
    return (
        entry.created_at,
        1.0 if entry.pinned else entry.importance,
        session,
        length,
        _STATUS[entry.status],
        _KIND[entry.kind],
        _CATEGORY[entry.category] if entry.category else 0,
        PINNED * entry.pinned
        | ASSISTANT * (entry.role == "assistant")
        | CORE * (entry.field is not None)
        | MATERIAL * (entry.origin is Origin.MATERIAL),
    )


class AttributeWriter:
    """Collects changed rows of one transaction and writes each touched blob once."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._segments: dict[int, NDArray[Any]] = {}

    def set(self, row: int, row_values: tuple[Any, ...]) -> None:
        self._segment(row)[row % SEGMENT] = row_values

    def clear(self, row: int) -> None:
        self._segment(row)[row % SEGMENT] = np.zeros((), COLUMNS)

    def flush(self, change: int) -> None:
        """Write what was collected; ``change`` is the number that readers compare."""
        self._db.executemany(
            "INSERT OR REPLACE INTO attributes(segment, change, data) VALUES (?, ?, ?)",
            [(number, change, data.tobytes()) for number, data in self._segments.items()],
        )
        self._segments.clear()

    def _segment(self, row: int) -> NDArray[Any]:
        number = row // SEGMENT
        if number not in self._segments:
            found = self._db.execute(
                "SELECT data FROM attributes WHERE segment = ?", (number,)
            ).fetchone()
            self._segments[number] = (
                np.frombuffer(found[0], COLUMNS).copy() if found else np.zeros(SEGMENT, COLUMNS)
            )
        return self._segments[number]


def changed(db: sqlite3.Connection, after: int) -> Changed:
    """The blobs that changed after that number."""
    for number, blob in db.execute(
        "SELECT segment, data FROM attributes WHERE change > ? ORDER BY segment DESC", (after,)
    ):
        yield np.arange(number * SEGMENT, (number + 1) * SEGMENT), np.frombuffer(blob, COLUMNS)


class Attributes:
    """The columns as last read. Safe to share among threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._data: NDArray[Any] = np.zeros(
            1, COLUMNS
        )  # row 0, which vectors without an entry have
        self._seen = -1
        self._build = ""
        self._masks: dict[tuple[Filter, int], Bool] = {}

    def refresh(self, change: int, build: str, read: Callable[[int], Changed]) -> NDArray[Any]:
        """All columns, indexed by row, after reading what changed since the last call.

        ``change`` is the newest change that the caller sees, ``build`` names the build of the
        index that it belongs to; ``read`` is called with the newest change known here, if any.
        """
        with self._lock:
            if build != self._build:
                self._data, self._seen, self._build = np.zeros(1, COLUMNS), -1, build
            elif change == self._seen:
                return self._data
            for rows, columns in read(self._seen):
                size = -(-(int(rows.max(initial=0)) + 1) // SEGMENT) * SEGMENT
                if size > len(self._data):
                    data = np.zeros(size, COLUMNS)
                    data[: len(self._data)] = self._data
                    self._data = data
                self._data[rows] = columns
            self._seen = change
            self._masks.clear()
            return self._data

    def mask(self, data: NDArray[Any], where: Filter, sessions: Mapping[str, int]) -> Bool:
        """Per row whether it passes the filter; ``sessions`` numbers those the filter names."""
        with self._lock:
            key = (where, self._seen)
            found = self._masks.get(key) if data is self._data else None
        if found is not None and len(found) == len(data):
            return found
        made = _mask(data, where, sessions)
        with self._lock:
            if len(self._masks) >= 8:
                self._masks.clear()
            self._masks[key] = made
        return made


def _mask(data: NDArray[Any], where: Filter, sessions: Mapping[str, int]) -> Bool:
    mask = _among(data["status"], [_STATUS[status] for status in where.statuses])
    if len(set(where.kinds)) < len(Kind):
        mask &= _among(data["kind"], [_KIND[kind] for kind in where.kinds])
    if where.category is not None:
        mask &= data["category"] == _CATEGORY[where.category]
    if where.min_importance is not None:
        mask &= data["importance"] >= where.min_importance
    if where.max_importance is not None:
        mask &= data["importance"] <= where.max_importance
    if where.since is not None:
        mask &= data["created"] >= where.since
    if where.until is not None:
        mask &= data["created"] <= where.until
    if where.session is not None:
        mask &= data["session"] == sessions.get(where.session, -1)
    if where.not_session is not None and where.not_session in sessions:
        mask &= (data["session"] != sessions[where.not_session]) | (data["kind"] != TURN)
    if where.pinned is not None:
        mask &= ((data["flags"] & PINNED) > 0) == where.pinned
    if where.core is not None:
        mask &= ((data["flags"] & CORE) > 0) == where.core
    if not where.material_turns:
        mask &= ((data["flags"] & MATERIAL) == 0) | (data["kind"] != TURN)
    return mask


def _among(column: NDArray[Any], codes: list[int]) -> Bool:
    if len(codes) == 1:
        return np.asarray(column == codes[0])
    table = np.zeros(256, np.bool_)
    table[codes] = True
    return np.asarray(table[column])


def ordered(data: NDArray[Any], mask: Bool, by: str) -> NDArray[np.int64]:
    """The rows that the mask lets through, "newest", "oldest" or of most "importance" first."""
    rows = np.flatnonzero(mask)
    created = data["created"][rows]
    if by == "oldest":
        return rows[np.lexsort((rows, created))]
    if by == "importance":
        return rows[np.lexsort((-rows, -created, -data["importance"][rows]))]
    return rows[np.lexsort((-rows, -created))]
