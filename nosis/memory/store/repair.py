"""What SQLite's errors mean for a catalog, and what can be saved of a damaged one."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from nosis.errors import ReadOnlyError, StorageError
from nosis.memory.store import catalog

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
_KEPT = ("model", "dimensions", "next_line", "vectors")


def damaged(error: sqlite3.Error) -> bool:
    """Whether the catalog itself is at fault: not a database, malformed, tables missing."""
    if isinstance(error, sqlite3.IntegrityError):
        return True
    return getattr(error, "sqlite_errorcode", -1) & 0xFF in _DAMAGED


def explained(error: sqlite3.Error, path: Path) -> StorageError:
    """SQLite's error as one of ours."""
    code = getattr(error, "sqlite_errorcode", -1) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageError(
            f"the disk is full: {path.name} could not be written",
            "Free some space and try again; nothing was changed.",
        )
    if code == sqlite3.SQLITE_READONLY:
        return ReadOnlyError(
            f"{path} cannot be written",
            "Make the folder writable, or choose another with --home or --workspace.",
        )
    if code == sqlite3.SQLITE_BUSY:
        return StorageError("another nosis process is busy with the index", "Try again.")
    return StorageError(
        f"the index could not be used: {error}",
        f"Is the disk full or failing? {path.parent} may be deleted: it is made anew.",
    )


def salvage(old: Path, db: sqlite3.Connection) -> None:
    """Copy the vectors that can still be read from a damaged catalog into an empty one.

    Both ends are read up to the damage. The vectors keep their lines, so that Chroma stays
    right; rows and segments are made anew afterwards (``embeddings.remap``).
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(old, isolation_level=None)) as source:
        kept = {key: value for key, value in catalog.meta(source).items() if key in _KEPT}
        if len(kept) < len(_KEPT):
            return
        catalog.set_meta(db, **kept)
        columns = "line, row, digest, chunks, vectors, tokens, width, words"
        for order in ("ASC", "DESC"):
            with suppress(sqlite3.Error):
                for record in source.execute(
                    f"SELECT {columns} FROM embeddings ORDER BY line {order}"
                ):
                    added = db.execute(
                        f"INSERT OR IGNORE INTO embeddings({columns}) VALUES (?,?,?,?,?,?,?,?)",
                        record,
                    )
                    if not added.rowcount:
                        return
