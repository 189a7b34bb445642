"""Many processes, killed clients, restarted servers: nothing is lost, nothing is there twice."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nosis.memory.store.postgres import PostgresStore
from nosis.memory.types import Filter, Kind
from tests.cli.driver import ROOT
from tests.hosted.servers import PostgresServer
from tests.hosted.worker import opened
from tests.recorded import EVERYTHING

FULL = bool(os.environ.get("NOSIS_TEST_FULL"))
PROCESSES, WRITES = (8, 250) if FULL else (4, 12)
TURNS, FAULTS = (200, 16) if FULL else (40, 5)


def start(mode: str, *arguments: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.hosted.worker", mode, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )


def test_processes_at_once_lose_and_repeat_nothing(
    database_url: str, workspace: str, tmp_path: Path
) -> None:
    """Each finds its own write at once, and the newest write of another in its next recall."""
    PostgresStore(database_url, workspace).close()
    running = [
        start("write_and_recall", database_url, workspace, tmp_path, name, WRITES)
        for name in range(PROCESSES)
    ]
    spent: dict[str, list[float]] = {"write": [], "recall": []}
    for process in running:
        out, err = process.communicate(timeout=900)
        assert process.returncode == 0, err
        for kind, seconds in json.loads(out).items():
            spent[kind] += seconds
    store = PostgresStore(database_url, workspace)
    kept = Counter(entry.text for entry in store.find(EVERYTHING))
    assert len(kept) == PROCESSES * WRITES
    assert set(kept.values()) == {1}
    before = store.find(EVERYTHING)
    store.reindex()
    assert store.find(EVERYTHING) == before
    store.close()
    for kind, seconds in spent.items():
        p50, p95 = np.percentile(seconds, [50, 95]) * 1000
        print(f"{kind}: {len(seconds)} calls, p50 {p50:.0f} ms, p95 {p95:.0f} ms")


def test_one_fact_from_many_processes_is_one_fact(
    database_url: str, workspace: str, tmp_path: Path
) -> None:
    script = (
        "import sys; from tests.hosted.worker import opened\n"
        "with opened(*sys.argv[1:]) as memory:\n"
        "    for number in range(6): memory.remember(f'Deploys of team {number} are on Fridays')"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, database_url, workspace, str(tmp_path / str(number))],
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
            cwd=ROOT,
        )
        for number in range(4)
    ]
    assert [process.wait(timeout=300) for process in running] == [0] * 4
    store = PostgresStore(database_url, workspace)
    assert len(store.find(Filter())) == 6
    store.close()


class Client:
    """The process that records turns, started again whenever it was killed."""

    def __init__(self, url: str, workspace: str, home: Path) -> None:
        self._arguments = (url, workspace, home)
        self.acked: list[str] = []
        self.tried: list[str] = []
        self.process: subprocess.Popen[str] | None = None

    def run(self, last: int) -> Iterator[int]:
        """Yields after each acknowledged turn."""
        while len(self.acked) < last:
            self.process = start("turns", *self._arguments, len(self.acked), last)
            assert self.process.stdout
            for line in self.process.stdout:
                word, _, text = line.strip().partition(" ")
                (self.acked if word == "acked" else self.tried).append(text)
                if word == "acked":
                    yield len(self.acked)
            self.process.wait()
            if self.process.stderr and (said := self.process.stderr.read()):
                assert "Traceback" not in said, said
            for stream in (self.process.stdout, self.process.stderr):
                if stream:
                    stream.close()

    def kill(self) -> None:
        if self.process:
            self.process.kill()


@pytest.mark.parametrize("seed", range(2 if FULL else 1))
def test_kills_and_restarts_leave_every_acknowledged_turn_once(
    running: PostgresServer, workspace: str, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    client = Client(running.url, workspace, tmp_path / "home")
    faults = {
        at: dice.choice(["kill", "crash", "restart", "pause"])
        for at in dice.sample(range(1, TURNS), FAULTS)
    }
    for done in client.run(TURNS):
        match faults.pop(done, None):
            case "kill":
                time.sleep(dice.random() * 0.02)  # somewhere inside the next turn
                client.kill()
            case "crash":
                running.stop("immediate")
                running.start()
            case "restart":
                running.stop("fast")
                running.start()
            case "pause":  # long enough for turns to wait in the outbox
                running.stop("immediate")
                time.sleep(1.0)
                running.start()
    with opened(running.url, workspace, str(tmp_path / "home")) as memory:
        memory.deliver()
        assert not memory.outbox.waiting()
        recorded = memory.store.find(Filter(kinds=(Kind.TURN,)))
    said = Counter(entry.text for entry in recorded if entry.role == "user")
    assert set(said.values()) == {1}
    assert set(client.acked) <= set(said) <= set(client.tried)
    answers = Counter(entry.text for entry in recorded if entry.role == "assistant")
    assert answers == Counter(f"answer to {text}" for text in said)
