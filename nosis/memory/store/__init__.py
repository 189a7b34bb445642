"""The store contract: where the events of one workspace live and how they are searched.

Truth is the sequence of events (``append``); everything else a store keeps is derived from
it. ``nosis.memory.store.local`` keeps files, ``nosis.memory.store.postgres`` a database;
``tests/unit/test_store.py`` holds both to the same promises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nosis.memory.types import CoreMemory, Entry, Filter

if TYPE_CHECKING:  # numpy costs 0.1 s, and most readers of this contract need none of it
    import numpy as np
    from numpy.typing import NDArray

Event = dict[str, Any]
"""One line of the journal. Common keys:

``v`` schema version (1), ``type``, ``event`` unique id, ``at`` ISO 8601 UTC, ``op`` the
operation it belongs to (undo works on whole operations), ``agent``; optional ``session``,
``turn``, ``undoes`` (the op that this event reverts).

=========  ====================================================================
turn       ``id role text``; optional ``speaker material external_id origin importance
           created_at`` (where it is older than its event: imports)
fact       ``id text importance origin``; optional ``category field status reason
           supersedes pinned external_id created_at``; ``supersedes`` makes that entry history
revise     ``id set was``: changed columns and their former values
forget     ``id``, ``was`` (former status); optional ``reason``
restore    ``id``, ``status`` it gets (any), ``was``; optional ``supersedes`` as in fact,
           ``reason`` (pending again), ``superseded_by`` (superseded again)
pin        ``id set was``, as revise
access     ``ids``: entries that a turn's prompt held
core       ``field value was`` (value null: the field is gone)
session    ``id title`` (title null: the session is deleted from lists)
curated    ``upto``: the position (events) up to which curation has read
purge      ``ids``: their text is gone everywhere
=========  ====================================================================
"""

Progress = Callable[[str, int, int], None]
"""Called as (what, done, total) during long work."""


# Named tuples here, because a recall makes hundreds: frozen dataclasses take several times as long.
class Embedded(NamedTuple):
    """What recall keeps of one text: chunk vectors and, where the model gives them, tokens."""

    vectors: NDArray[np.float32]  # (chunks, dimensions), unit length
    tokens: NDArray[np.int8] | None = None  # (content tokens, projected dimensions)
    words: NDArray[np.int32] | None = None  # per token: number of the term it belongs to


class Document(NamedTuple):
    """One entry of a recall's pool, with all that scoring reads."""

    row: int
    entry: Entry
    terms: tuple[str, ...]  # in order, as tokenizer.terms gives them
    embedded: Embedded | None
    previous: int | None  # rows of the neighbouring turns in its session
    next: int | None


class Hit(NamedTuple):
    """A candidate: a row and its BM25 score (0-) or cosine similarity (-1 to 1)."""

    row: int
    score: float


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """Live statistics of the words index, for BM25."""

    documents: int
    average_length: float
    document_frequency: dict[str, int]


@dataclass(frozen=True, slots=True)
class Profile:
    """What a query is read in the light of."""

    speakers: tuple[str, ...]  # distinct ``Entry.speaker``
    languages: tuple[str, ...]  # distinct ``tokenizer.language`` of the texts


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One resumable conversation."""

    id: str
    title: str
    started_at: float
    updated_at: float
    turns: int
    agent: str = ""


class Batch(Protocol):
    """One write: reads see every committed event, appended events land all or none."""

    def append(self, *events: Event) -> None: ...
    def get(self, entry_id: str) -> Entry | None: ...
    def core(self) -> CoreMemory: ...


class Store(Protocol):
    """One workspace's events and what is derived from them. Safe to call from any thread."""

    notices: list[str]  # one line each: what was repaired or is degraded

    @property
    def read_only(self) -> bool:
        """Whether every write is refused: it was opened so, or its files cannot be written."""
        ...

    @property
    def embedding_model(self) -> str | None:
        """Name of the model that made the stored vectors; None before there were any."""
        ...

    def write(self) -> AbstractContextManager[Batch]:
        """Exclusive among all processes. Leaving the block makes the events durable
        (fsync) and searchable by words; an exception discards them.

        Raises:
            ReadOnlyError: the workspace cannot be written.
            StorageError: the disk is full or a file cannot be understood.
        """
        ...

    def get(self, entry_ids: Sequence[str]) -> list[Entry]: ...
    def find(self, where: Filter, limit: int | None = None, *, by: str = "newest") -> list[Entry]:
        """Entries that pass the filter; ``by`` is "newest", "oldest" or "importance"."""
        ...

    def count(self, where: Filter) -> int: ...
    def core(self) -> CoreMemory: ...
    def sessions(self) -> list[SessionInfo]: ...
    def events(
        self, *, entry: str | None = None, op: str | None = None, after: int = 0
    ) -> Iterator[tuple[int, Event]]:
        """(position, event), oldest first; all of them, or those of one entry or operation.

        ``after`` is a position; a negative one means the newest ``-after`` of the journal.
        """
        ...

    def curated(self) -> int:
        """The position (events) up to which curation has read; 0 where it never ran."""
        ...

    def last_op(self, agent: str | None = None) -> str | None:
        """The newest operation that changed memory and is neither undone nor an undo."""
        ...

    def profile(self) -> Profile:
        """Speakers and languages of all entries; costs the same at any size."""
        ...

    def search_words(
        self, terms: Sequence[str], limit: int, where: Filter
    ) -> tuple[list[Hit], TermStatistics]: ...
    def search_vectors(
        self, vector: NDArray[np.float32], limit: int, where: Filter
    ) -> list[Hit]: ...
    def warm(self) -> None:
        """Load what makes later searches fast. Blocking and optional: call it once from a worker
        thread of a process that will search often; searches work while it runs."""
        ...

    def documents(self, rows: Sequence[int]) -> list[Document]: ...

    def unembedded(self, limit: int) -> list[tuple[int, str]]:
        """Rows without vectors of the store's embedding model, newest first, with their text."""
        ...

    def add_vectors(self, rows: Sequence[int], embedded: Sequence[Embedded]) -> None: ...
    def reset_vectors(self, model: str) -> None:
        """Drop all vectors and record the model that will make the new ones."""
        ...

    def purge(self, entry_ids: Sequence[str]) -> list[str]:
        """Remove the entries' text from every file; names of files that still hold it."""
        ...

    def reindex(self, progress: Progress | None = None) -> None:
        """Rebuild everything derived from the events."""
        ...

    def health(self) -> dict[str, Any]:
        """What doctor shows: counts, which vector index serves and why, journal against index."""
        ...

    def close(self) -> None: ...
