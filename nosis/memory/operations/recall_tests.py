"""Recall tests: questions that must find a fact, kept with the workspace and run at will.

They live in ``recall_tests.json`` beside the journal: ids and questions, never a fact's words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nosis.errors import StorageError, UsageError
from nosis.memory.core import write_private
from nosis.memory.ids import new_id
from nosis.memory.text import neutralise
from nosis.memory.types import Entry, Filter, Status

if TYPE_CHECKING:
    from nosis.memory.memory import Memory

FILE = "recall_tests.json"
WITHIN = 5  # a test passes where its fact is among the first five recollections
LOOKED_AT = 30  # recollections searched for the rank of a fact that fails


@dataclass(frozen=True, slots=True)
class RecallTest:
    """This question must find the fact with this id, or what supersedes it."""

    id: str
    question: str
    expects: str

    def to_json(self) -> dict[str, str]:
        return {"id": self.id, "question": self.question, "expects": self.expects}


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The outcome of one test.

    ``rank`` counts from 1; None where the fact was not among the first 30. ``fact`` is the one
    looked for, after following what superseded it; None where it is gone.
    """

    test: RecallTest
    passed: bool
    rank: int | None
    fact: Entry | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            **self.test.to_json(),
            "passed": self.passed,
            "rank": self.rank,
            "fact": self.fact.text if self.fact else None,
            "reason": self.reason,
        }


class RecallTests:
    """The recall tests of one workspace."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._path = memory.folder / FILE

    def list(self) -> tuple[RecallTest, ...]:
        """All tests, in the order in which they were added.

        Raises:
            StorageError: the file cannot be read.
        """
        return _read(self._path)

    def add(self, question: str, fact_id: str) -> RecallTest:
        """Keep a test. The same question for the same fact is kept once.

        Raises:
            UsageError: the question is empty, or there is no such fact.
        """
        self._memory.check_writable()
        entry = self._memory.get(fact_id)
        if not (asked := neutralise(question)):
            raise UsageError("a recall test needs a question", "Ask what must find the fact.")
        tests = self.list()
        for test in tests:
            if (test.question, test.expects) == (asked, entry.id):
                return test
        added = RecallTest(new_id("q", 5), asked, entry.id)
        _write(self._path, (*tests, added))
        return added

    def remove(self, test_id: str) -> RecallTest:
        """Drop a test.

        Raises:
            UsageError: there is none with this id.
        """
        self._memory.check_writable()
        tests = self.list()
        for test in tests:
            if test.id == test_id:
                _write(self._path, tuple(t for t in tests if t is not test))
                return test
        raise UsageError(f"no recall test with the id {test_id!r}", "List them first.")

    def run(self, test: RecallTest) -> RecallResult:
        """Ask one question as a turn would, and see where its fact ranks."""
        fact = self._current(test.expects)
        if fact is None:
            return RecallResult(test, False, None, None, "the fact is gone")
        if fact.status is not Status.LIVE:
            return RecallResult(test, False, None, fact, f"the fact is {fact.status}")
        if fact.field:
            return RecallResult(test, True, None, fact, "in core memory: in every prompt")
        where = Filter(core=False, material_turns=False)
        found = self._memory.search(test.question, where, LOOKED_AT)
        for rank, hit in enumerate(found.hits, 1):
            if hit.entry.id == fact.id:
                reason = "" if rank <= WITHIN else f"not among the first {WITHIN}"
                return RecallResult(test, rank <= WITHIN, rank, fact, reason)
        near = any(hit.entry.id == fact.id for hit in found.near_misses)
        return RecallResult(
            test, False, None, fact, "narrowly below the floor" if near else "not found"
        )

    def run_all(self) -> tuple[RecallResult, ...]:
        """All results, in the order of the tests."""
        return tuple(self.run(test) for test in self.list())

    def _current(self, fact_id: str) -> Entry | None:
        """The fact, or the newest that superseded it."""
        seen: set[str] = set()
        entry: Entry | None = None
        wanted: str | None = fact_id
        while wanted and wanted not in seen:
            seen.add(wanted)
            found = self._memory.store.get([wanted])
            if not found:
                break
            entry = found[0]
            wanted = entry.superseded_by
        return entry


def remove_for(folder: Path, fact_id: str) -> None:
    """Drop the tests of a fact that is being purged.

    Raises:
        StorageError: the file cannot be read.
    """
    tests = _read(folder / FILE)
    kept = tuple(test for test in tests if test.expects != fact_id)
    if len(kept) < len(tests):
        _write(folder / FILE, kept)


def _read(path: Path) -> tuple[RecallTest, ...]:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        return tuple(
            RecallTest(str(item["id"]), str(item["question"]), str(item["expects"]))
            for item in content
        )
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StorageError(f"cannot read {path}: {error}", "Mend or remove the file.") from error


def _write(path: Path, tests: tuple[RecallTest, ...]) -> None:
    content = [test.to_json() for test in tests]
    write_private(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")
