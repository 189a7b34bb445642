"""Memory out to a file and in from one, from the browser."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, get_current_worker

from nosis.errors import NosisError, UsageError
from nosis.memory import store
from nosis.tui.memory import words
from nosis.tui.memory.forms import Ask
from nosis.tui.memory.work import read
from nosis.tui.progress import Progress

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


class Transfers(Screen[None]):
    """A screen from which memory can be written to a file, or taken in from one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("E", "export", "export", show=False, id="memory.browser.export"),
        Binding("I", "import", "import", show=False, id="memory.browser.import"),
    ]

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self.memory = memory
        self._transfer: Worker[None] | None = None

    def reload(self) -> None:
        """Read again what is shown."""

    def action_export(self) -> None:
        def asked(name: str | None) -> None:
            if name:
                memory = self.memory
                read(self, "transfer", lambda: export_to(memory, name))

        day = words.day(self.memory.clock())
        about = "All of memory as JSON lines that an import brings back; .md writes the facts."
        name = f"nosis-{self.memory.workspace}-{day}.jsonl"
        self.app.push_screen(Ask("Export to", value=name, hint="FILE", about=about), asked)

    def action_import(self) -> None:
        def asked(name: str | None) -> None:
            if name:
                memory = self.memory
                self.query_one(Progress).say("reading")
                self._transfer = read(
                    self, "transfer", lambda: import_from(memory, name, self._advance)
                )

        about = "An export of nosis, records, conversations.json of ChatGPT or Claude, or notes."
        self.app.push_screen(Ask("Import from", hint="FILE", about=about), asked)

    def _advance(self, what: str, done: int, total: int) -> None:
        """Called in the import's thread; by message, so that it cannot overtake the end."""
        self.post_message(Advanced(what, done, total))

    def on_advanced(self, event: Advanced) -> None:
        event.stop()
        if self._transfer and not self._transfer.is_cancelled:
            self.query_one(Progress).advance(event.what, event.done, event.total)

    def on_transferred(self, event: Transferred) -> None:
        event.stop()
        self.query_one(Progress).finish()
        self.notify(words.line(event.said), markup=False)
        self.reload()

    def stop_transfer(self) -> bool:
        """Stop an import that runs; False where none does."""
        if not (self._transfer and self._transfer.is_running):
            return False
        self._transfer.cancel()
        self.query_one(Progress).finish()
        self.notify("stopped; what was imported stays, and can be undone (u)", markup=False)
        self.reload()
        return True


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


def import_from(memory: Memory, name: str, progress: store.Progress) -> Transferred:
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
