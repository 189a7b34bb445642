"""Vectors in PostgreSQL, by pgvector: exact for most workspaces, HNSW for large ones.

A product with every vector of a workspace is fast up to some 20,000 of them, is exact, and
needs no index. A larger workspace gets an HNSW index of its own: partial, over its rows only,
so that neither its cost nor its quality depends on what others store, and small workspaces
take no index memory. The planner falls back to the exact product where the index is missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from nosis.errors import StorageError
from nosis.memory.store import Embedded, Hit
from nosis.memory.store.attributes import Bool
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head

INDEXED = 20_000  # vectors from which on a workspace has an index
DEEPEST = 1_000  # rows asked of the index before the exact product is cheaper; pgvector's limit
EF_BUILD = 200  # candidates kept while building
EF = 400  # and while searching: for queries that lie far from everything stored (docs/scale.md)
MOST_MEMORY = 2_000  # megabytes of the server that an index may be built in
_LINKS, _OVERHEAD = 16, 600  # links of an element on a level; bytes of an element beside its vector


def search(
    connection: Db, head: Head, vector: NDArray[np.float32], limit: int, passes: Bool
) -> list[Hit]:
    """The best rows that pass, by the cosine of their nearest chunk."""
    passing = int(np.count_nonzero(passes))
    if not passing or not head.lines or head.dimensions != len(vector):
        return []
    query = HalfVector(vector.astype(np.float32))
    # Chunks to look at so that enough rows pass, if those that pass are spread evenly.
    deep = math.ceil(2 * limit * max(1.0, head.lines / passing)) + 16
    if deep <= DEEPEST:
        nearest = _nearest if head.lines >= INDEXED else _exact
        hits = _best(nearest(connection, head, query, deep), limit, passes)
        if len(hits) == limit or deep >= head.lines:
            return hits
    rows = np.flatnonzero(passes).tolist()
    return _best(_exact(connection, head, query, limit, rows), limit, passes)


def nearest_sql(workspace: int, dimensions: int) -> str:
    """The query that an index serves; its literals are what makes the partial index match."""
    return (
        f'SELECT "row", vector::halfvec({dimensions:d}) <=> %(query)s AS distance '
        f"FROM nosis.vectors WHERE workspace = {workspace:d} "
        f"AND vector_dims(vector) = {dimensions:d} "
        f"ORDER BY vector::halfvec({dimensions:d}) <=> %(query)s LIMIT %(limit)s"
    )


def _nearest(connection: Db, head: Head, query: HalfVector, deep: int) -> list[tuple[int, float]]:
    assert head.dimensions
    with connection.pipeline():
        connection.execute(
            "SELECT set_config('hnsw.ef_search', %s, true)", (str(min(1000, max(EF, deep))),)
        )
        found = connection.cursor(binary=True).execute(
            nearest_sql(head.id, head.dimensions).encode(), {"query": query, "limit": deep}
        )
        return found.fetchall()


def _exact(
    connection: Db, head: Head, query: HalfVector, limit: int, rows: list[int] | None = None
) -> list[tuple[int, float]]:
    among = b'AND "row" = ANY(%(rows)s) ' if rows is not None else b""
    with connection.pipeline():
        # By its key even where a workspace is most of its partition: the cost does not depend on
        # what others store there. Many users at once are parallel enough.
        connection.execute(
            "SELECT set_config('enable_seqscan', 'off', true), "
            "set_config('max_parallel_workers_per_gather', '0', true)"
        )
        found = connection.cursor(binary=True).execute(
            b'SELECT "row", min(vector <=> %(query)s) AS distance FROM nosis.vectors '
            b"WHERE workspace = %(workspace)s " + among + b'GROUP BY "row" '
            b'ORDER BY distance, "row" DESC LIMIT %(limit)s',
            {"query": query, "workspace": head.id, "limit": limit, "rows": rows},
        )
        return found.fetchall()


def _best(found: Sequence[tuple[int, float]], limit: int, passes: Bool) -> list[Hit]:
    best: dict[int, float] = {}
    for row, distance in found:
        if row < len(passes) and passes[row] and not math.isnan(distance):
            best[row] = max(best.get(row, -1.0), min(1.0, max(-1.0, 1.0 - distance)))
    ranked = sorted(best.items(), key=lambda hit: (-hit[1], -hit[0]))
    return [Hit(row, score) for row, score in ranked[:limit]]


def add(connection: Db, head: Head, rows: Sequence[int], embedded: Sequence[Embedded]) -> None:
    """Keep the vectors of these rows; rows that have some, or are gone, are left alone.

    Raises:
        StorageError: the dimensions differ from those of the stored vectors.
    """
    waiting = connection.execute(
        'DELETE FROM nosis.waiting WHERE workspace = %s AND "row" = ANY(%s) RETURNING "row"',
        (head.id, list(rows)),
    )
    wanted = {row for (row,) in waiting}
    lines: list[tuple[Any, ...]] = []
    tokens: list[tuple[Any, ...]] = []
    for row, item in zip(rows, embedded, strict=True):
        if row not in wanted:
            continue
        dimensions = item.vectors.shape[1]
        if dimensions != (head.dimensions or dimensions):
            raise StorageError(
                f"these vectors have {dimensions} dimensions, the stored ones {head.dimensions}",
                "Run nosis reindex to make all vectors with the same model.",
            )
        head.dimensions = dimensions
        lines += [
            (head.id, row, chunk, HalfVector(vector)) for chunk, vector in enumerate(item.vectors)
        ]
        if item.tokens is not None and item.words is not None:
            words = np.asarray(item.words, "<i4").tobytes()
            tokens.append((head.id, row, item.tokens.tobytes(), item.tokens.shape[1], words))
    head.lines += len(lines)
    if lines:
        connection.cursor().executemany(
            'INSERT INTO nosis.vectors(workspace, "row", chunk, vector) VALUES (%s, %s, %s, %b)',
            lines,
        )
    if tokens:
        connection.cursor().executemany(
            'INSERT INTO nosis.tokens(workspace, "row", tokens, width, words) '
            "VALUES (%s, %s, %b, %s, %b)",
            tokens,
        )


def reset(connection: Db, head: Head, model: str) -> None:
    """Drop all vectors of the workspace; ``model`` will make the new ones."""
    with connection.pipeline():
        for table in (b"vectors", b"tokens"):
            connection.execute(b"DELETE FROM nosis." + table + b" WHERE workspace = %s", (head.id,))
        connection.execute(
            'INSERT INTO nosis.waiting(workspace, "row") '
            'SELECT workspace, "row" FROM nosis.entries WHERE workspace = %s '
            "ON CONFLICT DO NOTHING",
            (head.id,),
        )
    head.model, head.dimensions, head.lines = model, None, 0


def index_name(head: Head) -> str:
    """The name of the workspace's index for vectors of the present size."""
    return f"vectors_near_{head.id}_{head.dimensions}"


