"""What the scripted server answers: replies, and the payloads they become."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Reply:
    """One answer of ``/chat/completions``. A plain string or list of strings stands for ``text``.

    ``text`` as a list fixes the chunks; as a string it is cut every ``chunk`` characters (0:
    after each word). ``events`` replaces the whole stream by payloads of one's own: a dict is
    sent as JSON, a string as it is after ``data: ``, bytes as they are. ``body`` replaces the
    whole response, with ``status`` and ``content_type``.
    """

    text: str | Sequence[str] = ""
    chunk: int = 0
    reasoning: str | Sequence[str] = ""
    reasoning_field: str = "reasoning_content"
    finish: str | None = "stop"
    usage: bool | Mapping[str, Any] = True  # False: none, even if asked for
    done: bool = True  # ends with data: [DONE]
    events: Sequence[Any] | None = None
    status: int = 200
    body: Any = None
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    drop_after: int | None = None  # events sent before the connection is cut; -1: before any byte
    hold_after: int | None = None  # events sent before waiting for release(); -1: before any byte
    when: str | None = None  # a standing rule: used whenever this pattern is in the messages


def error(status: int, message: str, **details: Any) -> Reply:
    """An error as OpenAI words it: ``error(429, "Rate limit", code="rate_limit_exceeded")``."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    defaults = {"message": message, "type": kind, "param": None, "code": None}
    return Reply(status=status, body={"error": {**defaults, **details}})


Scripted = Reply | str | Sequence[str] | Mapping[str, Any] | Callable[[Any], Any]


def as_reply(scripted: Any) -> Reply:
    if isinstance(scripted, Reply):
        return scripted
    if isinstance(scripted, Mapping):
        if "error" in scripted:
            details = dict(scripted["error"])
            return error(scripted.get("status", 500), details.pop("message", "error"), **details)
        return Reply(**scripted)
    return Reply(scripted)


def sse(event: Any) -> bytes:
    return f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode()


def _pieces(text: str | Sequence[str], size: int) -> list[str]:
    if not isinstance(text, str):
        return list(text)
    if size:
        return [text[at : at + size] for at in range(0, len(text), size)]
    return re.findall(r"\s*\S+\s*?(?=\s|$)|\s+", text)


def _usage(reply: Reply, body: Any) -> Any:
    if isinstance(reply.usage, Mapping):
        return dict(reply.usage)
    prompt = sum(len(str(m["content"]).split()) for m in body.get("messages", ()))
    written = sum(len(piece.split()) for piece in _pieces(reply.text, 0))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": written,
        "total_tokens": prompt + written,
    }


def events(reply: Reply, body: Any) -> list[Any]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0}
    head["model"] = body.get("model")

    def event(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
        return {**head, "choices": [choice]}

    thoughts = _pieces(reply.reasoning, reply.chunk)
    made = [event({reply.reasoning_field: thought}) for thought in thoughts]
    made += [event({"content": piece}) for piece in _pieces(reply.text, reply.chunk)]
    if reply.finish is not None:
        made.append(event({}, reply.finish))
    if reply.usage and (body.get("stream_options") or {}).get("include_usage"):
        made.append({**head, "choices": [], "usage": _usage(reply, body)})
    return made


def completion(reply: Reply, body: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.text)}
    if reply.reasoning:
        message[reply.reasoning_field] = "".join(reply.reasoning)
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    whole = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0}
    whole |= {"model": body.get("model"), "choices": [choice]}
    return whole | ({"usage": _usage(reply, body)} if reply.usage else {})


def vector(text: str, dimensions: int) -> Any:
    """Words hashed into a vector: texts that share words are near; not of unit length."""
    vector = np.full(dimensions, 0.01, dtype=np.float32)
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(word.encode("utf-8", "replace")).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1
    return vector
