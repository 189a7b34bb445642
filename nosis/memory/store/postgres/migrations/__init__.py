"""The tables' history: numbered SQL files, each applied once, in one transaction with its note."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from nosis.errors import StorageError

if TYPE_CHECKING:
    from psycopg import Connection

VECTOR = (0, 7)  # the pgvector that knows half-precision vectors
_LOCK = 0x6E6F7369  # "nosi": one migration at a time in a database


class Migration(NamedTuple):
    """One step; ``name`` is its file's."""

    number: int
    name: str
    sql: str


def known() -> list[Migration]:
    """The migrations of this version of nosis, in order."""
    found = [
        Migration(int(file.name[:4]), file.name, file.read_text("utf-8"))
        for file in files(__name__).iterdir()
        if file.name.endswith(".sql")
    ]
    return sorted(found)


def applied(connection: Connection[Any]) -> list[int]:
    """Numbers of the migrations that the database has."""
    (exists,) = _one(connection, "SELECT to_regclass('nosis.migrations') IS NOT NULL")
    if not exists:
        return []
    rows = connection.execute("SELECT number FROM nosis.migrations ORDER BY number").fetchall()
    return [number for (number,) in rows]


def migrate(connection: Connection[Any]) -> list[str]:
    """Bring the tables up to date; names of the migrations that were applied.

    Raises:
        StorageError: a newer nosis made these tables, or pgvector is too old.
    """
    steps = known()
    done = applied(connection)
    if newer := [number for number in done if number > steps[-1].number]:
        raise StorageError(
            f"the database was made by a newer nosis (migration {newer[-1]}, "
            f"known here: {steps[-1].number})",
            "Update nosis; nothing was changed.",
        )
    made = []
    if len(done) < len(steps):
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            # In a schema that every user looks into; left where it is, if it is there already.
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
            _check_vector(connection)
            connection.execute("CREATE SCHEMA IF NOT EXISTS nosis")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS nosis.migrations(number integer PRIMARY KEY, "
                "name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
            )
            done = applied(connection)  # another process may have been first
            for step in steps:
                if step.number not in done:
                    connection.execute(step.sql.encode())
                    connection.execute(
                        "INSERT INTO nosis.migrations(number, name) VALUES (%s, %s)",
                        (step.number, step.name),
                    )
                    made.append(step.name)
    _check_vector(connection)
    return made


def _check_vector(connection: Connection[Any]) -> None:
    version = vector_version(connection)
    if tuple(int(part) for part in version.split(".")[:2]) < VECTOR:
        raise StorageError(
            f"the database has pgvector {version}",
            "Update it to 0.7 or newer: ALTER EXTENSION vector UPDATE.",
        )
    if _one(connection, "SELECT to_regtype('halfvec')") == (None,):
        raise StorageError(
            "pgvector is in a schema that this user does not look into",
            'Add it: ALTER ROLE … SET search_path = "$user", public, SCHEMA;',
        )


def vector_version(connection: Connection[Any]) -> str:
    """The installed pgvector."""
    found = _one(connection, "SELECT max(extversion) FROM pg_extension WHERE extname = 'vector'")
    return found[0] or "0.0"


def _one(connection: Connection[Any], sql: str) -> tuple[Any, ...]:
    found = connection.execute(sql).fetchone()
    assert found is not None
    return tuple(found)
