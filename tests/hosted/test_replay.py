"""Whatever was written, in whatever order: both stores hold the same state, before and after a
rebuild."""

from __future__ import annotations

import tempfile
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nosis.memory.store import lexical
from nosis.memory.store.local import LocalStore
from nosis.memory.store.postgres import PostgresStore
from nosis.memory.types import Filter
from tests.property.test_store_replay import events_of, state, step
from tests.recorded import START, axis, embed_all, fact, found, record


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(step, min_size=1, max_size=4), max_size=12))
def test_both_stores_hold_the_same_state_and_so_does_a_rebuild(
    database_url: str, batches: list[list[Any]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        local = LocalStore(Path(folder) / "workspace")
        hosted = PostgresStore(database_url, uuid.uuid4().hex)
        known: set[str] = set()
        for batch in batches:
            events = [e for one in batch for e in events_of(*one, known)]
            for store in (local, hosted):
                with store.write() as write:
                    write.append(*events)
                if any(one[0] == "embed" for one in batch):
                    embed_all(store, lambda words: axis(len(words) % 8))
        kept = state(hosted)
        assert kept == state(local)
        hosted.reindex()
        assert state(hosted) == kept
        assert hosted.notices == []
        hosted.close()
        local.close()


def test_words_in_many_blocks_score_as_in_the_local_store(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small blocks, so that sealing and merging happen often.
    for name, value in {"TAIL": 3, "FANOUT": 2, "TOP": 3}.items():
        monkeypatch.setattr(lexical, name, value)
    hosted = PostgresStore(database_url, uuid.uuid4().hex)
    local = LocalStore(tmp_path / "workspace")
    for start in range(0, 120, 4):
        facts = [
            fact(f"common w{n % 7} w{n % 3} {'common ' * (n % 4)}", f"m{n}", at=START + n)
            for n in range(start, start + 4)
        ]
        for store in (hosted, local):
            record(store, *facts)
    for query in ("common", "w1", "w5 w2", "common w6 absent"):
        best = []
        for store in (hosted, local):
            hits, statistics = store.search_words(query.split(), 20, Filter())
            ids = {d.row: d.entry.id for d in store.documents([hit.row for hit in hits])}
            best.append(([(ids[h.row], pytest.approx(h.score)) for h in hits], statistics))
        assert best[0] == best[1]
    hosted.close()
    local.close()


def test_a_word_longer_than_a_key_may_be_is_found(database_url: str) -> None:
    long = "x" * 5_000
    store = PostgresStore(database_url, uuid.uuid4().hex)
    record(store, fact(f"{long} and more", "m1"), fact(f"{long}y", "m2"))
    assert found(store, long) == [f"{long} and more"]
    store.close()
