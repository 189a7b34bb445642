"""Purging: words leave every table of a workspace, and a search of every table proves it."""

from __future__ import annotations

from collections.abc import Sequence

from nosis.memory.store import purge
from nosis.memory.store.postgres import queries, rebuild
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head
from nosis.memory.store.postgres.sending import as_json

_SEARCHED = (
    ("events", "data::text"),
    ("texts", "text"),
    ("sessions", "title"),
    ("core", "value::text"),
)


def purge_words(connection: Db, at: Head, entry_ids: Sequence[str]) -> list[str]:
    """Take the entries' words out of all events, and make everything derived anew.

    Old versions of the changed rows leave the server's files with its next vacuum; what its
    write-ahead log and its backups hold stays for as long as these are kept.

    Returns:
        Names of the tables that still hold one of the texts.
    """
    ids = frozenset(entry_ids)
    own = [
        event
        for entry_id in ids
        for _, event in queries.events(connection, at.id, entry=entry_id, op=None, after=0)
        if event.get("id") in ids
    ]
    texts = purge.words_of(own)
    replace = purge.replacing(texts)
    changed, after = [], 0
    while page := queries.events(connection, at.id, entry=None, op=None, after=after):
        for position, event in page:
            if (clean := purge.purged_event(event, ids, replace)) != event:
                changed.append((as_json(clean), at.id, position))
        after = page[-1][0]
    connection.cursor().executemany(
        "UPDATE nosis.events SET data = %s WHERE workspace = %s AND position = %s", changed
    )
    rows = [position for *_, position in changed]
    for table in (b"tokens", b"vectors"):
        deleted = connection.execute(
            b"DELETE FROM nosis." + table + b' WHERE workspace = %s AND "row" = ANY(%s)',
            (at.id, rows),
        )
    at.lines -= deleted.rowcount
    rebuild.rebuild(connection, at, None)
    return list(
        dict.fromkeys(
            f"table {table}"
            for table, column in _SEARCHED
            if any(_holds(connection, at.id, table, column, text) for text in texts)
        )
    )


def _holds(connection: Db, workspace: int, table: str, column: str, text: str) -> bool:
    """Whether the text stands there as whole words."""
    wanted = as_json(text)[1:-1] if column.endswith("::text") else text
    sql = f"SELECT {column} FROM nosis.{table} WHERE workspace = %s AND strpos({column}, %s) > 0"
    found = connection.execute(sql.encode(), (workspace, wanted))
    replace = purge.replacing([wanted])
    return any(replace(value) != value for (value,) in found)
