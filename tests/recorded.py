"""Events as Memory would record them, for tests of the stores."""

from __future__ import annotations

import itertools
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nosis.memory.store import Embedded, Store
from nosis.memory.times import to_iso
from nosis.memory.types import Filter, Status

START = 1_780_000_000.0  # 2026-05-28
EVERYTHING = Filter(statuses=tuple(Status))
_numbers = itertools.count(1)


def event(kind: str, *, at: float | None = None, op: str | None = None, **fields: Any) -> Any:
    """One event; a second later than the one made before."""
    number = next(_numbers)
    return {
        "v": 1,
        "type": kind,
        "event": uuid.uuid4().hex,
        "at": to_iso(START + number if at is None else at),
        "op": op or f"o{number}",
        "agent": fields.pop("agent", "tester"),
        **fields,
    }


def fact(text: str, entry_id: str | None = None, **fields: Any) -> Any:
    entry_id = entry_id or f"m{uuid.uuid4().hex[:8]}"
    return event(
        "fact", **{"id": entry_id, "text": text, "importance": 0.5, "origin": "user"} | fields
    )


def turn(text: str, session: str, role: str = "user", **fields: Any) -> Any:
    fields.setdefault("id", f"t{uuid.uuid4().hex[:8]}")
    return event("turn", role=role, text=text, session=session, **fields)


def record(store: Store, *events: Any) -> None:
    """Write the events as one batch."""
    with store.write() as batch:
        batch.append(*events)


def texts(store: Store, where: Filter | None = None, **options: Any) -> list[str]:
    return [entry.text for entry in store.find(where or Filter(), **options)]


def found(store: Store, words: str, where: Filter | None = None, limit: int = 10) -> list[str]:
    """Texts that a search by words brings, best first."""
    from nosis.memory.tokenizer import terms

    hits, _ = store.search_words(terms(words), limit, where or Filter())
    return [document.entry.text for document in store.documents([hit.row for hit in hits])]


def axis(number: int, dimensions: int = 8) -> Any:
    """A unit vector along one axis."""
    return np.eye(dimensions, dtype=np.float32)[number]


def embed_all(store: Store, vector_of: Any, model: str = "test-model") -> None:
    """Give every waiting text one vector."""
    if store.embedding_model != model:
        store.reset_vectors(model)
    rows = store.unembedded(10_000)
    store.add_vectors(
        [row for row, _ in rows], [Embedded(vector_of(text)[None]) for _, text in rows]
    )


def near(store: Store, vector: Any, where: Filter | None = None, limit: int = 10) -> list[str]:
    """Texts that a search by meaning brings, best first."""
    hits = store.search_vectors(vector, limit, where or Filter())
    return [document.entry.text for document in store.documents([hit.row for hit in hits])]


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A temporary folder in memory where there is one: syncing to it costs nothing."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)
