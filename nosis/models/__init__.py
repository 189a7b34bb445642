"""What the loop asks of a model, and how one is chosen.

A model is anything with ``stream``: a server (``openai``), a file in this process
(``local``), rules without a model (``offline``), or a script (``scripted``).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from nosis.memory.types import CoreMemory, Recollection

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that the model wants called, and its arguments as JSON text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message as a server gets it."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()  # of an assistant message
    answers: str | None = None  # of a tool message: the id of the call


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    ``messages`` is all that a server needs. The other fields are what the messages were made
    of, for models that work on meaning rather than prose (offline, the local second pass).
    """

    messages: tuple[Message, ...]
    user: str = ""  # the user's own words of this turn, without material
    core: CoreMemory = field(default_factory=dict)
    recalled: tuple[Recollection, ...] = ()  # shown to the model
    near: tuple[Recollection, ...] = ()  # just below them: not to answer from, but to correct
    has_material: bool = False
    learns: bool = True  # False: whatever the answer asks of memory, nothing is kept
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None  # JSON schema that the answer must match
    tools: tuple[Mapping[str, Any], ...] = ()  # functions, as the OpenAI API describes them


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer. Reasoning is never stored and never parsed for directives."""

    text: str = ""
    reasoning: str = ""
    aside: bool = False  # said by the program, not by the model: shown, never archived


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of an answer: always the last chunk of a complete stream."""

    reason: str = "stop"  # "stop", "length", "content_filter"
    prompt_tokens: int | None = None  # None: the server reported no usage
    completion_tokens: int | None = None
    cached_tokens: int = 0
    own_prompt: bool = False  # made by the model itself from the request, not its messages


Chunk = Delta | ToolCall | Finish


class Model(Protocol):
    """Anything that can answer. ``stream`` raises ModelError, NetworkError or ModelTimeout."""

    name: str
    context_window: int | None  # tokens; None: unknown

    def stream(self, request: Request) -> AsyncIterator[Chunk]: ...
    async def aclose(self) -> None: ...


async def complete(model: Model, request: Request) -> tuple[str, Finish]:
    """The whole answer at once, without reasoning."""
    parts: list[str] = []
    finish = Finish()
    async for chunk in model.stream(request):
        if isinstance(chunk, Finish):
            finish = chunk
        elif isinstance(chunk, Delta):
            parts.append(chunk.text)
    return "".join(parts), finish


def messages_text(messages: Sequence[Message]) -> str:
    """All message contents, one after the other (for counting tokens)."""
    return "\n".join(message.content for message in messages)
