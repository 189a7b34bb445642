"""Cues beside the words: who said it, when, whether it asks or wishes."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from nosis.memory.recall.asked import Asked
from nosis.memory.types import Category, Entry, Kind

QUESTION_WORDS = 25  # a longer text that ends in a question also tells something

_STANDING = re.compile(
    r"(?:^|[.!?]\s+)(?:please )?(?:always|never)\b|\b(?:from now on|whenever I|when I ask|"
    r"my preference|I(?:'d| would| always| really)? (?:prefer|rather))\b",
    re.IGNORECASE,
)


def said_by(asked: Asked, entry: Entry) -> float:
    """1 if the words are of, or about, whom the message asks about."""
    if asked.speakers:
        if entry.kind is Kind.FACT:
            text = entry.text.casefold()
            return float(any(name in text for name in asked.speakers))
        return float((entry.speaker or "").casefold() in asked.speakers)
    if entry.kind is Kind.FACT:
        return float(asked.role == "user")
    return float(asked.role is not None and entry.role == asked.role)


def from_time(asked: Asked, entry: Entry) -> float:
    """1 within a time that the message names, fading after it."""
    if not asked.times:
        return 0.0
    day = datetime.fromtimestamp(entry.created_at, UTC).date()
    return max(time.nearness(day) for time in asked.times)


def wishes(asked: Asked, entry: Entry) -> float:
    """1 for a standing wish of the user, if the message asks to do something."""
    if not asked.request:
        return 0.0
    if entry.kind is Kind.FACT:
        return float(entry.category is Category.PREFERENCE)
    return float(entry.role == "user" and bool(_STANDING.search(entry.text)))


def only_asks(_: Asked, entry: Entry) -> float:
    """1 for a short text that ends in a question."""
    text = entry.text.rstrip()
    return float(text.endswith(("?", "？")) and text.count(" ") < QUESTION_WORDS)


def importance(_: Asked, entry: Entry) -> float:
    """From -0.5 to 0.5."""
    return entry.importance - 0.5
