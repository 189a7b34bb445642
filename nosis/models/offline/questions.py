"""What a question asks for: about whom, which kind of answer, in which words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from nosis.models.offline import concepts, dates, gate, openings, words
from nosis.models.offline.remembering import remembered
from nosis.models.offline.words import Sentence

_WRAPPERS = re.compile(
    r"^(?:(?:do|can|could|would|will|did) you (?:still |please |maybe |happen to )*"
    r"(?:remember|know|recall|tell me|remind me|say|see)|(?:please )?(?:tell|remind) me|any idea|"
    r"i (?:have )?(?:forgot|forgotten)|i (?:can|do) not remember|i wonder|"
    r"i (?:would like|want|need) to know|let us see|guess)"
    r"(?: again)?(?: please)?,? ?(?:if |whether |of (?=my)|that )?"
)
_ABOUT = re.compile(
    r"^(?:what (?:do|did|can|else do) you (?:know|remember|recall|have|store|stored|keep)"
    r"(?: on| about| of| regarding)|"
    r"what (?:did|have) i (?:say|said|told|tell|mention|mentioned)(?: you)?(?: about)?|"
    r"(?:everything|anything|something|all|what) (?:you (?:know|remember) )?about|about|"
    r"(?:is there )?(?:everything|anything) you know about|what is (?:known|stored|saved) about|"
    r"(?:did|have) i (?:ever )?(?:tell|told|say|said|mention|mentioned)(?: you)?(?: anything)? "
    r"about|"
    r"who (?:is|are|was)|list (?:everything|what you know|all)(?: you know)?(?: about)?|what about)"
    r" ?(?P<whom>.*)$"
)
_ME = frozenset(
    ["me", "myself", "i", "user", "the user", "me so far", "me again", "", "yet", "so far",
     "me now", "me already"]
)  # fmt: skip
_LIST = re.compile(
    r"^(?:what (?:do|did|have) you "
    r"(?:know|remember|remembered|stored|learned|got|memorised)(?: so far| already| yet)?$"
    r"|list (?:my|your|all|the) (?:memories|facts|memory)"
    r"|show (?:me )?(?:my|your|the) (?:memories|memory)"
    r"|what is in (?:your|my) memory|who am i\b|introduce me|summari[sz]e (?:me|what you know))"
)
_RECAP = re.compile(
    r"what (?:did|have|were) we (?:talk|discuss|sp[eo]ak|chat|cover)|what have i (?:told|said)|"
    r"summari[sz]e (?:this|our|the) (?:chat|conversation)|"
    r"what was (?:this|our) (?:chat|conversation)"
)
_TOLD = frozenset(["tell", "told", "say", "said", "mention", "mentioned"])
_WHEN = ("what time", "what day", "what date", "which day", "since when", "until when")
_WHERE = ("what city", "which city", "what country", "which country", "what town", "in which")
_ASKING = frozenset(
    [
        "is",
        "are",
        "am",
        "was",
        "were",
        "do",
        "does",
        "did",
        "can",
        "could",
        "will",
        "would",
        "should",
        "have",
        "has",
        "may",
        "might",
        "you",
        "about",
        "list",
        "show",
        "tell",
        "remind",
        "who",
    ]
)
_MAX = 3  # questions of one message
_THEIR_WORK = re.compile(r"what (?:do|does|did) (?!i\b|we\b|you\b).{1,40} do$")
_MY_WORK = re.compile(
    r"what (?:do|does|did) (?:i|we) do\b|what is my (?:job|profession|occupation)|what am i$"
)


class Kind(Enum):
    """Which kind of answer fits."""

    WHERE = "where"
    WHEN = "when"
    WHO = "who"
    WHAT = "what"
    COUNT = "how many"
    AGE = "how old"
    LENGTH = "how long"
    YES_NO = "yes or no"
    ABOUT = "about someone or something"
    LIST = "all that is known"
    TOLD = "when it was told"
    RECAP = "what this conversation was about"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, ready to be held against what is known."""

    kind: Kind
    text: str  # lower case, without wrapping
    asked: tuple[str, ...]  # concepts
    personal: bool  # asks about the user, or what is theirs
    self_: bool  # the subject is the user rather than someone of theirs
    negative: bool
    told: bool = False  # asks what was said, not what is so


def questions(text: str) -> list[Question]:
    """The questions of a message, at most three."""
    read_all = map(read, words.sentences(words.clean(text)))
    return [question for question in read_all if question][:_MAX]


