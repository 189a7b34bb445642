"""What every store promises: files, and a database on a real server."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nosis.errors import NosisError, StorageError
from nosis.memory.store import Embedded, Store
from nosis.memory.store.local import LocalStore
from nosis.memory.store.postgres import PostgresStore
from nosis.memory.types import Category, Filter, Kind, Origin, Status
from tests.recorded import (
    EVERYTHING,
    START,
    axis,
    embed_all,
    event,
    fact,
    found,
    near,
    record,
    texts,
    turn,
)


@pytest.fixture(params=["local", "postgres"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the one workspace of this test, again and again; all are closed at its end."""
    opened: list[Store] = []
    name = uuid.uuid4().hex

    def open_store() -> Store:
        if request.param == "local":
            opened.append(LocalStore(tmp_path / "workspace"))
        else:
            url = request.getfixturevalue("database_url")
            opened.append(PostgresStore(url, name))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Callable[[], Store]) -> Store:
    return reopen()


# -- events and state ------------------------------------------------------------------------


def test_a_fact_comes_back_as_it_was_recorded(store: Store) -> None:
    record(
        store,
        fact(
            "Ada prefers tea",
            "m1",
            importance=0.8,
            category="preference",
            field="preference",
            origin="assistant",
            external_id="x-1",
            session="s1",
            turn="t1",
            at=START,
        ),
    )
    (entry,) = store.get(["m1"])
    assert (entry.kind, entry.text, entry.status) == (Kind.FACT, "Ada prefers tea", Status.LIVE)
    assert (entry.importance, entry.category) == (0.8, Category.PREFERENCE)
    assert (entry.origin, entry.field, entry.external_id) == (
        Origin.ASSISTANT,
        "preference",
        "x-1",
    )
    assert (entry.session, entry.turn, entry.agent) == ("s1", "t1", "tester")
    assert entry.created_at == entry.updated_at == START
    assert (entry.accesses, entry.accessed_at) == (0, None)


def test_get_keeps_the_order_asked_for_and_leaves_out_unknown_ids(store: Store) -> None:
    record(store, fact("one", "m1"), fact("two", "m2"))
    assert [e.id for e in store.get(["m2", "nope", "m1", "m2"])] == ["m2", "m1", "m2"]


def test_events_of_one_write_land_all_or_none(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.write() as batch:
        batch.append(fact("never"), event("core", field="name", value="Ada", was=None))
        raise ZeroDivisionError
    assert texts(store) == []
    assert store.core() == {}
    assert list(store.events()) == []


def test_a_write_sees_committed_events_and_its_own(store: Store) -> None:
    record(store, fact("old", "m1"))
    with store.write() as batch:
        assert batch.get("m1")
        batch.append(fact("new", "m2"), event("core", field="name", value="Ada", was=None))
        assert batch.get("m2")
        assert batch.core() == {"name": "Ada"}
        assert store.get(["m2"]) == []


def test_an_empty_write_changes_nothing(store: Store) -> None:
    with store.write():
        pass
    assert list(store.events()) == []


def test_a_write_within_a_write_is_refused_at_once(store: Store) -> None:
    with store.write(), pytest.raises(RuntimeError), store.write():
        pass


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "fact", "id": "m1", "text": 7, "importance": 0.5, "origin": "user"},
        {"type": "fact", "id": "m1", "text": "x", "importance": 1.5, "origin": "user"},
        {"type": "fact", "id": "m1", "text": "x", "importance": float("nan"), "origin": "user"},
        {"type": "fact", "text": "x", "importance": 0.5, "origin": "user"},
        {"type": "fact", "id": "m1", "text": "x", "importance": 0.5, "category": "prefs"},
        {"type": "dream", "id": "m1"},
        {"type": "revise", "id": "m1", "set": {"id": "m2"}, "was": {}},
    ],
)
def test_an_event_that_makes_no_sense_is_refused_whole(store: Store, broken: Any) -> None:
    fields = {name: value for name, value in broken.items() if name != "type"}
    with pytest.raises(StorageError):
        record(store, fact("good"), event(broken["type"], **fields))
    assert texts(store) == []


def test_the_same_event_twice_counts_once(store: Store) -> None:
    once = fact("delivered again", "m1")
    record(store, once)
    record(store, once, fact("another"))
    assert sorted(texts(store)) == ["another", "delivered again"]


