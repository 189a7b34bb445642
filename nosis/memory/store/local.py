"""The local store: files in one folder, no server.

``archival.jsonl`` is the truth; ``index/`` is derived from it and may be deleted. Several
processes may use one workspace: each sees its own writes at once and the others' at its next
call.
"""

from __future__ import annotations

import errno
import functools
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from nosis.errors import ReadOnlyError, StorageError, opened_read_only
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
    catalog,
    embeddings,
    lexical,
    purge,
    repair,
)
from nosis.memory.store.attributes import LIVE, TURN, Attributes, Bool
from nosis.memory.store.batch import LocalBatch
from nosis.memory.store.conversations import listed_sessions
from nosis.memory.store.documents import Documents
from nosis.memory.store.index import Index
from nosis.memory.store.journal import Journal, translated, translating
from nosis.memory.store.lock import WorkspaceLock
from nosis.memory.store.nearest import VectorSearch
from nosis.memory.types import CoreMemory, Entry, Filter

TITLE = 60  # characters of the first message that stand for a missing title


P = ParamSpec("P")
R = TypeVar("R")


def healed(
    method: Callable[Concatenate[LocalStore, P], R],
) -> Callable[Concatenate[LocalStore, P], R]:
    """Repair a damaged index and try once more; other errors of SQLite as StorageError."""

    @functools.wraps(method)
    def call(self: LocalStore, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except sqlite3.Error as error:
            self._index.repair(error)
        try:
            return method(self, *args, **kwargs)
        except sqlite3.Error as error:
            raise repair.explained(error, self._index.path) from error

    return call


class LocalStore:
    """The Store contract over ``archival.jsonl`` and ``index/`` in one workspace folder."""

    def __init__(
        self,
        folder: Path,
        *,
        vector_index: str = "auto",
        progress: Progress | None = None,
        clock: Callable[[], float] = time.time,
        read_only: bool = False,
    ) -> None:
        """Open the workspace in ``folder``, made where it is missing.

        ``read_only`` refuses every write of memory; the index is still brought up to date.

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
        self._temporary: TemporaryDirectory[str] | None = None
        place, locked = folder, False
        try:
            self._lock = WorkspaceLock(folder / "archival.lock")
            with self._lock.held(), translating(folder):
                (folder / "index").mkdir(mode=0o700, exist_ok=True)
                for used in (folder, folder / "index"):  # SQLite makes files beside its own
                    if not os.access(used, os.W_OK):
                        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(used))
        except ReadOnlyError:
            self.notices.append(f"{folder} cannot be written: memory is read, but not changed")
            self._temporary = TemporaryDirectory(prefix="nosis-")
            place, locked = Path(self._temporary.name), True
            self._lock = WorkspaceLock(place / "archival.lock")
            with suppress(OSError):
                (place / "index").mkdir()
                for path in (folder / "index").glob("catalog.sqlite3*"):
                    shutil.copyfile(path, place / "index" / path.name)
        self._read_only = read_only or locked
        self._journal = Journal(folder / "archival.jsonl", read_only=self._read_only)
        self._index = Index(
            place / "index",
            self._journal,
            self._lock,
            self.notices,
            progress=progress,
            clock=clock,
        )
        self._attributes = Attributes()
        self._documents = Documents()
        self._vectors = VectorSearch(
            place / "index" / "chroma", vector_index, self._index.reading, self.notices
        )
        self._model: str | None = None
        self._model = self.embedding_model

    @property
    def read_only(self) -> bool:
        """Whether every write is refused."""
        return self._read_only

    @property
    @healed
    def embedding_model(self) -> str | None:
        """Name of the model that made the stored vectors; None before there were any."""
        with self._index.reading() as db:
            self._model = catalog.value(db, "model")
        return self._model

    @contextmanager
    def write(self) -> Iterator[LocalBatch]:
        """Exclusive among all processes; see the contract."""
        self._check_writable()
        self.core()  # repairs a damaged index before the lock is taken
        with self._lock.held():
            try:
                with self._index.writing() as db:
                    batch = LocalBatch(db)
                    yield batch
                    batch.commit(self._journal)
            except sqlite3.Error as error:
                raise repair.explained(error, self._index.path) from error

    def _check_writable(self) -> None:
        if self._temporary:
            raise ReadOnlyError(
                f"{self.folder} cannot be written",
                "Make the folder writable, or choose another with --home or --workspace.",
            )
        if self._read_only:
            raise opened_read_only(self.folder.name)

    @healed
    def get(self, entry_ids: Sequence[str]) -> list[Entry]:
        """Entries in the order of the ids; unknown ids are left out."""
        with self._index.reading() as db:
            return catalog.by_ids(db, entry_ids)

    @healed
    def find(self, where: Filter, limit: int | None = None, *, by: str = "newest") -> list[Entry]:
        """Entries that pass the filter; ``by`` is "newest", "oldest" or "importance"."""
        with self._index.reading() as db:
            data, mask = self._passing(db, where)
            return catalog.by_rows(db, attributes.ordered(data, mask, by)[:limit].tolist())

    @healed
    def count(self, where: Filter) -> int:
        """How many entries pass the filter."""
        with self._index.reading() as db:
            return int(self._passing(db, where)[1].sum())

    @healed
    def core(self) -> CoreMemory:
        """Core memory as the events left it."""
        with self._index.reading() as db:
            return catalog.core(db)

    @healed
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
        if after < 0:
            with self._index.reading() as db:
                after = max(catalog.meta(db)["position"] + after, 0)
        while page := self._events(entry, op, after):
            yield from page
            after = page[-1][0]

    @healed
    def _events(
        self, entry: str | None, op: str | None, after: int, again: bool = False
    ) -> list[tuple[int, Event]]:
        """The next thousand events."""
        with self._index.reading() as db:
            spans = catalog.spans(db, entry, op, after, 1_000)
            found = self._journal.events([span[1:3] for span in spans]) if spans else []
        page = []
        for (position, _, _, event_id), event in zip(spans, found, strict=True):
            if event is None or event.get("event") != event_id:
                if not again:  # a purge may have replaced the journal at this very moment
                    return self._events(entry, op, after, True)
                raise StorageError(
                    "archival.jsonl was changed by another program", "Run nosis reindex."
                )
            page.append((position, event))
        return page

    @healed
    def last_op(self, agent: str | None = None) -> str | None:
        """The newest operation that changed memory and is neither undone nor an undo."""
        with self._index.reading() as db:
            return catalog.last_op(db, agent)

    @healed
    def profile(self) -> Profile:
        """Speakers and languages of all entries."""
        with self._index.reading() as db:
            return catalog.profile(db)

    @healed
    def search_words(
        self, terms: Sequence[str], limit: int, where: Filter
    ) -> tuple[list[Hit], TermStatistics]:
        """The best entries by BM25; only rows that hold a term."""
        with self._index.reading() as db:
            data, mask = self._passing(db, where)
            statistics = lexical.Statistics(
                catalog.value(db, "documents"), catalog.value(db, "length")
            )
            loaded = lexical.load(db, terms)
        return lexical.rank(
            loaded, terms, limit, passes=mask, lengths=data["length"], statistics=statistics
        )

    @healed
    def search_vectors(self, vector: NDArray[np.float32], limit: int, where: Filter) -> list[Hit]:
        """The best entries by cosine similarity of their nearest chunk."""
        with self._index.reading() as db:
            return self._vectors.search(db, vector, limit, self._passing(db, where)[1])

    @healed
    def documents(self, rows: Sequence[int]) -> list[Document]:
        """What scoring reads of each row, in the order of the rows; unknown ones left out."""
        with self._index.reading() as db:
            return self._documents.read(db, rows)

    @healed
    def unembedded(self, limit: int) -> list[tuple[int, str]]:
        """Rows without vectors, newest first, with their text."""
        with self._index.reading() as db:
            return db.execute(
                f"SELECT e.row, {catalog.TEXT} FROM waiting JOIN entries e USING(row) "
                "ORDER BY row DESC LIMIT ?",
                (limit,),
            ).fetchall()

    @healed
    def add_vectors(self, rows: Sequence[int], embedded: Sequence[Embedded]) -> None:
        """Keep the vectors of these rows.

        Vectors of a model that another process has replaced meanwhile are let go.

        Raises:
            StorageError: their dimensions differ from the stored ones.
        """
        with self._lock.held(), self._index.writing() as db:
            if catalog.value(db, "model") == self._model:
                embeddings.add(db, rows, embedded)

    @healed
    def reset_vectors(self, model: str) -> None:
        """Drop all vectors and record the model that will make the new ones.

        Where another process has just done so for the same model, its vectors stay.
        """
        with self._lock.held(), self._index.writing() as db:
            if catalog.value(db, "model") != model or self._model == model:
                embeddings.reset(db, model)
        self._model = model

    @healed
    def purge(self, entry_ids: Sequence[str]) -> list[str]:
        """Remove the entries' words from every file; names of files that still hold them.

        Where other memories repeat the words, they are replaced there. The journal is
        rewritten, and the index made anew from it.
        """
        self._check_writable()
        ids = frozenset(entry_ids)
        events = [event for entry_id in ids for _, event in self.events(entry=entry_id)]
        texts = purge.words_of(event for event in events if event.get("id") in ids)
        replace = purge.replacing(texts)
        with self._lock.held():
            self._index.rewrite(lambda line: purge.purged(line, ids, replace))
            self._journal.rewrite_set_aside(lambda line: purge.purged(line, ids, replace))
        self._vectors.extend_soon()
        return purge.still_holding(self.folder, texts)

    @healed
    def reindex(self, progress: Progress | None = None) -> None:
        """Rebuild everything derived from the events; vectors of unchanged text are kept."""
        self._index.rebuild(progress)

    @healed
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

    @healed
    def health(self) -> dict[str, Any]:
        """What doctor shows."""
        with self._index.reading() as db:
            meta = catalog.meta(db)
            data = self._columns(db)
            waiting = db.execute("SELECT count(*) FROM waiting").fetchone()[0]
        live = data["status"] == LIVE
        behind = self._journal.size() - meta["offset"]
        return {
            "memories": int(np.count_nonzero(data["status"])),
            "live": int(np.count_nonzero(live)),
            "live facts": int(np.count_nonzero(live & (data["kind"] != TURN))),
            "events": meta["position"],
            "journal bytes": self._journal.size(),
            "journal against index": "in step" if not behind else f"{behind} bytes behind",
            "lines that are not events": meta["foreign_lines"],
            "embedding model": meta["model"],
            "without vectors": waiting,
            **self._vectors.status(),
        }

    def close(self) -> None:
        """Close every file. The store cannot be used afterwards."""
        self._vectors.close()
        self._index.close()
        if self._temporary:
            self._temporary.cleanup()

    def _columns(self, db: Any) -> NDArray[Any]:
        change, build = catalog.value(db, "change"), catalog.value(db, "build")
        read = functools.partial(attributes.changed, db)
        return self._attributes.refresh(change, build, read)

    def _passing(self, db: Any, where: Filter) -> tuple[NDArray[Any], Bool]:
        data = self._columns(db)
        sessions = catalog.session_numbers(db, where.session, where.not_session)
        return data, self._attributes.mask(data, where, sessions)
