"""Whose words: from the user's "I" to "the user", and from "the user" back to "you"."""

from __future__ import annotations

import re

from nosis.memory.tokenizer import language
from nosis.memory.types import DEFAULT_IMPORTANCE
from nosis.models.offline import lexicon, verbs, words
from nosis.models.offline.facts import Fact

USER = "The user"
_OWN = {"my": "their", "our": "their", "me": "them", "us": "them", "myself": "themselves",
        "ourselves": "themselves", "mine": "theirs", "ours": "theirs"}  # fmt: skip
_OTHER = {"my": "the user's", "our": "the user's", "me": "the user", "us": "the user",
          "myself": "the user", "ourselves": "the user", "mine": "the user's",
          "ours": "the user's"}  # fmt: skip
_LOWERED = ("You", "Your", "The", "Both", "To")
_BACK = {"their": "your", "them": "you", "themselves": "yourself", "theirs": "yours"}
_HEAD = re.compile(r"^(?:the user|user)(?P<own>'s?)?(?=\s)\s+", re.IGNORECASE)
_INSIDE = re.compile(r"\b(?:the user)('s)?(?!\w)", re.IGNORECASE)
_EMPTY = lexicon.word_set(
    """
    also just even both actually honestly literally basically kinda sorta already too definitely
    """
)
_FIRST_PERSON = re.compile(r"(?:I|I['’]m|My|We|Our)\b", re.IGNORECASE)
_SKIPPED = lexicon.ADVERBS | {"no", "longer", "not"}


def third_person(clause: list[str], team: bool = False) -> str:
    """A clause in the first person as a sentence about the user.

    ``team``: "we" means the people the user works with.
    """
    lowered = words.low(clause)
    first = lowered[0]
    if first in ("i", "we"):
        clause = [
            word for at, word in enumerate(clause) if not (0 < at < 4 and lowered[at] in _EMPTY)
        ]
        subject = "The user's team" if team and first == "we" else USER
        return _finish([subject, *_predicate(clause[1:], own=True)])
    if first in ("my", "our"):
        end = _subject_end(lowered)
        paired = "and" in lowered[:end] and "i" in lowered[:end]
        owner = "The user's"
        if paired:  # "my wife and I": the user first, then "their wife"
            others = [
                w
                for w, low in zip(clause[1:end], lowered[1:end], strict=True)
                if low not in ("and", "i")
            ]
            return _finish([USER, "and their", *others, *_mapped(clause[end:], _OWN)])
        return _finish([owner, *_mapped(clause[1:], _OTHER)])
    return _finish(_mapped(clause, _OTHER))


def about_user(text: str) -> str:
    """A sentence in the first person as one about the user; any other as it is."""
    english = bool(_FIRST_PERSON.match(text)) and language(text) == "english"
    return third_person(words.tokens(text)) if english else text  # "I ragazzi" are others


def told(
    clause: list[str], category: str | None = None, importance: float = DEFAULT_IMPORTANCE
) -> list[Fact]:
    """The one fact that a clause in the first person states."""
    return [Fact(third_person(clause), category=category, importance=importance)]


def preference(clause: list[str]) -> Fact:
    """A clause about likes as a value of core memory: "I love tea" → "loves tea"."""
    return Fact(third_person(clause).removeprefix(f"{USER} "), field="preference")


def _subject_end(lowered: list[str]) -> int:
    for index, word in enumerate(lowered[1:], 1):
        if verbs.is_finite(word) and index > 1:
            return index
    return len(lowered)


def _predicate(rest: list[str], *, own: bool) -> list[str]:
    """The rest of "I …" with its verb in the third person."""
    done: list[str] = []
    for index, word in enumerate(rest):
        low = word.lower()
        if (low in _SKIPPED or lexicon.is_adverb(low)) and not verbs.is_finite(low):
            done.append(low if low != "not" else word)
            continue
        tail = _mapped(rest[index + 1 :], _OWN if own else _OTHER)
        return [*done, verbs.third(low), *tail]
    return done


def _mapped(clause: list[str], table: dict[str, str]) -> list[str]:
    mapped: list[str] = []
    pending = False  # an "I" whose verb is still to come
    for at, word in enumerate(clause):
        low = word.lower()
        if low in ("i", "we") and any(verbs.is_finite(w.lower()) for w in clause[at + 1 : at + 4]):
            mapped.append("they" if table is _OWN else "the user")
            pending = True
        elif pending and verbs.is_finite(low):
            plural = {"am": "are", "was": "were"}.get(low, low)
            mapped.append(plural if table is _OWN else verbs.third(low))
            pending = False
        elif low in table and not (low == "us" and word == "US"):
            mapped.append(table[low])
        else:
            mapped.append(word)
    return mapped


def _finish(parts: list[str]) -> str:
    text = words.join(parts).replace("can not", "cannot")
    return text[:1].upper() + text[1:]


def second_person(text: str, name: str = "") -> str:
    """A stored sentence as one said to the user, without its full stop.

    ``name``: the user's name, so that a fact written about "Ada" also becomes "you".
    """
    text = text.strip().rstrip(".")
    head = _HEAD.match(text)
    if head is None and name:
        own = re.match(rf"{re.escape(name)}(?P<own>'s?)?(?=\s)\s+", text)
        head = own
    if head is None:
        return _to_you(text)
    rest = text[head.end() :]
    if head["own"]:
        return f"Your {_to_you(rest)}"
    return f"You {_agree(rest)}"


def inside(sentence: str) -> str:
    """A sentence to be said after a colon or a comma: "Your…" → "your…"."""
    first = sentence.split(" ", 1)[0]
    return sentence[:1].lower() + sentence[1:] if first in _LOWERED else sentence


def _agree(rest: str) -> str:
    """The predicate of "The user …" as one of "you"; "their" is the user's here."""
    parts = rest.split(" ")
    if parts[0] == "and":  # "The user and their wife have…"
        return _own_back(parts)
    for index, word in enumerate(parts):
        low = word.lower()
        if (low in _SKIPPED or lexicon.is_adverb(low)) and not low.endswith("s"):
            continue
        parts[index] = verbs.base(word)
        break
    return _own_back(parts)


def _own_back(parts: list[str]) -> str:
    back = [
        _BACK.get(word.strip(".,;"), word) if word.strip(".,;") == word else word for word in parts
    ]
    back = ["you" if word == "they" else word for word in back]
    return _to_you(" ".join(back))


def _to_you(text: str) -> str:
    return _INSIDE.sub(lambda found: "your" if found[1] else "you", text)
