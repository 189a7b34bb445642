"""Core memory, read and updated by a small model: the rows of Letta's own evaluation.

    python -m tests.bench.letta_evals MODEL.gguf ROWS.jsonl … [--way W] [--count N] [--work FOLDER]

Each row gets a fresh workspace whose core memory holds its facts. Read: its question is asked.
Update: the contradicting fact is told, then the question is asked in a new session. A string match
decides (``right``; Letta's published figures come from a judging model). Two ways through the same
loop, side by side:

* plain: the model is sent what any server's model is sent, and writes directives itself;
* nosis: the local model's own prompt and its second pass, which reads the user's words.

Answers are appended to FOLDER as they come, and rows that are there already are not asked again:
only judged.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nosis.agent import Agent
from nosis.memory import Memory
from nosis.memory.filing import negations
from nosis.memory.tokenizer import terms
from nosis.models import Delta, Finish, Request
from nosis.models.local import LocalModel
from nosis.settings import Settings

_DENIED = re.compile(
    r"(?i)\b(?:not|never|no longer|instead of|rather than|without|nor|\w+n['’]t)\b[^.;!?]*?"
    r"(?=[.;!?]|,? but\b|$)"
)


class Plain:
    """The same file, without what nosis adds for small models."""

    def __init__(self, inner: LocalModel) -> None:
        self.name, self.context_window = inner.name, inner.context_window
        self._inner = inner

    def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        return self._inner.stream(replace(request, user=""))

    async def aclose(self) -> None:
        pass


class Shared(Plain):
    """The local model, kept loaded from row to row."""

    def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        return self._inner.stream(request)


async def answer(row: dict[str, Any], model: Plain) -> dict[str, Any]:
    """What the whole loop says to one row, and whether that is right."""
    told = row["agent_args"]["extra"]
    with tempfile.TemporaryDirectory() as home:
        memory = Memory(home)
        memory.core_set("facts", told["facts"])
        async with Agent(memory, model, settings=Settings(home=Path(home))) as agent:
            receipts = []
            if change := told.get("contradicting_fact"):
                done = await agent.ask(change)
                receipts = [f"{r.outcome}: {r.text}" for r in done.receipts]
                agent.new_session()
            said = (await agent.ask(row["input"])).answer
    return {"said": said, "truth": row["ground_truth"], "receipts": receipts}


def right(row: dict[str, Any], said: str) -> bool:
    """Whether an answer holds every word of the truth, and affirms nothing of what is out of date.

    What the answer denies ("in the Alps, not in the Andes") is not what it affirms. Where the truth
    itself denies something, the answer must deny as well. Out of date are the words of the
    contradicted fact that neither the new one, the question nor the truth has.
    """
    told, truth = row["agent_args"]["extra"], row["ground_truth"]
    if negations(truth):
        return bool(negations(said)) and set(terms(truth)) <= set(terms(said))
    affirmed = set(terms(_DENIED.sub("", said)))
    if not set(terms(truth)) <= affirmed:
        return False
    if not (new := told.get("contradicting_fact")):
        return True
    old = " ".join(told["facts"][number] for number in told["supporting_fact_indices"])
    return not affirmed & (set(terms(old)) - set(terms(f"{new} {row['input']} {truth}")))


async def run(options: argparse.Namespace) -> None:
    options.work.mkdir(parents=True, exist_ok=True)
    local = LocalModel(options.model)
    ways = {name: WAYS[name] for name in options.way or WAYS}
    print("| rows | " + " | ".join(ways) + " |\n|---|" + "---|" * len(ways))
    for path in options.rows:
        rows = [json.loads(line) for line in path.read_text().splitlines()][: options.count]
        shares = []
        for name, way in ways.items():
            kept = options.work / f"{path.stem}-{name}.jsonl"
            done = kept.read_text().splitlines() if kept.exists() else []
            with kept.open("a") as out:
                for row in rows[len(done) :]:
                    done.append(json.dumps(await answer(row, way(local)), ensure_ascii=False))
                    out.write(done[-1] + "\n")
                    out.flush()
            judged = [
                right(row, json.loads(line)["said"]) for row, line in zip(rows, done, strict=False)
            ]
            shares.append(f"{sum(judged)}/{len(rows)}")
        print(f"| {path.stem} | " + " | ".join(shares) + " |", flush=True)
    await local.aclose()


WAYS = {"plain": Plain, "nosis": Shared}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("rows", type=Path, nargs="+")
    parser.add_argument("--way", action="append", choices=WAYS, help="one of them; all by default")
    parser.add_argument("--count", type=int, help="of each file's rows; all by default")
    parser.add_argument("--work", type=Path, default=Path(tempfile.mkdtemp()))
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
