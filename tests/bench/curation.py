"""What curation makes of a conversation, with a model in a file:

    python -m tests.bench.curation MODEL.gguf [LOCOMO.json] [--sessions N]

Without a data set the conversation is ``curation_talk.jsonl`` beside this page. Prints what the
curator found, what became of it and what it cost, then MEMORY.md, to be judged by a person.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from nosis.curation import curate
from nosis.memory import Memory
from nosis.models.local import LocalModel
from tests.bench import conversations

OWN = Path(__file__).parent / "curation_talk.jsonl"


def records(data: Path | None, sessions: int) -> list[dict[str, Any]]:
    """The turns of the first sessions of the first conversation, or our own."""
    if data is None:
        lines = OWN.read_text(encoding="utf-8").splitlines()
        return [{"kind": "turn", **json.loads(line)} for line in lines]
    turns = conversations.locomo(data)[0].records
    first = list(dict.fromkeys(turn["session"] for turn in turns))[:sessions]
    return [turn for turn in turns if turn["session"] in first]


async def run(options: argparse.Namespace) -> None:
    turns = records(options.data, options.sessions)
    with tempfile.TemporaryDirectory() as home, Memory(home) as memory:
        memory.import_records(turns)
        model = LocalModel(options.model, timeout=1_800)
        begun, cpu = time.perf_counter(), time.process_time()
        result = await curate(memory, model)
        seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
        await model.aclose()
        for receipt in result.receipts:
            print(f"{receipt.outcome}: {receipt.text}")
        print(
            f"{len(turns)} messages; {result.facts_extracted} facts found, "
            f"{result.facts_added} added, {result.memories_updated} updated, "
            f"{len(result.errors)} errors; {seconds:.0f} s, {cpu:.0f} s of CPU"
        )
        print(memory.read_memory())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("data", type=Path, nargs="?", help="of the LoCoMo set")
    parser.add_argument("--sessions", type=int, default=2)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
