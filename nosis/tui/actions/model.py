"""Commands about the model and what it is sent."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content

from nosis.errors import UsageError
from nosis.tui.cards import Card
from nosis.tui.memory.drawing import bar
from nosis.tui.memory.words import plural
from nosis.tui.status import dollars, tokens

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen

_BAR = 24


async def model(screen: ChatScreen, name: str) -> None:
    """Show which model answers and why; with a name, or where none was found, connect anew."""
    from nosis.models import connect

    offline = screen.nosis.model is not None and screen.nosis.model.name == connect.OFFLINE
    if not name and not offline:
        await screen.tell(
            f"model: {screen.agent.connection or screen.model_name}",
            "Another one: /model NAME (a model's name, a .gguf file, or offline)",
        )
        return
    if screen.turns.busy:
        raise UsageError("an answer is being given", "Stop it first with esc.")
    screen.progress.say("connecting the model…")
    try:
        settings = replace(screen.nosis.settings, model=name or screen.nosis.settings.model)
        connection = await connect.choose(settings)
    finally:
        screen.progress.finish()
    former, screen.nosis.model = screen.nosis.model, connection.model
    screen.agent.use_model(connection.model)
    screen.agent.connection = connection.notice
    if former:
        await former.aclose()
    screen.session.show_state()
    await screen.tell(f"model: {connection.notice}")


async def system(screen: ChatScreen, _: str) -> None:
    from nosis.prompting import system_message
    from nosis.tui.memory.detail import PageScreen

    core = await asyncio.to_thread(screen.memory.core)
    screen.app.push_screen(PageScreen("System message", system_message(core)))


async def context(screen: ChatScreen, _: str) -> None:
    """The shares of the last request, in tokens, as bars."""
    shares = screen.agent.shares
    if shares is None:
        raise UsageError("no message was sent yet", "Write a message first.")
    free = max(shares.window - shares.prompt - shares.answer, 0)
    whole = max(shares.prompt, 1) if screen.offline else shares.window  # rules have no window
    title = f"context: {tokens(shares.prompt)} of {tokens(whole)} tokens sent"
    rows = [
        ("system and core memory", shares.system, "$secondary"),
        ("recalled memories", shares.recalled, "$primary"),
        ("earlier messages", shares.history, "$accent"),
        ("your message", shares.message, "$foreground 60%"),
        ("kept for the answer", shares.answer, "$foreground 30%"),
        ("free", free, "$foreground 15%"),
    ]
    if screen.offline:
        rows = rows[:-2]
        title = f"context: {tokens(shares.prompt)} tokens read"
    lines = [
        Content.assemble(
            (f"{label:<24}", "$foreground-muted"),
            bar(count / whole, _BAR, colour),
            f"{tokens(count):>7}",
        )
        for label, count, colour in rows
    ]
    await screen.show(Card(title, Content("\n").join(lines)))


async def cost(screen: ChatScreen, _: str) -> None:
    spent = screen.turns.spent
    if not spent.turns:
        raise UsageError("no message was sent yet", "Write a message first.")
    cached = f", {spent.cached:,} of them from the cache" if spent.cached else ""
    about = "about " if spent.estimated else ""
    price = "no price is known for this model" if spent.cost is None else dollars(spent.cost)
    await screen.tell(
        f"cost of this session: {price}",
        f"{plural(spent.turns, 'turn')} · {about}{spent.prompt:,} tokens sent{cached} · "
        f"{about}{spent.completion:,} tokens received",
    )
