"""What is over: "the meeting is cancelled", "Juno died", "we got divorced", "I sold the car"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nosis.models.offline import concepts, openings, words
from nosis.models.offline.edits import Edit
from nosis.models.offline.facts import Fact, tidy

if TYPE_CHECKING:
    from nosis.models.offline.known import Known

MARKED = re.compile(
    r"\b(?:cancell?ed|called off|died|passed away|divorced|split up|broken? up|sold)\b",
    re.IGNORECASE,
)
_ADVERBS = r"(?:(?:now|just|sadly|finally|been|got|recently|unfortunately) )*"
_CANCELLED = re.compile(
    rf"^(?:the |my |our )?(?P<what>.+?) (?:is|was|are|were|has|have|got) {_ADVERBS}"
    r"(?P<how>cancell?ed|called off)\b",
    re.IGNORECASE,
)
_DIED = re.compile(
    rf"^(?:my |our )?(?P<what>.+?) (?:has |have )?{_ADVERBS}(?:died|passed away)\b", re.IGNORECASE
)
_PARTED = re.compile(
    rf"^(?:I|we|my [a-z]+ and I) (?:am |are |have |were )?{_ADVERBS}"
    r"(?P<how>divorced|split up|broken? up)\b",
    re.IGNORECASE,
)
_SOLD = re.compile(
    rf"^(?:I|we) (?:have )?{_ADVERBS}sold (?:the |my |our )(?P<what>.+?)"
    r"(?:(?:,| and) (?:I |we )?(?:have )?(?:got|bought) (?P<new>an? .+))?$",
    re.IGNORECASE,
)
_SPOUSE = r"\b(?<!-)(wife|husband)\b"
_PARTNER = r"\b(?<!-)(wife|husband|partner|girlfriend|boyfriend)\b"
_WAS = (  # the first verb of a fact about someone, and its past
    (re.compile(r"^(The user(?: and .+?)?) (?:has got|has)\b"), r"\1 had"),
    (re.compile(r"^(The user's [^,]+?|[A-Z][\w'-]+) is\b"), r"\1 was"),
    (re.compile(r"^(The user's [^,]+?|[A-Z][\w'-]+) lives\b"), r"\1 lived"),
)


def over(message: str, items: Sequence[Known]) -> list[Edit]:
    """The known facts that a message says are over, as what they have become."""
    facts = [item for item in items if item.entry and not item.spoken]
    return [edit for said in _sentences(message) for edit in _ended(said, facts)]


def standing(message: str, spoken: Sequence[Known]) -> list[Known]:
    """Those of the user's earlier words that a later message does not say are over."""
    left = list(spoken)
    for said in _sentences(message):
        if match := _CANCELLED.match(said) or _DIED.match(said) or _SOLD.match(said):
            gone = _about(match["what"], left)
            left = [item for item in left if item not in gone]
    return left


def _sentences(message: str) -> list[str]:
    if not MARKED.search(message):
        return []
    return [
        words.join(openings.strip(words.tokens(sentence.text)))
        for sentence in words.sentences(words.clean(message))
        if sentence.end != "?"
    ]


def _ended(said: str, facts: Sequence[Known]) -> Iterator[Edit]:
    if match := _CANCELLED.match(said):
        about = _about(match["what"], facts)
        if len(about) == 1:
            yield Edit(Fact(f"The {match['what']} is {match['how'].lower()}"), about[0])
    elif match := _DIED.match(said):
        for item in _about(match["what"], facts):
            past = next((p for now, was in _WAS if (p := now.sub(was, item.text)) != item.text), "")
            if past:
                yield Edit(Fact(past), item)
    elif match := _PARTED.match(said):
        yield from _parted(match["how"].lower(), facts)
    elif match := _SOLD.match(said):
        about = _about(match["what"], facts)
        if len(about) == 1:
            yield Edit(Fact(f"The user sold the {match['what']}"), about[0])
        if match["new"] and (new := tidy(f"The user has {match['new']}")):
            yield Edit(Fact(new))


def _parted(how: str, facts: Sequence[Known]) -> Iterator[Edit]:
    divorced = how == "divorced"
    for item in facts:
        if divorced and item.text == "The user is married":
            yield Edit(Fact("The user is divorced"), item)
        else:
            past = re.sub(_SPOUSE if divorced else _PARTNER, r"ex-\1", item.text)
            if past != item.text:
                yield Edit(Fact(past), item)


def _about(what: str, items: Sequence[Known]) -> list[Known]:
    asked = set(concepts.concepts(what))
    return [item for item in items if asked and asked <= item.held | item.subjects]
