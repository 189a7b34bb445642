"""Whatever happens to memory, each moment can be told afterwards as it was."""

from __future__ import annotations

import contextlib
import tempfile

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from nosis.errors import StorageError, UsageError
from nosis.memory import Memory
from nosis.memory.operations.time_travel import Knowledge

WORDS = st.sampled_from(["likes tea", "lives in Rome", "owns 2 cats", "runs Postgres", "née Ada"])
FIELDS = st.sampled_from(["name", "company", "preference"])
STEPS = st.one_of(
    st.tuples(st.just("remember"), WORDS, st.floats(0, 1)),
    st.tuples(st.just("edit"), st.integers(0, 9), WORDS),
    st.tuples(st.sampled_from(["forget", "restore", "pin", "unpin", "purge"]), st.integers(0, 9)),
    st.tuples(st.just("core_set"), FIELDS, WORDS),
    st.tuples(st.sampled_from(["core_remove", "undo"]), FIELDS),
)


def take(memory: Memory, step: tuple[object, ...], ids: list[str]) -> None:
    """One operation; those that make no sense are refused and change nothing."""
    match step:
        case ("remember", str(text), float(importance)):
            ids.append(memory.remember(text, importance).id or "")
        case ("edit", int(number), str(text)) if ids:
            memory.update_memory(ids[number % len(ids)], text)
        case (str(name), int(number)) if ids:
            getattr(memory, name)(ids[number % len(ids)])
        case ("core_set", str(field), str(text)):
            memory.core_set(field, text)
        case ("core_remove", str(field)):
            memory.core_remove(field)
        case ("undo", _):
            memory.undo()


def known(memory: Memory) -> Knowledge:
    return Knowledge(memory.core(), memory.list_memories())


def comparable(knowledge: Knowledge) -> tuple[object, ...]:
    return knowledge.core, sorted(knowledge.facts, key=lambda fact: fact.id)


# Each example opens a workspace, so that shrinking a failing one would take minutes.
@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(STEPS, max_size=10))
def test_every_moment_is_told_as_it_was(steps: list[tuple[object, ...]]) -> None:
    now, ids, moments = 1_777_000_000.0, list[str](), list[tuple[float, Knowledge]]()
    with (
        tempfile.TemporaryDirectory() as home,
        Memory(home, embedder=None, clock=lambda: now) as memory,
    ):
        for step in steps:
            now += 3_600
            # An operation that makes no sense, or a purge whose words another fact repeats.
            with contextlib.suppress(UsageError, StorageError):
                take(memory, step, ids)
            moments.append((now, known(memory)))
        # Purged words are gone from the past as well: then only the present can be compared.
        purged = any(event["type"] == "purge" for _, event in memory.store.events())
        for when, knowledge in moments[-1:] if purged else moments:
            assert comparable(memory.as_of(when)) == comparable(knowledge)
