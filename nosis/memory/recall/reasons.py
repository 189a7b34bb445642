"""Why a memory was recalled, in short phrases for people."""

from __future__ import annotations

from collections.abc import Mapping

from nosis.memory.recall.asked import Asked
from nosis.memory.store import Document
from nosis.memory.types import Kind

_SHOWN_WORDS = 4
_RELATED = 0.16  # weighted mean of a session's three best, from which the session is a reason


def reasons(asked: Asked, document: Document, parts: Mapping[str, float]) -> tuple[str, ...]:
    """What speaks for a recollection, from the most tangible to the least."""
    entry = document.entry
    found: list[str] = []
    if words := asked.words_in(document.terms)[:_SHOWN_WORDS]:
        found.append("words: " + ", ".join(words))
    for part, name in (("meaning", "meaning"), ("semantic", "meaning"), ("tokens", "wording")):
        if part in parts:
            found.append(f"{name} {parts[part]:+.2f}")
    if "phrase" in parts:
        found.append("phrase")
    if "speaker" in parts and entry.kind is Kind.TURN:
        found.append(f"said by {entry.speaker or ('you' if entry.role == 'user' else 'nosis')}")
    if parts.get("time", 0.0) > 0.05:
        found.append("from that time")
    if parts.get("session", 0.0) > _RELATED and entry.kind is Kind.TURN:
        found.append("related turns in its session")
    if entry.pinned:
        found.append("pinned")
    elif entry.importance >= 0.7:
        found.append("important")
    return tuple(found)
