"""Facts from a message: sentence by sentence, clause by clause, the rules in order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nosis.models.offline import (
    clauses,
    dates,
    gate,
    lexicon,
    names,
    naming,
    nouns,
    openings,
    others,
    person,
    phrases,
    projects,
    subject,
    verbs,
    words,
)
from nosis.models.offline.context import NOBODY, Context
from nosis.models.offline.facts import Fact, tidy
from nosis.models.offline.remembering import remembered

MAX_FACTS = 12  # of one message
MAX_WORDS = 120  # of one sentence; a longer one is no statement of a fact

_DOUBT = lexicon.word_set("if wish unless whether")
_THOUGHT = lexicon.word_set("think guess hope bet wish believe suppose imagine")
_STYLE = lexicon.word_set(
    "keep be answer reply respond use speak do never always"
)  # "keep it short, I prefer …"
_CALLERS = lexicon.word_set("everyone everybody people friends they most")
_LABELLED = re.compile(r"^([A-Za-z][\w' -]{2,50}): (\S.{0,80})$")


def extract(
    message: str, known: Mapping[str, Sequence[str]] = NOBODY, before: str = ""
) -> list[Fact]:
    """The facts that a message states about the user, in order, without repetitions.

    Args:
        message: the user's own words.
        known: lower-case names that memory holds, with whose they are ("my sister Mara").
        before: what the user said just before, for a "she" that was named there.
    """
    found = words.sentences(words.clean(message))
    if gate.poisoned(found):
        return []
    context = Context(before, known)
    facts: list[Fact] = []
    listing = False
    for sentence in found:
        tokens = words.tokens(_unlabelled(sentence.text))
        if len(tokens) > MAX_WORDS:
            continue
        lead = openings.strip(tokens)
        rest = remembered(tokens, sentence.end)
        if rest is not None:
            listing = sentence.end == ":" and not rest
            facts.extend(_kept(rest, context))
        elif listing and lead:
            facts.extend(_kept(lead, context))
        elif lead:
            greeted = len(lead) < len(tokens) or sentence in found[:2]
            if greeted and words.low(lead[1:3]) in (["here", ","], ["here"]):
                lead = _greeting(lead)
            facts.extend(_stated(lead, sentence.end, context))
    return _unique(facts)


def _greeting(lead: list[str]) -> list[str]:
    """ "Hi, Fatou here, from Marseille": whoever greets so gives a name."""
    return ["I", "am", lead[0], *lead[2:]] if phrases.is_name(lead[0]) else lead


def _unlabelled(text: str) -> str:
    """ "Deadline for the grant: 15 January" as a sentence."""
    match = _LABELLED.match(text)
    if not match:
        return text
    label, value = match.groups()
    noun = label.lower().split()
    known = any(phrases.kind_of(w) or w in nouns.PROJECT_NOUNS for w in noun)
    valued = dates.has_date(value.lower().split()) or dates.has_number([value]) or "@" in value
    if not known or not valued or gate.is_command(noun) or len(noun) > 6 or {"i", "is"} & set(noun):
        return text
    return f"{'' if noun[0] in ('my', 'our', 'the') else 'the '}{label} is {value}"


def _kept(rest: list[str], context: Context) -> list[Fact]:
    """Facts from words that the user asked to keep: by the rules, else as they stand."""
    if not rest or words.QUOTED in rest:
        return []
    by_rule = _from_parts(clauses.split(rest), context)
    covered = sum(len(fact.text.split()) for fact in by_rule)
    if by_rule and covered * 2 >= len(rest) - 2:
        return by_rule
    if {"you", "your"} & set(words.low(rest)):
        return by_rule
    text = tidy(person.third_person(rest))
    return [Fact(text, importance=0.7)] if text else []


def _stated(lead: list[str], end: str, context: Context) -> list[Fact]:
    lowered = words.low(lead)
    claims = gate.may_hold_facts(lowered)
    if (gate.is_command(lowered) or not claims) and (facts := _introduction(lead, lowered)):
        return facts  # "call me Bea"
    if gate.asks(lowered) or not claims:
        return []
    if _DOUBT & set(lowered):
        lead = clauses.without_tail(lead)
        if _DOUBT & set(words.low(lead)):
            return []
    parts = [_as_we(part) for part in clauses.split(_without_contrast(lead))]
    if gate.is_command(lowered):
        if lowered[0] not in _STYLE:
            return []
        parts = [part for part in parts[1:] if words.low(part[:1]) == ["i"]]
    if end == "?":
        # "I'm vegan, what can I cook?" states something before it asks.
        asking = next((i for i, part in enumerate(parts) if gate.asks(words.low(part))), 0)
        parts = parts[:asking]
    return _from_parts(parts, context)


def _as_we(part: list[str]) -> list[str]:
    """ "Our team decided …" is "We decided …", with any verb that "we" may have."""
    team = words.low(part[:2]) in (["our", "team"], ["our", "company"], ["our", "squad"])
    return ["We", *map(verbs.base, part[2:3]), *part[3:]] if team else part


def _from_parts(parts: list[list[str]], context: Context) -> list[Fact]:
    facts: list[Fact] = []
    for number, part in enumerate(parts):
        lowered = words.low(part)
        if gate.asks(lowered) or (number and gate.is_command(lowered)):
            continue
        if _THOUGHT & set(lowered[:4]) and "believe in" not in " ".join(lowered[:6]):
            break  # what follows is the content of the thought
        clause = context.whole(part, opening=not number or bool(facts))
        found = _clause(clause, context)
        if not found and words.low(clause[-1:]) == ["now"] and clause[3:]:
            found = _clause(clause[:-1], context)  # "I'm a director now"
        context.notice(clause, found)
        facts.extend(found)
    return facts


def _clause(clause: list[str], context: Context) -> list[Fact]:
    lowered = words.low(clause)
    first = lowered[0]
    if facts := _introduction(clause, lowered):
        return facts
    if first in ("i", "we"):
        return subject.statement(clause)
    if first in ("my", "our"):
        return others.owned(clause)
    if first == "the":
        return projects.project(clause)
    if first == "both" and "my" in lowered[1:3]:
        return others.owned(clause[lowered.index("my") :])
    if facts := others.named(clause, frozenset(context.known)):
        return facts
    dangling = first in ("her", "his", "their", "its", "your")
    if not dangling and {first, *lowered[1:2]} & (nouns.PROJECT_NOUNS | nouns.EVENTS):
        bare = projects.project(["the", clause[0].lower(), *clause[1:]])  # "sprint planning is …"
        costs = lowered[1:2] == ["is"] and dates.has_number(lowered[2:3])  # "rent is 950"
        told = costs or dates.has_date(lowered) or {"go", "goes"} & set(lowered[:4])
        text = words.join(clause)
        return [replace(f, text=text[:1].upper() + text[1:]) for f in bare if told]
    return []


def _introduction(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "Call me Max", "name's Bob", "people call me Bea", "I go by Lee", "this is Ada"."""
    start = _name_at(lowered)
    if not start:
        return []
    value = [word for word in clause[start:] if word.lower() != "just"]
    called = {"call", "calls"} & set(lowered[:start])  # "call me later"
    if called and not value[0][:1].isupper() and value[0].lower() not in names.FIRST_NAMES:
        return []
    name = naming.proper_name(value, sure=True)
    if not name:
        return []
    rest = value[len(name.split()) + 1 :] if "," in value else []  # "Marek, 41, living in Lublin"
    return [Fact(name, field="name"), *(subject.statement(["I", "am", *rest]) if rest else [])]


