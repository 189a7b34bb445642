""" "Forget that I like tea": what is meant, and which memories say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nosis.memory.types import Entry, Kind, Recollection
from nosis.models.offline import concepts, openings, words

if TYPE_CHECKING:
    from nosis.models.offline.known import Known

VERBS = ("forget", "delete", "remove", "erase", "drop", "remembering", "unlearn")
_ASKED = re.compile(
    r"^(?:please |can you |could you |you can |you may |i want you to |i would like you to |just )*"
    r"(?P<verb>forget|delete|remove|erase|drop|stop remembering|unlearn)"
    r"(?: please)? (?P<what>.+)$"
)
_LEAD = re.compile(
    r"^(?:(?P<all>everything|anything|all|what|whatever)"
    r"(?: (?:that )?(?:you (?:know|have|stored|remember|saved)|i (?:said|told you)))?"
    r"(?: about| of| on)? |(?:the )?fact that |that |about |what i said about "
    r"|the (?:memory|note|entry) (?:about|that|of) )+"
)
_FROM_MEMORY = re.compile(
    r"\b(?:memory|memories|remember|know about|told you|said about|fact that|note about)\b"
    r"|^(?:that i|that my|my) "
)
_TAIL = re.compile(r"(?: from (?:your |my )?memory| please)+$")
_NOTHING = frozenset(
    ["it", "this", "that", "about it", "about that", "about this", "me", "what i said", "i asked"]
)
_EVERYTHING = frozenset(["me", "everything", "all", "it all", "about me", ""])
_PLAIN = frozenset(["forget", "stop remembering", "unlearn"])  # the others also mean other things


_JOINT = re.compile(r"(?:,| and| with| who| which)(?= )")


_LISTED = re.compile(r"\b(?:[\w'-]+, )*[\w'-]+,? and [\w'-]+$")


def _unlisted(named: str, asked: set[str]) -> str | None:
    """ "French and Tamil" without the one that is asked to be forgotten."""
    each = re.split(r",? and |, ", named)
    left = [one for one in each if not asked & set(concepts.concepts(one))]
    alike = len({one[:1].isupper() for one in each}) == 1  # not "two cats, Miso and Tofu"
    if len(left) != len(each) - 1 or not alike:
        return None
    return " and ".join([", ".join(left[:-1]), left[-1]] if left[1:] else left)


def without(what: str, item: Known) -> str | None:
    """What is left of a fact when only its later part is to be forgotten; None where the whole is.

    "A red Volvo with the licence plate ABC 123" stays a red Volvo.
    """
    asked = set(concepts.concepts(what)) - item.heads
    if (named := _LISTED.search(item.text)) and (rest := _unlisted(named[0], asked)):
        return item.text.replace(named[0], rest)
    joints = [0, *(m.start() for m in _JOINT.finditer(item.text)), len(item.text)]
    parts = [item.text[start:end] for start, end in pairwise(joints)]
    meant = [
        part for part in parts if any(concepts.matches(c, concepts.concepts(part)) for c in asked)
    ]
    if len(parts) < 2 or len(meant) != 1 or meant[0] == parts[0]:
        return None
    return item.text.replace(meant[0], "", 1)


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be forgotten."""

    what: str  # in the user's words; empty for everything at all
    found: tuple[Known, ...] = ()
    every: bool = False  # all that match, rather than the one that is meant


def requested(text: str, items: Sequence[Known]) -> Request | None:
    """What a message asks to forget, or None where it asks for no such thing."""
    if not any(verb in text.lower() for verb in VERBS):
        return None
    for sentence in words.sentences(words.clean(text)):
        lowered = words.join(words.low(openings.strip(words.tokens(sentence.text))))
        match = _ASKED.match(lowered)
        if not match or match["what"].strip(" .!") in _NOTHING or match["what"].startswith("to "):
            continue
        what = match["what"]
        if match["verb"] not in _PLAIN and not _FROM_MEMORY.search(what):
            continue
        lead = _LEAD.match(what)
        rest = _TAIL.sub("", what[lead.end() :] if lead else what)
        if rest in _EVERYTHING or what in _EVERYTHING:
            return Request("")
        return Request(rest, tuple(_matching(rest, items)), bool(lead and lead["all"]))
    return None


def covers(text: str, item: Known) -> bool:
    """Whether a message asked to forget what an earlier one says."""
    wanted = requested(text, [replace(item, spoken=False)])
    return wanted is not None and bool(wanted.found)


def _matching(what: str, items: Sequence[Known]) -> list[Known]:
    asked = concepts.concepts(what)
    stored = [item for item in items if not item.spoken and asked]
    found = [item for item in stored if all(concepts.matches(c, item.held) for c in asked)]
    own = [item for item in found if item.about_user]
    # "Forget my birthday" means the user's own, not a sister's.
    return own if own and not set(asked) & concepts.beings() else found


def said(what: str, recalled: Sequence[Recollection]) -> list[Entry]:
    """The recalled turns that say what is to be forgotten: they would bring it back."""
    asked = concepts.concepts(what)
    turns = [hit.entry for hit in recalled if hit.entry.kind is Kind.TURN]
    return [entry for entry in turns if set(asked) <= set(concepts.concepts(entry.text))]
