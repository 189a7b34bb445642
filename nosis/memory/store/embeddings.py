"""The vectors themselves, kept in the catalog; every vector index is made from these.

Each chunk vector has a number, its *line*, given once and never again. ``embeddings`` keeps
an entry's vectors in float16, and its token vectors, under its first line. For reading many
at once, every 1,024 full lines are also sealed into one blob of ``segments``, in bfloat16:
the upper half of a float32, which costs a shift to bring back (float16 costs five times as
much) and changes a cosine by less than 0.0005.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.errors import StorageError
from nosis.memory.store import Embedded, catalog

SEGMENT = 1024  # lines

Lines = tuple[int, NDArray[np.uint32], NDArray[np.uint16]]
"""(first line, row of each line or 0, vectors in bfloat16): consecutive lines."""


def add(db: sqlite3.Connection, rows: Sequence[int], embedded: Sequence[Embedded]) -> None:
    """Keep the vectors of these rows; rows that have some, or are gone, are left alone.

    Raises:
        StorageError: the dimensions differ from those of the stored vectors.
    """
    meta = catalog.meta(db)
    line: int = meta["next_line"]
    for row, item in zip(rows, embedded, strict=True):
        found = db.execute(
            f"SELECT e.id, {catalog.TEXT} FROM entries e WHERE row = ? AND line IS NULL",
            (row,),
        ).fetchone()
        if found is None:
            continue
        chunks, dimensions = item.vectors.shape
        if dimensions != (meta["dimensions"] or dimensions):
            raise StorageError(
                f"these vectors have {dimensions} dimensions, the stored ones {meta['dimensions']}",
                "Run nosis reindex to make all vectors with the same model.",
            )
        meta["dimensions"] = dimensions
        tokens: tuple[Any, ...] = (None, None, None)
        if item.tokens is not None:
            words = np.array(item.words, "<i4").tobytes()
            tokens = (item.tokens.tobytes(), item.tokens.shape[1], words)
        db.execute(
            "INSERT INTO embeddings(line, row, digest, chunks, vectors, tokens, width, words) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                line,
                row,
                catalog.digest(*found),
                chunks,
                item.vectors.astype("<f2").tobytes(),
                *tokens,
            ),
        )
        db.execute("UPDATE entries SET line = ? WHERE row = ?", (line, row))
        db.execute("DELETE FROM waiting WHERE row = ?", (row,))
        line += chunks
    start: int = meta["sealed"]
    while line >= start + SEGMENT:
        first, owners, vectors = unsealed(db, start, start + SEGMENT, meta["dimensions"])
        db.execute(
            "INSERT INTO segments(first, rows, data) VALUES (?, ?, ?)",
            (first, owners.tobytes(), vectors.tobytes()),
        )
        start += SEGMENT
    catalog.set_meta(db, next_line=line, dimensions=meta["dimensions"], sealed=start)


def unsealed(db: sqlite3.Connection, first: int, end: int, dimensions: int) -> Lines:
    """Lines ``first`` to ``end`` from the entries' own vectors."""
    owners = np.zeros(end - first, np.uint32)
    vectors = np.zeros((end - first, dimensions), np.uint16)
    for line, row, chunks, data in db.execute(
        "SELECT line, row, chunks, vectors FROM embeddings WHERE line < ?1 AND line >= "
        "coalesce((SELECT max(line) FROM embeddings WHERE line <= ?2), 0) ORDER BY line",
        (end, first),
    ):
        start, stop = max(line, first), min(line + chunks, end)
        if start < stop:
            own = np.frombuffer(data, "<f2").reshape(chunks, -1)[start - line : stop - line]
            owners[start - first : stop - first] = row
            vectors[start - first : stop - first] = shorten(own.astype(np.float32))
    return first, owners, vectors


def sealed(db: sqlite3.Connection, first: int, last: int, dimensions: int) -> Iterator[Lines]:
    """The segments that start at lines ``first`` to ``last``."""
    for start, rows, data in db.execute(
        "SELECT first, rows, data FROM segments WHERE first BETWEEN ? AND ? ORDER BY first",
        (first, last),
    ):
        yield (
            start,
            np.frombuffer(rows, "<u4"),
            np.frombuffer(data, "<u2").reshape(-1, dimensions),
        )


