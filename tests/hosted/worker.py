"""Processes that tests start, kill and count: ``python -m tests.hosted.worker MODE …``."""

from __future__ import annotations

import hashlib
import json
import random
import string
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nosis.memory import Memory
from nosis.memory.store import Embedded
from nosis.memory.store.postgres import PostgresStore, database
from nosis.memory.types import Filter


class HashEmbedder:
    """Vectors that depend on the text alone; cheap, so that the store is what is measured."""

    name = "hash"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        return [Embedded(self._vector(text)[None]) for text in texts]

    def _vector(self, text: str) -> np.ndarray:
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
        vector = np.random.default_rng(seed).normal(size=self.dimensions)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def opened(url: str, workspace: str, home: str) -> Memory:
    return Memory(home, workspace, embedder=HashEmbedder(), store=PostgresStore(url, workspace))


def write_and_recall(url: str, workspace: str, home: str, name: str, count: str) -> None:
    """Write a fact, find it, find what another process acknowledged last; seconds as JSON."""
    acknowledged = Path(home)
    own = acknowledged / f"{name}.acked"
    spent: dict[str, list[float]] = {"write": [], "recall": []}
    with opened(url, workspace, str(acknowledged / name)) as memory, own.open("a") as acks:
        for number in range(int(count)):
            text = f"process{name} keeps thing{number} of batch{number % 7}"
            begun = time.perf_counter()
            memory.remember(text)
            spent["write"].append(time.perf_counter() - begun)
            others = [p for p in acknowledged.glob("*.acked") if p != own and p.stat().st_size]
            acks.write(text + "\n")
            acks.flush()
            wanted = [text]
            if others:
                wanted.append(others[number % len(others)].read_text().splitlines()[-1])
            for expected in wanted:
                begun = time.perf_counter()
                hits = memory.search(expected, Filter(), 5).hits
                spent["recall"].append(time.perf_counter() - begun)
                assert expected in [hit.entry.text for hit in hits], expected
            memory.embed_pending()
    print(json.dumps(spent))


def turns(url: str, workspace: str, home: str, first: str, last: str) -> None:
    """Record turns and acknowledge each on stdout, whatever happens to the server."""
    database.PATIENCE = 0.4  # so that some turns wait in the outbox
    with opened(url, workspace, home) as memory:
        for number in range(int(first), int(last)):
            # Letters only: a run of digits may look like the number of a card, and be redacted.
            text = f"turn {number} {''.join(random.choices(string.ascii_lowercase, k=20))}"
            print(f"trying {text}", flush=True)
            memory.record_turn("s1", text, f"answer to {text}")
            print(f"acked {text}", flush=True)


if __name__ == "__main__":
    {"write_and_recall": write_and_recall, "turns": turns}[sys.argv[1]](*sys.argv[2:])
