"""A GGUF file as a model in this process, through llama.cpp (``pip install 'nosis-agent[local]'``).

Small models cannot answer and keep the directive grammar at once, so this one takes two
passes: it answers, then ``extraction`` reads the user's own words, and what it finds follows
the answer as directive lines, like any other model's. Only what the user puts right is read
first: shown what is out of date, a small model insists on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import secrets
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from nosis.errors import ModelError, ModelTimeout, UsageError
from nosis.memory.text import neutralise
from nosis.memory.types import CoreMemory, Recollection
from nosis.models import Delta, Finish, Message, Request
from nosis.models.answer import Answer, error_words
from nosis.models.dialect import is_too_long
from nosis.models.extraction import corrected, directive_lines, first_lines
from nosis.tokens import well_formed

DEFAULT_WINDOW = 8192  # tokens; more costs memory even where it is not used
_EXTRACTION_WINDOW = 1024
_TEMPERATURE = 0.3
_CHAT, _EXTRACTION = 0, 1  # slots: each keeps its own prompt cached
_DIRECTIVES = ["MEMORY_UPDATE", "MEMORY_REPLACE", "MEMORY_FORGET"]  # not in the first pass

_SYSTEM = """You are nosis, a helpful assistant in the user's terminal. You remember what the \
user told you in earlier conversations. Answer in the user's language, directly, in a full \
sentence. Use what you know about the user where it helps; if you do not know it, say so. Where \
two things that you know contradict each other, the newest one is true."""


class LocalModel:
    """A model in a file. It is loaded by the first question, in seconds.

    Args:
        path: a GGUF file.
        context_window: tokens; None is 8,192.
        timeout: seconds for a whole answer, loading included.

    Raises:
        UsageError: there is no such file, or the runtime is not installed.
    """

    def __init__(
        self, path: str | Path, context_window: int | None = None, timeout: float = 300.0
    ) -> None:
        self.path = Path(path).expanduser()
        self.name = self.path.stem
        self.context_window: int | None = context_window or DEFAULT_WINDOW
        self._timeout = timeout
        self._server: Any = None
        self._loading = threading.Lock()
        if not self.path.is_file():
            raise UsageError(
                f"no model file {self.path}", "See what can be fetched with: nosis models list"
            )
        if importlib.util.find_spec("xllamacpp") is None:
            raise UsageError(
                "a model file needs a runtime that is not installed",
                "Install it with: pip install 'nosis-agent[local]'",
            )

    async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        """The answer in pieces, its directive lines, then one Finish.

        Raises:
            ModelTimeout: not finished within the timeout.
            ModelError: the file cannot be used, or the prompt does not fit.
        """
        deadline = asyncio.get_running_loop().time() + self._timeout
        answer = Answer()
        payload = _payload(request)
        ask = partial(self._ask, deadline)
        told = None
        if request.user and request.schema is None:
            told = await first_lines(request, time.time(), ask)
            shown = request if request.has_material else corrected(request, told)
            payload |= {"messages": _messages(conversation(shown)), "stop": _DIRECTIVES}
        async with contextlib.aclosing(self._run(payload, deadline)) as chunks:
            async for chunk in chunks:
                for delta in answer.take(chunk):
                    yield delta
        for delta in answer.end():
            yield delta
        if told and (lines := await directive_lines(request, told, ask)):
            yield Delta(text="".join(f"\n{line}" for line in lines) + "\n")
        yield replace(answer.finish(), own_prompt=told is not None)

    async def extract(self, request: Request) -> list[str]:
        """Without an answer: directive lines for what the user's words tell."""
        ask = partial(self._ask, asyncio.get_running_loop().time() + self._timeout)
        return await directive_lines(request, await first_lines(request, time.time(), ask), ask)

    async def aclose(self) -> None:
        """Free the model's memory."""
        server, self._server = self._server, None
        if server is not None:
            await asyncio.to_thread(_discard, [server])

    async def _ask(self, deadline: float, system: str, user: str, grammar: str) -> str:
        payload = {
            "messages": _messages([Message("system", system), Message("user", user)]),
            "grammar": grammar,
            "temperature": 0,
            "max_tokens": 200,
            "id_slot": _EXTRACTION,
        }
        answer = Answer()
        said = ""
        async with contextlib.aclosing(self._run(payload, deadline)) as chunks:
            async for chunk in chunks:
                said += "".join(delta.text for delta in answer.take(chunk))
        return said

    async def _run(self, payload: dict[str, Any], deadline: float) -> AsyncGenerator[Any, None]:
        """The chunks of one completion, from a thread that stops when nobody reads on."""
        loop = asyncio.get_running_loop()
        chunks: asyncio.Queue[Any] = asyncio.Queue()
        stopping = threading.Event()

        def put(item: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may be closed by now
                loop.call_soon_threadsafe(chunks.put_nowait, item)

        def take(chunk: Any) -> bool:
            put(chunk)
            return stopping.is_set()

        def work() -> None:
            try:
                self._loaded().handle_chat_completions({**payload, "stream": True}, take)
            except Exception as error:
                put(error)
            put(None)

        threading.Thread(target=work, name=self.name, daemon=True).start()
        try:
            while True:
                try:
                    async with asyncio.timeout_at(deadline):
                        chunk = await chunks.get()
                except TimeoutError:
                    raise ModelTimeout(
                        f"the model did not finish within {self._timeout:g} seconds",
                        "Raise NOSIS_TIMEOUT (seconds), or use a smaller model.",
                    ) from None
                if chunk is None:
                    return
                yield self._checked(chunk)
        finally:
            stopping.set()

    def _checked(self, chunk: Any) -> Any:
        if isinstance(chunk, ModelError):
            raise chunk
        if not isinstance(chunk, Exception) and not (
            isinstance(chunk, Mapping) and "error" in chunk
        ):
            return chunk
        words = neutralise(error_words(chunk) or str(chunk))
        if is_too_long(words):
            raise ModelError(
                f"the prompt does not fit the model: {words}",
                "Raise NOSIS_CONTEXT_WINDOW (tokens), or send less.",
            )
        raise ModelError(f"{self.path.name} failed: {words}", "Ask again, or use another model.")

    def _loaded(self) -> Any:
        with self._loading:
            if self._server is None:
                self._server = _load(self.path, self.context_window or DEFAULT_WINDOW)
            return self._server


def _load(path: Path, window: int) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = window + _EXTRACTION_WINDOW
    params.n_parallel = 2
    params.kv_unified = True  # the slots share the context
    params.verbosity = -1
    params.warmup = False
    # The runtime listens on a port of this machine; nobody but this process may use it.
    params.api_keys = [secrets.token_hex(16)]
    params.endpoint_slots = False
    params.endpoint_props = False
    try:
        return xllamacpp.Server(params)
    except Exception as error:  # whatever the runtime raises, the file is what is wrong
        raise ModelError(
            f"cannot load {path}: {neutralise(str(error))}",
            "Check that it is a complete GGUF file: nosis models get verifies its sha256.",
        ) from error


def _discard(servers: list[Any]) -> None:
    servers.clear()  # the last reference: the runtime joins its threads, which takes a moment


def _payload(request: Request) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "messages": _messages(request.messages),
        "temperature": _TEMPERATURE,
        "stream_options": {"include_usage": True},
        "id_slot": _CHAT,
    }
    if request.max_tokens is not None:
        payload["max_tokens"] = request.max_tokens
    if request.schema is not None:
        named = {"name": "answer", "schema": dict(request.schema)}
        payload["temperature"] = 0
        payload["response_format"] = {"type": "json_schema", "json_schema": named}
    return payload


