"""Whatever was written, in whatever order: the index equals what the journal replays to, and
words are scored as rank-bm25 scores them over everything."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from nosis.memory import recall
from nosis.memory.store import Embedded, Store, lexical
from nosis.memory.store.local import LocalStore
from nosis.memory.types import Filter, Kind, Recollection
from tests.recorded import EVERYTHING, START, axis, embed_all, event, fact, near, quick_folder, turn

WORDS = [f"w{number}" for number in range(12)]
text = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
entry_id = st.sampled_from([f"m{number}" for number in range(8)])
status = st.sampled_from(["live", "pending", "superseded", "forgotten"])

step = st.one_of(
    st.tuples(st.just("fact"), entry_id, text, status),
    st.tuples(st.just("supersede"), entry_id, text, entry_id),
    st.tuples(st.just("turn"), entry_id, text, st.sampled_from(["s1", "s2"])),
    st.tuples(st.just("revise"), entry_id, text, st.floats(0, 1)),
    st.tuples(st.just("forget"), entry_id, st.none(), st.none()),
    st.tuples(st.just("restore"), entry_id, st.none(), status),
    st.tuples(st.just("pin"), entry_id, st.none(), st.booleans()),
    st.tuples(st.just("access"), entry_id, st.none(), st.none()),
    st.tuples(st.just("core"), entry_id, st.none() | text, st.none()),
    st.tuples(st.just("title"), entry_id, st.none() | text, st.sampled_from(["s1", "s2", "s3"])),
    st.tuples(st.just("purge"), entry_id, st.none(), st.none()),
    st.tuples(st.just("embed"), entry_id, st.none(), st.none()),
)


def events_of(kind: str, target: str, words: Any, extra: Any, known: set[str]) -> list[Any]:
    """The events of one step; an id is used for one entry only, even after a purge."""
    if kind in ("fact", "supersede", "turn"):
        if target in known:
            return []
        known.add(target)
    makers = {
        "fact": lambda: fact(words, target, status=extra),
        "supersede": lambda: fact(words, target, supersedes=extra),
        "turn": lambda: turn(words, extra, id=target),
        "revise": lambda: event(
            "revise", id=target, set={"text": words, "importance": extra}, was={}
        ),
        "forget": lambda: event("forget", id=target, was="live"),
        "restore": lambda: event("restore", id=target, status=extra, was="live"),
        "pin": lambda: event("pin", id=target, set={"pinned": extra}, was={}),
        "access": lambda: event("access", ids=[target]),
        "core": lambda: event("core", field=target, value=words, was=None),
        "title": lambda: event("session", id=extra, title=words),
        "purge": lambda: event("purge", ids=[target]),
    }
    return [makers[kind]()] if kind in makers else []


@contextmanager
def workspace() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "workspace"


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    store = LocalStore(folder)
    try:
        yield store
    finally:
        store.close()


def recalled(store: Store) -> tuple[Recollection, ...]:
    """A whole recall, with all that it scores."""
    return recall.search(
        store,
        " ".join(WORDS),
        embed=lambda _: Embedded(axis(0)[None]),
        where=Filter(),
        limit=100,
        now=START,
        threshold=1e-9,
    ).hits


def state(store: Store) -> dict[str, Any]:
    """All that can be seen, by entry and not by row, which a rebuild may number anew."""
    entries = store.find(EVERYTHING)
    documents = store.documents(range(1, 200))
    ids = {document.row: document.entry.id for document in documents}
    hits, statistics = store.search_words(WORDS, 100, Filter())
    return {
        "entries": entries,
        "core": store.core(),
        "sessions": store.sessions(),
        "terms": {document.entry.id: document.terms for document in documents},
        "neighbours": {
            d.entry.id: (ids.get(d.previous or 0), ids.get(d.next or 0)) for d in documents
        },
        "words": {ids[hit.row]: pytest.approx(hit.score) for hit in hits},
        "statistics": statistics,
        "near": sorted(near(store, axis(0), limit=100)),
        "recalled": {hit.entry.id: pytest.approx(hit.score) for hit in recalled(store)},
        "waiting": sorted(text for _, text in store.unembedded(100)),
        "last": store.last_op(),
    }


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(step, min_size=1, max_size=4), max_size=14))
def test_a_rebuilt_index_equals_the_one_kept_up_to_date(batches: list[list[Any]]) -> None:
    with workspace() as folder:
        known: set[str] = set()
        with opened(folder) as store:
            for batch in batches:
                events = [e for one in batch for e in events_of(*one, known)]
                with store.write() as write:
                    write.append(*events)
                if any(one[0] == "embed" for one in batch):
                    embed_all(store, lambda words: axis(len(words) % 8))
            kept = state(store)
            store.reindex()
            assert state(store) == kept
        with opened(folder) as store:
            assert state(store) == kept
            assert store.notices == []
        shutil.rmtree(folder / "index")
        with opened(folder) as store:
            embedded = {"near", "waiting", "recalled"}
            rebuilt = state(store)
            assert {k: v for k, v in rebuilt.items() if k not in embedded} == {
                k: v for k, v in kept.items() if k not in embedded
            }


class Exhaustive(BM25Okapi):  # type: ignore[misc]
    """rank-bm25 over all documents, with the inverse document frequency that nosis documents."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, freq in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - freq + 0.5) / (freq + 0.5))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(text, st.sampled_from(["keep", "forget", "revise"])), min_size=1, max_size=60
    ),
    st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=6),
    st.integers(1, 8),
    st.sampled_from([Filter(), Filter(kinds=(Kind.TURN,)), Filter(min_importance=0.5)]),
)
def test_words_score_as_exhaustive_rank_bm25(
    monkeypatch: pytest.MonkeyPatch,
    memories: list[tuple[str, str]],
    query: list[str],
    limit: int,
    where: Filter,
) -> None:
    # Small blocks and a small pool, so that sealing, merging and pruning all happen here.
    for name, value in {"TAIL": 3, "FANOUT": 2, "TOP": 3, "MARGIN": 1}.items():
        monkeypatch.setattr(lexical, name, value)
    with workspace() as folder, opened(folder) as store:
        for number, (words, fate) in enumerate(memories):
            name, at = f"m{number}", START + number
            made = (
                turn(words, "s1", id=name, at=at)
                if number % 3
                else fact(words, name, importance=number % 10 / 10, at=at)
            )
            with store.write() as write:
                write.append(made)
                if fate == "forget":
                    write.append(event("forget", id=name, was="live"))
                if fate == "revise":
                    changed = {"text": f"{words} {query[0]}"}
                    write.append(event("revise", id=name, set=changed, was={}))
        hits, statistics = store.search_words(query, limit, where)
        documents = [d for d in store.documents(range(1, 300)) if d.entry.status == "live"]
        corpus = [list(document.terms) for document in documents]
        assert statistics.documents == len(corpus)
        if not any(corpus):
            assert hits == []
            return
        exhaustive = Exhaustive(corpus)
        scores = exhaustive.get_scores(query)
        passing = {entry.id for entry in store.find(where)}
        expected = {
            document.row: score
            for document, score in zip(documents, scores, strict=True)
            if score > 0 and document.entry.id in passing
        }
        best = sorted(expected.values(), reverse=True)[:limit]
        assert [hit.score for hit in hits] == pytest.approx(best, rel=1e-12)
        for hit in hits:
            assert hit.score == pytest.approx(expected[hit.row], rel=1e-12)
        assert statistics.average_length == pytest.approx(exhaustive.avgdl)
        for word in set(query):
            count = sum(word in document for document in corpus)
            assert statistics.document_frequency[word] == count
