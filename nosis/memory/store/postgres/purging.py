"""Purging: a text leaves every table, and a search of every table proves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nosis.memory import tokenizer
from nosis.memory.store import Event
from nosis.memory.store.postgres import words
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head
from nosis.memory.store.postgres.sending import as_json

_WORDS_OF = ("text", "material", "speaker", "external_id", "reason", "set", "was")
_SEARCHED = (
    ("events", "data::text"),
    ("texts", "text"),
    ("sessions", "coalesce(title, '')"),
    ("core", "value::text"),
)


def purge(connection: Db, at: Head, entry_ids: Sequence[str]) -> list[str]:
    """Take the entries' words out of their events and of the words index.

    The entries themselves are gone already (a ``purge`` event took them out of the state).
    Old versions of the changed rows leave the server's files with its next vacuum.

    Returns:
        Names of the tables that still hold one of the texts.
    """
    found = connection.execute(
        "SELECT position, data FROM nosis.events WHERE workspace = %s AND position IN "
        "(SELECT position FROM nosis.touched WHERE workspace = %s AND entry = ANY(%s))",
        (at.id, at.id, list(entry_ids)),
    ).fetchall()
    texts: set[str] = set()
    rows = []
    for position, event in found:
        if event.get("id") not in entry_ids or event["type"] == "purge":
            continue
        rows.append(position)
        texts |= set(_texts(event))
        kept = {name: value for name, value in event.items() if name not in _WORDS_OF}
        if event["type"] in ("forget", "restore"):
            kept["was"] = event.get("was")  # a status: no words
        else:
            kept["purged"] = True
        connection.execute(
            "UPDATE nosis.events SET data = %s WHERE workspace = %s AND position = %s",
            (as_json(kept), at.id, position),
        )
    terms = [term for text in texts for term in tokenizer.terms(text)]
    words.remove(connection, at.id, terms, rows)
    return [table for table, column in _SEARCHED if _holds(connection, at.id, table, column, texts)]


def _texts(event: Event) -> Iterator[str]:
    for values in (event, event.get("set"), event.get("was")):
        if isinstance(values, dict) and isinstance(text := values.get("text"), str):
            yield text


def _holds(connection: Db, workspace: int, table: str, column: str, texts: set[str]) -> bool:
    for text in texts:
        if not text.strip():
            continue
        wanted: Any = as_json(text)[1:-1] if "::text" in column else text
        sql = (
            f"SELECT 1 FROM nosis.{table} WHERE workspace = %s AND strpos({column}, %s) > 0 LIMIT 1"
        )
        if connection.execute(sql.encode(), (workspace, wanted)).fetchone():
            return True
    return False
