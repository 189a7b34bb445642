"""The local store: files in one folder, no server.

``archival.jsonl`` is the truth; ``index/`` is derived from it and may be deleted. Several
processes may use one workspace: each sees its own writes at once and the others' at its next
call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.errors import StorageError
from nosis.memory.store import (
    Document,
    Embedded,
    Event,
    Hit,
    Progress,
    SessionInfo,
    TermStatistics,
    attributes,
    catalog,
    embeddings,
    lexical,
)
from nosis.memory.store.apply import Writer, split
from nosis.memory.store.attributes import Attributes, Bool
from nosis.memory.store.fold import ForeignEvent, check_schema, fold
from nosis.memory.store.index import Index
from nosis.memory.store.journal import Journal, clean, translated
from nosis.memory.store.lock import WorkspaceLock
from nosis.memory.store.sessions import listed_sessions
from nosis.memory.store.vectors import VectorSearch
from nosis.memory.types import CoreMemory, Entry, Filter


class LocalStore:
    """The Store contract over ``archival.jsonl`` and ``index/`` in one workspace folder."""

    def __init__(
        self,
        folder: Path,
        *,
        vector_index: str = "auto",
        progress: Progress | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Open the workspace in ``folder``, made where it is missing.

        Only the journal's new tail is applied; an index that is missing, damaged or made by
        another version is rebuilt, with ``progress``.

        Raises:
            StorageError: the folder cannot be used, or a newer nosis wrote it.
        """
        self.folder = folder
        self.notices: list[str] = []
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise translated(error, folder) from error
        self._journal = Journal(folder / "archival.jsonl")
        self._lock = WorkspaceLock(folder / "archival.lock")
        self._index = Index(
            folder / "index",
            self._journal,
            self._lock,
            self.notices,
            progress=progress,
            clock=clock,
        )
        self._attributes = Attributes()
        self._vectors = VectorSearch(
            folder / "index" / "chroma", vector_index, self._index.reading, self.notices
        )
        with self._index.reading() as db:
            self.embedding_model: str | None = catalog.meta(db)["model"]

    @contextmanager
    def write(self) -> Iterator[LocalBatch]:
        """Exclusive among all processes; see the contract."""
        with self._lock.held(), self._index.writing() as db:
            batch = LocalBatch(db)
            yield batch
            if batch.events:
                self._commit(batch)

    def _commit(self, batch: LocalBatch) -> None:
        db = batch.db
        meta = catalog.meta(db)
        spans = self._journal.append(batch.events, meta["offset"])
        try:
            position = meta["position"]
            for event, (offset, end) in zip(batch.events, spans, strict=True):
                position += 1
                catalog.record(db, event, position, offset, end)
            batch.writer.flush(offset=spans[-1][1], position=position)
            db.execute("COMMIT")
        except BaseException:
            self._journal.truncate(meta["offset"])
            raise

    def get(self, entry_ids: Sequence[str]) -> list[Entry]:
        """Entries in the order of the ids; unknown ids are left out."""
        with self._index.reading() as db:
            return catalog.by_ids(db, entry_ids)

    def find(self, where: Filter, limit: int | None = None, *, by: str = "newest") -> list[Entry]:
        """Entries that pass the filter; ``by`` is "newest", "oldest" or "importance"."""
        with self._index.reading() as db:
            data, mask = self._passing(db, where)
            return catalog.by_rows(db, attributes.ordered(data, mask, by)[:limit].tolist())

    def count(self, where: Filter) -> int:
        """How many entries pass the filter."""
        with self._index.reading() as db:
            return int(self._passing(db, where)[1].sum())

    def core(self) -> CoreMemory:
        """Core memory as the events left it."""
        with self._index.reading() as db:
            return catalog.core(db)

    def sessions(self) -> list[SessionInfo]:
        """Conversations that are not deleted from the lists, the last used first."""
        with self._index.reading() as db:
            return listed_sessions(
                self._columns(db),
                catalog.visible_sessions(db),
                lambda rows: catalog.beginnings(db, rows),
            )

    def events(
        self, *, entry: str | None = None, op: str | None = None, after: int = 0
    ) -> Iterator[tuple[int, Event]]:
        """(position, event), oldest first. Those of an entry are those that changed it;
        that a prompt held it (``access``) is not among them."""
        while True:
            with self._index.reading() as db:
                spans = catalog.spans(db, entry, op, after, 1_000)
                events = self._journal.events([span[1:3] for span in spans]) if spans else []
            for (position, _, _, event_id), event in zip(spans, events, strict=True):
                if event is None or event["event"] != event_id:
                    raise StorageError(
                        "archival.jsonl was changed by another program", "Run nosis reindex."
                    )
                yield position, event
            if not spans:
                return
            after = spans[-1][0]

    def last_op(self, agent: str | None = None) -> str | None:
        """The newest operation that changed memory and is neither undone nor an undo."""
        with self._index.reading() as db:
            return catalog.last_op(db, agent)

    def search_words(
        self, terms: Sequence[str], limit: int, where: Filter
    ) -> tuple[list[Hit], TermStatistics]:
        """The best entries by BM25; only rows that hold a term."""
        with self._index.reading() as db:
            data, mask = self._passing(db, where)
            statistics = lexical.Statistics(
                catalog.value(db, "documents"), catalog.value(db, "length")
            )
            hits, found = lexical.search(
                lexical.load(db, terms),
                terms,
                limit,
                passes=mask,
                lengths=data["length"],
                statistics=statistics,
            )
            return [Hit(row, score) for row, score in hits], found

    def search_vectors(self, vector: NDArray[np.float32], limit: int, where: Filter) -> list[Hit]:
        """The best entries by cosine similarity of their nearest chunk."""
        with self._index.reading() as db:
            return self._vectors.search(db, vector, limit, self._passing(db, where)[1])

    def documents(self, rows: Sequence[int]) -> list[Document]:
        """What scoring reads of each row, in the order of the rows; unknown ones left out."""
        with self._index.reading() as db:
            found = catalog.documents(db, rows)
        documents = {
            row: Document(
                row, catalog.entry_of(text, rest[5:]), split(terms), embedded, previous, following
            )
            for (row, text, terms, previous, following, *rest), embedded in zip(
                found, embeddings.unpack([item[5:10] for item in found]), strict=True
            )
        }
        return [documents[row] for row in rows if row in documents]

    def unembedded(self, limit: int) -> list[tuple[int, str]]:
        """Rows without vectors, newest first, with their text."""
        with self._index.reading() as db:
            return db.execute(
                "SELECT row, text FROM waiting JOIN texts USING(row) ORDER BY row DESC LIMIT ?",
                (limit,),
            ).fetchall()

    def add_vectors(self, rows: Sequence[int], embedded: Sequence[Embedded]) -> None:
        """Keep the vectors of these rows.

        Raises:
            StorageError: their dimensions differ from the stored ones.
        """
        with self._lock.held(), self._index.writing() as db:
            embeddings.add(db, rows, embedded)

    def reset_vectors(self, model: str) -> None:
        """Drop all vectors and record the model that will make the new ones."""
        with self._lock.held(), self._index.writing() as db:
            embeddings.reset(db, model)
        self.embedding_model = model

    def purge(self, entry_ids: Sequence[str]) -> list[str]:
        raise NotImplementedError

    def reindex(self, progress: Progress | None = None) -> None:
        """Rebuild everything derived from the events; vectors of unchanged text are kept."""
        self._index.rebuild(progress)

    def curated(self) -> int:
        """Position (events) up to which curation has read; 0 where it never ran."""
        with self._index.reading() as db:
            return int(catalog.meta(db).get("curated", 0))

    def warm(self) -> None:
        """Load Chroma, if this process can own it, and keep it up to date from then on.

        Blocking (a second or two); call it from a worker thread of a process that will search
        often. Searches are exact until it is done.
        """
        self._vectors.warm()

    def health(self) -> dict[str, Any]:
        """What doctor shows."""
        raise NotImplementedError

    def close(self) -> None:
        """Close every file. The store cannot be used afterwards."""
        self._vectors.close()
        self._index.close()

    def _columns(self, db: Any) -> NDArray[Any]:
        change, build = catalog.value(db, "change"), catalog.value(db, "build")
        return self._attributes.refresh(change, build, partial(attributes.changed, db))

    def _passing(self, db: Any, where: Filter) -> tuple[NDArray[Any], Bool]:
        data = self._columns(db)
        sessions = catalog.session_numbers(db, where.session, where.not_session)
        return data, self._attributes.mask(data, where, sessions)


class LocalBatch:
    """One write in the making."""

    def __init__(self, db: Any) -> None:
        self.db = db
        self.events: list[Event] = []
        self.writer = Writer(db)
        self._ids: set[str] = set()

    def append(self, *events: Event) -> None:
        """Add events to this write; one whose id is there already is left out.

        Raises:
            StorageError: an event that the fold does not understand.
        """
        for event in map(clean, events):
            check_schema(event)
            try:
                changes = fold(event)
                if event["event"] in self._ids or catalog.has_event(self.db, event["event"]):
                    continue
                self.writer.apply(event, changes)
            except ForeignEvent as error:
                raise StorageError(
                    f"this cannot be recorded: {error}", "Report this fault."
                ) from None
            self._ids.add(event["event"])
            self.events.append(event)

    def get(self, entry_id: str) -> Entry | None:
        """The entry as it is with this write's events."""
        found = catalog.by_ids(self.db, [entry_id])
        return found[0] if found else None

    def core(self) -> CoreMemory:
        """Core memory as it is with this write's events."""
        return catalog.core(self.db)
