"""Purging: the words are gone from every file, and what else was there still is."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nosis.memory.store import embeddings
from nosis.memory.store.local import LocalStore
from tests.recorded import (
    EVERYTHING,
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

SECRET = "the vault code is 94712058663-zeta"


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], LocalStore]]:
    monkeypatch.setattr(embeddings, "SEGMENT", 4)
    stores: list[LocalStore] = []

    def open_store() -> LocalStore:
        stores.append(LocalStore(tmp_path / "workspace"))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[[], LocalStore]) -> LocalStore:
    return opened()


def holding(folder: Path, *words: str) -> list[str]:
    """Files that hold one of the words' bytes anywhere."""
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for word in words
        if word.encode() in path.read_bytes()
    ]


def test_no_file_holds_purged_words_any_more(store: LocalStore) -> None:
    record(store, fact("before", "m0"), fact(SECRET, "m1"), fact("after", "m2"))
    record(store, event("revise", id="m1", set={"text": SECRET + "!"}, was={"text": SECRET}))
    embed_all(store, lambda text: axis(len(text) % 8))
    assert holding(store.folder, "94712058663") != []
    assert store.purge(["m1"]) == []
    assert holding(store.folder, "94712058663", "zeta", "vault") == []
    assert sorted(texts(store, EVERYTHING)) == ["after", "before"]
    assert found(store, "vault zeta 94712058663") == []
    assert len(near(store, axis(0))) == 2


def test_purging_keeps_everything_else_and_survives_reopening_and_rebuilding(
    store: LocalStore, opened: Callable[[], LocalStore]
) -> None:
    record(store, turn("hello", "s1", id="t1"), turn(SECRET, "s1", id="t2"))
    record(
        store, turn("goodbye", "s1", id="t3"), event("core", field="name", value="Ada", was=None)
    )
    record(store, event("curated", upto=3), event("purge", ids=["t2"]))
    positions = [position for position, _ in store.events()]
    assert store.purge(["t2"]) == []
    for again in (store, opened()):
        assert [position for position, _ in again.events()] == positions
        assert texts(again, by="oldest") == ["hello", "goodbye"]
        assert again.core() == {"name": "Ada"}
        assert again.curated() == 3
        first, second = again.documents([d.row for d in again.documents(range(1, 9))])
        assert (first.next, second.previous) == (second.row, first.row)
        assert again.notices == []
    shutil.rmtree(store.folder / "index")
    again = opened()
    assert texts(again, by="oldest") == ["hello", "goodbye"]


def test_words_that_other_memories_repeat_are_replaced_there(store: LocalStore) -> None:
    record(
        store,
        fact(SECRET, "m1", reason=f"because {SECRET}."),
        turn(f"Note that {SECRET}, please", "s1", id="t1"),
        turn("so the vault  code is\n94712058663-zeta", "s1", id="t2", material=f"{SECRET}\nrest"),
        fact(SECRET, "m2", status="forgotten"),
        event("session", id="s1", title=SECRET),
        event("core", field="vault", value=[SECRET, "other"], was=None),
        fact("an ordinary code", "m3"),
    )
    assert store.purge(["m1"]) == []
    assert holding(store.folder, "94712058663") == []
    assert store.get(["t1"])[0].text == "Note that [purged], please"
    assert store.get(["t2"])[0].text == "so [purged]"
    assert store.get(["m2"]) == []
    assert store.core() == {"vault": ["[purged]", "other"]}
    assert store.sessions()[0].title == "[purged]"
    assert store.get(["m3"])[0].text == "an ordinary code"


@pytest.mark.parametrize(
    "words",
    ["tea", "🦊", "用户的狗叫小黑", 'say "hi" \\ now', "two\nlines", "ünïcode ✓", "a.*b (c)?", "x"],
)
def test_any_words_can_be_purged(store: LocalStore, words: str) -> None:
    record(store, fact(words, "m1"), fact("steak with teabags", "m2"), fact("xylophone", "m3"))
    assert store.purge(["m1"]) == []
    assert json.dumps(words) not in (store.folder / "archival.jsonl").read_text()
    assert sorted(texts(store)) == ["steak with teabags", "xylophone"]


