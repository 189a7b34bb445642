"""Statements whose subject is the user: "I …", "we …"."""

from __future__ import annotations

from dataclasses import replace

from nosis.models.offline import (
    events,
    gate,
    lexicon,
    person,
    phrases,
    present,
    states,
    verbs,
    words,
)
from nosis.models.offline.facts import Fact

_TEAM_VERBS = frozenset(
    """deploy ship release host merge monitor use run build store track test review meet bill invoice
    write code track measure log publish rely""".split()
)
_FUTURE = frozenset(
    """be turn move start visit travel fly attend have present graduate retire finish marry begin join take
    leave go get study work live""".split()
)
_SCHEDULED = frozenset(
    "start begin finish fly leave arrive retire graduate move travel meet see return open close".split()
)
_WISHES = frozenset("want plan hope need intend aim wish".split())


def statement(clause: list[str]) -> list[Fact]:
    """Facts of a clause that begins with "I" or "we"."""
    lowered = words.low(clause)
    team = (
        lowered[0] == "we"
        and bool(lexicon.TEAM_WORDS & set(lowered[1:]))
        and not lexicon.HOME_WORDS & set(lowered)
    )
    facts = _found(clause, lowered)
    if team:
        again = person.third_person(clause, team=True)
        facts = [
            replace(f, text=again) if f.text == person.third_person(clause) else f for f in facts
        ]
    return facts


def _found(clause: list[str], lowered: list[str]) -> list[Fact]:
    at = 1
    while at < len(lowered) - 1 and lowered[at] in lexicon.ADVERBS | {"no", "longer"}:
        at += 1
    if at >= len(lowered):
        return []
    if gate.UNSURE & (set(lowered) - {"may"}) and not _wish_for(lowered):
        return []
    if "may" in lowered[1:4]:
        return []
    verb = lowered[at]
    if verb in verbs.BE and verb not in ("was", "were"):
        return states.about_user(clause, at)
    if verb in ("have", "had"):
        return _have(clause, lowered, at)
    if verb == "would":
        return _would(clause, lowered, at)
    if verb == "can":
        return _can(clause, lowered, at)
    if verb in ("do", "did") and lowered[at + 1 : at + 2] == ["not"]:
        return _negated(clause, lowered, at)
    if verb == "will":
        future = (
            bool(_FUTURE & set(lowered[at + 1 : at + 3]))
            and phrases.has_date(lowered)
            and not phrases.points(lowered)
            and not phrases.momentary(lowered)
        )
        return (
            [Fact(person.third_person(clause), category="event", importance=0.6)] if future else []
        )
    if verb == "used" and lowered[at + 1 : at + 2] == ["to"]:
        solid = (
            len(lowered) > at + 3
            and not phrases.points(lowered)
            and lowered[at + 2] not in ("think", "have")
        )
        return [Fact(person.third_person(clause))] if solid else []
    return _plain(clause, lowered, at)


