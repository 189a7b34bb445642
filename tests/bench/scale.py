"""What the local store costs at 1,000 to 1,000,000 memories, beside its parts on their own.

    python -m tests.bench.scale [SIZES …] [--folder KEPT]

Medians of CPU milliseconds in one process of one thread (``OMP_NUM_THREADS=1``), over synthetic
memories (Zipf words, clustered vectors of 384 numbers), so no model is needed. Beside it, on
the same vectors and texts: a plain Chroma collection queried for 50 results, as people do it
(with documents) and for distances only, and a numpy product with the whole matrix. "First"
figures are of a fresh process. With ``--folder`` what was built is kept and used again, and a
build that was interrupted goes on. ``--alone`` leaves the plain Chroma out, which takes as long to
build as all the rest: a million memories take an hour.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nosis.memory import recall
from nosis.memory.store.local import LocalStore
from nosis.memory.tokenizer import terms
from nosis.memory.types import Filter
from tests.bench.synthetic import Synthetic

ROOT = Path(__file__).resolve().parents[2]
QUERIES = 60
MODEL = "synthetic"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--alone", action="store_true", help="without the plain Chroma")
    parser.add_argument("--part", choices=PARTS, help="one measurement, in this process")
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.part](options.folder, options.sizes[0], options.alone)))
        return
    folder = options.folder or Path(tempfile.mkdtemp(prefix="nosis-scale-"))
    rows: dict[str, dict[int, float]] = {}
    for size in options.sizes:
        for part in ("build", "opening", "start", "serving", "memory"):
            for name, value in run(part, folder / str(size), size, options.alone).items():
                rows.setdefault(name, {})[size] = value
    print("| | " + " | ".join(f"{size:,}" for size in options.sizes) + " |")
    print("|---" * (len(options.sizes) + 1) + "|")
    for name, values in rows.items():
        shown = [f"{values[size]:.2f}" if size in values else "" for size in options.sizes]
        print(f"| {name} | " + " | ".join(shown) + " |")


def run(part: str, folder: Path, size: int, alone: bool) -> dict[str, float]:
    """One part in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", __spec__.name, str(size), "--folder", folder, "--part", part]
    command += ["--alone"] if alone else []
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def build(folder: Path, size: int, alone: bool) -> dict[str, float]:
    """The workspace, Chroma filled, and a plain Chroma collection of the same."""
    if (folder / "plain").exists():
        return {}
    made: dict[str, float] = {}
    store = LocalStore(folder / "workspace")
    there = store.count(Filter())
    synthetic = Synthetic(seed=7 + there)
    started = time.process_time()
    for first in range(there, size, 1_000):
        with store.write() as batch:
            batch.append(*synthetic.events(1_000, first))
    made["record, µs a memory"] = (time.process_time() - started) / max(size - there, 1) * 1e6
    if store.embedding_model is None:
        store.reset_vectors(MODEL)
    spent, kept = 0.0, 0
    while rows := store.unembedded(1_000):
        embedded = synthetic.embedded([text for _, text in rows])
        started = time.process_time()
        store.add_vectors([row for row, _ in rows], embedded)
        spent += time.process_time() - started
        kept += len(rows)
    made["store vectors, µs a memory"] = spent / max(kept, 1) * 1e6
    started = time.process_time()
    store.warm()
    settle(store)
    made["fill Chroma, µs a memory"] = (time.process_time() - started) / size * 1e6
    if not alone:
        fill_plain(folder, store, size)
    store.close()
    return made


def fill_plain(folder: Path, store: LocalStore, size: int) -> None:
    """A plain Chroma collection of the same texts and vectors."""
    plain = plain_chroma(folder)
    rows_left = range(1, size + 1)
    for first in range(0, size, 1_000):
        documents = store.documents(rows_left[first : first + 1_000])
        plain.add(
            ids=[d.entry.id for d in documents],
            documents=[d.entry.text for d in documents],
            metadatas=[{"kind": str(d.entry.kind)} for d in documents],
            embeddings=np.stack([d.embedded.vectors[0] for d in documents if d.embedded]),
        )
    plain.query(query_embeddings=Synthetic().vectors(1), n_results=1)


