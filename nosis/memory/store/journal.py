"""archival.jsonl: the truth of a local workspace, one JSON event a line, append-only.

A write of several events is one ``write(2)`` followed by ``fdatasync``; every line but its
last carries ``"more": true``, so a write that was cut short (kill, power, full disk) is
recognised as a whole and set aside as a whole. The caller holds the workspace's lock while
appending or recovering.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nosis.errors import ReadOnlyError, StorageError
from nosis.memory.store import Event

REPLACEMENT = "\ufffd"
_sync = getattr(os, "fdatasync", os.fsync)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the journal: ``position`` counts from 1, ``offset`` and ``end`` in bytes."""

    position: int
    offset: int
    end: int
    event: Event | None  # None: no JSON object; left where it is, and reported if not blank
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Torn:
    """The end of the journal that no complete write covers."""

    offset: int


def clean(value: Any) -> Any:
    """The value with NUL and lone surrogates in its strings replaced by U+FFFD."""
    if isinstance(value, str):
        if "\x00" in value:
            value = value.replace("\x00", REPLACEMENT)
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return value
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value


class Journal:
    """The file of events of one workspace."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only

    def size(self) -> int:
        """Bytes in the journal; 0 where there is none yet."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise translated(error, self.path) from error

    def append(self, events: Sequence[Event], at: int) -> list[tuple[int, int]]:
        """Add the events durably, all or none, at offset ``at``: the size of the journal.

        Returns:
            (offset, end) in bytes of each event's line.

        Raises:
            ReadOnlyError: the file cannot be written.
            StorageError: the disk is full, or the journal is not as long as it should be.
        """
        lines = [dump({**event, "more": True}) for event in events[:-1]] + [dump(events[-1])]
        spans, end = [], at
        for line in lines:
            spans.append((end, end + len(line)))
            end += len(line)
        with self._writing() as descriptor:
            if os.fstat(descriptor).st_size != at:
                raise StorageError(
                    f"{self.path} changed while it was locked", "Is another program editing it?"
                )
            try:
                data = memoryview(b"".join(lines))
                while data:
                    data = data[os.write(descriptor, data) :]
                _sync(descriptor)
            except BaseException:
                os.ftruncate(descriptor, at)
                raise
        return spans

    def truncate(self, size: int) -> None:
        """Take back what was appended beyond ``size`` bytes."""
        with self._writing() as descriptor:
            os.ftruncate(descriptor, size)
            _sync(descriptor)

    def read(self, offset: int = 0, position: int = 0) -> Iterator[Line | Torn]:
        """Lines from ``offset`` on, after line number ``position``; last, what is torn, if any."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise translated(error, self.path) from error
        with file:
            file.seek(offset)
            write: list[Line] = []  # lines of a write whose last line was not seen yet
            for raw in file:
                position += 1
                end = offset + len(raw)
                event = _parse(raw)
                if not raw.endswith(b"\n"):
                    if event is None or "more" in event:
                        yield Torn(write[0].offset if write else offset)
                        return
                    end += 1  # only its line break is missing: recover() adds it
                more = event is not None and event.pop("more", False)
                write.append(Line(position, offset, end, event, blank=not raw.strip()))
                offset = end
                if not more:
                    yield from write
                    write = []
            if write:
                yield Torn(write[0].offset)

    def recover(self, offset: int, stamp: str) -> str | None:
        """Set aside a torn end after ``offset``; the notice of it, if there was one.

        ``stamp`` makes the name of the file that keeps the torn bytes.
        """
        size = self.size()
        if self._read_only:
            return None
        torn = next((item for item in self.read(offset) if isinstance(item, Torn)), None)
        if torn is None:
            if size > offset and self.slice(size - 1, size) != b"\n":
                with self._writing() as descriptor:
                    os.write(descriptor, b"\n")
                    _sync(descriptor)
            return None
        aside = self.path.with_name(f"{self.path.stem}.torn-{stamp}{self.path.suffix}")
        data = self.slice(torn.offset, size)
        with translating(aside):
            _write(aside, [data])
            sync_folder(aside.parent)
        self.truncate(torn.offset)
        return (
            f"the last write was cut short: {len(data)} bytes of it were set aside in {aside.name}"
        )

    def rewritten(self, change: Callable[[bytes], bytes]) -> Path:
        """A durable copy of the journal beside it, each line changed; ``replace_by`` takes it."""
        copy = self.path.with_suffix(".new")
        with translating(copy), self.path.open("rb") as old:
            _write(copy, (change(line) for line in old))
        return copy

    def replace_by(self, copy: Path) -> None:
        """Put the copy in the journal's place."""
        with translating(self.path):
            copy.replace(self.path)
            sync_folder(self.path.parent)

    def rewrite_set_aside(self, change: Callable[[bytes], bytes]) -> None:
        """Change the lines of the files that hold torn ends."""
        for path in self.path.parent.glob(f"{self.path.stem}.torn-*"):
            with translating(path):
                lines = path.read_bytes().splitlines(keepends=True)
                _write(temporary := path.with_suffix(".new"), map(change, lines))
                temporary.replace(path)

    def slice(self, offset: int, end: int) -> bytes:
        """The bytes from ``offset`` to ``end``."""
        with translating(self.path), self.path.open("rb") as file:
            file.seek(offset)
            return file.read(end - offset)

    def events(self, spans: Sequence[tuple[int, int]]) -> list[Event | None]:
        """The events at these (offset, end) spans; None where no event is any more."""
        found: list[Event | None] = []
        with translating(self.path), self.path.open("rb") as file:
            for offset, end in spans:
                file.seek(offset)
                event = _parse(file.read(end - offset))
                if event is not None:
                    event.pop("more", None)
                found.append(event)
        return found

    @contextmanager
    def _writing(self) -> Iterator[int]:
        with translating(self.path):
            new = not self.path.exists()
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
            descriptor = os.open(self.path, flags, 0o600)
            try:
                yield descriptor
            finally:
                os.close(descriptor)
            if new:
                sync_folder(self.path.parent)


def dump(event: Event) -> bytes:
    """One line of the journal.

    Raises:
        StorageError: the event holds what JSON cannot.
    """
    try:
        text = json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    except (TypeError, ValueError) as error:
        raise StorageError(f"this cannot be recorded: {error}", "Report this fault.") from error
    return text.encode() + b"\n"


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    """A private file with this content, on the disk when this returns."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make a new or renamed name in the folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _parse(raw: bytes) -> Event | None:
    try:
        event = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


@contextmanager
def translating(path: Path) -> Iterator[None]:
    """Raise the operating system's errors as StorageError or ReadOnlyError."""
    try:
        yield
    except OSError as error:
        raise translated(error, path) from error


def translated(error: OSError, path: Path) -> StorageError:
    """What an operating system's error means for the person."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StorageError(
            f"the disk is full: {path.name} could not be written",
            "Free some space and try again; nothing was changed.",
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ReadOnlyError(
            f"{path} cannot be written: {error.strerror}",
            "Make the folder writable, or choose another with --home or --workspace.",
        )
    if error.errno == errno.ENOENT:
        return StorageError(
            f"{path.parent} is gone", "Was it deleted or moved? Put it back, then try again."
        )
    return StorageError(f"{path}: {error.strerror or error}", "Check the disk and the folder.")
