"""Text to vectors, without a network by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nosis.memory.store import Embedded


class Embedder(Protocol):
    """Anything that turns texts into vectors; ``name`` is recorded beside them."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        """One Embedded a text, in order. Blocking; call from a worker thread."""
        ...


def default_embedder() -> Embedder | None:
    """The embedder that needs no network; None where its package is missing. Loads nothing."""
    return None
