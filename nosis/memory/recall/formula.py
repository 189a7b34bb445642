"""The documented formula (``NOSIS_SCORING=daita``), for comparison and for those who know it.

    raw   = 0.6 * semantic + 0.4 * keyword
            + 0.15  if two or more words of the query stand side by side in the text as well
            + 0.10  if semantic and keyword both exceed 0.5
    score = (raw + boost) * decay

* semantic: the cosine of the nearest chunk, mapped to the scale that the formula's thresholds
  assume. MiniLM puts unrelated sentences at .1 and below, related ones at .3 to .6.
* keyword: BM25 divided by what a text would get that holds each word of the query once at
  average length; at most 1. It depends neither on other results nor on their order.
* boost: from -0.1 (importance 0) over 0 (0.5) to +0.1 (1).
* decay: from 1 for what is new to 0.7, by half of the way every 90 days; pinned: 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nosis.memory import tokenizer
from nosis.memory.recall.asked import Asked
from nosis.memory.recall.scoring import Scores
from nosis.memory.store import Document, Embedded, TermStatistics
from nosis.memory.types import Entry

SEMANTIC, KEYWORD = 0.6, 0.4
PHRASE, BOTH = 0.15, 0.10
BOOST = 0.1
DECAY_FLOOR, DECAY_DAYS = 0.7, 90.0
K1, B = 1.5, 0.75  # rank-bm25's
_COSINES, _SEMANTICS = (0.1, 0.3, 0.5, 1.0), (0.0, 0.35, 0.7, 1.0)
_DAY = 86_400.0
_WORD = re.compile(r"[^\W_]+")


def score(
    asked: Asked,
    query: Embedded | None,
    pool: Sequence[Document],
    statistics: TermStatistics,
    now: float,
) -> Scores:
    """Score a pool of documents; without ``query``, semantic counts as keyword does."""
    keyword = np.array([_keyword(asked, document, statistics) for document in pool])
    semantic = keyword if query is None else np.array([semantics(query, d) for d in pool])
    phrase = np.array([_phrase(asked.text, document.entry.text) for document in pool])
    boost = np.array([2 * BOOST * (d.entry.importance - 0.5) for d in pool])
    decay = np.array([_decay(document.entry, now) for document in pool])
    parts = {
        "semantic": SEMANTIC * semantic,
        "keyword": KEYWORD * keyword,
        "phrase": PHRASE * phrase,
        "both": BOTH * ((semantic > 0.5) & (keyword > 0.5)),
        "importance": boost,
    }
    raw = np.asarray(sum(parts.values()))
    total = np.clip(raw * decay, 0.0, 1.0)
    return Scores(total, {**parts, "decay": decay}, np.zeros(len(pool), np.intp))


def semantics(query: Embedded, document: Document) -> float:
    """Cosine of the query and the nearest chunk on the formula's scale; 0 without vectors."""
    kept = document.embedded
    if kept is None or kept.vectors.shape[1] != query.vectors.shape[1]:
        return 0.0
    cosine = float((kept.vectors @ query.vectors.T).max())
    return float(np.interp(cosine, _COSINES, _SEMANTICS))


def _keyword(asked: Asked, document: Document, statistics: TermStatistics) -> float:
    length = len(document.terms) / max(statistics.average_length, 1.0)
    got = best = 0.0
    for group in filter(None, dict.fromkeys(asked.groups)):
        found = min(
            sum(statistics.document_frequency.get(t, 0) for t in group), statistics.documents
        )
        idf = math.log1p((statistics.documents - found + 0.5) / (found + 0.5))
        frequency = sum(document.terms.count(term) for term in group)
        got += idf * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length))
        best += idf
    return min(got / best, 1.0) if best else 0.0


def _phrase(query: str, text: str) -> bool:
    """Whether two neighbouring words of the query, one of them a topic, are such in the text."""
    topics = set(tokenizer.terms(query))
    pairs = {
        pair for pair in _pairs(query) if not topics.isdisjoint(tokenizer.terms(" ".join(pair)))
    }
    return not pairs.isdisjoint(_pairs(text))


def _pairs(text: str) -> set[tuple[str, str]]:
    words = _WORD.findall(tokenizer.normalise(text).casefold())
    return set(pairwise(words))


def _decay(entry: Entry, now: float) -> float:
    if entry.pinned:
        return 1.0
    days = max(now - entry.created_at, 0.0) / _DAY
    return DECAY_FLOOR + (1 - DECAY_FLOOR) * math.pow(0.5, days / DECAY_DAYS)