def opening(folder: Path, size: int, alone: bool) -> dict[str, float]:
    """A fresh process: open the workspace and answer one question."""
    text, query = Synthetic(seed=size).query()
    __import__("rank_bm25")
    made: dict[str, float] = {}

    def first(name: str, work: Callable[[], Any]) -> Any:
        started = time.process_time()
        result = work()
        made[f"first {name}"] = (time.process_time() - started) * 1e3
        return result

    store = first("open", lambda: LocalStore(folder / "workspace"))
    hits, _ = first("words", lambda: store.search_words(terms(text), 96, Filter()))
    first("vectors, exact", lambda: store.search_vectors(query.vectors[0], 96, Filter()))
    first("documents, 96", lambda: store.documents([hit.row for hit in hits]))
    first("warm, with import of Chroma", store.warm)
    first("vectors, Chroma", lambda: store.search_vectors(query.vectors[0], 96, Filter()))
    store.close()
    return made


BARE = """
from nosis.memory.embedding import default_embedder
import rank_bm25
default_embedder().embed(["a question"])
"""
FIRST = """
import sys, time
from pathlib import Path
from nosis.memory import recall
from nosis.memory.embedding import default_embedder
from nosis.memory.store.local import LocalStore
from nosis.memory.types import Filter
store = LocalStore(Path(sys.argv[1]))
embed = lambda text: default_embedder().embed([text])[0]
recall.search(store, sys.argv[2], embed=embed, where=Filter(), limit=20, now=time.time())
"""


def start(folder: Path, size: int, alone: bool) -> dict[str, float]:
    """Fresh processes: what a first recall cannot do without, and all of it."""
    text, _ = Synthetic(seed=size).query()
    bare = float(np.median([spent(BARE) for _ in range(5)]))
    whole = float(np.median([spent(FIRST, folder / "workspace", text) for _ in range(5)]))
    return {
        "process: imports and embedding model": bare * 1e3,
        "process: the same, open, first recall": whole * 1e3,
        "first recall / imports and model": whole / bare,
    }


def spent(code: str, *arguments: object) -> float:
    """CPU seconds of a fresh Python that runs this."""

    def children() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = children()
    subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=True, cwd=ROOT)
    return children() - before


def serving(folder: Path, size: int, alone: bool) -> dict[str, float]:
    """A long-lived process: recall and its parts, then writes."""
    synthetic = Synthetic(seed=size + 1)
    store = LocalStore(folder / "workspace")
    store.warm()
    settle(store)
    exact = LocalStore(folder / "workspace", vector_index="exact")
    queries = []
    for _ in range(QUERIES):
        text, embedded = synthetic.query()
        hits, _ = store.search_words(terms(text), 96, Filter())
        queries.append((text, embedded, [hit.row for hit in hits]))

    def whole(q: Any) -> Any:
        return recall.search(
            store, q[0], embed=lambda _: q[1], where=Filter(), limit=20, now=time.time()
        )

    matrix = synthetic.vectors(min(size, 100_000))
    works: dict[str, Callable[[Any], Any]] = {
        "numpy product, of at most 100,000": lambda q: np.argpartition(
            matrix @ q[1].vectors[0], -50
        ),
        "words, 96": lambda q: store.search_words(terms(q[0]), 96, Filter()),
        "vectors, 96, Chroma": lambda q: store.search_vectors(q[1].vectors[0], 96, Filter()),
        "vectors, 96, exact": lambda q: exact.search_vectors(q[1].vectors[0], 96, Filter()),
        "documents, 96": lambda q: store.documents(q[2]),
        "whole recall": whole,
    }
    if not alone:
        plain = plain_chroma(folder)

        def query(q: Any, **options: Any) -> Any:
            return plain.query(query_embeddings=q[1].vectors, n_results=50, **options)

        works["plain Chroma, 50 with documents"] = query
        works["plain Chroma, 50 distances"] = lambda q: query(q, include=["distances"])
    for work in works.values():
        work(queries[0])  # the first one loads
    taken: dict[str, list[float]] = {name: [] for name in works}
    for q in queries:  # in turn, since a machine is faster at one moment than at another
        for name, work in works.items():
            taken[name].append(milliseconds(work, q))
    made = {name: float(np.median(values)) for name, values in taken.items()}
    for other in ("with documents", "distances"):
        if alone_took := taken.get(f"plain Chroma, 50 {other}"):
            ratios = np.array(taken["whole recall"]) / np.array(alone_took)
            made[f"whole recall / plain Chroma {other}"] = float(np.median(ratios))
    numbers = iter(range(10**7 + time.time_ns() % 10**7, 10**9))
    events = [synthetic.event(next(numbers)) for _ in range(QUERIES)]
    made["remember one"] = each(events, lambda event: write(store, event))
    ids = [event["id"] for event in events]
    changes = [
        {**synthetic.event(next(numbers)), "type": "revise", "id": i, "was": {}} for i in ids
    ]
    for change in changes:
        change["set"] = {"text": change.pop("text")}
    made["revise one"] = each(changes, lambda event: write(store, event))
    forgotten = [{**synthetic.event(next(numbers)), "type": "forget", "id": i} for i in ids]
    made["forget one"] = each(forgotten, lambda event: write(store, event))
    waiting = [(row, synthetic.embedded([text])) for row, text in store.unembedded(QUERIES)]
    made["add one vector"] = each(waiting, lambda one: store.add_vectors([one[0]], one[1]))
    store.purge(ids) if size <= 10_000 else None
    for opened in (store, exact):
        opened.close()
    return made


