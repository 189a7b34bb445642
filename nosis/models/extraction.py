"""The second pass of a small model: what a message tells, as directive lines.

The offline rules read it first: what they find is right, and costs nothing. The model is asked
about the clauses that are left: what kind of thing each tells (the lasting kinds only are kept),
then to restate it in the third person under a grammar whose values can only be spans of that
clause. A fact that came out in other words than the user's is kept in the user's own. No
examples stand in the prompts: small models put them into memory.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from nosis.memory import filing
from nosis.memory.core import values, with_value
from nosis.memory.types import DirectiveKind
from nosis.models import Request
from nosis.models.clauses import telling
from nosis.models.news import corrections
from nosis.models.offline.extract import extract
from nosis.models.offline.facts import tidy
from nosis.models.offline.replies import Reply
from nosis.protocol import parse

Ask = Callable[[str, str, str], Awaitable[str]]  # (system, user, GBNF grammar) -> the answer

_RESTATE = (
    "Say in the third person what the user tells about themselves, in one short sentence, "
    "with their own words."
)
_LASTING = ("a habit", "a taste", "a plan or a date", "a person they know", "their work or team",
            "something they own", "their health", "a place")  # fmt: skip
_PASSING = ("a mood", "a request", "a problem with code or a device",
            "what they do right now", "what somebody else said", "small talk")  # fmt: skip
_OWN = re.compile(r"\b(my|our)\b", re.IGNORECASE)
_SORT = f"Say what the user's sentence tells: {', '.join(_LASTING + _PASSING)}."
_KINDS = "root ::= " + " | ".join(f'"{kind}"' for kind in _LASTING + _PASSING)
_JUDGE = "Answer yes or no."
_YES_OR_NO = 'root ::= "Yes" | "No"'

_COVERED = 0.6  # share of a clause's words that a rule's fact holds
_MAX_CLAUSES = 4  # a message
_MAX_WORDS = 80  # a clause; longer ones are kept as they are

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+"
    r"(?:[-'’.,:/&@][^\W_\u3040-\u30ff\u3400-\u9fff]+)*[+#%]*"
)
_OPENINGS = (
    *("'s name is ", " is called ", " is ", " works as ", " works at ", " works for "),
    *(" likes ", " dislikes ", " prefers ", "'s ", " has ", " does not ", " never "),
)
_RESTATED = re.compile(
    rf"The user(?P<verb>{'|'.join(sorted(_OPENINGS, key=len, reverse=True))})(?P<rest>.*)\.$"
)


def grammar(clause: str) -> str:
    """GBNF for "The user is/has/likes/… SPAN." where SPAN is any run of the clause's words."""
    words = list(_WORD.finditer(clause))
    rules = []
    for at, word in enumerate(words):
        rule = f"w{at} ::= {_literal(word.group())}"
        if at + 1 < len(words):
            between = clause[word.end() : words[at + 1].start()]
            rule += f" ({_literal(between)} w{at + 1})?"
        rules.append(rule)
    rules.append("span ::= " + " | ".join(f"w{at}" for at in range(len(words))))
    rules.append("verb ::= " + " | ".join(map(_literal, _OPENINGS)))
    rules.append('root ::= "The user" verb span "."')
    return "\n".join(rules)


@dataclass(frozen=True, slots=True)
class Told:
    """What is read of a message before it is answered, as ``MEMORY_…:`` lines."""

    by_rules: list[str]
    of_others: list[str]  # what memory holds of others, put right

    @property
    def forgets(self) -> bool:
        return any(line.startswith("MEMORY_FORGET") for line in self.by_rules)


async def first_lines(request: Request, now: float, ask: Ask) -> Told:
    """What the rules find, and corrections: an answer shall not be made from what they replace.

    Args:
        request: its ``user``, ``core`` and ``recalled`` are read, never material.
        now: POSIX seconds.
        ask: puts one question to the model, with a grammar for its answer; only where the message
            says something in much the same words as a memory.
    """
    said = Reply(request, now).text().splitlines()
    told = Told([line for line in said if line.startswith("MEMORY_")], [])
    return told if told.forgets else replace(told, of_others=await corrections(request, ask))


