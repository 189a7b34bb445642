"""The whole reply to one request: what is said, and the directive lines after it."""

from __future__ import annotations

from collections.abc import Sequence

from nosis.memory.text import neutralise
from nosis.models import Request
from nosis.models.offline import corrections, extract, person, questions, smalltalk
from nosis.models.offline.answers import Answerer
from nosis.models.offline.corrections import Edit
from nosis.models.offline.facts import Fact
from nosis.models.offline.known import Known, known, names
from nosis.models.offline.questions import Kind, Question


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
        held = request.core.get("name", "")
        self._name = neutralise(held) if isinstance(held, str) else ""
        self._answerer = Answerer(self._items, self._name, now)
        self._lines: list[str] = []

    def text(self) -> str:
        """Visible text, then directives on lines of their own."""
        said = self._said()
        if not any(message.role == "assistant" for message in self._request.messages):
            said = f"{smalltalk.INTRODUCTION}\n\n{said}"
        return "\n".join([said, "", *self._lines]) if self._lines else said

    def _said(self) -> str:
        user = self._request.user
        if forgotten := corrections.to_forget(user, self._items):
            return self._forget(*forgotten)
        parts: list[str] = []
        edits, repeated = self._edits(user)
        if edits or repeated:
            self._lines = [line for edit in edits for line in edit.lines()]
            parts.append(self._noted(edits, repeated))
        asked = questions.questions(user)
        parts.extend(self._answers(asked, told=bool(parts)))
        if not parts:
            parts.append(self._otherwise(user))
        return "\n\n".join(dict.fromkeys(parts))

    # -- what is told ---------------------------------------------------------------------------

    def _edits(self, user: str) -> tuple[list[Edit], list[Fact]]:
        earlier = [m.content for m in self._request.messages[:-1] if m.role == "user"][-1:]
        facts = extract.extract(user, names(self._items), "".join(earlier))
        edits = corrections.resolve(facts, self._items)
        fresh = [edit.fact for edit in edits]
        repeated = [fact for fact in facts if fact not in fresh]
        if facts:
            return edits, repeated
        if pair := corrections.contrast(user):
            said = extract.extract(earlier[0]) if earlier else []
            if edit := corrections.swap(*pair, self._items, said):
                return [edit], []
        return [], []

    def _noted(self, edits: Sequence[Edit], repeated: Sequence[Fact]) -> str:
        new = [edit.fact for edit in edits if edit.fact]
        opening = ""
        if name := next(
            (fact.text for fact in new if fact.field == "name" and fact.text != self._name), None
        ):
            opening = f"Nice to meet you, {neutralise(name)}."
            if not self._request.has_material:
                new = [fact for fact in new if fact.field != "name"]
        said = [self._second(fact) for fact in new]
        if self._request.has_material:
            lead = "Your message came with other text, so these wait for you to confirm:"
            return f"{lead}\n" + "\n".join(f"- {sentence}" for sentence in said)
        if not said:
            return opening or f"I know: {_lower(self._second(repeated[0]))}."
        replaced = any(edit.old for edit in edits)
        word = "Corrected" if replaced and len(said) == 1 else "Noted"
        if len(said) == 1:
            first = _lower(said[0])
            noted = f"{word}: {first}." if first[0].islower() else f"{word}. {first}."
        else:
            noted = f"{word}:\n" + "\n".join(f"- {sentence}" for sentence in said)
        return f"{opening} {noted}".strip()

    def _second(self, fact: Fact) -> str:
        return person.second_person(neutralise(fact.sentence()))

    # -- what is to be forgotten ----------------------------------------------------------------

    def _forget(self, what: str, found: list[Known], every: bool) -> str:
        if not what or (
            every and not found and what in ("me", "everything", "all", "it all", "about me")
        ):
            return "I won't forget everything at once from a chat. Use: nosis memory purge, or delete the workspace."
        if self._request.has_material:
            return "A message with other text in it forgets nothing. Ask me again without it."
        if not found:
            return "I have nothing about that to forget."
        if len(found) > 1 and not every:
            listed = "\n".join(f"- {self._answerer.say(item)}" for item in found[:8])
            return f"Which of these shall I forget? Say it in full:\n{listed}"
        self._lines = [line for item in found for line in Edit(old=item).lines()]
        self._lines += [
            f"MEMORY_FORGET: {entry.id}" for entry in corrections.said(what, self._request.recalled)
        ]
        if len(found) == 1:
            return f"Forgotten: {_lower(self._answerer.say(found[0]))}."
        return "Forgotten:\n" + "\n".join(f"- {self._answerer.say(item)}" for item in found)

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
        personal = question.personal or names(self._items) & set(
            question.text.replace("'s", "").split()
        )
        if question.kind is not Kind.ABOUT and not personal or self._wants_work(question):
            return smalltalk.NO_MATERIAL if self._request.has_material else (
                smalltalk.CANNOT if self._wants_work(question) else smalltalk.NOT_MINE)  # fmt: skip
        near = self._answerer.nearest(question)
        return (
            f"I don't know that yet. What I do know: {_lower(near)}." if near else smalltalk.UNKNOWN
        )

    def _wants_work(self, question: Question) -> bool:
        return question.text.split()[:2] in (["can", "you"], ["could", "you"], ["would", "you"], ["will", "you"],
                                             ["should", "i"], ["shall", "i"], ["how", "do"], ["how", "can"],
                                             ["how", "should"], ["what", "should"], ["what", "can"])  # fmt: skip

    def _otherwise(self, user: str) -> str:
        if chat := smalltalk.small_talk(user, self._name):
            return chat
        if self._request.has_material:
            return smalltalk.NO_MATERIAL
        return smalltalk.CANNOT if smalltalk.is_request(user) else smalltalk.HEARD


def _lower(sentence: str) -> str:
    first = sentence.split(" ", 1)[0]
    return (
        sentence[:1].lower() + sentence[1:]
        if first in ("You", "Your", "The", "Both", "To")
        else sentence
    )
