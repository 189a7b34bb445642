"""However alike two texts are: where their numbers, dates, names or negations differ, or stand in
another order, both are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nosis.memory import Memory, filing
from nosis.memory.store import Embedded
from tests.recorded import quick_folder

NUMBERS = ["2", "3", "12", "21", "two", "three", "eleven", "1.5", "10:30", "v0.7.0", "2027"]
DATES = ["Monday", "Friday", "May", "June", "tomorrow", "3 May 2027", "4 May 2027", "2027-05-03"]
NAMES = ["Ada", "Bea", "Kim Lee", "Lee Kim", "Turin", "Lyon", "Postgres", "MySQL"]
NEGATIONS = ["eats", "does not eat", "never eats", "no longer eats", "doesn't eat", "avoids"]
FOODS = ["meat", "fish", "jam"]
SENTENCES = {
    "The user has {} cats and {} dogs": (NUMBERS, NUMBERS),
    "The build takes {} minutes since the change of {}": (NUMBERS, DATES),
    "{} moved from {} to {}": (NAMES, NAMES, NAMES),
    "The review by {} comes before the one by {}": (NAMES, NAMES),
    "Deploys are on {}, tests on {}": (DATES, DATES),
    "The user {} {} and {} {} at lunch": (NEGATIONS, FOODS, NEGATIONS, FOODS),
    "{} likes {} but not {}": (NAMES, FOODS, FOODS),
    "The user's boss is {} until {}": (NAMES, DATES),
}
CHINESE = ["用户喜欢喝茶", "用户不喜欢喝茶", "用户喜欢喝咖啡", "用户没有2只猫", "用户有2只猫"]


@st.composite
def alike(draw: st.DrawFn) -> list[str]:
    """Two to four texts of one pattern."""
    pattern = draw(st.sampled_from(sorted(SENTENCES)))
    slots = SENTENCES[pattern]
    filled = st.tuples(*map(st.sampled_from, slots)).map(lambda words: pattern.format(*words))
    return draw(st.lists(filled, min_size=2, max_size=4, unique_by=str.casefold))


pairs = alike() | st.lists(st.sampled_from(CHINESE), min_size=2, unique=True)


class SameForAll:
    """An embedder to which all texts mean the same."""

    name = "same"
    dimensions = 4

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        return [Embedded(np.array([[1, 0, 0, 0]], np.float32)) for _ in texts]


@settings(max_examples=300, deadline=None)
@given(pairs)
def test_texts_that_differ_in_a_detail_are_not_the_same(texts: list[str]) -> None:
    for old in texts:
        for new in texts:
            assert filing.says_the_same(old, new, 1.0) == (old == new)


@settings(max_examples=25, deadline=None)
@given(pairs)
def test_memory_keeps_them_all_and_none_twice(texts: list[str]) -> None:
    with quick_folder() as folder, Memory(folder, embedder=SameForAll()) as memory:
        for words in [*texts, *texts]:
            memory.remember(words)
            memory.embed_pending()
        kept = sorted(re.sub(r" \([^)]*\)", "", e.text) for e in memory.list_memories())
        assert kept == sorted(texts)
