"""Sending messages one after the other and painting what each turn tells."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.worker import Worker

from nosis.errors import NosisError
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
from nosis.memory.types import Receipt
from nosis.tui import claims
from nosis.tui.answer import Answer
from nosis.tui.cards import Card, ErrorCard
from nosis.tui.memory.receipts import way_back
from nosis.tui.memory.words import plural
from nosis.tui.message import UserMessage

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen

_STOPPED = {"cancelled": "stopped", "length": "cut off", "dropped": "broken off"}


@dataclass
class Draft:
    """A message on its way: its words, its pastes, and where it stands on screen."""

    text: str
    material: str = ""
    widget: UserMessage | None = None


@dataclass
class Failed:
    """The message that got no answer, and what is on screen because of it."""

    text: str
    material: str
    widgets: list[UserMessage | Answer | Card]
    recorded: bool  # a part of the answer came, and is in the archive


@dataclass
class Spent:
    """What a session used since it was opened."""

    turns: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    estimated: bool = False

    def add(self, usage: Usage) -> None:
        self.turns += 1
        self.prompt += usage.prompt_tokens
        self.completion += usage.completion_tokens
        self.cached += usage.cached_tokens
        self.estimated |= usage.estimated
        if usage.cost_usd is not None:
            self.cost = (self.cost or 0.0) + usage.cost_usd


@dataclass
class _Turn:
    """What a running turn has told so far."""

    answer: Answer
    used: int = 0
    receipts: list[Receipt] = field(default_factory=list)
    done: TurnDone | None = None
    failure: TurnFailed | None = None


class Turns:
    """The messages that wait, the one that is being answered, and the last one that failed."""

    def __init__(self, screen: ChatScreen) -> None:
        self._screen = screen
        self._waiting: deque[Draft] = deque()
        self._edited: UserMessage | None = None
        self._worker: Worker[None] | None = None
        self.current: Draft | None = None
        self.failed: Failed | None = None
        self.last: TurnDone | None = None
        self.spent = Spent()

    @property
    def busy(self) -> bool:
        return self.current is not None

    async def send(self, draft: Draft) -> None:
        """Show a message, and answer it once memory is awake and the turn before is over."""
        conversation = self._screen.conversation
        if self._edited:
            await self.retract()
        elif self.failed and self.failed.text == draft.text:
            await self._clear_failed()
        self.failed = None
        waits = "waits its turn" if self.busy else "" if self._screen.awake else "waits for memory"
        draft.widget = UserMessage(draft.text, draft.material, note=waits)
        await conversation.add(draft.widget)
        conversation.follow()
        self._waiting.append(draft)
        self.start()

    def start(self) -> None:
        """Work through what waits, if that can be done now."""
        if self._screen.awake and not self.busy and self._waiting:
            self.current = self._waiting.popleft()
            self._worker = self._screen.run_worker(
                self._answer_all(), group="turn", exit_on_error=False
            )

    def edit(self, message: UserMessage) -> None:
        """The next message takes the place of this one."""
        self.stop_editing()
        self._edited = message
        message.note("being edited · esc keeps it")

    def stop_editing(self) -> bool:
        """Keep the message that was being edited; whether there was one."""
        edited, self._edited = self._edited, None
        if edited and edited.is_attached:
            edited.note("")
        return edited is not None

    async def retract(self) -> None:
        """Take the last exchange back: off the screen, out of history, its writes undone."""
        self._edited = None
        if self.failed:
            await self._clear_failed()
            return
        conversation = self._screen.conversation
        user = conversation.last_user
        if user:
            at = list(conversation.children).index(user)
            await conversation.remove_children(list(conversation.children)[at:])
        receipts = await self._screen.agent.retract()
        self.last = None
        self._screen.memory_changed(receipts)

    async def leave(self) -> None:
        """End what belongs to the session that is left."""
        self._edited, self.failed = None, None
        self._waiting.clear()
        if self._worker and not self._worker.is_finished:
            self._screen.agent.stop()
            await self._worker.wait()

    async def give_up(self) -> list[str]:
        """Take the messages that wait off the screen; their texts."""
        waiting = list(self._waiting)
        self._waiting.clear()
        for draft in waiting:
            if draft.widget:
                await draft.widget.remove()
        return [draft.text for draft in waiting]

    async def _clear_failed(self) -> None:
        """A failed message is sent again: take it and what stands below it off the screen."""
        failed, self.failed = self.failed, None
        if failed is None:
            return
        for widget in failed.widgets:
            if widget.is_attached:
                await widget.remove()
        if failed.recorded:
            self._screen.memory_changed(await self._screen.agent.retract())

    async def _answer_all(self) -> None:
        while self.current:
            draft = self.current
            answered = False
            try:
                answered = await self._answer(draft)
            finally:
                waits = self._waiting.popleft() if answered and self._waiting else None
                self.current = waits
                self._screen.turn_over()

    async def _answer(self, draft: Draft) -> bool:
        """One turn; whether it gave an answer."""
        screen = self._screen
        if draft.widget:
            draft.widget.note("")
        turn = _Turn(Answer())
        await screen.conversation.add(turn.answer)
        turn.answer.begin()
        screen.turn_begun()
        try:
            async for event in screen.agent.run(draft.text, material=draft.material):
                await self._show(turn, event)
        except NosisError as error:
            turn.failure = TurnFailed(error.message, error.hint, int(error.exit_code))
        except Exception as error:  # the last resort: a fault here must not end the app
            screen.log.error(error)
            turn.failure = TurnFailed(f"{type(error).__name__}: {error}", "Try: nosis doctor", 1)
        finally:
            await turn.answer.stop()
        screen.memory_changed(turn.receipts)
        if turn.failure:
            await self._fail(draft, turn, turn.failure)
        elif turn.done:
            self.last = turn.done
            turn.answer.turn = turn.done.turn
            if draft.widget:
                draft.widget.turn = turn.done.turn
            self.spent.add(turn.done.usage)
            _sum_up(turn.answer, turn.done, turn.used)
        return turn.done is not None

    async def _show(self, turn: _Turn, event: TurnEvent) -> None:
        screen = self._screen
        match event:
            case TextDelta(text):
                turn.answer.write(text)
            case Thinking(text):
                turn.answer.think(text)
            case Recalled():
                turn.used = len(event.recollections)
                await screen.panel.show(event)
            case MemoryChanged(receipt):
                turn.receipts.append(receipt)
                await turn.answer.add_receipt(screen.memory, receipt)
            case Notice(message, hint):
                await screen.conversation.add(Card(message, hint, kind="notice"))
            case TurnDone():
                turn.done = event
            case TurnFailed():
                turn.failure = event

    async def _fail(self, draft: Draft, turn: _Turn, failure: TurnFailed) -> None:
        """Show what went wrong, and give the words back."""
        screen = self._screen
        shown: list[UserMessage | Answer | Card] = [draft.widget] if draft.widget else []
        if turn.answer.text:
            turn.answer.note(("broken off", "$text-error"))
            shown.append(turn.answer)
        else:
            await turn.answer.remove()
        card = ErrorCard(
            failure.message,
            failure.hint,
            retry="Your message is in the prompt again; enter sends it.",
        )
        await screen.conversation.add(card)
        self.failed = Failed(draft.text, draft.material, [*shown, card], bool(turn.answer.text))
        if draft.widget:
            draft.widget.note("not answered")
        screen.give_back([draft.text, *await self.give_up()])


def _sum_up(answer: Answer, done: TurnDone, used: int) -> None:
    """The dim line under an answer: how it ended, what it used, what it kept."""
    parts: list[tuple[str, str] | str] = []
    if done.stopped:
        parts.append((_STOPPED.get(done.stopped, done.stopped), "$text-warning"))
    if used:
        parts.append(f"{plural(used, 'memory', 'memories')} used")
    saved = claims.saved(done.receipts)
    count = f"{plural(saved, 'memory', 'memories')} saved"
    lie = saved == 0 and claims.claims_to_remember(done.answer)
    parts.append((count, "$text-warning") if lie else count)
    if way := way_back(done.receipts):
        parts.append(way)
    answer.note(*parts)
