"""Loading what is heavy after the first screen: memory, embeddings, the model."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from nosis.errors import NosisError

if TYPE_CHECKING:
    from nosis.agent import Agent
    from nosis.memory import Memory
    from nosis.tui.app import NosisApp
    from nosis.tui.progress import Progress


async def wake(app: NosisApp, progress: Progress) -> Agent:
    """An agent with its memory open. Imports and files are dealt with in threads.

    Raises:
        NosisError: the workspace, the session or the model's settings do not work.
    """
    settings, session = app.settings, app.resume_session
    progress.say("waking memory…")
    for module in ("nosis.memory", "nosis.memory.store.local", "nosis.agent", "nosis.opening"):
        await asyncio.to_thread(import_module, module)
    from nosis.agent import Agent
    from nosis.opening import open_memory

    memory = await asyncio.to_thread(open_memory, settings, progress.from_thread)
    if session or app.continue_last:
        session = await asyncio.to_thread(memory.session_to_continue, session)
    progress.say("connecting the model…")
    await asyncio.to_thread(import_module, "nosis.models.connect")
    return Agent(memory, session=session, settings=settings)


async def warm(memory: Memory) -> None:
    """Load what the first recall needs, while the user types."""
    with suppress(NosisError):
        await asyncio.to_thread(memory.search, "hello", None, 1)
        await asyncio.to_thread(memory.store.warm)
        await asyncio.to_thread(memory.embed_pending)