def test_words_inside_a_longer_word_of_other_scripts_are_replaced(store: LocalStore) -> None:
    record(store, fact("小黑", "m1"), fact("用户的狗叫小黑吗", "m2"))
    assert store.purge(["m1"]) == []
    assert texts(store) == ["用户的狗叫[purged]吗"]


def test_files_that_still_hold_the_words_are_named(store: LocalStore) -> None:
    record(store, fact(SECRET, "m1"), fact('quoted "é"', "m2"))
    (store.folder / "logs").mkdir()
    (store.folder / "logs/2026-01-01.md").write_text(f"- stored: {SECRET}\n")
    (store.folder / "notes.json").write_text(json.dumps({"note": 'quoted "é"'}))
    (store.folder / "core.json").write_text(json.dumps({"a": 'quoted "é"'}, ensure_ascii=False))
    (store.folder / "copy.bin").write_bytes(b"\0\1" + SECRET.encode() + b"\2")
    assert store.purge(["m1"]) == ["copy.bin", "logs/2026-01-01.md"]
    assert store.purge(["m2"]) == ["core.json", "notes.json"]


def test_torn_ends_that_were_set_aside_are_purged_too(
    store: LocalStore, opened: Callable[[], LocalStore]
) -> None:
    record(store, fact(SECRET, "m1"))
    with (store.folder / "archival.jsonl").open("ab") as journal:
        journal.write(b'{"v": 1, "type": "fact", "text": "' + SECRET.encode())
    again = opened()
    assert "set aside" in again.notices[0]
    assert again.purge(["m1"]) == []
    assert holding(store.folder, "94712058663") == []


def test_other_openings_go_on_with_the_rewritten_journal(
    store: LocalStore, opened: Callable[[], LocalStore]
) -> None:
    other = opened()
    record(other, *(fact(f"kept {number}", f"k{number}") for number in range(5)))
    record(store, fact(SECRET, "m1"))
    assert found(other, "vault") == [SECRET]
    assert store.purge(["m1"]) == []
    assert found(other, "vault") == []
    record(other, fact("written afterwards", "m2"))
    assert found(store, "afterwards") == ["written afterwards"]
    assert [e["id"] for _, e in other.events(entry="m2")] == ["m2"]
    assert len(list(store.events())) == 7
    assert store.notices == other.notices == []


def test_vectors_of_purged_words_leave_segments_and_chroma(store: LocalStore) -> None:
    record(store, *(fact(f"fact {number}", f"m{number}") for number in range(9)))
    embed_all(store, lambda text: axis(int(text[-1]) % 8))
    store.warm()
    for worker in list(store._vectors._workers):
        worker.join()
    assert store.purge(["m3"]) == []
    for worker in list(store._vectors._workers):
        worker.join()
    assert store._vectors._serving
    assert store._vectors._serving.chroma.count() == 8
    with store._index.reading() as db:
        lines = [vectors for _, _, vectors in embeddings.lines(db)]
    assert sum(int(vectors.any(axis=1).sum()) for vectors in lines) == 8


def test_purging_leaves_private_files_and_no_temporary_ones(store: LocalStore) -> None:
    record(store, fact(SECRET, "m1"), fact("rest", "m2"))
    store.purge(["m1", "unknown"])
    assert sorted(path.name for path in store.folder.iterdir()) == [
        "archival.jsonl",
        "archival.lock",
        "index",
    ]
    assert (store.folder / "archival.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_purge_that_fails_half_way_changes_nothing(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch, opened: Callable[[], LocalStore]
) -> None:
    record(store, fact(SECRET, "m1"), fact("rest", "m2"))
    before = (store.folder / "archival.jsonl").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(Exception, match="disk is full"):
            store.purge(["m1"])
    assert (store.folder / "archival.jsonl").read_bytes() == before
    for again in (store, opened()):
        assert sorted(texts(again)) == ["rest", SECRET]
    assert store.purge(["m1"]) == []
    assert holding(store.folder, "94712058663") == []
