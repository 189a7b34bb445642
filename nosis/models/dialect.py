"""What one server takes for one model: the OpenAI request, less what the server has refused.

Reasoning models refuse ``max_tokens``, older servers ``stream_options`` and
``response_format``, some chat templates the system role. Each refusal is learnt from the
error's words and kept for the process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nosis.models import Message, Request
from nosis.tokens import well_formed

_TOO_LONG = re.compile(r"(?i)context.{0,20}(length|window|size)|too (long|large)|exceed")
_NAMES = {  # a field of the request -> how servers name it when they refuse it
    "max_completion_tokens": re.compile(r"\bmax_completion_tokens\b"),
    "max_tokens": re.compile(r"\bmax_tokens\b"),
    "response_format": re.compile(r"(?i)response_format|json_schema|json_object|structured output"),
    "stream_options": re.compile(r"\bstream_options\b"),
    "tools": re.compile(r"(?i)['\"`]?tools['\"`]?\b|function.?call|tool (use|call)"),
    "stream": re.compile(r"(?i)['\"`]stream['\"`]|(support|allow)\w* stream|streaming is not"),
}
_SYSTEM = re.compile(
    r"(?i)['\"`]system['\"`]|system.{0,20}(role|message|prompt|instruction)"
    r"|role.{0,40}system|developer instruction|roles must alternate"
)


def is_too_long(said: str) -> bool:
    """Whether an error's words say that the prompt does not fit the model's context."""
    return bool(_TOO_LONG.search(said))


@dataclass
class Dialect:
    """The fields a server is known to take; it starts as OpenAI's own and only shrinks."""

    limit: str | None = "max_tokens"
    format: str | None = "json_schema"
    usage: bool = True
    streaming: bool = True
    system: bool = True
    tools: bool = True

    def payload(self, model: str, request: Request) -> dict[str, Any]:
        """The JSON of a chat request; nothing that is unset is in it."""
        messages = request.messages if self.system else fold_system(request.messages)
        payload: dict[str, Any] = {
            "model": model,
            "messages": [_message(m) for m in messages],
        }
        if self.tools and request.tools:
            payload["tools"] = [dict(tool) for tool in request.tools]
        if self.streaming:
            payload["stream"] = True
            if self.usage:
                payload["stream_options"] = {"include_usage": True}
        if self.limit and request.max_tokens is not None:
            payload[self.limit] = request.max_tokens
        if request.schema is not None and (form := self._form(request.schema)):
            payload["response_format"] = form
        return payload

    def _form(self, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        if self.format == "json_schema":
            named = {"name": "answer", "schema": dict(schema)}
            return {"type": "json_schema", "json_schema": named}
        if self.format == "json_object" and schema.get("type") == "object":
            return {"type": "json_object"}
        return None

    def learn(self, said: str, param: str | None, sent: Mapping[str, Any]) -> bool:
        """Whether a refusal named something that was sent; from now on it is not.

        Args:
            said: the error's words.
            param: the field the error names, if it has such a field.
            sent: the payload that was refused.
        """
        if is_too_long(said):
            return False
        fields = [name for name in _NAMES if name in sent]
        named = [name for name in fields if re.split(r"[.\[]", param or "")[0] == name]
        named += [name for name in fields if _NAMES[name].search(said)]
        if named:
            self._drop(named[0])
            return True
        if any(m["role"] == "system" for m in sent["messages"]) and _SYSTEM.search(said):
            self.system = False
            return True
        return False

    def _drop(self, name: str) -> None:
        if name == "max_tokens":
            self.limit = "max_completion_tokens"
        elif name == "max_completion_tokens":
            self.limit = None
        elif name == "response_format":
            self.format = "json_object" if self.format == "json_schema" else None
        elif name == "stream_options":
            self.usage = False
        elif name == "tools":
            self.tools = False
        else:
            self.streaming = False


def _message(message: Message) -> dict[str, Any]:
    shown: dict[str, Any] = {"role": message.role, "content": well_formed(message.content)}
    if message.calls:
        shown["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.calls
        ]
    if message.answers:
        shown["tool_call_id"] = message.answers
    return shown


def fold_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same conversation without system messages and with strictly alternating roles.

    What the system said goes to the head of the user message that follows it.
    """
    folded: list[Message] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        if folded and folded[-1].role == role:
            joined = f"{folded[-1].content}\n\n{message.content}"
            folded[-1] = Message(role=folded[-1].role, content=joined)
        else:
            folded.append(
                Message(role="user" if role == "user" else "assistant", content=message.content)
            )
    return tuple(folded)
