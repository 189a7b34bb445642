"""Several processes in one workspace, and processes that are killed at any moment.

NOSIS_KILL_ROUNDS (12) and NOSIS_WRITES (60) make it longer.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nosis.memory import Memory
from nosis.memory.store.local import LocalStore
from nosis.memory.types import Filter
from tests.recorded import (
    EVERYTHING,
    axis,
    embed_all,
    fact,
    found,
    near,
    quick_folder,
    record,
    texts,
)

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = int(os.environ.get("NOSIS_KILL_ROUNDS", "12"))
WRITES = int(os.environ.get("NOSIS_WRITES", "60"))


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as made:
        yield made / "workspace"


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


RESTLESS = """
import random, sys
from pathlib import Path
from nosis.memory import Memory
from nosis.memory.store.local import LocalStore
from tests.recorded import axis, embed_all, event, fact, record
folder, name, work = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
print("started", flush=True)
store = LocalStore(folder)
if work == "chroma":
    from nosis.memory.store import nearest
    nearest.BACKLOG, nearest.BATCH = 8, 5
    store.warm()
for number in range(100_000):
    one, two = f"{name}a{number}", f"{name}b{number}"
    record(store, fact(f"left {one}", one), fact(f"right {two}", two), event("access", ids=["m0"]))
    print(one, two, flush=True)
    if work != "writes" and number % 3 == 2:
        embed_all(store, lambda text: axis(hash(text) % 8))
    if work == "rebuild" and number % 5 == 4:
        store.reindex()
"""


@pytest.mark.parametrize("work", ["writes", "vectors", "rebuild", "chroma"])
def test_killed_at_any_moment_nothing_acknowledged_is_lost(folder: Path, work: str) -> None:
    record(store := LocalStore(folder), fact("counted", "m0"))
    store.close()
    chance = random.Random(work)
    acknowledged: set[str] = set()
    for number in range(max(2, ROUNDS // 4)):
        process = start(RESTLESS, folder, f"r{number}", work)
        assert process.stdout
        early = [process.stdout.readline() for _ in range(chance.randrange(1, 60))]
        process.kill()
        late, errors = process.communicate()
        assert errors == ""
        names = [line.split() for line in [*early, *late.splitlines()]]
        acknowledged |= {name for pair in names if len(pair) == 2 for name in pair}
        store = LocalStore(folder)
        kept = {entry.id for entry in store.find(EVERYTHING)}
        assert acknowledged <= kept
        assert {i.replace("a", "b") for i in kept if "a" in i} == {i for i in kept if "b" in i}
        assert store.get(["m0"])[0].accesses == sum("a" in entry_id for entry_id in kept)
        assert all("cut short" in notice for notice in store.notices)
        if acknowledged:
            last = max(acknowledged)
            assert found(store, last, limit=1)[0].endswith(last)
        before = (texts(store), sorted(found(store, "left right", limit=20)))
        store.reindex()
        assert (texts(store), sorted(found(store, "left right", limit=20))) == before
        store.close()
    assert acknowledged
    store = LocalStore(folder)
    embed_all(store, lambda text: axis(hash(text) % 8))
    store.warm()
    for worker in list(store._vectors._workers):
        worker.join()
    assert len(near(store, axis(1), limit=5)) == 5
    record(store, fact("the end"))
    assert found(store, "end") == ["the end"]
    store.close()


BUSY = """
import sys
from pathlib import Path
from nosis.memory import Memory
from nosis.memory.store.local import LocalStore
from tests.recorded import event, fact, found, record
folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store = LocalStore(folder)
for number in range(count):
    word = f"{name}x{number}"
    record(store, fact(f"{word} from {name}", word), event("access", ids=["m0"]))
    assert found(store, word, limit=1) == [f"{word} from {name}"], word
    with store.write() as batch:
        if batch.get(f"same{number}") is None:
            batch.append(fact(f"same {number}", f"same{number}"))
