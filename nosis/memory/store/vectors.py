"""Chroma, as a disposable index of one process: the only module that imports chromadb.

Facts about chromadb 1.5.9 that shape this: two processes writing to one folder corrupt it
silently; ``add`` of a known id keeps the old vector; cosine must be asked for when a collection
is made; a call takes at most 5,461 vectors; a cut header makes it hang, and overwritten data can
end the process.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

EF = 200  # candidates kept while searching and building
NEAR = 0.998  # cosine at which a vector counts as found
MISSED = 1 / 32  # of a sample, that sound vectors may be: among a million, HNSW misses 1 in 300
PATIENCE = 60  # seconds for a probe; a sound index of a million vectors loads in a few


class ChromaLines:
    """One HNSW collection in a folder of its own: line numbers and vectors."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import chromadb
            from chromadb.config import Settings
        logging.getLogger("chromadb").setLevel(logging.CRITICAL)
        folder.mkdir(mode=0o700, exist_ok=True)
        self._folder = folder
        self._client: Any = chromadb.PersistentClient(
            str(folder), settings=Settings(anonymized_telemetry=False)
        )
        hnsw: Any = {"space": "cosine", "ef_construction": EF, "ef_search": EF}
        self._collection = self._client.get_or_create_collection(
            "lines", configuration={"hnsw": hnsw}, embedding_function=None
        )

    def count(self) -> int:
        return self._collection.count()

    def add(self, lines: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Add vectors; lines that are there already stay as they are."""
        self._collection.add(ids=[str(line) for line in lines], embeddings=vectors)
        for path in self._folder.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)

    def delete(self, lines: Sequence[int]) -> None:
        self._collection.delete(ids=[str(line) for line in lines])

    def query(self, vector: NDArray[np.float32], count: int) -> tuple[list[int], list[float]]:
        """The nearest lines and their cosines, best first."""
        found = self._collection.query(
            query_embeddings=vector[None], n_results=count, include=["distances"]
        )
        distances = found["distances"] or [[]]
        return [int(line) for line in found["ids"][0]], [1.0 - d for d in distances[0]]

    def close(self) -> None:
        self._client.close()


Marks = dict[str, tuple[int, int]]
"""File name to (size, time of change in nanoseconds)."""


def fingerprint(folder: Path) -> Marks:
    """The index files as they are; SQLite's own are left out, which it checks by itself."""
    marks = {}
    for path in sorted(folder.glob("*/*")):
        state = path.stat()
        marks[path.relative_to(folder).as_posix()] = (state.st_size, state.st_mtime_ns)
    return marks


def finds_itself(chroma: ChromaLines, vectors: NDArray[np.float32]) -> bool:
    """Whether these stored vectors, but for a few, come back as nearest to themselves."""
    missed = sum(not chroma.query(vector, 1)[1][:1] >= [NEAR] for vector in vectors)
    return missed <= MISSED * len(vectors)


def probe(folder: Path, vectors: NDArray[np.float32]) -> bool:
    """Whether another process can load the index and find these vectors in it."""
    command = [sys.executable, "-P", "-m", __name__, str(folder), str(len(vectors))]
    try:
        done = subprocess.run(
            command,
            input=vectors.tobytes(),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def main() -> int:
    """The other process of ``probe``."""
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    vectors = np.frombuffer(sys.stdin.buffer.read(), np.float32)
    return 0 if finds_itself(ChromaLines(folder), vectors.reshape(count, -1)) else 1


if __name__ == "__main__":
    sys.exit(main())
