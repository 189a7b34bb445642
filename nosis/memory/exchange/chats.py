"""Exports of other chat programs as records: one record a message, in order.

The shapes are those that the programs' own "export data" gave in 2026; what is of another
shape is left out, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from nosis.memory.times import to_iso

_ROLES = {"user": "user", "human": "user", "assistant": "assistant"}


def chatgpt(conversations: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """``conversations.json`` of a ChatGPT data export.

    Each conversation is a tree of messages (regenerated answers are branches); the branch that
    ends in ``current_node`` is the one that the person saw.
    """
    for conversation in conversations:
        mapping, path = conversation["mapping"], []
        node, seen = conversation.get("current_node"), set()
        while isinstance(node, str) and node in mapping and node not in seen:
            seen.add(node)
            path.append(mapping[node])
            node = mapping[node].get("parent")
        session = conversation.get("conversation_id") or conversation.get("id")
        for step in reversed(path):
            message = step.get("message") or {}
            role = _ROLES.get((message.get("author") or {}).get("role", ""))
            parts = (message.get("content") or {}).get("parts") or []
            text = "\n".join(part for part in parts if isinstance(part, str)).strip()
            hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
            if role and text and not hidden:
                yield _record(text, role, session, message.get("create_time"), message.get("id"))


def claude(conversations: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """``conversations.json`` of a Claude data export."""
    for conversation in conversations:
        for message in conversation["chat_messages"]:
            role = _ROLES.get(message.get("sender", ""))
            blocks = message.get("content") or []
            said = [b["text"] for b in blocks if b.get("type") == "text" and b.get("text")]
            text = ("\n".join(said) or message.get("text") or "").strip()
            if role and text:
                yield _record(
                    text,
                    role,
                    conversation.get("uuid"),
                    message.get("created_at"),
                    message.get("uuid"),
                )


def _record(
    text: str, role: str, session: str | None, when: float | str | None, identity: str | None
) -> dict[str, Any]:
    record = {
        "kind": "turn",
        "text": text,
        "role": role,
        "session": session,
        "created_at": to_iso(when) if isinstance(when, int | float) else when,
        "external_id": identity,
    }
    return {name: value for name, value in record.items() if value is not None}
