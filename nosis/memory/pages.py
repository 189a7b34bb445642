"""Where the pages that people read are kept: daily logs and MEMORY.md."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Protocol

from nosis.memory import digest
from nosis.memory.core import write_private


class Pages(Protocol):
    """The daily logs and MEMORY.md of one workspace."""

    notices: list[str]  # one line each: what could not be delivered yet

    def append(self, now: float, agent: str, session: str | None, lines: Iterable[str]) -> None:
        """Add lines to the log of the day (UTC): time, agent, session, what happened."""
        ...

    def log(self, day: str) -> str:
        """The log of a day; empty where nothing happened.

        Raises:
            UsageError: the day is not written as 2026-11-30.
        """
        ...

    def write_page(self, text: str) -> None:
        """Replace MEMORY.md."""
        ...

    def remove(self, texts: Collection[str]) -> None:
        """Take the lines that hold one of the purged texts out of every log."""
        ...

    def close(self) -> None:
        """Deliver what is still here."""
        ...


class FolderPages:
    """Pages as files of the workspace's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.notices: list[str] = []

    def append(self, now: float, agent: str, session: str | None, lines: Iterable[str]) -> None:
        digest.append_log(self._folder, now, agent, session, lines)

    def log(self, day: str) -> str:
        path = digest.log_path(self._folder, day)
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def write_page(self, text: str) -> None:
        write_private(self._folder / digest.PAGE_NAME, text)

    def remove(self, texts: Collection[str]) -> None:
        digest.remove_from_logs(self._folder, texts)

    def close(self) -> None:
        """Nothing is held back here."""