def test_two_entries_cannot_share_an_id(store: Store) -> None:
    record(store, fact("first", "m1"))
    with pytest.raises(StorageError):
        record(store, fact("second", "m1"))
    assert texts(store) == ["first"]


def test_two_memories_that_share_their_beginning_are_both_kept(store: Store) -> None:
    prefix = "the deployment of the billing service " * 10
    record(store, fact(prefix + "moved to Monday"))
    record(store, fact(prefix + "moved to Friday"))
    assert len(texts(store)) == 2


def test_superseding_makes_the_old_fact_history(store: Store) -> None:
    record(store, fact("Deploys on Friday", "m1"))
    record(store, fact("Deploys on Monday", "m2", supersedes="m1"))
    assert texts(store) == ["Deploys on Monday"]
    old = store.get(["m1"])[0]
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, "m2")


def test_a_pending_fact_supersedes_nothing(store: Store) -> None:
    record(store, fact("Deploys on Friday", "m1"))
    record(store, fact("Deploys never", "m2", supersedes="m1", status="pending"))
    assert texts(store) == ["Deploys on Friday"]


def test_forget_restore_and_revise(store: Store) -> None:
    record(store, fact("Deploys on Friday", "m1"))
    record(store, event("forget", id="m1", reason="asked", was="live"))
    assert texts(store) == []
    assert store.get(["m1"])[0].reason == "asked"
    record(store, event("restore", id="m1", status="live", was="forgotten"))
    record(
        store, event("revise", id="m1", set={"text": "Deploys daily", "importance": 0.9}, was={})
    )
    (entry,) = store.find(Filter())
    assert (entry.id, entry.text, entry.importance, entry.reason) == (
        "m1",
        "Deploys daily",
        0.9,
        None,
    )


def test_access_counts_and_last_access(store: Store) -> None:
    record(store, fact("a", "m1"), fact("b", "m2"))
    record(store, event("access", ids=["m1", "m2"], at=START + 10))
    record(store, event("access", ids=["m1"], at=START + 20))
    one, two = store.get(["m1", "m2"])
    assert (one.accesses, one.accessed_at) == (2, START + 20)
    assert (two.accesses, two.accessed_at) == (1, START + 10)


def test_core_memory_keeps_values_lists_and_order(store: Store) -> None:
    record(store, event("core", field="name", value="Ada", was=None))
    record(store, event("core", field="preference", value=["tea", "short answers"], was=None))
    record(store, event("core", field="name", value="Ada Lovelace", was="Ada"))
    assert list(store.core().items()) == [
        ("name", "Ada Lovelace"),
        ("preference", ["tea", "short answers"]),
    ]
    record(store, event("core", field="name", value=None, was="Ada Lovelace"))
    assert store.core() == {"preference": ["tea", "short answers"]}


def test_sessions_are_listed_newest_first_with_their_first_words(store: Store) -> None:
    record(
        store,
        turn("plan the   trip\nto Rome", "s1", at=START),
        turn("gladly", "s1", "assistant", at=START + 1),
        turn("x" * 200, "s2", at=START + 2),
        turn("and hotels", "s1", at=START + 9),
    )
    first, second = store.sessions()
    assert (first.id, first.title, first.turns) == ("s1", "plan the trip to Rome", 2)
    assert (first.started_at, first.updated_at) == (START, START + 9)
    assert second.title.startswith("xxx")
    assert len(second.title) <= 60
    record(store, event("session", id="s2", title="Crosses"))
    assert store.sessions()[1].title == "Crosses"
    record(store, event("session", id="s1", title=None))
    assert [session.id for session in store.sessions()] == ["s2"]


def test_history_of_an_entry_and_events_of_an_operation(store: Store) -> None:
    record(store, fact("a", "m1", op="op1"), fact("b", "m2", op="op1"))
    record(store, event("forget", id="m1", was="live", op="op2"))
    record(store, event("access", ids=["m1"], op="op3"))
    history = [(position, e["type"]) for position, e in store.events(entry="m1")]
    assert history == [(1, "fact"), (3, "forget")]
    assert [e["id"] for _, e in store.events(op="op1")] == ["m1", "m2"]
    assert [position for position, _ in store.events(after=2)] == [3, 4]


def test_events_come_back_exactly_as_recorded(store: Store) -> None:
    written = [fact(f"fact {n}", note={"deep": [1, None, "ü"]}) for n in range(3)]
    record(store, *written)
    record(store, extra := turn("hello", "s1", material="pasted"))
    assert [e for _, e in store.events()] == [*written, extra]


