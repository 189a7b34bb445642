"""One memory system, driven in a process and environment of its own (see ``tests.bench.peers``).

Imports nothing of nosis but in its own driver: the other environments do not have it.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

LIMIT = 5


class Table:
    """Vectors by text: what every peer's embedder answers from."""

    def __init__(self, folder: Path) -> None:
        self.data = json.loads((folder / "texts.json").read_text())
        self.vectors = np.load(folder / "vectors.npy")
        self.places = {text: at for at, text in enumerate(self.data["texts"])}

    def vector(self, text: str) -> Any:
        return self.vectors[self.places[text]]


class Nosis:
    """``Memory`` with an embedder that looks texts up; token vectors come from the same pass of
    the same model. Each fact is remembered and its vectors are kept, as after a turn."""

    def __init__(self, folder: Path, table: Table) -> None:
        from nosis.memory import Memory
        from nosis.memory.store import Embedded

        tokens = np.load(table.data["tokens"])

        class Lookup:
            name, dimensions = "table", table.vectors.shape[1]

            def embed(self, texts: Sequence[str]) -> list[Embedded]:
                return [self.one(table.places[text]) for text in texts]

            def one(self, at: int) -> Embedded:
                begin, end = tokens["ends"][at : at + 2]
                kept = tokens["tokens"][begin:end], tokens["words"][begin:end]
                return Embedded(table.vectors[at][None], *kept)

        self.memory = Memory(folder, embedder=Lookup())

    def add(self, text: str) -> None:
        self.memory.remember(text)
        self.memory.embed_pending()

    def recall(self, query: str) -> list[str]:
        return [hit.entry.text for hit in self.memory.recall(query, LIMIT)]

    def count(self) -> int:
        return len(self.memory.list_memories())


class Daita:
    """The plugin's own ``remember`` and ``recall`` tools, with a provider of embeddings that
    looks texts up. A model would only serve curation and contradictions, and none is reached.
    Vectors of texts that its preprocessor changed would be missing; it changes none of these."""

    def __init__(self, folder: Path, table: Table) -> None:
        folder.mkdir(exist_ok=True)
        os.chdir(folder)
        from daita.embeddings.base import BaseEmbeddingProvider
        from daita.plugins.memory import MemoryPlugin

        class Lookup(BaseEmbeddingProvider):
            dimensions = table.vectors.shape[1]

            async def _embed_text_impl(self, text: str) -> list[float]:
                return table.vector(text).tolist()

            async def _embed_texts_impl(self, texts: list[str]) -> list[list[float]]:
                return [table.vector(text).tolist() for text in texts]

        self.plugin = MemoryPlugin(
            "bench", embedder=Lookup("table"), auto_curate="manual", max_chunks=10**6
        )
        self.plugin.initialize("bench")
        self.tools = {tool.name: tool for tool in self.plugin.get_tools()}
        self.loop = asyncio.new_event_loop()

    def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return self.loop.run_until_complete(self.tools[tool].handler(arguments))

    def add(self, text: str) -> None:
        self.call("remember", {"content": text})

    def recall(self, query: str) -> list[str]:
        found = self.call("recall", {"query": query, "limit": LIMIT})
        found = found.get("results", []) if isinstance(found, dict) else found
        return [item["content"] for item in found]

    def count(self) -> int:
        stats = self.loop.run_until_complete(self.plugin.backend.get_stats())
        return int(stats["total_memories"])


