"""Recall tests: a question that must find a fact, and what becomes of the fact."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nosis.errors import StorageError, UsageError
from nosis.memory import Memory
from nosis.memory.operations.recall_tests import FILE
from nosis.memory.types import Directive, DirectiveKind, Recollection


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path, embedder=None) as opened:
        yield opened


def kept(memory: Memory, text: str) -> str:
    return memory.remember(text).id or ""


def test_a_question_that_finds_its_fact_passes_with_the_rank(memory: Memory) -> None:
    fact = kept(memory, "the dog is called Rex")
    kept(memory, "the cat is called Tom")
    test = memory.recall_tests.add("what is the dog called?", fact)
    assert memory.recall_tests.list() == (test,)
    (result,) = memory.recall_tests.run_all()
    assert result.passed and result.rank == 1
    assert result.fact and result.fact.text == "the dog is called Rex"
    assert result.to_json()["passed"] is True


def test_a_question_that_does_not_find_it_fails_with_the_reason(memory: Memory) -> None:
    memory.recall_tests.add("which pet sleeps in the garden?", kept(memory, "Rex barks at night"))
    (result,) = memory.recall_tests.run_all()
    assert (result.passed, result.rank, result.reason) == (False, None, "not found")


def test_a_fact_that_ranks_too_low_fails_with_its_rank(memory: Memory) -> None:
    fact = kept(memory, "deploys, releases, hotfixes, rollbacks and audits wait for the review")
    for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta"):
        kept(memory, f"review {word}")
    memory.recall_tests.add("review", fact)
    (result,) = memory.recall_tests.run_all()
    assert not result.passed and result.rank == 7


def test_the_fact_that_supersedes_it_counts(memory: Memory) -> None:
    old = kept(memory, "deploys happen on Fridays")
    test = memory.recall_tests.add("when do deploys happen?", old)
    replacing = Directive(DirectiveKind.REPLACE, "deploys happen on Mondays", target=old)
    shown = [Recollection(memory.get(old), 1.0)]
    memory.record_turn("s1", "deploys happen on Mondays now", "Noted.", [replacing], recalled=shown)
    result = memory.recall_tests.run(test)
    assert result.passed and result.fact and result.fact.text == "deploys happen on Mondays"


def test_a_forgotten_fact_fails_and_says_so(memory: Memory) -> None:
    fact = kept(memory, "the dog is called Rex")
    memory.recall_tests.add("dog", fact)
    memory.forget(fact)
    (result,) = memory.recall_tests.run_all()
    assert (result.passed, result.reason) == (False, "the fact is forgotten")


def test_core_memory_is_always_found(memory: Memory) -> None:
    fact = memory.core_set("name", "Ada").id or ""
    memory.recall_tests.add("who am I?", fact)
    (result,) = memory.recall_tests.run_all()
    assert result.passed and "core memory" in result.reason


def test_tests_outlive_the_process_and_are_kept_once(tmp_path: Path) -> None:
    with Memory(tmp_path, embedder=None) as memory:
        fact = kept(memory, "the dog is called Rex")
        first = memory.recall_tests.add("dog?", fact)
        assert memory.recall_tests.add("dog?", fact) == first
    with Memory(tmp_path, embedder=None) as memory:
        assert memory.recall_tests.remove(first.id) == first
        assert memory.recall_tests.list() == ()
        with pytest.raises(UsageError):
            memory.recall_tests.remove(first.id)


def test_the_file_is_private_and_holds_no_words_of_the_fact(memory: Memory) -> None:
    memory.recall_tests.add("what opens it?", kept(memory, "the vault code is heron"))
    path = memory.folder / FILE
    assert path.stat().st_mode & 0o777 == 0o600
    assert "heron" not in path.read_text()


def test_purging_a_fact_takes_its_tests_along(memory: Memory) -> None:
    kept_fact, gone = kept(memory, "the dog is called Rex"), kept(memory, "vault code heron")
    memory.recall_tests.add("dog?", kept_fact)
    memory.recall_tests.add("vault code heron", gone)
    memory.purge(gone)
    assert [test.question for test in memory.recall_tests.list()] == ["dog?"]


@pytest.mark.parametrize("question", ["", "  \n "])
def test_an_empty_question_is_refused(memory: Memory, question: str) -> None:
    with pytest.raises(UsageError):
        memory.recall_tests.add(question, kept(memory, "a fact"))
    assert memory.recall_tests.list() == ()


@pytest.mark.parametrize("content", ["", "{", "[1]", '[{"id": 1}]', '{"a": 1}'])
def test_a_damaged_file_is_named(memory: Memory, content: str) -> None:
    (memory.folder / FILE).write_text(content)
    with pytest.raises(StorageError) as raised:
        memory.recall_tests.list()
    assert FILE in raised.value.message and raised.value.hint
