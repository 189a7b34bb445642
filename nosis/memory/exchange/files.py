"""Which kind of file it is, and what records or events it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nosis.errors import UsageError
from nosis.memory.exchange import chats, notes
from nosis.memory.store import Event

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's content: records to import, or the events of an export."""

    kind: str  # for people: "records", "an export of nosis", "a ChatGPT export", …
    records: tuple[Record, ...] = ()
    events: tuple[Event, ...] = ()


def load(path: Path) -> Loaded:
    """Read a file to import: JSONL of records or of an export, a ChatGPT or Claude export
    (``conversations.json``), or a memory page in Markdown.

    Raises:
        UsageError: it cannot be read, or is none of these.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", "Name a file.") from None
    except UnicodeDecodeError:
        raise UsageError(
            f"{path} is no text in UTF-8", "Unpack an archive first and name the file inside."
        ) from None
    if path.suffix.lower() in (".md", ".markdown", ".txt"):
        return Loaded("notes", tuple(notes.records(text, path)))
    if text.lstrip().startswith("["):
        return _conversations(path, text)
    if _is_conversation(text):
        return _conversations(path, f"[{text}]")
    lines = tuple(_lines(path, text))
    if lines and all("type" in line and "event" in line for line in lines):
        return Loaded("an export of nosis", events=lines)
    return Loaded("records", lines)


def _is_conversation(text: str) -> bool:
    """Whether it is one conversation by itself."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool({"mapping", "chat_messages"} & found.keys())


def _conversations(path: Path, text: str) -> Loaded:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no JSON: {error}", "Export it again.") from None
    if not found:
        return Loaded("nothing")
    if all(isinstance(item, dict) and "mapping" in item for item in found):
        return Loaded("a ChatGPT export", tuple(chats.chatgpt(found)))
    if all(isinstance(item, dict) and "chat_messages" in item for item in found):
        return Loaded("a Claude export", tuple(chats.claude(found)))
    if all(isinstance(item, dict) and "text" in item for item in found):
        return Loaded("records", tuple(found))
    raise UsageError(
        f"{path} is of no known kind",
        "Known: JSONL of records, conversations.json of ChatGPT or Claude, Markdown notes.",
    )


def _lines(path: Path, text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise UsageError(
                f"{path}, line {number}: not a JSON object",
                'Each line is an object such as {"text": "likes tea", "kind": "fact"}.',
            )
        yield record