class Mem0:
    """``Memory`` with its default local store (Qdrant in a folder) and ``infer=False``, so that
    no model is called; its embedding model is replaced by one that looks texts up. Its keyword
    part needs a spaCy model from outside PyPI and stays off, as after ``pip install mem0ai``."""

    def __init__(self, folder: Path, table: Table) -> None:
        folder.mkdir(exist_ok=True)
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "mem0")}
        from mem0 import Memory

        class Lookup:
            class config:
                embedding_dims = table.vectors.shape[1]

            def embed(self, text: str, memory_action: str | None = None) -> list[float]:
                return table.vector(text).tolist()

            def embed_batch(self, texts: list[str], memory_action: str | None = None) -> Any:
                return [
                    table.vector(text).tolist()
                    if text in table.places
                    else [0.0] * self.config.embedding_dims  # names that it takes out of a query
                    for text in texts
                ]

        key = {"api_key": "none"}
        store = {
            "path": str(folder / "qdrant"),
            "embedding_model_dims": table.vectors.shape[1],
            "on_disk": True,
        }
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "llm": {"provider": "openai", "config": key},
                "embedder": {"provider": "openai", "config": key},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self.memory.embedding_model = Lookup()

    def add(self, text: str) -> None:
        self.memory.add(text, user_id="bench", infer=False)

    def recall(self, query: str) -> list[str]:
        found = self.memory.search(query, filters={"user_id": "bench"}, top_k=LIMIT)
        return [item["memory"] for item in found["results"]]

    def count(self) -> int:
        found = self.memory.get_all(filters={"user_id": "bench"}, top_k=10**6)
        return len(found["results"])


class Plain:
    """A Chroma collection and ``BM25Okapi`` over its texts, made at the first query; the twenty
    best of each are fused by rank (1 / (60 + rank))."""

    def __init__(self, folder: Path, table: Table) -> None:
        import chromadb
        from chromadb.config import Settings
        from rank_bm25 import BM25Okapi

        self.table, self.scorer = table, BM25Okapi
        self.bm25: Any = None
        client = chromadb.PersistentClient(
            str(folder), settings=Settings(anonymized_telemetry=False)
        )
        self.collection = client.get_or_create_collection(
            "memories", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def add(self, text: str) -> None:
        name = str(self.table.places[text])
        self.collection.add([name], embeddings=[self.table.vector(text)], documents=[text])

    def recall(self, query: str) -> list[str]:
        if self.bm25 is None:
            self.texts = self.collection.get(include=["documents"])["documents"]
            self.bm25 = self.scorer([words(text) for text in self.texts])
        near = self.collection.query(
            query_embeddings=[self.table.vector(query)], n_results=20, include=["documents"]
        )["documents"][0]
        scores = self.bm25.get_scores(words(query))
        said = [self.texts[at] for at in np.argsort(-scores)[:20]]
        fused: dict[str, float] = {}
        for ranking in (near, said):
            for rank, text in enumerate(ranking):
                fused[text] = fused.get(text, 0.0) + 1 / (60 + rank)
        return sorted(fused, key=lambda text: -fused[text])[:LIMIT]

    def count(self) -> int:
        return int(self.collection.count())


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


PEERS: dict[str, Callable[[Path, Table], Any]] = {
    "nosis": Nosis,
    "daita": Daita,
    "mem0": Mem0,
    "plain": Plain,
}


def main() -> None:
    """``peer.py NAME add|recall TABLE FOLDER``: print what was measured as one line of JSON."""
    name, step, table, folder = sys.argv[1], sys.argv[2], Table(Path(sys.argv[3])), sys.argv[4]
    begun = time.process_time()
    peer = PEERS[name](Path(folder), table)
    made: dict[str, Any] = {"open": time.process_time() - begun}
    if step == "add":
        begun, wall = time.process_time(), time.perf_counter()
        spent = [cpu(lambda text=text: peer.add(text))[0] for text in table.data["memories"]]
        made |= {"add": time.process_time() - begun, "add wall": time.perf_counter() - wall}
        made |= {"add one": statistics.median(spent) * 1e3, "kept": peer.count()}
    else:
        right, spent, walls = 0, [], []
        for query, answer in table.data["queries"]:
            wall = time.perf_counter()
            took, found = cpu(lambda query=query: peer.recall(query))
            walls.append((time.perf_counter() - wall) * 1e3)
            spent.append(took * 1e3)
            right += found[:1] == [answer]
        made |= {"first": spent[0] / 1e3 + made["open"], "right": right}
        made |= {"recall": statistics.median(spent), "recall wall": statistics.median(walls)}
    made["MB"] = most_memory()
    print("\n" + json.dumps(made), flush=True)
    os._exit(0)  # what a peer leaves running is none of the bench's business


def most_memory() -> float:
    """Megabytes that this process held at most. ``ru_maxrss`` would count its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of the process, all its threads included, and the result."""
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


if __name__ == "__main__":
    main()