def test_last_op_is_the_newest_change_not_yet_undone(store: Store) -> None:
    assert store.last_op() is None
    record(store, fact("a", "m1", op="op1"))
    record(store, fact("b", "m2", op="op2", agent="other"))
    record(store, turn("hello", "s1", op="op3"), event("access", ids=["m1"], op="op3"))
    assert store.last_op() == "op2"
    assert store.last_op("tester") == "op1"
    record(store, event("forget", id="m2", was="live", op="op4", undoes="op2"))
    assert store.last_op() == "op1"


def test_curated_remembers_how_far_curation_has_read(store: Store) -> None:
    assert store.curated() == 0
    record(store, fact("a"))
    record(store, event("curated", upto=1))
    assert store.curated() == 1


# -- finding ---------------------------------------------------------------------------------


def test_find_orders_and_limits(store: Store) -> None:
    record(
        store,
        fact("old", importance=0.9, at=START),
        fact("new", importance=0.1, at=START + 9),
        fact("mid", importance=0.5, at=START + 5),
    )
    assert texts(store) == ["new", "mid", "old"]
    assert texts(store, by="oldest") == ["old", "mid", "new"]
    assert texts(store, by="importance", limit=2) == ["old", "mid"]
    assert store.count(Filter()) == 3


FILTERS = [
    (Filter(kinds=(Kind.FACT,)), {"tea", "pin", "mud"}),
    (Filter(kinds=(Kind.TURN,)), {"lamp", "boat", "kite"}),
    (Filter(category=Category.PREFERENCE), {"tea"}),
    (Filter(min_importance=0.7), {"tea", "pin"}),
    (Filter(max_importance=0.2), {"mud"}),
    (Filter(min_importance=0.3, max_importance=0.6, kinds=(Kind.FACT,)), set()),
    (Filter(since=START + 3), {"lamp", "boat", "kite"}),
    (Filter(until=START + 1), {"tea", "pin"}),
    (Filter(session="s1"), {"lamp", "boat", "mud"}),
    (Filter(not_session="s1"), {"tea", "pin", "mud", "kite"}),
    (Filter(session="nowhere"), set()),
    (Filter(not_session="nowhere", kinds=(Kind.TURN,)), {"lamp", "boat", "kite"}),
    (Filter(pinned=True), {"pin"}),
    (Filter(core=True), {"pin"}),
    (Filter(core=False), {"tea", "mud", "lamp", "boat", "kite"}),
    (Filter(material_turns=False), {"tea", "pin", "mud", "lamp", "kite"}),
    (Filter(statuses=(Status.PENDING,)), {"moon"}),
    (Filter(statuses=(Status.LIVE, Status.PENDING), category=Category.EVENT), {"moon"}),
]


@pytest.mark.parametrize(("where", "expected"), FILTERS)
def test_filters_hold_in_every_kind_of_search(
    store: Store, where: Filter, expected: set[str]
) -> None:
    record(
        store,
        fact("tea", category="preference", importance=0.7, at=START),
        fact("pin", pinned=True, field="role", importance=0.3, at=START + 1),
        fact("mud", importance=0.2, session="s1", at=START + 2),
        fact("moon", status="pending", category="event", at=START + 2),
        turn("lamp", "s1", at=START + 3),
        turn("boat", "s1", "assistant", origin="material", at=START + 4),
        turn("kite", "s2", at=START + 5),
    )
    embed_all(store, lambda text: axis(0))
    assert set(texts(store, where)) == expected
    assert store.count(where) == len(expected)
    assert set(near(store, axis(0), where)) == expected
    words = ["tea", "pin", "mud", "moon", "lamp", "boat", "kite"]
    hits, _ = store.search_words(words, 10, where)
    assert {d.entry.text for d in store.documents([h.row for h in hits])} == expected


def test_a_filter_applies_before_the_limit(store: Store) -> None:
    record(store, *(fact(f"common word {n}", importance=0.2) for n in range(60)))
    record(store, fact("common, but longer and so worse by its words", importance=0.9))
    embed_all(store, lambda text: axis(1) if "longer" in text else axis(0))
    important = Filter(min_importance=0.8)
    expected = ["common, but longer and so worse by its words"]
    assert found(store, "common", important, limit=1) == expected
    assert near(store, axis(0), important, limit=1) == expected


