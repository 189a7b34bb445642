"""Loading what is heavy after the first screen: memory, embeddings, the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from nosis.errors import UsageError

if TYPE_CHECKING:
    from nosis.agent import Agent
    from nosis.memory.store import Progress
    from nosis.settings import Settings

Say = Callable[[str], None]


async def wake(
    settings: Settings,
    *,
    resume: str | None,
    continue_last: bool,
    say: Say,
    progress: Progress,
) -> Agent:
    """An agent that is ready to answer. Imports and files are dealt with in threads.

    Raises:
        NosisError: the workspace, the session or the model's settings do not work.
    """
    say("waking memory…")
    for module in ("nosis.memory", "nosis.agent", "nosis.opening"):
        await asyncio.to_thread(import_module, module)
    from nosis.agent import Agent
    from nosis.opening import open_memory

    memory = await asyncio.to_thread(open_memory, settings, progress)
    if continue_last and resume is None:
        sessions = await asyncio.to_thread(memory.sessions)
        if not sessions:
            raise UsageError("there is no session to continue", "Start one by running: nosis")
        resume = sessions[0].id
    say("connecting the model…")
    await asyncio.to_thread(import_module, "nosis.models.connect")
    agent = Agent(memory, session=resume, settings=settings)
    await agent.ready()
    return agent
