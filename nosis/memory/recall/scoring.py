"""How well memories answer a message: the default scoring (docs/recall.md has the figures).

Every part has an absolute scale, so a score means the same in any store and beside any other
memories. A memory is read in windows of 50 terms; its best window counts. Words are compared
twice: as they are written (BM25) and by the vectors of their tokens in context (late
interaction); the memory as a whole by the vector of its meaning. Then come cues: who said it,
when, whether it only asks, and how good the rest of its session is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nosis.memory.recall import cues
from nosis.memory.recall.asked import Asked
from nosis.memory.recall.windows import Floats, Windows
from nosis.memory.store import Document, Embedded, TermStatistics
from nosis.memory.types import Entry, Kind

# Weights of the three comparisons.
WORDS, TOKENS, MEANING = 0.15, 0.5, 0.3
# Cues, on the same scale.
SPEAKER = 0.2  # said by the one whom the message asks about
TIME = 0.15  # from the time that the message names
QUESTION = 0.07  # a short question tells nothing
WISH = 0.1  # what the user wants from now on, when the message asks to do something
LENGTH = 0.025  # for each natural logarithm of length: long texts are near anything by chance
SESSION = 0.4  # of the mean of a session's three best: related turns stand together
IMPORTANCE = 0.04  # from least to most important

SMALL_STORE = 50  # documents; fewer say nothing about how rare a word is
SHORT = 10  # terms; a text up to this long is not too long for anything
# What tokens and meaning are on average, given words: for memories not embedded (yet).
_TOKENS_BY_WORDS = (0.3, 0.5)
_MEANING_BY_WORDS = (0.13, 0.38)


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
    windows = Windows(pool, query, statistics.average_length)
    words = windows.words(asked, weights)
    tokens = windows.tokens(weights)
    meaning = _meaning(query, pool)
    near_words = np.minimum(words, 1.0)
    tokens = np.where(windows.embedded[windows.owner], tokens, _line(_TOKENS_BY_WORDS, near_words))
    at = windows.best(WORDS * words + TOKENS * tokens)
    meaning = np.where(np.isnan(meaning), _line(_MEANING_BY_WORDS, near_words[at]), meaning)
    lengths = np.array([len(document.terms) for document in pool])

    def each(cue: Callable[[Asked, Entry], float], given: object = True) -> Floats:
        """What the cue says of each document; nothing where the message does not give it."""
        if not given:
            return np.zeros(len(pool))
        return np.array([cue(asked, document.entry) for document in pool])

    parts = {
        "words": WORDS * words[at],
        "tokens": TOKENS * tokens[at],
        "meaning": MEANING * meaning,
        "speaker": SPEAKER * each(cues.said_by, asked.speakers or asked.role),
        "time": TIME * each(cues.from_time, asked.times),
        "question": -QUESTION * each(cues.only_asks),
        "wish": WISH * each(cues.wishes, asked.request),
        "length": -LENGTH * np.log(np.maximum(lengths, SHORT) / SHORT),
        "importance": IMPORTANCE * each(cues.importance),
    }
    alone = np.asarray(sum(parts.values())) / _best_possible(asked)
    session = _session_means(alone, pool, candidates)
    parts["session"] = SESSION * session
    total = np.clip((alone + parts["session"]) / (1 + SESSION), 0.0, 1.0)
    return Scores(total, parts, windows.first_terms(at))


def _best_possible(asked: Asked) -> float:
    """The sum that a memory could reach: cues count only where the message gives them."""
    return (
        (WORDS + TOKENS + MEANING)
        + SPEAKER * bool(asked.speakers or asked.role)
        + TIME * bool(asked.times)
        + WISH * asked.request
    )


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
    sums = vectors if len(vectors) == len(kept) else np.add.reduceat(vectors, first, axis=0)
    whole = np.sqrt(np.einsum("ij,ij->i", sums, sums))
    mean = np.add.reduceat(near, first) / np.maximum(whole, 1e-9)
    result[[at for at, _ in kept]] = (np.maximum.reduceat(near, first) + mean) / 2
    return result


def _line(line: tuple[float, float], values: Floats) -> Floats:
    return line[0] + line[1] * values


def _session_means(scores: Floats, pool: Sequence[Document], candidates: Sequence[bool]) -> Floats:
    """Per document the mean of its session's three best; a fact stands for itself."""
    values = scores.tolist()
    means = values.copy()
    turns = defaultdict[str, list[int]](list)
    for at, document in enumerate(pool):
        if candidates[at] and document.entry.kind is Kind.TURN and document.entry.session:
            turns[document.entry.session].append(at)
    for places in turns.values():
        best = sorted([values[at] for at in places])[-3:]
        for at in places:
            means[at] = sum(best) / len(best)
    return np.array(means)
