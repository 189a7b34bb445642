"""Proper names: what may be one, and where it ends."""

from __future__ import annotations

import re

from nosis.models.offline import lexicon, nouns, words
from nosis.models.offline.names import FIRST_NAMES

_TITLES = lexicon.word_set("dr dr. mr mr. mrs mrs. ms ms. prof prof. sir")
_PARTICLES = lexicon.word_set("de van von der den da di del la le al bin ibn o mac")
_WORD = re.compile(r"^[^\W\d_][\w'’.-]*$")
_AFTER = lexicon.word_set(
    """
    , from and the a an but your new in at by here aka or - with btw haha lol
    """
)
_COMMON = (
    lexicon.NATIONALITIES
    | lexicon.TRAITS
    | nouns.ROLE_NOUNS
    | lexicon.TRAIT_NOUNS
    | lexicon.MONTHS
    | lexicon.WEEKDAYS
    | lexicon.EVALUATIONS
)
_MAX_WORDS = 6


def proper_name(clause: list[str], *, sure: bool) -> str | None:
    """The name that words open with; ``sure``: they follow "my name is"."""
    taken: list[str] = []
    for index, word in enumerate(clause[:_MAX_WORDS]):
        low = word.lower()
        if low in _TITLES or (taken and low in _PARTICLES and index + 1 < len(clause)):
            taken.append(word)
        elif _continues(taken, word, sure=sure, last=index == len(clause) - 1):
            taken.append(word if word[:1].isupper() else word.capitalize())
        else:
            break
    while taken and taken[-1].lower() in _PARTICLES | _TITLES:
        taken.pop()
    rest = words.low(clause[len(taken) : len(taken) + 1])
    ended = not rest or rest[0] in _AFTER or (sure and rest[0] == "too")
    return " ".join(taken) if taken and ended else None


def _continues(taken: list[str], word: str, *, sure: bool, last: bool) -> bool:
    """Whether a word belongs to the name that ``taken`` begins."""
    low, written = word.lower(), word[:1].isupper()
    if not _WORD.match(word) or low in _AFTER:
        return False
    if low in lexicon.NOT_NAMES and not (sure and written and taken):
        return False
    if not written and low not in FIRST_NAMES:
        # "my name is oluwaseun adeyemi", not "my name is irrelevant here"
        small = sure and (last or bool(taken)) and not (taken and taken[0][:1].isupper())
        if not small or low in _COMMON:
            return False
    return sure or bool(taken) or _may_be_name(word, low)


def _may_be_name(word: str, low: str) -> bool:
    if low in FIRST_NAMES:
        return True
    shouted = word.isupper() and len(word) > 1
    return not (shouted or low in _COMMON or low.endswith(("ing", "ed", "ful", "less", "ious")))