async def directive_lines(request: Request, told: Told, ask: Ask) -> list[str]:
    """The ``MEMORY_…:`` lines for one message, at most a few: those read first, and the rest."""
    lines = list(told.by_rules)
    if told.forgets:
        return lines
    found = extract(request.user)
    held = _content(" ".join(fact.sentence() for fact in found))
    fields = {fact.field for fact in found}
    left = [clause for clause in telling(request.user) if not _covered(clause, held)]
    for clause in left[:_MAX_CLAUSES]:
        kind = await ask(_SORT, clause, _KINDS)
        if kind not in _LASTING or (kind == "a place" and not _OWN.search(clause)):
            continue
        for fact in await _facts(clause, ask):
            field = fact.partition(": ")[0]
            if field not in fields or field == "preference":
                lines.append(f"MEMORY_UPDATE: {fact}")
    put_right = [_content(line.partition(": ")[2]) for line in told.of_others]
    fresh = [line for line in lines if not any(_stated(line) <= words for words in put_right)]
    return list(dict.fromkeys([*told.of_others, *fresh]))


def corrected(request: Request, told: Told) -> Request:
    """The request without what is put right in it, to make the answer from."""
    core, gone = request.core, set()
    for directive in parse("\n".join([*told.by_rules, *told.of_others])).directives:
        if directive.kind is DirectiveKind.REPLACE:
            gone.add(directive.target)
            if named := filing.core_update(directive.target or "", core):
                left = [value for value in values(core, named.field) if value != named.value]
                core = with_value(core, named.field, left)
    recalled = tuple(hit for hit in request.recalled if hit.entry.id not in gone)
    return replace(request, core=core, recalled=recalled)


def _stated(line: str) -> set[str]:
    """The words of content that an update line files, without its category."""
    return _content(re.sub(r"^MEMORY_UPDATE: (\[.*?\] )?", "", line))


def _covered(clause: str, held: set[str]) -> bool:
    """Whether the rules' facts hold most of a clause; words count by their first letters."""
    stems = {word[:4] for word in held}
    words = _content(clause)
    return sum(word[:4] in stems for word in words) >= _COVERED * len(words)


async def _facts(clause: str, ask: Ask) -> list[str]:
    if not 1 < len(_WORD.findall(clause)) <= _MAX_WORDS:
        return []
    restated = await ask(_RESTATE, clause, grammar(clause))
    match = _RESTATED.match(restated)
    typed: list[str] = []
    if match is not None:
        typed = await _typed(clause, match["verb"].strip(), match["rest"].strip(), ask)
    fact = tidy(_free(clause, restated))
    return typed or ([fact] if fact else [])


# --- fields of core memory: only for what the user says of themselves, now

