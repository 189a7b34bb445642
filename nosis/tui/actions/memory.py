"""Commands about memory. Each runs the Memory method of its name in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from nosis.errors import UsageError
from nosis.memory.types import Receipt
from nosis.tui.cards import Receipts

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


async def remember(screen: ChatScreen, text: str) -> None:
    await _change(screen, screen.memory.remember, text)


async def forget(screen: ChatScreen, fact: str) -> None:
    await _change(screen, screen.memory.forget, fact)


async def pin(screen: ChatScreen, fact: str) -> None:
    await _change(screen, screen.memory.pin, fact)


async def undo(screen: ChatScreen, times: str) -> None:
    await _change(screen, screen.memory.undo, times or "1")


async def browse(screen: ChatScreen, date: str) -> None:
    from nosis.tui.memory.browser import BrowserScreen

    screen.app.push_screen(BrowserScreen(screen.memory, as_of=date or None))


async def pending(screen: ChatScreen, _: str) -> None:
    from nosis.tui.memory.browser import BrowserScreen

    screen.app.push_screen(BrowserScreen(screen.memory, tab="pending"))


async def why(screen: ChatScreen, _: str) -> None:
    from nosis.tui.memory.why import WhyScreen

    if screen.turns.last is None:
        raise UsageError("there is no answer to explain", "Ask something first.")
    screen.app.push_screen(WhyScreen(screen.memory, screen.turns.last))


async def reflect(screen: ChatScreen, _: str) -> None:
    """Distil what was said since the last time into facts."""
    screen.curate(asked=True)


async def reindex(screen: ChatScreen, _: str) -> None:
    memory = screen.memory
    screen.progress.say("rebuilding the index…", can_stop=True)
    try:
        embedded = await asyncio.to_thread(memory.reindex, screen.progress.from_thread)
    finally:
        screen.progress.finish()
    await screen.tell("the index is rebuilt", f"{embedded:,} memories were embedded anew")


async def _change(
    screen: ChatScreen, operation: Callable[..., Receipt | list[Receipt]], *arguments: str
) -> None:
    done = await asyncio.to_thread(operation, *arguments)
    receipts = done if isinstance(done, list) else [done]
    await screen.show(Receipts(screen.memory, receipts))
