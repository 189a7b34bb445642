"""Which vector index serves a search, and Chroma as the one of the process that owns it.

Two processes that write to one Chroma folder corrupt it silently, so an exclusive lock
decides which process opens it; all others search exactly. Chroma holds line numbers and
vectors, never text, and can be dropped at any time: what it holds is recorded beside it
(``state.json``), lines that it does not hold yet are searched exactly, and a background
thread adds them behind the turn. It is trusted only after a sample of stored vectors has
found itself, and looked at from another process first where its files are not as they were
left; else it is rebuilt from the catalog, and exact search serves meanwhile.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import threading
import uuid
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from nosis.memory.store import Hit, catalog, embeddings
from nosis.memory.store.attributes import Bool
from nosis.memory.store.exact import ExactSearch, Owners, gather
from nosis.memory.store.vectors import ChromaLines, finds_itself, fingerprint, probe

BACKLOG = 256  # lines that exact search covers before they are added to Chroma
BATCH = 250  # lines added at once: short, since Chroma answers no query meanwhile
DEEPEST = 1_000  # results asked of Chroma before exact search over the filter is cheaper
GATHERED = 5_000  # passing lines up to which they are read one by one
SAMPLE = 96  # stored vectors that must find themselves; 1 in 16 corrupt is seen 17 of 20 times
MOST_FAILURES = 3  # after these, exact search serves for the rest of the process

Reading = Callable[[], AbstractContextManager[sqlite3.Connection]]


@dataclass(slots=True)
class _Serving:
    chroma: ChromaLines
    folder: str
    vectors: str  # the catalog's name for the set of vectors that these lines belong to
    upto: int  # lines below this are in Chroma
    purged: int  # number of the last purge that Chroma has followed


class VectorSearch:
    """The vectors of one open workspace. Safe to call from any thread."""

    def __init__(self, folder: Path, choice: str, reading: Reading, notices: list[str]) -> None:
        self._folder = folder
        self._choice = choice
        self._reading = reading
        self._notices = notices
        self._exact = ExactSearch()
        self._owners = Owners()
        self._serving: _Serving | None = None
        self._why = "chosen" if choice == "exact" else "Chroma is not loaded"
        self._owned: FileLock | None = None
        self._loading = threading.Lock()
        self._stop = threading.Event()
        self._workers: list[threading.Thread] = []  # started ones
        self._beginning = threading.Lock()  # none begins once closing has begun
        self._failures = 0
        self._counted: tuple[Bool | None, int, tuple[int, float]] = (None, 0, (0, 0.0))
        weakref.finalize(self, _finish, self._stop, self._workers)

    def search(
        self, db: sqlite3.Connection, vector: NDArray[np.float32], limit: int, passes: Bool
    ) -> list[Hit]:
        """The best rows that pass, by the cosine of their nearest chunk."""
        meta = catalog.meta(db)
        if meta["dimensions"] != len(vector) or limit < 1:
            return []
        if self._choice == "chroma" and self._serving is None:
            self.warm()
        serving = self._serving
        if serving is None or serving.vectors != meta["vectors"]:
            return self._exact.search(db, vector, limit, passes)
        if meta["next_line"] - serving.upto >= BACKLOG:
            self.extend_soon()
        rows = self._owners.refresh(db, meta)
        try:
            found = self._ask(db, serving, vector, limit, passes, rows)
        except Exception:  # whatever a damaged index raises: it is disposable
            self._drop("it failed to answer")
            self.extend_soon()
            return self._exact.search(db, vector, limit, passes)
        for hit in self._exact.search(db, vector, limit, passes, first=serving.upto):
            found[hit.row] = max(hit.score, found.get(hit.row, -1.0))
        best = sorted(found.items(), key=lambda item: (-item[1], -item[0]))[:limit]
        return [Hit(row, score) for row, score in best]

    def _ask(
        self,
        db: sqlite3.Connection,
        serving: _Serving,
        vector: NDArray[np.float32],
        limit: int,
        passes: Bool,
        rows: NDArray[np.uint32],
    ) -> dict[int, float]:
        """Row to cosine of the best rows among those in Chroma, or of all where that is cheaper."""
        counted, chunks = self._count(passes, rows[: serving.upto])
        if not counted:
            return {}
        share = counted / serving.upto
        spare = 1.5 - share / 2  # a filter that keeps few reaches deep, where HNSW errs
        newest = passes[rows[max(serving.upto - limit, 0) : serving.upto]]
        # Those of this very session, which is left out, are often the nearest of all.
        left_out = len(newest) - np.count_nonzero(newest)
        count = min(serving.upto, int(spare * chunks * limit / share + left_out) + 8)
        while count <= DEEPEST:
            lines, scores = serving.chroma.query(vector, count)
            of_lines = rows[lines]
            found: dict[int, float] = {}
            for row, may, score in zip(
                of_lines.tolist(), passes[of_lines].tolist(), scores, strict=True
            ):
                if may:
                    found.setdefault(row, min(1.0, max(-1.0, score)))
            if len(found) >= min(limit, counted) or count >= serving.upto:
                return found
            missing = limit / max(len(found), 1)
            count = min(serving.upto, int(max(1.2 * missing, 1.5) * count))
        if counted <= GATHERED:
            hits = gather(db, np.unique(rows[passes[rows]]), vector, limit)
        else:
            hits = self._exact.search(db, vector, limit, passes)
        return {hit.row: hit.score for hit in hits}

    def _count(self, passes: Bool, rows: NDArray[np.uint32]) -> tuple[int, float]:
        """How many of these lines pass, and how many there are to each row that passes; the last
        answer is kept, since filters repeat."""
        last_passes, last_length, counted = self._counted
        if last_passes is not passes or last_length != len(rows):
            lines = int(np.count_nonzero(passes[rows]))
            counted = (lines, max(lines / max(int(np.count_nonzero(passes)), 1), 1.0))
            self._counted = (passes, len(rows), counted)
        return counted

    def warm(self) -> None:
        """Become Chroma's owner if nobody is, load it, and begin to add what it lacks."""
        if self._choice == "exact" or not self._loading.acquire(blocking=False):
            return
        try:
            if self._serving is None and self._own():
                self._load()
        except Exception as error:
            self._drop(f"it could not be loaded: {error}")
        finally:
            self._loading.release()
        if self._stop.is_set():
            self._let_go()  # closed meanwhile
        elif self._serving:
            self.extend_soon()

    def status(self) -> dict[str, Any]:
        """Which index serves and why."""
        if self._serving:
            return {"vector index": "chroma", "lines in chroma": self._serving.upto}
        return {"vector index": "exact", "why": self._why}

    def close(self) -> None:
        """Stop adding, close Chroma, give up its folder."""
        with self._beginning:
            self._stop.set()
            workers = list(self._workers)
        for worker in workers:
            worker.join()
        self._let_go()

    def _let_go(self) -> None:
        serving, self._serving = self._serving, None
        owned, self._owned = self._owned, None
        if serving:
            serving.chroma.close()
        if owned:
            owned.release()

    def _own(self) -> bool:
        """Whether this process holds the lock on Chroma's folder."""
        if self._owned:
            return True
        lock = FileLock(self._folder / "owner.lock", mode=0o600, thread_local=False)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            lock.acquire(timeout=0)
        except Timeout:
            self._why = "another process owns Chroma"
            return False
        except OSError as error:
            self._why = f"Chroma's folder cannot be used: {error.strerror}"
            return False
        self._owned = lock
        return True

    def _load(self) -> None:
        """Open what is there if it belongs to these vectors and is sound, else begin anew."""
        with self._reading() as db:
            vectors = catalog.value(db, "vectors")
        state = self._state()
        if state and state["vectors"] == vectors:
            folder = self._folder / state["folder"]
            with suppress(Exception):
                self._serving = self._reopened(folder, state)
                return
            self._notices.append("the vector index was damaged: it is being rebuilt")
        self._begin(vectors)

    def _reopened(self, folder: Path, state: dict[str, Any]) -> _Serving:
        """What the last owner left, if it can be trusted.

        Raises:
            Exception: of any kind where it cannot.
        """
        with self._reading() as db:
            sample = embeddings.sample(db, state["upto"], SAMPLE)
        if not folder.is_dir():
            raise FileNotFoundError(folder)
        left = {name: tuple(mark) for name, mark in state["files"].items()}
        if left != fingerprint(folder) and not probe(folder, sample):
            raise ValueError("damaged")
        chroma = ChromaLines(folder)
        if chroma.count() < state["count"] or not finds_itself(chroma, sample):
            chroma.close()
            raise ValueError("incomplete")
        return _Serving(chroma, state["folder"], state["vectors"], state["upto"], state["purged"])

    def _begin(self, vectors: str) -> None:
        """An empty collection in a new folder; older ones are removed."""
        for old in self._folder.iterdir():
            if old.is_dir():
                shutil.rmtree(old, ignore_errors=True)
        name = uuid.uuid4().hex[:12]
        with self._reading() as db:
            purged = catalog.purged_lines(db, 0)
        serving = _Serving(
            ChromaLines(self._folder / name), name, vectors, 0, purged[-1][0] if purged else 0
        )
        self._record(serving)
        self._serving = serving

    def _drop(self, why: str) -> None:
        """Serve exactly; the next load begins anew."""
        serving, self._serving = self._serving, None
        self._failures += 1
        self._why = f"Chroma is not in use: {why}"
        with suppress(OSError):
            (self._folder / "state.json").unlink()
        if serving:
            self._notices.append("the vector index was damaged: it is being rebuilt")
            with suppress(Exception):
                serving.chroma.close()

    def extend_soon(self) -> None:
        """Bring Chroma up to date in the background, unless that is going on."""
        with self._beginning:
            if self._stop.is_set() or self._owned is None or self._failures > MOST_FAILURES:
                return
            this = threading.current_thread()  # which may ask for its successor
            if any(worker.is_alive() for worker in self._workers if worker is not this):
                return
            worker = threading.Thread(target=self._extend, name="nosis-chroma", daemon=True)
            worker.start()
            self._workers[:] = [worker]

    def _extend(self) -> None:
        try:
            with self._loading:
                while not self._stop.is_set() and self._extend_once():
                    pass
                serving = self._serving
                if serving and not self._still_sound(serving):
                    self._drop("stored vectors do not find themselves")
        except Exception as error:
            self._drop(f"it could not be extended: {error}")
        if self._serving is None and not self._stop.is_set():
            self.extend_soon()

    def _extend_once(self) -> bool:
        """Add one batch and remove what was purged; whether there may be more to do."""
        with self._reading() as db:
            meta = catalog.meta(db)
            serving = self._serving
            if serving is None or serving.vectors != meta["vectors"]:
                batch = None
            else:
                batch = next(embeddings.lines(db, serving.upto), None)
                purged = catalog.purged_lines(db, serving.purged)
        if serving is None or serving.vectors != meta["vectors"]:
            self._serving = None
            if serving:
                serving.chroma.close()
            self._begin(meta["vectors"])
            return True
        if purged:
            serving.chroma.delete([line for _, line in purged])
            serving.purged = purged[-1][0]
        if batch is None or batch[0] + len(batch[1]) <= serving.upto:
            if purged:
                self._record(serving)
            return False
        first, owners, vectors = batch
        start = max(serving.upto, first)
        part = slice(start - first, start - first + BATCH)
        held = np.flatnonzero(owners[part])
        if len(held):
            own = embeddings.lengthen(vectors[part][held])
            serving.chroma.add((start + held).tolist(), own)
        serving.upto = start + len(owners[part])
        self._record(serving)
        self._exact.forget(serving.upto)
        return True

    def _still_sound(self, serving: _Serving) -> bool:
        with self._reading() as db:
            sample = embeddings.sample(db, serving.upto, SAMPLE)
        return finds_itself(serving.chroma, sample)

    def _state(self) -> dict[str, Any] | None:
        """What the last owner recorded; None where that is missing or not understood."""
        try:
            state = json.loads((self._folder / "state.json").read_bytes())
            if not re.fullmatch(r"[0-9a-f]{12}", state["folder"]):
                return None
            return {**state, "upto": int(state["upto"]), "count": int(state["count"])}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _record(self, serving: _Serving) -> None:
        state = {
            "vectors": serving.vectors,
            "folder": serving.folder,
            "upto": serving.upto,
            "count": serving.chroma.count(),
            "purged": serving.purged,
            "files": fingerprint(self._folder / serving.folder),
        }
        path = self._folder / "state.json"
        temporary = path.with_suffix(".new")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(state, file)
        temporary.replace(path)


def _finish(stop: threading.Event, workers: list[threading.Thread]) -> None:
    """Before the interpreter goes: a thread inside Chroma must not outlive it."""
    stop.set()
    for worker in workers:
        worker.join(5)
