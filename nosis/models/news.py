"""What a message tells of others that memory holds something about: a small model's corrections.

The second pass reads what users say of themselves; of others it keeps what they ask to keep. Only a
statement in much the same words as one that memory holds is read here as well, since it may put it
right. It does where it says so ("now", "not"), or where it tells the same of the same subject and
that can be one thing only, and where the model, too, says that not both can be true: a small one
says so of two allergies. Then it takes the old one's place; else it is added to the same list of
core memory. The words stay the user's.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nosis.memory import filing
from nosis.memory.core import values
from nosis.memory.text import neutralise
from nosis.memory.tokenizer import terms
from nosis.memory.types import CORE_FIELDS, Kind
from nosis.models import Request
from nosis.models.clauses import of_others
from nosis.models.offline.facts import tidy

_JUDGE = "Answer yes or no."
_QUESTION = "Statement 1: {old}\nStatement 2: {new}\nCan both statements be true at the same time?"
_YES_OR_NO = 'root ::= "Yes" | "No"'
_NEAR = 0.6  # share of the shorter statement's content words that both must have
_PUTS_RIGHT = re.compile(
    r"\b(now|no longer|not|never|instead|any ?more|actually|only|exclusively|\w+n['’]t)\b",
    re.IGNORECASE,
)
_MANY = re.compile(  # what one can do, have or be to several at once
    r"\b(has|have|had|owns?|likes?|loves?|enjoys?|hates?|speaks?|knows?|plays?|writes?|wrote|reads?"
    r"|visit\w*|bought|buys?|sells?|sold|met|allergic|fluent|friends?|brothers?|sisters?|sons?"
    r"|daughters?|colleagues?|members?|collaborat\w+|volunteer\w*|publish\w*|attend\w*|often|once"
    r"|sometimes|too|also|another|both)\b",
    re.IGNORECASE,
)
_VERB = re.compile(r"is|are|was|were|has|have|had|met|won|ran|[a-z]{2,}(s|ed)")
_MAX_STATEMENTS = 3  # a message
_MAX_CHARACTERS = 400  # a statement; a longer one is a text, not a correction


@dataclass(frozen=True, slots=True)
class _Held:
    """A statement that memory holds."""

    text: str
    target: str  # as a MEMORY_REPLACE line names it
    field: str = ""  # of core memory

    def nearness(self, said: set[str]) -> float:
        """How much of the shorter one the two share; 0 for less than two words of content."""
        own = set(terms(self.text))
        shared = len(own & said)
        return shared / min(len(own), len(said)) if shared > 1 else 0.0


async def corrections(
    request: Request, ask: Callable[[str, str, str], Awaitable[str]]
) -> list[str]:
    """The directive lines for what a message tells of others; ``ask`` as in ``extraction``."""
    held = _held(request)
    lines = []
    for statement in of_others(request.user)[:_MAX_STATEMENTS] if held else ():
        new = tidy(statement)
        said = set(terms(statement))
        near = max(held, key=lambda item: item.nearness(said))
        if not new or len(statement) > _MAX_CHARACTERS or near.nearness(said) < _NEAR:
            continue
        if any(filing.says_the_same(item.text, statement, 0.0) for item in held):
            continue
        question = _QUESTION.format(old=neutralise(near.text), new=neutralise(statement))
        apart = _may_put_right(near.text, statement)
        if apart and await ask(_JUDGE, question, _YES_OR_NO) == "No":
            lines.append(f"MEMORY_REPLACE: {near.target} -> {new}")
        elif near.field:
            lines.append(f"MEMORY_UPDATE: {near.field}: {new}")
    return lines


def _may_put_right(old: str, new: str) -> bool:
    one = _subject(old) == _subject(new) and not _MANY.search(new)
    return one or bool(_PUTS_RIGHT.search(new))


def _subject(statement: str) -> list[str]:
    """The words before the verb; all of them where none is seen."""
    written = statement.split()
    ends = (at for at, word in enumerate(written) if at and _VERB.fullmatch(word))
    return [word.casefold() for word in written[: next(ends, None)]]


def _held(request: Request) -> list[_Held]:
    """The fields of core memory that the user made, and the recalled facts."""
    core = [
        _Held(value, f"{field}: {value}", field)
        for field in request.core
        if field not in CORE_FIELDS
        for value in values(request.core, field)
        if "->" not in value and "\n" not in value
    ]
    facts = [
        _Held(hit.entry.text, hit.entry.id)
        for hit in (*request.recalled, *request.near)
        if hit.entry.kind is Kind.FACT
    ]
    return core + facts
