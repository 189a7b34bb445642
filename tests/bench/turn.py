"""What nosis adds to a turn beside the model, and the cold start of ``nosis -p`` by part.

    python -m tests.bench.turn [--turns 40] [SIZE …]

A workspace of SIZE memories (1,000 and 10,000 by default; synthetic words and vectors, so that no
hour goes into embedding) answers turns whose query is embedded for real. CPU milliseconds, median
and 95th percentile, of each part; then the CPU seconds of fresh processes.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nosis import prompting, tokens
from nosis.memory import Memory
from nosis.memory.embedding import default_embedder
from nosis.protocol import parse
from tests.bench.scale import settle
from tests.bench.synthetic import Synthetic
from tests.server import Server

ANSWER = "Item {0} is on Friday.\nMEMORY_UPDATE: [event, 0.6] The review of item {0} is on Friday\n"
QUERY, FACT, BEHIND = "embed the query", "embed the fact", "index, behind the turn"


class Parts:
    """CPU milliseconds of named parts, over many turns."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        begun = time.process_time()
        yield
        self.spent.setdefault(name, []).append((time.process_time() - begun) * 1_000)

    def show(self) -> None:
        totals = {}
        for name, left_out in (
            ("all before the prompt is back", {QUERY, BEHIND}),
            ("but for the fact's embedding", {QUERY, BEHIND, FACT}),
        ):
            own = [spent for part, spent in self.spent.items() if part not in left_out]
            totals[name] = [sum(turn) for turn in zip(*own, strict=True)]
        for name, spent in {**self.spent, **totals}.items():
            late = statistics.quantiles(spent, n=20)[-1]
            print(f"  {name:<28} {statistics.median(spent):8.2f} {late:8.2f}")


def measure(size: int, turns: int) -> None:
    """Print what one turn costs in a workspace of this size."""
    embedder = default_embedder()
    assert embedder
    made = Synthetic()
    with tempfile.TemporaryDirectory() as home, Memory(home, embedder=embedder) as memory:
        with memory.store.write() as batch:
            batch.append(*made.events(size))
        memory.store.reset_vectors(embedder.name)
        while rows := memory.store.unembedded(1_000):
            memory.store.add_vectors(
                [row for row, _ in rows], made.embedded([text for _, text in rows])
            )
        memory.store.warm()
        settle(memory.store)
        gc.freeze()  # these three as the app does behind its first screen
        gc.set_threshold(10_000)
        core = memory.core()
        parts = Parts()
        for number in range(turns + 2):
            if number == 2:  # the first two load what later ones find loaded
                parts = Parts()
            query = f"When is the review of item {number}? {made.text(4, 8)}"
            with parts.part(QUERY):
                memory.meaning.embed(query)
            with parts.part("recall"):
                found = memory.recollect(query, 1_000, "s1")
            with parts.part("prompt"):
                prompting.build(
                    core=core,
                    recalled=found.hits,
                    history=(),
                    message=query,
                    material="",
                    window=None,
                    now=time.time(),
                    count=tokens.count,
                )
            with parts.part("parse"):
                parsed = parse(ANSWER.format(number))
            with parts.part(FACT):  # to look for what it repeats; it is kept for the filing
                memory.meaning.embed(parsed.directives[0].text)
            with parts.part("file and journal (fsynced)"):
                memory.record_turn(
                    "s1", query, parsed.visible, parsed.directives, recalled=found.hits
                )
            with parts.part(BEHIND):
                memory.embed_pending()
        print(f"{size:,} memories: CPU ms a turn, median and p95 of {turns}")
        parts.show()


def process(*arguments: str, **environment: str) -> float:
    """CPU seconds of a fresh Python process (median of 3)."""
    return statistics.median(_once(arguments, environment) for _ in range(3))


def _once(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return spent() - before


def cold_start() -> None:
    """Print the CPU seconds of ``nosis -p`` beside what it cannot do without."""
    load = "from nosis.memory.embedding import default_embedder as d; d().embed(['x'])"
    with tempfile.TemporaryDirectory() as home, Server(default="Hello.") as server:
        served = {"OPENAI_BASE_URL": server.url, "NOSIS_MODEL": "m", "NOSIS_HOME": home}
        rows: dict[str, Callable[[], Any]] = {
            "python": lambda: process("-c", "pass"),
            "import openai": lambda: process("-c", "import openai"),
            "load the embedding model": lambda: process("-c", load),
            "nosis --help": lambda: process("-m", "nosis", "--help"),
            "nosis -p, offline": lambda: process(
                "-m", "nosis", "-p", "hello there", NOSIS_HOME=home, NOSIS_MODEL="offline"
            ),
            "nosis -p, a server": lambda: process("-m", "nosis", "-p", "hello there", **served),
        }
        print("fresh processes: CPU s")
        for name, run in rows.items():
            print(f"  {name:<28} {run():8.2f}")


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000])
    parser.add_argument("--turns", type=int, default=40)
    options = parser.parse_args()
    for size in options.sizes:
        measure(size, options.turns)
    cold_start()


if __name__ == "__main__":
    main()
