"""Facts from a message: the rules in order, sentence by sentence, clause by clause."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from nosis.models.offline import (
    clauses,
    gate,
    identity,
    lexicon,
    names,
    others,
    person,
    phrases,
    subject,
    words,
)
from nosis.models.offline.facts import Fact, tidy
from nosis.models.offline.phrases import Owned

MAX_FACTS = 12  # of one message

_REMEMBER = tuple(
    phrase.split()
    for phrase in [
        "remember that",
        "remember :",
        "remember ,",
        "note that",
        "note :",
        "keep in mind that",
        "keep in mind :",
        "do not forget that",
        "make a note that",
        "make a note :",
        "take note that",
        "memorise that",
        "memorize that",
        "add to memory :",
        "save this :",
        "store this :",
        "note this :",
        "remember this :",
        "for future reference :",
        "bear in mind that",
        "bear in mind :",
        "you should remember that",
        "i want you to remember that",
        "i would like you to remember that",
        "can you remember that",
        "could you remember that",
        "will you remember that",
        "do not forget :",
        "never forget that",
        "to remember :",
        "make sure you remember that",
        "remember for later :",
        "for later :",
        "store that",
        "save that",
        "note down that",
        "jot down that",
        "write down that",
        "please note",
    ]
)
_OPENERS = frozenset(
    [
        "yesterday",
        "last",
        "next",
        "in",
        "on",
        "at",
        "since",
        "from",
        "every",
        "these",
        "for",
        "during",
        "after",
        "before",
        "as",
        "recently",
        "lately",
        "usually",
        "sometimes",
        "this",
        "two",
        "three",
        "ten",
        "five",
        "tomorrow",
        "until",
        "by",
        "each",
        "most",
        "outside",
        "back",
        "around",
        "growing",
        "nowadays",
        "previously",
        "once",
    ]
)
_ELLIPSES = {
    "moved": "I", "born": "I was", "allergic": "I am", "based": "I am", "love": "I", "hate": "I", "prefer": "I",
    "vegetarian": "I am", "vegan": "I am", "married": "I am", "studying": "I am", "learning": "I am", "working": "I am",
    "living": "I am", "adopted": "I", "got": "I", "quit": "I", "retired": "I", "graduated": "I", "bought": "I",
    "grew": "I", "started": "I", "joined": "I", "enjoy": "I", "training": "I am", "originally": "I am", "lived": "I have",
    "favourite": "my", "favorite": "my", "birthday": "my", "decided": "I", "engaged": "I am", "dislike": "I",
    "deploying": "we are", "switched": "I", "live": "I", "work": "I", "planning": "I am", "allergies": "my",
}  # fmt: skip


@dataclass(slots=True)
class _Context:
    """Who "she" and "they" are, and which names this message or memory already knows."""

    person: list[str] = field(default_factory=list)
    thing: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)


def extract(
    message: str, known_names: frozenset[str] = frozenset(), before: str = ""
) -> list[Fact]:
    """The facts that a message states about the user, in order, without repetitions.

    Args:
        message: the user's own words.
        known_names: lower-case names that memory holds, so that "Mara moved" counts.
        before: what the user said just before, for a "she" that was named there.
    """
    found = words.sentences(words.clean(message))
    if gate.poisoned(found):
        return []
    context = _Context(person=_mentioned(before), known=set(known_names))
    facts: list[Fact] = []
    listing = False
    for sentence in found:
        lead = gate.strip_opening(words.tokens(sentence.text))
        rest = remembered(words.tokens(sentence.text), sentence.end)
        if rest is not None:
            listing = sentence.end == ":" and not rest
            facts.extend(_kept(rest, context))
        elif listing and lead:
            facts.extend(_kept(lead, context))
        elif lead:
            facts.extend(_stated(lead, sentence, context))
    return _unique(facts)


def _mentioned(before: str) -> list[str]:
    """The one being of the user's that a message speaks of: "my sister Mara"."""
    beings = []
    for sentence in words.sentences(words.clean(before)):
        found = words.tokens(sentence.text)
        lowered = words.low(found)
        for index, word in enumerate(lowered[:-1]):
            if word == "my" and phrases.kind_of(lowered[index + 1]) in (Owned.PERSON, Owned.PET):
                name = [w for w in found[index + 2 : index + 3] if phrases.is_name(w)]
                beings.append(["my", lowered[index + 1].removesuffix("'s"), *name])
    return beings[0] if len(beings) == 1 else []


def remembered(found: list[str], end: str) -> list[str] | None:
    """What follows "remember that", or None if the sentence does not ask to remember."""
    found = gate.strip_opening(found)
    lowered = words.low(found)
    for phrase in _REMEMBER:
        if (
            lowered[: len(phrase)] == phrase
            and phrase != ["remember", ","]
            and (end != "?" or "you" in phrase)
        ):
            rest = found[len(phrase) :]
            if (rest and gate.asks(words.low(rest))) or (not rest and end != ":"):
                return None
            return rest
    if lowered[:2] == ["remember", ","]:
        return found[2:] if {"i", "my", "we", "our"} & set(lowered[2:]) and end != "?" else None
    bare = lowered[:1] == ["remember"] and lowered[1:2] and end != "?"
    if (
        bare
        and lowered[1] in ("i", "my", "we", "our", "the")
        and lowered[1:3] not in (["the", "time"],)
    ):
        return (
            found[1:]
            if any(word in ("is", "are", "am", "have", "has", "like", "live") for word in lowered)
            else None
        )
    if (
        lowered in (["remember"], ["note"], ["remember", "this"], ["remember", "these"])
        and end == ":"
    ):
        return []
    return None


