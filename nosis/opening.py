"""Settings to a workspace: the one place that decides which store and embedder serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.memory.store import Progress


def open_memory(settings: Settings, progress: Progress | None = None) -> Memory:
    """The workspace that the settings name.

    Raises:
        NosisError: its name is not valid, or its files cannot be read.
    """
    from nosis.memory import Memory

    return Memory(
        settings.home,
        settings.workspace,
        agent=settings.agent,
        scoring=settings.scoring,
        vector_index=settings.vector_index,
        progress=progress,
    )
