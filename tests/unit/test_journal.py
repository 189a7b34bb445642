"""The journal file: what was acknowledged is in it, what was cut short is set aside."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nosis.errors import StorageError
from nosis.memory.store.journal import clean
from nosis.memory.store.local import LocalStore
from tests.recorded import event, fact, record, texts


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], LocalStore]]:
    stores: list[LocalStore] = []

    def open_store() -> LocalStore:
        stores.append(LocalStore(tmp_path / "workspace"))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def journal(opened: Callable[[], LocalStore], tmp_path: Path) -> Path:
    """A closed workspace's journal with facts "one" and "two"."""
    store = opened()
    record(store, fact("one", "m1"))
    record(store, fact("two", "m2"))
    store.close()
    return tmp_path / "workspace" / "archival.jsonl"


def append(journal: Path, data: bytes) -> None:
    with journal.open("ab") as file:
        file.write(data)


def line(made: object) -> bytes:
    return json.dumps(made).encode() + b"\n"


def test_every_event_is_one_readable_line_of_a_private_file(journal: Path) -> None:
    lines = journal.read_text().splitlines()
    assert [json.loads(one)["text"] for one in lines] == ["one", "two"]
    assert journal.stat().st_mode & 0o777 == 0o600
    assert journal.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("cut", [1, 2, 10, 60])
def test_a_torn_last_line_is_set_aside_and_reported(
    journal: Path, opened: Callable[[], LocalStore], cut: int
) -> None:
    whole = journal.read_bytes()
    torn = line(fact("torn"))[:-cut]
    append(journal, torn)
    if cut == 1:  # only the line break is missing: the event is whole
        assert texts(opened(), by="oldest") == ["one", "two", "torn"]
        assert journal.read_bytes() == whole + torn + b"\n"
        return
    store = opened()
    assert texts(store, by="oldest") == ["one", "two"]
    (notice,) = store.notices
    (aside,) = journal.parent.glob("archival.torn-*")
    assert aside.name in notice
    assert str(len(torn)) in notice
    assert aside.read_bytes() == torn
    assert aside.stat().st_mode & 0o777 == 0o600
    assert journal.read_bytes() == whole
    record(store, fact("three"))
    assert texts(opened(), by="oldest") == ["one", "two", "three"]


def test_a_write_of_several_events_that_was_cut_short_is_set_aside_whole(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    store = opened()
    before = journal.read_bytes()
    record(store, fact("a"), fact("b"), fact("c"))
    store.close()
    whole = journal.read_bytes()
    ends = [at for at in range(len(before) + 1, len(whole)) if whole[at - 1 : at] == b"\n"]
    for cut in (*ends, ends[0] + 20, ends[-1] + 5):
        journal.write_bytes(whole[:cut])
        again = opened()
        assert texts(again, by="oldest") == ["one", "two"]
        assert any("cut short" in notice for notice in again.notices)
        assert journal.read_bytes() == before
        again.close()


def test_a_torn_line_that_appears_while_open_is_set_aside_at_the_next_call(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    store = opened()
    append(journal, b'{"v": 1, "type": "fa')
    record(store, fact("three"))
    assert texts(store, by="oldest") == ["one", "two", "three"]
    assert len(store.notices) == 1


@pytest.mark.parametrize(
    "foreign",
    [
        b"hello\n",
        b"[1, 2]\n",
        b"\xff\xfe\x00\n",
        b"{}\n",
        b'{"type": "fact"}\n',
        b"[" * 100_000 + b"\n",
        line({**fact("x"), "importance": 9}),
        line({**fact("x"), "type": "dream"}),
        line({**fact("x"), "at": "yesterday"}),
        line({**fact("x"), "v": "1.5", "text": None}),
        line({**fact("other", "m1")}),
    ],
    ids=[str(number) for number in range(11)],
)
def test_a_line_that_is_no_event_is_left_alone_and_reported(
    journal: Path, opened: Callable[[], LocalStore], foreign: bytes
) -> None:
    append(journal, foreign)
    append(journal, line(fact("three", "m3")))
    store = opened()
    assert texts(store, by="oldest") == ["one", "two", "three"]
    assert store.notices == ["1 line(s) of archival.jsonl are not nosis events and were left alone"]
    assert foreign in journal.read_bytes()
    assert [position for position, _ in store.events()] == [1, 2, 4]
    assert [position for position, _ in store.events(entry="m1")] == [1]
    store.reindex()
    assert texts(store, by="oldest") == ["one", "two", "three"]
    assert store.health()["lines that are not events"] == 1


def test_blank_lines_line_ends_and_a_byte_order_mark_are_harmless(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    edited = b"\xef\xbb\xbf" + journal.read_bytes().replace(b"\n", b"\r\n\r\n") + b"\n  \n"
    journal.write_bytes(edited)
    store = opened()
    assert texts(store, by="oldest") == ["one", "two"]
    assert store.notices == ["archival.jsonl was changed outside nosis: index rebuilt"]
    record(store, fact("three", "m3"))
    assert texts(store, by="oldest") == texts(opened(), by="oldest") == ["one", "two", "three"]


def test_the_same_event_twice_in_the_file_counts_once_and_is_reported(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    append(journal, journal.read_bytes().splitlines(keepends=True)[0])
    store = opened()
    assert texts(store, by="oldest") == ["one", "two"]
    assert store.notices == ["1 event(s) of archival.jsonl are there twice: counted once"]


def test_a_newer_schema_is_refused_and_nothing_is_changed(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    append(journal, line({**fact("from the future"), "v": 2}))
    before = journal.read_bytes()
    with pytest.raises(StorageError, match="newer nosis") as refused:
        opened()
    assert "Update" in refused.value.hint
    assert journal.read_bytes() == before


def test_corrections_by_hand_are_taken_over(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    journal.write_text(journal.read_text().replace('"one"', '"one, corrected by hand"'))
    store = opened()
    assert texts(store, by="oldest") == ["one, corrected by hand", "two"]
    assert len(store.notices) == 1
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text(lines[1])
    record(store, fact("three"))
    assert texts(store, by="oldest") == ["two", "three"]


def test_a_missing_journal_is_an_error_and_never_an_empty_memory(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    journal.rename(journal.with_name("elsewhere"))
    with pytest.raises(StorageError, match="missing") as missing:
        opened()
    assert "backup" in missing.value.hint
    journal.with_name("elsewhere").rename(journal)
    assert len(texts(opened())) == 2


def test_cleaning_reaches_keys_lists_and_nested_values() -> None:
    made = clean({"a\x00": ["\ud800", {"b": ("\udfff", 1, None)}], "plain": True})
    assert made == {"a�": ["�", {"b": ["�", 1, None]}], "plain": True}


def test_what_json_cannot_hold_is_refused_before_anything_is_written(
    journal: Path, opened: Callable[[], LocalStore]
) -> None:
    store = opened()
    before = journal.read_bytes()
    for value in (float("inf"), object(), {1, 2}):
        with pytest.raises(StorageError):
            record(store, fact("ok"), event("core", field="x", value="y", was=None, extra=value))
    assert journal.read_bytes() == before
    assert texts(store, by="oldest") == ["one", "two"]
