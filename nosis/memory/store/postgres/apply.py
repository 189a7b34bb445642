"""Applying events: one write's changes are made in memory and go out together.

A statement costs a round trip, so a write reads all it needs at once (``_load``), applies the
fold's changes to what it read, and sends the result as one pipeline (``flush``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from nosis.memory import tokenizer
from nosis.memory.store import Event, attributes, catalog, fold
from nosis.memory.store.documents import split
from nosis.memory.store.lexical import Collected
from nosis.memory.store.postgres import sending, words
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head
from nosis.memory.store.postgres.sending import Row, Session
from nosis.memory.types import CoreMemory, Entry, Kind, Status

_Waiting = tuple[Event, Sequence[fold.Change], int]
"""(event, its changes, its position, 0 for the next one)"""

_SELECT = ", ".join(f"e.{name}" for name in catalog.COLUMNS)


class Changes:
    """One write in the making: events applied to an in-memory copy of what they touch."""

    def __init__(
        self,
        connection: Db,
        head: Head,
        *,
        hints: Collection[str] = (),
        replay: bool = False,
    ) -> None:
        """
        Args:
            hints: ids of entries that will be asked for, to be read together.
            replay: the events are recorded already, at the positions told with them.
        """
        self._hints = hints
        self._db = connection
        self._head = head
        self._replay = replay
        self._waiting: list[_Waiting] = []
        self._taken: list[tuple[int, Event]] = []
        self._ids: set[str] = set()
        self._entries: dict[str, Row | None] = {}
        self._rows: dict[int, Row] = {}
        self._links: dict[int, dict[str, int | None]] = {}  # of rows that were not read
        self._gone: dict[int, None] = {}
        self._sessions: dict[str, Session | None] = {}
        self._lexical = Collected()
        self._core: dict[str, tuple[int, str | list[str]]] | None = None
        self._core_before: dict[str, tuple[int, Any]] = {}

    def add(self, event: Event, changes: Sequence[fold.Change], position: int = 0) -> None:
        """Take an event; what it needs is read when it is needed."""
        self._waiting.append((event, changes, position))

    def get(self, entry_id: str) -> Entry | None:
        """The entry as it is with the events of this write."""
        self.settle([entry_id] if entry_id in self._entries else [entry_id, *self._hints])
        row = self._entries[entry_id]
        if row is None:
            return None
        return row.entry._replace(importance=1.0) if row.entry.pinned else row.entry

    def core(self) -> CoreMemory:
        """Core memory as it is with the events of this write."""
        self.settle()
        return {field: value for field, (_, value) in self._core_values().items()}

    def settle(self, wanted: Iterable[str] = ()) -> None:
        """Apply the events taken so far, after reading what they and the caller need.

        Raises:
            ForeignEvent: an event adds an entry that exists.
        """
        fresh, self._waiting = self._fresh(self._waiting), []
        self._load([*wanted, *(i for _, changes, _ in fresh for i in _entry_ids(changes))])
        self._load_sessions([changes for _, changes, _ in fresh])
        for event, changes, position in fresh:
            self._head.position = position or self._head.position + 1
            if not self._replay:
                self._taken.append((self._head.position, event))
            for change in changes:
                self._apply(event, change)

    def flush(self) -> None:
        """Send everything; the caller commits."""
        self.settle()
        self._head.documents += self._lexical.documents
        self._head.length += self._lexical.length
        for number in sorted(self._rows):
            row = self._rows[number]
            if row.new:
                self._lexical.add(number, row.terms)
        words.write(self._db, self._head.id, self._lexical)
        sending.drop_rows(self._db, self._head, self._gone)
        with self._db.pipeline():
            sending.send_events(self._db, self._head, self._taken)
            sending.send_rows(self._db, self._head, self._rows.values(), self._links)
            sending.send_sessions(self._db, self._head, self._sessions)
            if self._core is not None:
                sending.send_core(self._db, self._head, self._core_before, self._core)

    @property
    def empty(self) -> bool:
        """Whether nothing new came."""
        self.settle()
        return not self._taken

    # -- reading ---------------------------------------------------------------------------

    def _fresh(self, waiting: list[_Waiting]) -> list[_Waiting]:
        """Those whose event is not recorded yet, each once."""
        if self._replay or not waiting:
            return waiting
        found = self._db.execute(
            "SELECT event FROM nosis.events WHERE workspace = %s AND event = ANY(%s)",
            (self._head.id, [event["event"] for event, *_ in waiting]),
        )
        self._ids |= {event for (event,) in found}
        fresh = []
        for item in waiting:
            if (event_id := item[0]["event"]) not in self._ids:
                self._ids.add(event_id)
                fresh.append(item)
        return fresh

    def _load(self, entry_ids: Iterable[str]) -> None:
        missing = [i for i in dict.fromkeys(entry_ids) if i not in self._entries]
        if not missing:
            return
        self._entries |= dict.fromkeys(missing)
        found = self._db.cursor(binary=True).execute(
            b'SELECT e."row", t.text, t.terms, e.previous, e.next, e.attributes, '
            + _SELECT.encode()
            + b' FROM nosis.entries e JOIN nosis.texts t USING (workspace, "row") '
            b"WHERE e.workspace = %s AND e.id = ANY(%s)",
            (self._head.id, missing),
        )
        for number, text, terms, previous, following, packed, *columns in found:
            entry = catalog.entry_of(text, columns)._replace(importance=columns[4])
            session = int(np.frombuffer(packed, attributes.COLUMNS)["session"][0])
            row = Row(number, entry, split(terms), session, previous, following, packed=packed)
            for side, value in self._links.pop(number, {}).items():
                setattr(row, side, value)
                row.touched = True
            self._entries[entry.id] = self._rows[number] = row

    def _load_sessions(self, fresh: Sequence[Sequence[fold.Change]]) -> None:
        if not fresh:
            return
        wanted = {
            session
            for changes in fresh
            for change in changes
            if (session := _session_id(change)) and session not in self._sessions
        }
        wanted |= {
            row.entry.session
            for row in self._entries.values()
            if row and row.entry.session and row.entry.session not in self._sessions
        }
        if not wanted:
            return
        self._sessions |= dict.fromkeys(wanted)
        for session, *columns in self._db.execute(
            "SELECT id, number, title, hidden, at, agent, last FROM nosis.sessions "
            "WHERE workspace = %s AND id = ANY(%s)",
            (self._head.id, list(wanted)),
        ):
            self._sessions[session] = Session(*columns)

    def _core_values(self) -> dict[str, tuple[int, Any]]:
        if self._core is None:
            found = self._db.execute(
                "SELECT field, ordinal, value FROM nosis.core WHERE workspace = %s "
                "ORDER BY ordinal",
                (self._head.id,),
            )
            self._core = {field: (ordinal, value) for field, ordinal, value in found}
            self._core_before = dict(self._core)
        return self._core

    # -- applying --------------------------------------------------------------------------

    def _apply(self, event: Event, change: fold.Change) -> None:
        match change:
            case fold.Added(entry):
                self._add(entry)
            case fold.Changed(entry_id, columns):
                self._alter(entry_id, columns)
            case fold.Accessed(ids, at):
                self._count(ids, at)
            case fold.CoreSet(field, value):
                self._set_core(field, value)
            case fold.Titled(session, title, at):
                found = self._session(session, at, event.get("agent") or "")
                found.title, found.hidden, found.touched = title, title is None, True
            case fold.Curated(upto):
                self._head.curated = upto
            case fold.Purged(ids):
                for row in filter(None, map(self._entries.get, ids)):
                    self._remove(row)

    def _count(self, ids: Sequence[str], at: float) -> None:
        for row in filter(None, map(self._entries.get, dict.fromkeys(ids))):
            entry = row.entry
            at_last = max(entry.accessed_at or at, at)
            row.entry = entry._replace(accesses=entry.accesses + 1, accessed_at=at_last)
            row.touched = True

    def _set_core(self, field: str, value: str | list[str] | None) -> None:
        core = self._core_values()
        if value is None:
            core.pop(field, None)
        else:
            core[field] = (core[field][0] if field in core else self._head.position, value)

    def _add(self, entry: Entry) -> None:
        if self._entries.get(entry.id):
            raise fold.ForeignEvent(f"there is an entry {entry.id} already")
        session = None
        if entry.session:
            session = self._session(entry.session, entry.created_at, entry.agent)
        row = self._place(entry, session.number if session else 0)
        if entry.kind is Kind.TURN and session:
            row.previous = session.last
            self._link(row.previous, "next", row.number)
            session.last, session.touched = row.number, True

    def _place(self, entry: Entry, session: int) -> Row:
        """A new row for a text: its number is the position of the event that brought it."""
        row = Row(self._head.position, entry, tuple(tokenizer.terms(entry.text)), session, new=True)
        self._entries[entry.id] = self._rows[row.number] = row
        if entry.status is Status.LIVE:
            self._lexical.count(row.terms, 1)
        return row

    def _alter(self, entry_id: str, columns: Any) -> None:
        row = self._entries.get(entry_id)
        if row is None:
            return
        entry = row.entry._replace(**columns)
        if entry.text != row.entry.text:
            previous, following = row.previous, row.next
            session = self._sessions.get(entry.session) if entry.session else None
            was_last = session is not None and session.last == row.number
            self._remove(row)
            moved = self._place(entry, row.session)
            if entry.kind is Kind.TURN and session:
                moved.previous, moved.next = previous, following
                self._link(previous, "next", moved.number)
                self._link(following, "previous", moved.number)
                if was_last:
                    session.last, session.touched = moved.number, True
            return
        live = (row.entry.status is Status.LIVE, entry.status is Status.LIVE)
        if live[0] != live[1]:
            self._lexical.count(row.terms, 1 if live[1] else -1)
        row.entry, row.touched = entry, True

    def _remove(self, row: Row) -> None:
        entry = row.entry
        if entry.status is Status.LIVE:
            self._lexical.count(row.terms, -1)
        if entry.kind is Kind.TURN and entry.session:
            self._link(row.previous, "next", row.next)
            self._link(row.next, "previous", row.previous)
            session = self._sessions.get(entry.session)
            if session and session.last == row.number:
                session.last, session.touched = row.previous, True
        self._entries[entry.id] = None
        del self._rows[row.number]
        if not row.new:
            self._gone[row.number] = None

    def _link(self, number: int | None, side: str, value: int | None) -> None:
        if number is None:
            return
        if row := self._rows.get(number):
            setattr(row, side, value)
            row.touched = True
        else:
            self._links.setdefault(number, {})[side] = value

    def _session(self, session: str, at: float, agent: str) -> Session:
        found = self._sessions.get(session)
        if found is None:
            found = Session(self._head.position, None, False, at, agent, None, touched=True)
            self._sessions[session] = found
        return found


def _entry_ids(changes: Sequence[fold.Change]) -> Iterable[str]:
    for change in changes:
        match change:
            case fold.Added(entry):
                yield entry.id
            case fold.Changed(entry_id):
                yield entry_id
            case fold.Accessed(ids) | fold.Purged(ids):
                yield from ids


def _session_id(change: fold.Change) -> str | None:
    match change:
        case fold.Added(entry):
            return entry.session
        case fold.Titled(session):
            return session
    return None