# -- words -----------------------------------------------------------------------------------


def test_words_rank_the_better_match_first(store: Store) -> None:
    record(store, fact("the dog sleeps"), fact("my dog is called Rex, a dog of dogs"))
    record(store, fact("nothing of the kind"))
    assert found(store, "dog rex")[0].startswith("my dog")
    assert found(store, "zzz") == []
    assert found(store, "") == []


def test_a_single_memory_and_a_word_in_all_memories_are_found(store: Store) -> None:
    record(store, fact("My dog is Rex."))
    assert found(store, "rex") == ["My dog is Rex."]
    record(store, fact("Rex barks"))
    hits, statistics = store.search_words(["rex"], 5, Filter())
    assert all(hit.score > 0 for hit in hits)
    assert (statistics.documents, statistics.document_frequency) == (2, {"rex": 2})


@pytest.mark.parametrize("odd", ["", "   ", "...", "🦊", "🦊🦊", "\n"])
def test_a_memory_without_words_harms_nothing(store: Store, odd: str) -> None:
    record(store, fact(odd))
    assert store.search_words(["x"], 5, Filter())[0] == []
    embed_all(store, lambda text: axis(0))
    assert near(store, axis(0)) == [odd]
    record(store, fact("plain words"))
    assert found(store, "words") == ["plain words"]


def test_forgotten_and_old_words_are_found_no_more_and_leave_the_statistics(store: Store) -> None:
    record(store, fact("alpha beta", "m1"), fact("alpha gamma", "m2"))
    record(store, event("forget", id="m1", was="live"))
    record(store, event("revise", id="m2", set={"text": "delta"}, was={"text": "alpha gamma"}))
    hits, statistics = store.search_words(["alpha", "delta"], 5, Filter())
    assert len(hits) == 1
    assert statistics.documents == 1
    assert statistics.average_length == 1.0
    assert statistics.document_frequency == {"alpha": 0, "delta": 1}
    assert found(store, "alpha", EVERYTHING) == ["alpha beta"]
    record(store, event("restore", id="m1", status="live", was="forgotten"))
    assert found(store, "alpha") == ["alpha beta"]


def test_documents_carry_terms_and_neighbours(store: Store) -> None:
    record(store, turn("one two", "s1", id="t1"), turn("other", "s2", id="t2"))
    record(store, fact("between", session="s1"), turn("three", "s1", "assistant", id="t3"))
    rows = {d.entry.id: d for d in store.documents(range(1, 10))}
    assert rows["t1"].terms == ("one", "two")
    assert (rows["t1"].previous, rows["t1"].next) == (None, rows["t3"].row)
    assert (rows["t3"].previous, rows["t3"].next) == (rows["t1"].row, None)
    assert (rows["t2"].previous, rows["t2"].next) == (None, None)
    record(store, event("revise", id="t1", set={"text": "uno"}, was={"text": "one two"}))
    record(store, turn("four", "s1", id="t4"))
    rows = {d.entry.id: d for d in store.documents(range(1, 12))}
    assert rows["t3"].previous == rows["t1"].row
    assert (rows["t1"].terms, rows["t1"].next) == (("uno",), rows["t3"].row)
    assert (rows["t4"].previous, rows["t3"].next) == (rows["t3"].row, rows["t4"].row)
    assert store.documents([999]) == []


# -- vectors ---------------------------------------------------------------------------------


def test_vectors_come_back_and_rank_by_cosine(store: Store) -> None:
    record(store, fact("near"), fact("far"), fact("opposite"))
    between = np.float32([0.8, 0.6, 0, 0, 0, 0, 0, 0])
    by_text = {"near": between, "far": axis(1), "opposite": -axis(0)}
    embed_all(store, by_text.__getitem__)
    hits = store.search_vectors(axis(0), 3, Filter())
    assert [hit.score for hit in hits] == pytest.approx([0.8, 0.0, -1.0], abs=2e-3)
    assert near(store, between, limit=1) == ["near"]
    assert store.search_vectors(between, 1, Filter())[0].score == pytest.approx(1.0, abs=2e-3)
    assert store.unembedded(10) == []


