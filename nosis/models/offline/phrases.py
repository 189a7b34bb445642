"""Parts of a clause: noun phrases that belong to someone, dates, habits, pointers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nosis.models.offline import lexicon, names, verbs

_DAY = re.compile(r"^(?:[12]?\d|3[01])(?:st|nd|rd|th)$")
_CLOCK = re.compile(r"^(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?(?:am|pm|h)$|^(?:[01]?\d|2[0-4]):[0-5]\d$")
_NUMERIC_DATE = re.compile(r"^\d{4}-\d\d?-\d\d?$|^\d\d?/\d\d?/\d{2,4}$|^\d\d?\.\d\d?\.(?:\d{4})?$")
_SHORT_DATE = re.compile(r"^\d\d?/\d\d?$")
_YEAR = re.compile(r"^(?:19|20)\d\d$")


class Owned(Enum):
    """What a noun that follows "my" is."""

    PERSON = "person"
    PET = "pet"
    FAVOURITE = "favourite"
    DETAIL = "detail"  # birthday, email, job, hobby…
    THING = "thing"  # car, house, company…
    EVENT = "event"  # flight, interview, deadline…


@dataclass(frozen=True, slots=True)
class Possessed:
    """ "my sister Mara": ``end`` is the index after it, ``head`` its noun in the singular."""

    end: int
    head: str
    kind: Owned


def singular(noun: str) -> str:
    """A noun without its plural or possessive ending."""
    noun = noun.removesuffix("'s").removesuffix("'")
    if noun in ("children", "kids"):
        return "child"
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > 3:
        return noun[:-1]
    return noun


def _is(noun: str, group: frozenset[str]) -> bool:
    return noun in group or singular(noun) in group


# "My head hurts" is about no person.
_NOT_OWNED = frozenset("head lead cook principal senior junior operator worker".split())


_KINDS = (
    (Owned.PERSON, lexicon.KIN | lexicon.PEOPLE | (lexicon.ROLE_NOUNS - _NOT_OWNED)),
    (Owned.PET, lexicon.PETS),
    (Owned.DETAIL, lexicon.DETAILS),
    (Owned.EVENT, lexicon.EVENTS),
    (Owned.THING, lexicon.POSSESSIONS),
)


def kind_of(noun: str) -> Owned | None:
    """What a noun is to the rules, or None if they do not know it."""
    return next((kind for kind, group in _KINDS if _is(noun, group)), None)


def possessed(lowered: Sequence[str], clause: Sequence[str]) -> Possessed | None:
    """The phrase that "my"/"our"/"the" opens, up to its verb; None if its noun is unknown."""
    at = verbs.find(lowered, 2, 12)
    while at is not None and _noun_here(lowered, at):
        at = verbs.find(lowered, at + 1, 12)
    if at is None and len(lowered) > 12:
        return None
    end = len(lowered) if at is None else at
    phrase = lowered[1:end]
    if any(word in ("favourite", "favorite") for word in phrase):
        return Possessed(end, "favourite", Owned.FAVOURITE)
    found: tuple[str, Owned] | None = None
    for index, word in enumerate(phrase, 1):
        if word in (
            "of",
            "from",
            "in",
            "at",
            "with",
            "for",
            "to",
            "on",
            "and",
            "who",
            "about",
            ",",
        ):
            if word == "of" and found and found[0] == "date":
                continue
            if found:
                break
            continue
        capital = clause[index][:1].isupper() and index > 1
        if found and (capital or word in names.FIRST_NAMES):
            continue
        kind = kind_of(word)
        if kind:
            found = singular(word), kind
        elif found and found[0] in lexicon.KIN and index == end - 1:
            continue  # "my sister joana lives": a name in small letters
        elif found and not word.endswith("'s"):
            return None  # "my dog food", "my car insurance company's app"
    return Possessed(end, *found) if found else None


def _noun_here(lowered: Sequence[str], index: int) -> bool:
    # "my train leaves" has its verb here; "my start date is" has it later.
    word = lowered[index]
    if word in verbs.AUXILIARIES or index + 1 >= len(lowered):
        return False
    return lowered[index + 1] in verbs.BE and kind_of(word) is not None


def has_date(lowered: Sequence[str]) -> bool:
    """Whether words name a day, month, year or clock time that outlives today."""
    for index, word in enumerate(lowered):
        before = lowered[index - 1] if index else ""
        if word in lexicon.WEEKDAYS or _DAY.match(word) or _CLOCK.match(word):
            return True
        if word == "may":
            if (
                before in ("in", "of", "on", "next", "by", "until", "since", "late", "early", "mid")
                or before.isdigit()
            ):
                return True
            if index + 1 < len(lowered) and (lowered[index + 1][:1].isdigit()):
                return True
        elif word in lexicon.MONTHS or _NUMERIC_DATE.match(word):
            return True
        elif _YEAR.match(word) and before in (
            "in",
            "since",
            "until",
            "by",
            "from",
            "of",
            "around",
            ",",
        ):
            return True
        elif word in ("week", "month", "year", "quarter", "term") and before in (
            "next",
            "last",
            "this",
        ):
            return True
        elif word in lexicon.SEASONS and before in (
            "in",
            "this",
            "next",
            "last",
            "at",
            "by",
            "over",
            "for",
        ):
            return True
        elif _SHORT_DATE.match(word) and before in ("on", "by", "since", "until", "from", "is"):
            return True
        elif word == "tomorrow":
            return True
        elif before == "at" and (word[:1].isdigit() or word in ("noon", "midnight")):
            return True
    return False


def has_number(lowered: Sequence[str]) -> bool:
    """Whether words hold a figure or a number word."""
    return any(word[:1].isdigit() or word in lexicon.NUMBERS for word in lowered)


def is_habit(lowered: Sequence[str]) -> bool:
    """Whether words say that something happens regularly."""
    text = f" {' '.join(lowered)} "
    if lexicon.FREQUENCY & set(lowered):
        return " every time " not in text
    if any(f" {day}s " in text for day in ("monday", "tuesday", "wednesday", "thursday", "friday",
                                           "saturday", "sunday", "weekend", "weekday", "morning",
                                           "evening")):  # fmt: skip
        return True
    return any(p in text for p in (" a week ", " a day ", " a month ", " a year ", " most days ", " per week ",
                                   " times a ", " once a ", " for a living ", " in my free time ",
                                   " in my spare time ", " as a hobby ", " on the side ", " at night "))  # fmt: skip


def points(lowered: Sequence[str]) -> bool:
    """Whether words lean on what only this moment shows: "it", "this", "your", "here"."""
    for index, word in enumerate(lowered):
        following = lowered[index + 1] if index + 1 < len(lowered) else ""
        if "«" in word or (word in ("one", "ones") and not following):
            return True
        if word not in lexicon.POINTERS:
            continue
        relative = word == "that" and index and verbs.is_finite(following)
        period = word == "this" and following in _PERIODS
        if not (relative or period):
            return True
    return False


def dangles(lowered: Sequence[str]) -> bool:
    """Whether a clause about the user leans on someone named elsewhere ("them", "her")."""
    return bool({"him", "her", "them", "he", "she", "his"} & set(lowered))


_PERIODS = (
    lexicon.SEASONS
    | lexicon.MONTHS
    | {"year", "month", "week", "weekend", "quarter", "term", "semester"}
)


def momentary(lowered: Sequence[str]) -> bool:
    """Whether words speak of today only."""
    text = f" {' '.join(lowered)} "
    return any(word in lowered for word in ("today", "tonight", "rn", "earlier")) or any(
        phrase in text
        for phrase in (" right now ", " this morning ", " this afternoon ", " this evening ",
                       " at the moment ", " just now ", " a minute ", " in a moment ", " an hour ", " so much ")
    )  # fmt: skip


def has_name(written: Sequence[str]) -> bool:
    """Whether words hold something with a capital that is no day or month."""
    return any(
        word[:1].isupper() and word != "I" and word.lower() not in lexicon.WEEKDAYS | lexicon.MONTHS
        for word in written
    )


def is_name(word: str) -> bool:
    """Whether a word is written, or known, as a proper name."""
    if word.lower() in names.FIRST_NAMES:
        return True
    return word[:1].isupper() and word.lower() not in lexicon.NOT_NAMES