def _kept(rest: list[str], context: _Context) -> list[Fact]:
    """Facts from words that the user asked to keep: by the rules, else as they stand."""
    if not rest:
        return []
    if QUOTE in rest:
        return []
    by_rule = _from_clauses(rest, context)
    covered = sum(len(fact.text.split()) for fact in by_rule)
    if by_rule and covered * 2 >= len(rest) - 2:
        return by_rule
    text = tidy(person.third_person(rest))
    return [Fact(text, importance=0.7)] if text else []


QUOTE = words.QUOTED


def _stated(lead: list[str], sentence: words.Sentence, context: _Context) -> list[Fact]:
    lowered = words.low(lead)
    if facts := _introduction(lead, lowered):
        return facts
    if gate.is_command(lowered) or gate.asks(lowered) or not gate.may_hold_facts(lowered):
        return []
    if {"if", "wish", "unless", "whether"} & set(lowered):
        lead = clauses.without_tail(lead)
        if {"if", "wish", "unless", "whether"} & set(words.low(lead)):
            return []
    lead = _without_contrast(lead)
    parts = clauses.split(lead)
    if sentence.end == "?":
        # "I'm vegan, what can I cook?" states something before it asks.
        asking = next((i for i, part in enumerate(parts) if gate.asks(words.low(part))), 0)
        parts = parts[:asking]
    return _from_parts(parts, context)


def _from_clauses(rest: list[str], context: _Context) -> list[Fact]:
    return _from_parts(clauses.split(rest), context)


def _from_parts(parts: list[list[str]], context: _Context) -> list[Fact]:
    facts: list[Fact] = []
    for part in parts:
        lowered = words.low(part)
        if gate.asks(lowered) or (gate.is_command(lowered) and parts.index(part) > 0):
            continue
        if {"think", "guess", "hope", "bet", "wish", "believe", "suppose"} & set(lowered[:4]):
            break  # what follows is the content of the thought
        clause = _whole(part, context, opening=part is parts[0] or bool(facts))
        found = _clause(clause, context)
        _notice(clause, found, context)
        facts.extend(found)
    return facts


def _whole(part: list[str], context: _Context, *, opening: bool) -> list[str]:
    """A clause with its subject in front: pronouns resolved, ellipses filled, openers moved."""
    lowered = words.low(part)
    first = lowered[0]
    if first in ("he", "she", "they") and context.person and len(part) > 1:
        return [*context.person, *part[1:]]
    if first in ("his", "her", "their") and context.person and len(part) > 1:
        owner = context.person
        return [*owner[:-1], f"{owner[-1]}'s", *part[1:]]
    if first == "it" and context.thing and len(part) > 2 and _telling(part, lowered):
        return [*context.thing, *part[1:]]
    if first in ("i", "we") and context.person and {"him", "her"} & set(lowered[2:]):
        return _object(part, lowered, context.person)
    if first in ("since", "after", "before", "as", "until", "once") and lowered[1:2] in (
        ["i"],
        ["we"],
    ):
        return part[1 : part.index(",")] if "," in part else part[1:]
    if first in _OPENERS or first.isdigit():
        for starts in (("i", "we"), ("my", "our")):
            for index in range(1, min(len(part) - 2, 9)):
                if lowered[index] in starts and not phrases.points(lowered[:index]):
                    opener = [word for word in part[:index] if word != ","]
                    return [*part[index:], opener[0].lower(), *opener[1:]]
    at = 0
    while at < len(part) - 1 and lowered[at] in lexicon.ADVERBS and lowered[at] != "originally":
        at += 1
    key = lowered[at]
    stated = {"is", "are", "was", "has", "can", "will", "have", "and"} & set(
        lowered[: at + 2] + lowered[at + 2 :]
    )
    noun = key.endswith("ing") or key in ("love", "hate", "live", "work", "prefer")
    if (
        opening
        and not (noun and stated - ({"and"} if lowered[at + 1 : at + 2] != ["and"] else set()))
        and key in _ELLIPSES
        and len(part) > at + (0 if key in ("vegetarian", "vegan", "retired") else 1)
    ):
        if key == "like" or (
            key in ("love", "got", "live", "work")
            and lowered[at + 1] in ("is", "was", "on", "of", "has", "you")
        ):
            return part
        return [
            *_ELLIPSES[key].split(),
            *part[:at],
            part[at].lower() if at == 0 else part[at],
            *part[at + 1 :],
        ]
    return part


