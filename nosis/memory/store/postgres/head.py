"""The one row of a workspace: its number, counters and versions."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, LiteralString

from nosis.errors import StorageError
from nosis.memory import tokenizer
from nosis.memory.store.postgres.database import Db

VERSION = 1  # of what is derived from the events
LOCK_WAIT = "60s"
_LOCK = 0x6E6F  # "no": the class of the advisory locks of workspaces


@dataclass(slots=True)
class Head:
    """The columns of ``nosis.workspaces`` that a call needs."""

    id: int
    position: int
    documents: int
    length: int
    curated: int
    model: str | None
    dimensions: int | None
    lines: int
    build: int
    version: int
    tokenizer: int


_COLUMNS: LiteralString = (
    "id, position, documents, length, curated, model, dimensions, lines, build, version, tokenizer"
)
assert tuple(_COLUMNS.split(", ")) == tuple(field.name for field in fields(Head))


def enter(connection: Db, name: str) -> Head:
    """The workspace with this name, made where there is none.

    Raises:
        StorageError: a newer nosis wrote it.
    """
    connection.execute(
        "INSERT INTO nosis.workspaces(name, version, tokenizer) VALUES (%s, %s, %s) "
        "ON CONFLICT (name) DO NOTHING",
        (name, VERSION, tokenizer.VERSION),
    )
    found = connection.execute("SELECT id FROM nosis.workspaces WHERE name = %s", (name,))
    row = found.fetchone()
    return read(connection, row[0] if row else 0)


def read(connection: Db, workspace: int) -> Head:
    """The head as this transaction sees it.

    Raises:
        StorageError: the workspace was deleted, or a newer nosis took it over.
    """
    row = connection.execute(
        "SELECT " + _COLUMNS + " FROM nosis.workspaces WHERE id = %s", (workspace,)
    ).fetchone()
    return _checked(row)


def snapshot(connection: Db, workspace: int) -> Head:
    """Begin a transaction whose statements all see this moment, and read the head."""
    with connection.pipeline():
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        found = connection.execute(
            "SELECT " + _COLUMNS + " FROM nosis.workspaces WHERE id = %s", (workspace,)
        )
        row = found.fetchone()
    return _checked(row)


def lock(connection: Db, workspace: int) -> Head:
    """Begin a transaction as the only writer of the workspace, and read its head."""
    with connection.pipeline():
        connection.execute("BEGIN")
        # For this transaction only: a client that hangs must not lock all others out for ever.
        connection.execute(
            "SELECT set_config('lock_timeout', %(wait)s, true), "
            "set_config('idle_in_transaction_session_timeout', %(wait)s, true)",
            {"wait": LOCK_WAIT},
        )
        connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (_LOCK, workspace))
        found = connection.execute(
            "SELECT " + _COLUMNS + " FROM nosis.workspaces WHERE id = %s", (workspace,)
        )
        row = found.fetchone()
    return _checked(row)


def save(connection: Db, head: Head) -> None:
    """Write the counters back."""
    connection.execute(
        "UPDATE nosis.workspaces SET position = %s, documents = %s, length = %s, curated = %s, "
        "model = %s, dimensions = %s, lines = %s, build = %s, version = %s, tokenizer = %s "
        "WHERE id = %s",
        (
            head.position,
            head.documents,
            head.length,
            head.curated,
            head.model,
            head.dimensions,
            head.lines,
            head.build,
            head.version,
            head.tokenizer,
            head.id,
        ),
    )


def _checked(row: tuple[Any, ...] | None) -> Head:
    if row is None:
        raise StorageError(
            "this workspace was deleted", "Open it again to begin a new one under its name."
        )
    head = Head(*row)
    if head.version > VERSION or head.tokenizer > tokenizer.VERSION:
        raise StorageError(
            "this workspace was taken over by a newer nosis", "Update nosis; nothing was changed."
        )
    return head
