"""The vector indexes of the local store: exact search, and Chroma as its disposable owner's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from nosis.memory.store import Embedded, Store, embeddings, nearest, vectors
from nosis.memory.store.exact import best
from nosis.memory.store.local import LocalStore
from nosis.memory.types import Filter, Kind
from tests.recorded import axis, embed_all, event, fact, near, record, turn

DIMENSIONS = 16
ROUNDING = 2e-3  # with so few dimensions; smaller with more
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments, batches and backlogs small enough that a few memories fill several."""
    monkeypatch.setattr(embeddings, "SEGMENT", 16)
    monkeypatch.setattr(nearest, "BACKLOG", 8)
    monkeypatch.setattr(nearest, "BATCH", 10)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Callable[..., LocalStore]]:
    opened: list[LocalStore] = []

    def open_store(choice: str = "auto") -> LocalStore:
        opened.append(LocalStore(tmp_path / "workspace", vector_index=choice))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


def random_vectors(count: int, seed: int = 0) -> Any:
    made = np.random.default_rng(seed).normal(size=(count, DIMENSIONS))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def fill(store: Store, count: int, start: int = 0, chunks: int = 1) -> Any:
    """Facts "n0", "n1"… with ``chunks`` random vectors each; the vectors by number."""
    record(store, *(fact(f"n{number}", f"m{number}") for number in range(start, start + count)))
    if store.embedding_model is None:
        store.reset_vectors("test-model")
    rows = sorted(store.unembedded(count))
    made = random_vectors(count * chunks, start).reshape(count, chunks, DIMENSIONS)
    store.add_vectors([row for row, _ in rows], [Embedded(one) for one in made])
    return made


def settle(store: LocalStore) -> None:
    """Wait until the background thread has brought Chroma up to date."""
    for worker in list(store._vectors._workers):
        worker.join()


def assert_best(store: Store, made: Any, query: Any, limit: int) -> None:
    """The hits are the best rows of a product with all vectors, up to rounding."""
    scores = (made @ query).max(axis=1)
    hits = store.search_vectors(query, limit, Filter())
    names = [d.entry.text for d in store.documents([hit.row for hit in hits])]
    assert [hit.score for hit in hits] == pytest.approx(
        sorted(scores.tolist(), reverse=True)[:limit], abs=ROUNDING
    )
    assert [scores[int(name[1:])] for name in names] == pytest.approx(
        [hit.score for hit in hits], abs=ROUNDING
    )
    assert len(set(names)) == len(names)


def all_found(store: Store, made: Any) -> bool:
    """Whether every memory is the nearest to its own vector."""
    return all(near(store, one[0], limit=1) == [f"n{n}"] for n, one in enumerate(made))


# -- exact -----------------------------------------------------------------------------------


@pytest.mark.parametrize("chunks", [1, 3, 40])
def test_exact_search_equals_a_product_with_all_vectors(
    small: None, workspace: Callable[..., LocalStore], chunks: int
) -> None:
    store, other = workspace("exact"), workspace("exact")
    made = fill(store, 21, chunks=chunks)
    more = fill(store, 3, 21, chunks)
    made = np.concatenate((made, more))
    for query in random_vectors(5, 99):
        assert_best(store, made, query, 7)
        assert_best(other, made, query, 100)


def test_vectors_stay_exact_through_many_small_additions(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace("exact")
    made = fill(store, 1)
    for number in range(1, 40):
        made = np.concatenate((made, fill(store, 1, number)))
        assert near(store, made[number][0], limit=1) == [f"n{number}"]
    assert all_found(store, made)


@settings(max_examples=60, deadline=None)
@given(arrays.arrays(np.float32, (3, 8), elements=st.floats(-1, 1, width=32)))
def test_sealed_vectors_change_a_cosine_by_less_than_documented(made: Any) -> None:
    norms = np.linalg.norm(made, axis=1, keepdims=True)
    unit = np.divide(made, norms, out=np.zeros_like(made), where=norms > 0)
    kept = embeddings.lengthen(embeddings.shorten(unit))
    assert np.abs(kept @ unit.T - unit @ unit.T).max() < 0.004  # 8 dimensions: the worst case


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.sampled_from([-2.0, -0.5, 0.0, 0.5, 1.0])), min_size=1
    ),
    st.integers(1, 6),
)
def test_the_best_rows_are_the_best_however_their_chunks_lie(
    lines: list[tuple[int, float]], limit: int
) -> None:
    highest: dict[int, float] = {}
    for row, score in lines:
        if score > -2:
            highest[row] = max(score, highest.get(row, -1.0))
    hits = best(
        np.array([row for row, _ in lines], np.uint32),
        np.array([score for _, score in lines], np.float32),
        limit,
    )
    expected = sorted(highest.items(), key=lambda item: (-item[1], -item[0]))[:limit]
    assert [(hit.row, hit.score) for hit in hits] == expected


