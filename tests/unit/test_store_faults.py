"""The local store when files are damaged, missing, read-only or the disk is full."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nosis.errors import ReadOnlyError, StorageError
from nosis.memory import tokenizer
from nosis.memory.store import catalog
from nosis.memory.store.local import LocalStore
from tests.recorded import EVERYTHING, axis, embed_all, event, fact, found, near, record, texts

ROOT = Path(__file__).resolve().parents[2]


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
def store(opened: Callable[[], LocalStore]) -> LocalStore:
    """An open workspace of 40 facts with vectors."""
    made = opened()
    record(made, *(fact(f"fact number {n}", f"m{n}") for n in range(40)))
    record(made, event("core", field="name", value="Ada", was=None))
    embed_all(made, lambda text: axis(int(text.split()[-1]) % 8))
    return made


def assert_whole(store: LocalStore, vectors: bool = True) -> None:
    assert len(texts(store)) == 40
    assert store.core() == {"name": "Ada"}
    assert "fact number 7" in found(store, "number 7", limit=1)
    assert len(store.unembedded(100)) == (0 if vectors else 40)
    if vectors:
        assert set(near(store, axis(3), limit=5)) == {f"fact number {n}" for n in range(3, 40, 8)}


# -- the index -------------------------------------------------------------------------------


def rewrite_pages(path: Path, start: float, end: float) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(int(size * start))
        file.write(b"\xa5" * int(size * (end - start)))


INDEX_DAMAGE: dict[str, Callable[[Path], None]] = {
    "folder deleted": shutil.rmtree,
    "catalog deleted": lambda index: (index / "catalog.sqlite3").unlink(),
    "catalog emptied": lambda index: os.truncate(index / "catalog.sqlite3", 0),
    "catalog cut in half": lambda index: os.truncate(
        index / "catalog.sqlite3", (index / "catalog.sqlite3").stat().st_size // 2
    ),
    "catalog cut in a page": lambda index: os.truncate(index / "catalog.sqlite3", 5_000),
    "header overwritten": lambda index: rewrite_pages(index / "catalog.sqlite3", 0, 0.02),
    "middle overwritten": lambda index: rewrite_pages(index / "catalog.sqlite3", 0.3, 0.6),
    "all but the header overwritten": lambda index: rewrite_pages(
        index / "catalog.sqlite3", 0.1, 1.0
    ),
    "another file in its place": lambda index: (index / "catalog.sqlite3").write_text("hello"),
}


@pytest.mark.parametrize("name", INDEX_DAMAGE)
def test_a_damaged_index_is_rebuilt_at_opening(
    store: LocalStore, opened: Callable[[], LocalStore], name: str
) -> None:
    store.close()
    INDEX_DAMAGE[name](store.folder / "index")
    again = opened()
    assert len(texts(again)) == 40
    embed_all(again, lambda text: axis(int(text.split()[-1]) % 8))
    assert_whole(again)
    record(again, fact("later"))
    assert found(again, "later") == ["later"]
    assert not list((store.folder / "index").glob("*damaged*"))


@pytest.mark.parametrize("content", [b"", b"\n", b"not an event\n"])
def test_a_journal_that_lost_every_entry_is_searched_and_written_as_an_empty_one(
    store: LocalStore, opened: Callable[[], LocalStore], content: bytes
) -> None:
    store.close()
    (store.folder / "archival.jsonl").write_bytes(content)
    again = opened()
    assert near(again, axis(3), limit=5) == found(again, "number 7") == texts(again) == []
    record(again, fact("fact number 3"))
    embed_all(again, lambda text: axis(3))
    assert near(again, axis(3), limit=5) == ["fact number 3"]


@pytest.mark.parametrize("name", ["folder deleted", "catalog deleted"])
def test_an_index_deleted_while_open_comes_back(
    store: LocalStore, opened: Callable[[], LocalStore], name: str
) -> None:
    other = opened()
    texts(other)
    INDEX_DAMAGE[name](store.folder / "index")
    assert_whole(store, vectors=False)
    record(other, fact("later"))
    assert found(store, "later") == ["later"]
    assert found(other, "later") == ["later"]
    assert store.notices == other.notices == []


def test_an_index_damaged_while_open_is_rebuilt_and_keeps_readable_vectors(
    store: LocalStore, opened: Callable[[], LocalStore]
) -> None:
    other = opened()
    with sqlite3.connect(store.folder / "index/catalog.sqlite3") as db:
        db.execute("DROP TABLE postings")
        db.execute("DROP TABLE terms")
    db.close()
    assert "fact number 7" in found(store, "number 7", limit=1)
    assert_whole(store)
    assert store.notices == ["the index was damaged: rebuilt from archival.jsonl"]
    assert_whole(other)
    record(other, fact("later"))
    assert found(store, "later") == ["later"]


@pytest.mark.parametrize("what", ["version", "tokenizer"])
def test_an_index_of_another_version_is_rebuilt_and_keeps_its_vectors(
    store: LocalStore,
    opened: Callable[[], LocalStore],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    store.close()
    module = {"version": catalog, "tokenizer": tokenizer}[what]
    monkeypatch.setattr(module, "VERSION", 999)
    again = opened()
    assert again.notices == ["the index is of another version: rebuilt"]
    assert_whole(again)
    again.close()
    assert opened().notices == []


def test_a_rebuild_reports_its_progress(store: LocalStore) -> None:
    record(store, *(fact(f"more {n}") for n in range(2_100)))
    steps: list[tuple[str, int, int]] = []
    store.reindex(lambda *step: steps.append(step))
    assert len(steps) >= 2
    assert all(0 < done <= total for _, done, total in steps)
    assert steps[-1][1] == steps[-1][2]


def test_words_are_found_while_vectors_are_missing(
    store: LocalStore, opened: Callable[[], LocalStore]
) -> None:
    store.close()
    shutil.rmtree(store.folder / "index")
    again = opened()
    assert near(again, axis(3)) == []
    assert "fact number 7" in found(again, "number 7")


# -- the folder ------------------------------------------------------------------------------


def test_a_folder_deleted_while_open_is_said_and_not_made_again(store: LocalStore) -> None:
    shutil.rmtree(store.folder)
    with pytest.raises(StorageError, match="is gone") as gone, store.write():
        pass
    assert gone.value.hint
    with pytest.raises(StorageError, match="is gone"):
        texts(store)
    assert not store.folder.exists()


def test_a_journal_deleted_while_open_is_said_and_not_made_again(store: LocalStore) -> None:
    (store.folder / "archival.jsonl").unlink()
    with pytest.raises(StorageError, match="missing"):
        record(store, fact("later"))
    assert not (store.folder / "archival.jsonl").exists()


@pytest.mark.parametrize("where", ["workspace", "home"])
def test_a_file_in_the_place_of_a_folder_is_an_error_with_a_hint(
    tmp_path: Path, where: str
) -> None:
    (tmp_path / "home").mkdir()
    folder = tmp_path / "home" / "workspace"
    if where == "home":
        (tmp_path / "home").rmdir()
        (tmp_path / "home").write_text("")
    else:
        folder.write_text("")
    with pytest.raises(StorageError) as refused:
        LocalStore(folder)
    assert refused.value.hint


READER = """
import os, sys, tempfile
from pathlib import Path
import rank_bm25, nosis.memory.tokenizer
from nosis.errors import ReadOnlyError
from nosis.memory.store.local import LocalStore
from tests.recorded import axis, fact, found, near, record, texts
if os.getuid() == 0:  # root may write anywhere
    os.setgid(65534); os.setuid(65534)
