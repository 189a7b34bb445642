"""The workspaces of a database: which there are, making and deleting one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nosis.memory.store.postgres import head
from nosis.memory.store.postgres.database import Db, shared

T = TypeVar("T")
_TABLES = (
    *(b"events", b"touched", b"entries", b"texts", b"gone", b"terms", b"postings", b"core"),
    *(b"profile", b"sessions", b"waiting", b"vectors", b"tokens"),
)


def names(url: str) -> list[str]:
    """Names of all workspaces, sorted."""
    return _run(
        url,
        lambda db: sorted(
            name for (name,) in db.execute("SELECT name FROM nosis.workspaces").fetchall()
        ),
    )


def create(url: str, name: str) -> None:
    """Make an empty workspace, if there is none of this name."""
    _run(url, lambda db: head.enter(db, name))


def delete(url: str, name: str) -> None:
    """Delete a workspace and everything it holds, in one transaction."""

    def work(db: Db) -> None:
        found = db.execute("SELECT id FROM nosis.workspaces WHERE name = %s", (name,)).fetchone()
        if found is None:
            return
        at = head.lock(db, found[0])
        for table in _TABLES:
            db.execute(b"DELETE FROM nosis." + table + b" WHERE workspace = %s", (at.id,))
        db.execute("DELETE FROM nosis.workspaces WHERE id = %s", (at.id,))
        db.execute("COMMIT")

    _run(url, work)


def _run(url: str, work: Callable[[Db], T]) -> T:
    database = shared(url)
    try:
        return database.run(work)
    finally:
        database.release()
