"""What follows "I am": names, roles, ages, traits, and what goes on."""

from __future__ import annotations

from nosis.models.offline import (
    dates,
    lexicon,
    naming,
    nouns,
    person,
    phrases,
    plans,
    traits,
    words,
    work,
)
from nosis.models.offline.facts import Fact

_STAGES = lexicon.word_set(
    """
    year grade semester school university college uni band choir army navy wheelchair orchestra
    club league relationship rehab remission
    """
)
_OCCUPIED = lexicon.word_set(
    """
    team leave sabbatical diet probation board shift shifts committee
    """
)
_LIKING = lexicon.word_set("into obsessed passionate keen fond interested")
_HEALTH = lexicon.word_set(
    """
    allergic intolerant diabetic lactose gluten coeliac celiac pregnant
    """
)
_DESCRIBING = lexicon.word_set("living working studying learning originally a an from based")
_RANKS = lexicon.word_set("youngest oldest eldest middle only")
_FAMILY = lexicon.word_set("of child sibling daughter son brother sister")
_REGIONS = lexicon.word_set(
    """
    north south east west coast countryside uk us usa states netherlands philippines midlands
    highlands islands suburbs bahamas gambia congo area region town village
    """
)
_UNTIL = lexicon.word_set("until till since for from now in at")
_GROUPS = (["a", "team", "of"], ["a", "family", "of"])


def about_user(clause: list[str], verb_at: int) -> list[Fact]:
    """Facts from "I am …" (``verb_at``: where "am" is)."""
    found: list[Fact] = []
    for number, part in enumerate(_parts(clause[verb_at + 1 :])):
        facts = _one(clause[: verb_at + 1], part, first=not number)
        if not facts and not number:
            return []
        found.extend(facts)
    return found


def _parts(complement: list[str]) -> list[list[str]]:
    """ "42, divorced, a father of two" as three parts."""
    if any(word.lower().endswith("ing") for word in complement[:2]):
        return [complement]  # an activity: its commas are part of it
    parts: list[list[str]] = [[]]
    for index, word in enumerate(complement):
        rest = words.low(complement[index + 1 :])
        if word == "," and rest:
            parts.extend([[]] if rest[0] != "and" else [])
        elif word.lower() == "and" and rest and parts[-1] and _describes(rest):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _describes(rest: list[str]) -> bool:
    return rest[0] in _DESCRIBING or traits.is_trait(rest) or traits.is_age(rest)


def _one(subject: list[str], part: list[str], *, first: bool) -> list[Fact]:
    at = 0
    while at < len(part) and lexicon.is_adverb(part[at].lower()):
        at += 1
    rest, plain, whole = words.low(part[at:]), part[at:], [*subject, *part]
    if not rest or phrases.points(rest) or dates.momentary(rest):
        return []
    if rest[0] == "not" or rest[:2] == ["no", "longer"]:
        return _denied(whole, rest)
    if rest[0] == "employed":
        return work.employment([subject[0], "work", *plain[1:]], 1)
    if facts := _described(whole, rest) or work.role_facts(plain):
        return facts
    if first and work.may_be_role(rest):
        return person.told(whole)
    if rest[:3] in _GROUPS:
        return person.told([*subject, "in", *part])
    if rest[0] == "off" and {"since", "for"} & set(rest[1:4]) and not dates.has_number(rest):
        return person.told(whole)
    if rest[:2] == ["off", "to"] and phrases.has_name(plain) and dates.has_date(rest):
        return person.told(whole, "event", 0.6)
    if _placed(rest, first=first):
        return person.told(whole)
    if rest[0].endswith("ing"):
        return plans.ongoing(whole, len(subject) + at)
    if not first:
        kin = any(phrases.singular(word) in nouns.KIN for word in rest)
        counted = kin and dates.has_number(rest[:1])  # "two teenage kids"
        return person.told([subject[0], "have", *part], importance=0.6) if counted else []
    return _named(plain) if subject == ["I", "am"] and not at else []


def _denied(whole: list[str], rest: list[str]) -> list[Fact]:
    if rest[0] == "not":
        fan = "fan" in rest
        return person.told(whole, "preference" if fan else None) if (
            fan or traits.is_trait(rest[1:])) else []  # fmt: skip
    ended = traits.is_trait(rest[2:]) or rest[2:3] in (["working"], ["at"])
    return person.told(whole) if ended else []


def _described(whole: list[str], rest: list[str]) -> list[Fact]:
    placed = _origin(rest) or rest[:2] in (["based", "in"], ["based", "near"], ["based", "at"])
    if traits.is_age(rest) or (placed and len(rest) > 1):
        return person.told(whole, importance=0.6)
    if not traits.is_trait(rest):
        return []
    liking = rest[0] in _LIKING or "fan" in rest
    weight = 0.8 if rest[0] in _HEALTH else 0.6
    return person.told(whole, "preference" if liking else None, weight)


def _origin(rest: list[str]) -> bool:
    if rest[0] != "from":
        return False
    return rest[1:2] != ["the"] or bool(_REGIONS & set(rest[2:4]))  # not "from the future"


def _placed(rest: list[str], *, first: bool) -> bool:
    """ "the youngest of three", "between jobs", "in my second year", "on maternity leave"."""
    if rest[:2] == ["between", "jobs"]:
        return True
    if rest[0] in ("the", "an", "a") and rest[1:2] and rest[1] in _RANKS:
        return bool(_FAMILY & set(rest[2:4]))
    if rest[0] == "part":
        return rest[1:2] == ["of"] and len(rest) > 3 and not lexicon.EVALUATIONS & set(rest)
    if rest[0] == "the":
        return "owner" in rest[1:4] and "of" in rest[2:5]
    if rest[0] == "in":
        return first and bool(_STAGES & set(rest[1:6]))
    if rest[0] != "on" or len(rest) < 3:
        return False
    at = next((i for i, word in enumerate(rest[:5]) if word in _OCCUPIED), None)
    return at is not None and (at + 1 == len(rest) or rest[at + 1] in _UNTIL)


def _named(plain: list[str]) -> list[Fact]:
    """ "Ada from Turin", "Ada, a nurse at St Thomas'", "Ada and …"."""
    name = naming.proper_name(plain, sure=False)
    if not name:
        return []
    facts = [Fact(name, field="name")]
    after = plain[len(name.split()) :]
    lowered = words.low(after)
    if lowered[:1] == ["from"] and len(after) > 1 and not phrases.points(lowered):
        facts.extend(person.told(["I", "am", *after]))
    elif lowered[:1] in (["the"], ["a"], ["an"]):
        facts.extend(work.role_facts(after))
    return facts
