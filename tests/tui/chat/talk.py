"""The whole app over a real workspace, with a model that says what a test tells it to."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from textual.app import App
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Static

from nosis.agent import Agent
from nosis.memory import Memory
from nosis.models import Delta, Finish, Request
from nosis.settings import Settings
from nosis.tui.answer import Answer
from nosis.tui.app import NosisApp
from nosis.tui.cards import Card
from nosis.tui.chat import ChatScreen
from nosis.tui.message import UserMessage

SESSION = "s7harbour"
HOLD = object()  # a piece of an answer: wait until the test lets go

Piece = str | Delta | Finish | BaseException | object


class Speaker:
    """Answers in order, each a string or a list of pieces; HOLD waits for ``go``."""

    def __init__(self, *answers: str | list[Piece], name: str = "gpt-4.1-mini") -> None:
        self.name = name
        self.context_window: int | None = 32_768
        self.answers = deque(answers)
        self.requests: list[Request] = []
        self.go = asyncio.Event()
        self.held = asyncio.Event()  # set while an answer waits
        self.closed = False

    async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        self.requests.append(request)
        answer = self.answers.popleft() if self.answers else "I have no more to say."
        for piece in [answer] if isinstance(answer, str) else answer:
            if piece is HOLD:
                self.held.set()
                await self.go.wait()
                self.held.clear()
            elif isinstance(piece, BaseException):
                raise piece
            elif isinstance(piece, Finish):
                yield piece
                return
            elif isinstance(piece, Delta):
                yield piece
            else:
                yield Delta(str(piece))
        yield Finish(prompt_tokens=1_240, completion_tokens=86)

    async def aclose(self) -> None:
        self.closed = True


def settings(memory: Memory, **values: Any) -> Settings:
    """Settings for the home of a workspace; nothing is curated behind the test's back."""
    options = {"home": str(memory.home), "auto_curate": "manual", "detect": "off", **values}
    return Settings(**options)


class Talk(NosisApp):
    """The app, ready: ``model`` is its Speaker."""

    def __init__(
        self,
        memory: Memory,
        *answers: str | list[Piece],
        model: Any = None,
        session: str | None = None,
        theme: str = "nosis-dark",
        **values: Any,
    ) -> None:
        self.speaker = model or Speaker(*answers)
        chosen = settings(memory, **values)
        agent = Agent(memory, self.speaker, session=session, settings=chosen)
        if session is None:
            agent.session = SESSION
        agent.connection = "offline mode (no key or base URL is set, and no server was found)"
        super().__init__(chosen, agent=agent)
        self.theme = theme
        self.animation_level = "none"

    @property
    def chat(self) -> ChatScreen:
        screen = self.screen_stack[0]
        assert isinstance(screen, ChatScreen)
        return screen

    @property
    def toasts(self) -> list[str]:
        """What was shown as toasts so far, oldest first."""
        return [f"{n.title}: {n.message}" if n.title else n.message for n in self._notifications]

    @property
    def said(self) -> list[str]:
        """The conversation as text: ``> question``, ``answer``, ``[card]``."""
        lines = []
        for child in self.chat.conversation.children:
            if isinstance(child, UserMessage):
                lines.append(f"> {child.text}")
            elif isinstance(child, Answer):
                lines.append(child.text.strip())
            elif isinstance(child, Card):
                lines.append(f"[{shown(child)}]")
        return lines


def shown(widget: Any) -> str:
    """The text of a widget's visible Statics."""
    parts = [widget] if isinstance(widget, Static) else list(widget.query(Static))
    return "\n".join(str(part.render()) for part in parts if part.display)


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until every worker and every message is done."""
    for _ in range(2):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def keys(pilot: Pilot[Any], *pressed: str) -> None:
    """Press keys, then wait for what they set in motion."""
    await pilot.press(*pressed)
    await settle(pilot)


async def type_in(pilot: Pilot[Any], text: str) -> None:
    """Type a text into the focused widget, as a terminal would send it."""
    pilot.app.post_message(Paste(text))
    await pilot.pause()


async def say(pilot: Pilot[Any], text: str, *, wait: bool = True) -> None:
    """Type a message or command and send it."""
    await type_in(pilot, text)
    await pilot.press("enter")
    if wait:
        await settle(pilot)


def painted(app: App[Any]) -> str:
    """The whole screen as text, line by line."""
    lines = app.screen._compositor.render_strips(app.size)
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in lines)
