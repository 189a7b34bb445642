"""Statements about what the user works on: "the launch is on 3 June"."""

from __future__ import annotations

from nosis.models.offline import dates, gate, lexicon, nouns, person, phrases, verbs, words
from nosis.models.offline.facts import Fact
from nosis.models.offline.others import ADDRESS, DATED, SETUP

_PEOPLE = lexicon.word_set("client clients customer customers team")
_GOING = lexicon.word_set("are go goes")
_POINTING = lexicon.word_set("called named under behind")


def project(clause: list[str]) -> list[Fact]:
    """Facts of a clause that begins with "the" and a noun of work or of a household."""
    lowered = words.low(clause)
    if gate.UNSURE & (set(lowered) - {"may"}) or phrases.points(lowered[1:]):
        return []
    at = verbs.find(lowered, 2, 9)
    if at is None or not any(_is_project(word) for word in lowered[1:at]):
        return []
    verb, start = lowered[at], at + 1
    while start < len(lowered) and lowered[start] in lexicon.ADVERBS:
        start += 1
    after = lowered[start:]
    if not after or dates.momentary(after) or set(after) & nouns.CODE_NOUNS:
        return []
    if set(after[:3]) & lexicon.EVALUATIONS:
        return []
    dated = dates.has_date(after)
    valued = dated or dates.has_number(after) or after[0] in _POINTING
    valued = valued or phrases.has_name(clause[start:]) or any(map(ADDRESS.match, after))
    placed = verb in verbs.BE and after[0] in ("due", "in", "on", "at")
    if set(lowered[1:at]) & _PEOPLE and verbs.base(verb) in lexicon.TASTE | {"want"}:
        placed = after[0] not in ("to", "the", "it")
    telling = verb in verbs.BE or verb in DATED | SETUP | _GOING or verb in lexicon.PAST
    if not (placed or (valued and telling)):
        return []
    kind = "event" if dated else "project"
    return [Fact(person.third_person(clause), category=kind, importance=0.6)]


def _is_project(word: str) -> bool:
    return word in nouns.PROJECT_NOUNS or phrases.singular(word) in nouns.PROJECT_NOUNS
