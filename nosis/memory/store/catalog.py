"""index/catalog.sqlite3: the state that the journal's events add up to, ready to be read.

Everything here is derived from archival.jsonl, except the vectors, which only cost time to
make again. One transaction applies a batch of events together with the offset reached, so
applying is idempotent: what is in the catalog is never applied twice.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nosis.memory.store import Event, Profile
from nosis.memory.store.fold import UNDOABLE, touched
from nosis.memory.types import Category, CoreMemory, Entry, Kind, Origin, Status

VERSION = 3  # of the tables derived from the journal
VECTORS_VERSION = 1  # of the tables that keep vectors

COLUMNS = tuple(name for name in Entry._fields if name != "text")
_SELECT = ", ".join(f"e.{name}" for name in COLUMNS)
# Long texts stand in a table of their own, so that counting an access does not rewrite them.
LONG = 1_500  # characters of text and terms
TEXT = "coalesce(e.text, (SELECT l.text FROM long_texts l WHERE l.row = e.row))"
TERMS = "coalesce(e.terms, (SELECT l.terms FROM long_texts l WHERE l.row = e.row))"

_DERIVED = """
CREATE TABLE entries(
  row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, status TEXT NOT NULL,
  category TEXT, importance REAL NOT NULL, pinned INTEGER NOT NULL, origin TEXT NOT NULL,
  role TEXT, speaker TEXT, field TEXT, agent TEXT NOT NULL, session TEXT, turn TEXT,
  created_at REAL NOT NULL, updated_at REAL NOT NULL, accessed_at REAL,
  accesses INTEGER NOT NULL, superseded_by TEXT, reason TEXT, external_id TEXT,
  previous INTEGER, next INTEGER, line INTEGER, text TEXT, terms TEXT);
