""" "I have two cats", "I do not have a car", "I have an interview on Friday"."""

from __future__ import annotations

from nosis.models.offline import dates, lexicon, nouns, person, phrases, words
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

_CLOSERS = lexicon.word_set(
    """
    called named who that which and with in on at from of since for to , by my named: aged too
    or so because while when :
    """
)
_DETAILS = lexicon.word_set(
    """
    allergy goal dream hobby degree passion condition company startup business blog website
    stutter
    """
)
_JUDGED = lexicon.EVALUATIONS - {"long", "real", "mean"}
_PLACED = lexicon.word_set("in outside near at by")
_ABSTRACT = lexicon.word_set("interest belief faith idea plan point time day stopover layover")
_DATING = lexicon.word_set("every each tomorrow next this")


def possession(clause: list[str], verb_at: int) -> list[Fact]:
    """Facts from "have" at ``verb_at`` and its object."""
    start = verb_at + 1
    if words.low(clause[start : start + 1]) == ["got"]:
        start += 1
    obj = words.low(clause[start:])
    if not obj or obj[0] == "the" or phrases.unclear(obj) or set(obj) & nouns.CODE_NOUNS:
        return []
    if set(obj[:6]) & _JUDGED and not set(obj) & nouns.BODY:
        return []
    if "experience" in obj and {"year", "years"} & set(obj):
        return person.told(clause, "knowledge", 0.6)
    head = _head(obj, clause[start:])
    if head is None:
        return person.told(clause) if _somewhere(obj, clause[start:]) else []
    noun, kind = head
    if noun in nouns.EVENTS and dates.has_date(obj):
        return person.told(clause, "event", 0.7)
    if kind is Owned.EVENT and noun not in nouns.POSSESSIONS:
        return []
    if kind is Owned.PERSON and noun not in nouns.KIN:
        named = {"called", "named"} & set(obj) or phrases.has_name(clause[start + 1 :])
        kept = named or dates.is_habit(obj)
        return person.told(clause, "contact", 0.6) if kept else []
    if kind is Owned.DETAIL and noun not in _DETAILS:
        return []
    return person.told(clause, importance=0.6)


def _somewhere(obj: list[str], written: list[str]) -> bool:
    """ "a smallholding outside Tregaron": a place makes any noun one of the user's."""
    at = next((i for i, word in enumerate(obj[:5]) if word in _PLACED), 0)
    counted = obj[0] in ("a", "an") or dates.has_number(obj[:1])
    placed = phrases.has_name(written[at + 1 : at + 2]) and not nouns.TOOLS & set(obj)
    return counted and at > 1 and placed and obj[at - 1] not in _ABSTRACT


def _head(obj: list[str], written: list[str]) -> tuple[str, Owned] | None:
    """The noun that "have" takes, if the rules know it and it is the phrase's head."""
    for index, word in enumerate(obj[:8]):
        following = obj[index + 1] if index + 1 < len(obj) else ""
        known = phrases.kind_of(word)
        if word in nouns.CONDITIONS or (word in nouns.BODY and index):
            known = Owned.THING
        if word in _CLOSERS and word not in ("of", ","):
            return None
        if known is None:
            continue
        named = phrases.has_name(written[index + 1 : index + 2])
        dated = dates.has_date(obj[index + 1 : index + 2]) or following in _DATING
        if not following or following in _CLOSERS or named or dated:
            return phrases.singular(word), known
    return None
