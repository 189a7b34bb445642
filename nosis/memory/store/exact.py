"""Exact search by cosine: a product with every vector, segment by segment."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.memory.store import Hit, catalog, embeddings
from nosis.memory.store.attributes import Bool

CACHED = 400_000  # lines that are kept in memory; beyond, they are read at every search
SPARSE = 4  # a segment of which less than one in so many lines pass is gathered first


class ExactSearch:
    """The catalog's vectors in memory, as far as they are needed. Safe to share among threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[str, str] | None = None
        self._full: dict[int, embeddings.Lines] = {}
        self._tail: embeddings.Lines | None = None

    def search(
        self,
        db: sqlite3.Connection,
        vector: NDArray[np.float32],
        limit: int,
        passes: Bool,
        *,
        first: int = 0,
    ) -> list[Hit]:
        """The best rows that pass, by the cosine of their nearest chunk, from line ``first`` on."""
        owners, scores = [], []
        for _, rows, vectors in self._lines(db, first):
            if vectors.shape[1] != len(vector):
                return []
            keep = passes[rows]
            count = np.count_nonzero(keep)
            if count * SPARSE < len(rows):
                if not count:
                    continue
                rows, vectors = rows[keep], vectors[keep]  # noqa: PLW2901
                product = embeddings.lengthen(vectors) @ vector
            else:
                product = embeddings.lengthen(vectors) @ vector
                product[~keep] = -2.0
            owners.append(rows)
            scores.append(product)
        if not owners:
            return []
        return best(np.concatenate(owners), np.concatenate(scores), limit)

    def forget(self, before: int) -> None:
        """Let go of the vectors of lines before this one."""
        with self._lock:
            for first in [first for first in self._full if first + embeddings.SEGMENT <= before]:
                del self._full[first]

    def _lines(self, db: sqlite3.Connection, first: int) -> Iterable[embeddings.Lines]:
        meta = catalog.meta(db)
        end: int = meta["next_line"]
        if meta["dimensions"] is None or first >= end:
            return ()
        if end - first > CACHED:
            return embeddings.lines(db, first)
        sealed: int = meta["sealed"]
        wanted = range(first // embeddings.SEGMENT * embeddings.SEGMENT, sealed, embeddings.SEGMENT)
        with self._lock:
            if self._key != (key := (meta["build"], meta["vectors"])):
                self._full, self._tail, self._key = {}, None, key
            missing = [start for start in wanted if start not in self._full]
            if missing:
                self._full |= {
                    lines[0]: lines
                    for lines in embeddings.sealed(db, missing[0], missing[-1], meta["dimensions"])
                }
            full = [self._full[start] for start in wanted if start in self._full]
            tail = self._refresh(
                db, max(sealed, first // embeddings.SEGMENT * embeddings.SEGMENT), end, meta
            )
        return [*full, tail]

    def _refresh(
        self, db: sqlite3.Connection, start: int, end: int, meta: dict[str, Any]
    ) -> embeddings.Lines:
        """Lines ``start`` to ``end``, of which only new ones are read."""
        dimensions = meta["dimensions"]
        known = self._tail
        if known is None or known[0] != start:
            known = embeddings.unsealed(db, start, end, dimensions)
        elif start + len(known[1]) < end:
            _, rows, vectors = embeddings.unsealed(db, start + len(known[1]), end, dimensions)
            rows, vectors = np.concatenate((known[1], rows)), np.concatenate((known[2], vectors))
            known = (start, rows, vectors)
        self._tail = known
        return start, known[1][: end - start], known[2][: end - start]


class Owners:
    """The row of every line, in memory. Safe to share among threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[str, str] | None = None
        self._rows: NDArray[np.uint32] = np.zeros(0, np.uint32)
        self._end = 0

    def refresh(self, db: sqlite3.Connection, meta: dict[str, Any]) -> NDArray[np.uint32]:
        """The rows of all lines; 0 for lines that are gone. Only new lines are read."""
        with self._lock:
            if self._key != (key := (meta["build"], meta["vectors"])):
                self._key, self._end, self._rows = key, 0, np.zeros(0, np.uint32)
            end: int = meta["next_line"]
            if end > len(self._rows):
                self._rows = np.concatenate((self._rows, np.zeros(end, np.uint32)))
            if end > self._end:
                for first, rows in embeddings.owners(db, self._end):
                    self._rows[first : first + len(rows)] = rows
                self._end = end
            return self._rows[:end]


def gather(
    db: sqlite3.Connection, rows: NDArray[np.uint32], vector: NDArray[np.float32], limit: int
) -> list[Hit]:
    """The best of these few rows, from vectors read one by one."""
    found = [
        Hit(row, max(-1.0, min(1.0, float((own @ vector).max()))))
        for row, own in embeddings.of_rows(db, rows.tolist())
    ]
    return sorted(found, key=lambda hit: (-hit.score, -hit.row))[:limit]


def best(rows: NDArray[np.uint32], scores: NDArray[np.float32], limit: int) -> list[Hit]:
    """The highest score of each of the best ``limit`` rows; scores of -2 do not count."""
    count = min(len(rows), 2 * limit)
    while True:
        # All that equal the last one too, so that ties do not depend on the order of lines.
        top = np.flatnonzero(scores >= np.partition(scores, len(scores) - count)[-count])
        top = top[np.lexsort((-rows[top].astype(np.int64), -scores[top]))]
        found: dict[int, float] = {}
        for at in top.tolist():
            if scores[at] > -2.0 and len(found) < limit:
                found.setdefault(int(rows[at]), min(1.0, max(-1.0, float(scores[at]))))
        if len(found) == limit or len(top) == len(rows):
            return [Hit(row, score) for row, score in found.items()]
        count = min(len(rows), 4 * count)