def test_the_best_chunk_counts_and_an_entry_comes_once(store: Store) -> None:
    record(store, fact("long"), fact("short"))
    store.reset_vectors("test-model")
    rows = {text: row for row, text in store.unembedded(10)}
    chunks = np.stack([axis(0), axis(1), axis(2)])
    tokens = np.arange(8, dtype=np.int8).reshape(2, 4)
    store.add_vectors(
        [rows["long"], rows["short"]],
        [Embedded(chunks, tokens, np.array([0, 3], np.int32)), Embedded(axis(3)[None])],
    )
    assert near(store, axis(2)) == ["long", "short"]
    long, short = store.documents([rows["long"], rows["short"]])
    assert long.embedded
    assert np.array_equal(long.embedded.vectors, chunks)
    assert np.array_equal(long.embedded.tokens, tokens)
    assert np.array_equal(long.embedded.words, [0, 3])
    assert short.embedded
    assert short.embedded.tokens is None


def test_texts_without_vectors_wait_newest_first(store: Store) -> None:
    record(store, fact("first"), fact("second"), fact("third"))
    assert [text for _, text in store.unembedded(2)] == ["third", "second"]
    embed_all(store, lambda text: axis(0))
    record(store, fact("fourth", "m4"))
    assert [text for _, text in store.unembedded(9)] == ["fourth"]
    embed_all(store, lambda text: axis(0))
    record(store, event("revise", id="m4", set={"text": "fifth"}, was={"text": "fourth"}))
    assert [text for _, text in store.unembedded(9)] == ["fifth"]
    assert "fifth" not in near(store, axis(0))


def test_vectors_of_another_model_are_dropped_and_another_size_is_refused(store: Store) -> None:
    record(store, fact("a"), fact("b"))
    embed_all(store, lambda text: axis(0))
    store.reset_vectors("other-model")
    assert store.embedding_model == "other-model"
    assert near(store, axis(0)) == []
    (row_b, _), (row_a, _) = store.unembedded(10)
    store.add_vectors([row_a], [Embedded(axis(0, 16)[None])])
    with pytest.raises(StorageError) as refused:
        store.add_vectors([row_b], [Embedded(axis(0, 8)[None])])
    assert "reindex" in refused.value.hint
    assert near(store, axis(0, 16)) == ["a"]
    assert near(store, axis(0, 8)) == []
    assert found(store, "b") == ["b"]


def test_the_model_is_known_after_reopening(store: Store, reopen: Callable[[], Store]) -> None:
    record(store, fact("a"))
    embed_all(store, lambda text: axis(0), "some-model")
    again = reopen()
    record(again, fact("b"))
    ((row, _),) = again.unembedded(9)
    again.add_vectors([row], [Embedded(axis(1)[None])])
    assert again.embedding_model == "some-model"
    assert near(again, axis(0)) == ["a", "b"]


def test_two_openings_that_take_on_one_model_keep_each_others_vectors(
    store: Store, reopen: Callable[[], Store]
) -> None:
    other = reopen()
    record(store, fact("a"))
    embed_all(store, lambda text: axis(0))
    other.reset_vectors("test-model")  # decided before it could see the first one's
    assert near(other, axis(0)) == ["a"]
    assert near(store, axis(0)) == ["a"]


def test_vectors_of_a_model_that_was_replaced_meanwhile_are_let_go(
    store: Store, reopen: Callable[[], Store]
) -> None:
    record(store, fact("a"))
    store.reset_vectors("test-model")
    ((row, _),) = store.unembedded(1)
    reopen().reset_vectors("other-model")
    store.add_vectors([row], [Embedded(axis(0)[None])])
    assert store.embedding_model == "other-model"
    assert near(store, axis(0)) == []
    assert [text for _, text in store.unembedded(1)] == ["a"]


# -- several at once, and again later --------------------------------------------------------


def test_another_opening_sees_each_write_at_its_next_call(
    store: Store, reopen: Callable[[], Store]
) -> None:
    other = reopen()
    record(store, fact("seen by both", "m1"))
    assert found(other, "seen") == ["seen by both"]
    record(other, event("forget", id="m1", was="live"))
    assert found(store, "seen") == []
    embed_all(other, lambda text: axis(0))
    assert near(store, axis(0), EVERYTHING) == ["seen by both"]


def test_threads_writing_and_reading_at_once_lose_nothing(store: Store) -> None:
    record(store, fact("shared", "m0"))
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(15):
                record(store, fact(f"thread {name} fact {number}"), event("access", ids=["m0"]))
                assert found(store, f"thread {name} fact {number}", limit=100)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.count(Filter()) == 61
    assert store.get(["m0"])[0].accesses == 60