def _messages(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": m.role, "content": well_formed(m.content)} for m in messages]


def conversation(request: Request) -> list[Message]:
    """The loop's messages in the plain words that a small model follows.

    Instructions and core memory come first and stay the same bytes until core memory changes;
    what was recalled stands right before the user's words.
    """
    history = [m for m in request.messages[:-1] if m.role != "system"]
    last = request.messages[-1].content
    if not request.has_material:
        last = f"{_notes(request.recalled)}{request.user}"
    return [Message("system", _SYSTEM + _known(request.core)), *history, Message("user", last)]


def _known(core: CoreMemory) -> str:
    """Core memory in lines. A small model that is told no name takes its own for the user's."""
    lines = [
        f"\n- {field}: {neutralise('; '.join(value) if isinstance(value, list) else value)}"
        for field, value in {"name": "not known yet", **core}.items()
        if value
    ]
    return "".join(["\n\nThe user:", *lines])


def _notes(recalled: Sequence[Recollection]) -> str:
    if not recalled:
        return ""
    lines = [f"- {_said_by(hit)}{neutralise(hit.entry.text)}" for hit in recalled]
    today = f"Today is {datetime.now():%A, %Y-%m-%d}."
    return "\n".join(["Notes from earlier conversations with me:", *lines, "", today, "", ""])


def _said_by(hit: Recollection) -> str:
    said = {"user": ", I said", "assistant": ", you said"}.get(hit.entry.role or "", "")
    return f"{datetime.fromtimestamp(hit.entry.created_at):%Y-%m-%d}{said}: "
