"""An open workspace: its store, its files, and the one way to change it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from nosis.errors import UnreachableError, UsageError, opened_read_only
from nosis.memory import digest, home, summaries
from nosis.memory.core_file import CoreFile
from nosis.memory.embedding import Embedder, default_embedder
from nosis.memory.filing.operation import Operation
from nosis.memory.filing.writing import FACTS, PRUNED, Neighbours, NewFact, Writer
from nosis.memory.meaning import Meaning
from nosis.memory.pages import FolderPages, Pages
from nosis.memory.store import Progress, Store
from nosis.memory.types import Entry, Filter, Outcome, Receipt

if TYPE_CHECKING:
    from nosis.memory.memory import Memory


class Workspace:
    """What Memory's operations stand on: files, locks, transactions, logs.

    Args:
        home_folder: the folder that holds workspaces; None finds it (design.md, section 2).
        workspace: its name; made where it does not exist.
        agent: the author of what this object writes.
        embedder: makes vectors; None recalls by words only.
        scoring: "nosis", or "daita" for the documented formula.
        vector_index: "auto", "chroma" or "exact".
        store: a hosted workspace, ready to be used; None keeps it in files of the home.
        pages: where daily logs and MEMORY.md go; None keeps them in files of the home.
        read_only: refuse every write. The workspace must exist.
        base: another workspace, opened read-only, that is recalled from too and closed with this
            one. Nothing here ever writes to it.
        clock: POSIX seconds now.
        progress: called during long work (rebuilding an index).
    """

    def __init__(
        self,
        home_folder: str | Path | None = None,
        workspace: str = home.DEFAULT_WORKSPACE,
        *,
        agent: str = "nosis",
        embedder: Embedder | str | None = "default",
        scoring: str = "nosis",
        vector_index: str = "auto",
        clock: Callable[[], float] = time.time,
        progress: Progress | None = None,
        store: Store | None = None,
        pages: Pages | None = None,
        read_only: bool = False,
        base: Memory | None = None,
    ) -> None:
        if base is not None and not base.store.read_only:
            raise UsageError(
                f"the base workspace {base.workspace!r} can be written", "Open it read_only=True."
            )
        self.home = home.find_home(home_folder)
        self.workspace: str = workspace
        self.agent = agent
        self.base = base
        place = home.hosted_folder if store else home.workspace_folder
        self.folder: Path = place(self.home, workspace)
        self.scoring = scoring
        self.clock = clock
        is_new = store is None and not self.folder.exists()
        if is_new and read_only:
            raise home.unknown_workspace(workspace)
        home.make_private(self.folder)
        self._core_file: CoreFile | None = None
        if store is None:
            from nosis.memory.store.local import LocalStore

            store = LocalStore(
                self.folder,
                vector_index=vector_index,
                progress=progress,
                clock=clock,
                read_only=read_only,
            )
            self._core_file = CoreFile(self.folder, store, clock)
        self.store: Store = store
        self.pages = pages or FolderPages(self.folder)
        chosen = default_embedder() if isinstance(embedder, str) else embedder
        self.meaning = Meaning(self.store, chosen)
        self._page_outdated = False
        self.notices: list[str] = [*self.store.notices, *self.pages.notices]
        if is_new and workspace != home.DEFAULT_WORKSPACE:
            self.notices.append(f"new workspace {workspace!r}")
        self._take_over_core_file()

    def embed_pending(self, limit: int = 256) -> int:
        """Make vectors for memories that have none, newest first; how many were made."""
        return self.meaning.embed_pending(limit)

    def embed_all(self, progress: Progress | None = None) -> int:
        """Make all vectors that are missing, with the present embedding model; how many."""
        return self.meaning.embed_all(progress)

    def reindex(self, progress: Progress | None = None) -> int:
        """Rebuild all that is derived from the journal; how many vectors were made anew."""
        self.check_writable()
        self.store.reindex(progress)
        return self.meaning.embed_all(progress)

    def get(self, entry_id: str) -> Entry:
        """The entry with this id.

        Raises:
            UsageError: there is none.
        """
        found = self.store.get([entry_id.strip()])
        if not found:
            self._check_not_inherited(entry_id.strip())
            raise UsageError(
                f"no memory with the id {entry_id!r}", "See the ids with: nosis memory list"
            )
        return found[0]

    def check_writable(self) -> None:
        """Raises ReadOnlyError where this workspace is only read."""
        if self.store.read_only:
            with self.store.write():  # the store knows why
                pass
            raise opened_read_only(self.workspace)

    def render_page(self) -> str:
        """Write MEMORY.md from current state and return it; one that is only read stays."""
        where = Filter(FACTS)
        facts = self.store.find(where, digest.PAGE_FACTS, by="importance")
        page = digest.memory_page(self.store.core(), facts, self.store.count(where))
        if not self.store.read_only:
            self.pages.write_page(page)
        self._page_outdated = False
        return page

    def close(self) -> None:
        """Bring MEMORY.md up to date and release files and locks."""
        try:
            with suppress(UnreachableError):
                if self._page_outdated:
                    self.render_page()
            self.pages.close()
        finally:
            self.meaning.close()
            self.store.close()
            if self.base:
                self.base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_not_inherited(self, entry_id: str) -> None:
        if self.base and self.base.store.get([entry_id]):
            raise UsageError(
                f"{entry_id} belongs to the workspace {self.base.workspace!r}, which is only read",
                f"Change it there: nosis -w {self.base.workspace} memory …",
            )

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
        with self._writing(op, neighbours) as writer:
            yield writer

    @contextmanager
    def _writing(self, op: Operation, neighbours: Neighbours | None = None) -> Iterator[Writer]:
        with self.store.write() as batch:
            writer = Writer(self.store, batch, op, neighbours)
            yield writer
        if writer.core_changed and self._core_file:
            self._core_file.write()

    def _logged(self, receipts: list[Receipt], session: str | None = None) -> list[Receipt]:
        self._page_outdated = True
        if any(r.outcome is Outcome.FORGOTTEN and r.reason != PRUNED for r in receipts):
            summaries.clear(self.folder)
        lines = digest.receipt_lines(receipts)
        self.pages.append(self.clock(), self.agent, session, lines)
        self.notices += self.pages.notices
        self.pages.notices.clear()
        return receipts

    def _take_over_core_file(self) -> None:
        """Make core.json and the journal agree: the file wins where a person edited it."""
        if self._core_file is None:  # a hosted workspace: many machines, so no file of one
            return
        if self.store.read_only:  # the journal's state counts; the file stays as it is
            return
        edited, notice = self._core_file.edited()
        if notice:
            self.notices.append(notice)
        if edited is None:
            return
        try:
            with self._operation() as writer:
                receipts = [
                    writer.set_core(name, edited.get(name), NewFact("", note="edited in core.json"))
                    for name in {**writer.core, **edited}
                    if writer.core.get(name) != edited.get(name)
                ]
        except UsageError as error:  # too long: nothing of it is taken
            self.notices.append(self._core_file.refuse(error.message))
            return
        self._core_file.write()
        self._logged(receipts)