def test_what_is_forgotten_is_found_by_no_index_now_or_after_reopening(
    store: Store, reopen: Callable[[], Store]
) -> None:
    record(store, fact("the red bicycle", "m1"), fact("the blue car", "m2"))
    embed_all(store, lambda text: axis(int("car" in text)))
    record(store, event("forget", id="m1", was="live"))
    for again in (store, reopen()):
        assert found(again, "red bicycle car") == ["the blue car"]
        assert near(again, axis(0)) == ["the blue car"]
        assert texts(again) == ["the blue car"]
        assert again.count(Filter()) == 1
    record(store, event("forget", id="nobody", was="live"))
    assert store.count(EVERYTHING) == 2


def test_an_edited_text_wins_over_the_old_one_in_every_index(
    store: Store, reopen: Callable[[], Store]
) -> None:
    record(store, fact("the red bicycle", "m1"))
    embed_all(store, lambda text: axis(0))
    changed = {"text": "the green boat"}
    record(store, event("revise", id="m1", set=changed, was={"text": "the red bicycle"}))
    embed_all(store, lambda text: axis(1))
    for again in (store, reopen()):
        assert found(again, "bicycle") == []
        assert found(again, "boat") == near(again, axis(1)) == ["the green boat"]
        assert [hit.score for hit in again.search_vectors(axis(0), 5, Filter())] == [0.0]


def test_six_thousand_memories_in_one_write(store: Store) -> None:
    record(store, *(fact(f"fact {number}") for number in range(6_000)))
    assert store.count(Filter()) == 6_000
    embed_all(store, lambda text: axis(int(text.split()[1]) % 8))
    assert near(store, axis(7), limit=1) == ["fact 5999"]


def test_threads_that_record_the_same_at_once_store_it_once(store: Store) -> None:
    def remember(_: int) -> None:
        for number in range(10):
            with store.write() as batch:
                if batch.get(f"m{number}") is None:
                    batch.append(fact(f"fact {number}", f"m{number}"))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(remember, range(3)))
    assert store.count(Filter()) == len(list(store.events())) == 10


def test_reindex_changes_nothing_that_can_be_seen(
    store: Store, reopen: Callable[[], Store]
) -> None:
    record(store, turn("hello Rex", "s1"), fact("a dog", "m1", pinned=True), fact("a cat", "m2"))
    record(store, event("revise", id="m2", set={"text": "a cow"}, was={"text": "a cat"}))
    embed_all(store, lambda text: axis(len(text) % 8))
    before = (store.find(EVERYTHING), store.core(), store.sessions(), near(store, axis(5)))
    store.reindex()
    assert (store.find(EVERYTHING), store.core(), store.sessions(), near(store, axis(5))) == before
    assert store.unembedded(10) == []
    again = reopen()
    assert again.find(EVERYTHING) == before[0]
    assert again.notices == []


# -- text as it comes ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("NUL \x00 here", "NUL � here"),
        ("half a pair \ud83d", "half a pair �"),
        ("argv bytes \udcff", "argv bytes �"),
        ("a pair \ud83d\ude00", "a pair 😀"),
        ("two\nlines\u2028and\u0085more\r\n", "two\nlines\u2028and\u0085more\r\n"),
        ('quotes " and \\ and {"more": true}', 'quotes " and \\ and {"more": true}'),
        ("混合 scripts עברית", "混合 scripts עברית"),
    ],
)
def test_any_text_is_stored_and_comes_back(
    store: Store, reopen: Callable[[], Store], given: str, kept: str
) -> None:
    record(store, fact(given), turn(given, "s1"))
    assert texts(store) == [kept, kept]
    store.reindex()
    assert texts(reopen()) == [kept, kept]


def test_a_megabyte_in_one_memory(store: Store) -> None:
    record(store, fact("needle " + "hay " * 250_000))
    assert len(found(store, "needle")[0]) > 1_000_000


def test_a_clock_that_runs_backwards_orders_by_time_told(store: Store) -> None:
    record(store, fact("later", at=START + 100))
    record(store, fact("earlier", at=START))
    assert texts(store) == ["later", "earlier"]
    assert [e["text"] for _, e in store.events()] == ["later", "earlier"]


def test_errors_are_nosis_errors_with_a_hint(store: Store) -> None:
    with pytest.raises(NosisError) as refused:
        record(store, fact("x", importance=7))
    assert refused.value.hint