store = LocalStore(Path(sys.argv[1]))
assert len(texts(store)) == 40, texts(store)
assert store.core() == {"name": "Ada"}
assert found(store, "number 7", limit=1) == ["fact number 7"]
if sys.argv[2] == "indexed":
    assert len(near(store, axis(3))) == 10
assert sum("cannot be written" in notice for notice in store.notices) == 1, store.notices
for change in (lambda: record(store, fact("x")), lambda: store.purge(["m1"])):
    try:
        change()
    except ReadOnlyError as error:
        assert error.hint
    else:
        raise AssertionError("written")
store.reset_vectors("another-model")  # what is derived may change, in a temporary folder
assert store.health()["live"] == 40
store.close()
print("done")
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that another user can enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in folder.rglob("*"):
        path.chmod(0o700)
    shutil.rmtree(folder)


@pytest.mark.parametrize("how", ["indexed", "no index", "stale index"])
def test_a_read_only_workspace_is_read_and_never_written(
    store: LocalStore, public: Path, how: str
) -> None:
    store.close()
    folder = public / "workspace"
    shutil.copytree(store.folder, folder)
    if how == "no index":
        shutil.rmtree(folder / "index")
    if how == "stale index":
        with sqlite3.connect(folder / "index/catalog.sqlite3") as db:
            db.execute("UPDATE meta SET value = 0 WHERE key = 'version'")
        db.close()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*")}
    done = subprocess.run(
        [sys.executable, "-c", READER, str(folder), how],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (done.stdout, done.stderr) == ("done\n", "")
    assert {p: p.stat().st_mtime_ns for p in folder.rglob("*")} == before


FULL = """
import resource, sys
from pathlib import Path
from nosis.errors import StorageError
from nosis.memory.store.local import LocalStore
from tests.recorded import EVERYTHING, fact, found, record, texts
folder, limit = Path(sys.argv[1]), int(sys.argv[2])
store = LocalStore(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
failed = kept = 0
for number in range(400):
    try:
        record(store, fact(f"filler {number} " + "x" * 3000), fact(f"pair {number}"))
        kept += 1
    except StorageError as error:
        assert "disk" in error.message + error.hint, error.message
        assert error.hint
        failed += 1
        if failed > 3:
            break
assert failed > 3 and kept > 0, (failed, kept)
assert store.count(EVERYTHING) == 40 + 2 * kept
print(kept)
"""


@pytest.mark.parametrize("limit", [150_000, 700_000, 1_500_000])
def test_a_full_disk_is_said_and_leaves_nothing_half_written(
    store: LocalStore, opened: Callable[[], LocalStore], limit: int
) -> None:
    store.close()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(store.folder), str(limit)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.stderr == ""
    again = opened()
    assert again.count(EVERYTHING) == 40 + 2 * int(done.stdout)
    assert again.notices == []
    record(again, fact("room again"))
    assert found(again, "room") == ["room again"]


def test_a_write_that_the_journal_refuses_changes_nothing(
    store: LocalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fail)
        with pytest.raises(ReadOnlyError):
            record(store, fact("x"), event("core", field="name", value="Bob", was="Ada"))
    assert_whole(store)


def test_closing_twice_and_closing_first_are_harmless(store: LocalStore) -> None:
    store.close()
    store.close()
