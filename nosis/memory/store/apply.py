"""Applying the fold's changes to the catalog's tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from nosis.errors import StorageError
from nosis.memory import tokenizer
from nosis.memory.store import Event, catalog, embeddings, fold
from nosis.memory.store.attributes import AttributeWriter, values
from nosis.memory.store.documents import split
from nosis.memory.store.lexical import LexicalWriter
from nosis.memory.types import Entry, Kind, Status

_Found = tuple[int, Entry, tuple[str, ...], int | None, int | None]
"""(row, entry, terms, previous, next)"""


class Writer:
    """One transaction on the catalog: apply events, then ``flush`` before committing.

    Rows belong to texts: an entry whose text changes moves to a new row, so that whatever
    was indexed under the old row is simply out of date and never wrong.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        meta = catalog.meta(db)
        self._next: int = meta["next_row"]
        self._change: int = meta["change"] + 1
        self._documents: int = meta["documents"]
        self._length: int = meta["length"]
        self._attributes = AttributeWriter(db)
        self._lexical = LexicalWriter(db)

    def apply(self, event: Event, changes: Sequence[fold.Change]) -> None:
        """Take over one event's changes.

        Raises:
            ForeignEvent: the event adds an entry that exists.
        """
        for change in changes:
            match change:
                case fold.Added(entry):
                    self._add(entry)
                case fold.Changed(entry_id, columns):
                    self._alter(entry_id, dict(columns))
                case fold.Accessed(ids, at):
                    self._db.executemany(
                        "UPDATE entries SET accesses = accesses + 1, "
                        "accessed_at = max(coalesce(accessed_at, ?1), ?1) WHERE id = ?2",
                        [(at, entry_id) for entry_id in dict.fromkeys(ids)],
                    )
                case fold.CoreSet(field, value):
                    self._set_core(field, value)
                case fold.Titled(session, title, at):
                    number = self._session(session, at, event.get("agent") or "")
                    self._db.execute(
                        "UPDATE sessions SET title = ?, hidden = ? WHERE number = ?",
                        (title, title is None, number),
                    )
                case fold.Curated(upto):
                    catalog.set_meta(self._db, curated=upto)
                case fold.Purged(ids):
                    for entry_id in ids:
                        self.remove(entry_id)

    def flush(self, **meta: Any) -> None:
        """Write what is collected, together with single values such as the offset reached."""
        self._documents += self._lexical.documents
        self._length += self._lexical.length
        self._lexical.flush()
        self._attributes.flush(self._change)
        catalog.set_meta(
            self._db,
            next_row=self._next,
            change=self._change,
            documents=self._documents,
            length=self._length,
            **meta,
        )

    def remove(self, entry_id: str) -> None:
        """Take an entry out of every table."""
        found = self._find(entry_id)
        if found is None:
            return
        row, entry, terms, previous, following = found
        if entry.status is Status.LIVE:
            self._lexical.count(terms, -1)
        self._attributes.clear(row)
        if entry.kind is Kind.TURN and entry.session:
            self._db.execute("UPDATE entries SET next = ? WHERE row = ?", (following, previous))
            self._db.execute("UPDATE entries SET previous = ? WHERE row = ?", (previous, following))
            self._db.execute("UPDATE sessions SET last = ? WHERE last = ?", (previous, row))
        (line,) = self._db.execute("SELECT line FROM entries WHERE row = ?", (row,)).fetchone()
        if line is not None:
            embeddings.drop(self._db, line)
        for table in ("entries", "long_texts", "waiting"):
            self._db.execute(f"DELETE FROM {table} WHERE row = ?", (row,))

    def _add(self, entry: Entry) -> None:
        exists = self._db.execute("SELECT 1 FROM entries WHERE id = ?", (entry.id,)).fetchone()
        if exists:
            raise fold.ForeignEvent(f"there is an entry {entry.id} already")
        previous = None
        number = self._session(entry.session, entry.created_at, entry.agent)
        if entry.kind is Kind.TURN and number:
            (previous,) = self._db.execute(
                "SELECT last FROM sessions WHERE number = ?", (number,)
            ).fetchone()
        row = self._insert(entry, number, previous, None)
        if entry.kind is Kind.TURN and number:
            self._db.execute("UPDATE entries SET next = ? WHERE row = ?", (row, previous))
            self._db.execute("UPDATE sessions SET last = ? WHERE number = ?", (row, number))

    def _insert(self, entry: Entry, number: int, previous: int | None, after: int | None) -> int:
        row, self._next = self._next, self._next + 1
        terms = tokenizer.terms(entry.text)
        words: tuple[str | None, str | None] = (entry.text, joined := "\n".join(terms))
        if len(entry.text) + len(joined) > catalog.LONG:
            self._db.execute(
                "INSERT INTO long_texts(row, text, terms) VALUES (?, ?, ?)", (row, *words)
            )
            words = (None, None)
        self._db.execute(
            f"INSERT INTO entries(row, {', '.join(catalog.COLUMNS)}, previous, next, text, terms) "
            f"VALUES (?, {catalog.marks(catalog.COLUMNS)}, ?, ?, ?, ?)",
            (row, *(getattr(entry, name) for name in catalog.COLUMNS), previous, after, *words),
        )
        self._db.execute("INSERT INTO waiting(row) VALUES (?)", (row,))
        profile = [("language", tokenizer.language(entry.text)), ("speaker", entry.speaker)]
        self._db.executemany(
            "INSERT OR IGNORE INTO profile(kind, value) VALUES (?, ?)",
            [(kind, value) for kind, value in profile if value],
        )
        self._lexical.add(row, terms)
        if entry.status is Status.LIVE:
            self._lexical.count(terms, 1)
        self._attributes.set(row, values(entry, number, len(terms)))
        return row

    def _alter(self, entry_id: str, columns: dict[str, Any]) -> None:
        found = self._find(entry_id)
        if found is None:
            return
        row, before, terms, previous, following = found
        entry = before._replace(**columns)
        number = self._session(entry.session, entry.created_at, entry.agent)
        if entry.text != before.text:
            self.remove(entry_id)
            moved = self._insert(entry, number, previous, following)
            if entry.kind is Kind.TURN and entry.session:
                self._db.execute("UPDATE entries SET next = ? WHERE row = ?", (moved, previous))
                self._db.execute(
                    "UPDATE entries SET previous = ? WHERE row = ?", (moved, following)
                )
                if following is None:
                    self._db.execute(
                        "UPDATE sessions SET last = ? WHERE number = ?", (moved, number)
                    )
            return
        columns.pop("text", None)
        self._db.execute(
            f"UPDATE entries SET {', '.join(f'{name} = ?' for name in columns)} WHERE row = ?",
            (*columns.values(), row),
        )
        live = (before.status is Status.LIVE, entry.status is Status.LIVE)
        if live[0] != live[1]:
            self._lexical.count(terms, 1 if live[1] else -1)
        self._attributes.set(row, values(entry, number, len(terms)))

    def _find(
        self, entry_id: str
    ) -> tuple[int, Entry, tuple[str, ...], int | None, int | None] | None:
        """An entry with its row, terms and neighbours; its importance as it is without the pin."""
        found = self._db.execute(
            f"SELECT e.row, {catalog.TEXT}, {catalog.TERMS}, e.previous, e.next, "
            f"{', '.join(catalog.COLUMNS)} FROM entries e WHERE e.id = ?",
            (entry_id,),
        ).fetchone()
        if found is None:
            return None
        row, text, terms, previous, following, *columns = found
        entry = catalog.entry_of(text, columns)._replace(importance=columns[4])
        return row, entry, split(terms), previous, following

    def _session(self, session: str | None, at: float, agent: str) -> int:
        """The session's number, 0 for none; a new one is noted."""
        if not session:
            return 0
        found = self._db.execute("SELECT number FROM sessions WHERE id = ?", (session,)).fetchone()
        if found:
            return int(found[0])
        made = self._db.execute(
            "INSERT INTO sessions(id, at, agent) VALUES (?, ?, ?)", (session, at, agent)
        )
        if made.lastrowid is None:
            raise StorageError("the index is damaged", "Run nosis reindex.")
        return made.lastrowid

    def _set_core(self, field: str, value: str | list[str] | None) -> None:
        if value is None:
            self._db.execute("DELETE FROM core WHERE field = ?", (field,))
            return
        self._db.execute(
            "INSERT INTO core(field, value) VALUES (?, ?) "
            "ON CONFLICT(field) DO UPDATE SET value = excluded.value",
            (field, json.dumps(value, ensure_ascii=False)),
        )
