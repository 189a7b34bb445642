"""Memory out to a file and in from one, from the browser."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from nosis.errors import NosisError, UsageError
from nosis.memory.store import Progress
from nosis.tui.memory import words

if TYPE_CHECKING:
    from nosis.memory import Memory


class Transferred(Message):
    """It is done; ``said`` tells what was."""

    def __init__(self, said: str) -> None:
        super().__init__()
        self.said = said


class Advanced(Message):
    """An import is this far."""

    def __init__(self, what: str, done: int, total: int) -> None:
        super().__init__()
        self.what, self.done, self.total = what, done, total


def export_to(memory: Memory, name: str) -> Transferred:
    """Write all of memory to a new file, private to its owner: Markdown where the name ends in
    ``.md``, else JSON lines that an import brings back whole.

    Raises:
        UsageError: the file exists, or cannot be written.
    """
    from nosis.memory import exchange

    path = Path(name).expanduser()
    if path.suffix.lower() in (".md", ".markdown"):
        _write(path, [exchange.export_markdown(memory)])
    else:
        _write(path, exchange.export_lines(memory.store))
    return Transferred(f"written: {path}")


def import_from(memory: Memory, name: str, progress: Progress) -> Transferred:
    """Take in a file: an export, records, a ChatGPT or Claude export, or notes.

    Stops between two batches where its worker is cancelled; importing the file again goes on.

    Raises:
        NosisError: the file is none of these, or the import was stopped.
    """
    from nosis.memory import exchange

    worker = get_current_worker()

    def advance(what: str, done: int, total: int) -> None:
        if worker.is_cancelled:
            raise NosisError("the import was stopped", "Import the file again to go on.")
        progress(what, done, total)

    path = Path(name).expanduser()
    loaded = exchange.load(path)
    exchange.check(loaded)
    done = exchange.import_loaded(memory, loaded, advance)
    memory.embed_all(advance)
    known = f", {done.known:,} known already" if done.known else ""
    count = words.plural(done.added, "memory", "memories")
    return Transferred(f"imported {count} from {path.name} ({loaded.kind}){known}")


def _write(path: Path, lines: Iterable[str]) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except FileExistsError:
        raise UsageError(
            f"{path} exists already", "Choose another name, or remove it first."
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot write {path}: {getattr(error, 'strerror', None) or error}",
            "Choose a file in a folder you can write to.",
        ) from None
