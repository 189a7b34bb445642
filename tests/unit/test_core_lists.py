"""Lists in core memory: what a model adds to them or replaces in them loses nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nosis.memory import Memory
from nosis.memory.types import Receipt
from nosis.protocol import parse

TEAM = ["Mira leads the team", "Jon does the frontend", "Ola is on leave"]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path, embedder=None) as opened:
        opened.core_set("team", TEAM)
        yield opened


def told(memory: Memory, said: str, line: str, *, material: str = "") -> list[Receipt]:
    """The receipts of a turn with this message and this line of the answer."""
    directives = parse(f"Ok.\n{line}").directives
    return memory.record_turn("s1", said, "Ok.", directives, material=material)[1]


def test_a_value_for_a_list_is_added_to_it(memory: Memory) -> None:
    receipts = told(memory, "Bea joined the team", "MEMORY_UPDATE: team: Bea joined the team")
    assert [r.outcome for r in receipts] == ["core updated"]
    assert memory.core()["team"] == [*TEAM, "Bea joined the team"]


@pytest.mark.parametrize(
    "line",
    [
        "MEMORY_REPLACE: team: Jon does the frontend -> Kim does the frontend",
        "MEMORY_REPLACE: Team: jon DOES the frontend → team: Kim does the frontend",
        "MEMORY_REPLACE: team: Jon, frontend => Kim does the frontend",
        "- **MEMORY_REPLACE:** `team: Jon does the frontend` -> Kim does the frontend",
    ],
)
def test_a_named_value_of_a_list_is_replaced(memory: Memory, line: str) -> None:
    receipts = told(memory, "Kim does the frontend now, not Jon", line)
    assert [(r.outcome, r.previous) for r in receipts] == [
        ("core updated", "Jon does the frontend")
    ]
    assert memory.core()["team"] == [TEAM[0], TEAM[2], "Kim does the frontend"]
    history = [e.text for e in memory.list_memories(status=None) if e.status == "superseded"]
    assert history == ["team: Jon does the frontend"]
    memory.undo()
    assert sorted(memory.core()["team"]) == sorted(TEAM)


@pytest.mark.parametrize("named", ["Bo does the backend", "the", "does"])
def test_a_value_that_is_not_there_replaces_nothing(memory: Memory, named: str) -> None:
    (receipt,) = told(
        memory, "Kim does the design", f"MEMORY_REPLACE: team: {named} -> Kim does the design"
    )
    assert (receipt.outcome, receipt.previous) == ("core updated", None)
    assert "stored as new" in (receipt.reason or "")
    assert memory.core()["team"] == [*TEAM, "Kim does the design"]


def test_a_replacement_from_material_waits_and_then_replaces(memory: Memory) -> None:
    line = "MEMORY_REPLACE: team: Jon does the frontend -> Kim does the frontend"
    (receipt,) = told(memory, "see this", line, material="Kim does the frontend")
    assert receipt.outcome == "pending" and memory.core()["team"] == TEAM
    memory.accept(memory.pending()[0].id)
    assert memory.core()["team"] == [TEAM[0], TEAM[2], "Kim does the frontend"]


def test_a_replacement_that_is_known_already_still_takes_the_old_value_away(
    memory: Memory,
) -> None:
    told(memory, "Ola left", "MEMORY_REPLACE: team: Ola is on leave -> Jon does the frontend")
    assert memory.core()["team"] == ["Mira leads the team", "Jon does the frontend"]


def test_a_field_of_one_value_is_replaced_by_name(memory: Memory) -> None:
    memory.core_set("city", "Turin")
    told(memory, "I live in Rome now", "MEMORY_REPLACE: city: Turin -> Rome")
    assert memory.core()["city"] == "Rome"


def test_a_field_that_nobody_made_becomes_a_fact(memory: Memory) -> None:
    (receipt,) = told(memory, "it is b", "MEMORY_REPLACE: plan: it is a -> it is b")
    assert (receipt.outcome, receipt.text) == ("stored", "it is b")
    assert "plan" not in memory.core()


@pytest.mark.parametrize("line", ["team: Ola is on leave", "Team: ola is on LEAVE"])
def test_a_value_of_a_list_is_forgotten_by_its_words(memory: Memory, line: str) -> None:
    (receipt,) = told(memory, "forget that Ola is on leave", f"MEMORY_FORGET: {line}")
    assert receipt.outcome == "forgotten" and memory.core()["team"] == TEAM[:2]


@pytest.mark.parametrize("line", ["team: Bo is new", "plan: Ola is on leave", "team"])
def test_what_is_not_there_is_not_forgotten(memory: Memory, line: str) -> None:
    (receipt,) = told(memory, "forget it", f"MEMORY_FORGET: {line}")
    assert receipt.outcome == "rejected" and memory.core()["team"] == TEAM


def test_a_fact_that_is_known_already_still_supersedes_the_one_it_replaces(memory: Memory) -> None:
    old = memory.remember("The shop opens at seven")
    new = memory.remember("The shop opens at nine")
    shown = memory.recollect("When does the shop open?", 1_000).hits
    line = parse(f"Ok.\nMEMORY_REPLACE: {old.id} -> The shop opens at nine").directives
    _, (receipt,) = memory.record_turn("s1", "the shop opens at nine", "Ok.", line, recalled=shown)
    assert (receipt.outcome, receipt.id, receipt.previous) == ("superseded", new.id, old.text)
    assert memory.get(old.id or "").superseded_by == new.id
    memory.undo()
    assert {memory.get(id or "").status for id in (old.id, new.id)} == {"live"}
