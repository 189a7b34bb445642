"""The hosted store beside the local one: ``python -m tests.bench.hosted --help``.

Remember (a fact, then its vector) and recall (words, vectors and the documents of both) at
several sizes, in one run, against a PostgreSQL that syncs to disk; the plans of the queries;
and what a workspace costs when many others are added.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import psycopg

from nosis.memory import Memory
from nosis.memory.store import Store
from nosis.memory.store.local import LocalStore
from nosis.memory.store.postgres import PostgresStore, vectors
from nosis.memory.tokenizer import terms
from nosis.memory.types import Directive, DirectiveKind, Filter
from tests.bench.synthetic import Synthetic
from tests.hosted.servers import PostgresServer
from tests.recorded import fact, record

BATCH = 1_000
POOL = 50  # hits of each kind that a recall asks for


def load(store: Store, made: Synthetic, count: int) -> None:
    """Fill a store with memories and their vectors."""
    store.reset_vectors("bench")
    for start in range(0, count, BATCH):
        with store.write() as batch:
            batch.append(*made.events(min(BATCH, count - start), start))
        rows, texts = zip(*store.unembedded(BATCH), strict=True)
        store.add_vectors(rows, made.embedded(texts))


def remember(store: Store, made: Synthetic) -> None:
    record(store, fact(made.text(), f"m{uuid.uuid4().hex}"))
    ((row, text),) = store.unembedded(1)
    store.add_vectors([row], made.embedded([text]))


def recall(store: Store, made: Synthetic) -> None:
    hits, _ = store.search_words(terms(made.text(4, 9)), POOL, Filter())
    near = store.search_vectors(made.vectors(1)[0], POOL, Filter())
    store.documents(list({hit.row for hit in (*hits, *near)}))


def timed(work: Callable[[], None], times: int) -> dict[str, float]:
    """Milliseconds: median and 95th percentile of the wall, mean of this process's CPU."""
    work()
    wall, cpu = [], time.process_time()
    for _ in range(times):
        begun = time.perf_counter()
        work()
        wall.append((time.perf_counter() - begun) * 1000)
    p50, p95 = np.percentile(wall, [50, 95])
    spent = (time.process_time() - cpu) * 1000 / times
    return {"p50": round(p50, 1), "p95": round(p95, 1), "cpu": round(spent, 1)}


def measure(store: Store, made: Synthetic, times: int) -> dict[str, Any]:
    return {
        "recall": timed(lambda: recall(store, made), times),
        "remember": timed(lambda: remember(store, made), times),
    }


def agreement(store: Store, other: Store, made: Synthetic, times: int = 30) -> float:
    """Share of the exact store's nearest 50 that the other finds too."""
    shared = 0
    for query in made.vectors(times):
        sets = []
        for one in (store, other):
            rows = [hit.row for hit in one.search_vectors(query, POOL, Filter())]
            sets.append({document.entry.id for document in one.documents(rows)})
        shared += len(sets[0] & sets[1])
    return round(shared / (times * POOL), 3)


def add_others(url: str, count: int, made: Synthetic) -> None:
    """Copies of one workspace of 1,000 memories, made inside the server."""
    template = PostgresStore(url, "template")
    load(template, made, 1_000)
    source = template._workspace()
    template.close()
    with psycopg.connect(url, autocommit=True) as admin:
        tables = admin.execute(
            "SELECT c.table_name, string_agg(quote_ident(c.column_name), ',' "
            "ORDER BY c.ordinal_position) FROM information_schema.columns c "
            "JOIN pg_class p ON p.relname = c.table_name "
            "JOIN pg_namespace n ON n.oid = p.relnamespace AND n.nspname = 'nosis' "
            "WHERE c.table_schema = 'nosis' AND NOT p.relispartition AND c.column_name <> "
            "'workspace' AND EXISTS (SELECT 1 FROM information_schema.columns w WHERE "
            "w.table_schema = 'nosis' AND w.table_name = c.table_name AND w.column_name = "
            "'workspace') GROUP BY c.table_name"
        ).fetchall()
        for number in range(count):
            ((target,),) = admin.execute(
                "INSERT INTO nosis.workspaces(name, position, documents, length, model, "
                "dimensions, lines, version, tokenizer) SELECT %s, position, documents, length, "
                "model, dimensions, lines, version, tokenizer FROM nosis.workspaces "
                "WHERE id = %s RETURNING id",
                (f"other{number}", source),
            )
            for table, columns in tables:
                admin.execute(
                    f"INSERT INTO nosis.{table}(workspace, {columns}) "
                    f"SELECT {target:d}, {columns} FROM nosis.{table} "
                    f"WHERE workspace = {source:d}".encode()
                )
        admin.execute("VACUUM ANALYZE")


def cost(server: PostgresServer, store: PostgresStore, made: Synthetic, times: int) -> Any:
    """What a call costs the server: CPU milliseconds, and bytes of its write-ahead log."""
    found = {}
    for name, work in (("recall", recall), ("remember", remember)):
        work(store, made)
        cpu, log = spent(server.pid), written(server.url)
        for _ in range(times):
            work(store, made)
        found[name] = {
            "server cpu ms": round((spent(server.pid) - cpu) * 1000 / times, 2),
            "log bytes": round((written(server.url) - log) / times),
        }
    return found


