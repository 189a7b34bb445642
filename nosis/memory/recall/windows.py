"""A pool of memories in windows of terms, compared with a message window by window."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from nosis.memory.recall.asked import Asked
from nosis.memory.store import Document, Embedded

WINDOW = 50  # terms
PREVIOUS, NEXT = 0.85, 0.7  # what a term counts if it stands in a neighbouring window
K1, B = 1.2, 0.6  # BM25; lengths vary less within windows than between texts
QUERY_TOKENS = 48  # the rarest of a long message's tokens are compared

Floats = NDArray[np.float64]


class Windows:
    """The pool's texts in windows of terms, each linked to its neighbours in the session."""

    def __init__(
        self, pool: Sequence[Document], query: Embedded | None, average_length: float
    ) -> None:
        self._pool = pool
        self._query = query
        # Per document whether its tokens can be compared with the message's.
        self.embedded = np.array([_comparable(query, document) for document in pool])
        counts = np.array([max(1, -(-len(d.terms) // WINDOW)) for d in pool], np.intp)
        self._first = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)
        self.owner = np.repeat(np.arange(len(pool)), counts)
        self._number = len(self.owner)
        self._average = max(min(average_length, WINDOW), 1.0)
        terms = np.array([len(d.terms) for d in pool])
        begins = self.first_terms(np.arange(self._number))
        self._lengths = np.minimum(terms[self.owner] - begins, WINDOW)
        # A turn longer than one window carries its own context.
        self._context = np.minimum(1.0, WINDOW / np.maximum(terms, 1))[self.owner]
        none = self._number  # points at a column of zeros
        first, end = self._first.tolist(), (self._first + counts).tolist()
        place: dict[int | None, int] = {document.row: at for at, document in enumerate(pool)}
        previous, following = [*range(-1, none - 1)], [*range(1, none + 1)]
        for at, document in enumerate(pool):
            before, after = place.get(document.previous), place.get(document.next)
            previous[first[at]] = none if before is None else end[before] - 1
            following[end[at] - 1] = none if after is None else first[after]
        self._previous, self._next = np.array(previous), np.array(following)

    def words(self, asked: Asked, weights: Floats) -> Floats:
        """Per window: BM25 of the message, 1 where each word occurs once at average length."""
        numbers = defaultdict[str, list[int]](list)
        for number, group in enumerate(asked.groups):
            # A word that the message repeats counts once.
            if group not in asked.groups[:number]:
                for term in group:
                    numbers[term].append(number)
        frequency = np.zeros((len(asked.groups), self._number))
        held = [
            (number, first + place // WINDOW)
            for first, document in zip(self._first.tolist(), self._pool, strict=True)
            if not numbers.keys().isdisjoint(document.terms)  # most hold none: told in C
            for place, term in enumerate(document.terms)
            if term in numbers
            for number in numbers[term]
        ]
        if held:
            np.add.at(frequency, tuple(np.array(held).T), 1)
        norm = K1 * (1 - B + B * self._lengths / self._average)
        parts = frequency * (K1 + 1) / (frequency + norm)
        used = sorted({n for group in numbers.values() for n in group})
        return _weighted(weights[used], self._in_context(parts[used]))

    def tokens(self, weights: Floats) -> Floats:
        """Per window: for each of the message's tokens the nearest token, weighted by rarity."""
        query = self._query
        if query is None or query.tokens is None or query.words is None or not len(weights):
            return np.zeros(self._number)
        weight = weights[query.words]
        chosen = np.sort(np.argsort(-weight, kind="stable")[:QUERY_TOKENS])
        chosen = chosen[weight[chosen] > 0]
        nearest = np.zeros((len(chosen), self._number))
        first = self._first[self.embedded]
        if len(first) and len(chosen):
            kept = compress(self._pool, self.embedded)
            tokens, words = zip(
                *((d.embedded.tokens, d.embedded.words) for d in kept if d.embedded), strict=True
            )
            window = np.repeat(first, [len(own) for own in words])
            window += np.concatenate(words) // WINDOW
            window = np.maximum.accumulate(window)  # a dot within an identifier points back
            scaled = query.tokens[chosen].astype(np.float32) / (127 * 127)
            near = np.concatenate(tokens, dtype=np.float32) @ scaled.T
            starts = np.flatnonzero(np.diff(window, prepend=-1))
            nearest[:, window[starts]] = np.maximum.reduceat(near, starts, axis=0).T
        return _weighted(weight[chosen], self._in_context(nearest))

    def best(self, values: Floats) -> NDArray[np.intp]:
        """Each document's best window."""
        return np.lexsort((-values, self.owner))[self._first]

    def first_terms(self, windows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Where each of the windows begins in its document."""
        return (windows - self._first[self.owner[windows]]) * WINDOW

    def _in_context(self, values: Floats) -> Floats:
        """Per term the best of a window and, for less, of its neighbours."""
        padded = np.concatenate([values, np.zeros((len(values), 1))], axis=1)
        around = np.maximum(PREVIOUS * padded[:, self._previous], NEXT * padded[:, self._next])
        return np.asarray(np.maximum(values, self._context * around))


def _weighted(weights: Floats, values: Floats) -> Floats:
    """The weighted mean of the rows; 0 without any."""
    total = float(weights.sum())
    return np.asarray(weights @ values / total) if total else np.zeros(values.shape[1])


def _comparable(query: Embedded | None, document: Document) -> bool:
    kept = document.embedded
    if query is None or query.tokens is None or kept is None or kept.tokens is None:
        return False
    return len(kept.tokens) > 0 and kept.tokens.shape[1] == query.tokens.shape[1]
