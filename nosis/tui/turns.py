"""Sending messages one after the other and painting what each turn tells."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nosis.errors import NosisError
from nosis.events import (
    MemoryChanged,
    Notice,
    Recalled,
    TextDelta,
    Thinking,
    TurnDone,
    TurnFailed,
    Usage,
)
from nosis.memory.types import Receipt
from nosis.tui import receipts as words
from nosis.tui.answer import Answer
from nosis.tui.cards import Card, ErrorCard
from nosis.tui.message import UserMessage

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen

INTERNAL_HINT = "This is a fault in nosis. What you typed is kept; try again."


@dataclass
class Draft:
    """A message on its way: its words, its pastes, and where it stands on screen."""

    text: str
    material: str = ""
    widget: UserMessage | None = None
    card: ErrorCard | None = None  # what is shown since it failed


@dataclass
class Spent:
    """What a session used so far."""

    turns: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None

    def add(self, usage: Usage) -> None:
        self.turns += 1
        self.prompt += usage.prompt_tokens
        self.completion += usage.completion_tokens
        self.cached += usage.cached_tokens
        if usage.cost_usd is not None:
            self.cost = (self.cost or 0.0) + usage.cost_usd


class Turns:
    """The messages that wait, the one that is being answered, and the last one that failed."""

    def __init__(self, screen: ChatScreen) -> None:
        self._screen = screen
        self._waiting: deque[Draft] = deque()
        self.current: Draft | None = None
        self.failed: Draft | None = None
        self.last: TurnDone | None = None
        self.spent = Spent()

    @property
    def busy(self) -> bool:
        return self.current is not None

    async def send(self, draft: Draft) -> None:
        """Show a message and answer it as soon as memory is awake and the turn before is over."""
        await self.forget_failure(draft)
        note = "" if self._screen.awake else "waits for memory"
        draft.widget = UserMessage(draft.text, draft.material, note="queued" if self.busy else note)
        await self._screen.conversation.add(draft.widget)
        self._screen.conversation.follow()
        self._waiting.append(draft)
        self.start()

    def start(self) -> None:
        """Work through what waits, if that can be done now."""
        if self._screen.awake and not self.busy and self._waiting:
            self.current = self._waiting.popleft()
            self._screen.run_worker(
                self._answer_all(), group="turn", exit_on_error=False, exclusive=True
            )

    def take_back(self) -> list[Draft]:
        """The messages that wait, which are no longer sent."""
        drafts = list(self._waiting)
        self._waiting.clear()
        return drafts

    async def forget_failure(self, draft: Draft | None = None) -> None:
        """Take a failed message off the screen, before it (or another one) is sent again."""
        failed, self.failed = self.failed, None
        if failed:
            for widget in (failed.widget, failed.card):
                if widget and widget.is_attached and (draft is None or draft.text == failed.text):
                    await widget.remove()

    async def _answer_all(self) -> None:
        while self.current:
            try:
                done = await self._answer(self.current)
            finally:
                self.current = self._waiting.popleft() if self._waiting else None
                self._screen.turn_over()
            if not done and self.current:
                self._waiting.appendleft(self.current)
                self.current = None

    async def _answer(self, draft: Draft) -> bool:
        """One turn; whether it gave an answer."""
        screen, agent = self._screen, self._screen.nosis.agent
        assert agent and draft.widget
        draft.widget.note("")
        answer = Answer()
        await screen.conversation.add(answer)
        answer.begin()
        screen.turn_begun()
        used, receipts, failure = 0, list[Receipt](), None
        done: TurnDone | None = None
        try:
            async for event in agent.run(draft.text, material=draft.material):
                match event:
                    case TextDelta(text):
                        await answer.write(text)
                    case Thinking(text):
                        answer.think(text)
                    case Recalled():
                        used = len(event.recollections)
                        screen.recalled(event)
                    case MemoryChanged(receipt):
                        receipts.append(receipt)
                        answer.receipts(receipts)
                        screen.memory_changed(receipt)
                    case Notice(message, hint):
                        await screen.conversation.add(Card(message, hint, kind="notice"))
                    case TurnDone():
                        done = event
                    case TurnFailed():
                        failure = event
        except NosisError as error:
            failure = TurnFailed(error.message, error.hint, int(error.exit_code))
        except Exception as error:  # the last resort: a fault here must not take the app down
            screen.log.error(error)
            failure = TurnFailed(f"{type(error).__name__}: {error}", INTERNAL_HINT, 1)
        finally:
            await answer.stop()
        if failure:
            await self._failed(draft, answer, failure)
        elif done:
            self.last = done
            self.spent.add(done.usage)
            _sum_up(answer, done, used)
            if not answer.text and done.stopped is None:
                await answer.remove()
        return done is not None

    async def _failed(self, draft: Draft, answer: Answer, failure: TurnFailed) -> None:
        if not answer.text:
            await answer.remove()
        else:
            answer.note(("broken off", "$text-error"))
        card = ErrorCard(
            failure.message,
            failure.hint,
            retry="Your message is in the prompt again: enter resends.",
        )
        draft.card = card
        self.failed = draft
        if draft.widget and draft.widget.is_attached:
            draft.widget.note("not answered")
        await self._screen.conversation.add(card)
        waiting = self.take_back()
        for other in waiting:
            if other.widget:
                await other.widget.remove()
        self._screen.give_back([draft.text, *(other.text for other in waiting)])


def _sum_up(answer: Answer, done: TurnDone, used: int) -> None:
    saved = words.saved(done.receipts)
    parts: list[tuple[str, str] | str] = []
    if done.stopped:
        what = {"cancelled": "stopped", "length": "cut off", "dropped": "broken off"}
        parts.append((what.get(done.stopped, done.stopped), "$text-warning"))
    if used:
        parts.append(f"{used} {'memory' if used == 1 else 'memories'} used")
    doubt = saved == 0 and words.claims_to_remember(done.answer)
    count = f"{saved} {'memory' if saved == 1 else 'memories'} saved"
    parts.append((count, "$text-warning") if doubt else count)
    answer.note(*parts)