def _name_at(lowered: list[str]) -> int:
    """Where the name that a clause introduces begins; 0 for none."""
    if lowered[:2] == ["call", "me"]:
        if lowered[2:3] == ["by"] and "," in lowered:
            return lowered.index(",") + 1  # "call me by my middle name, Rose"
        return 2
    if lowered[:4] in (["you", "can", "call", "me"], ["you", "may", "call", "me"]):
        return 4
    if lowered[:2] == ["name", "is"]:
        return 2
    if lowered[:3] == ["the", "name", "is"]:
        return 3
    if lowered[:3] in (["i", "go", "by"], ["i", "am", "called"], ["i", "am", "named"]):
        return 3
    if lowered[:2] == ["this", "is"] and lowered[2:3] and lowered[2] in names.FIRST_NAMES:
        return 2
    for at in (1, 2):
        if lowered[at : at + 2] in (["call", "me"], ["calls", "me"]) and lowered[0] in _CALLERS:
            return at + 2
    return 0


def _without_contrast(lead: list[str]) -> list[str]:
    """ "my sister lives in Porto, not Lisbon" without what is denied."""
    lowered = words.low(lead)
    for index in range(len(lead) - 2, 1, -1):
        if lowered[index : index + 2] == [",", "not"] and len(lead) - index <= 6:
            return lead[:index]
    return lead


def _unique(facts: list[Fact]) -> list[Fact]:
    kept: dict[tuple[str, str | None], Fact] = {}
    for fact in facts:
        text = fact.text.strip(" .,") if fact.field == "name" else tidy(fact.text)
        if text:
            kept.setdefault((text.lower(), fact.field), replace(fact, text=text))
    return list(kept.values())[:MAX_FACTS]
