"""Words for people about memories: safe text, dates, ages and names of what things are."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

from nosis.memory.text import clean
from nosis.memory.types import Entry, Kind, Origin, Status

_JOINERS = "\u200c\u200d"  # part of emoji and of Persian and Indic spelling
_BREAKS = {0x2028: "\n", 0x2029: "\n"}
ORIGINS = {
    Origin.USER: ("you said", "$text-success"),
    Origin.ASSISTANT: ("model inferred", "$text-secondary"),
    Origin.MATERIAL: ("pasted", "$text-warning"),
    Origin.IMPORT: ("imported", "$text-accent"),
    Origin.CURATOR: ("curated", "$text-secondary"),
}
"""Origin -> (words, colour)."""

STATUSES = {
    Status.LIVE: ("live", "$text-success"),
    Status.SUPERSEDED: ("superseded", "$foreground-muted"),
    Status.FORGOTTEN: ("forgotten", "$foreground-muted"),
    Status.PENDING: ("pending", "$text-warning"),
}
"""Status -> (word, colour)."""

_LEVELS = ((0.9, "critical"), (0.7, "important"), (0.5, "useful"), (0.3, "low"), (0.0, "minimal"))
_UNITS = (
    (365 * 86_400, "year"),
    (30 * 86_400, "month"),
    (7 * 86_400, "week"),
    (86_400, "day"),
    (3_600, "hour"),
    (60, "minute"),
)


def paragraph(text: str) -> str:
    """Text that cannot act on a terminal, nor on what stands beside it in a row: no control,
    direction or invisible characters."""
    kept = (c for c in clean(text) if c in _JOINERS or unicodedata.category(c) != "Cf")
    return "".join(kept).translate(_BREAKS).expandtabs(4)


def line(text: str) -> str:
    """As ``paragraph``, on one line."""
    return " ".join(paragraph(text).split())


def day(seconds: float) -> str:
    """The UTC day of a moment: ``2026-11-30``."""
    return _moment(seconds).date().isoformat()


def minute(seconds: float) -> str:
    """A moment in UTC: ``2026-11-30 20:10``."""
    return f"{_moment(seconds):%Y-%m-%d %H:%M}"


def ago(then: float, now: float) -> str:
    """How long ago, in the largest fitting unit; never negative."""
    for size, unit in _UNITS:
        if (count := int((now - then) // size)) > 0:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def level(importance: float) -> str:
    """The word for an importance (design.md, section 5)."""
    return next(name for least, name in _LEVELS if importance >= least)


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """``1 fact``, ``12,000 facts``."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def spoken(entry: Entry) -> str:
    """The words of a memory on one line; a message of a conversation names its speaker."""
    text = line(entry.text) or "(no words)"
    if entry.kind is not Kind.TURN:
        return text
    who = entry.speaker or ("nosis" if entry.role == "assistant" else "you")
    return f"{line(who)}: {text}"


def _moment(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):  # a year that no calendar has
        return datetime.fromtimestamp(0, UTC)
