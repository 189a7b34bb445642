"""Search by meaning: the embedder, and the vectors that a store keeps of its texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nosis.errors import NosisError
from nosis.memory.types import Entry, Filter, Kind, Status

if TYPE_CHECKING:
    from nosis.memory.embedding import Embedder
    from nosis.memory.filing.writing import Neighbours
    from nosis.memory.store import Embedded, Progress, Store

_BATCH = 32  # texts embedded at once: enough to fill the processor, small enough to stop soon
_ALL = 1_000_000_000
_RECENT = 16  # vectors kept of what was asked or told last, which is filed soon after


class Meaning:
    """An embedder beside a store; usable only where both speak of the same model."""

    def __init__(self, store: Store, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._failure: NosisError | None = None  # of the embedder, once: then words must do
        self._recent: dict[str, Embedded] = {}  # replaced, never changed: threads share it

    def close(self) -> None:
        """Let go of what the embedder holds open, if anything."""
        if close := getattr(self._embedder, "close", None):
            close()

    def usable(self) -> bool:
        """Whether vectors can serve; an empty store takes on this embedder."""
        if self._embedder is None or self._failure:
            return False
        model = self._store.embedding_model
        if model is None and not self._store.read_only:
            self._store.reset_vectors(self._embedder.name)
            model = self._store.embedding_model
        return model == self._embedder.name

    def notice(self) -> str:
        """Why recall goes by words only."""
        if self._embedder is None:
            return "recall by words only: there is no embedding model"
        if self._failure:
            return f"recall by words only: {self._failure.message} ({self._failure.hint})"
        return (
            f"recall by words only: the vectors are {self._store.embedding_model}'s, the model "
            f"is {self._embedder.name} (nosis reindex makes new ones)"
        )

    def embed(self, text: str) -> Embedded | None:
        """One text's vectors; None where the embedder fails: from then on words must do."""
        embedded = self._embed([text])
        return embedded[0] if embedded else None

    def _embed(self, texts: Sequence[str]) -> list[Embedded]:
        """A text's vectors each; nothing where the embedder (a server, say) fails."""
        assert self._embedder
        known = self._recent
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        try:
            made = self._embedder.embed(missing) if missing else []
        except NosisError as error:
            self._failure = error
            return []
        known = known | dict(zip(missing, made, strict=True))
        self._recent = dict(list(known.items())[-_RECENT:])
        return [known[text] for text in texts]

    def neighbours(self, texts: Iterable[str]) -> Neighbours:
        """Live and pending facts near each text, before any lock is taken."""
        wanted = [text for text in texts if text]
        near = Filter((Kind.FACT,), (Status.LIVE, Status.PENDING))
        if not wanted or not self.usable() or not self._store.count(near):
            return {}
        result: dict[str, list[tuple[Entry, float]]] = {}
        for text, embedded in zip(wanted, self._embed(wanted), strict=False):
            hits = self._store.search_vectors(embedded.vectors[0], 5, near)
            entries = {d.row: d.entry for d in self._store.documents([h.row for h in hits])}
            result[text] = [(entries[h.row], h.score) for h in hits if h.row in entries]
        return result

    def embed_pending(self, limit: int) -> int:
        """Make vectors for texts that have none, newest first; how many were made."""
        if self._store.read_only or not self.usable():
            return 0
        done = 0
        while done < limit and (rows := self._store.unembedded(min(_BATCH, limit - done))):
            if not (embedded := self._embed([text for _, text in rows])):
                break
            self._store.add_vectors([row for row, _ in rows], embedded)
            done += len(rows)
        return done

    def embed_all(self, progress: Progress | None = None) -> int:
        """Make all vectors that are missing; those of another model are dropped first."""
        if self._embedder is None:
            return 0
        self._failure = None
        if self._store.embedding_model != self._embedder.name:
            self._store.reset_vectors(self._embedder.name)
        total = len(self._store.unembedded(_ALL))
        done = 0
        while made := self.embed_pending(_BATCH):
            done += made
            if progress:
                progress("embedding", done, max(done, total))
        if self._failure:
            raise self._failure
        return done