def index_state(connection: Db, head: Head) -> str:
    """ "none", "building" (or left half-built), or "ready"."""
    found = connection.execute(
        "SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass(%s)",
        (f"nosis.{index_name(head)}",),
    ).fetchone()
    return "none" if found is None else "ready" if found[0] else "building"


def build_index(connection: Db, head: Head) -> bool:
    """Make the workspace's index where it is due; False where there is nothing to do.

    On a connection outside any transaction: writers go on meanwhile (CREATE INDEX CONCURRENTLY).
    """
    if head.lines < INDEXED or not head.dimensions or index_state(connection, head) == "ready":
        return False
    row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (0x6E6E, head.id)).fetchone()
    if row is None or not row[0]:
        return False  # another process is at it
    name, dimensions = index_name(head), head.dimensions
    place = connection.execute(
        "SELECT tableoid::regclass::text FROM nosis.vectors WHERE workspace = %s LIMIT 1",
        (head.id,),
    ).fetchone()
    if place is None:
        return False
    stale = connection.execute(
        "SELECT indexname FROM pg_indexes WHERE schemaname = 'nosis' "
        "AND starts_with(indexname, %s)",
        (f"vectors_near_{head.id}_",),
    ).fetchall()
    for (old,) in stale:
        connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS nosis.{old}".encode())
    # A graph that does not fit into this memory is built many times more slowly.
    needed = head.lines * (2 * dimensions + _OVERHEAD) // 1_000_000 + 64
    connection.execute(
        "SELECT set_config('maintenance_work_mem', %s, false)", (f"{min(needed, MOST_MEMORY)}MB",)
    )
    connection.execute(
        f"CREATE INDEX CONCURRENTLY {name} ON {place[0]} "
        f"USING hnsw ((vector::halfvec({dimensions:d})) halfvec_cosine_ops) "
        f"WITH (m = {_LINKS}, ef_construction = {EF_BUILD}) "
        f"WHERE workspace = {head.id:d} AND vector_dims(vector) = {dimensions:d}".encode()
    )
    return True
