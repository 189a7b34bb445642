"""Plain records, the common shape of everything that is imported, as journal events.

A record is a dict with ``text`` and, where known, ``kind`` ("turn" or "fact"), ``created_at``
(ISO 8601), ``role``, ``speaker``, ``session``, ``title`` (of the session), ``category``,
``importance``, ``external_id``.
One without ``kind`` that has a role, a speaker or a session is a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nosis.errors import UsageError
from nosis.memory import filing, ids
from nosis.memory.filing.operation import Operation
from nosis.memory.operations.sessions import MAX_TITLE
from nosis.memory.redact import redact
from nosis.memory.store import Event
from nosis.memory.text import clean
from nosis.memory.times import from_iso, to_iso
from nosis.memory.types import Kind, Origin

_KEYS = {
    *("text", "kind", "created_at", "role", "speaker"),
    *("session", "title", "category", "importance", "external_id"),
}
_ROLES = ("user", "assistant")


def events(op: Operation, records: Iterable[Mapping[str, Any]]) -> Iterator[Event]:
    """One event a record, with ids made from the record itself; one more for a session's title.

    The same record gives the same long ids each time, so an import that was cut short can be run
    again. Records that are equal in everything count as that many memories.

    Raises:
        UsageError: a record is not of the documented shape; the message tells which.
    """
    seen: Counter[bytes] = Counter()
    titled: set[str] = set()
    for number, record in enumerate(records, 1):
        try:
            fields = _checked(record)
        except UsageError as error:
            raise UsageError(f"record {number}: {error.message}", error.hint) from None
        title, session = fields.pop("title"), fields["session"]
        if title and session and session not in titled:
            titled.add(session)
            named = "e" + ids.from_bytes(f"{session} {title}".encode())
            yield {**op.event("session", id=session, title=title), "event": named}
        key = repr(sorted(fields.items())).encode()
        seen[key] += 1
        name = ids.from_bytes(key + str(seen[key]).encode())
        kind = fields.pop("kind")
        entry_id = ("m" if kind is Kind.FACT else "t") + name
        yield {**op.event(kind.value, id=entry_id, **fields), "event": "e" + name}


def _checked(record: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise UsageError("not an object", 'Give objects such as {"text": "…", "kind": "fact"}.')
    if unknown := sorted(map(str, record.keys() - _KEYS)):
        raise UsageError(
            f"unknown key {unknown[0]!r}", "Known keys: " + ", ".join(sorted(_KEYS)) + "."
        )
    text = record.get("text")
    if not isinstance(text, str):
        raise UsageError("it has no text", 'Each record needs a "text".')
    role, kind = record.get("role"), record.get("kind")
    if kind not in (None, "turn", "fact"):
        raise UsageError(f"unknown kind {kind!r}", 'Use "turn" or "fact".')
    spoken = any(record.get(key) is not None for key in ("role", "speaker", "session"))
    is_turn = kind == "turn" or (kind is None and spoken)
    if is_turn and role not in (None, *_ROLES):
        raise UsageError(f"unknown role {role!r}", 'Use "user" or "assistant".')
    created = record.get("created_at")
    importance = record.get("importance")
    fields: dict[str, Any] = {
        "kind": Kind.TURN if is_turn else Kind.FACT,
        "text": redact(clean(text)),
        "created_at": to_iso(from_iso(created)) if created is not None else None,
        "importance": 0.5 if importance is None else filing.check_importance(importance),
        "origin": Origin.IMPORT,
    }
    if is_turn:
        fields["role"] = role or "user"
    else:
        fields["category"] = filing.check_category(record.get("category"))
    for name in ("speaker", "session", "external_id"):
        value = record.get(name)
        fields[name] = None if value is None else clean(str(value))
    title = " ".join(redact(clean(str(record.get("title") or ""))).split())
    fields["title"] = title[:MAX_TITLE] if is_turn else None
    return fields
