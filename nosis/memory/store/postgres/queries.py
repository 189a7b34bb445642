"""Single statements that the store answers calls with."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from nosis.memory.store import Event, Profile
from nosis.memory.store.postgres import migrations, vectors
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head
from nosis.memory.types import CoreMemory

PAGE = 1_000  # events read at once


def core(connection: Db, workspace: int) -> CoreMemory:
    """Core memory, fields in the order in which they were first set."""
    found = connection.execute(
        "SELECT field, value FROM nosis.core WHERE workspace = %s ORDER BY ordinal, field",
        (workspace,),
    )
    return {field: value for field, value in found}  # noqa: C416 (rows are typed as tuples)


def model(connection: Db, workspace: int) -> str | None:
    """Name of the model that made the stored vectors."""
    found = connection.execute(
        "SELECT model FROM nosis.workspaces WHERE id = %s", (workspace,)
    ).fetchone()
    return found[0] if found else None


def profile(connection: Db, workspace: int) -> Profile:
    """Speakers and languages of all entries."""
    rows = connection.execute(
        'SELECT kind, value FROM nosis.profile WHERE workspace = %s ORDER BY value COLLATE "C"',
        (workspace,),
    ).fetchall()
    return Profile(
        tuple(value for kind, value in rows if kind == "speaker"),
        tuple(value for kind, value in rows if kind == "language"),
    )


def position(connection: Db, workspace: int) -> int:
    """Position of the newest event."""
    found = connection.execute(
        "SELECT position FROM nosis.workspaces WHERE id = %s", (workspace,)
    ).fetchone()
    return int(found[0]) if found else 0


def events(
    connection: Db, workspace: int, *, entry: str | None, op: str | None, after: int
) -> list[tuple[int, Event]]:
    """The next (position, event), oldest first."""
    conditions = b"workspace = %(workspace)s AND position > %(after)s"
    if entry is not None:
        conditions += (
            b" AND position IN (SELECT position FROM nosis.touched "
            b"WHERE workspace = %(workspace)s AND entry = %(entry)s)"
        )
    if op is not None:
        conditions += b" AND op = %(op)s"
    found = connection.execute(
        b"SELECT position, data FROM nosis.events WHERE "
        + conditions
        + b" ORDER BY position LIMIT %(limit)s",
        {"workspace": workspace, "after": after, "entry": entry, "op": op, "limit": PAGE},
    )
    return [(position, event) for position, event in found]


def last_op(connection: Db, workspace: int, agent: str | None) -> str | None:
    """The newest operation that changed memory and is neither undone nor an undo."""
    found = connection.execute(
        "SELECT op FROM nosis.events e WHERE workspace = %(workspace)s AND undoable "
        "AND undoes IS NULL AND op IS NOT NULL "
        "AND (%(agent)s::text IS NULL OR agent = %(agent)s) "
        "AND NOT EXISTS (SELECT 1 FROM nosis.events u "
        "WHERE u.workspace = %(workspace)s AND u.undoes = e.op) "
        "ORDER BY position DESC LIMIT 1",
        {"workspace": workspace, "agent": agent},
    ).fetchone()
    return str(found[0]) if found else None


def visible_sessions(
    connection: Db, workspace: int
) -> list[tuple[int, str, str | None, float, str]]:
    """(number, id, title, first seen, agent) of the sessions that lists show."""
    return connection.execute(
        "SELECT number, id, title, at, agent FROM nosis.sessions "
        "WHERE workspace = %s AND NOT hidden AND (last IS NOT NULL OR title IS NOT NULL) "
        "ORDER BY number",
        (workspace,),
    ).fetchall()


def session_numbers(connection: Db, workspace: int, *ids: str | None) -> dict[str, int]:
    """Numbers of those of the sessions that exist."""
    wanted = [session for session in ids if session is not None]
    if not wanted:
        return {}
    found = connection.execute(
        "SELECT id, number FROM nosis.sessions WHERE workspace = %s AND id = ANY(%s)",
        (workspace, wanted),
    )
    return {session: number for session, number in found}  # noqa: C416


def beginnings(connection: Db, workspace: int, rows: Sequence[int]) -> dict[int, str]:
    """The first 200 characters of the texts of these rows."""
    found = connection.execute(
        'SELECT "row", left(text, 200) FROM nosis.texts WHERE workspace = %s AND "row" = ANY(%s)',
        (workspace, list(rows)),
    )
    return {row: text for row, text in found}  # noqa: C416


def unembedded(connection: Db, workspace: int, limit: int) -> list[tuple[int, str]]:
    """Rows without vectors, newest first, with their text."""
    return connection.execute(
        'SELECT "row", text FROM nosis.waiting JOIN nosis.texts USING (workspace, "row") '
        'WHERE workspace = %s ORDER BY "row" DESC LIMIT %s',
        (workspace, limit),
    ).fetchall()


def health(connection: Db, at: Head) -> dict[str, Any]:
    """Versions, counts, the vector index that serves, and how long an answer takes."""
    begun = time.perf_counter()
    connection.execute("SELECT 1")
    spent = time.perf_counter() - begun
    waiting = connection.execute(
        "SELECT count(*) FROM nosis.waiting WHERE workspace = %s", (at.id,)
    ).fetchone()
    server = connection.execute("SELECT current_setting('server_version')").fetchone()
    known, applied = migrations.known(), migrations.applied(connection)
    state = vectors.index_state(connection, at)
    due = at.lines >= vectors.INDEXED and state != "ready"
    return {
        "server": f"PostgreSQL {server[0] if server else '?'}, "
        f"pgvector {migrations.vector_version(connection)}",
        "migrations": f"{len(applied)} of {len(known)}",
        "events": at.position,
        "live": at.documents,
        "embedding model": at.model,
        "vector index": "HNSW" if state == "ready" else "exact",
        "why": f"{at.lines} vectors, index {state}, due from {vectors.INDEXED} on",
        "index due": due,
        "without vectors": waiting[0] if waiting else 0,
        "latency": f"{spent * 1000:.1f} ms a round trip",
    }
