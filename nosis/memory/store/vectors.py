"""Vectors: kept in the catalog, searched exactly."""

from __future__ import annotations

import sqlite3
import threading
import uuid
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nosis.errors import StorageError
from nosis.memory.store import Embedded, Hit, catalog
from nosis.memory.store.attributes import Bool


def add(db: sqlite3.Connection, rows: Sequence[int], embedded: Sequence[Embedded]) -> None:
    """Keep the vectors of these rows; rows that have some, or are gone, are left alone."""
    meta = catalog.meta(db)
    seq: int = meta["next_seq"]
    for row, item in zip(rows, embedded, strict=True):
        found = db.execute(
            "SELECT e.id, t.text FROM entries e JOIN texts t USING(row) WHERE row = ?", (row,)
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
        done = db.execute(
            "INSERT OR IGNORE INTO embeddings(seq, row, digest, chunks, vectors) "
            "VALUES (?, ?, ?, ?, ?)",
            (seq, row, catalog.digest(*found), chunks, item.vectors.astype("<f2").tobytes()),
        )
        db.execute("DELETE FROM waiting WHERE row = ?", (row,))
        if not done.rowcount:
            continue
        if item.tokens is not None:
            db.execute(
                "INSERT INTO tokens(seq, dimensions, data, words) VALUES (?, ?, ?, ?)",
                (
                    seq,
                    item.tokens.shape[1],
                    item.tokens.tobytes(),
                    np.array(item.words, "<i4").tobytes(),
                ),
            )
        seq += chunks
    catalog.set_meta(db, next_seq=seq, dimensions=meta["dimensions"])


def reset(db: sqlite3.Connection, model: str) -> None:
    """Drop all vectors; ``model`` will make the new ones."""
    for table in catalog.VECTOR_TABLES:
        db.execute(f"DELETE FROM {table}")
    db.execute("INSERT OR IGNORE INTO waiting(row) SELECT row FROM entries")
    catalog.set_meta(db, model=model, dimensions=None, sealed=0, build=uuid.uuid4().hex)


def remap(db: sqlite3.Connection) -> None:
    """After a rebuild: give kept vectors the new rows of their texts, drop those without."""
    kept = dict(db.execute("SELECT digest, seq FROM embeddings").fetchall())
    db.execute("UPDATE embeddings SET row = -row")
    found = []
    for row, entry_id, text in db.execute(
        "SELECT row, id, text FROM entries JOIN texts USING(row)"
    ):
        if (seq := kept.get(catalog.digest(entry_id, text))) is not None:
            found.append((row, seq))
    db.executemany("UPDATE embeddings SET row = ? WHERE seq = ?", found)
    db.executemany("DELETE FROM waiting WHERE row = ?", [(row,) for row, _ in found])
    db.execute("DELETE FROM tokens WHERE seq IN (SELECT seq FROM embeddings WHERE row < 0)")
    db.execute("DELETE FROM embeddings WHERE row < 0")


class ExactSearch:
    """All vectors as one matrix in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[str, int] | None = None
        self._rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._matrix: NDArray[np.float32] = np.zeros((0, 0), np.float32)

    def search(
        self, db: sqlite3.Connection, vector: NDArray[np.float32], limit: int, passes: Bool
    ) -> list[Hit]:
        """The best rows by the cosine of their nearest chunk."""
        rows, matrix = self._load(db)
        if not len(rows) or matrix.shape[1] != len(vector):
            return []
        keep = passes[rows]
        rows, scores = rows[keep], matrix[keep] @ vector
        best: dict[int, float] = {}
        for at in np.argsort(-scores, kind="stable"):
            if len(best) == limit:
                break
            best.setdefault(int(rows[at]), float(scores[at]))
        return [Hit(row, score) for row, score in best.items()]

    def _load(self, db: sqlite3.Connection) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        meta = catalog.meta(db)
        key = (meta["build"], meta["next_seq"])
        with self._lock:
            if key != self._key:
                found = db.execute("SELECT row, chunks, vectors FROM embeddings").fetchall()
                self._rows = np.repeat([f[0] for f in found], [f[1] for f in found]).astype(int)
                data = np.frombuffer(b"".join(f[2] for f in found), "<f2")
                self._matrix = data.reshape(-1, meta["dimensions"] or 1).astype(np.float32)
                self._key = key
            return self._rows, self._matrix


def embedded(db: sqlite3.Connection, rows: Sequence[int]) -> dict[int, Embedded]:
    """What is kept of these rows."""
    found: dict[int, Embedded] = {}
    for part in catalog.parts(rows):
        for row, chunks, data, dimensions, tokens, words in db.execute(
            "SELECT e.row, e.chunks, e.vectors, t.dimensions, t.data, t.words "
            f"FROM embeddings e LEFT JOIN tokens t USING(seq) WHERE row IN ({catalog.marks(part)})",
            part,
        ):
            found[row] = Embedded(
                np.frombuffer(data, "<f2").astype(np.float32).reshape(chunks, -1),
                None if tokens is None else np.frombuffer(tokens, np.int8).reshape(-1, dimensions),
                () if words is None else tuple(np.frombuffer(words, "<i4").tolist()),
            )
    return found
