"""Core memory: a few short fields about the user, small enough for every system prompt.

The journal holds the truth; ``core.json`` is its readable copy. A person may edit the file:
a valid change is taken over, a damaged file is set aside and written anew.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nosis.errors import UsageError
from nosis.memory.redact import redact
from nosis.memory.text import clean
from nosis.memory.tokenizer import terms
from nosis.memory.types import CoreMemory, Entry, Status

MAX_BYTES = 8_000  # of core.json, about 2,000 tokens of every prompt
MAX_VALUE_BYTES = 1_000
LIST_FIELDS = ("preference",)
_ALIASES = {
    "preferences": "preference",
    "prefers": "preference",
    "user name": "name",
    "user's name": "name",
    "full name": "name",
    "job": "role",
    "job title": "role",
    "title": "role",
    "occupation": "role",
    "profession": "role",
    "employer": "company",
    "workplace": "company",
}


_AROUND = {
    field: re.compile(rf"^(?:{words}) +(?=\S)", re.IGNORECASE)
    for field, words in {
        "name": r"my name is|(?:i am|i['’]m) called|call me|the user['’]s name is",
        "role": r"(?:i am|i['’]m|i work as|my (?:job|role) is|the user (?:is|works as))\b"
        r"(?: an?\b)?",
        "company": r"i work (?:at|for)|my (?:company|employer) is|the user works (?:at|for)",
    }.items()
}


def field_name(text: str) -> str:
    """The field a person or model means: ``Preferences`` is ``preference``."""
    name = " ".join(text.casefold().replace("_", " ").split())
    return _ALIASES.get(name, name.replace(" ", "_"))


def is_field_name(name: str) -> bool:
    """Whether a field may be called so: up to 40 letters, digits, ``_`` and ``-``."""
    return len(name) <= 40 and name.replace("_", "").replace("-", "").isalnum()


def bare(field: str, value: str) -> str:
    """A value without the sentence around it: ``role: I am a pilot`` holds "pilot"."""
    pattern = _AROUND.get(field)
    return (pattern.sub("", value, count=1).rstrip(" .") or value) if pattern else value


def size(core: CoreMemory) -> int:
    """Bytes of core.json with this content."""
    return len(render(core).encode())


def render(core: CoreMemory) -> str:
    """The text of core.json."""
    return json.dumps(core, ensure_ascii=False, indent=2) + "\n"


def check_value(value: str) -> None:
    """Raises UsageError where one value is too long for core memory."""
    if (length := len(value.encode())) > MAX_VALUE_BYTES:
        raise UsageError(
            f"{length} bytes are too many for one core value (at most {MAX_VALUE_BYTES})",
            "Shorten it, or keep it as a fact: nosis memory add TEXT",
        )


def with_value(core: CoreMemory, name: str, value: str | list[str] | None) -> CoreMemory:
    """A copy with the field set, or removed where value is None or an empty list."""
    return {**core, name: value} if value else {k: v for k, v in core.items() if k != name}


def values(core: CoreMemory, name: str) -> list[str]:
    """The field's values as a list: none, one, or many."""
    value = core.get(name, [])
    return [value] if isinstance(value, str) else list(value)


def is_list(core: CoreMemory, name: str) -> bool:
    """Whether the field holds several values: ``preference``, or one that holds a list now."""
    return name in LIST_FIELDS or isinstance(core.get(name), list)


def named_value(held: Sequence[str], words: str) -> str | None:
    """The one value that a model quotes: as it is written, or with words left out or added."""
    same = [value for value in held if value.casefold() == words.casefold()]
    if not same and (asked := set(terms(words))):
        same = [value for value in held if asked <= set(terms(value)) or set(terms(value)) <= asked]
    return same[0] if len(same) == 1 else None


def mirror_text(field: str, value: str) -> str:
    """The archived words of a core value, as the directive grammar writes them."""
    return f"{field}: {value}"


def mirrored(mirror: Entry | None, field: str) -> str | None:
    """The value of a core field that a live fact stands for; None if it stands for none."""
    if mirror is None or mirror.status is not Status.LIVE or mirror.field != field:
        return None
    return mirror.text.removeprefix(mirror_text(field, ""))


def read_file(path: Path) -> CoreMemory | None:
    """core.json's content, cleaned as any words are, without empty values; None where the file is
    missing.

    Raises:
        ValueError: it is damaged: no JSON object of strings and lists of strings.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return None
    content = json.loads(text)
    if not isinstance(content, dict):
        raise ValueError("not an object")
    core: CoreMemory = {}
    for written, value in content.items():
        if not is_field_name(name := field_name(written)):
            raise ValueError(f"{written!r} is no name of a field")
        items = value if isinstance(value, list) else [value]
        if not all(isinstance(item, str) for item in items):
            raise ValueError(f"field {name!r} is neither text nor a list of texts")
        kept = [text for item in items if (text := redact(clean(item)).strip())]
        many = isinstance(value, list) or name in LIST_FIELDS
        core = with_value(core, name, kept if many else "".join(kept))
    return core


def write_private(path: Path, text: str) -> None:
    """Replace a file as one step (temporary file, fsync, rename), readable by its owner only."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
