"""What describes someone for good: ages, traits, origins, lasting attitudes."""

from __future__ import annotations

import re

from nosis.models.offline import dates, lexicon, phrases

_AGE = re.compile(r"^(?:1[0-9]|[2-9][0-9]|10\d)$")
_SIZE = re.compile(r"^\d(?:'\d{0,2}\"?|ft)|^\d{3}cm$|^\d\.\d{1,2}m$")
_UNITS = lexicon.word_set("cm kg tall metres meters feet foot")
_MODIFIERS = lexicon.ADVERBS | {
    "a",
    "an",
    "bit",
    "very",
    "pretty",
    "big",
    "huge",
    "total",
    "more",
    "of",
}
_BARE = lexicon.word_set(
    """
    fan user member supporter believer lover person bird native survivor owner
    """
)  # nothing without "of …" or what kind
_HEAD_ENDS = lexicon.word_set("of and from at in with since who , to for all my by")
_LINKS = {
    "allergic": "to", "intolerant": "to", "addicted": "to", "sensitive": "to", "fluent": "in",
    "interested": "in", "proficient": "in", "good": "at", "bad": "at", "terrible": "at",
    "great": "at", "hopeless": "at", "keen": "on", "hooked": "on",
}  # fmt: skip
_SKILLS = lexicon.word_set("good bad great terrible hopeless")
_JOKES = lexicon.word_set(
    """
    nonsense work mondays stupidity drama idiots math maths people
    """
)
_FEARS = lexicon.word_set("scared afraid terrified frightened")
_NO_OBJECT = lexicon.word_set(
    """
    the my me him her them how what making all knowing hearing losing seeing getting buying
    being trouble doing
    """
)
_MAX_WORDS = 6


def is_age(lowered: list[str]) -> bool:
    """Whether words after "am"/"is" tell an age or a height."""
    if not lowered:
        return False
    first, rest = lowered[0], lowered[1:]
    if _SIZE.match(first) or (first.isdigit() and rest[:1] and rest[0] in _UNITS):
        return True
    if not first.isdigit():
        return False
    if rest[:2] in (["years", "old"], ["year", "old"]) or rest[:1] in (["yo"], [","], ["and"]):
        return True
    return not rest and bool(_AGE.match(first))


def is_trait(lowered: list[str]) -> bool:
    """Whether words after "am"/"is" describe a lasting trait ("vegan", "allergic to nuts")."""
    at = 0
    while at < len(lowered) and (lowered[at] in _MODIFIERS or lexicon.is_adverb(lowered[at])):
        at += 1
    article = bool({"a", "an"} & set(lowered[:at]))
    rest = lowered[at:]
    if not rest or phrases.points(rest) or dates.momentary(rest):
        return False
    if not article and (adjective := _adjective(rest)) is not None:
        return adjective
    if article and rest[0] in lexicon.NATIONALITIES:
        return True
    noun = _head(rest)
    lone = noun in _BARE and len(rest) == 1
    return noun in lexicon.TRAIT_NOUNS and (article or noun != "fan") and not lone


def _adjective(rest: list[str]) -> bool | None:
    """Whether an adjective that the rules know lasts; None for one that they do not."""
    first = rest[0]
    if first == "sober":
        return bool({"for", "since"} & set(rest))
    if rest[:3] == ["hard", "of", "hearing"]:
        return True
    if first in ("left", "right"):
        return rest[1:2] == ["handed"]
    if first in ("lactose", "gluten"):
        return "intolerant" in rest or "free" in rest
    if first in lexicon.TRAITS or first in lexicon.NATIONALITIES:
        return first not in ("straight", "short") or len(rest) == 1
    if first in ("half", "part", "originally") and len(rest) > 1:
        return rest[1] in lexicon.NATIONALITIES or rest[1] in lexicon.TRAITS
    return _attitude(rest) if first in lexicon.ATTITUDES else None


def _attitude(rest: list[str]) -> bool:
    first, after = rest[0], rest[1:]
    if first == "claustrophobic":
        return not after
    if first != "into":
        link = after[0] if after else ""
        expected = {_LINKS.get(first, link), *(("with",) if first in _SKILLS else ())}
        if link not in expected or link not in {*_LINKS.values(), "about", "with", "of"}:
            return False
        after = after[1:]
    if not after or after[0] in _NO_OBJECT or after[0] in _JOKES:
        return False
    return not (first in _FEARS and after[0] in ("a", "an"))


def _head(rest: list[str]) -> str:
    """The noun of a phrase; empty where it is judged rather than described."""
    for index, word in enumerate(rest[:_MAX_WORDS]):
        if word in _HEAD_ENDS:
            return rest[index - 1] if index else ""
        if word in lexicon.EVALUATIONS:
            return ""
    return rest[-1] if len(rest) <= _MAX_WORDS else ""
