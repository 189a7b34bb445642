"""How well a local model's second pass reads facts: right ones, missed ones, false ones.

    python -m tests.bench.extraction MODEL.gguf [SENTENCES …] [--rules]

A file holds, a line each, ``say`` and the ``facts`` in it: a field of core memory with its
value, or words that a free fact must hold; the lists of ``tests/bench/offline`` are read too.
``--rules`` leaves the model out. A typed fact that was kept, but in no field, counts as untyped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

from nosis.models import Request
from nosis.models.extraction import directive_lines, first_lines
from nosis.models.local import LocalModel

HERE = Path(__file__).parent / "extraction"
FIELDS = ("name", "role", "company", "preference")


def cases(path: Path) -> list[tuple[str, list[dict[str, Any]], bool]]:
    """Sentence, facts, and whether other facts than these may be kept as well."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        return [(row["say"], row["facts"], False) for row in rows]
    listed = []
    for row in json.loads(text):
        words = [re.sub(r"^\w+: ", "", fact.split("|")[0]).split() for fact in row["facts"]]
        facts = [{"field": "fact", "words": found} for found in words]
        listed.append((row["text"], facts, bool(row.get("optional"))))
    return listed


def judge(facts: list[dict[str, Any]], lines: list[str], lenient: bool) -> Counter[str]:
    """Counts of right, untyped, missed and false facts of one sentence."""
    found = [re.sub(r"^MEMORY_\w+: (\[.*?\] )?", "", line) for line in lines]
    counts: Counter[str] = Counter()
    used: set[str] = set()
    for fact in facts:
        held = [text for text in found if _words(fact) <= _stems(text)]
        used.update(held)
        typed = [text for text in held if text.partition(": ")[0] == fact["field"]]
        right = held if fact["field"] == "fact" else typed
        counts["right" if right else "untyped" if held else "missed"] += 1
    false = [text for text in found if text not in used]
    if not lenient and (not facts or not used):
        counts["false"] += len(false)
    elif not lenient:
        counts["more"] += len(false)  # beside right ones: to be read by a person
    return counts


def _words(fact: dict[str, Any]) -> set[str]:
    return _stems(" ".join(fact["words"] if "words" in fact else [fact["value"]]))


def _stems(text: str) -> set[str]:
    words = {word.strip(".,!:;'").removesuffix("'s") for word in text.lower().split()}
    return {word[:4] for word in words - {"not", "a", "the", "&", ""}}


async def measure(path: Path, model: LocalModel | None) -> None:
    total: Counter[str] = Counter()
    spent = 0.0
    for said, facts, lenient in cases(path):
        started = time.perf_counter()
        request = Request(messages=(), user=said)
        if model is None:
            told = await first_lines(request, time.time(), _nothing)
            lines = await directive_lines(request, told, _nothing)
        else:
            lines = await model.extract(request)
        spent += time.perf_counter() - started
        counts = +judge(facts, lines, lenient)
        total += counts
        if set(counts) - {"right"}:
            print(f"{dict(counts)}  {said}  ->  {[line[15:] for line in lines]}", flush=True)
    print(f"{path.name}: {dict(total)}, {spent:.0f} s")


async def _nothing(system: str, user: str, grammar: str) -> str:
    return ""


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("sentences", type=Path, nargs="*", default=sorted(HERE.glob("*.jsonl")))
    parser.add_argument("--rules", action="store_true")
    arguments = parser.parse_args()
    model = None if arguments.rules else LocalModel(arguments.model, 2048, timeout=3600)
    for path in arguments.sentences:
        await measure(path, model)
    if model is not None:
        await model.aclose()


if __name__ == "__main__":
    asyncio.run(main())
