"""What holds of every score, whatever is in the pool."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nosis.memory import tokenizer
from nosis.memory.recall import asked, formula, scoring
from nosis.memory.store import Document, Embedded, TermStatistics
from nosis.memory.types import Entry, Kind

NOW = 1_780_000_000.0
WORDS = ["dog", "Rex", "tea", "Berlin", "May", "deploy", "always", "?", "the", "犬", "v0.7.0"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=70).map(" ".join)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXTS)
    terms = tuple(tokenizer.terms(text))
    kind = draw(st.sampled_from(Kind))
    entry = Entry(
        "",
        kind,
        text,
        importance=draw(st.floats(0, 1)),
        role=draw(st.sampled_from(["user", "assistant"])),
        speaker=draw(st.sampled_from([None, "Ada", "Grace"])),
        session=draw(st.sampled_from([None, "s1", "s2"])),
        created_at=draw(st.floats(0, 2 * NOW)),
    )
    embedded = draw(st.none() | embeddings(len(terms)))
    return Document(0, entry, terms, embedded, None, None)


def embeddings(terms: int) -> st.SearchStrategy[Embedded]:
    return st.integers(0, 2**32 - 1).map(lambda seed: embedding(seed, terms))


def embedding(seed: int, terms: int) -> Embedded:
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=(1 + terms // 30, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tokens = chance.normal(size=(terms, 4))
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    return Embedded(
        vectors, np.rint(tokens * 127).astype(np.int8), np.arange(terms, dtype=np.int32)
    )


@st.composite
def pools(draw: st.DrawFn) -> list[Document]:
    """Documents in rows of their own, some of them neighbours in a session."""
    found = draw(st.lists(documents(), min_size=1, max_size=12))
    last: dict[str, int] = {}
    for row, document in enumerate(found):
        session = document.entry.session
        entry = document.entry._replace(id=f"m{row}")
        found[row] = document._replace(row=row, entry=entry)
        if session and entry.kind is Kind.TURN:
            if session in last:
                found[row] = found[row]._replace(previous=last[session])
                found[last[session]] = found[last[session]]._replace(next=row)
            last[session] = row
    return found


def scores(
    pool: list[Document], question: str, query: Embedded | None, how: str
) -> dict[str, float]:
    message = asked.read(question, ["Ada", "Grace"], ["english"], NOW)
    frequencies = {term: sum(term in d.terms for d in pool) for term in message.terms}
    statistics = TermStatistics(len(pool), 12.0, frequencies)
    if how == "daita":
        result = formula.score(message, query, pool, statistics, NOW)
    else:
        result = scoring.score(message, query, pool, [True] * len(pool), statistics)
    return {d.entry.id: float(s) for d, s in zip(pool, result.total, strict=True)}


@pytest.mark.parametrize("how", ["nosis", "daita"])
@settings(max_examples=60, deadline=None)
@given(pool=pools(), question=TEXTS, seed=st.integers(0, 99), by_meaning=st.booleans())
def test_scores_are_within_0_and_1_and_do_not_depend_on_order(
    how: str, pool: list[Document], question: str, seed: int, by_meaning: bool
) -> None:
    query = embedding(seed, len(tokenizer.terms(question))) if by_meaning else None
    before = scores(pool, question, query, how)
    assert all(0 <= score <= 1 for score in before.values())
    shuffled = random.Random(seed).sample(pool, len(pool))
    assert scores(shuffled, question, query, how) == pytest.approx(before, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(pool=pools(), question=TEXTS, seed=st.integers(0, 99))
def test_a_memory_scores_the_same_whatever_stands_beside_it(
    pool: list[Document], question: str, seed: int
) -> None:
    """A fact depends on no other memory, so no score is relative to the best of a pool."""
    fact = pool[0]._replace(entry=pool[0].entry._replace(kind=Kind.FACT), previous=None, next=None)
    message = asked.read(question, [], [], NOW)
    query = embedding(seed, len(tokenizer.terms(message.text)))
    statistics = TermStatistics(100, 12.0, dict.fromkeys(message.terms, 3))
    alone = scoring.score(message, query, [fact], [True], statistics).total[0]
    crowd = [fact, *pool[1:]]
    beside = scoring.score(message, query, crowd, [True] * len(crowd), statistics).total[0]
    assert beside == pytest.approx(alone, abs=1e-6)
