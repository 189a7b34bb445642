"""The loop: one turn as a stream of events. Every way in (app, command, library) consumes it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from nosis import prompting, tokens, toolcalls
from nosis.compaction import Compaction
from nosis.errors import NosisError, ReadOnlyError, StorageError, UnreachableError, UsageError
from nosis.events import (
    MemoryChanged,
    Notice,
    Recalled,
    TextDelta,
    TurnDone,
    TurnEvent,
    TurnFailed,
)
from nosis.memory.ids import new_id
from nosis.memory.recall.block import recalled_block
from nosis.memory.types import CoreMemory, Origin, Recall, Receipt
from nosis.models import Message, Model, Request
from nosis.protocol import GOT_IT
from nosis.reply import Reply, notices, usage
from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory


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
        self.leaves = False  # after this turn: facts of what no longer fits are read another time
        self.muted: set[str] = set()  # ids of memories that this conversation shall not recall
        self._memory = memory
        self._model = model
        self._resumes = session is not None
        self._history: list[Message] = []
        self._dropped = 0
        self._tainted = False  # whether material was pasted or piped into this conversation
        self._newest: tuple[str, bool] | None = None  # id of the newest turn; is it in history?
        self._core: CoreMemory = {}  # as last read
        self._unkept = ""  # why memory takes no turns, once that was said
        self._stopping = asyncio.Event()
        self._indexing: asyncio.Task[Any] | None = None
        self.compaction = Compaction()

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
            self._newest = (entries[-1].turn, True) if entries[-1].turn else None
            self._resumes = False
            await asyncio.to_thread(
                self.compaction.resume, self._memory, self.session, self._history
            )
            self._dropped = self.compaction.summary.upto
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
        self._newest = None
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
        self._newest = None
        self.muted = set()
        self.compaction.cancel()
        self.compaction = Compaction()

    async def retract(self) -> list[Receipt]:
        """Take the newest turn back before it is asked again, changed or not.

        It leaves history and the archive's conversation; what it wrote is undone (see
        ``Memory.retract_turn``), so that asking twice keeps one entry.
        """
        newest, self._newest = self._newest, None
        if newest is None:
            return []
        memory, _ = await self.ready()
        turn, in_history = newest
        if in_history:
            self._history = self._history[:-2]
        return await asyncio.to_thread(memory.retract_turn, self.session, turn)

    def use_model(self, model: Model) -> None:
        """Answer with another model from the next turn on."""
        self._model = model

    async def _turn(self, message: str, material: str, learn: bool) -> AsyncIterator[TurnEvent]:
        memory, model = await self.ready()
        await self.compaction.stop()
        while memory.notices:
            yield Notice(memory.notices.pop(0))
        window = self.settings.context_window or model.context_window
        budget = prompting.recall_budget(window, self.settings.recall_tokens)
        try:
            found = await asyncio.to_thread(
                memory.recollect, message, budget, self.session, self.muted
            )
            self._core = await asyncio.to_thread(memory.whole_core)
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
        prompt = await asyncio.to_thread(  # counting two pasted megabytes takes a second
            prompting.build,
            core=core,
            recalled=found.hits,
            history=self._history,
            message=message,
            material=material,
            window=window,
            now=time.time(),
            count=tokens.count,
            already_dropped=self._dropped,
            summary=self.compaction.summary,
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
            near=tuple(hit for hit in found.near_misses if hit.entry.id not in self.muted),
            has_material=bool(material.strip()),
            learns=learn and not memory.store.read_only,
            tools=toolcalls.definitions()
            if toolcalls.wanted(self.settings.tools, model.name)
            else (),
        )
        calls = toolcalls.ToolCalls(memory)
        reply = Reply(model, request, calls, self.settings.timeout, self._stopping)
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
        reply: Reply,
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
                self._newest = (turn, reply.error is None and bool(answer or reply.directives))
                self._indexing = asyncio.create_task(asyncio.to_thread(_embed, memory))
            except StorageError as error:
                if error.message != self._unkept:  # one that is only read says so once
                    yield Notice(f"this turn is not remembered: {error.message}", error.hint)
                self._unkept = error.message if isinstance(error, ReadOnlyError) else ""
            while memory.notices:
                yield Notice(memory.notices.pop(0))
        self._tainted = self._tainted or bool(material.strip())
        for receipt in receipts:
            yield MemoryChanged(receipt)
        if reply.directives and not answer:
            answer = GOT_IT
            yield TextDelta(answer)
        for notice in notices(reply, prompt, answer):
            yield notice
        if reply.error:
            yield TurnFailed(
                reply.error.message, reply.error.hint, int(reply.error.exit_code), answer
            )
        else:
            self.compaction.begin(
                memory,
                model,
                self.settings,
                self.session,
                self._history[: prompt.dropped],
                keep_facts=learn and not self.leaves and self.settings.auto_curate != "manual",
                keep_summary=learn and not memory.store.read_only,
            )
            if answer:
                self._history += [Message("user", prompt.said), Message("assistant", answer)]
            self.last = TurnDone(
                reply.aside + answer,
                self.session,
                turn,
                model.name,
                usage(reply, prompt, model.name, memory.home),
                found.hits,
                tuple(receipts),
                reply.stopped,
            )
            yield self.last

    async def aclose(self) -> None:
        """Finish indexing and release model and memory."""
        await self.compaction.stop()
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
    reply: Reply,
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


def _message(role: str | None, text: str) -> Message:
    return Message("assistant" if role == "assistant" else "user", text)
