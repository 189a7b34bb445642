"""What the offline mode files from sentences: how many facts, how many false ones, how fast.

    python -m tests.bench.offline [dev|frozen_a|… …] [--show]

``offline_dev.json`` is what the rules were written on. The frozen sets were written without
looking at the rules' answers and run once; what that first run missed was then mended, so that
today's figures on them only say that nothing is lost again. First runs, facts and false ones:

========  =====================================================  =============  =====
frozen_a  before any rule was written                             89 of 100      0
frozen_b  after the rules of frozen_a                             31 of 41       1
frozen_c  half of it in the style of public persona data          24 of 42       2
frozen_d  chat of developers and others                           34 of 42       2
frozen_e  after messages that other memory systems test with      48 of 55       0
========  =====================================================  =============  =====

A row holds ``text`` (and what is recalled or in core memory at that moment), ``facts`` (gold
words that one stored memory must hold each; ``|`` separates spellings), ``optional`` (true, but
not asked for) and ``forbid`` (words that no stored memory may hold). A stored memory that meets
neither ``facts`` nor ``optional`` is false.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nosis.memory.types import Directive, DirectiveKind, Entry, Kind, Recollection
from nosis.models import Message, Request, complete
from nosis.models.offline import OfflineModel
from nosis.protocol import parse

HERE = Path(__file__).parent
SETS = ("dev", "frozen_a", "frozen_b", "frozen_c", "frozen_d", "frozen_e")


@dataclass
class Score:
    """Facts asked for, found, missed, and what was stored without being so."""

    asked: int = 0
    found: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    false: list[tuple[str, str]] = field(default_factory=list)
    quiet: int = 0  # sentences without a fact

    @property
    def coverage(self) -> float:
        return self.found / self.asked if self.asked else 1.0


def rows(name: str) -> list[dict[str, Any]]:
    """The sentences of one set."""
    loaded: list[dict[str, Any]] = json.loads((HERE / f"offline_{name}.json").read_text("utf-8"))
    return loaded


def stored(row: dict[str, Any]) -> list[str]:
    """What the offline mode asks memory to keep, in words, as the loop would read it."""
    shown = tuple(
        Recollection(Entry(f"m{number}", Kind.FACT, text), 0.5)
        for number, text in enumerate(row.get("recalled", ()), 1)
    )
    request = Request(
        (Message("user", row["text"]),), user=row["text"], core=row.get("core", {}), recalled=shown
    )
    answer, _ = asyncio.run(complete(OfflineModel(), request))
    return [_words(directive) for directive in parse(answer).directives]


def _words(directive: Directive) -> str:
    mark = f"[{directive.category}] " if directive.category else ""
    if directive.kind is DirectiveKind.FORGET:
        return f"forget {directive.target} {directive.text}".strip()
    return f"{mark}{directive.text}"


def holds(gold: str, text: str) -> bool:
    """Whether a text holds every gold word, in one of its spellings, at a word's beginning."""
    low = text.lower()
    return all(
        any(re.search(rf"(?<!\w){re.escape(spelling)}", low) for spelling in word.split("|"))
        for word in gold.split()
    )


def score(name: str) -> Score:
    """Run one set."""
    result = Score()
    for row in rows(name):
        kept = stored(row)
        result.quiet += not row["facts"]
        for gold in row["facts"]:
            result.asked += 1
            if any(holds(gold, text) for text in kept):
                result.found += 1
            else:
                result.missed.append((row["text"], gold))
        allowed = [*row["facts"], *row.get("optional", ())]
        for text in kept:
            known = any(holds(gold, text) for gold in allowed)
            forbidden = any(words in text.lower() for words in row.get("forbid", ()))
            if forbidden or not known:
                result.false.append((row["text"], text))
    return result


def milliseconds() -> tuple[float, float]:
    """CPU time of one turn: the median over all sentences, and for a message of 1 MB."""
    took = []
    for row in (row for name in SETS for row in rows(name)):
        start = time.process_time()
        stored(row)
        took.append(1_000 * (time.process_time() - start))
    start = time.process_time()
    stored({"text": "I love tea and my sister lives in Rome. " * 26_000})
    return statistics.median(took), 1_000 * (time.process_time() - start)


def main() -> None:
    """Print a line a set, and with ``--show`` what was missed or false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    for name in options.sets:
        result = score(name)
        print(
            f"{name}: {result.found} of {result.asked} facts ({result.coverage:.0%}), "
            f"{len(result.false)} false; {result.quiet} sentences without a fact"
        )
        if options.show:
            for text, gold in result.missed:
                print(f"  missed {gold!r} in {text!r}")
            for text, kept in result.false:
                print(f"  false  {kept!r} from {text!r}")

    turn, large = milliseconds()
    print(f"CPU: {turn:.1f} ms a turn (median), {large:.0f} ms for a message of 1 MB")


if __name__ == "__main__":
    main()
