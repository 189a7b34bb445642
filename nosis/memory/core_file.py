"""core.json beside the journal: written after every change, taken over after a hand edit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from nosis.memory import core as core_memory
from nosis.memory.store import Store
from nosis.memory.types import CoreMemory

FILE_NAME = "core.json"


class CoreFile:
    """The readable copy of core memory in a workspace's folder."""

    def __init__(self, folder: Path, store: Store, clock: Callable[[], float]) -> None:
        self.path = folder / FILE_NAME
        self._store = store
        self._clock = clock
        self._seen: tuple[int, int] | None = None  # mtime and size that agreed with the journal

    def edited(self) -> tuple[CoreMemory | None, str | None]:
        """(content that a person wrote, notice): (None, None) where file and journal agree.

        A damaged file is kept under another name and written anew from the journal.
        """
        if self._seen is not None and self._stamp() == self._seen:
            return None, None
        notice = None
        try:
            found = core_memory.read_file(self.path)
        except (ValueError, OSError, RecursionError):
            notice = self._set_aside("was damaged")
            found = None
        known = self._store.core()
        if found == known or (found is None and not known):
            self._seen = self._stamp()
        elif found is None or self._was_state(found):
            self.write()
        else:
            return found, notice
        return None, notice

    def refuse(self, why: str) -> str:
        """Keep a file that cannot be taken over under another name; the notice of it."""
        notice = self._set_aside(f"cannot be taken over ({why})")
        self.write()
        return notice

    def _set_aside(self, what: str) -> str:
        when = datetime.fromtimestamp(self._clock(), UTC)
        kept = self.path.with_name(f"core.damaged-{when:%Y%m%dT%H%M%S}.json")
        self.path.replace(kept)
        return f"core.json {what}: kept as {kept.name}, restored from the journal"

    def write(self) -> None:
        """Write the newest state, whoever made it."""
        with self._store.write() as batch:
            core_memory.write_private(self.path, core_memory.render(batch.core()))
        self._seen = self._stamp()

    def _was_state(self, found: CoreMemory) -> bool:
        """Whether the file is an earlier state: a crash came before it was rewritten."""
        state: CoreMemory = {}
        if found == state:
            return True
        for _, event in self._store.events():
            if event["type"] == "core":
                state = core_memory.with_value(state, event["field"], event["value"])
                if state == found:
                    return True
        return False

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size