def read(sentence: Sentence) -> Question | None:
    """The question that a sentence asks, if it does."""
    tokens = openings.strip(words.tokens(sentence.text))
    if remembered(tokens, sentence.end) is not None:
        return None  # "can you remember that I moved?" tells
    if sentence.end == "?":
        tokens = _asking_part(tokens)
    lowered = words.join(words.low(tokens))
    if not lowered:
        return None
    if sentence.end != "?" and not _ASKING & set(words.low(tokens)):
        return None  # "what nice weather"
    plain = _WRAPPERS.sub("", lowered, count=1)
    wrapped = plain != lowered
    if not (
        sentence.end == "?"
        or wrapped
        or gate.asks(words.low(tokens))
        or _LIST.search(lowered)
        or _ABOUT.match(lowered)
    ):
        return None
    return _classify(plain.strip(" ,?"), wrapped)


def _asking_part(tokens: list[str]) -> list[str]:
    lowered = words.low(tokens)
    for index, word in enumerate(lowered):
        if word == "," and gate.asks(lowered[index + 1 :]):
            return tokens[index + 1 :]
    return tokens


def _classify(plain: str, wrapped: bool) -> Question | None:
    if _LIST.search(plain) or (wrapped and plain in _ME):
        return Question(Kind.LIST, plain, (), True, True, False)
    if _RECAP.search(plain):
        return Question(Kind.RECAP, plain, (), True, True, False)
    about = _ABOUT.match(plain)
    parts = plain.split()
    # "Who is Mara" asks for all about her, "who is the head of the Turin office" does not.
    long = parts[:1] == ["who"] and len(parts) > 4 and parts[2] not in ("my", "our")
    if about and not long:
        whom = about["whom"].strip(" ?.,")
        if (whom in _ME and parts[0] != "about") or whom in ("me", "myself"):
            return Question(Kind.LIST, plain, (), True, True, False)
        asked = tuple(concepts.concepts(whom))
        if not asked:
            return None
        told = bool(_TOLD & set(parts))
        return Question(Kind.ABOUT, plain, asked, _personal(parts), False, False, told)
    kind = _kind(parts, wrapped)
    asked = tuple(_asked(plain, parts, kind))
    subject = _self(parts)
    return Question(
        kind, plain, asked, _personal(parts), subject, "not" in parts or "never" in parts
    )


def _kind(parts: list[str], wrapped: bool) -> Kind:
    first, start = parts[0], " ".join(parts[:3])
    told = _TOLD & set(parts)
    if first == "when" or start.startswith(_WHEN):
        return Kind.TOLD if told and "i" in parts else Kind.WHEN
    if first == "where" or start.startswith(_WHERE):
        return Kind.WHERE
    if first in ("who", "whom", "whose"):
        return Kind.WHO
    if first == "how":
        second = parts[1] if len(parts) > 1 else ""
        if second == "old":
            return Kind.AGE
        if second in ("many", "much"):
            return Kind.COUNT
        return Kind.LENGTH if second in ("long", "far") else Kind.WHAT
    if gate.asks(parts) and first not in ("what", "which", "why", "any"):
        return Kind.YES_NO
    return Kind.YES_NO if wrapped and first in ("i", "we") else Kind.WHAT


def _asked(plain: str, parts: list[str], kind: Kind) -> list[str]:
    if _MY_WORK.match(plain) and not dates.has_date(parts):  # "what do I do on Fridays?"
        return ["live" if "live" in parts else "work"]
    found = concepts.concepts(plain)
    if _THEIR_WORK.match(plain):
        found = [*found, "work"]
    if kind is Kind.AGE:
        found = [*(c for c in found if c != "age"), "age"]
    if re.search(r"\bfor a living\b", plain):
        found = [c for c in found if c != "live"] + ["work"]
    if kind is Kind.WHEN:
        found = [c for c in found if c not in ("time", "day", "date", "year", "month", "week")]
    if kind is Kind.WHERE and parts[-1:] == ["from"]:
        return [*(c for c in found if c not in ("come", "live")), "origin"]
    if kind is Kind.WHERE:
        found = [c for c in found if c not in ("country", "live")] + (
            ["live"] if "live" in found else []
        )
    return list(dict.fromkeys(found))


def _personal(parts: list[str]) -> bool:
    return bool({"i", "my", "me", "we", "our", "us", "mine", "am"} & set(parts))


def _self(parts: list[str]) -> bool:
    """Whether "I" or a thing of mine is the subject, not "my sister"."""
    if {"i", "me", "am", "we"} & set(parts):
        return True
    if "my" not in parts and "our" not in parts:
        return False
    return not (set(concepts.concepts(" ".join(parts))) & concepts.beings())
