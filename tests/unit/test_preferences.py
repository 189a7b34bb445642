"""A new preference takes the place of the one that it contradicts, and of no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nosis.memory import Memory
from nosis.memory.filing.contradiction import contradicts
from nosis.memory.types import Directive, DirectiveKind, Outcome, Status


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path, embedder=None) as opened:
        yield opened


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tea", "no longer drinks tea"),
        ("strong tea", "no longer drinks tea"),
        ("prefers tea", "does not like tea any more"),
        ("no longer drinks tea", "drinks tea again"),
        ("likes cilantro", "hates cilantro"),
        ("prefers dark mode", "prefers light mode"),
        ("short answers", "long answers"),
        ("wants concise answers", "prefers detailed answers"),
        ("12-hour clock", "24-hour clock"),
        ("tabs", "spaces"),
        ("answers in English", "answers in German"),
    ],
)
def test_a_preference_contradicts_another(old: str, new: str) -> None:
    assert contradicts(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tea", "coffee"),
        ("tea", "strong tea"),
        ("tea", "no sugar"),
        ("likes tea", "does not like tea in the morning"),
        ("hates cilantro", "never eats meat"),
        ("likes short walks", "likes long walks"),
        ("dark mode", "also light mode"),
        ("speaks English", "speaks German"),
        ("prefers dark mode", "prefers light beer"),
        ("prefers dark mode", "prefers dark mode at night"),
        ("no meetings", "never on Mondays"),
        ("short answers", "long weekends"),
        ("prefers room 12", "prefers room 24"),
        ("tea", ""),
        ("tea", "not"),
    ],
)
def test_where_both_can_be_true_both_are_kept(old: str, new: str) -> None:
    assert not contradicts(old, new)


def preferred(memory: Memory, text: str) -> None:
    directive = Directive(DirectiveKind.UPDATE, f"preference: {text}")
    memory.record_turn("s1", f"I want this: {text}", "ok", [directive])


def test_the_old_preference_becomes_history_and_the_receipt_names_it(memory: Memory) -> None:
    preferred(memory, "prefers tea")
    preferred(memory, "prefers dark mode")
    _, (receipt,) = memory.record_turn(
        "s1",
        "I prefer light mode now",
        "ok",
        [Directive(DirectiveKind.UPDATE, "preference: prefers light mode")],
    )
    assert (receipt.outcome, receipt.previous) == (Outcome.CORE_UPDATED, "prefers dark mode")
    assert memory.core() == {"preference": ["prefers tea", "prefers light mode"]}
    (old,) = memory.list_memories(status=Status.SUPERSEDED)
    assert (old.text, old.superseded_by) == ("preference: prefers dark mode", receipt.id)
    memory.undo()
    assert memory.core() == {"preference": ["prefers tea", "prefers dark mode"]}


def test_one_denial_takes_the_place_of_all_that_it_denies(memory: Memory) -> None:
    for value in ("green tea", "tea", "jam"):
        memory.core_append("preference", value)
    memory.core_append("preference", "no longer drinks tea")
    assert memory.core() == {"preference": ["jam", "no longer drinks tea"]}
    assert len(memory.list_memories()) == 2


def test_a_promotion_that_does_not_fit_moves_nobody_out(memory: Memory) -> None:
    from nosis.memory import core
    from nosis.memory.filing.curated import Plan

    for number in range(9):
        memory.core_append("preference", f"thing{number} " + "x" * 860)
    assert core.size(memory.core()) > core.MAX_BYTES - 300
    before = memory.core()
    memory.remember("prefers tea " + "y" * 400, 0.6, "preference")
    for number in range(10):
        memory.record_turn("s1", f"question {number}", "ok", recalled=memory.recall("prefers tea"))
    plan = Plan.make(memory.store, memory.clock(), (), None)
    assert [entry.text[:11] for entry in plan.promote] == ["prefers tea"]
    assert memory.apply_plan(plan) == []
    assert memory.core() == before
