"""What one write changed, as rows in memory and as the statements that send it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nosis.memory import tokenizer
from nosis.memory.store import Event, attributes, catalog, fold
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head
from nosis.memory.types import Entry

Core = Mapping[str, tuple[int, Any]]
"""Field -> (position at which it was first set, value)."""

_COUNTED = (*catalog.COLUMNS[1:], "previous", "next")  # all but the id, which never changes
_TOLD = (*_COUNTED, "change", "attributes")


@dataclass(slots=True)
class Row:
    """One entry at its row; its importance is what it is without the pin."""

    number: int
    entry: Entry
    terms: tuple[str, ...]
    session: int  # number, 0 for none
    previous: int | None = None
    next: int | None = None
    packed: bytes = b""  # its attributes as they are stored
    new: bool = False
    touched: bool = False

    def columns(self) -> tuple[Any, ...]:
        """The values of ``_COUNTED``."""
        values = (getattr(self.entry, name) for name in catalog.COLUMNS[1:])
        return (*values, self.previous, self.next)

    def pack(self) -> bytes:
        """Its attributes as they are now."""
        values = attributes.values(self.entry, self.session, len(self.terms))
        return np.array(values, attributes.COLUMNS).tobytes()


@dataclass(slots=True)
class Session:
    """One conversation; ``last`` is the row of its newest message."""

    number: int
    title: str | None
    hidden: bool
    at: float
    agent: str
    last: int | None
    touched: bool = False


def send_events(connection: Db, head: Head, taken: Sequence[tuple[int, Event]]) -> None:
    """Append the events, and note which entries each one touches."""
    _many(
        connection,
        "INSERT INTO nosis.events(workspace, position, event, op, agent, undoable, undoes, data) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
        [
            (
                head.id,
                position,
                event["event"],
                event.get("op"),
                event.get("agent") or "",
                event["type"] in fold.UNDOABLE,
                event.get("undoes"),
                as_json(event),
            )
            for position, event in taken
        ],
    )
    _many(
        connection,
        "INSERT INTO nosis.touched(workspace, entry, position) VALUES (%s, %s, %s) "
        "ON CONFLICT DO NOTHING",
        [
            (head.id, entry_id, position)
            for position, event in taken
            for entry_id in fold.touched(event)
        ],
    )


def drop_rows(connection: Db, head: Head, gone: Collection[int]) -> None:
    """Take rows out of every table that is keyed by them."""
    if not gone:
        return
    for table in (b"entries", b"texts", b"waiting", b"tokens", b"vectors"):
        deleted = connection.execute(
            b"DELETE FROM nosis." + table + b' WHERE workspace = %s AND "row" = ANY(%s)',
            (head.id, list(gone)),
        )
    head.lines -= deleted.rowcount
    _many(
        connection,
        'INSERT INTO nosis.gone(workspace, change, "row") VALUES (%s, %s, %s)',
        [(head.id, head.position, number) for number in gone],
    )


def send_rows(
    connection: Db,
    head: Head,
    rows: Collection[Row],
    links: Mapping[int, Mapping[str, int | None]],
) -> None:
    """Insert new rows, update touched ones; ``links`` are new neighbours of rows not read."""
    new = [row for row in rows if row.new]
    names = ("workspace", '"row"', "id", *_TOLD)
    _many(
        connection,
        f"INSERT INTO nosis.entries({', '.join(names)}) VALUES ({', '.join(['%s'] * len(names))})",
        [(head.id, r.number, r.entry.id, *r.columns(), head.position, r.pack()) for r in new],
    )
    _many(
        connection,
        'INSERT INTO nosis.texts(workspace, "row", text, terms) VALUES (%s, %s, %s, %s)',
        [(head.id, row.number, row.entry.text, "\n".join(row.terms)) for row in new],
    )
    _many(
        connection,
        'INSERT INTO nosis.waiting(workspace, "row") VALUES (%s, %s)',
        [(head.id, row.number) for row in new],
    )
    _many(
        connection,
        "INSERT INTO nosis.profile(workspace, kind, value) VALUES (%s, %s, %s) "
        "ON CONFLICT DO NOTHING",
        sorted({(head.id, kind, value) for row in new for kind, value in _profile(row.entry)}),
    )
    old = [row for row in rows if row.touched and not row.new]
    _update(
        connection,
        _TOLD,
        [
            (*row.columns(), head.position, packed, head.id, row.number)
            for row in old
            if (packed := row.pack()) != row.packed
        ],
    )
    # An entry that was merely counted as used has the same attributes: no index changes, and no
    # client needs to read it again.
    _update(
        connection,
        _COUNTED,
        [(*row.columns(), head.id, row.number) for row in old if row.pack() == row.packed],
    )
    for number, sides in links.items():
        for side, value in sides.items():
            _update(connection, (side,), [(value, head.id, number)])


def send_sessions(connection: Db, head: Head, sessions: Mapping[str, Session | None]) -> None:
    """Insert or update the sessions that were touched."""
    _many(
        connection,
        "INSERT INTO nosis.sessions(workspace, number, id, title, hidden, at, agent, last) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (workspace, number) DO UPDATE "
        "SET title = excluded.title, hidden = excluded.hidden, last = excluded.last",
        [
            (head.id, s.number, session, s.title, s.hidden, s.at, s.agent, s.last)
            for session, s in sessions.items()
            if s and s.touched
        ],
    )


def send_core(connection: Db, head: Head, before: Core, now: Core) -> None:
    """Write the fields of core memory that changed."""
    _many(
        connection,
        "DELETE FROM nosis.core WHERE workspace = %s AND field = %s",
        [(head.id, field) for field in before.keys() - now.keys()],
    )
    _many(
        connection,
        "INSERT INTO nosis.core(workspace, field, ordinal, value) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (workspace, field) DO UPDATE "
        "SET ordinal = excluded.ordinal, value = excluded.value",
        [
            (head.id, field, ordinal, as_json(value))
            for field, (ordinal, value) in now.items()
            if before.get(field) != (ordinal, value)
        ],
    )


def as_json(value: Any) -> str:
    """JSON that keeps the order of keys and every character."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _profile(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "language", tokenizer.language(entry.text)
    if entry.speaker:
        yield "speaker", entry.speaker


def _update(connection: Db, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    columns = ", ".join(f"{name} = %s" for name in names)
    sql = f'UPDATE nosis.entries SET {columns} WHERE workspace = %s AND "row" = %s'
    _many(connection, sql, rows)


def _many(connection: Db, sql: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        connection.cursor().executemany(sql.encode(), rows)
