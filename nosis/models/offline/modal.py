"""What "I" would, can, will, and do not do."""

from __future__ import annotations

from nosis.models.offline import (
    dates,
    lexicon,
    nouns,
    person,
    phrases,
    plans,
    possessions,
    present,
    verbs,
    words,
)
from nosis.models.offline.facts import Fact

_GLANCES = lexicon.word_set("look think check chat try thanks")  # "I'll have a look on Monday"
_FUTURE = lexicon.word_set(
    """
    be meet see turn move start visit travel fly attend have present graduate retire finish
    marry begin join take leave go get study work live
    """
)
_SKILLS = lexicon.word_set("speak play juggle sail ski knit sew surf drive fly cook")
_UNABLE = lexicon.word_set("swim drive cook sing cycle ski")
_AVOIDED = lexicon.word_set("eat drink smoke vote celebrate gamble swear watch read")
_UNDONE = lexicon.word_set("drive own speak cook swim dance wear live ski fly")
_LIKING = (["love", "to"], ["like", "to"], ["prefer", "to"])
_MAX_AVOIDED = 7  # words: what is longer is a story


def would(clause: list[str], at: int) -> list[Fact]:
    """ "I would love to learn the cello", "I would rather take trains than fly"."""
    start = at + 1
    lowered = words.low(clause)
    while start < len(clause) and lexicon.is_adverb(lowered[start]):
        start += 1
    rest = lowered[start:]
    if rest[:2] in _LIKING and plans.goal(rest[2:], clause[start + 2 :]):
        return person.told(clause)
    chosen = rest[:1] == ["rather"] and "than" in rest and not phrases.points(rest)
    return [person.preference(clause)] if chosen else []


def will(clause: list[str], at: int) -> list[Fact]:
    """ "I will be in Rome in May"."""
    lowered = words.low(clause)
    planned = _FUTURE & set(lowered[at + 1 : at + 3]) and dates.has_date(lowered)
    if _GLANCES & set(lowered):
        return []
    if not planned or phrases.points(lowered) or dates.momentary(lowered):
        return []
    return person.told(clause, "event", 0.6)


def can(clause: list[str], at: int) -> list[Fact]:
    """ "I can speak Dutch", "I cannot eat nuts", "I can't stand olives"."""
    rest = words.low(clause[at + 1 :])
    if phrases.points(rest) or set(rest) & (nouns.CODE_NOUNS | {"how", "why"}):
        return []
    if rest[:1] != ["not"]:
        skilled = len(rest) > 1 and rest[0] in _SKILLS
        return person.told(clause, "knowledge") if skilled else []
    verb, after = (rest[1] if len(rest) > 1 else ""), rest[2:]
    if dates.momentary(after):
        return []
    if verb in ("stand", "abide", "tolerate", "bear") and after:
        return [person.preference(clause)]
    if verb in ("eat", "drink", "have", "digest") and after:
        return person.told(clause, importance=0.8) if after[0] not in ("the", "any", "more") else []
    return person.told(clause) if verb in _UNABLE and len(after) < 3 else []


def negated(clause: list[str], at: int) -> list[Fact]:
    """ "I do not eat meat", "I don't have a car", "I don't like crowds"."""
    lowered = words.low(clause)
    verb_at = at + 2
    while verb_at < len(lowered) - 1 and lexicon.is_adverb(lowered[verb_at]):
        verb_at += 1
    if verb_at >= len(lowered) or lowered[at] == "did":
        return []
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if phrases.points(after) or dates.momentary(after):
        return []
    if verb in lexicon.TASTE:
        return present.taste(clause, verb_at)
    ended = {"anymore", "longer"} & set(after) and verb in verbs.present() and len(after) > 1
    if verb == "have" and not ended:
        return possessions.possession(clause, verb_at)
    lasting = ended or _lasts_not(verb, after, clause, verb_at)
    return person.told(clause, importance=0.6) if lasting else []


def _lasts_not(verb: str, after: list[str], clause: list[str], verb_at: int) -> bool:
    """Whether not doing it is more than not doing it now."""
    definite = after[:1] == ["the"]
    if verb in _AVOIDED:
        return len(after) <= _MAX_AVOIDED and not definite
    if verb in _UNDONE:
        return not definite and not set(after) & nouns.CODE_NOUNS
    if verb == "work":
        placed = bool(after) and after[0] in ("on", "at", "for", "in")
        told = dates.has_date(after) or phrases.has_name(clause[verb_at + 1 :])
        return dates.is_habit(after) or (placed and told)
    if verb == "believe":
        return after[:1] == ["in"] and len(after) < 5
    if verb == "use":
        return bool(present.lasting([clause[0], "use", *clause[verb_at + 1 :]], 1))
    return verb == "want" and bool({"children", "kids"} & set(after))
