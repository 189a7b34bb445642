"""The Store contract over PostgreSQL.

Events, state, vectors and words change in one transaction, under an advisory lock of the
workspace; reads see one snapshot. A client keeps the attributes of its workspace's rows in
memory (28 bytes each) and reads what changed since its last call, so that each call sees what
any process has committed.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import psycopg
from numpy.typing import NDArray

from nosis.errors import UnreachableError, opened_read_only
from nosis.memory import tokenizer
from nosis.memory.store import (
    Document,
    Embedded,
    Event,
    Hit,
    Profile,
    Progress,
    SessionInfo,
    TermStatistics,
    attributes,
    lexical,
)
from nosis.memory.store.attributes import Attributes, Bool
from nosis.memory.store.conversations import listed_sessions
from nosis.memory.store.postgres import columns, head, purging, queries, rebuild, vectors, words
from nosis.memory.store.postgres.apply import Changes
from nosis.memory.store.postgres.batch import PostgresBatch
from nosis.memory.store.postgres.database import (
    Database,
    Db,
    passing,
    shared,
    translated,
)
from nosis.memory.store.postgres.head import Head
from nosis.memory.types import CoreMemory, Entry, Filter

T = TypeVar("T")
RECENT = 64  # ids


class PostgresStore:
    """One workspace of a database.

    Args:
        url: ``postgresql://…`` of the server.
        workspace: its name; made where there is none.
        progress: called while an index of an older version is rebuilt.

    A server that does not answer is no error here, but at each call that needs it.

    Raises:
        StorageError: the server refuses, or a newer nosis made its tables.
    """

    def __init__(
        self,
        url: str,
        workspace: str,
        *,
        progress: Progress | None = None,
        read_only: bool = False,
    ) -> None:
        self.workspace = workspace
        self.read_only = read_only
        self.notices: list[str] = []
        self._database: Database = shared(url)
        self._progress = progress
        self._writing = threading.Lock()
        self._mine = threading.local()  # this thread's write, and what it read last
        self._opening = threading.Lock()
        self._id: int | None = None
        self._model: str | None = None  # as this process last saw it
        self._attributes = Attributes()
        try:
            with suppress(UnreachableError):  # said by the first call that needs the server
                self._workspace()
        except BaseException:
            self._database.release()
            raise

    @property
    def embedding_model(self) -> str | None:
        """Name of the model that made the stored vectors; None where there are none yet."""
        self._model = self._query(queries.model)
        return self._model

    # -- writing ---------------------------------------------------------------------------

    @contextmanager
    def write(self) -> Iterator[PostgresBatch]:
        """Exclusive among all processes; see the contract.

        The events of a write whose connection breaks at its end are sent again on another one;
        those that had arrived are not recorded twice.
        """
        with self._exclusive() as (db, at):
            batch = PostgresBatch(Changes(db, at, hints=self._recent()))
            yield batch
            try:
                batch.commit(db, at)
                return
            except psycopg.Error as error:
                if not passing(error):
                    raise
        self._database.run(partial(self._deliver, batch.events))

    def _deliver(self, events: Sequence[Event], db: Db) -> None:
        at = head.lock(db, self._workspace())
        batch = PostgresBatch(Changes(db, at))
        batch.append(*events)
        batch.commit(db, at)

    @contextmanager
    def _exclusive(self) -> Iterator[tuple[Db, Head]]:
        """A transaction as the only writer; the caller commits. This thread reads through it."""
        if self._write() is not None:
            raise RuntimeError("a write within a write")
        if self.read_only:
            raise opened_read_only(self.workspace)
        workspace = self._workspace()
        with self._writing:  # one connection waits for the lock, not one a thread
            db, at = self._database.begin(lambda db: head.lock(db, workspace))
            self._mine.writing = (db, replace(at))  # as it is committed
            try:
                yield db, at
            except psycopg.Error as error:
                raise self._translated(error) from error
            finally:
                self._mine.writing = None
                self._recent().clear()
                self._database.give_back(db)

    def add_vectors(self, rows: Sequence[int], embedded: Sequence[Embedded]) -> None:
        """Keep the vectors of these rows.

        Vectors of a model that another process has replaced meanwhile are let go.

        Raises:
            StorageError: their dimensions differ from the stored ones.
        """
        with self._exclusive() as (db, at):
            if at.model != self._model:
                return
            vectors.add(db, at, rows, embedded)
            head.save(db, at)
            db.execute("COMMIT")

    def reset_vectors(self, model: str) -> None:
        """Drop all vectors and record the model that will make the new ones.

        Where another process has just done so for the same model, its vectors stay.
        """
        with self._exclusive() as (db, at):
            if at.model != model or self._model == model:
                vectors.reset(db, at, model)
                head.save(db, at)
                db.execute("COMMIT")
        self._model = model

    def purge(self, entry_ids: Sequence[str]) -> list[str]:
        """Take the entries' texts out of every table; names of tables that still hold them."""
        with self._exclusive() as (db, at):
            left = purging.purge_words(db, at, entry_ids)
            db.execute("COMMIT")
        return left

    def reindex(self, progress: Progress | None = None) -> None:
        """Rebuild everything derived from the events; vectors of unchanged text are kept."""
        with self._exclusive() as (db, at):
            rebuild.rebuild(db, at, progress)
            db.execute("COMMIT")
        self.warm()

    # -- reading ---------------------------------------------------------------------------

    def get(self, entry_ids: Sequence[str]) -> list[Entry]:
        """Entries in the order of the ids; unknown ids are left out."""
        return self._query(lambda db, workspace: columns.by_ids(db, workspace, entry_ids))

    def find(self, where: Filter, limit: int | None = None, *, by: str = "newest") -> list[Entry]:
        """Entries that pass the filter; ``by`` is "newest", "oldest" or "importance"."""

        def read(db: Db, at: Head) -> list[Entry]:
            data, mask = self._passing(db, at, where)
            rows = attributes.ordered(data, mask, by)[:limit]
            return columns.by_rows(db, at.id, rows.tolist())

        return self._read(read)

    def count(self, where: Filter) -> int:
        """How many entries pass the filter."""
        return self._read(lambda db, at: int(self._passing(db, at, where)[1].sum()))

    def core(self) -> CoreMemory:
        """Core memory as the events left it."""
        return self._query(queries.core)

    def sessions(self) -> list[SessionInfo]:
        """Conversations that are not deleted from the lists, the last used first."""
        return self._read(
            lambda db, at: listed_sessions(
                self._columns(db, at),
                queries.visible_sessions(db, at.id),
                lambda rows: queries.beginnings(db, at.id, rows),
            )
        )

    def events(
        self, *, entry: str | None = None, op: str | None = None, after: int = 0
    ) -> Iterator[tuple[int, Event]]:
        """(position, event), oldest first. Those of an entry are those that changed it;
        that a prompt held it (``access``) is not among them."""
        if after < 0:
            after = max(self._query(queries.position) + after, 0)
        while True:
            found = self._query(partial(queries.events, entry=entry, op=op, after=after))
            yield from found
            if len(found) < queries.PAGE:
                return
            after = found[-1][0]

    def curated(self) -> int:
        """Position (events) up to which curation has read; 0 where it never ran."""
        return self._read(lambda db, at: at.curated)

    def last_op(self, agent: str | None = None) -> str | None:
        """The newest operation that changed memory and is neither undone nor an undo."""
        return self._query(lambda db, workspace: queries.last_op(db, workspace, agent))

    def profile(self) -> Profile:
        """Speakers and languages of all entries."""
        return self._query(queries.profile)

    def search_words(
        self, terms: Sequence[str], limit: int, where: Filter
    ) -> tuple[list[Hit], TermStatistics]:
        """The best entries by BM25; only rows that hold a term."""

        def read(db: Db, at: Head) -> tuple[list[Hit], TermStatistics]:
            data, mask = self._passing(db, at, where)
            return lexical.rank(
                words.load(db, at.id, terms),
                terms,
                limit,
                passes=mask,
                lengths=data["length"],
                statistics=lexical.Statistics(at.documents, at.length),
            )

        return self._read(read)

    def search_vectors(self, vector: NDArray[np.float32], limit: int, where: Filter) -> list[Hit]:
        """The best entries by cosine similarity of their nearest chunk."""
        return self._read(
            lambda db, at: vectors.search(db, at, vector, limit, self._passing(db, at, where)[1])
        )

    def documents(self, rows: Sequence[int]) -> list[Document]:
        """What scoring reads of each row, in the order of the rows; unknown ones left out."""
        found = self._read(lambda db, at: columns.documents(db, at.id, rows)) if rows else []
        self._recent().extend(document.entry.id for document in found)
        return found

    def unembedded(self, limit: int) -> list[tuple[int, str]]:
        """Rows without vectors, newest first, with their text."""
        return self._query(lambda db, workspace: queries.unembedded(db, workspace, limit))

    def warm(self) -> None:
        """Make the index of a large workspace where there is none yet. Writers go on meanwhile."""
        at = self._read(lambda db, at: at)
        if at.lines < vectors.INDEXED:
            return
        try:
            with self._database.direct() as db:
                vectors.build_index(db, at)
        except psycopg.Error as error:
            raise self._translated(error) from error

    def health(self) -> dict[str, Any]:
        """What doctor shows: versions, migrations, counts, which vector index serves, latency."""
        return self._read(queries.health)

    def close(self) -> None:
        """Let go of the server; the store cannot be used afterwards."""
        self._database.release()

    # -- inside ----------------------------------------------------------------------------

    def _write(self) -> tuple[Db, Head] | None:
        """The connection of this thread's write, and the head as it is committed."""
        return getattr(self._mine, "writing", None)

    def _recent(self) -> deque[str]:
        """Ids that this thread read last: a write will ask for them one by one."""
        if not hasattr(self._mine, "recent"):
            self._mine.recent = deque[str](maxlen=RECENT)
        recent: deque[str] = self._mine.recent
        return recent

    def _workspace(self) -> int:
        """The workspace's number; opens it at the first call that reaches the server."""
        if self._id is None:
            with self._opening:
                if self._id is None:
                    at = self._database.run(lambda db: head.enter(db, self.workspace))
                    self._id, self._model = at.id, at.model
                    if (at.version, at.tokenizer) != (head.VERSION, tokenizer.VERSION):
                        self.notices.append("the index is of another version: rebuilt")
                        self.reindex(self._progress)
        return self._id

    def _query(self, work: Callable[[Db, int], T]) -> T:
        """The result of a single statement."""
        workspace = self._workspace()
        if (mine := self._write()) is not None:
            return work(mine[0], workspace)
        return self._database.run(lambda db: work(db, workspace))

    def _read(self, work: Callable[[Db, Head], T]) -> T:
        """The result of several statements that see the same moment."""
        workspace = self._workspace()
        if (mine := self._write()) is not None:
            return work(*mine)  # what is committed, since the write's own events are still here

        def once(db: Db) -> T:
            at = head.snapshot(db, workspace)
            result = work(db, at)
            db.execute("COMMIT")
            return result

        return self._database.run(once)

    def _columns(self, db: Db, at: Head) -> NDArray[Any]:
        read = partial(columns.changed, db, at.id)
        data = self._attributes.refresh(at.position, str(at.build), read)
        if len(data) > at.position:
            return data
        # Postings may name any position; rows that hold no entry (any more) pass no filter.
        return np.concatenate((data, np.zeros(at.position + 1 - len(data), attributes.COLUMNS)))

    def _passing(self, db: Db, at: Head, where: Filter) -> tuple[NDArray[Any], Bool]:
        data = self._columns(db, at)
        sessions = queries.session_numbers(db, at.id, where.session, where.not_session)
        return data, self._attributes.mask(data, where, sessions)

    def _translated(self, error: psycopg.Error) -> Exception:
        if passing(error):
            return self._database.unreachable()
        return translated(error, self._database.place)
