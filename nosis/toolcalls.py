"""Function calls as a second channel to memory, for models that do them well.

Reading calls are answered at once. Writing calls become directives, so that they pass the same
filing at the end of the turn, with the same receipts, as the lines of an answer do.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from nosis.errors import NosisError
from nosis.memory.types import Directive, DirectiveKind, Recollection
from nosis.models import ToolCall
from nosis.tools import MemoryTools

if TYPE_CHECKING:
    from nosis.memory import Memory

MAX_ROUNDS = 4  # answers of the model to tool results, in one turn
MAX_CALLS = 16  # in one turn
_READING = ("recall", "list_memories", "history", "core_get", "read_memory")
_WRITING = ("remember", "update_memory", "forget", "core_set", "core_append")
# Families whose function calls were reliable enough to be worth their tokens.
_CAPABLE = re.compile(r"(?i)\b(gpt-[45]|o[134]\b|claude|gemini-[2-9]|deepseek-chat)")


def wanted(setting: str, model: str) -> bool:
    """Whether a model is offered tools: ``NOSIS_TOOLS`` is on, or auto and it does them well."""
    return setting == "on" or (setting == "auto" and bool(_CAPABLE.search(model)))


@cache
def definitions() -> tuple[Mapping[str, Any], ...]:
    """The tools as the OpenAI API describes functions."""
    from pydantic import TypeAdapter

    tools = []
    for name in (*_READING, *_WRITING):
        method = getattr(MemoryTools, name)
        schema = TypeAdapter(method).json_schema()
        schema["properties"].pop("self", None)
        schema["required"] = [n for n in schema.get("required", ()) if n != "self"]
        function = {
            "name": name,
            "description": " ".join((inspect.getdoc(method) or "").split()),
            "parameters": schema,
        }
        tools.append({"type": "function", "function": function})
    return tuple(tools)


class ToolCalls:
    """Answers the calls of one turn and collects what they ask of memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.directives: list[Directive] = []
        self.recalled: list[Recollection] = []  # shown to the model by calls
        self.count = 0

    async def answer(self, call: ToolCall) -> str:
        """The result of one call as JSON, or what was wrong with it."""
        self.count += 1
        try:
            arguments = json.loads(call.arguments or "{}")
            if not isinstance(arguments, dict):
                raise ValueError("arguments are no object")
            if self.count > MAX_CALLS:
                raise ValueError(f"more than {MAX_CALLS} calls in one turn")
            if call.name in _WRITING:
                self.directives.append(_DIRECTIVES[call.name](arguments))
                result: Any = {"status": "filed when the turn ends"}
            elif call.name in _READING:
                result = await asyncio.to_thread(self._read, call.name, arguments)
            else:
                raise ValueError(f"no tool {call.name!r}")
        except (ValueError, TypeError, KeyError, RecursionError, NosisError) as error:
            result = {"error": str(error)}
        return json.dumps(result, ensure_ascii=False)

    def _read(self, name: str, arguments: dict[str, Any]) -> Any:
        if name == "recall":
            hits = self._memory.recall(**arguments)
            self.recalled += hits
            return [hit.to_json() for hit in hits]
        return getattr(MemoryTools(self._memory), name)(**arguments)


def _text(given: dict[str, Any], name: str) -> str:
    if not isinstance(text := given[name], str):
        raise ValueError(f"{name} is no text")
    return text


def _remember(given: dict[str, Any]) -> Directive:
    category = _text(given, "category") if given.get("category") else None
    text, importance = _text(given, "content"), given.get("importance")
    return Directive(DirectiveKind.UPDATE, text, category=category, importance=importance)


def _update(given: dict[str, Any]) -> Directive:
    target, text = _text(given, "query_or_id"), _text(given, "new_content")
    importance = given.get("importance")
    return Directive(DirectiveKind.REPLACE, text, target, importance=importance)


def _forget(given: dict[str, Any]) -> Directive:
    return Directive(DirectiveKind.FORGET, target=_text(given, "query_or_id"))


def _core(given: dict[str, Any]) -> Directive:
    return Directive(DirectiveKind.UPDATE, f"{_text(given, 'field')}: {_text(given, 'value')}")


_DIRECTIVES: dict[str, Callable[[dict[str, Any]], Directive]] = {
    "remember": _remember,
    "update_memory": _update,
    "forget": _forget,
    "core_set": _core,
    "core_append": _core,
}
