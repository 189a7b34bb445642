"""Parts of a clause: noun phrases that belong to someone, names, and words that only point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nosis.models.offline import dates, lexicon, nouns, verbs
from nosis.models.offline.names import FIRST_NAMES

_LOOK_AHEAD = 12  # words: a subject that is longer is not read
_PHRASE_ENDS = lexicon.word_set("of from in at with for to on and who about this next last ,")
# "My head hurts" is about no person.
_NOT_OWNED = lexicon.word_set("head lead cook principal senior junior operator worker")
_COLOURING = lexicon.word_set(
    """
    real full middle first last new old current official legal maiden birth next main second
    late
    """
)
_PERIODS = (
    lexicon.SEASONS
    | lexicon.MONTHS
    | lexicon.word_set("year month week weekend quarter term semester")
)
_DATES = lexicon.WEEKDAYS | lexicon.MONTHS
_DANGLING = lexicon.word_set("him her them he she his")


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


_KINDS = (
    (Owned.PERSON, nouns.KIN | nouns.PEOPLE | (nouns.ROLE_NOUNS - _NOT_OWNED)),
    (Owned.PET, nouns.PETS),
    (Owned.DETAIL, nouns.DETAILS),
    (Owned.EVENT, nouns.EVENTS),
    (Owned.THING, nouns.POSSESSIONS),
)


def singular(noun: str) -> str:
    """A noun without its plural or possessive ending."""
    noun = noun.removesuffix("'s").removesuffix("'")
    if noun in ("children", "kids"):
        return "child"
    if noun[:-1] in nouns.PETS | nouns.KIN:
        return noun[:-1]  # "collies", "aunties"
    if noun.endswith("ies") and len(noun) > len("ties"):
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > len("gas"):
        return noun[:-1]
    return noun


def kind_of(noun: str) -> Owned | None:
    """What a noun is to the rules, or None if they do not know it."""
    one = singular(noun)
    return next((kind for kind, group in _KINDS if noun in group or one in group), None)


def possessed(lowered: Sequence[str], clause: Sequence[str]) -> Possessed | None:
    """The phrase that "my"/"our"/"the" opens, up to its verb; None if its noun is unknown."""
    at = verbs.find(lowered, 2, _LOOK_AHEAD)
    while at is not None and _noun_here(lowered, at):
        at = verbs.find(lowered, at + 1, _LOOK_AHEAD)
    if at is None and len(lowered) > _LOOK_AHEAD:
        return None
    end = len(lowered) if at is None else at
    if {"favourite", "favorite"} & set(lowered[1:end]):
        return Possessed(end, "favourite", Owned.FAVOURITE)
    found: tuple[str, Owned] | None = None
    for index in range(1, end):
        word = lowered[index]
        if word in _PHRASE_ENDS:
            if found and not (word == "of" and found[0] == "date"):
                break
            continue
        if found and ((clause[index][:1].isupper() and index > 1) or word in FIRST_NAMES):
            continue
        if word in _COLOURING:
            continue
        if kind := kind_of(word):
            found = singular(word), kind
        elif found and found[0] in nouns.KIN and index == end - 1:
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


def points(lowered: Sequence[str]) -> bool:
    """Whether words lean on what only this moment shows: "it", "this", "your", "here"."""
    for index, word in enumerate(lowered):
        following = lowered[index + 1] if index + 1 < len(lowered) else ""
        if "«" in word or (word in ("one", "ones") and not following):
            return True
        if word in lexicon.POINTERS and not _harmless(word, following, inside=index > 0):
            return True
    return False


def _harmless(word: str, following: str, *, inside: bool) -> bool:
    """ "a blog that covers…", "this year", "these days", "everything on…"."""
    if word == "that":
        return inside and verbs.is_finite(following)
    if word == "this":
        return following in _PERIODS
    if word == "these":
        return following == "days"
    return word == "everything" and (inside or following in ("on", "in", "with"))


def dangles(lowered: Sequence[str]) -> bool:
    """Whether a clause about the user leans on someone named elsewhere ("them", "her")."""
    return bool(_DANGLING & set(lowered))


def unclear(lowered: Sequence[str]) -> bool:
    """Whether words would mean nothing, or nothing true, another day."""
    return points(lowered) or dates.momentary(lowered) or dangles(lowered)


def has_name(written: Sequence[str]) -> bool:
    """Whether words hold something with a capital that is no day or month."""
    return any(
        word[:1].isupper() and word != "I" and word.lower() not in _DATES for word in written
    )


def is_name(word: str) -> bool:
    """Whether a word is written, or known, as a proper name."""
    low = word.lower()
    return low in FIRST_NAMES or (word[:1].isupper() and low not in lexicon.NOT_NAMES)
