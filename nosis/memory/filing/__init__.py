"""What to keep: pure decisions about one fact before it is written.

Similarity thresholds are those of design.md section 5. A similarity says that two texts are
*about* the same; whether they *say* the same is decided by their words, since sentence vectors
hardly see numbers, names, dates and negations (a changed date scored .97).
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory.redact import redact
from nosis.memory.text import clean
from nosis.memory.tokenizer import terms
from nosis.memory.types import CORE_FIELDS, DEFAULT_IMPORTANCE, Category, CoreMemory, Entry

MAX_FACT_CHARACTERS = 4_000
MAX_FACTS_A_TURN = 20
DUPLICATE_SIMILARITY = 0.9
RELATED_SIMILARITY = 0.7

_CATEGORY_WORDS = {
    "people": Category.CONTACT,
    "person": Category.CONTACT,
    "like": Category.PREFERENCE,
    "task": Category.PROJECT,
    "goal": Category.PROJECT,
    "deadline": Category.EVENT,
    "date": Category.EVENT,
    "fact": Category.KNOWLEDGE,
}
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|without|cannot|nor|neither|stopped|quit|unlike|avoid\w*|"
    r"dislik\w*|hat(?:e|es|ed|ing)|refus\w*|lack\w*|formerly|former|used to)\b|n['’]t\b|[不没未无]"
)
_DATE_WORD = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december)\b|\b(?:today|tomorrow|yesterday|tonight)\b"
)
_NUMBER = re.compile(
    r"\d+(?:[.,:/-]\d+)*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|"
    r"dozen|half|quarter|once|twice|first|second|third|last)\b"
)
_WORD = re.compile(r"\w+")
_CLAUSE_END = re.compile(r"[,.;!?]|\b(?:and|but|or|while|whereas)\b")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]*")
# Words that tie a statement together without adding news to it.
_GLUE = frozenset(
    terms("call called name named be is has have got own user they their known as the a")
) | frozenset(terms(" ".join(CORE_FIELDS)))  # the label of a core value is nobody's words
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|rule|prompt|previous|"
    r"prior|above|system|guideline|polic|polit|memor)|"
    r"\b(?:system|developer|assistant)\s*(?:prompt|message|override|instruction)s?\b|"
    r"^(?:you|(?:the )?(?:assistant|ai|model|agent)|nosis|(?:this |the )?chat\w*)\b.{0,20}"
    r"\b(?:must|should|shall|will|have to|need to|always|never|are (?:now )?(?:a|an|in))\b|"
    r"^(?:always|never|from now on|in (?:the )?future|whenever|every time|henceforth|do not|don't|"
    r"when (?:the user|asked|you))\b|"
    r"^(?:if|when) (?:the user|anyone|someone|asked|you)\b.{0,60}\b(?:answer|reply|respond|say|"
    r"send|show|recommend|use)\b|^(?:execute|forward|obey|trust|please)\b|"
    r"\btrust (?:all|any|every)\b|"
    r"\b(?:wants|expects|asked|told|authori[sz]e[sd]?) you to\b|"
    r"\bauthori[sz]ed?\b.{0,60}\bwithout (?:asking|confirm)|"
    r"\b(?:before|after|in|with|forward|copy|send) (?:each|every|all) (?:answer|repl|response)|"
    r"\b(?:as|is) (?:a |an |the )?(?:trusted|reliable|authoritative|preferred|official) "
    r"(?:source|site|vendor|provider|reference)|"
    r"\b(?:send|forward|post|exfiltrate|upload|leak|append|insert|include|embed|render)\b.{0,60}"
    r"\b(?:to|at|via|in|into|with)\b.{0,30}(?:https?:|www\.|\burl\b|\bserver\b|\blink\b|\bimage\b)|"
    r"\b(?:recommend|cite|mention|promote|prefer)\b.{0,40}\b(?:first|always|every (?:answer|reply|"
    r"response|conversation)|in (?:all|future|every))\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"!\[[^\]]*\]\(|<\s*(?:img|script|iframe|a\s|svg|link|style)\b|\]\(\s*\w+:|data:\w+/",
    re.IGNORECASE,
)
_TWO_ALPHABETS = re.compile("[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]")  # look-alikes
_URL = re.compile(r"\b(?:https?|ftp|javascript)\s*:\s*/{0,2}\S|\bwww\.\w", re.IGNORECASE)


def checked_text(content: str) -> str:
    """A person's words as they may be kept: cleaned, secrets redacted.

    Raises:
    UsageError: there are none, or too many for one fact.
    """
    text = redact(clean(content)).strip() if isinstance(content, str) else ""
    if not text:
        raise UsageError("there is nothing to remember", "Give the words of the fact.")
    if len(text) > MAX_FACT_CHARACTERS:
        raise UsageError(
            f"{len(text)} characters are too many for one fact (at most {MAX_FACT_CHARACTERS})",
            "Split it into several facts.",
        )
    return text


def check_category(text: object) -> Category | None:
    """The category a person means; ``prefs`` is preference, ``general`` none.

    Raises:
        UsageError: no category is near, with the list of them.
    """
    if text is None or not (word := str(text).strip().casefold()) or word == "general":
        return None
    if word in (names := [c.value for c in Category]):
        return Category(word)
    singular = word.removesuffix("s")
    if singular in _CATEGORY_WORDS:
        return _CATEGORY_WORDS[singular]
    near = [n for n in names if len(singular) >= 3 and n.startswith(singular)]
    near = near or difflib.get_close_matches(word, names, n=1, cutoff=0.75)
    if len(near) == 1:
        return Category(near[0])
    raise UsageError(f"unknown category: {text!r}", "Use one of " + ", ".join(names) + ".")


def check_importance(value: object) -> float:
    """An importance within 0-1.

    Raises:
        UsageError: it is out of range or no number.
    """
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not 0.0 <= number <= 1.0:
        raise UsageError(
            f"not an importance: {value!r}", "Use a number from 0 to 1, such as 0.7 for important."
        )
    return number


def lenient_category(text: str | None) -> Category | None:
    """As ``check_category``, with none for what is unknown: models invent categories."""
    try:
        return check_category(text)
    except UsageError:
        return None


def lenient_importance(value: object) -> float:
    """As ``check_importance``, with the default for nonsense."""
    try:
        return check_importance(value)
    except UsageError:
        return DEFAULT_IMPORTANCE


@dataclass(frozen=True, slots=True)
class CoreUpdate:
    """A directive that sets a field of core memory."""

    field: str
    value: str


def core_update(text: str, core: CoreMemory) -> CoreUpdate | None:
    """``name: Ada`` as a core update; None for any other fact.

    A colon alone makes no field: only the four fixed fields and those that core memory already
    has (a person made them) count, so that "Note: deploys moved" stays a fact.
    """
    head, *rest = re.split("[:\uff1a]", text, maxsplit=1)
    if not rest or len(head) > 40 or not (value := rest[0].strip()):
        return None
    name = core_memory.field_name(head)
    if name in CORE_FIELDS or name in core:
        return CoreUpdate(name, value)
    return None


def details(text: str) -> tuple[tuple[str, ...], ...]:
    """What must agree before two texts can be the same statement: numbers, dates, names and
    negations in their order, so that "2 cats, 3 dogs" is not "3 cats, 2 dogs". A negation comes
    with the rest of its clause."""
    folded = unicodedata.normalize("NFKC", text)
    lower = folded.casefold()
    named = sorted(
        (found.start(), found[0].casefold())
        for pattern, within in ((_NUMBER, lower), (_DATE_WORD, lower), (_NAME, folded))
        for found in pattern.finditer(within)
    )
    return (
        tuple(text for _, text in named),
        tuple(
            " ".join([found[0], *_WORD.findall(_CLAUSE_END.split(lower[found.end() :], 1)[0])])
            for found in _NEGATION.finditer(lower)
        ),
    )


def negations(text: str) -> list[str]:
    """The words of a text that deny something."""
    return _NEGATION.findall(unicodedata.normalize("NFKC", text).casefold())


def says_the_same(old: str, new: str, similarity: float) -> bool:
    """Whether the new text adds nothing to the old one, so that it need not be kept.

    Equal words in order are the same whatever the similarity. Else similarity must be at least
    0.9, all details must agree, and the new text may add only words without news.
    """
    if " ".join(old.casefold().split()) == " ".join(new.casefold().split()):
        return True
    if details(old) != details(new):  # most pairs, and cheaper to tell than their terms
        return False
    old_terms, new_terms = terms(old), terms(new)
    if new_terms and old_terms == new_terms:
        return True
    added = (Counter(new_terms) - Counter(old_terms)).keys() - _GLUE
    return similarity >= DUPLICATE_SIMILARITY and not added


def duplicate_of(text: str, candidates: Sequence[tuple[Entry, float]]) -> Entry | None:
    """The entry among (entry, similarity) that already says this."""
    for entry, similarity in candidates:
        if says_the_same(entry.text, text, similarity):
            return entry
    return None


def suspicious(text: str) -> str | None:
    """Why a fact must wait for the user: it reads like an instruction, or carries markup.

    Checked after Unicode normalisation, without zero-width and combining marks, so that
    look-alike spelling does not pass.
    """
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in decomposed if unicodedata.category(c) not in ("Cf", "Mn", "Cc"))
    plain = " ".join(plain.split())
    if _MARKUP.search(plain):
        return "carries markup"
    if _URL.search(plain):
        return "carries a link"
    if _TWO_ALPHABETS.search(plain):
        return "mixes two alphabets in one word"
    if any(_INSTRUCTION.search(s) for s in re.split(r"(?<=[.!?;:])\s+|\s[-–—]\s", plain)):
        return "reads like an instruction"
    return None


def grounded(fact: str, words: str) -> bool:
    """Whether most content words of a fact occur in the user's own words."""
    wanted = set(terms(fact)) - _GLUE
    if not wanted:
        return True
    said = set(terms(words))
    return len(wanted & said) >= 0.5 * len(wanted)