def test_vectors_too_many_for_memory_are_read_as_they_are_searched(
    small: None, workspace: Callable[..., LocalStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nosis.memory.store.exact.CACHED", 0)
    store = workspace("exact")
    made = fill(store, 37)
    assert all_found(store, made)


def test_changed_texts_lose_their_vectors_and_rebuilding_keeps_the_others(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace("exact")
    made = fill(store, 20)
    changed = {"text": "something else"}
    record(store, event("revise", id="m3", set=changed, was={}), event("purge", ids=["m5"]))
    assert near(store, made[3][0], limit=1) != ["n3"]
    before = near(store, made[3][0], limit=30)
    store.reindex()
    assert near(store, made[3][0], limit=30) == before
    assert [text for _, text in store.unembedded(30)] == ["something else"]
    fresh = workspace("exact")
    assert near(fresh, made[3][0], limit=30) == before
    record(fresh, fact("new one"))
    embed_all(fresh, lambda text: random_vectors(1, 77)[0])
    assert near(store, random_vectors(1, 77)[0], limit=1)[0] in ("new one", "something else")


# -- Chroma ----------------------------------------------------------------------------------


def test_chroma_serves_once_warm_and_lines_it_lacks_are_searched_exactly(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace()
    made = fill(store, 30)
    assert store._vectors.status()["vector index"] == "exact"
    store.warm()
    settle(store)
    assert store._vectors.status() == {"vector index": "chroma", "lines in chroma": 30}
    assert all_found(store, made)
    made = np.concatenate((made, fill(store, 5, 30)))
    assert all_found(store, made)
    assert store._vectors.status()["lines in chroma"] == 30
    made = np.concatenate((made, fill(store, 20, 35)))
    assert all_found(store, made)
    settle(store)
    assert store._vectors.status()["lines in chroma"] >= 55
    assert all_found(store, made)
    for query in random_vectors(5, 99):
        assert_best(store, made, query, 7)
    assert store.notices == []


def test_an_exact_match_scores_one_and_scores_stay_in_range(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace("chroma")
    made = fill(store, 12)
    near(store, made[0][0])
    settle(store)
    hits = store.search_vectors(made[4][0], 12, Filter())
    assert hits[0].score == pytest.approx(1.0, abs=2e-3)
    assert all(-1.0 <= hit.score <= 1.0 for hit in hits)


def test_what_chroma_holds_is_used_again_after_reopening(
    small: None, workspace: Callable[..., LocalStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = workspace()
    made = fill(store, 30)
    store.warm()
    settle(store)
    folder = json.loads((store.folder / "index/chroma/state.json").read_text())["folder"]
    store.close()
    monkeypatch.setattr(nearest, "probe", lambda *_: False)  # not needed: nothing has changed
    again = workspace()
    again.warm()
    settle(again)
    assert json.loads((again.folder / "index/chroma/state.json").read_text())["folder"] == folder
    assert all_found(again, made)
    assert again.notices == []


def test_only_one_opening_owns_chroma(small: None, workspace: Callable[..., LocalStore]) -> None:
    owner, other = workspace(), workspace()
    made = fill(owner, 20)
    owner.warm()
    settle(owner)
    other.warm()
    assert other._vectors.status()["why"] == "another process owns Chroma"
    assert all_found(other, made)
    made = np.concatenate((made, fill(other, 20, 20)))
    assert all_found(owner, made)
    settle(owner)
    assert owner._vectors.status()["lines in chroma"] >= 32
    owner.close()
    other.warm()
    assert other._vectors.status()["vector index"] == "chroma"
    assert all_found(other, made)


@pytest.mark.parametrize(
    "where", [Filter(kinds=(Kind.TURN,)), Filter(min_importance=0.9), Filter(session="s1")]
)
def test_filters_reach_memories_far_behind_the_nearest(
    small: None,
    workspace: Callable[..., LocalStore],
    monkeypatch: pytest.MonkeyPatch,
    where: Filter,
) -> None:
    store = workspace()
    record(store, *(fact(f"close {number}") for number in range(60)))
    record(store, turn("the one", "s1", importance=0.95))
    embed_all(store, lambda text: axis(1) if text == "the one" else axis(0))
    store.warm()
    settle(store)
    assert near(store, axis(0), where, limit=1) == ["the one"]
    monkeypatch.setattr(nearest, "DEEPEST", 0)
    assert near(store, axis(0), where, limit=1) == ["the one"]
    monkeypatch.setattr(nearest, "GATHERED", 0)
    assert near(store, axis(0), where, limit=1) == ["the one"]


@pytest.mark.parametrize("chunks", [1, 3])
def test_a_session_that_is_left_out_costs_no_second_query(
    small: None,
    workspace: Callable[..., LocalStore],
    monkeypatch: pytest.MonkeyPatch,
    chunks: int,
) -> None:
    store = workspace()
    fill(store, 60, chunks=chunks)
    record(store, *(turn(f"close {number}", "now") for number in range(30)))
    rows = sorted(store.unembedded(30))
    store.add_vectors([row for row, _ in rows], [Embedded(axis(0, DIMENSIONS)[None])] * 30)
    store.warm()
    settle(store)
    asked: list[int] = []
    query = vectors.ChromaLines.query

    def counted(self: vectors.ChromaLines, vector: Any, count: int) -> Any:
        asked.append(count)
        return query(self, vector, count)

    monkeypatch.setattr(vectors.ChromaLines, "query", counted)
    exact = workspace("exact")
    to, where = axis(0, DIMENSIONS), Filter(not_session="now")
    hits, best_hits = (each.search_vectors(to, 20, where) for each in (store, exact))
    assert [hit.score for hit in hits] == pytest.approx([h.score for h in best_hits], abs=ROUNDING)
    assert len(asked) == 1


def test_vectors_of_another_model_replace_chromas(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace()
    fill(store, 20)
    store.warm()
    settle(store)
    embed_all(store, lambda text: axis(int(text[1:]) % 8, 8), "other-model")
    assert len(near(store, axis(3, 8), limit=2)) == 2
    assert set(near(store, axis(3, 8), limit=2)) <= {"n3", "n11", "n19"}
    store.warm()
    settle(store)
    assert store._vectors.status()["vector index"] == "chroma"
    assert set(near(store, axis(3, 8), limit=2)) <= {"n3", "n11", "n19"}


def remove_segment(folder: Path) -> None:
    for segment in folder.iterdir():
        if segment.is_dir():
            shutil.rmtree(segment)


def cut(name: str, size: int) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        paths = list(folder.rglob(name))
        assert paths
        for path in paths:
            os.truncate(path, size)

    return damage


def overwrite(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for path in folder.rglob(name):
            path.write_bytes(b"x" * path.stat().st_size)

    return damage


def test_closing_while_chroma_begins_to_be_filled_ends_cleanly(
    small: None, workspace: Callable[..., LocalStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = workspace()
    fill(store, 20)
    failed: list[BaseException] = []

    def close() -> None:
        try:
            store.close()
        except BaseException as error:
            failed.append(error)

    class Thread(threading.Thread):
        def start(self) -> None:
            if self.name == "nosis-chroma" and closing.ident is None:
                closing.start()
                closing.join(0.2)  # as long as a close needs that does not wait for this start
            super().start()

    closing = threading.Thread(target=close)
    monkeypatch.setattr(nearest.threading, "Thread", Thread)
    store.warm()
    closing.join()
    assert failed == []


DAMAGE = {
    "segment folder deleted": remove_segment,
    "header cut": cut("header.bin", 20),
    "data cut": cut("data_level0.bin", 5_000),
    "data emptied": cut("data_level0.bin", 0),
    "data overwritten": overwrite("data_level0.bin"),
    "metadata overwritten": overwrite("index_metadata.pickle"),
    "database cut": cut("chroma.sqlite3", 5_000),
    "database overwritten": overwrite("chroma.sqlite3"),
    "database deleted": lambda folder: (folder / "chroma.sqlite3").unlink(),
    "all deleted": shutil.rmtree,
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A closed workspace of which Chroma has written its files (from 1,000 lines on)."""
    folder = tmp_path_factory.mktemp("filled") / "workspace"
    store = LocalStore(folder)
    made = fill(store, 1_100)
    store.warm()
    settle(store)
    store.close()
    assert list((folder / "index/chroma").rglob("header.bin"))
    return folder, made


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_chroma_is_rebuilt_and_never_stops_a_search(
    filled: tuple[Path, Any], tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "PATIENCE", 5)
    shutil.copytree(filled[0], tmp_path / "workspace")
    made = filled[1]
    chroma = tmp_path / "workspace/index/chroma"
    DAMAGE[name](chroma / json.loads((chroma / "state.json").read_text())["folder"])
    store = LocalStore(tmp_path / "workspace")
    try:
        store.warm()
        assert near(store, made[1_050][0], limit=1) == ["n1050"]
        settle(store)
        assert store._vectors.status() == {"vector index": "chroma", "lines in chroma": 1_100}
        for number in range(0, 1_100, 50):
            assert near(store, made[number][0], limit=1) == [f"n{number}"]
        assert len(store.notices) == 1
        assert "rebuilt" in store.notices[0]
    finally:
        store.close()


def test_a_large_index_that_misses_a_few_of_its_vectors_is_sound(tmp_path: Path) -> None:
    stored = np.random.default_rng(3).normal(size=(200, DIMENSIONS)).astype(np.float32)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    lines = vectors.ChromaLines(tmp_path / "lines")
    lines.add(range(200), stored)
    lines.delete(range(4))  # stand for what HNSW misses among a million
    assert vectors.finds_itself(lines, stored)
    lines.delete(range(4, 16))
    assert not vectors.finds_itself(lines, stored)
    lines.close()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"vectors": 1}', b'{"folder": "../.."}'])
def test_an_unreadable_record_of_chroma_means_beginning_anew(
    filled: tuple[Path, Any], tmp_path: Path, content: bytes
) -> None:
    shutil.copytree(filled[0], tmp_path / "workspace")
    (tmp_path / "workspace/index/chroma/state.json").write_bytes(content)
    store = LocalStore(tmp_path / "workspace")
    try:
        store.warm()
        assert near(store, filled[1][7][0], limit=1) == ["n7"]
        settle(store)
        assert store._vectors.status()["lines in chroma"] == 1_100
    finally:
        store.close()


def test_chroma_that_fails_while_serving_is_replaced(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace()
    made = fill(store, 30)
    store.warm()
    settle(store)
    assert store._vectors._serving
    store._vectors._serving.chroma.close()
    store._vectors._serving.chroma._collection = None
    assert near(store, made[4][0], limit=1) == ["n4"]
    settle(store)
    assert store._vectors.status() == {"vector index": "chroma", "lines in chroma": 30}
    assert all_found(store, made)
    assert len(store.notices) == 1


def test_chroma_files_are_private_and_hold_no_text(
    small: None, workspace: Callable[..., LocalStore]
) -> None:
    store = workspace()
    record(store, fact("the unmistakable zanzibar plan"))
    embed_all(store, lambda text: axis(0))
    store.warm()
    settle(store)
    store.close()
    folder = store.folder / "index"
    for path in folder.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
        if path.is_file() and "chroma" in path.parts:
            assert b"zanzibar" not in path.read_bytes()


def test_six_thousand_vectors_at_once(workspace: Callable[..., LocalStore]) -> None:
    store = workspace()
    made = fill(store, 6_000)
    store.warm()
    settle(store)
    assert store._vectors.status()["lines in chroma"] == 6_000
    assert near(store, made[5_999][0], limit=1) == ["n5999"]


def test_importing_the_store_loads_neither_chroma_nor_rank_bm25() -> None:
    code = (
        "import sys, nosis.memory.store.local as m; from pathlib import Path; "
        "m.LocalStore(Path(sys.argv[1])).close(); "
        "print(sorted({'chromadb', 'rank_bm25', 'asyncio'} & set(sys.modules)))"
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", code, folder + "/w"],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
    assert done.stdout.strip() == "[]"


def test_loading_chroma_says_nothing_and_needs_no_network(tmp_path: Path) -> None:
    code = (
        "import sys, socket; from pathlib import Path; import numpy as np\n"
        "def refuse(*a): raise AssertionError('network')\n"
        "socket.socket.connect = refuse\n"
        "from nosis.memory.store.local import LocalStore\n"
        "from tests.recorded import axis, embed_all, fact, near, record\n"
        "store = LocalStore(Path(sys.argv[1]))\n"
        "record(store, fact('quiet'))\n"
        "embed_all(store, lambda text: axis(0))\n"
        "store.warm(); [w.join() for w in store._vectors._workers]\n"
        "assert near(store, axis(0)) == ['quiet']\n"
        "assert store._vectors.status()['vector index'] == 'chroma', store._vectors.status()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(tmp_path / "w")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_leaving_without_closing_ends_cleanly_while_chroma_is_being_filled(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from nosis.memory.store.local import LocalStore\n"
        "from tests.unit.test_vectors import fill\n"
        "store = LocalStore(Path(sys.argv[1]))\n"
        "fill(store, 3000)\n"
        "store.warm()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "w")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (0, "")
