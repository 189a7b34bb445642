"""Which known things answer a question: the right kind, about the right one, best first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nosis.models.offline import concepts, dates, lexicon, phrases
from nosis.models.offline.known import Known
from nosis.models.offline.questions import Kind, Question

ENOUGH = 0.6  # share of a question's concepts that a fact must hold
ENOUGH_SPOKEN = 0.75  # of the user's own words, which say more than one thing

TASTE = frozenset(["like", "hate"])
_LIGHT = lexicon.word_set(
    """
    favourite like name use plan day time make need want take come see help good new look find
    give run play big current
    """
)
GENERIC = _LIGHT | {"live", "work", "age"}  # relations: no subject of their own
_LIGHT_WEIGHT = 0.6
_PLACE = re.compile(
    r"\b(?:in|at|to|near|from|on|outside|under|by|behind|around|into|off|above|next to)\b"
)
_TIME = re.compile(
    r"\b(?:1[89]|20)\d\d\b|\d{1,2}(?:st|nd|rd|th)\b|\d:\d\d|\b(?:last|ago|next|yesterday)\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
)
_NOT_NOW = re.compile(
    r"\b(?:used to|no longer|formerly|lived|was a|is (?:moving|planning|going)|will|wants? to|"
    r"would|hopes)\b"
)
_ASKS_OTHERWISE = re.compile(
    r"\b(?:did|used?|before|former|previous|was|were|still|moving|plan|planning|going|want|will|"
    r"would|hope)\b"
)
_OWNED = re.compile(r"^(?:The user's [a-z-]+ )?[A-Z][\w-]*'s ([a-z-]+)")
_AGED = re.compile(r"\bborn\b|\bturned \d|\bis \d")
_COUNTED = re.compile(r"\b(?:no|and)\b")


def fitting(question: Question, items: Sequence[Known]) -> list[Known]:
    """The known things that answer a question, best first."""
    ranked = []
    for position, item in enumerate(items):
        if item.loose and question.kind is not Kind.TOLD:
            continue
        past = "used to" in item.text and not item.spoken and question.kind is not Kind.YES_NO
        if past and not _ASKS_OTHERWISE.search(question.text):
            continue
        covered = share(question, item)
        if covered < (ENOUGH_SPOKEN if item.spoken else ENOUGH) or not _fits(question, item):
            continue
        rank = (
            not item.spoken,
            round(covered, 2),
            item.about_user == question.self_,
            not _NOT_NOW.search(item.text) or bool(_ASKS_OTHERWISE.search(question.text)),
            _is_field(question, item),
            len(item.held & set(question.asked)),
            item.when,
            -position,
        )
        ranked.append((rank, item))
    ranked.sort(key=lambda pair: pair[0], reverse=True)
    return [item for _, item in ranked]


def share(question: Question, item: Known) -> float:
    """How much of a question's concepts a known thing holds (0-1); 0 if it is of another being."""
    held = item.held
    if question.kind is Kind.YES_NO and held & TASTE:
        held |= TASTE  # "do I like tea?" is answered by what is hated, too
    whole = got = 0.0
    for asked in question.asked:
        weight = _LIGHT_WEIGHT if asked in _LIGHT else 1.0
        whole += weight
        if concepts.matches(asked, held):
            got += weight
        elif asked in concepts.beings() and not item.spoken:
            return 0.0  # "my brother" is not answered by what is known of a sister
    return got / whole if whole else 0.0


def _fits(question: Question, item: Known) -> bool:
    """Whether an item gives the kind of answer that is asked for, about the one it is asked of."""
    if _of_another(question, item) or _of_theirs(question, item):
        return False
    text = item.text.lower()
    found = [word.strip(".,;!?") for word in text.split()]
    match question.kind:
        case Kind.WHERE:
            employer = item.core is not None and item.core[0] == "company"
            return employer or bool(_PLACE.search(text))
        case Kind.WHEN:
            return dates.has_date(found) or bool(_TIME.search(text))
        case Kind.COUNT:
            return dates.has_number(found) or bool(_COUNTED.search(text))
        case Kind.AGE:
            return "age" in item.held or bool(_AGED.search(text))
        case Kind.WHO:
            return any(map(phrases.is_name, item.text.replace("The user", "").split()))
        case Kind.WHAT if not item.spoken and TASTE & set(question.asked):
            return item.negative == ("hate" in question.asked)
        case _:
            return True


def _of_another(question: Question, item: Known) -> bool:
    """Whether a question about the user meets what is known of someone else."""
    if not question.self_ or item.spoken or question.kind is Kind.WHO:
        return False
    if item.about_user and "user" in item.text:
        return False
    asked = set(question.asked)
    named = any(concepts.matches(c, item.subjects) for c in asked - GENERIC)
    return not named and not asked & item.subjects & concepts.beings()


def _of_theirs(question: Question, item: Known) -> bool:
    """Whether "Ida's father …" is held against a question about Ida."""
    owned = [c for m in _OWNED.finditer(item.text) for c in concepts.concepts(m[1])]
    asked = set(question.asked)
    return not item.spoken and any(c in concepts.beings() and c not in asked for c in owned)


def _is_field(question: Question, item: Known) -> bool:
    """Whether it is the core field that is asked for: the role for "what", else the company."""
    if item.core and item.core[0] == "name" and question.asked == ("name",):
        return True
    if not item.core or "work" not in question.asked:
        return False
    placed = question.kind in (Kind.WHERE, Kind.WHO)
    employer = placed or "company" in question.text or "employer" in question.text
    return item.core[0] == ("company" if employer else "role")
