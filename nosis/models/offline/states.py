"""What follows "I am" or "my sister is"."""

from __future__ import annotations

from nosis.models.offline import events, identity, lexicon, person, phrases, words
from nosis.models.offline.facts import Fact

_FROM = frozenset("from based".split())


def about_user(clause: list[str], verb_at: int) -> list[Fact]:
    """Facts from "I am …" (``verb_at``: where "am" is)."""
    found: list[Fact] = []
    parts = _parts(clause[verb_at + 1 :])
    for number, part in enumerate(parts):
        facts = _one(clause[: verb_at + 1], part, first=number == 0)
        if not facts and number == 0:
            return []
        found.extend(facts)
    return found


def _parts(complement: list[str]) -> list[list[str]]:
    """ "42, divorced, a father of two" as three parts."""
    parts: list[list[str]] = [[]]
    if any(word.lower().endswith("ing") for word in complement[:3]):
        return [complement]  # an activity: its commas are part of it
    for index, word in enumerate(complement):
        rest = words.low(complement[index + 1 :])
        if word == "," and rest:
            if rest[0] == "and":
                continue
            parts.append([])
        elif (
            word.lower() == "and"
            and rest
            and (_describes(rest) or rest[0] in ("from", "based"))
            and parts[-1]
        ):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _describes(rest: list[str]) -> bool:
    return identity.is_trait(rest) or rest[0] in ("a", "an") or identity.is_age(rest) or rest[0] in (
        "living", "working", "studying", "learning", "originally")  # fmt: skip


def _one(subject: list[str], part: list[str], *, first: bool) -> list[Fact]:
    lowered = words.low(part)
    whole = [*subject, *part]
    if phrases.points(lowered) or phrases.momentary(lowered):
        return []
    at = 0
    while at < len(part) and lowered[at] in lexicon.ADVERBS:
        at += 1
    rest, plain = lowered[at:], part[at:]
    if not rest:
        return []
    if rest[0] == "not":
        fan = "fan" in rest or identity.is_trait(rest[1:])
        return (
            [Fact(person.third_person(whole), category="preference" if "fan" in rest else None)]
            if fan
            else []
        )
    if rest[:2] == ["no", "longer"]:
        return (
            [Fact(person.third_person(whole))]
            if identity.is_trait(rest[2:]) or rest[2:3] in (["working"], ["at"])
            else []
        )
    if (
        identity.is_age(rest)
        or rest[0] in _FROM
        and len(rest) > 1
        and (rest[0] != "based" or rest[1] in ("in", "near", "at", "out"))
    ):
        return [Fact(person.third_person(whole), importance=0.6)]
    if identity.is_trait(rest):
        liking = (
            rest[0] in ("into", "obsessed", "passionate", "keen", "fond", "interested")
            or "fan" in rest
        )
        health = rest[0] in (
            "allergic",
            "intolerant",
            "diabetic",
            "lactose",
            "gluten",
            "coeliac",
            "celiac",
            "pregnant",
        )
        weight = 0.8 if health else 0.6
        return [
            Fact(
                person.third_person(whole),
                category="preference" if liking else None,
                importance=weight,
            )
        ]
    if facts := identity.role_facts(plain):
        return facts if first or rest[0] in ("a", "an", "the") or identity.role_of(plain) else []
    if (
        rest[0] in ("the", "an", "a")
        and len(rest) > 1
        and rest[1] in ("youngest", "oldest", "eldest", "middle", "only")
    ):
        family = {"of", "child", "sibling", "daughter", "son", "brother", "sister"} & set(rest[2:4])
        return [Fact(person.third_person(whole))] if family else []
    if (
        rest[0] == "on"
        and len(rest) > 2
        and (rest[-1] in ("team", "leave", "sabbatical", "diet", "probation", "board"))
    ):
        return [Fact(person.third_person(whole))]
    if rest[0] in ("in", "at") and not first:
        return []
    if rest[0].endswith("ing"):
        return events.ongoing(whole, len(subject) + at)
    if not first:
        if phrases.has_number(rest[:1]) and any(
            phrases.singular(word) in lexicon.KIN for word in rest
        ):
            return [Fact(person.third_person([subject[0], "have", *part]), importance=0.6)]
        return []
    if (
        len(subject) == 2
        and subject[0] == "I"
        and at == 0
        and (name := identity.proper_name(plain, sure=False))
    ):
        return _named(name, plain)
    return []


def _named(name: str, plain: list[str]) -> list[Fact]:
    """ "Ada from Turin", "Ada, a nurse at St Thomas'", "Ada and …"."""
    facts = [Fact(name, field="name")]
    after = plain[len(name.split()) :]
    lowered = words.low(after)
    if lowered[:1] == ["from"] and len(after) > 1 and not phrases.points(lowered):
        facts.append(Fact(person.third_person(["I", "am", *after])))
    elif lowered[:1] in (["the"], ["a"], ["an"]):
        facts.extend(identity.role_facts(after))
    return facts
