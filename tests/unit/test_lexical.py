"""Words: postings grow in blocks, a search prunes, and rank-bm25 has the last word."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from nosis.errors import StorageError
from nosis.memory.store import catalog, lexical
from nosis.memory.store.apply import Writer
from nosis.memory.store.lexical import LexicalWriter, Statistics
from nosis.memory.store.local import LocalStore
from nosis.memory.types import Filter
from tests.recorded import event, fact, found, quick_folder, record, texts


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:", isolation_level=None)
    catalog.create_meta(made)
    catalog.create(made, vectors=False)
    yield made
    made.close()


@pytest.fixture
def store() -> Iterator[LocalStore]:
    with quick_folder() as folder:
        made = LocalStore(folder / "workspace")
        yield made
        made.close()


def corpus(size: int, seed: int) -> list[list[str]]:
    """Texts in which few words are common and many are rare."""
    chance = np.random.default_rng(seed)
    return [
        [f"w{word}" for word in chance.zipf(1.3, int(chance.integers(0, 30))) if word < 5_000]
        for _ in range(size)
    ]


def write(db: sqlite3.Connection, documents: list[list[str]], batch: int) -> None:
    for first in range(0, len(documents), batch):
        writer = LexicalWriter(db)
        for row, terms in enumerate(documents[first : first + batch], first + 1):
            writer.add(row, terms)
            writer.count(terms, 1)
        writer.flush()


class Exhaustive(BM25Okapi):  # type: ignore[misc]
    """rank-bm25 over everything, with the documented inverse document frequency."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {
            word: float(np.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)))
            for word, n in nd.items()
        }


def search(
    db: sqlite3.Connection, documents: list[list[str]], terms: list[str], **options: Any
) -> Any:
    lengths = np.array([0, *map(len, documents)], np.uint32)
    passes = options.pop("passes", np.ones(len(documents) + 1, np.bool_))
    statistics = Statistics(len(documents), int(lengths.sum()))
    return lexical.rank(
        lexical.load(db, terms),
        terms,
        options.pop("limit", 10),
        passes=passes,
        lengths=lengths,
        statistics=statistics,
    )


@pytest.mark.parametrize("batch", [1, 37, 2_000])
def test_however_postings_were_written_they_are_all_there_in_order(
    db: sqlite3.Connection, batch: int
) -> None:
    documents = corpus(1_500, 1)
    write(db, documents, batch)
    counts = [Counter(document) for document in documents]
    for term in ("w1", "w2", "w17", "w400"):
        frequency, postings = lexical.load(db, [term])[term]
        expected = [(row, c[term]) for row, c in enumerate(counts, 1) if term in c]
        assert [tuple(posting) for posting in postings.tolist()] == expected
        assert frequency == len(expected)
    (blocks,) = db.execute("SELECT max(n) FROM (SELECT count(*) n FROM postings GROUP BY term)")
    assert blocks[0] <= lexical.FANOUT * lexical.TOP


@pytest.mark.parametrize("seed", range(4))
def test_a_search_that_prunes_gives_what_scoring_everything_gives(
    db: sqlite3.Connection, seed: int
) -> None:
    documents = corpus(3_000, seed)
    write(db, documents, 500)
    exhaustive = Exhaustive(documents)
    chance = np.random.default_rng(seed)
    for _ in range(25):
        limit = int(chance.integers(1, 40))
        picked = chance.zipf(1.2, int(chance.integers(1, 9)))
        terms = [f"w{word}" for word in picked if word < 6_000]
        passes = chance.random(3_001) < chance.choice([1.0, 0.5, 0.02])
        hits, _ = search(db, documents, terms, limit=limit, passes=passes)
        scores = exhaustive.get_scores(terms) * passes[1:]
        best = np.sort(scores[scores > 0])[::-1][:limit]
        assert [hit.score for hit in hits] == pytest.approx(best.tolist(), rel=1e-12)
        for hit in hits:
            assert hit.score == pytest.approx(scores[hit.row - 1], rel=1e-12)


def test_terms_that_cannot_matter_are_looked_up_and_not_added_up(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [["common"]] * 2_000 + [["rare", "common"]] * 40
    write(db, documents, 500)
    read: list[int] = []
    scores = lexical._List.scores

    def counting(self: Any, at: Any) -> Any:
        result = scores(self, at)
        read.append(len(result))
        return result

    monkeypatch.setattr(lexical._List, "scores", counting)
    hits, _ = search(db, documents, ["common", "rare"], limit=10)
    assert {documents[hit.row - 1][0] for hit in hits} == {"rare"}
    assert sum(read) <= 80


def test_equal_scores_put_the_newer_first_and_repeats_count(db: sqlite3.Connection) -> None:
    documents = [["tea"], ["tea"], ["jam"], ["tea", "jam"]]
    write(db, documents, 4)
    hits, _ = search(db, documents, ["tea"])
    assert [hit.row for hit in hits] == [2, 1, 4]
    twice = search(db, documents, ["tea", "tea"])[0]
    assert [hit.score for hit in twice] == pytest.approx([2 * hit.score for hit in hits])


def statements(store: LocalStore, work: Callable[[], object]) -> int:
    """How many SQL statements the work runs."""
    count = [0]

    def note(_: str) -> None:
        count[0] += 1

    store.count(Filter())
    connections = list(store._index._idle)
    for connection in connections:
        connection.set_trace_callback(note)
    work()
    for connection in connections:
        connection.set_trace_callback(None)
    return count[0]


def test_adding_revising_and_forgetting_cost_the_same_at_any_size(store: LocalStore) -> None:
    def costs(name: str) -> list[int]:
        words = "alpha beta gamma"
        return [
            statements(store, lambda: record(store, fact(words, name))),
            statements(
                store,
                lambda: record(
                    store, event("revise", id=name, set={"text": "delta epsilon"}, was={})
                ),
            ),
            statements(store, lambda: record(store, event("forget", id=name, was="live"))),
        ]

    costs("m0")  # the words are known from here on
    small = costs("m1")
    record(store, *(fact(f"filler alpha {n} beta {n % 7}") for n in range(3_000)))
    large = costs("m2")
    assert all(0 < later <= before + 12 for before, later in zip(small, large, strict=True))


def test_a_catalog_that_cannot_commit_takes_the_journal_back(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(store, fact("kept"))
    journal = store.folder / "archival.jsonl"
    before = journal.read_bytes()

    def fail(*_: object, **__: object) -> None:
        assert journal.read_bytes() != before
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "flush", fail)
        with pytest.raises(StorageError) as refused:
            record(store, fact("lost"))
    assert refused.value.hint
    assert journal.read_bytes() == before
    assert texts(store) == ["kept"]
    record(store, fact("later"))
    assert found(store, "later") == ["later"]
    assert store.notices == []
