"""Exports of other chat programs as records: one record a message, in order.

The shapes are those that the programs' own "export data" gave in 2026; what is of another
shape is left out, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nosis.memory.times import to_iso

_ROLES = {"user": "user", "human": "user", "assistant": "assistant"}

Json = Mapping[str, Any]


def chatgpt(conversations: Iterable[Json]) -> Iterator[dict[str, Any]]:
    """``conversations.json`` of a ChatGPT data export.

    Each conversation is a tree of messages (regenerated answers are branches); the branch that
    ends in ``current_node`` is the one that the person saw, the newest one where that is missing.
    Calls of tools and hidden messages are left out.
    """
    for conversation in conversations:
        mapping = _object(conversation.get("mapping"))
        session = conversation.get("conversation_id") or conversation.get("id")
        when = conversation.get("create_time")
        for step in _branch(mapping, conversation.get("current_node")):
            message = _object(step.get("message"))
            role = _ROLES.get(_object(message.get("author")).get("role", ""))
            parts = _object(message.get("content")).get("parts")
            said = (_said(part) for part in parts if part) if isinstance(parts, list) else ()
            text = "\n".join(filter(None, said)).strip()
            hidden = _object(message.get("metadata")).get("is_visually_hidden_from_conversation")
            when = message.get("create_time") or when  # some messages have none of their own
            if role and text and not hidden and message.get("recipient") in (None, "all"):
                yield _record(
                    text, role, session, conversation.get("title"), when, message.get("id")
                )


def claude(conversations: Iterable[Json]) -> Iterator[dict[str, Any]]:
    """``conversations.json`` of a Claude data export. Files that were attached are left out."""
    for conversation in conversations:
        when = conversation.get("created_at")
        for message in conversation.get("chat_messages") or ():
            role = _ROLES.get(message.get("sender", ""))
            blocks = [_object(block) for block in message.get("content") or ()]
            said = [b["text"] for b in blocks if b.get("type") == "text" and b.get("text")]
            text = ("\n".join(said) or message.get("text") or "").strip()
            when = message.get("created_at") or when
            if role and text:
                session, title = conversation.get("uuid"), conversation.get("name")
                yield _record(text, role, session, title, when, message.get("uuid"))


def _branch(mapping: Json, end: Any) -> list[Json]:
    """The steps from the root to the end of the branch that was seen."""
    if end not in mapping:
        parents = {_object(step).get("parent") for step in mapping.values()}
        leaves = [name for name in mapping if name not in parents]
        end = max(leaves, key=lambda name: _time(mapping[name]), default=None)
    path: list[Json] = []
    seen = set()
    while isinstance(end, str) and end in mapping and end not in seen:
        seen.add(end)
        path.append(_object(mapping[end]))
        end = path[-1].get("parent")
    return path[::-1]


def _time(step: Any) -> float:
    when = _object(_object(step).get("message")).get("create_time")
    return float(when) if isinstance(when, int | float) else 0.0


def _said(part: Any) -> str:
    """The words of one part of a message: text, or what was heard of a voice."""
    if isinstance(part, str):
        return part
    heard = _object(part)
    text = heard.get("text") if heard.get("content_type") == "audio_transcription" else None
    return text if isinstance(text, str) else ""


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _record(
    text: str,
    role: str,
    session: str | None,
    title: str | None,
    when: float | str | None,
    identity: str | None,
) -> dict[str, Any]:
    record = {
        "kind": "turn",
        "text": text,
        "role": role,
        "session": session,
        "title": title or None,
        "created_at": to_iso(when) if isinstance(when, int | float) else when,
        "external_id": identity,
    }
    return {name: value for name, value in record.items() if value is not None}
