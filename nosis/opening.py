"""Settings to a workspace: the one place that decides which store and embedder serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.memory.embedding import Embedder
    from nosis.memory.store import Progress

_EMBEDDING_SECONDS = 30.0


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
        embedder=_embedder(settings),
        scoring=settings.scoring,
        vector_index=settings.vector_index,
        progress=progress,
    )


def _embedder(settings: Settings) -> Embedder | str:
    if settings.embedding_model is None:
        return "default"
    from nosis.models.embeddings import ServerEmbedder

    model, url, key = settings.embedding_model, settings.base_url, settings.api_key
    return ServerEmbedder(model, url, key, min(settings.timeout, _EMBEDDING_SECONDS))
