"""What memory knew on a date, replayed from the journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nosis.errors import UsageError
from nosis.memory import Memory
from nosis.memory.operations.time_travel import moment

DAY = 86_400
MAY = 1_777_593_600.0  # 2026-05-01 00:00 UTC


class Clock:
    def __init__(self) -> None:
        self.now = MAY + 3_600

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    with Memory(tmp_path, embedder=None, clock=clock) as opened:
        yield opened


def texts(memory: Memory, when: str | float) -> list[str]:
    return [fact.text for fact in memory.as_of(when).facts]


def test_a_day_means_its_end(memory: Memory, clock: Clock) -> None:
    clock.now = MAY + DAY - 60
    memory.remember("late on the first")
    clock.now = MAY + DAY + 60
    memory.remember("early on the second")
    assert texts(memory, "2026-04-30") == []
    assert texts(memory, "2026-05-01") == ["late on the first"]
    assert texts(memory, "2026-05-02") == ["early on the second", "late on the first"]
    assert texts(memory, "2026-05-02T00:00:30Z") == ["late on the first"]
    assert texts(memory, "2026-05-02T09:00:30+09:00") == ["late on the first"]


def test_an_edit_and_a_forget_do_not_reach_back(memory: Memory, clock: Clock) -> None:
    fact = memory.remember("lives in Rome", 0.4, "contact")
    clock.now += DAY
    memory.update_memory(fact.id or "", "lives in Turin", importance=0.9)
    clock.now += DAY
    memory.forget(fact.id or "")
    first, second, third = (memory.as_of(f"2026-05-0{day}").facts for day in (1, 2, 3))
    assert [(f.text, f.importance) for f in first] == [("lives in Rome", 0.4)]
    assert [(f.text, f.importance) for f in second] == [("lives in Turin", 0.9)]
    assert third == []
    clock.now += DAY
    memory.undo()
    assert texts(memory, "2026-05-04") == ["lives in Turin"]
    assert texts(memory, "2026-05-03") == []


def test_core_memory_is_that_of_the_day(memory: Memory, clock: Clock) -> None:
    memory.core_set("name", "Ada")
    memory.core_append("preference", "short answers")
    clock.now += DAY
    memory.core_set("name", "Ada Lovelace")
    memory.core_remove("preference")
    assert memory.as_of("2026-05-01").core == {"name": "Ada", "preference": ["short answers"]}
    assert memory.as_of("2026-05-02").core == {"name": "Ada Lovelace"}
    assert memory.as_of("2026-04-30").core == {}


def test_a_superseded_fact_was_current_before(memory: Memory, clock: Clock) -> None:
    memory.core_set("company", "Acme")
    clock.now += DAY
    memory.core_set("company", "Globex")
    assert texts(memory, "2026-05-01") == ["company: Acme"]
    assert texts(memory, "2026-05-02") == ["company: Globex"]


def test_now_is_the_current_state(memory: Memory, clock: Clock) -> None:
    ids = [memory.remember(text).id or "" for text in ("one", "two", "three", "four")]
    clock.now += 10
    memory.pin(ids[0])
    memory.forget(ids[1])
    memory.restore(ids[1])
    memory.update_memory(ids[2], "three and a half", category="project")
    memory.forget(ids[3])
    knowledge = memory.as_of(clock.now)
    assert knowledge.core == memory.core()
    assert sorted(knowledge.facts, key=lambda f: f.id) == sorted(
        memory.list_memories(), key=lambda f: f.id
    )


def test_purged_words_do_not_come_back(memory: Memory, clock: Clock) -> None:
    fact = memory.remember("the vault code is heron")
    clock.now += DAY
    memory.purge(fact.id or "")
    assert texts(memory, "2026-05-01") == []


def test_pending_facts_were_not_known(memory: Memory, clock: Clock) -> None:
    from nosis.memory.types import Directive, DirectiveKind

    directive = Directive(DirectiveKind.UPDATE, "the build runs nightly")
    memory.record_turn("s1", "see this", "Noted.", [directive], material="The build runs nightly.")
    clock.now += DAY
    memory.accept(memory.pending()[0].id)
    assert texts(memory, "2026-05-01") == []
    assert texts(memory, "2026-05-02") == ["the build runs nightly"]


def test_a_clock_that_ran_backwards_is_taken_at_its_word(memory: Memory, clock: Clock) -> None:
    clock.now = MAY + 3 * DAY
    memory.remember("written on the fourth")
    clock.now = MAY
    memory.remember("written on the first")
    assert texts(memory, "2026-05-01") == ["written on the first"]


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "2026-02-30", "", "1w"])
def test_what_is_no_date_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        moment(text)
    assert "not a date" in raised.value.message and "2026" in raised.value.hint


def test_the_newest_events_are_read_from_the_end(memory: Memory) -> None:
    for number in range(5):
        memory.remember(f"fact number {number}")
    newest = [event["text"] for _, event in memory.store.events(after=-2)]
    assert newest == ["fact number 3", "fact number 4"]
    assert len(list(memory.store.events(after=-99))) == 5