_OWN_NAME = re.compile(
    r"\b(my (full |first |real )?name(['’]s| is)|call me|i(['’]m| am)( called| named)?|i go by)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:my|our) (?!(?:own|full|first|real|current|new|job|day|work|employer|company|role|title"
    r"|profession|occupation|position|workplace|name|favou?rite|preference)\b)[\w'’]+"
    r"(?: [\w'’]+)? (?:is|was|are|has|works?|likes?|loves?|hates?|prefers?|lives?)\b",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(no longer|not|never|\w+n['’]t|quit|left|resigned|retired|fired|former(ly)?|ex|previously"
    r"|stopped|any ?more|used to|was|were|had|worked|will|going to|starting|would|might|may|maybe"
    r"|hope|hoping|plan\w*|almost|if|interview\w*|appl\w+)\b|['’]ll\b",
    re.IGNORECASE,
)
_UNTIL_NOW = re.compile(r"\b(have|has|['’]ve)( \w+)? (worked|been)\b", re.IGNORECASE)
_AVERSION = re.compile(
    r"\b(not|never|cannot|\w+n['’]t|hates?|dislikes?|loathe|detest|despise|avoid|sick of)\b",
    re.IGNORECASE,
)
_TRANSITIVE = ("like", "love", "enjoy", "prefer", "adore", "hate", "dislike", "loathe", "stand",
               "detest", "despise")  # fmt: skip
_TASTE = re.compile(rf"\b({'|'.join(_TRANSITIVE)}|rather|favou?rite|fond|fan)\b", re.IGNORECASE)
_EMPLOYED = r"(?:at|for|with|joined|employer is|company is)"
_PLACE = re.compile(r"\s+(?:at|for|with|in)\s+(?=(?:the\s+|a\s+|an\s+)?[^\W\d_])")
_ARTICLE = re.compile(r"^(an?|the)\s+", re.IGNORECASE)


async def _typed(clause: str, verb: str, rest: str, ask: Ask) -> list[str]:
    """Values for core memory, as ``field: value``; none where the words do not bear them out."""
    if not rest or _OTHERS.search(clause):
        return []
    if verb in ("likes", "dislikes", "prefers"):
        return _preference(clause, verb, rest)
    if verb == "'s" and re.match(r"favou?rite\b", rest, re.IGNORECASE):
        return [f"preference: {rest}"]
    if _NOT_NOW.search(clause) and not _UNTIL_NOW.search(clause):
        return []
    if verb in ("'s name is", "is called", "is") and _looks_like_name(rest):
        sure = verb != "is" or await _is(f'Is "{rest}" the name of a person?', ask)
        return [f"name: {rest}"] if sure and _OWN_NAME.search(clause) else []
    if verb in ("works at", "works for"):
        named = _ARTICLE.sub("", rest)
        place = re.search(rf"\b{_EMPLOYED} (?:an? |the )?{re.escape(named)}", clause, re.IGNORECASE)
        return [f"company: {named}"] if place and _is_proper(named) else []
    if verb == "works as" or (verb == "is" and _says_of_self(clause, rest)):
        return await _role(rest, ask)
    return []


def _preference(clause: str, verb: str, rest: str) -> list[str]:
    taste = _TASTE.search(clause)
    if taste is None or bool(_AVERSION.search(clause)) != (verb == "dislikes"):
        return []
    # The span may begin too late: "I like my coffee black" is not about black.
    whole = clause[taste.end() :].strip(" ,") if taste.group() in _TRANSITIVE else rest
    return [f"preference: {whole if verb == 'prefers' else f'{verb} {whole}'}"]


def _says_of_self(clause: str, rest: str) -> bool:
    """Whether it stands right after "I'm" or "my … is", with an article."""
    before = r"\b(?:i['’]?m|i am|i(?: have|['’]ve) been|my (?:\w+ )?\w+ is)(?: now| also)?"
    return bool(re.search(rf"{before} (?=an? |the ){re.escape(rest)}", clause, re.IGNORECASE))


async def _role(rest: str, ask: Ask) -> list[str]:
    job, *places = _PLACE.split(rest, maxsplit=1)
    job = _ARTICLE.sub("", job)
    if not job or not await _is(f'Is "{job}" an occupation?', ask):
        return []
    company = [f"company: {_ARTICLE.sub('', place)}" for place in places if _is_proper(place)]
    if places and not company:
        job = f"{job}{rest[rest.index(job) + len(job) :]}"
    return [f"role: {job}", *company]


async def _is(question: str, ask: Ask) -> bool:
    return await ask(_JUDGE, question, _YES_OR_NO) == "Yes"


def _looks_like_name(value: str) -> bool:
    words = value.split()
    return len(words) <= 4 and all(not word[0].islower() and word[0].isalpha() for word in words)


def _is_proper(value: str) -> bool:
    return any(word[0].isupper() for word in value.split())


# --- all else


def _free(clause: str, restated: str) -> str:
    """The fact in the third person, if all words that matter are the same; else the user's."""
    return restated.rstrip(".") if _content(clause) == _content(restated) else clause


_EMPTY = frozenset(
    re.findall(
        r"\S+",
        "i i'm im i've am me my mine we we're we've our us ours user user's s you the a an is are"
        " was be been and that to of it have has had do does did really just very also",
    )
)


def _content(text: str) -> set[str]:
    plain = text.lower().replace("’", "'").replace("cannot", "can not")
    words = set(_WORD.findall(plain))
    return {"not" if word.endswith("n't") else word for word in words} - _EMPTY


def _literal(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{quoted}"'
