"""An answer in a sentence of its own, from what is known, or None where nothing fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from nosis.memory.types import Origin
from nosis.models.offline import concepts, lexicon, person, phrases
from nosis.models.offline.known import Known
from nosis.models.offline.questions import Kind, Question

ENOUGH = 0.6  # share of a question's concepts that a fact must hold
LISTED = 15  # things named in answer to "what do you know about me?"

_TASTE = frozenset(("like", "hate"))
_PLACE = re.compile(
    r"\b(?:in|at|to|near|from|on|outside|under|by|behind|around|into|off|above|next to)\b"
)
_MANY = frozenset(
    (
        "like",
        "hate",
        "allergic",
        "pet",
        "child",
        "sibling",
        "know",
        "speak",
        "language",
        "hobby",
        "animal",
    )
)
_ONE = frozenset(
    ("live", "name", "birthday", "work", "age", "email", "phone", "address", "deadline")
)
_LIGHT = frozenset(
    ("favourite", "like", "name", "use", "plan", "day", "time", "make", "need", "want", "take", "come", "see", "help",
     "good", "new", "look", "find", "give", "run", "play", "big", "current")
)  # fmt: skip
_GENERIC = _LIGHT | {"live", "work", "age"}  # relations: no subject of their own


class Answerer:
    """Answers questions from what is known.

    Args:
        items: all that may answer.
        name: the user's name.
        now: POSIX seconds, for "you told me yesterday".
    """

    def __init__(self, items: Sequence[Known], name: str = "", now: float = 0.0) -> None:
        self._items = items
        self._name = name
        self._now = now

    def answer(self, question: Question) -> str | None:
        """One or a few sentences, or None where nothing that is known fits."""
        if question.kind is Kind.LIST:
            return self._everything()
        if question.kind is Kind.ABOUT:
            return self._about(question)
        fitting = self._fitting(question)
        if not fitting:
            return self._denial(question) if question.kind is Kind.YES_NO else None
        best = fitting[0]
        if question.kind is Kind.YES_NO:
            return (self._denial(question) if best.spoken else None) or self._yes_no(question, best)
        if question.kind is Kind.TOLD and best.when:
            return f"You told me {self._day(best.when)}: {_lower(self.say(best))}."
        chosen = self._several(question, fitting)
        if len(chosen) > 1:
            return " ".join(f"{self.say(item)}." for item in chosen)
        if best.spoken:
            return self._quote(best)
        return f"{self.say(best)}{self._since(best)}."

    def nearest(self, question: Question) -> str | None:
        """What is known about the same person or thing, when the question itself has no answer."""
        subject = [c for c in question.asked if c not in _GENERIC]
        if not subject:
            return None
        for item in self._items:
            shared = [c for c in subject if concepts.matches(c, item.held)]
            beings = [c for c in subject if c in concepts.beings()]
            if item.spoken or not shared or any(b not in shared for b in beings):
                continue
            if question.self_ and not item.about_user:
                continue
            return self.say(item)
        return None

    def say(self, item: Known) -> str:
        """A known thing, said to the user, without full stop."""
        return person.second_person(item.text, self._name)

    # -- choosing ------------------------------------------------------------------------------

    def _fitting(self, question: Question) -> list[Known]:
        ranked = []
        for position, item in enumerate(self._items):
            share = self._share(question, item)
            least = ENOUGH if not item.spoken else 0.75
            if share < least or not _fits(question, item):
                continue
            own = item.about_user == question.self_
            specific = len(item.held & set(question.asked))
            rank = (
                not item.spoken,
                round(share, 2),
                own,
                _first_field(question, item),
                specific,
                item.when,
                -position,
            )
            ranked.append((rank, item))
        ranked.sort(key=lambda pair: pair[0], reverse=True)
        return [item for _, item in ranked]

    def _share(self, question: Question, item: Known) -> float:
        if not question.asked:
            return 0.0
        whole = got = 0.0
        for asked in question.asked:
            weight = 0.6 if asked in _LIGHT else 1.0
            whole += weight
            held = item.held | (
                _TASTE if question.kind is Kind.YES_NO and item.held & _TASTE else frozenset()
            )
            if concepts.matches(asked, held):
                got += weight
            elif asked in concepts.beings() and not item.spoken:
                return 0.0  # "my brother" is not answered by what is known of a sister
        return got / whole

    def _several(self, question: Question, fitting: list[Known]) -> list[Known]:
        if (
            not set(question.asked) & _MANY
            or set(question.asked) & _ONE
            or question.kind is Kind.COUNT
        ):
            return fitting[:1]
        facts = [item for item in fitting if not item.spoken]
        best = self._share(question, facts[0]) if facts else 0.0
        same = [item for item in facts if self._share(question, item) >= best]
        texts = dict.fromkeys(self.say(item).lower() for item in same)
        first = {self.say(item).lower(): item for item in reversed(same)}
        return [first[text] for text in texts][:6] or fitting[:1]

    # -- saying --------------------------------------------------------------------------------

    def _yes_no(self, question: Question, best: Known) -> str | None:
        if best.spoken:
            return self._quote(best)
        disliked = "hate" in question.asked
        negative = best.negative != (question.negative or disliked)
        if disliked and "like" in best.held and not best.negative:
            negative = True
        return f"{'No' if negative else 'Yes'}, {_lower(self.say(best))}{self._since(best)}."

    def _denial(self, question: Question) -> str | None:
        """ "Do I live in Rome?" when the user is known to live elsewhere."""
        relations = [c for c in question.asked if c in ("live", "name", "birthday")]
        if not relations:
            return None
        for item in self._items:
            same = (
                item.about_user
                and question.self_
                or (set(question.asked) & concepts.beings() & item.subjects)
            )
            if not item.spoken and same and relations[0] in item.held and not item.negative:
                return f"Not as far as I know: {_lower(self.say(item))}{self._since(item)}."
        return None

    def _about(self, question: Question) -> str | None:
        facts = [
            item
            for item in self._items
            if not item.spoken
            and all(concepts.matches(c, item.held | item.subjects) for c in question.asked)
        ]
        if facts:
            return _bullets([self.say(item) for item in facts[:6]])
        spoken = [
            i
            for i in self._items
            if i.spoken and all(concepts.matches(c, i.held) for c in question.asked)
        ]
        return self._quote(spoken[0]) if spoken else None

    def _everything(self) -> str | None:
        said = list(dict.fromkeys(self.say(item) for item in self._items if not item.spoken))
        if not said:
            return None
        more = (
            "" if len(said) <= LISTED else "\n\nThere is more; ask me about anything in particular."
        )
        return f"This is what I know about you:\n{_list(said[:LISTED])}{more}"

    def _quote(self, item: Known) -> str:
        words = " ".join(item.text.split())
        shown = words if len(words) <= 200 else f"{words[:200].rsplit(' ', 1)[0]} …"
        when = f"{self._day(item.when)} you said" if item.when else "earlier you said"
        return f"{when[0].upper()}{when[1:]}: “{shown}”"

    def _since(self, item: Known) -> str:
        if not item.entry or not item.when:
            return ""
        verb = "you told me" if item.entry.origin is Origin.USER else "noted"
        return f" — {verb} {self._day(item.when)}"

    def _day(self, seconds: float) -> str:
        then, today = datetime.fromtimestamp(seconds), datetime.fromtimestamp(self._now)
        days = (today.date() - then.date()).days
        if days <= 0:
            return "today"
        if days == 1:
            return "yesterday"
        year = "" if then.year == today.year else f" {then.year}"
        return f"on {then.day} {then:%B}{year}"


def _fits(question: Question, item: Known) -> bool:
    """Whether an item is of the kind that is asked for, and about the one who is asked about."""
    text = item.text.lower()
    found = text.split()
    asked = set(question.asked)
    if question.self_ and not item.about_user and not item.spoken and question.kind is not Kind.WHO:
        if not asked & (item.subjects & concepts.beings()) and not any(
            concepts.matches(c, item.subjects) for c in asked if c not in _GENERIC
        ):
            return False
    if question.kind is Kind.WHERE and not (
        _PLACE.search(text) or (item.core and item.core[0] == "company")
    ):
        return False
    if question.kind in (Kind.WHEN,) and not (phrases.has_date(found) or any(w.strip(".,") in lexicon.WEEKDAYS for w in found)
                                              or re.search(r"\b(?:1[89]|20)\d\d\b|\d{1,2}(?:st|nd|rd|th)\b|\d:\d\d|last|ago|next", text)):  # fmt: skip
        return False
    if (
        question.kind is Kind.COUNT
        and not phrases.has_number(found)
        and " no " not in f" {text} "
        and " and " not in text
    ):
        return False
    if (
        question.kind is Kind.AGE
        and "age" not in item.held
        and not re.search(r"\bborn\b|\bturned \d|is \d", text)
    ):
        return False
    if question.kind is Kind.WHO and not any(
        phrases.is_name(word) for word in item.text.replace("The user", "").split()
    ):
        return False
    if question.kind is Kind.WHAT and asked & _TASTE and not item.spoken:
        return not ("like" in asked and item.negative or "hate" in asked and not item.negative)
    return True


def _first_field(question: Question, item: Known) -> int:
    """Prefers the field that is asked for: the role for "what", the company for "where"."""
    if not item.core or "work" not in question.asked:
        return 0
    wanted = (
        "company"
        if question.kind in (Kind.WHERE, Kind.WHO)
        or "company" in question.text
        or "employer" in question.text
        else "role"
    )
    return 1 if item.core[0] == wanted else 0


def _lower(sentence: str) -> str:
    first = sentence.split(" ", 1)[0]
    return (
        sentence[0].lower() + sentence[1:]
        if first in ("You", "Your", "The", "To", "Both")
        else sentence
    )


def _list(said: Sequence[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in said)


def _bullets(said: Sequence[str]) -> str:
    unique = list(dict.fromkeys(said))
    return f"{unique[0]}." if len(unique) == 1 else _list(unique)