def lines(db: sqlite3.Connection, first: int = 0) -> Iterator[Lines]:
    """All lines from the segment of line ``first`` on."""
    meta = catalog.meta(db)
    if meta["dimensions"] is None:
        return
    yield from sealed(db, first // SEGMENT * SEGMENT, meta["sealed"], meta["dimensions"])
    start = max(first // SEGMENT * SEGMENT, meta["sealed"])
    if start < meta["next_line"]:
        yield unsealed(db, start, meta["next_line"], meta["dimensions"])


def owners(db: sqlite3.Connection, first: int) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """(first line, rows) that together cover the lines from ``first`` on."""
    for start, rows in db.execute(
        "SELECT first, rows FROM segments WHERE first > ? ORDER BY first", (first - SEGMENT,)
    ):
        yield start, np.frombuffer(rows, "<u4")
    start = max(first, catalog.value(db, "sealed"))
    for line, row, chunks in db.execute(
        "SELECT line, row, chunks FROM embeddings WHERE line >= "
        "coalesce((SELECT max(line) FROM embeddings WHERE line <= ?), 0)",
        (start,),
    ):
        yield line, np.full(chunks, row, np.uint32)


def of_rows(
    db: sqlite3.Connection, rows: Sequence[int]
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """(row, vectors) of each of the rows that has any."""
    for part in catalog.parts(rows):
        for row, chunks, data in db.execute(
            "SELECT e.row, m.chunks, m.vectors FROM entries e JOIN embeddings m USING(line) "
            f"WHERE e.row IN ({catalog.marks(part)})",
            part,
        ):
            yield row, np.frombuffer(data, "<f2").reshape(chunks, -1).astype(np.float32)


def sample(db: sqlite3.Connection, upto: int, count: int) -> NDArray[np.float32]:
    """Vectors of up to ``count`` random entries whose first line is below ``upto``."""
    chosen = []
    for line in np.random.default_rng().integers(0, max(upto, 1), count).tolist():
        found = db.execute(
            "SELECT chunks, vectors FROM embeddings WHERE line >= ? AND line < ? LIMIT 1",
            (line, upto),
        ).fetchone()
        if found:
            chosen.append(
                np.frombuffer(found[1], "<f2").astype(np.float32).reshape(found[0], -1)[0]
            )
    chosen = [vector for vector in chosen if vector.any()]
    return np.array(chosen) if chosen else np.zeros((0, 0), np.float32)


def shorten(vectors: NDArray[np.float32]) -> NDArray[np.uint16]:
    """float32 to bfloat16, rounded."""
    bits = np.ascontiguousarray(vectors, np.float32).view(np.uint32)
    return ((bits + np.uint32(0x8000)) >> np.uint32(16)).astype(np.uint16)


def lengthen(vectors: NDArray[np.uint16]) -> NDArray[np.float32]:
    """bfloat16 to float32."""
    return (vectors.astype(np.uint32) << np.uint32(16)).view(np.float32)


def unpack(found: Sequence[tuple[Any, ...]]) -> list[Embedded | None]:
    """What is kept of each entry, from (chunks, vectors, tokens, width, words) of its row."""
    chunks = sum(item[0] or 0 for item in found)
    data = b"".join(item[1] for item in found if item[1] is not None)
    vectors = np.frombuffer(data, "<f2").astype(np.float32).reshape(chunks, -1 if chunks else 0)
    embedded: list[Embedded | None] = []
    at = 0
    for count, _, tokens, width, words in found:
        if count is None:
            embedded.append(None)
            continue
        own = vectors[at : at + count]
        at += count
        if tokens is None:
            embedded.append(Embedded(own))
        else:
            kept = np.frombuffer(tokens, np.int8).reshape(-1, width)
            embedded.append(Embedded(own, kept, np.frombuffer(words, "<i4")))
    return embedded


def reset(db: sqlite3.Connection, model: str) -> None:
    """Drop all vectors; ``model`` will make the new ones."""
    for table in catalog.VECTOR_TABLES:
        db.execute(f"DELETE FROM {table}")
    db.execute("INSERT OR IGNORE INTO waiting(row) SELECT row FROM entries")
    db.execute("UPDATE entries SET line = NULL WHERE line IS NOT NULL")
    next_line = -(-catalog.value(db, "next_line") // SEGMENT) * SEGMENT
    catalog.set_meta(
        db,
        model=model,
        dimensions=None,
        next_line=next_line,
        sealed=next_line,
        vectors=uuid.uuid4().hex,
    )


def remap(db: sqlite3.Connection) -> None:
    """After a rebuild: give kept vectors the new rows of their texts, drop those without."""
    kept = {
        digest: (line, row)
        for digest, line, row in db.execute("SELECT digest, line, row FROM embeddings")
    }
    moved, new = [], np.zeros(max((row for _, row in kept.values()), default=0) + 1, np.uint32)
    for row, entry_id, text in db.execute(f"SELECT e.row, e.id, {catalog.TEXT} FROM entries e"):
        if found := kept.get(catalog.digest(entry_id, text)):
            moved.append((row, found[0]))
            new[found[1]] = row
    db.executemany(
        "UPDATE entries SET line = ? WHERE row = ?", [(line, row) for row, line in moved]
    )
    db.executemany("DELETE FROM waiting WHERE row = ?", [(row,) for row, _ in moved])
    db.executemany("UPDATE embeddings SET row = ? WHERE line = ? AND row <> ?1", moved)
    for line in {line for line, _ in kept.values()}.difference(line for _, line in moved):
        drop(db, line)
    for first, rows in db.execute("SELECT first, rows FROM segments").fetchall():
        before = np.frombuffer(rows, "<u4")
        owners = new[np.where(before < len(new), before, 0)]
        db.execute("UPDATE segments SET rows = ? WHERE first = ?", (owners.tobytes(), first))
        if gone := np.flatnonzero((owners == 0) & (before > 0)).tolist():
            with db.blobopen("segments", "data", first) as blob:
                width = len(blob) // len(owners)
                for line in gone:
                    blob.seek(line * width)
                    blob.write(bytes(width))


def drop(db: sqlite3.Connection, line: int) -> None:
    """Drop the vectors of one entry; Chroma's owner follows later."""
    found = db.execute("SELECT chunks FROM embeddings WHERE line = ?", (line,)).fetchone()
    if found:
        numbers = [(number,) for number in range(line, line + found[0])]
        db.executemany("INSERT INTO purged(line) VALUES (?)", numbers)
        db.execute("DELETE FROM embeddings WHERE line = ?", (line,))