def turns(server: PostgresServer, folder: Path, times: int) -> dict[str, float]:
    """Whole turns with the real embedder in a workspace of 500 memories: what one costs.

    Recall and core memory before the answer; two messages, one fact and the vectors of all three
    after it. The model's own time is not in it.
    """
    made = Synthetic(9)
    store = PostgresStore(server.url, "turns")
    memory = Memory(folder, "turns", store=store)
    with store.write() as batch:
        batch.append(*made.events(500))
    memory.embed_all()

    def turn(number: int) -> None:
        message = f"Please move {made.text(3, 6)} to {made.text(1, 3)}."
        hits = memory.recollect(message, 1_000, "s1").hits
        memory.core()
        learned = Directive(DirectiveKind.UPDATE, f"{made.text(3, 6)} moved {number}")
        answer = f"Done: {made.text(20, 60)}"
        memory.record_turn("s1", message, answer, [learned], recalled=hits)
        memory.embed_pending()

    turn(0)
    before = (time.perf_counter(), time.process_time(), spent(server.pid), written(server.url))
    for number in range(1, times + 1):
        turn(number)
    after = (time.perf_counter(), time.process_time(), spent(server.pid), written(server.url))
    memory.close()
    wall, client, serving, log = (
        (late - early) / times for early, late in zip(before, after, strict=True)
    )
    return {
        "wall ms": round(wall * 1000, 1),
        "client cpu ms": round(client * 1000, 1),
        "server cpu ms": round(serving * 1000, 1),
        "log bytes": round(log),
    }


def spent(pid: int) -> float:
    """CPU seconds of a server and its children."""
    server = psutil.Process(pid)
    times = [process.cpu_times() for process in (server, *server.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def written(url: str) -> int:
    """Bytes written to the write-ahead log so far."""
    with psycopg.connect(url) as admin:
        row = admin.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()
    assert row
    return int(row[0])


def plans(store: PostgresStore, made: Synthetic) -> Iterator[tuple[str, list[str]]]:
    """The plans of the queries of a recall: which indexes they use."""
    at = store._read(lambda db, at: at)
    query = "[" + ",".join(f"{x:.4f}" for x in made.vectors(1)[0]) + "]"
    near = vectors.nearest_sql(at.id, at.dimensions or 0)
    one = f"WHERE workspace = {at.id}"
    statements = {
        "nearest": near.replace("%(query)s", f"'{query}'::halfvec").replace("%(limit)s", "116"),
        "terms": f"SELECT tail FROM nosis.terms {one} AND term = ANY('{{w1,w2,w3}}')",
        "postings": f"SELECT data FROM nosis.postings {one} AND term = ANY('{{w1,w2}}')",
        "entries": f"SELECT id FROM nosis.entries {one} AND \"row\" = ANY('{{5,7,11}}')",
        "changed": f"SELECT attributes FROM nosis.entries {one} AND change > {at.position - 20}",
        "event": f"SELECT 1 FROM nosis.events {one} AND event = ANY('{{e1,e2}}')",
    }
    with psycopg.connect(store._database.url, autocommit=True) as admin:
        for name, sql in statements.items():
            found = admin.execute(f"EXPLAIN (ANALYZE, COSTS OFF) {sql}".encode()).fetchall()
            yield name, [line for (line,) in found if "Scan" in line or "Time" in line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--others", type=int, default=200, help="workspaces of 1,000 memories")
    parser.add_argument("--times", type=int, default=100, help="calls per figure")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    server = PostgresServer(durable=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            run(server, Path(folder), arguments)
    finally:
        server.remove()


def run(server: PostgresServer, folder: Path, arguments: argparse.Namespace) -> None:
    url = server.url

    def say(what: str, value: Any) -> None:
        print(json.dumps({what: value}), flush=True)

    hosted: dict[int, PostgresStore] = {}
    for size in arguments.sizes:
        made = Synthetic()
        local = LocalStore(folder / str(size), vector_index="exact")
        begun = time.perf_counter()
        load(local, Synthetic(), size)
        say(f"local {size}: loaded in s", round(time.perf_counter() - begun))
        store = hosted[size] = PostgresStore(url, f"size{size}")
        begun = time.perf_counter()
        load(store, Synthetic(), size)
        say(f"hosted {size}: loaded in s", round(time.perf_counter() - begun))
        begun = time.perf_counter()
        store.warm()
        say(f"hosted {size}: index in s", round(time.perf_counter() - begun))
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute("VACUUM ANALYZE")
        say(f"hosted {size}: of the exact 50", agreement(local, store, made))
        # Questions about nothing that is stored: all of it is far away, and about equally far.
        say(f"hosted {size}: of the exact 50, far", agreement(local, store, Synthetic(5)))
        for name, one in (("local", local), ("hosted", store)):
            say(f"{name} {size}", measure(one, Synthetic(), arguments.times))
        say(
            f"hosted {size}: a call costs the server",
            cost(server, store, Synthetic(), arguments.times),
        )
        say(f"hosted {size}: health", store.health())
        local.close()
    begun = time.perf_counter()
    add_others(url, arguments.others, Synthetic(11))
    say(f"{arguments.others} others added in s", round(time.perf_counter() - begun))
    for size, store in hosted.items():
        where = f"hosted {size} beside {arguments.others} others"
        say(where, measure(store, Synthetic(), arguments.times))
        say(f"{where}: a call costs the server", cost(server, store, Synthetic(), arguments.times))
        for name, lines in plans(store, Synthetic(5)):
            say(f"plan {size} {name}", lines)
    with psycopg.connect(url, autocommit=True) as admin:
        sizes = admin.execute(
            "SELECT regexp_replace(relname, '_[0-9].*', ''), relkind::text, "
            "sum(pg_relation_size(oid))::bigint FROM pg_class WHERE relnamespace = "
            "'nosis'::regnamespace GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 14"
        ).fetchall()
    say("bytes", sizes)
    for store in hosted.values():
        store.close()
    say("a turn", turns(server, folder / "turns", arguments.times))


if __name__ == "__main__":
    main()