store.close()
"""


def test_four_processes_writing_at_once_lose_nothing_and_count_exactly(folder: Path) -> None:
    store = LocalStore(folder)
    record(store, fact("counted", "m0"))
    processes = [start(BUSY, folder, f"p{number}", WRITES) for number in range(4)]
    seen = 0
    while any(process.poll() is None for process in processes):
        now = store.count(EVERYTHING)
        assert now >= seen
        seen = now
    for process in processes:
        assert process.communicate()[1] == ""
        assert process.returncode == 0
    ids = {entry.id for entry in store.find(Filter())}
    expected = {f"p{name}x{number}" for name in range(4) for number in range(WRITES)}
    assert ids == expected | {"m0"} | {f"same{number}" for number in range(WRITES)}
    assert store.get(["m0"])[0].accesses == 4 * WRITES
    assert len(list(store.events())) == len({e["event"] for _, e in store.events()})
    assert store.notices == []
    store.reindex()
    assert {entry.id for entry in store.find(Filter())} == ids
    store.close()


def test_another_process_recalls_the_newest_fact_in_its_next_call(folder: Path) -> None:
    store = LocalStore(folder)
    for number in range(3):
        done = start(BUSY, folder, f"q{number}", 1)
        assert done.communicate()[1] == ""
        assert found(store, f"q{number}x0") == [f"q{number}x0 from q{number}"]
    store.close()


LONG = """
import sys
from pathlib import Path
from nosis.memory import Memory, exchange, meaning
from nosis.memory.exchange import transfer
from nosis.memory.store import Embedded
from tests.recorded import axis
home, file, work, model = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
transfer._BATCH, meaning._BATCH = 9, 5
class Axes:
    name, dimensions = model, 8
    def embed(self, texts):
        return [Embedded(axis(len(text) % 8)[None]) for text in texts]
def progress(what, done, total):
    print(what, done, flush=True)
print("started", 0, flush=True)
with Memory(home, embedder=Axes()) as memory:
    if work == "import":
        exchange.import_loaded(memory, exchange.load(file), progress)
        memory.embed_all(progress)
    else:
        memory.reindex(progress)
print("finished", 0, flush=True)
"""


@pytest.mark.parametrize("work", ["import", "reindex"])
def test_a_killed_import_or_reindex_goes_on_where_it_was(folder: Path, work: str) -> None:
    records = [{"text": f"note {number} of {number % 40}"} for number in range(250)]
    records += records[:10]  # equal records are that many memories
    file = folder.parent / "records.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    if work == "reindex":
        done = start(LONG, folder, file, "import", "before")
        assert done.communicate()[1] == ""
    chance = random.Random(work)
    for number in range(max(3, ROUNDS // 4)):
        process = start(LONG, folder, file, work, f"model {number // 2}")
        assert process.stdout
        early = [process.stdout.readline() for _ in range(chance.randrange(1, 40))]
        process.kill()
        late, errors = process.communicate()
        assert errors == ""
        said = [line.split() for line in [*early, *late.splitlines()] if line.endswith("\n")]
        acknowledged = max((int(count) for what, count in said if what == "importing"), default=0)
        with Memory(folder, embedder=None) as memory:
            kept = [entry.text for entry in memory.store.find(EVERYTHING)]
            assert len(kept) >= (acknowledged if work == "import" else len(records))
            assert len(kept) - len(set(kept)) <= 10
            if len(kept) == len(records):  # words serve, whatever the vectors are
                assert memory.recall("note 77", limit=1)[0].entry.text == "note 77 of 37"
    last = start(LONG, folder, file, work, "last")
    assert last.communicate()[1] == ""
    with Memory(folder, embedder=None) as memory:
        kept = [entry.text for entry in memory.store.find(EVERYTHING)]
        assert sorted(kept) == sorted(record["text"] for record in records)
        health = memory.store.health()
        assert (health["without vectors"], health["embedding model"]) == (0, "last")
