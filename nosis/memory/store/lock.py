"""One writer at a time in a workspace, among all threads and processes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from nosis.errors import StorageError
from nosis.memory.store.journal import translated

PATIENCE = 120.0  # seconds; a rebuild of a large index by another process takes a while


class WorkspaceLock:
    """The lock file of a workspace. Not re-entrant: a nested write is a fault of the caller."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = threading.Lock()
        self._owner: int | None = None
        self._file = FileLock(path, mode=0o600, thread_local=False, poll_interval=0.005)

    def is_mine(self) -> bool:
        """Whether this thread holds the lock."""
        return self._owner == threading.get_ident()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the lock and hold it.

        Raises:
            ReadOnlyError: the lock file cannot be written.
            StorageError: somebody else holds it for too long.
        """
        if self.is_mine():
            raise RuntimeError("a write within a write")
        if not self._thread.acquire(timeout=PATIENCE):
            raise self._busy()
        try:
            self._acquire(PATIENCE)
            self._owner = threading.get_ident()
            try:
                yield
            finally:
                self._owner = None
                self._file.release()
        finally:
            self._thread.release()

    @contextmanager
    def held_if_free(self) -> Iterator[bool]:
        """Hold the lock if nobody has it; whether it is held now."""
        if not self._thread.acquire(blocking=False):
            yield False
            return
        try:
            try:
                self._acquire(0)
            except StorageError:
                yield False
                return
            self._owner = threading.get_ident()
            try:
                yield True
            finally:
                self._owner = None
                self._file.release()
        finally:
            self._thread.release()

    def _acquire(self, timeout: float) -> None:
        if not self._path.parent.is_dir():
            raise StorageError(
                f"{self._path.parent} is gone",
                "Was it deleted or moved? Put it back, then try again.",
            )
        try:
            self._file.acquire(timeout=timeout)
        except Timeout:
            raise self._busy() from None
        except OSError as error:
            raise translated(error, self._path) from error

    def _busy(self) -> StorageError:
        return StorageError(
            "another nosis process is busy with this workspace",
            "Wait for it to finish (a large import or reindex takes minutes), then try again.",
        )
