"""What a model wrote of long conversations' beginnings, so that a process that continues one need
not have it summarised again.

A cache beside the index: deleting it loses nothing, and it goes as soon as something is forgotten
or purged, since a summary may tell it in words of its own.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from nosis.memory.core import write_private
from nosis.memory.ids import from_bytes
from nosis.memory.redact import redact


@dataclass(frozen=True, slots=True)
class Kept:
    """A summary, and the message with which what it stands for ends."""

    text: str
    upto: int  # messages of the session
    last: str  # the words of the last one, as letters that tell nothing


def keep(folder: Path, session: str, text: str, upto: int, last: str) -> None:
    """Keep the summary of a session's first ``upto`` messages; ``last`` is the last one's text.

    Secrets are redacted. A folder that cannot be written keeps nothing.
    """
    kept = Kept(redact(text), upto, from_bytes(last.encode()))
    path = _path(folder, session)
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(path, json.dumps(asdict(kept), ensure_ascii=False) + "\n")


def kept(folder: Path, session: str, messages: list[str]) -> tuple[str, int] | None:
    """The summary of a session and how many of its messages it stands for.

    None where there is none, or where the message with which it ends is not there any more.
    """
    try:
        found = Kept(**json.loads(_path(folder, session).read_text(encoding="utf-8")))
        ends = [n + 1 for n, text in enumerate(messages) if from_bytes(text.encode()) == found.last]
        return found.text, min(ends, key=lambda end: abs(end - found.upto))
    except (OSError, ValueError, TypeError):
        return None


def clear(folder: Path) -> None:
    """Remove all summaries of a workspace."""
    shutil.rmtree(folder / "index" / "summaries", ignore_errors=True)


def _path(folder: Path, session: str) -> Path:
    return folder / "index" / "summaries" / f"{from_bytes(session.encode())}.json"