def _telling(part: list[str], lowered: list[str]) -> bool:
    """Whether "it …" says something of a thing, not of the weather or of what was just told."""
    if lowered[1] in ("is", "was"):
        return (
            lowered[2] in ("called", "named", "on", "at", "in")
            or phrases.has_name(part[2:4])
            or phrases.has_number(lowered[2:3])
        )
    return lowered[1] in (
        "starts",
        "ends",
        "expires",
        "leaves",
        "arrives",
        "begins",
        "lands",
        "runs",
        "closes",
        "opens",
    )


def _object(part: list[str], lowered: list[str], whom: list[str]) -> list[str]:
    """ "I named her Pixel" as "I named my kitten Pixel"."""
    at = next(i for i, word in enumerate(lowered) if i > 1 and word in ("him", "her"))
    possessive = (
        lowered[at] == "her" and at + 1 < len(part) and phrases.kind_of(lowered[at + 1]) is not None
    )
    if possessive:
        return [*part[:at], *whom[:-1], f"{whom[-1]}'s", *part[at + 1 :]]
    return [
        *part[:at],
        *[word.lower() if i == 0 else word for i, word in enumerate(whom)],
        *part[at + 1 :],
    ]


def _clause(clause: list[str], context: _Context) -> list[Fact]:
    lowered = words.low(clause)
    first = lowered[0]
    if facts := _introduction(clause, lowered):
        return facts
    if first in ("i", "we"):
        return subject.statement(clause)
    if first in ("my", "our"):
        return others.owned(clause)
    if first == "the":
        return others.project(clause)
    if first == "both" and lowered[1:2] == ["my"]:
        return others.owned(clause[1:])
    return others.named(clause, frozenset(context.known))


def _introduction(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "Call me Max", "name's Bob", "people call me Bea", "I go by Lee", "this is Ada"."""
    value: list[str] = []
    if lowered[:2] == ["call", "me"]:
        value = clause[2:]
    elif lowered[:4] in (["you", "can", "call", "me"], ["you", "may", "call", "me"]):
        value = clause[4:]
    elif lowered[:2] == ["name", "is"]:
        value = clause[2:]
    elif "call" in lowered[:3] or "calls" in lowered[:3]:
        at = lowered.index("call") if "call" in lowered else lowered.index("calls")
        if lowered[at + 1 : at + 2] == ["me"] and lowered[0] in (
            "everyone",
            "everybody",
            "people",
            "friends",
            "they",
            "most",
        ):
            value = clause[at + 2 :]
    elif lowered[:3] in (
        ["i", "go", "by"],
        ["i", "am", "called"],
        ["i", "am", "named"],
        ["it", "is", "me"],
    ):
        value = clause[3:]
    elif lowered[:2] == ["this", "is"] and clause[2:] and lowered[2] in names.FIRST_NAMES:
        value = clause[2:]
    if not value:
        return []
    name = identity.proper_name([word for word in value if word.lower() != "just"], sure=True)
    return [Fact(name, field="name")] if name else []


def _notice(clause: list[str], found: list[Fact], context: _Context) -> None:
    """Keep in mind whom the next "she" means."""
    lowered = words.low(clause)
    if lowered[0] in ("my", "our", "the"):
        phrase = phrases.possessed(lowered, clause)
        if phrase and phrase.kind is Owned.FAVOURITE:
            return
        being = phrase is not None and phrase.kind in (Owned.PERSON, Owned.PET)
        if phrase and being:
            context.person = clause[: phrase.end]
            context.known |= {
                w.lower() for w in clause[1 : phrase.end] if phrases.is_name(w) and w[:1].isupper()
            }
            context.thing = clause[: phrase.end] if phrase.kind is Owned.PET else context.thing
        elif phrase and found:
            context.thing = clause[: phrase.end]
        if found and being and "is" in lowered and phrases.is_name(clause[-1]):
            context.known.add(lowered[-1])
        return
    if lowered[0] not in ("i", "we") or not found:
        return
    for index, word in enumerate(lowered[1:], 1):
        kind = phrases.kind_of(word)
        if kind in (Owned.PERSON, Owned.PET) and phrases.singular(word) not in ("family", "parent"):
            rest = clause[index + 1 :]
            if words.low(rest[:1]) in (["called"], ["named"]):
                rest = rest[1:]
            name = rest[:1] if rest and phrases.is_name(rest[0]) else []
            context.known |= {w.lower() for w in name}
            context.person = ["my", word, *name]
            context.thing = context.person if kind is Owned.PET else []
            return
        if kind is Owned.THING:
            context.thing = ["my", word]


def _unique(facts: list[Fact]) -> list[Fact]:
    kept: list[Fact] = []
    for fact in facts:
        text = tidy(fact.text) if fact.field not in ("name",) else fact.text.strip(" .,")
        if text and all(
            (text.lower(), fact.field) != (other.text.lower(), other.field) for other in kept
        ):
            kept.append(replace(fact, text=text))
    return kept[:MAX_FACTS]


def _without_contrast(lead: list[str]) -> list[str]:
    """ "my sister lives in Porto, not Lisbon" without what is denied."""
    lowered = words.low(lead)
    for index in range(len(lead) - 2, 1, -1):
        if lowered[index : index + 2] == [",", "not"] and len(lead) - index <= 6:
            return lead[:index]
    return lead
