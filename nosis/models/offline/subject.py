"""Statements whose subject is the user: "I …", "we …"."""

from __future__ import annotations

from dataclasses import replace

from nosis.models.offline import (
    dates,
    gate,
    lexicon,
    modal,
    nouns,
    past,
    person,
    phrases,
    plans,
    possessions,
    present,
    states,
    words,
)
from nosis.models.offline.facts import Fact

_TEAM_VERBS = lexicon.word_set(
    """
    deploy ship release host merge monitor use run build store track test review meet bill
    invoice write code measure log publish rely keep
    """
)
_SCHEDULED = lexicon.word_set(
    """
    start begin finish fly leave arrive retire graduate move travel meet see return open close
    """
)
_ENDED = lexicon.word_set(
    """
    eat drink smoke drive work live use play own speak teach study go attend believe take
    """
)
_NEVER_DONE = lexicon.word_set(
    """
    smoked drunk eaten owned lived driven flown married broken skied swum voted
    """
)
_NOT_SINCE = lexicon.word_set("been eaten smoked drunk owned")
_WISHES = lexicon.word_set("want plan hope need intend aim wish")
_DIETS = lexicon.word_set("halal kosher vegan vegetarian plant-based only")
_OTHERS = lexicon.word_set("us me myself them him her")


def statement(clause: list[str]) -> list[Fact]:
    """Facts of a clause that begins with "I" or "we"."""
    lowered = words.low(clause)
    facts = _found(clause, lowered)
    team = lowered[0] == "we" and lexicon.TEAM_WORDS & set(lowered[1:])
    if not team or lexicon.HOME_WORDS & set(lowered):
        return facts
    alone, together = person.third_person(clause), person.third_person(clause, team=True)
    return [replace(fact, text=together) if fact.text == alone else fact for fact in facts]


def _found(clause: list[str], lowered: list[str]) -> list[Fact]:
    at = 1
    while at < len(lowered) - 1 and (
        lexicon.is_adverb(lowered[at]) or lowered[at] in ("no", "longer")
    ):
        at += 1
    if at >= len(lowered) or _unsure(lowered):
        return []
    verb, following = lowered[at], lowered[at + 1 : at + 2]
    if verb in ("am", "is", "are"):
        return states.about_user(clause, at)
    if verb in ("have", "had"):
        return _have(clause, lowered, at)
    if verb in ("do", "did") and following == ["not"]:
        return modal.negated(clause, at)
    if verb == "used" and following == ["to"]:
        told = len(lowered) > at + 3 or lowered[-1] in lexicon.LASTING
        solid = told and lowered[at + 2] not in ("think", "have")
        return person.told(clause) if solid and not phrases.points(lowered) else []
    rules = {"would": modal.would, "can": modal.can, "will": modal.will}
    return rules[verb](clause, at) if verb in rules else _plain(clause, lowered, at)


def _unsure(lowered: list[str]) -> bool:
    """Whether the user only supposes; "would" is left to its own rule."""
    allowed = {"may", "would"}
    if " believe in " in f" {' '.join(lowered)} ":
        allowed.add("believe")
    return bool(gate.UNSURE & set(lowered) - allowed) or "may" in lowered[1:4] or (
        "would" in lowered and "would" not in lowered[:4]
    )  # fmt: skip


def _plain(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    verb, after = lowered[at], lowered[at + 1 :]
    if lowered[1:3] == ["no", "longer"] and verb in _ENDED and not phrases.points(after):
        return person.told(clause, importance=0.6)  # what was so before
    if verb in lexicon.TASTE:
        return present.taste(clause, at)
    if verb in _WISHES:
        return plans.wish(clause, at)
    lasting = verb in lexicon.LASTING | lexicon.LASTING_WITH_OBJECT
    if lasting and (facts := present.lasting(clause, at)):
        return facts
    if lowered[0] == "we" and verb in _TEAM_VERBS and (facts := _team(clause, after)):
        return facts
    if facts := present.habit(clause, at):
        return facts
    if verb in lexicon.PAST or verb in ("was", "were", "did"):
        return past.past(clause, at)
    if phrases.points(after):
        return []
    if verb == "come":
        return person.told(clause, importance=0.6) if after[:1] == ["from"] else []
    if verb == "call":
        named = after[:1] in (["my"], ["our"]) and phrases.kind_of(after[1]) if after[1:] else None
        return person.told(clause) if named and phrases.has_name(clause[at + 3 :]) else []
    if verb == "believe":
        faith = after[:1] == ["in"] and len(after) < 4 and not _OTHERS & set(after)
        return person.told(clause) if faith else []
    if verb == "eat":
        return person.told(clause, importance=0.7) if _DIETS & set(after) else []
    dated = verb in _SCHEDULED and dates.has_date(after) and not dates.momentary(lowered)
    return person.told(clause, "event", 0.6) if dated else []


def _have(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    start = at + 1
    while start < len(lowered) - 1 and lexicon.is_adverb(lowered[start]):
        start += 1
    verb, after = (lowered[start] if start < len(lowered) else ""), lowered[start + 1 :]
    if verb == "to":
        return plans.wish(clause, at)
    if verb == "got" and (facts := possessions.possession(clause, start)):
        return facts  # "I have got a farm"
    if verb in lexicon.PAST or verb in ("been", "had"):
        facts = past.past(clause, start)
        if not facts and verb == "been" and "never" in lowered[at:start]:
            solid = _perfect(verb, after, clause[start + 1 :], never=True)
            return person.told(clause) if solid else []
        if facts or verb not in ("had", "got"):
            return facts
        return possessions.possession(clause, start)
    if lowered[at] == "had":
        return past.past(clause, at)
    if _perfect(verb, after, clause[start + 1 :], never="never" in lowered[at:start]):
        return person.told(clause, "contact" if verb == "known" else None)
    return possessions.possession(clause, at)


def _perfect(verb: str, after: list[str], written: list[str], *, never: bool) -> bool:
    """ "I have always wanted to…", "have known Pete since school", "have never smoked"."""
    if verb == "wanted":
        return after[:1] == ["to"] and plans.goal(after[1:], written[1:])
    if phrases.points(after):
        return False
    if verb == "not":
        return bool(after) and after[0] in _NOT_SINCE and dates.has_date(after)
    if verb in ("run", "driven"):
        return dates.has_number(after)
    if never and verb == "been":
        return bool(after) and after[0] in ("to", "out", "abroad", "married", "on", "in")
    return (verb == "known" and bool(after)) or (never and verb in _NEVER_DONE)


def _team(clause: list[str], after: list[str]) -> list[Fact]:
    """What a team does as a rule: "we deploy with Nomad", "we ship on Fridays"."""
    if phrases.points(after) or dates.momentary(after):
        return []
    named = phrases.has_name(clause[1:]) or bool(nouns.TOOLS & set(after))
    solid = named or dates.has_date(after) or dates.is_habit(after)
    return person.told(clause, "project", 0.6) if solid else []
