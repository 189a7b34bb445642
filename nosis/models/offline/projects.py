"""Statements about what the user works on: "the launch is on 3 June"."""

from __future__ import annotations

import re

from nosis.models.offline import dates, gate, lexicon, nouns, person, phrases, verbs, words
from nosis.models.offline.facts import Fact
from nosis.models.offline.others import ADDRESS, DATED, SETUP

_PEOPLE = lexicon.word_set("client clients customer customers team")
_WHERE = lexicon.word_set("in on at under behind with")
_PLACES = lexicon.word_set(
    """
    drawer folder kitchen garage cupboard vault safe desk fridge shed box cabinet hall hallway
    office basement attic flowerpot
    """
)
_FILE = re.compile(r"\.(?:py|js|ts|md|txt|html|css|csv|json|yaml|yml|toml|java|go|rs|c|cpp|h)$")
_NAMEABLE = lexicon.word_set(
    """
    codename client customer supplier venue password wifi wi-fi deadline
    """
)
_MEETINGS = lexicon.word_set("standup stand-up meeting retro lesson")
_GOING = lexicon.word_set("are go goes")
_POINTING = lexicon.word_set("under behind")


def project(clause: list[str]) -> list[Fact]:
    """Facts of a clause that begins with "the" and a noun of work or of a household."""
    lowered = words.low(clause)
    if gate.UNSURE & (set(lowered) - {"may"}) or phrases.points(lowered[1:]):
        return []
    at = verbs.find(lowered, 2, 9)
    if at is None:
        return []
    happens = any(phrases.singular(word) in nouns.EVENTS for word in lowered[1:at])
    known = happens or any(_is_project(word) for word in lowered[1:at])
    if not known and not _scheduled(lowered, at):
        return []
    verb, start = lowered[at], at + 1
    while start < len(lowered) and lexicon.is_adverb(lowered[start]):
        start += 1
    after = lowered[start:]
    if not after or dates.momentary(after) or set(map(phrases.singular, after)) & nouns.CODE_NOUNS:
        return []
    if set(after[:3]) & lexicon.EVALUATIONS:
        return []
    dated = dates.has_date(after)
    valued = dated or _valued(verb, after, clause[start:], lowered[1:at])
    meets = set(lowered[1:at]) & _MEETINGS and dates.has_number(after)  # "moved from 9 to 10"
    costs = verb in verbs.BE and after[0][:1].isdigit()  # "the rent is 950"
    if happens and not dated and not meets and not costs:
        return []
    placed = verb in verbs.BE and after[0] in _WHERE and (valued or bool(_PLACES & set(after)))
    placed = placed or (verb in verbs.BE and after[0] == "due")
    if set(lowered[1:at]) & _PEOPLE and verbs.base(verb) in lexicon.TASTE | {"want"}:
        placed = after[0] not in ("to", "the", "it")
    telling = verb in verbs.BE or verb in DATED | SETUP | _GOING or verb in lexicon.PAST
    if not (placed or (valued and telling)):
        return []
    kind = "event" if dated else "project"
    return [Fact(person.third_person(clause), category=kind, importance=0.6)]


def _scheduled(lowered: list[str], at: int) -> bool:
    """ "The boiler man is coming on 12 January": a day makes anything an event."""
    exact = any(word in lexicon.WEEKDAYS or word[:1].isdigit() for word in lowered[at:])
    return lowered[at] in DATED - {"was", "moved"} and exact and dates.has_date(lowered[at:])


def _valued(verb: str, after: list[str], written: list[str], subject: list[str]) -> bool:
    """Whether words give a number, an address, or a name that the subject may have."""
    if after[0] in ("called", "named"):
        return len(after) > 1 and after[1] not in ("off", "out", "back", "for")
    if any(map(_FILE.search, after)):
        return False
    if any(word[:1].isdigit() and not word.endswith("%") for word in after):
        return True
    if after[0] in ("by", "from", "about"):
        return False
    if after[0] in _POINTING or any(map(ADDRESS.match, after)):
        return True
    bare = verb in verbs.BE and after[0] not in _WHERE
    return phrases.has_name(written) and (not bare or bool(_NAMEABLE & set(subject)))


def _is_project(word: str) -> bool:
    return word in nouns.PROJECT_NOUNS or phrases.singular(word) in nouns.PROJECT_NOUNS
