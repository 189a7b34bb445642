"""Taking words out of a workspace for good, and proving it.

A purged entry's events stay in their places in the journal, marked ``purged`` and without its
words, so that positions and operations keep their meaning. Where other events repeat the words
they are replaced there too; an entry that held nothing else goes with them.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from nosis.memory.store import Event
from nosis.memory.store.journal import dump

MARK = "[purged]"
SHORTEST = 6  # bytes; anything shorter occurs by chance among a hundred million bytes of numbers
_NO_WORDS = frozenset(
    [
        "v",
        "type",
        "event",
        "at",
        "op",
        "agent",
        "session",
        "turn",
        "undoes",
        "id",
        "ids",
        "origin",
        "role",
        "status",
        "category",
        "field",
        "supersedes",
        "superseded_by",
        "external_id",
        "created_at",
        "upto",
        "importance",
        "pinned",
        "more",
        "purged",
    ]
)
_TEXT_FILES = (".jsonl", ".json", ".md")

Replace = Callable[[str], str]


def words_of(events: Iterable[Event]) -> list[str]:
    """Every text that these events gave to their entry, longest first."""
    found = set()
    for event in events:
        for part in (event, event.get("set"), event.get("was")):
            if isinstance(part, dict) and isinstance(text := part.get("text"), str):
                found.add(text)
    return sorted((text for text in found if text.strip() and text != MARK), key=len, reverse=True)


def replacing(texts: Sequence[str]) -> Replace:
    """A function that replaces these texts by the mark, as whole words and in any spacing."""
    if not texts:
        return lambda text: text
    pattern = re.compile("|".join(map(_whole, texts)))
    return lambda text: pattern.sub(MARK, text)


def _whole(text: str) -> str:
    """Keeps "tea" from matching inside "steak"; other scripts do not separate words."""
    words = text.split()
    before = "(?<![A-Za-z0-9])" if words[0][0].isascii() and words[0][0].isalnum() else ""
    after = "(?![A-Za-z0-9])" if words[-1][-1].isascii() and words[-1][-1].isalnum() else ""
    return before + r"\s+".join(map(re.escape, words)) + after


def purged(line: bytes, ids: frozenset[str], replace: Replace) -> bytes:
    """One line of the journal without the words."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return replace(line.decode(errors="surrogateescape")).encode(errors="surrogateescape")
    if not isinstance(event, dict):
        return line
    clean = purged_event(event, ids, replace)
    return line if clean == event else dump(clean)


def purged_event(event: Event, ids: frozenset[str], replace: Replace) -> Event:
    """One event without the words."""
    own = event.get("id") in ids and event.get("type") in ("turn", "fact", "revise", "pin")
    clean = _without(event, (lambda _: MARK) if own else replace)
    emptied = event.get("type") in ("turn", "fact") and clean.get("text") == MARK
    if own or emptied:
        clean["purged"] = True
    return clean


def _without(event: Event, replace: Replace) -> Event:
    status = event.get("type") in ("forget", "restore")  # whose "was" is a status, not words
    return {
        key: value if key in _NO_WORDS or (status and key == "was") else _inside(value, replace)
        for key, value in event.items()
    }


def _inside(value: Any, replace: Replace) -> Any:
    if isinstance(value, str):
        return replace(value)
    if isinstance(value, list):
        return [_inside(item, replace) for item in value]
    if isinstance(value, dict):
        return _without(value, replace)
    return value


def still_holding(folder: Path, texts: Sequence[str]) -> list[str]:
    """Files below ``folder`` that hold one of the texts, as bytes or escaped as JSON.

    Words shorter than six bytes are looked for in text files only.
    """
    forms = {form for text in texts for form in _forms(text)}
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size:
            binary = path.suffix not in _TEXT_FILES
            wanted = [form for form in forms if not binary or len(form) >= SHORTEST]
            if _holds(path, wanted):
                found.append(path.relative_to(folder).as_posix())
    return found


def _forms(text: str) -> set[bytes]:
    lines = {text, " ".join(text.split())}
    escaped = {
        json.dumps(line, ensure_ascii=ascii)[1:-1] for line in lines for ascii in (True, False)
    }
    return {form.encode() for form in lines | escaped}


def _holds(path: Path, forms: Sequence[bytes]) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return any(_occurs(data, form) for form in forms)


def _occurs(data: mmap.mmap, form: bytes) -> bool:
    at = data.find(form)
    while at >= 0:
        before, after = data[max(0, at - 1) : at], data[at + len(form) : at + len(form) + 1]
        inside = (before.isalnum() and form[:1].isalnum()) or (
            after.isalnum() and form[-1:].isalnum()
        )
        if not inside:
            return True
        at = data.find(form, at + 1)
    return False