def memory(folder: Path, size: int, alone: bool) -> dict[str, float]:
    """Megabytes of a process that holds a plain Chroma, and of one that holds the store."""
    used = {}
    for name in ("store",) if alone else ("chroma", "store"):
        used[name] = run(f"holding {name}", folder, size, alone)["MB"]
    disk = sum(p.stat().st_size for p in (folder / "workspace").rglob("*") if p.is_file())
    made = {f"MB of a process with {name}": held for name, held in used.items()}
    if "chroma" in used:
        made["memory, store / Chroma"] = used["store"] / used["chroma"]
    return {**made, "MB of the workspace on disk": disk / 1e6}


def holding_chroma(folder: Path, size: int, alone: bool) -> dict[str, float]:
    plain = plain_chroma(folder)
    for vector in Synthetic(seed=3).vectors(QUERIES):
        plain.query(query_embeddings=vector[None], n_results=50)
    return {"MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def holding_store(folder: Path, size: int, alone: bool) -> dict[str, float]:
    synthetic = Synthetic(seed=3)
    store = LocalStore(folder / "workspace")
    store.warm()
    for _ in range(QUERIES):
        text, query = synthetic.query()
        embed = lambda _, made=query: made  # noqa: E731
        recall.search(store, text, embed=embed, where=Filter(), limit=20, now=time.time())
    store.close()
    return {"MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


PARTS: dict[str, Callable[[Path, int, bool], dict[str, float]]] = {
    "build": build,
    "opening": opening,
    "start": start,
    "serving": serving,
    "memory": memory,
    "holding chroma": holding_chroma,
    "holding store": holding_store,
}


def each(items: Any, work: Callable[[Any], Any]) -> float:
    """Median CPU milliseconds of the work on each item, after two that do not count."""
    return float(np.median([milliseconds(work, item) for item in items][2:]))


def milliseconds(work: Callable[[Any], Any], item: Any) -> float:
    """CPU time of the work on one item."""
    started = time.process_time()
    work(item)
    return (time.process_time() - started) * 1e3


def write(store: LocalStore, event: Any) -> None:
    with store.write() as batch:
        batch.append(event)


def settle(store: Any) -> None:
    """Wait for the thread that fills Chroma."""
    for worker in list(store._vectors._workers):
        worker.join()


def plain_chroma(folder: Path) -> Any:
    """A Chroma collection as a program without nosis would keep one."""
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(
        str(folder / "plain"), settings=Settings(anonymized_telemetry=False)
    )
    hnsw: Any = {"space": "cosine"}
    return client.get_or_create_collection(
        "memories", configuration={"hnsw": hnsw}, embedding_function=None
    )


if __name__ == "__main__":
    main()
