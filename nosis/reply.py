"""One answer while it streams: what of it is shown, and what it asks of memory."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from nosis import prompting, tokens, toolcalls
from nosis.errors import ModelTimeout, NosisError
from nosis.events import Notice, TextDelta, Thinking, Usage
from nosis.memory.types import Directive, Recollection
from nosis.models import Chunk, Delta, Finish, Message, Model, Request, ToolCall
from nosis.models.prices import cost_usd
from nosis.protocol import Splitter

_SERVER_CUT = 0.5  # of our count: a server that reports fewer prompt tokens dropped some


class Reply:
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
        self.aside = ""  # shown before the answer, and no part of it
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
                    if chunk.aside:
                        self.aside += chunk.text
                        yield TextDelta(chunk.text)
                        continue
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
            if not asked or not request.tools or self._stopping.is_set():
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
        """What it may correct: what the model was shown by prompt and calls, and what is near."""
        return (*self._request.recalled, *self._request.near, *self._calls.recalled)

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


def notices(reply: Reply, prompt: prompting.Prompt, answer: str) -> list[Notice]:
    """What the user should know about how the answer ended."""
    found = [Notice(refused) for refused in reply.refused]
    if reply.stopped == "length":
        found.append(Notice("the answer was cut off: it reached the model's length limit"))
    elif not answer and not reply.error and reply.stopped is None:
        found.append(Notice("the model gave an empty answer", "Ask again, or try another model."))
    reported, sent = reply.finish.prompt_tokens, prompt.shares.prompt
    if reply.finish.own_prompt or reported is None or sent <= 1_000:
        return found
    if reported < sent * _SERVER_CUT:
        found.append(
            Notice(
                f"the server read {reported} of about {sent} prompt tokens: it cut off the rest, "
                "core memory included",
                "Raise its context size (Ollama: OLLAMA_CONTEXT_LENGTH), or set "
                "NOSIS_CONTEXT_WINDOW to what it takes.",
            )
        )
    return found


def usage(reply: Reply, prompt: prompting.Prompt, model: str, home: Path) -> Usage:
    """Tokens and cost of a turn: as the server reports them, else counted here."""
    sent, said = reply.finish.prompt_tokens, reply.finish.completion_tokens
    estimated = sent is None
    if sent is None:
        sent, said = prompt.shares.prompt, tokens.count(reply.raw) if reply.raw else 0
    cached = reply.finish.cached_tokens
    cost = cost_usd(model, sent, said or 0, cached, home)
    return Usage(sent, said or 0, cached, cost, estimated)
