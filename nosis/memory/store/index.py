"""The catalog of one open workspace: connections, catching up with the journal, rebuilding."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from nosis.errors import StorageError
from nosis.memory import tokenizer
from nosis.memory.store import Progress, catalog, embeddings, repair
from nosis.memory.store.apply import Writer
from nosis.memory.store.fold import ForeignEvent, check_schema, fold
from nosis.memory.store.journal import Journal, Line, Torn, translated, translating
from nosis.memory.store.lock import WorkspaceLock
from nosis.memory.times import to_iso

BATCH = 2_000  # events a flush while catching up


class Index:
    """Everything below ``index/`` that SQLite keeps; never more up to date than the journal."""

    def __init__(
        self,
        folder: Path,
        journal: Journal,
        lock: WorkspaceLock,
        notices: list[str],
        *,
        progress: Progress | None,
        clock: Callable[[], float],
    ) -> None:
        self.path = folder / "catalog.sqlite3"
        self._journal = journal
        self._lock = lock
        self._notices = notices
        self._progress = progress
        self._clock = clock
        self._idle: list[catalog.Connection] = []
        self._guard = threading.Lock()
        self._inode = 0
        with self._lock.held():
            try:
                self._open()
            except sqlite3.DatabaseError as error:
                if not repair.damaged(error):
                    raise repair.explained(error, self.path) from error
                self._replace()

    def _open(self) -> None:
        """Create, check and catch up. The lock is held."""
        self.close()
        with translating(self.path):
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self._inode = self.path.stat().st_ino
        with self._borrowed() as db:
            with transaction(db):
                catalog.create_meta(db)
                meta = catalog.meta(db)
                if meta.get("vectors_version") != catalog.VECTORS_VERSION:
                    if meta:
                        self._notices.append("the index is of another version: vectors made anew")
                    self._empty(db, vectors=True)
                elif (meta["version"], meta["tokenizer"]) != (catalog.VERSION, tokenizer.VERSION):
                    self._notices.append("the index is of another version: rebuilt")
                    self._rebuild(db, self._progress)
            self._catch_up(db)

    def repair(self, error: sqlite3.Error) -> None:
        """Make a damaged catalog anew, keeping the vectors that can be read.

        Raises:
            StorageError: the error does not come from damage.
        """
        if not repair.damaged(error) or self._lock.is_mine():
            raise repair.explained(error, self.path) from error
        with self._lock.held():
            if self.path.exists() and self.path.stat().st_ino == self._inode:
                self._replace()

    def _replace(self) -> None:
        """Put a new catalog in the place of a damaged one. The lock is held."""
        self.close()
        damaged, new = self.path.with_suffix(".damaged"), self.path.with_suffix(".new")
        with translating(self.path):
            for end in ("", "-wal", "-shm"):
                new.with_name(new.name + end).unlink(missing_ok=True)
                source = self.path.with_name(self.path.name + end)
                if source.exists():
                    source.replace(damaged.with_name(damaged.name + end))
            os.close(os.open(new, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(catalog.connect(new)) as db, transaction(db):
            catalog.create_meta(db)
            self._empty(db, vectors=True)
            repair.salvage(damaged, db)
            self._rebuild(db, self._progress)
        with translating(self.path):
            new.replace(self.path)
            for end in ("", "-wal", "-shm"):
                damaged.with_name(damaged.name + end).unlink(missing_ok=True)
        self._inode = self.path.stat().st_ino
        self._notices.append("the index was damaged: rebuilt from archival.jsonl")

    def rebuild(self, progress: Progress | None = None) -> None:
        """Make everything but the vectors of unchanged texts anew from the journal."""
        with self._lock.held(), self._borrowed() as db, transaction(db):
            self._rebuild(db, progress)

    def rewrite(self, change: Callable[[bytes], bytes]) -> None:
        """Change lines of the journal and everything derived from them. The lock is held.

        Nothing of the old lines remains in the catalog's files, unless another process is
        reading them at this moment.
        """
        with self._borrowed() as db:
            self._catch_up(db)
            with transaction(db):
                catalog.set_meta(db, rewriting=True)  # a catalog found so is rebuilt
            copy = self._journal.rewritten(change)
            with transaction(db):
                self._rebuild(db, self._progress, Journal(copy))
                self._journal.replace_by(copy)
            for _ in range(50):
                (busy, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    break
                time.sleep(0.02)

    def _rebuild(
        self, db: sqlite3.Connection, progress: Progress | None, journal: Journal | None = None
    ) -> None:
        self._empty(db, vectors=False)
        self._apply_tail(db, catalog.meta(db), progress, journal)
        embeddings.remap(db)

    def _empty(self, db: sqlite3.Connection, *, vectors: bool) -> None:
        catalog.create(db, vectors=vectors)
        catalog.set_meta(
            db,
            version=catalog.VERSION,
            tokenizer=tokenizer.VERSION,
            vectors_version=catalog.VECTORS_VERSION,
            offset=0,
            position=0,
            last=None,
            next_row=1,
            change=0,
            documents=0,
            length=0,
            foreign_lines=0,
            rewriting=False,
            build=uuid.uuid4().hex,
        )
        if vectors:
            catalog.set_meta(
                db, model=None, dimensions=None, next_line=0, sealed=0, vectors=uuid.uuid4().hex
            )

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A snapshot of the state that holds every event acknowledged so far."""
        self._follow()
        with self._borrowed() as db:
            try:
                db.execute("BEGIN")
                if catalog.value(db, "offset") != self._journal.size():
                    db.execute("ROLLBACK")
                    with self._lock.held_if_free() as held:
                        if held:
                            self._catch_up(db)
                    db.execute("BEGIN")
                yield db
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction on the caught-up catalog; the caller holds the lock."""
        self._follow()
        with self._borrowed() as db:
            self._catch_up(db)
            with transaction(db):
                yield db

    def _follow(self) -> None:
        """Notice that the catalog was replaced or deleted."""
        try:
            inode = self.path.stat().st_ino
        except FileNotFoundError:
            if self._lock.is_mine():
                self._open()
            else:
                with self._lock.held():
                    self._open()
            return
        except OSError as error:
            raise translated(error, self.path) from error
        if inode != self._inode:
            self.close()
            self._inode = inode

    def _catch_up(self, db: sqlite3.Connection) -> None:
        """Apply the journal's new tail. The lock is held."""
        with transaction(db):
            meta = catalog.meta(db)
            size = self._journal.size()
            if meta["offset"] == size and not meta["rewriting"]:
                return
            if size == 0 and not self._journal.path.exists():
                raise StorageError(
                    f"{self._journal.path.name} is missing from {self._journal.path.parent}",
                    "Restore it from a backup; to begin anew, delete the index folder too.",
                )
            if meta["rewriting"] or not self._continues(db, meta, size):
                self._notices.append("archival.jsonl was changed outside nosis: index rebuilt")
                self._rebuild(db, self._progress)
            else:
                self._apply_tail(db, meta, self._progress)

    def _continues(self, db: sqlite3.Connection, meta: dict[str, Any], size: int) -> bool:
        """Whether the journal still begins with what was applied."""
        if meta["offset"] > size:
            return False
        last = db.execute(
            "SELECT event, offset, end FROM events ORDER BY position DESC LIMIT 1"
        ).fetchone()
        if last is None:
            return True
        (event,) = self._journal.events([last[1:]])
        return event is not None and event.get("event") == last[0]

    def _apply_tail(
        self,
        db: sqlite3.Connection,
        meta: dict[str, Any],
        progress: Progress | None,
        journal: Journal | None = None,
    ) -> None:
        journal = journal or self._journal
        stamp = to_iso(self._clock()).replace(":", "").replace("-", "")
        if notice := journal.recover(meta["offset"], stamp):
            self._notices.append(notice)
        total, start = journal.size(), meta["offset"]
        writer = Writer(db)
        offset, position = start, meta["position"]
        foreign = repeated = 0
        for number, line in enumerate(journal.read(start, position), 1):
            if isinstance(line, Torn):
                break
            offset, position = line.end, line.position
            try:
                repeated += not _take(db, writer, line)
            except ForeignEvent:
                foreign += 1
            if number % BATCH == 0:
                writer.flush()
                if progress:
                    progress("index", offset, total)
        if progress and position - meta["position"] >= BATCH:
            progress("index", total, total)
        if foreign:
            self._notices.append(
                f"{foreign} line(s) of archival.jsonl are not nosis events and were left alone"
            )
        if repeated:
            self._notices.append(
                f"{repeated} event(s) of archival.jsonl are there twice: counted once"
            )
        writer.flush(
            offset=offset, position=position, foreign_lines=meta["foreign_lines"] + foreign
        )

    @contextmanager
    def _borrowed(self) -> Iterator[catalog.Connection]:
        """A connection of this thread's own for a while."""
        with self._guard:
            db = self._idle.pop() if self._idle else None
        if db is None:
            db = catalog.connect(self.path)
            db.inode = self._inode
        try:
            yield db
        finally:
            with self._guard:
                if db.inode == self._inode:
                    self._idle.append(db)
                    db = None
            if db:
                db.close()

    def close(self) -> None:
        """Close every connection; the last one folds the write-ahead log into the catalog."""
        with self._guard:
            for db in self._idle:
                db.close()
            self._idle.clear()


def _take(db: sqlite3.Connection, writer: Writer, line: Line) -> bool:
    """Apply one line of the journal; False where its event is there already.

    Raises:
        ForeignEvent: nosis did not write this line.
    """
    if line.blank:
        return True
    if line.event is None:
        raise ForeignEvent("not a JSON object")
    check_schema(line.event)
    changes = fold(line.event)
    if not catalog.record(db, line.event, line.position, line.offset, line.end):
        return False
    try:
        writer.apply(line.event, changes)
    except ForeignEvent:
        catalog.unrecord(db, line.position)
        raise
    return True


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit at the end unless that was done, roll back on any exception."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        if db.in_transaction:
            db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
