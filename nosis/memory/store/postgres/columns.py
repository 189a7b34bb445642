"""Reading rows: attributes as one binary copy, entries, documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nosis.memory.store import Document, attributes, catalog, embeddings
from nosis.memory.store.attributes import Changed
from nosis.memory.store.documents import split
from nosis.memory.store.postgres.database import Db
from nosis.memory.types import Entry

_COLUMNS = ", ".join(f"e.{name}" for name in catalog.COLUMNS).encode()
# One tuple of a binary COPY: field count, then length and value of each of the two fields.
_TUPLE = np.dtype(
    [
        ("fields", ">i2"),
        ("row_length", ">i4"),
        ("row", ">i4"),
        ("length", ">i4"),
        ("columns", attributes.COLUMNS),
    ]
)
_HEADER, _TRAILER = 19, 2  # bytes around the tuples
_NOTHING = "\\x" + "00" * attributes.COLUMNS.itemsize


def changed(connection: Db, workspace: int, after: int) -> Changed:
    """The rows that changed after that position, with their attributes; zeros where gone."""
    query = (
        'COPY (SELECT "row", attributes FROM nosis.entries '
        f"WHERE workspace = {workspace:d} AND change > {after:d} "
        f"UNION ALL SELECT \"row\", '{_NOTHING}'::bytea FROM nosis.gone "
        f"WHERE workspace = {workspace:d} AND change > {after:d}) TO STDOUT (FORMAT binary)"
    )
    with connection.cursor() as cursor, cursor.copy(query.encode()) as copy:
        data = b"".join(bytes(part) for part in copy)
    tuples = np.frombuffer(
        data, _TUPLE, (len(data) - _HEADER - _TRAILER) // _TUPLE.itemsize, _HEADER
    )
    yield tuples["row"].astype(np.int64), tuples["columns"]


def by_ids(connection: Db, workspace: int, ids: Sequence[str]) -> list[Entry]:
    """Entries in the order of the ids; unknown ids are left out."""
    found = {e.id: e for _, e in _entries(connection, workspace, b"e.id", list(ids))}
    return [found[entry_id] for entry_id in ids if entry_id in found]


def by_rows(connection: Db, workspace: int, rows: Sequence[int]) -> list[Entry]:
    """Entries in the order of the rows; unknown rows are left out."""
    found = dict(_entries(connection, workspace, b'e."row"', list(rows)))
    return [found[row] for row in rows if row in found]


def _entries(
    connection: Db, workspace: int, key: bytes, wanted: list[Any]
) -> Iterable[tuple[int, Entry]]:
    if not wanted:
        return
    for row, text, *columns in connection.cursor(binary=True).execute(
        b'SELECT e."row", t.text, ' + _COLUMNS + b" FROM nosis.entries e "
        b'JOIN nosis.texts t USING (workspace, "row") '
        b"WHERE e.workspace = %s AND " + key + b" = ANY(%s)",
        (workspace, wanted),
    ):
        yield row, catalog.entry_of(text, columns)


def documents(connection: Db, workspace: int, rows: Sequence[int]) -> list[Document]:
    """What scoring reads of each row, in the order of the rows; unknown ones left out."""
    wanted = (workspace, list(rows))
    with connection.pipeline():
        vectors = connection.cursor(binary=True).execute(
            b'SELECT "row", halfvec_send(vector) FROM nosis.vectors '
            b'WHERE workspace = %s AND "row" = ANY(%s) ORDER BY "row", chunk',
            wanted,
        )
        found = connection.cursor(binary=True).execute(
            b'SELECT e."row", t.text, t.terms, e.previous, e.next, '
            b"k.tokens, k.width, k.words, " + _COLUMNS + b" FROM nosis.entries e "
            b'JOIN nosis.texts t USING (workspace, "row") '
            b'LEFT JOIN nosis.tokens k USING (workspace, "row") '
            b'WHERE e.workspace = %s AND e."row" = ANY(%s)',
            wanted,
        )
        chunks: dict[int, list[bytes]] = {}
        for row, sent in vectors:
            # Two bytes for the dimensions, two unused, then half floats, all big-endian.
            chunks.setdefault(row, []).append(
                np.frombuffer(sent, ">f2", -1, 4).astype("<f2").tobytes()
            )
        read = found.fetchall()
    kept: list[tuple[Any, ...]] = []
    for row, _, _, _, _, *tokens in (item[:8] for item in read):
        own = chunks.get(row)
        kept.append((len(own), b"".join(own), *tokens) if own else (None, None, None, None, None))
    made = {
        item[0]: Document(
            item[0], catalog.entry_of(item[1], item[8:]), split(item[2]), embedded, *item[3:5]
        )
        for item, embedded in zip(read, embeddings.unpack(kept), strict=True)
    }
    return [made[row] for row in rows if row in made]