CREATE TABLE long_texts(row INTEGER PRIMARY KEY, text TEXT NOT NULL, terms TEXT NOT NULL);
CREATE TABLE attributes(segment INTEGER PRIMARY KEY, change INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE terms(
  term TEXT PRIMARY KEY, number INTEGER, frequency INTEGER NOT NULL, tail BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE postings(
  term INTEGER NOT NULL, first INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(term, first));
CREATE TABLE core(field TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sessions(
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT,
  hidden INTEGER NOT NULL DEFAULT 0, at REAL NOT NULL, agent TEXT NOT NULL, last INTEGER);
CREATE TABLE events(
  position INTEGER PRIMARY KEY, event TEXT NOT NULL UNIQUE, op TEXT, agent TEXT NOT NULL,
  undoable INTEGER NOT NULL, undoes TEXT, offset INTEGER NOT NULL, end INTEGER NOT NULL);
CREATE INDEX events_op ON events(op);
CREATE INDEX events_undoes ON events(undoes) WHERE undoes IS NOT NULL;
CREATE INDEX events_undoable ON events(position) WHERE undoable;
CREATE TABLE touched(
  entry TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY(entry, position)) WITHOUT ROWID;
CREATE TABLE waiting(row INTEGER PRIMARY KEY);
CREATE TABLE profile(
  kind TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(kind, value)) WITHOUT ROWID;
"""
_VECTORS = """
CREATE TABLE embeddings(
  line INTEGER PRIMARY KEY, row INTEGER NOT NULL, digest BLOB NOT NULL, chunks INTEGER NOT NULL,
  vectors BLOB NOT NULL, tokens BLOB, width INTEGER, words BLOB);
CREATE TABLE purged(number INTEGER PRIMARY KEY, line INTEGER NOT NULL);
CREATE TABLE segments(
  first INTEGER PRIMARY KEY, rows BLOB NOT NULL, data BLOB NOT NULL);
"""
DERIVED_TABLES = (
    *("entries", "long_texts", "attributes", "terms", "postings", "core", "sessions", "events"),
    *("touched", "waiting", "profile"),
)
VECTOR_TABLES = ("embeddings", "segments", "purged")


class Connection(sqlite3.Connection):
    """A connection that knows which file it was opened on."""

    inode: int = 0


def connect(path: Path) -> Connection:
    """A connection to the catalog; transactions are begun and ended explicitly."""
    db = sqlite3.connect(
        path,
        isolation_level=None,
        check_same_thread=False,
        timeout=60,
        cached_statements=256,
        factory=Connection,
    )
    db.execute("PRAGMA journal_mode = WAL")
    # The journal is the truth and is synced; a catalog that lost its end applies it again.
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA secure_delete = ON")  # purged words must not survive in free pages
    db.execute("PRAGMA wal_autocheckpoint = 4000")
    db.execute("PRAGMA journal_size_limit = 16000000")
    # 16 MB keeps the inner pages of a large catalog in memory (3 % of a recall at 100,000).
    db.execute("PRAGMA cache_size = -16000")
    return db


def create_meta(db: sqlite3.Connection) -> None:
    """Make the table of single values where there is none."""
    db.execute("CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID")


def create(db: sqlite3.Connection, *, vectors: bool) -> None:
    """Make empty tables (with ``vectors``, those too), inside the caller's transaction."""
    tables = DERIVED_TABLES + (VECTOR_TABLES if vectors else ())
    for table in tables:
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in (_DERIVED + (_VECTORS if vectors else "")).split(";"):
        db.execute(statement)


def meta(db: sqlite3.Connection) -> dict[str, Any]:
    """All of the catalog's single values."""
    return dict(db.execute("SELECT key, value FROM meta").fetchall())


def value(db: sqlite3.Connection, key: str) -> Any:
    """One of the catalog's single values."""
    return db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]


def set_meta(db: sqlite3.Connection, **values: Any) -> None:
    """Record single values; None removes one."""
    db.executemany("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", list(values.items()))


def digest(entry_id: str, text: str) -> bytes:
    """What a vector was made of: it stays usable for the same entry with the same text."""
    return hashlib.blake2b(f"{entry_id}\0{text}".encode(), digest_size=16).digest()


_KINDS = {kind.value: kind for kind in Kind}
_STATUSES = {status.value: status for status in Status}
_CATEGORIES: dict[str | None, Category | None] = {c.value: c for c in Category} | {None: None}
_ORIGINS = {origin.value: origin for origin in Origin}


def entry_of(text: str, columns: Sequence[Any]) -> Entry:
    """The entry of one row of ``_SELECT``. A pinned entry has importance 1.0."""
    entry_id, kind, status, category, importance, pinned, origin = columns[:7]
    return Entry(
        entry_id,
        _KINDS[kind],
        text,
        _STATUSES[status],
        _CATEGORIES[category],
        1.0 if pinned else importance,
        pinned == 1,
        _ORIGINS[origin],
        *columns[7:],
    )


def by_ids(db: sqlite3.Connection, ids: Sequence[str]) -> list[Entry]:
    """Entries in the order of the ids; unknown ids are left out."""
    found = {}
    for part in parts(list(dict.fromkeys(ids))):
        for text, *columns in db.execute(
            f"SELECT {TEXT}, {_SELECT} FROM entries e WHERE e.id IN ({marks(part)})",
            part,
        ):
            found[columns[0]] = entry_of(text, columns)
    return [found[entry_id] for entry_id in ids if entry_id in found]


def by_rows(db: sqlite3.Connection, rows: Sequence[int]) -> list[Entry]:
    """Entries in the order of the rows; unknown rows are left out."""
    found = {}
    for part in parts(rows):
        for row, text, *columns in db.execute(
            f"SELECT e.row, {TEXT}, {_SELECT} FROM entries e WHERE e.row IN ({marks(part)})",
            part,
        ):
            found[row] = entry_of(text, columns)
    return [found[row] for row in rows if row in found]


_CURRENT = f"e.row, e.previous, e.next, {_SELECT}"
CURRENT = 3 + len(COLUMNS)
"""How many columns ``current_columns`` gives: row, previous, next, and those of ``entry_of``."""


def current_columns(db: sqlite3.Connection, rows: Sequence[int]) -> list[tuple[Any, ...]]:
    """What may change of each of the rows, in any order."""
    return _of_rows(db, f"SELECT {_CURRENT} FROM entries e", rows)


def all_columns(db: sqlite3.Connection, rows: Sequence[int]) -> list[tuple[Any, ...]]:
    """The current columns, then text, terms, chunks, vectors, tokens, width, words."""
    select = f"SELECT {_CURRENT}, {TEXT}, {TERMS}, m.chunks, m.vectors, m.tokens, m.width, m.words"
    return _of_rows(db, f"{select} FROM entries e LEFT JOIN embeddings m ON m.line = e.line", rows)


def _of_rows(db: sqlite3.Connection, select: str, rows: Sequence[int]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for part in parts(rows):
        found += db.execute(f"{select} WHERE e.row IN ({marks(part)})", part).fetchall()
    return found


def core(db: sqlite3.Connection) -> CoreMemory:
    """Core memory, fields in the order in which they were first set."""
    rows = db.execute("SELECT field, value FROM core ORDER BY rowid").fetchall()
    return {field: json.loads(value) for field, value in rows}


def profile(db: sqlite3.Connection) -> Profile:
    """Speakers and languages of all entries."""
    rows = db.execute("SELECT kind, value FROM profile ORDER BY value").fetchall()
    return Profile(
        tuple(value for kind, value in rows if kind == "speaker"),
        tuple(value for kind, value in rows if kind == "language"),
    )


def session_numbers(db: sqlite3.Connection, *ids: str | None) -> dict[str, int]:
    """Numbers of those of the sessions that exist."""
    numbers = {}
    for session in ids:
        if session is not None:
            found = db.execute("SELECT number FROM sessions WHERE id = ?", (session,)).fetchone()
            if found:
                numbers[session] = found[0]
    return numbers


def visible_sessions(db: sqlite3.Connection) -> list[tuple[int, str, str | None, float, str]]:
    """(number, id, title, first seen, agent) of the sessions that lists show."""
    return db.execute(
        "SELECT number, id, title, at, agent FROM sessions "
        "WHERE NOT hidden AND (last IS NOT NULL OR title IS NOT NULL)"
    ).fetchall()


def beginnings(db: sqlite3.Connection, rows: Sequence[int]) -> dict[int, str]:
    """The first 200 characters of the texts of these rows."""
    found: dict[int, str] = {}
    for part in parts(rows):
        found |= dict(
            db.execute(
                f"SELECT row, substr({TEXT}, 1, 200) FROM entries e WHERE row IN ({marks(part)})",
                part,
            ).fetchall()
        )
    return found


def has_event(db: sqlite3.Connection, event_id: str) -> bool:
    """Whether an event of this id is recorded."""
    return db.execute("SELECT 1 FROM events WHERE event = ?", (event_id,)).fetchone() is not None


def purged_lines(db: sqlite3.Connection, after: int) -> list[tuple[int, int]]:
    """(number, line) of the vectors that were purged after that number."""
    return db.execute("SELECT number, line FROM purged WHERE number > ?", (after,)).fetchall()


def last_op(db: sqlite3.Connection, agent: str | None) -> str | None:
    """The newest operation that changed memory and is neither undone nor an undo."""
    found = db.execute(
        "SELECT op FROM events e WHERE undoable AND undoes IS NULL AND op IS NOT NULL "
        "AND (?1 IS NULL OR agent = ?1) "
        "AND NOT EXISTS (SELECT 1 FROM events u WHERE u.undoes = e.op) "
        "ORDER BY position DESC LIMIT 1",
        (agent,),
    ).fetchone()
    return str(found[0]) if found else None


def spans(
    db: sqlite3.Connection, entry: str | None, op: str | None, after: int, limit: int
) -> list[tuple[int, int, int, str]]:
    """(position, offset, end, event id) of the next events, oldest first."""
    conditions, values = ["position > ?"], [after]
    if entry is not None:
        conditions.append("position IN (SELECT position FROM touched WHERE entry = ?)")
        values.append(entry)  # type: ignore[arg-type]
    if op is not None:
        conditions.append("op = ?")
        values.append(op)  # type: ignore[arg-type]
    return db.execute(
        f"SELECT position, offset, end, event FROM events WHERE {' AND '.join(conditions)} "
        "ORDER BY position LIMIT ?",
        (*values, limit),
    ).fetchall()


def record(db: sqlite3.Connection, event: Event, position: int, offset: int, end: int) -> bool:
    """Note where an event stands; False where one of the same id is there already."""
    done = db.execute(
        "INSERT OR IGNORE INTO events(position, event, op, agent, undoable, undoes, offset, end) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            event["event"],
            event.get("op"),
            event.get("agent") or "",
            event["type"] in UNDOABLE,
            event.get("undoes"),
            offset,
            end,
        ),
    )
    if done.rowcount != 1:
        return False
    db.executemany(
        "INSERT OR IGNORE INTO touched(entry, position) VALUES (?, ?)",
        [(entry_id, position) for entry_id in touched(event)],
    )
    return True


def unrecord(db: sqlite3.Connection, position: int) -> None:
    """Take back ``record``."""
    db.execute("DELETE FROM events WHERE position = ?", (position,))
    db.execute("DELETE FROM touched WHERE position = ?", (position,))


def parts(items: Sequence[Any], size: int = 900) -> Iterable[Sequence[Any]]:
    """The items in pieces that fit into one statement."""
    return (items[start : start + size] for start in range(0, len(items), size))


def marks(items: Sequence[Any]) -> str:
    """Placeholders for that many values."""
    return ",".join("?" * len(items))
