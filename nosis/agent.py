"""The loop: one turn as a stream of events. Every way in (app, command, library) consumes it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nosis import prompting, tokens, toolcalls
from nosis.errors import ModelTimeout, NosisError, StorageError, UnreachableError, UsageError
from nosis.events import (
    MemoryChanged,
    Notice,
    Recalled,
    TextDelta,
    Thinking,
    TurnDone,
    TurnEvent,
    TurnFailed,
    Usage,
)
from nosis.memory.block import recalled_block
from nosis.memory.ids import new_id
from nosis.memory.types import CoreMemory, Directive, Origin, Recall, Receipt, Recollection
from nosis.models import Chunk, Delta, Finish, Message, Model, Request, ToolCall
from nosis.protocol import GOT_IT, Splitter
from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory

_SERVER_CUT = 0.5  # of our count: a server that reports fewer prompt tokens dropped some


class Agent:
    """A conversation that remembers.

    Args:
        memory: the workspace; None opens the one that the settings name.
        model: what answers; None connects to the one that the settings name.
        session: id of an earlier session to resume; None starts a new one.
        settings: None loads them from the environment and ``.env``.

    One turn runs at a time. Use it as an async context manager, or call ``aclose``.
    """

    def __init__(
        self,
        memory: Memory | None = None,
        model: Model | None = None,
        *,
        session: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.settings = settings or Settings.load()
        self.session = session or new_id("s")
        self.shares: prompting.Shares | None = None  # of the last request
        self.connection = ""  # which model was chosen and why, for people
        self.last: TurnDone | None = None
        self.muted: set[str] = set()  # ids of memories that this conversation shall not recall
        self._memory = memory
        self._model = model
        self._resumes = session is not None
        self._history: list[Message] = []
        self._dropped = 0
        self._tainted = False  # whether material was pasted or piped into this conversation
        self._core: CoreMemory = {}  # as last read
        self._stopping = asyncio.Event()
        self._indexing: asyncio.Task[Any] | None = None

    async def ready(self) -> tuple[Memory, Model]:
        """Open memory and connect the model, if that is not done yet.

        Raises:
            NosisError: the workspace cannot be opened, or the session does not exist.
        """
        if self._memory is None:
            from nosis.opening import open_memory

            self._memory = await asyncio.to_thread(open_memory, self.settings)
        if self._resumes:
            entries = await asyncio.to_thread(self._memory.conversation, self.session)
            if not entries:
                raise UsageError(
                    f"no session {self.session!r}", "See them with: nosis sessions list"
                )
            self._history = [_message(entry.role, entry.text) for entry in entries]
            self._tainted = any(entry.origin is Origin.MATERIAL for entry in entries)
            self._resumes = False
        if self._model is None:
            from nosis.models.connect import choose

            connection = await choose(self.settings)
            self._model, self.connection = connection.model, connection.notice
        return self._memory, self._model

    async def run(
        self, message: str, *, material: str = "", learn: bool = True
    ) -> AsyncIterator[TurnEvent]:
        """One turn: recall, prompt, stream, split, file, journal.

        The last event is TurnDone or TurnFailed; a turn that failed is not in history.

        Args:
            message: the user's own words; only they are searched for.
            material: pasted, piped or file text, placed before the message as data.
            learn: False leaves no trace of the turn in memory.
        """
        self._stopping.clear()
        try:
            async for event in self._turn(message, material, learn):
                yield event
        except NosisError as error:
            yield TurnFailed(error.message, error.hint, int(error.exit_code))

    async def ask(self, message: str, *, material: str = "", learn: bool = True) -> TurnDone:
        """One turn without streaming.

        Raises:
            NosisError: the turn failed.
        """
        async for event in self.run(message, material=material, learn=learn):
            if isinstance(event, TurnDone):
                return event
            if isinstance(event, TurnFailed):
                raise NosisError(event.message, event.hint)
        raise NosisError("the turn ended without an answer")

    def stop(self) -> None:
        """End the running turn: what was said stays, nothing is learned from it."""
        self._stopping.set()

    def new_session(self, session: str | None = None) -> None:
        """Leave the conversation for a new one, or resume another at the next turn."""
        self.session = session or new_id("s")
        self._resumes = session is not None
        self._history, self._dropped, self._tainted = [], 0, False
        self.muted = set()

    def use_model(self, model: Model) -> None:
        """Answer with another model from the next turn on."""
        self._model = model

    async def _turn(self, message: str, material: str, learn: bool) -> AsyncIterator[TurnEvent]:
        memory, model = await self.ready()
        while memory.notices:
            yield Notice(memory.notices.pop(0))
        window = self.settings.context_window or model.context_window
        budget = prompting.recall_budget(window, self.settings.recall_tokens)
        try:
            found = await asyncio.to_thread(
                memory.recollect, message, budget, self.session, self.muted
            )
            self._core = await asyncio.to_thread(memory.core)
        except UnreachableError as error:
            found = Recall()
            yield Notice(f"answering without memory: {error.message}", error.hint)
        core = self._core
        yield Recalled(
            found.hits,
            found.near_misses,
            tokens.count(recalled_block(found.hits, "")),
            found.notice,
        )
        prompt = prompting.build(
            core=core,
            recalled=found.hits,
            history=self._history,
            message=message,
            material=material,
            window=window,
            now=time.time(),
            count=tokens.count,
            already_dropped=self._dropped,
        )
        self.shares, self._dropped = prompt.shares, prompt.dropped
        if prompt.trimmed:
            yield Notice(
                f"{prompt.trimmed} characters of the material did not fit and were left out",
                "Use a model with a larger context, or send less.",
            )
        request = Request(
            prompt.messages,
            user=message,
            core=core,
            recalled=found.hits,
            has_material=bool(material.strip()),
            tools=toolcalls.definitions()
            if toolcalls.wanted(self.settings.tools, model.name)
            else (),
        )
        calls = toolcalls.ToolCalls(memory)
        reply = _Reply(model, request, calls, self.settings.timeout, self._stopping)
        async for piece in reply.stream():
            yield piece
        async for event in self._finish(
            memory, model, reply, prompt, message, material, found, learn
        ):
            yield event

    async def _finish(
        self,
        memory: Memory,
        model: Model,
        reply: _Reply,
        prompt: prompting.Prompt,
        message: str,
        material: str,
        found: Recall,
        learn: bool,
    ) -> AsyncIterator[TurnEvent]:
        """File and archive a reply, then say how the turn ended."""
        answer = reply.visible
        if reply.error and not answer and not reply.directives:
            raise reply.error
        turn = new_id("t", 9)
        receipts: list[Receipt] = []
        if learn:
            try:
                turn, receipts = await asyncio.to_thread(
                    _record, memory, self.session, message, answer, material, self._tainted, reply
                )
            except StorageError as error:
                yield Notice(f"this turn is not remembered: {error.message}", error.hint)
            while memory.notices:
                yield Notice(memory.notices.pop(0))
        self._tainted = self._tainted or bool(material.strip())
        for receipt in receipts:
            yield MemoryChanged(receipt)
        if reply.directives and not answer:
            answer = GOT_IT
            yield TextDelta(answer)
        for notice in _notices(reply, prompt, answer):
            yield notice
        if reply.error:
            yield TurnFailed(
                reply.error.message, reply.error.hint, int(reply.error.exit_code), answer
            )
        else:
            if answer:
                self._history += [Message("user", message), Message("assistant", answer)]
            self.last = TurnDone(
                answer,
                self.session,
                turn,
                model.name,
                _usage(reply.finish, prompt, reply.raw),
                found.hits,
                tuple(receipts),
                reply.stopped,
            )
            yield self.last
        if learn:
            self._indexing = asyncio.create_task(asyncio.to_thread(_embed, memory))

    async def aclose(self) -> None:
        """Finish indexing and release model and memory."""
        if self._indexing:
            with contextlib.suppress(NosisError):
                await self._indexing
        if self._model:
            await self._model.aclose()
        if self._memory:
            await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> Agent:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Reply:
    """One answer while it streams: what to show, and what it asks of memory."""

    def __init__(
        self,
        model: Model,
        request: Request,
        calls: toolcalls.ToolCalls,
        timeout: float,
        stopping: asyncio.Event,
    ) -> None:
        self._model = model
        self._request = request
        self._calls = calls
        self._timeout = timeout
        self._stopping = stopping
        self._splitter = Splitter()
        self.raw = ""
        self.finish = Finish()
        self.error: NosisError | None = None
        self.stopped: str | None = None  # "length", "cancelled", "dropped"

    async def stream(self) -> AsyncIterator[TextDelta | Thinking]:
        """The visible pieces as they come. A failure ends it and is kept in ``error``."""
        try:
            async with asyncio.timeout(self._timeout):
                async for chunk in self._chunks():
                    if chunk.reasoning:
                        yield Thinking(chunk.reasoning)
                    self.raw += chunk.text
                    if shown := self._splitter.feed(chunk.text):
                        yield TextDelta(shown)
        except TimeoutError:
            self.error = ModelTimeout(
                f"the model did not finish within {self._timeout:g} seconds",
                "Allow more time with --timeout or NOSIS_TIMEOUT.",
            )
        except NosisError as error:
            self.error = error
        if self._stopping.is_set():
            self.stopped = "cancelled"
        elif self.error:
            self.stopped = "dropped"
        elif self.finish.reason == "length":
            self.stopped = "length"
        if rest := self._splitter.close(complete=self.stopped is None):
            yield TextDelta(rest)

    async def _chunks(self) -> AsyncIterator[Delta]:
        """The text of the answer; tool calls on the way are answered, a bounded number of times."""
        request = self._request
        for _ in range(toolcalls.MAX_ROUNDS + 1):
            asked: list[ToolCall] = []
            said = ""
            async for chunk in _until(self._model.stream(request), self._stopping):
                if isinstance(chunk, Finish):
                    self.finish = chunk
                elif isinstance(chunk, ToolCall):
                    asked.append(chunk)
                else:
                    said += chunk.text
                    yield chunk
            if not asked or self._stopping.is_set():
                return
            results = [
                Message("tool", await self._calls.answer(call), answers=call.id) for call in asked
            ]
            told = Message("assistant", said, calls=tuple(asked))
            request = replace(request, messages=(*request.messages, told, *results))

    @property
    def visible(self) -> str:
        return self._splitter.visible

    @property
    def directives(self) -> tuple[Directive, ...]:
        """What the answer asks of memory: nothing, if the user stopped it."""
        if self.stopped == "cancelled":
            return ()
        return (*self._splitter.directives, *self._calls.directives)

    @property
    def recalled(self) -> tuple[Recollection, ...]:
        """What the model was shown: in its prompt, and by its calls."""
        return (*self._request.recalled, *self._calls.recalled)

    @property
    def refused(self) -> tuple[str, ...]:
        return self._splitter.refused


async def _until(chunks: AsyncIterator[Chunk], stopping: asyncio.Event) -> AsyncIterator[Chunk]:
    """The chunks until the stream ends or the event is set, whichever comes first."""
    stop = asyncio.ensure_future(stopping.wait())
    try:
        while True:
            step = asyncio.ensure_future(anext(chunks))
            try:
                await asyncio.wait((step, stop), return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not step.done():
                    step.cancel()
            if not step.done():
                return
            try:
                yield step.result()
            except StopAsyncIteration:
                return
    finally:
        stop.cancel()
        if close := getattr(chunks, "aclose", None):
            with contextlib.suppress(asyncio.CancelledError, RuntimeError):
                await close()


def _embed(memory: Memory) -> None:
    with contextlib.suppress(UnreachableError):
        memory.embed_pending()


def _record(
    memory: Memory,
    session: str,
    message: str,
    answer: str,
    material: str,
    tainted: bool,
    reply: _Reply,
) -> tuple[str, list[Receipt]]:
    return memory.record_turn(
        session,
        message,
        answer or (GOT_IT if reply.directives else ""),
        reply.directives,
        material=material,
        tainted=tainted,
        recalled=reply.recalled,
    )


def _notices(reply: _Reply, prompt: prompting.Prompt, answer: str) -> list[Notice]:
    notices = [Notice(refused) for refused in reply.refused]
    if reply.stopped == "length":
        notices.append(Notice("the answer was cut off: it reached the model's length limit"))
    elif not answer and not reply.error and reply.stopped is None:
        notices.append(Notice("the model gave an empty answer", "Ask again, or try another model."))
    reported, sent = reply.finish.prompt_tokens, prompt.shares.prompt
    if reported is not None and sent > 1_000 and reported < sent * _SERVER_CUT:
        notices.append(
            Notice(
                f"the server read {reported} of about {sent} prompt tokens: it cut off the rest, "
                "core memory included",
                "Raise its context size (Ollama: OLLAMA_CONTEXT_LENGTH), or set "
                "NOSIS_CONTEXT_WINDOW to what it takes.",
            )
        )
    return notices


def _usage(finish: Finish, prompt: prompting.Prompt, raw: str) -> Usage:
    if finish.prompt_tokens is None:
        return Usage(prompt.shares.prompt, tokens.count(raw) if raw else 0, estimated=True)
    return Usage(finish.prompt_tokens, finish.completion_tokens or 0, finish.cached_tokens)


def _message(role: str | None, text: str) -> Message:
    return Message("assistant" if role == "assistant" else "user", text)
