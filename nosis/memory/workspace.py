"""An open workspace: its store, its files, and the one way to change it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory import digest, home
from nosis.memory.core_file import CoreFile
from nosis.memory.embedding import Embedder, default_embedder
from nosis.memory.meaning import Meaning
from nosis.memory.operation import Operation
from nosis.memory.store import Progress, Store
from nosis.memory.types import Entry, Filter, Receipt
from nosis.memory.writing import FACTS, Neighbours, NewFact, Writer


class Workspace:
    """What Memory's operations stand on: files, locks, transactions, logs.

    Args:
        home_folder: the folder that holds workspaces; None finds it (design.md, section 2).
        workspace: its name; made where it does not exist.
        agent: the author of what this object writes.
        embedder: makes vectors; None recalls by words only.
        scoring: "nosis", or "daita" for the documented formula.
        vector_index: "auto", "chroma" or "exact".
        clock: POSIX seconds now.
        progress: called during long work (rebuilding an index).
    """

    def __init__(
        self,
        home_folder: str | Path | None = None,
        workspace: str = "default",
        *,
        agent: str = "nosis",
        embedder: Embedder | str | None = "default",
        scoring: str = "nosis",
        vector_index: str = "auto",
        clock: Callable[[], float] = time.time,
        progress: Progress | None = None,
    ) -> None:
        from nosis.memory.store.local import LocalStore

        self.home = home.find_home(home_folder)
        self.workspace = workspace
        self.agent = agent
        self.folder = home.workspace_folder(self.home, workspace)
        self.scoring = scoring
        self.clock = clock
        home.make_private(self.folder)
        self.store: Store = LocalStore(
            self.folder, vector_index=vector_index, progress=progress, clock=clock
        )
        chosen = default_embedder() if isinstance(embedder, str) else embedder
        self.meaning = Meaning(self.store, chosen)
        self._core_file = CoreFile(self.folder, self.store, clock)
        self._page_outdated = False
        self.notices: list[str] = list(self.store.notices)
        self._take_over_core_file()

    def embed_pending(self, limit: int = 256) -> int:
        """Make vectors for memories that have none, newest first; how many were made."""
        return self.meaning.embed_pending(limit)

    def embed_all(self, progress: Progress | None = None) -> int:
        """Make all vectors that are missing, with the present embedding model; how many."""
        return self.meaning.embed_all(progress)

    def reindex(self, progress: Progress | None = None) -> int:
        """Rebuild all that is derived from the journal; how many vectors were made anew."""
        self.store.reindex(progress)
        return self.meaning.embed_all(progress)

    def get(self, entry_id: str) -> Entry:
        """The entry with this id.

        Raises:
            UsageError: there is none.
        """
        found = self.store.get([entry_id.strip()])
        if not found:
            raise UsageError(
                f"no memory with the id {entry_id!r}", "See the ids with: nosis memory list"
            )
        return found[0]

    def render_page(self) -> str:
        """Write MEMORY.md from current state and return it."""
        where = Filter(FACTS)
        facts = self.store.find(where, digest.PAGE_FACTS, by="importance")
        page = digest.memory_page(self.store.core(), facts, self.store.count(where))
        core_memory.write_private(self.folder / digest.PAGE_NAME, page)
        self._page_outdated = False
        return page

    def close(self) -> None:
        """Bring MEMORY.md up to date and release files and locks."""
        if self._page_outdated:
            self.render_page()
        self.meaning.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- for operations --------------------------------------------------------------------

    @contextmanager
    def _operation(
        self,
        *,
        session: str | None = None,
        turn: str | None = None,
        undoes: str | None = None,
        neighbours: Neighbours | None = None,
    ) -> Iterator[Writer]:
        op = Operation(self.agent, self.clock(), session=session, turn=turn, undoes=undoes)
        with self.store.write() as batch:
            writer = Writer(self.store, batch, op, neighbours)
            yield writer
        if writer.core_changed:
            self._core_file.write()

    def _logged(self, receipts: list[Receipt], session: str | None = None) -> list[Receipt]:
        self._page_outdated = True
        lines = digest.receipt_lines(receipts)
        digest.append_log(self.folder, self.clock(), self.agent, session, lines)
        return receipts

    def _take_over_core_file(self) -> None:
        """Make core.json and the journal agree: the file wins where a person edited it."""
        edited, notice = self._core_file.edited()
        if notice:
            self.notices.append(notice)
        if edited is None:
            return
        with self._operation() as writer:
            receipts = [
                writer.set_core(name, edited.get(name), NewFact("", note="edited in core.json"))
                for name in {**writer.core, **edited}
                if writer.core.get(name) != edited.get(name)
            ]
        self._core_file.write()
        self._logged(receipts)
