"""The whole reply to one request: what is said, and the directive lines after it."""

from __future__ import annotations

from collections.abc import Sequence

from nosis.memory.redact import redact
from nosis.memory.text import neutralise
from nosis.models import Request
from nosis.models.offline import (
    endings,
    extract,
    forgetting,
    person,
    questions,
    rewording,
    smalltalk,
)
from nosis.models.offline.answers import Answerer, bullets
from nosis.models.offline.edits import Edit, forget_line
from nosis.models.offline.facts import Fact
from nosis.models.offline.known import EARLIER, known, names, near, stated
from nosis.models.offline.questions import Kind, Question

_WORK = (
    "can you ", "could you ", "would you ", "will you ", "should i ", "shall i ", "how do i ",
    "how do you ", "how can ", "how should ", "what should ", "what can ",
)  # fmt: skip
_SECRET = "Passwords, keys and card numbers are never written down: I keep only that there is one."
_NOT_KEPT = "But nothing of this is kept: this conversation only reads memory."


class Reply:
    """The reply to one request.

    Args:
        request: its ``user``, ``core`` and ``recalled`` are used; of its messages only
            whether the assistant spoke before, and what the user said before.
        now: POSIX seconds.
    """

    def __init__(self, request: Request, now: float) -> None:
        self._request = request
        self._items = known(request)
        self._correctable = [*self._items, *near(request)]
        held = request.core.get("name", "")
        self._name = neutralise(held) if isinstance(held, str) else ""
        self._now = now
        self._answerer = Answerer(self._items, self._name, now)
        self._lines: list[str] = []

    def text(self) -> str:
        """Visible text, then directives on lines of their own."""
        said = self._said()
        if self._lines and not self._request.learns:
            return f"{said} {_NOT_KEPT}"
        return "\n".join([said, "", *self._lines]) if self._lines else said

    def _said(self) -> str:
        user = self._request.user
        if forgotten := self._forgotten(user):
            return forgotten
        parts: list[str] = []
        edits, repeated = self._edits(user)
        if edits or repeated:
            self._lines = [line for edit in edits for line in edit.lines()]
            parts.append(self._noted(edits, repeated))
            told = [stated(edit.fact.sentence()) for edit in edits if edit.fact]
            self._answerer = Answerer([*told, *self._items], self._name, self._now)
        asked = questions.questions(user)
        parts.extend(self._answers(asked, told=bool(parts)))
        if not parts:
            parts.append(self._otherwise(user))
        return "\n\n".join(dict.fromkeys(parts))

    # -- what is told ---------------------------------------------------------------------------

    def _edits(self, user: str) -> tuple[list[Edit], list[Fact]]:
        """What to change, and what was told that is known already."""
        earlier = [m.content for m in self._request.messages[:-1] if m.role == "user"]
        heard = names(self._items)
        for before in earlier[-EARLIER:]:
            told = [stated(fact.sentence()) for fact in extract.extract(before, heard)]
            heard = {**names(told), **heard}
        user = rewording.reworded(user)
        facts = extract.extract(user, heard, "".join(earlier[-1:]))
        if not facts and not rewording.may_correct(user):
            return [], []
        from nosis.models.offline import corrections  # few turns need it

        edits = endings.over(user, self._correctable)
        if facts:
            ended = [edit.old for edit in edits]
            left = [item for item in self._correctable if item not in ended]
            edits += corrections.resolve(facts, left, user)
            fresh = [edit.fact for edit in edits]
            return edits, [fact for fact in facts if fact not in fresh]
        if not edits and (pair := corrections.contrast(user)):
            said = extract.extract(earlier[-1]) if earlier else []
            edits = [edit] if (edit := corrections.swap(pair, self._correctable, said)) else []
        return edits or corrections.moved(user, self._correctable), []

    def _noted(self, edits: Sequence[Edit], repeated: Sequence[Fact]) -> str:
        new = [edit.fact for edit in edits if edit.fact]
        opening = ""
        name = next((fact.text for fact in new if fact.field == "name"), None)
        if name and not self._name:
            opening = f"Nice to meet you, {neutralise(name)}."
            if not self._request.has_material:
                new = [fact for fact in new if fact.field != "name"]
        said = [redact(self._second(fact)) for fact in new]  # as memory will hold it
        if self._request.has_material:
            lead = "Your message came with other text, so these wait for you to confirm:"
            return f"{lead}\n{bullets(said)}"
        if not said:
            return opening or f"I know: {person.inside(self._second(repeated[0]))}."
        replaced = any(edit.old for edit in edits)
        word = "Corrected" if replaced and len(said) == 1 else "Noted"
        if len(said) == 1:
            first = person.inside(said[0])
            noted = f"{word}: {first}." if first[0].islower() else f"{word}. {first}."
        else:
            noted = f"{word}:\n{bullets(said)}"
        hidden = any(redact(fact.text) != fact.text for fact in new)
        return f"{opening} {noted} {_SECRET if hidden else ''}".strip()

    def _second(self, fact: Fact) -> str:
        return person.second_person(neutralise(fact.sentence()))

    # -- what is to be forgotten ----------------------------------------------------------------

    def _forgotten(self, user: str) -> str | None:
        wanted = forgetting.requested(user, self._correctable)
        if wanted is None:
            return None
        if not wanted.what:
            return smalltalk.NOT_EVERYTHING
        if self._request.has_material:
            return "A message with other text in it forgets nothing. Ask me again without it."
        if not wanted.found:
            return "I have nothing about that to forget."
        said = [self._answerer.say(item) for item in wanted.found[:8]]
        if len(said) > 1 and not wanted.every:
            return f"Which of these shall I forget? Say it in full:\n{bullets(said)}"
        turns = forgetting.said(wanted.what, self._request.recalled)
        only = wanted.found[0]
        if len(said) == 1 and only.entry and (rest := forgetting.without(wanted.what, only)):
            # Forgotten and told anew, not revised: so the turns that told it stay out of prompts.
            self._lines = [forget_line(only), *(f"MEMORY_FORGET: {entry.id}" for entry in turns)]
            self._lines += Edit(Fact(rest)).lines()
            return f"Forgotten. I still know: {person.inside(self._second(Fact(rest)))}."
        self._lines = [forget_line(item) for item in wanted.found]
        self._lines += [f"MEMORY_FORGET: {entry.id}" for entry in turns]
        # The receipts name what is gone; this answer is kept, and must not tell it again.
        return "Forgotten." if len(said) == 1 else f"Forgotten: {len(said)} memories."

    # -- what is asked --------------------------------------------------------------------------

    def _answers(self, asked: Sequence[Question], *, told: bool) -> list[str]:
        said = []
        for question in asked:
            if answer := self._answerer.answer(question):
                said.append(answer)
            elif not (told and said) and (reply := self._unknown(question, told=told)):
                said.append(reply)
        return said

    def _unknown(self, question: Question, *, told: bool) -> str | None:
        if chat := smalltalk.small_talk(self._request.user, self._name):
            return None if told else chat
        if question.kind is Kind.LIST:
            return smalltalk.NOTHING_YET
        if question.kind is Kind.RECAP:
            return smalltalk.ASK_ME
        personal = question.personal or names(self._items).keys() & set(
            question.text.replace("'s", "").split()
        )
        if (question.kind is not Kind.ABOUT and not personal) or self._wants_work(question):
            if self._request.has_material:
                return smalltalk.NO_MATERIAL
            return smalltalk.CANNOT if self._wants_work(question) else smalltalk.NOT_MINE
        if near := self._answerer.nearest(question):
            return f"I can't say for sure, but I know this: {person.inside(near)}."
        heard = self._answerer.heard(question)
        return f"I can't say for sure. {heard}" if heard else smalltalk.UNKNOWN

    def _wants_work(self, question: Question) -> bool:
        told_to = question.kind is Kind.WHAT and question.text.startswith(("a ", "an ", "the "))
        return told_to or question.text.startswith(_WORK)

    def _otherwise(self, user: str) -> str:
        if chat := smalltalk.small_talk(user, self._name):
            return chat
        if self._request.has_material:
            return smalltalk.NO_MATERIAL
        return smalltalk.CANNOT if smalltalk.is_request(user) else smalltalk.HEARD
