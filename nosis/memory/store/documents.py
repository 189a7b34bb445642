"""Documents for scoring: all that a recall reads of each row of its pool.

A row's text, terms and vectors never change (a changed text moves to a new row), so the documents
read last stay in memory, and only the columns that may change are read again: the messages of one
conversation find many of the same.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from typing import Any

from nosis.memory.store import Document, Embedded, catalog, embeddings

RECENT = 2_000  # rows; about 6 KB each

Kept = tuple[tuple[Any, ...], Document]
"""(current columns of a row, what was made of them)"""


class Documents:
    """Reads documents from the catalog. Safe to share among threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[str, str] | None = None
        self._recent: dict[int, Kept] = {}

    def read(self, db: sqlite3.Connection, rows: Sequence[int]) -> list[Document]:
        """The documents of these rows, in their order; unknown rows left out."""
        key = (catalog.value(db, "build"), catalog.value(db, "vectors"))
        known = self._take(key, rows)
        found: dict[int, Kept] = {}
        for record in catalog.current_columns(db, list(known)) if known else ():
            before, document = known[record[0]]
            if record != before:
                fixed = document.entry.text, document.terms, document.embedded
                document = _made(record, *fixed)
            found[record[0]] = (record, document)
        new = catalog.all_columns(db, [row for row in rows if row not in known])
        vectors = embeddings.unpack([record[catalog.CURRENT + 2 :] for record in new])
        for record, embedded in zip(new, vectors, strict=True):
            text, terms = record[catalog.CURRENT : catalog.CURRENT + 2]
            current = record[: catalog.CURRENT]
            found[record[0]] = (current, _made(current, text, split(terms), embedded))
        self._keep(key, found)
        return [found[row][1] for row in rows if row in found]

    def _take(self, key: tuple[str, str], rows: Sequence[int]) -> dict[int, Kept]:
        with self._lock:
            if key != self._key:
                self._key, self._recent = key, {}
            recent = self._recent
            return {row: recent.pop(row) for row in rows if row in recent}

    def _keep(self, key: tuple[str, str], found: dict[int, Kept]) -> None:
        with self._lock:
            if key == self._key:
                self._recent |= {row: kept for row, kept in found.items() if kept[1].embedded}
                for row in list(self._recent)[: max(0, len(self._recent) - RECENT)]:
                    del self._recent[row]


def _made(
    current: tuple[Any, ...], text: str, terms: tuple[str, ...], embedded: Embedded | None
) -> Document:
    row, previous, following = current[:3]
    entry = catalog.entry_of(text, current[3:])
    return Document(row, entry, terms, embedded, previous, following)


def split(terms: str) -> tuple[str, ...]:
    """The terms of a text as the catalog keeps them."""
    return tuple(terms.split("\n")) if terms else ()
