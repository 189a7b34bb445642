"""How well memories answer a message: the default scoring (docs/recall.md has the figures).

Every part has an absolute scale, so a score means the same in any store and beside any other
memories. A memory is read in windows of 50 terms; its best window counts. Words are compared
twice: as they are written (BM25) and by the vectors of their tokens in context (late
interaction); the memory as a whole by the vector of its meaning. Then come cues: who said it,
when, whether it only asks, and how good the rest of its session is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from nosis.memory.asked import Asked
from nosis.memory.store import Document, Embedded, TermStatistics
from nosis.memory.types import Entry, Kind

# Weights of the three comparisons, which sum to 1.
WORDS, TOKENS, MEANING = 0.2, 0.5, 0.3
# Cues, on the same scale.
SPEAKER = 0.2  # said by the one whom the message asks about
TIME = 0.15  # from the time that the message names
QUESTION = 0.07  # a short question tells nothing
SESSION = 0.4  # of the mean of a session's three best: related turns stand together
IMPORTANCE = 0.04  # from least to most important

K1, B = 1.2, 0.6  # BM25; lengths vary less within windows than between texts
WINDOW = 50  # terms
PREVIOUS, NEXT = 0.85, 0.7  # what a term counts if it stands in a neighbouring window
QUESTION_WORDS = 25  # a longer text that ends in a question also tells something
SMALL_STORE = 50  # documents; fewer say nothing about how rare a word is
QUERY_TOKENS = 48  # the rarest of a long message's tokens are compared
# What tokens and meaning are on average, given words: for memories not embedded (yet).
_TOKENS_BY_WORDS = (0.3, 0.5)
_MEANING_BY_WORDS = (0.13, 0.38)

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scores:
    """Per document of the pool, in its order."""

    total: Floats  # 0-1
    parts: dict[str, Floats]  # weighted, before they are scaled to 0-1
    first: NDArray[np.intp]  # number of the term with which the best window begins


def score(
    asked: Asked,
    query: Embedded | None,
    pool: Sequence[Document],
    candidates: Sequence[bool],
    statistics: TermStatistics,
) -> Scores:
    """Score a pool of documents.

    Args:
        query: embedding of ``asked.text``; None compares words only.
        candidates: which of the pool may be recalled; the others are context.
        statistics: document frequencies of ``asked.terms`` in the whole store.
    """
    weights = _rarity(asked, statistics)
    windows = _Windows(pool, statistics.average_length)
    words = windows.words(asked, weights)
    tokens = windows.tokens(query, weights)
    meaning = _meaning(query, pool)
    known = np.array([_has_tokens(query, document) for document in pool], bool)
    near_words = np.minimum(words, 1.0)
    tokens = np.where(known[windows.owner], tokens, _line(_TOKENS_BY_WORDS, near_words))
    at = windows.best(WORDS * words + TOKENS * tokens)
    meaning = np.where(np.isnan(meaning), _line(_MEANING_BY_WORDS, near_words[at]), meaning)
    speaker = np.array([_said_by(asked, document.entry) for document in pool])
    time = np.array([_from_time(asked, document.entry) for document in pool])
    question = np.array([_only_asks(document.entry) for document in pool])
    importance = np.array([d.entry.importance - 0.5 for d in pool])
    parts = {
        "words": WORDS * words[at],
        "tokens": TOKENS * tokens[at],
        "meaning": MEANING * meaning,
        "speaker": SPEAKER * speaker,
        "time": TIME * time,
        "question": -QUESTION * question,
        "importance": IMPORTANCE * importance,
    }
    most = 1 + SPEAKER * bool(asked.speakers or asked.role) + TIME * bool(asked.times)
    alone = np.asarray(sum(parts.values())) / most
    session = _session_means(alone, pool, candidates)
    parts["session"] = SESSION * session
    total = np.clip((alone + parts["session"]) / (1 + SESSION), 0.0, 1.0)
    return Scores(total, parts, windows.first_terms(at))


def _rarity(asked: Asked, statistics: TermStatistics) -> Floats:
    """Weight of each of the message's terms: the square root of its idf.

    The root keeps one rare word of a long question from deciding alone.
    """
    documents = max(statistics.documents, SMALL_STORE)
    found = [
        min(sum(statistics.document_frequency.get(t, 0) for t in group), documents)
        for group in asked.groups
    ]
    rarity = np.sqrt(np.log1p((documents - np.array(found) + 0.5) / (np.array(found) + 0.5)))
    return np.where([bool(group) for group in asked.groups], rarity, 0.0)


class _Windows:
    """The pool's texts in windows of terms, each linked to its neighbours in the session."""

    def __init__(self, pool: Sequence[Document], average_length: float) -> None:
        self._pool = pool
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
        place = {document.row: at for at, document in enumerate(pool)}
        none = self._number  # points at a column of zeros
        self._previous = np.arange(-1, self._number - 1)
        self._next = np.arange(1, self._number + 1)
        for at, document in enumerate(pool):
            before = None if document.previous is None else place.get(document.previous)
            after = None if document.next is None else place.get(document.next)
            last = self._first[at] + counts[at] - 1
            self._previous[self._first[at]] = (
                none if before is None else self._first[before] + counts[before] - 1
            )
            self._next[last] = none if after is None else self._first[after]

    def words(self, asked: Asked, weights: Floats) -> Floats:
        """Per window: BM25 of the message, 1 where each word occurs once at average length."""
        numbers = defaultdict[str, list[int]](list)
        for number, group in enumerate(asked.groups):
            # A word that the message repeats counts once.
            if group not in asked.groups[:number]:
                for term in group:
                    numbers[term].append(number)
        frequency = np.zeros((len(asked.groups), self._number))
        for at, document in enumerate(self._pool):
            if numbers.keys().isdisjoint(document.terms):
                continue
            for place, term in enumerate(document.terms):
                if term in numbers:
                    frequency[numbers[term], self._first[at] + place // WINDOW] += 1
        norm = K1 * (1 - B + B * self._lengths / self._average)
        parts = frequency * (K1 + 1) / (frequency + norm)
        used = sorted({n for group in numbers.values() for n in group})
        return _weighted(weights[used], self._in_context(parts[used]))

    def tokens(self, query: Embedded | None, weights: Floats) -> Floats:
        """Per window: for each of the message's tokens the nearest token, weighted by rarity."""
        if query is None or query.tokens is None or not len(weights):
            return np.zeros(self._number)
        weight = weights[list(query.words)]
        chosen = np.sort(np.argsort(-weight, kind="stable")[:QUERY_TOKENS])
        chosen = chosen[weight[chosen] > 0]
        nearest = np.zeros((len(chosen), self._number))
        have = [(at, d.embedded) for at, d in enumerate(self._pool) if _has_tokens(query, d)]
        if have and len(chosen):
            blocks = [e.tokens for _, e in have if e is not None and e.tokens is not None]
            places = [
                self._first[at] + np.asarray(e.words) // WINDOW for at, e in have if e is not None
            ]
            window = np.concatenate(places)
            near = _dequantised(query.tokens[chosen]) @ _dequantised(np.concatenate(blocks)).T
            starts = np.flatnonzero(np.diff(window, prepend=-1))
            nearest[:, window[starts]] = np.maximum.reduceat(near, starts, axis=1)
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


def _dequantised(tokens: NDArray[np.int8]) -> Singles:
    return tokens.astype(np.float32) / np.float32(127)


def _has_tokens(query: Embedded | None, document: Document) -> bool:
    """Whether the document's tokens can be compared; one without terms has none to compare."""
    kept = document.embedded
    if query is None or query.tokens is None or kept is None or kept.tokens is None:
        return False
    return bool(len(kept.tokens)) and kept.tokens.shape[1] == query.tokens.shape[1]


def _meaning(query: Embedded | None, pool: Sequence[Document]) -> Floats:
    """Cosine of the message and each document: half its best chunk, half all of it; NaN where
    there are no vectors."""
    result = np.full(len(pool), np.nan)
    if query is None:
        return result
    asked = query.vectors.mean(axis=0)
    asked = asked / max(float(np.linalg.norm(asked)), 1e-9)
    kept = [(at, d.embedded.vectors) for at, d in enumerate(pool) if d.embedded is not None]
    kept = [(at, vectors) for at, vectors in kept if vectors.shape[1] == len(asked)]
    if not kept:
        return result
    vectors = np.concatenate([vectors for _, vectors in kept])
    counts = np.array([len(vectors) for _, vectors in kept])
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    near = vectors @ asked
    whole = np.linalg.norm(np.add.reduceat(vectors, first, axis=0), axis=1)
    mean = np.add.reduceat(near, first) / np.maximum(whole, 1e-9)
    result[[at for at, _ in kept]] = (np.maximum.reduceat(near, first) + mean) / 2
    return result


def _line(line: tuple[float, float], values: Floats) -> Floats:
    return line[0] + line[1] * values


def _said_by(asked: Asked, entry: Entry) -> float:
    """1 if the words are of, or about, whom the message asks about."""
    if asked.speakers:
        if entry.kind is Kind.FACT:
            text = entry.text.casefold()
            return float(any(name in text for name in asked.speakers))
        return float((entry.speaker or "").casefold() in asked.speakers)
    if entry.kind is Kind.FACT:
        return float(asked.role == "user")
    return float(asked.role is not None and entry.role == asked.role)


def _from_time(asked: Asked, entry: Entry) -> float:
    """1 within a time that the message names, fading after it."""
    if not asked.times:
        return 0.0
    day = datetime.fromtimestamp(entry.created_at, UTC).date()
    return max(time.nearness(day) for time in asked.times)


def _only_asks(entry: Entry) -> float:
    text = entry.text.rstrip()
    return float(text.endswith(("?", "？")) and text.count(" ") < QUESTION_WORDS)


def _session_means(scores: Floats, pool: Sequence[Document], candidates: Sequence[bool]) -> Floats:
    """Per document the mean of its session's three best; a fact stands for itself."""
    means = scores.copy()
    turns = defaultdict[str, list[int]](list)
    for at, document in enumerate(pool):
        if candidates[at] and document.entry.kind is Kind.TURN and document.entry.session:
            turns[document.entry.session].append(at)
    for places in turns.values():
        means[places] = np.sort(scores[places])[-3:].mean()
    return means
