"""Chunks of a chat completion, as servers really send them, to Deltas and one Finish."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nosis.errors import ModelError
from nosis.models import Delta, Finish, ToolCall
from nosis.models.reasoning import ThinkSplitter

_REASONS = {"max_tokens": "length", "length": "length", "content_filter": "content_filter"}


class Answer:
    """Takes the chunks of one answer in order (SDK objects or parsed JSON alike)."""

    def __init__(self) -> None:
        self._splitter = ThinkSplitter()
        self._usage: Any = None
        self._reason: str | None = None
        self._calls: dict[int, dict[str, str]] = {}  # by index: id, name, arguments so far
        self.empty = True  # nothing that looks like a chunk has come yet

    @property
    def complete(self) -> bool:
        """Whether the model said that it is done."""
        return self._reason is not None

    def take(self, chunk: Any) -> list[Delta]:
        """The Deltas of one chunk (``message`` for ``delta`` counts too).

        Raises:
            ModelError: the chunk is an error in disguise.
        """
        choices = _get(chunk, "choices")
        if not choices:
            _refuse_error(chunk)
        self._usage = _get(chunk, "usage") or self._usage
        deltas: list[Delta] = []
        for choice in choices if isinstance(choices, list) else ():
            self.empty = False
            piece = _get(choice, "delta") or _get(choice, "message")
            text, thought = _parts(_get(piece, "content"))
            text = text or _text(piece, "refusal")
            thought = thought or _text(piece, "reasoning_content") or _text(piece, "reasoning")
            if thought:
                deltas.append(Delta(reasoning=thought))
            deltas += self._splitter.feed(text)
            self._take_calls(_get(piece, "tool_calls"))
            if reason := _get(choice, "finish_reason"):
                if reason == "error":
                    raise ModelError("the model stopped with an error", "Ask again.")
                self._reason = _REASONS.get(str(reason), "stop")
        return deltas

    def _take_calls(self, pieces: Any) -> None:
        """Tool calls come in pieces: the name first, then the arguments bit by bit."""
        for number, piece in enumerate(pieces if isinstance(pieces, list) else ()):
            index = _count(_get(piece, "index"))
            call = self._calls.setdefault(
                number if index is None else index, {"id": "", "name": "", "arguments": ""}
            )
            function = _get(piece, "function")
            call["id"] = _text(piece, "id") or call["id"]
            call["name"] = _text(function, "name") or call["name"]
            arguments = _get(function, "arguments")
            call["arguments"] += (
                json.dumps(arguments)
                if isinstance(arguments, Mapping)
                else _text(function, "arguments")
            )

    def calls(self) -> list[ToolCall]:
        """The tool calls of a complete answer, in order."""
        return [
            ToolCall(call["id"] or f"call_{index}", call["name"], call["arguments"])
            for index, call in sorted(self._calls.items())
            if call["name"]
        ]

    def take_whole(self, completion: Any) -> list[Delta]:
        """The Deltas of an answer that came at once, which needs no reason to be over."""
        deltas = self.take(completion)
        if not self.empty:
            self._reason = self._reason or "stop"
        return deltas

    def end(self) -> list[Delta]:
        """The last Deltas, once no chunk follows."""
        return self._splitter.end()

    def finish(self) -> Finish:
        """The end of a complete answer."""
        usage = self._usage
        details = _get(usage, "prompt_tokens_details")
        cached = _get(details, "cached_tokens") or _get(usage, "prompt_cache_hit_tokens")
        return Finish(
            reason=self._reason or "stop",
            prompt_tokens=_count(_get(usage, "prompt_tokens")),
            completion_tokens=_count(_get(usage, "completion_tokens")),
            cached_tokens=_count(cached) or 0,
        )


def error_words(body: Any) -> str:
    """What an error body says, whatever its shape; empty if it says nothing."""
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "; ".join(filter(None, map(error_words, body)))
    if not isinstance(body, Mapping):
        return ""
    where = body.get("loc")  # FastAPI's validation errors
    place = f"{where[-1]}: " if isinstance(where, list) and where else ""
    for key in ("error", "message", "detail", "msg"):
        if said := error_words(body.get(key)):
            return place + said
    return ""


def _refuse_error(chunk: Any) -> None:
    extra = chunk if isinstance(chunk, Mapping) else getattr(chunk, "model_extra", None) or {}
    if _get(chunk, "object") == "error" or "error" in extra or "detail" in extra:
        raise ModelError(error_words(extra) or "the server reported an error", "Ask again.")


def _parts(content: Any) -> tuple[str, str]:
    """Text and reasoning of a content that may be null, text, or a list of typed parts."""
    if isinstance(content, str):
        return content, ""
    text, thought = "", ""
    for part in content if isinstance(content, list) else ():
        thought += _parts(_get(part, "thinking"))[0]
        text += _text(part, "text")
    return text, thought


def _get(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)


def _text(holder: Any, name: str) -> str:
    value = _get(holder, name)
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None
