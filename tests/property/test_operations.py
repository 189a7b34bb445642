"""Whatever is done with memory, in whatever order: undo is the inverse, the journal replays to
the state, an export brings it all back, and one agent's undo leaves the others' work alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nosis.errors import UsageError
from nosis.memory import Memory
from nosis.memory.exchange import export_lines, import_events
from nosis.memory.filing.curated import Plan, Proposal
from nosis.memory.types import Directive, DirectiveKind, Entry, Filter, Origin, Recollection, Status
from tests.recorded import EVERYTHING, quick_folder

WORDS = ["tea", "jam", "Turin", "Friday", "not", "3", "30", "Rex", "deploy", "always do"]
text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
number = st.integers(0, 20)
field = st.sampled_from(["name", "company", "preference", "hobby"])
importance = st.sampled_from([0.1, 0.5, 0.9])

step = st.one_of(
    st.tuples(st.just("remember"), text, importance, st.booleans()),
    st.tuples(st.just("update"), number, text, importance),
    st.tuples(st.sampled_from(["forget", "restore", "pin", "unpin", "accept", "reject"]), number),
    st.tuples(st.just("important"), number, importance),
    st.tuples(st.just("core set"), field, text),
    st.tuples(st.just("core append"), field, text),
    st.tuples(st.just("core remove"), field),
    st.tuples(st.just("turn"), text, st.lists(st.tuples(text, number), max_size=3), st.booleans()),
    st.tuples(st.just("curate"), st.lists(st.tuples(text, number), max_size=3)),
    st.tuples(st.just("undo")),
)


class Clock:
    """A second a look, so that nothing has the time of something else."""

    def __init__(self) -> None:
        self.now = 1_780_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def facts(memory: Memory) -> list[Entry]:
    return [e for e in memory.store.find(EVERYTHING, by="oldest") if e.kind == "fact"]


def chosen(memory: Memory, number: int) -> Entry:
    """Some fact of any status."""
    known = facts(memory)
    if not known:
        raise UsageError("nothing is there yet")
    return known[number % len(known)]


def turn(memory: Memory, words: str, asked: list[tuple[str, int]], pasted: bool) -> None:
    shown = [Recollection(chosen(memory, n), 1.0) for _, n in asked]
    kinds = (DirectiveKind.UPDATE, DirectiveKind.REPLACE, DirectiveKind.FORGET)
    directives = [
        Directive(kinds[n % 3], said, shown[at].entry.id if n % 3 else None)
        for at, (said, n) in enumerate(asked)
    ]
    material = "pasted text" if pasted else ""
    memory.record_turn("s1", words, "ok", directives, material=material, recalled=shown)


def curate(memory: Memory, asked: list[tuple[str, int]]) -> None:
    proposals = [
        Proposal(said, 0.5, None, Origin.CURATOR, memory.clock()).settled(
            chosen(memory, n), ("adds", "supersedes", "duplicate")[n % 3]
        )
        for said, n in asked
    ]
    memory.apply_plan(Plan.make(memory.store, memory.clock(), proposals, None))


DO: dict[str, Callable[..., object]] = {
    "remember": lambda m, t, i, gate: m.remember(t, i, origin=Origin.ASSISTANT, gate=gate),
    "update": lambda m, n, t, i: m.update_memory(chosen(m, n).id, t, i),
    "forget": lambda m, n: m.forget(chosen(m, n).id),
    "restore": lambda m, n: m.restore(chosen(m, n).id),
    "pin": lambda m, n: m.pin(chosen(m, n).id),
    "unpin": lambda m, n: m.unpin(chosen(m, n).id),
    "accept": lambda m, n: m.accept(chosen(m, n).id),
    "reject": lambda m, n: m.reject(chosen(m, n).id),
    "important": lambda m, n, i: m.mark_important(chosen(m, n).id, i),
    "core set": lambda m, f, t: m.core_set(f, t),
    "core append": lambda m, f, t: m.core_append(f, t),
    "core remove": lambda m, f: m.core_remove(f),
    "turn": turn,
    "curate": curate,
    "undo": lambda m: m.undo(),
}


def do(memory: Memory, one: tuple[Any, ...]) -> None:
    with suppress(UsageError):  # nothing to undo, not pending, already so
        DO[one[0]](memory, *one[1:])


def seen(memory: Memory) -> dict[str, Any]:
    """All that an operation can change, by entry."""
    return {
        "core": memory.core(),
        **{
            e.id: (
                *(e.text, e.status, e.importance, e.category, e.pinned, e.field, e.origin),
                e.superseded_by if e.status is Status.SUPERSEDED else None,
                e.reason if e.status is Status.PENDING else None,
            )
            for e in facts(memory)
        },
    }


@contextmanager
def workspace(*agents: str) -> Iterator[list[Memory]]:
    """One workspace, opened by each of these agents."""
    clock = Clock()
    with quick_folder() as folder, ExitStack() as stack:
        yield [
            stack.enter_context(Memory(folder, agent=name, embedder=None, clock=clock))
            for name in agents
        ]


def undo_all(memory: Memory) -> None:
    """Take back all that this agent did."""
    operations = len({event["op"] for _, event in memory.store.events()})
    with pytest.raises(UsageError, match="nothing to undo"):
        for _ in range(operations + 1):
            memory.undo()


few = settings(max_examples=40, deadline=None)


@few
@given(st.lists(step, max_size=8), step)
def test_an_operation_then_undo_is_the_identity(before: list[Any], one: Any) -> None:
    with workspace("ada") as (memory,):
        for earlier in before:
            do(memory, earlier)
        was, last = seen(memory), memory.store.last_op()
        if one[0] == "undo":
            return
        do(memory, one)
        if memory.store.last_op() == last:  # it changed nothing: a duplicate, a refusal
            assert {k: v for k, v in seen(memory).items() if k in was} == was
            return
        memory.undo()
        now = seen(memory)
        assert {name: now[name] for name in was} == was
        assert all(now[name][1] is Status.FORGOTTEN for name in now.keys() - was.keys())
        page = memory.folder / "core.json"
        assert (json.loads(page.read_text()) if page.exists() else {}) == memory.core()


@few
@given(st.lists(step, max_size=12))
def test_the_journal_replays_to_the_state_and_an_export_brings_it_all_back(
    steps: list[Any],
) -> None:
    with workspace("ada") as (memory,), workspace("bob") as (copy,):
        for one in steps:
            do(memory, one)
        state, entries = seen(memory), memory.store.find(EVERYTHING)
        replayed = memory.as_of(memory.clock())
        assert replayed.core == memory.core()
        assert {e.id: e.text for e in replayed.facts} == {
            e.id: e.text for e in memory.list_memories()
        }
        lines = list(export_lines(memory.store))
        memory.store.reindex()
        assert (seen(memory), memory.store.find(EVERYTHING)) == (state, entries)
        import_events(copy, map(json.loads, lines))
        assert list(export_lines(copy.store)) == lines
        assert (seen(copy), copy.store.find(EVERYTHING)) == (state, entries)
        again = import_events(copy, map(json.loads, lines))
        assert (again.added, list(export_lines(copy.store))) == (0, lines)


@few
@given(st.lists(st.tuples(st.booleans(), step), max_size=12))
def test_what_one_agent_undoes_leaves_the_others_facts_alone(steps: list[Any]) -> None:
    """Whatever Ada did and takes back, facts that only Bob touched are as he left them."""
    with workspace("ada", "bob") as (ada, bob):
        for hers, one in steps:
            do(ada if hers else bob, one)
        touched = {
            name
            for _, event in ada.store.events()
            if event["agent"] == "ada"
            for name in (event.get("id"), event.get("supersedes"))
        }
        before = seen(bob)
        undo_all(ada)
        after = seen(bob)
        alone = before.keys() - touched - {"core"}
        assert {name: after[name] for name in alone} == {name: before[name] for name in alone}


@few
@given(st.lists(st.tuples(st.booleans(), text), min_size=1, max_size=8))
def test_preferences_of_two_agents_come_and_go_apart(steps: list[Any]) -> None:
    with workspace("ada", "bob") as (ada, bob):
        kept: list[str] = []
        for number, (hers, words) in enumerate(steps):
            value = f"{words} item{number}"
            (ada if hers else bob).core_append("preference", value)
            kept += [] if hers else [value]
        undo_all(ada)
        assert bob.core() == ({"preference": kept} if kept else {})
        mirrors = {e.text for e in bob.list_memories() if e.field}
        assert mirrors == {f"preference: {value}" for value in kept}


@few
@given(st.lists(text, max_size=8), st.lists(st.tuples(text, number), max_size=6))
def test_curation_never_loses_a_fact_that_it_did_not_name(
    known: list[str], asked: list[tuple[str, int]]
) -> None:
    with workspace("ada") as (memory,):
        for words in known:
            memory.remember(words)
        before = memory.store.find(Filter())
        named = {chosen(memory, n).id for _, n in asked if n % 3 == 1} if before else set()
        with suppress(UsageError):
            curate(memory, asked)
        live = {e.id for e in memory.list_memories()}
        assert {e.id for e in before} - named <= live