def _plain(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    verb = lowered[at]
    if verb == "go" and lowered[at + 1 : at + 2] == ["by"]:
        return []
    if verb in lexicon.TASTE:
        return present.taste(clause, at)
    if verb in _WISHES:
        return events.wish(clause, at)
    if verb in lexicon.LASTING | lexicon.LASTING_WITH_OBJECT and (
        facts := present.lasting(clause, at)
    ):
        return facts
    if lowered[0] == "we" and verb in _TEAM_VERBS and (facts := _team(clause, lowered, at)):
        return facts
    if facts := present.habit(clause, at):
        return facts
    if verb in lexicon.PAST or verb in verbs.BE or verb == "got":
        return events.past(clause, at)
    if verb == "eat" and set(lowered) & {
        "halal",
        "kosher",
        "vegan",
        "vegetarian",
        "plant-based",
        "only",
    }:
        return (
            [] if phrases.points(lowered) else [Fact(person.third_person(clause), importance=0.7)]
        )
    dated = verb in _SCHEDULED and phrases.has_date(lowered[at + 1 :])
    if dated and not phrases.points(lowered[at:]) and not phrases.momentary(lowered):
        return [Fact(person.third_person(clause), category="event", importance=0.6)]
    return []


def _have(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    following = at + 1
    while following < len(lowered) - 1 and lowered[following] in lexicon.ADVERBS:
        following += 1
    verb = lowered[following] if following < len(lowered) else ""
    if verb == "to":
        return events.wish(clause, at)
    if verb == "wanted" and lowered[following + 1 : following + 2] == ["to"]:
        wanted = events.goal(lowered[following + 2 :], clause[following + 2 :])
        return [Fact(person.third_person(clause))] if wanted else []
    if verb == "not":
        rest = lowered[following + 1 :]
        solid = rest[:1] in (
            ["been"],
            ["eaten"],
            ["smoked"],
            ["drunk"],
            ["owned"],
        ) and phrases.has_date(rest)
        return [Fact(person.third_person(clause))] if solid else []
    if (
        verb == "known"
        and len(lowered) > following + 1
        and not phrases.points(lowered[following + 1 :])
    ):
        return [Fact(person.third_person(clause), category="contact")]
    if verb == "run" or verb == "driven":
        return (
            []
            if phrases.points(lowered) or not phrases.has_number(lowered)
            else [Fact(person.third_person(clause))]
        )
    if verb in ("been", "had") or verb in lexicon.PAST:
        if facts := events.past(clause, following):
            return facts
        if verb != "had" and verb != "got":
            return []
        return present.possession(clause, following)
    if lowered[at] == "had":
        return events.past(clause, at)
    return present.possession(clause, at)


def _wish_for(lowered: list[str]) -> bool:
    return "would" in lowered and not (gate.UNSURE - {"would"}) & set(lowered)


def _would(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    """ "I would love to learn the cello", "I would rather take trains"."""
    rest = lowered[at + 1 :]
    while rest and rest[0] in lexicon.ADVERBS:
        rest = rest[1:]
    if rest[:2] in (["love", "to"], ["like", "to"], ["prefer", "to"]) and events.goal(
        rest[2:], clause[-len(rest) + 2 :]
    ):
        return [Fact(person.third_person(clause))]
    if rest[:1] == ["rather"] and "than" in rest and not phrases.points(rest):
        return [
            Fact(person.third_person(clause).removeprefix(f"{person.USER} "), field="preference")
        ]
    return []


def _can(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    rest = lowered[at + 1 :]
    if rest[:1] == ["not"]:
        verb, after = (rest[1] if len(rest) > 1 else ""), rest[2:]
        if (
            phrases.points(after)
            or phrases.momentary(after)
            or set(after) & (lexicon.CODE_NOUNS | {"how", "why"})
        ):
            return []
        if verb in ("stand", "abide", "tolerate") and after:
            text = person.third_person(clause).removeprefix(f"{person.USER} ")
            return [Fact(text, field="preference")]
        if (
            verb in ("eat", "drink", "have", "digest")
            and after
            and after[0] not in ("the", "any", "more")
        ):
            return [Fact(person.third_person(clause), importance=0.8)]
        if verb in ("swim", "drive", "cook", "sing", "cycle", "ski") and len(after) < 3:
            return [Fact(person.third_person(clause))]
        return []
    skilled = rest[:1] and rest[0] in (
        "speak",
        "play",
        "juggle",
        "sail",
        "ski",
        "knit",
        "sew",
        "surf",
        "drive",
        "fly",
        "cook",
    )
    solid = skilled and not phrases.points(rest) and not set(rest) & lexicon.CODE_NOUNS
    return (
        [Fact(person.third_person(clause), category="knowledge")] if solid and len(rest) > 1 else []
    )


def _negated(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    verb_at = at + 2
    while verb_at < len(lowered) - 1 and lowered[verb_at] in lexicon.ADVERBS | {"like?"}:
        verb_at += 1
    if verb_at >= len(lowered):
        return []
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if phrases.points(after) or phrases.momentary(after) or lowered[at] == "did":
        return []
    if verb in lexicon.TASTE:
        return present.taste(clause, verb_at)
    fact = Fact(person.third_person(clause), importance=0.6)
    if {"anymore", "longer"} & set(after) and verb in verbs.present() and len(after) > 1:
        return [fact]  # what was so before
    if verb == "have":
        return present.possession(clause, verb_at)
    if verb in ("eat", "drink", "smoke", "vote", "celebrate", "gamble", "swear"):
        return [fact] if len(after) < 8 and after[:1] != ["the"] else []
    if verb in ("drive", "own", "speak", "cook", "swim", "dance", "wear", "live", "ski", "fly"):
        return [fact] if after[:1] != ["the"] and not set(after) & lexicon.CODE_NOUNS else []
    if verb == "work" and (
        phrases.is_habit(after) or after[:1] in (["on"], ["at"], ["for"], ["in"])
    ):
        named = (
            phrases.is_habit(after)
            or phrases.has_date(after)
            or phrases.has_name(clause[verb_at + 1 :])
        )
        return [fact] if named else []
    if verb == "use" and present.lasting([clause[0], "use", *clause[verb_at + 1 :]], 1):
        return [fact]
    if verb == "want" and {"children", "kids"} & set(after):
        return [fact]
    return []


def _team(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    """What a team does as a rule: "we deploy with Nomad", "we ship on Fridays"."""
    after = lowered[at + 1 :]
    if phrases.points(after) or phrases.momentary(after):
        return []
    named = phrases.has_name(clause[at + 1 :]) or bool(lexicon.TOOLS & set(after))
    solid = named or phrases.has_date(after) or phrases.is_habit(after)
    return [Fact(person.third_person(clause), category="project", importance=0.6)] if solid else []
