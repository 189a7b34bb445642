"""An answer in a sentence of its own, from what is known, or None where nothing fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from nosis.memory.types import Origin
from nosis.models.offline import concepts, lexicon, matching, person
from nosis.models.offline.known import Known
from nosis.models.offline.questions import Kind, Question

LISTED = 15  # things named in answer to "what do you know about me?"
_SEVERAL = 6  # things named in answer to "what do I like?"
_QUOTED_CHARS = 200

# "tomorrow (2026-12-01)" was right on the day before only.
_THAT_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|last night) \((\d{4}-(?:0[1-9]|1[0-2])-[0-3]\d)\)"
)
_MANY = lexicon.word_set(
    """
    like hate allergic pet child sibling know speak language hobby animal
    """
)
_ONE = lexicon.word_set("live name birthday work age email phone address deadline")
_DENIED = ("live", "name", "birthday")  # one place, one name: another one is a no

_DAYS = frozenset(map(concepts.concept, lexicon.WEEKDAYS | lexicon.MONTHS))
_OVER = re.compile(
    r"\bused to\b|^The user had |^The user's .+? was called |^The user sold |"
    r"\b(?:died|cancell?ed|called off)\b"
)
_ASKS_PAST = re.compile(r"\b(?:used to|did|had|was|were|sold|died|cancell?ed|called off)\b")
_CLOSE = 0.55  # a score of recall (0-1) that unrelated words hardly reach


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
        if question.kind is Kind.RECAP:
            return self._recap()
        fitting = matching.fitting(question, self._items)
        if question.kind is Kind.YES_NO:
            return self._yes_no(question, fitting)
        if not fitting:
            return None
        best = fitting[0]
        if question.kind is Kind.TOLD and best.when:
            return f"You told me {self._day(best.when)}: {person.inside(self.say(best))}."
        if best.spoken:
            return self._quote(best)
        several = self._several(question, fitting)
        if len(several) > 1:
            return " ".join(f"{sentence}." for sentence in several)
        return f"{self.say(best)}{self._since(best)}."

    def nearest(self, question: Question) -> str | None:
        """What is known about the same one, where the question itself has no answer."""
        subject = [c for c in question.asked if c not in matching.GENERIC]
        beings = [c for c in subject if c in concepts.beings()]
        for item in self._items:
            if item.spoken or (question.self_ and not item.about_user):
                continue
            shared = [c for c in subject if concepts.matches(c, item.held)]
            # That it is about the same person alone answers nothing.
            telling = set(shared) - set(beings) - item.names
            if telling and all(being in shared for being in beings):
                return self.say(item)
        return None

    def heard(self, question: Question) -> str | None:
        """What the user once said that recall finds close, where nothing else is known."""
        subject = [c for c in question.asked if c not in matching.GENERIC]
        exact = [c for c in question.asked if c[:1].isdigit() or c in _DAYS]
        said = (
            item
            for item in self._items
            if item.spoken
            and not item.loose
            and item.score >= _CLOSE
            and item.held >= set(exact)
            and any(concepts.matches(c, item.held) for c in subject)
        )
        item = max(said, key=lambda i: i.score, default=None)
        return self._quote(item) if item else None

    def say(self, item: Known) -> str:
        """A known thing, said to the user, without full stop."""
        text = _THAT_DAY.sub(lambda found: self._date(found[1]), item.text)
        return person.second_person(text, self._name)

    def _date(self, iso: str) -> str:
        try:
            day = date.fromisoformat(iso)
        except ValueError:  # the 31st of a shorter month: somebody else's words
            return iso
        year = "" if day.year == datetime.fromtimestamp(self._now).year else f" {day.year}"
        return f"on {day.day} {day:%B}{year}"

    def _several(self, question: Question, fitting: list[Known]) -> list[str]:
        """All answers of equal worth, where a question allows more than one."""
        asked = set(question.asked)
        if not asked & _MANY or asked & _ONE or question.kind is Kind.COUNT:
            return []
        best = matching.share(question, fitting[0])
        same = [i for i in fitting if not i.spoken and matching.share(question, i) >= best]
        return list(dict.fromkeys(self.say(item) for item in same))[:_SEVERAL]

    def _yes_no(self, question: Question, fitting: list[Known]) -> str | None:
        if not fitting or fitting[0].spoken:
            denial = self._denial(question)
            return denial or (self._quote(fitting[0]) if fitting else None)
        best = fitting[0]
        asks_dislike = question.negative != ("hate" in question.asked)
        agrees = best.negative == asks_dislike
        if _OVER.search(best.text) and not _ASKS_PAST.search(question.text):
            return f"Not any more, as far as I know: {person.inside(self.say(best))}."
        sentence = person.inside(self.say(best))
        return f"{'Yes' if agrees else 'No'}, {sentence}{self._since(best)}."

    def _denial(self, question: Question) -> str | None:
        """ "Do I live in Rome?" when the user is known to live elsewhere."""
        relation = next((c for c in question.asked if c in _DENIED), None)
        beings = set(question.asked) & concepts.beings()
        for item in self._items:
            if item.spoken or item.negative or relation not in item.held:
                continue
            if (question.self_ and item.about_user) or beings & item.subjects:
                known = person.inside(self.say(item))
                return f"Not as far as I know: {known}{self._since(item)}."
        return None

    def _about(self, question: Question) -> str | None:
        met = [
            item
            for item in self._items
            if all(concepts.matches(c, item.held | item.subjects) for c in question.asked)
            and (not item.loose or question.told)
        ]
        said = list(dict.fromkeys(self.say(item) for item in met if not item.spoken))
        if len(said) == 1:
            return f"{said[0]}."
        if said:
            return bullets(said[:_SEVERAL])
        return self._quote(met[0]) if met else None

    def _recap(self) -> str | None:
        here = [item for item in self._items if item.spoken and not item.entry]
        said = [item.text for item in here if not item.loose][:_SEVERAL]
        return f"In this conversation you said:\n{bullets(said[::-1])}" if said else None

    def _everything(self) -> str | None:
        said = list(dict.fromkeys(self.say(item) for item in self._items if not item.spoken))
        if not said:
            return None
        more = "\n\nThere is more; ask me about anything in particular."
        listed = f"This is what I know about you:\n{bullets(said[:LISTED])}"
        return listed + (more if len(said) > LISTED else "")

    def _quote(self, item: Known) -> str:
        shown = item.text
        if len(shown) > _QUOTED_CHARS:
            shown = f"{shown[:_QUOTED_CHARS].rsplit(' ', 1)[0]} …"
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
        if days <= 1:
            return "yesterday" if days == 1 else "today"
        return self._date(then.date().isoformat())


def bullets(sentences: Sequence[str]) -> str:
    """Sentences as a short list."""
    return "\n".join(f"- {sentence}" for sentence in sentences)
