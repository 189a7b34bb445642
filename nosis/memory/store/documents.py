"""Documents for scoring: all that a recall reads of each row of its pool.

A row's text, terms and vectors never change (a changed text moves to a new row), so those of
the rows read last stay in memory: the messages of one conversation find many of the same.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence

from nosis.memory.store import Document, Embedded, catalog, embeddings

RECENT = 2_000  # rows; about 4 KB each

Fixed = tuple[str, tuple[str, ...], Embedded | None]
"""(text, terms, vectors)"""


class Documents:
    """Reads documents from the catalog. Safe to share among threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[str, str] | None = None
        self._recent: dict[int, Fixed] = {}

    def read(self, db: sqlite3.Connection, rows: Sequence[int]) -> list[Document]:
        """The documents of these rows, in their order; unknown rows left out."""
        key = (catalog.value(db, "build"), catalog.value(db, "vectors"))
        fixed = self._take(key, rows)
        records = catalog.current_columns(db, list(fixed)) if fixed else []
        new = catalog.all_columns(db, [row for row in rows if row not in fixed])
        vectors = embeddings.unpack([record[catalog.CURRENT + 2 :] for record in new])
        for record, embedded in zip(new, vectors, strict=True):
            text, terms = record[catalog.CURRENT : catalog.CURRENT + 2]
            fixed[record[0]] = (text, split(terms), embedded)
        records += new
        self._keep(key, fixed)
        found = {}
        for record in records:
            row, previous, following = record[:3]
            text, words, embedded = fixed[row]
            entry = catalog.entry_of(text, record[3 : catalog.CURRENT])
            found[row] = Document(row, entry, words, embedded, previous, following)
        return [found[row] for row in rows if row in found]

    def _take(self, key: tuple[str, str], rows: Sequence[int]) -> dict[int, Fixed]:
        with self._lock:
            if key != self._key:
                self._key, self._recent = key, {}
            recent = self._recent
            return {row: recent.pop(row) for row in rows if row in recent}

    def _keep(self, key: tuple[str, str], fixed: dict[int, Fixed]) -> None:
        with self._lock:
            if key == self._key:
                self._recent |= {row: parts for row, parts in fixed.items() if parts[2]}
                for row in list(self._recent)[: max(0, len(self._recent) - RECENT)]:
                    del self._recent[row]


def split(terms: str) -> tuple[str, ...]:
    """The terms of a text as the catalog keeps them."""
    return tuple(terms.split("\n")) if terms else ()
