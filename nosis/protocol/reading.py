"""What a finished directive line says: its directives, or why it is refused."""

from __future__ import annotations

import json
import re
import string
import unicodedata
from typing import Any

from nosis.memory.text import clean
from nosis.memory.types import Category, Directive, DirectiveKind
from nosis.protocol.grammar import Opener, split

FACT_LIMIT = 4_000  # characters of one fact; longer ones are refused, never cut
LINE_LIMIT = 64_000  # characters of one directive line with its continuation

LEVELS = {
    "critical": 0.9,
    "high": 0.7,
    "important": 0.7,
    "medium": 0.5,
    "normal": 0.5,
    "useful": 0.5,
    "low": 0.3,
    "minimal": 0.1,
}
"""Importance in words: the lower end of the band that people are shown for it."""

_CATEGORIES = {"general", "pref", "prefs"} | {
    name for category in Category for name in (category.value, category.value + "s")
}
_RATIO = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(?:/|of|out of)\s*(\d{1,9}(?:\.\d{1,9})?)")
_NUMBER = re.compile(r"\d{0,9}\.?\d{1,18}")
_KEYED = re.compile(
    r"(?P<key>importance|imp|category|cat)\s*(?P<sign>[:=]|\s)\s*(?P<value>.*)", re.IGNORECASE
)
_ASCII_MARKS = frozenset(string.punctuation + string.whitespace)
_WHOLE = re.compile(r"[+-]?(?:\d{1,9}|nan|inf)")
_WORD = re.compile(r"[^\W\d_][\w -]{1,30}")
_BRACKET = re.compile(r"\[([^\[\]]{1,120})\](?![(\[])\s*[:\uff1a]?\s*")
_JSON_LIMIT = 2 * FACT_LIMIT
_ARROW = re.compile(r"-{1,2}>|={1,2}>|[→⇒⟶➔➜]")
_ID = r"[A-Za-z0-9](?:[\w-]{0,62}\w)?"
_PLAIN_ID = re.compile(rf"(?:id\s*[:=\s]\s*)?\#?({_ID})", re.IGNORECASE)
_WRAPPED_ID = re.compile(
    rf"(?:\[\s*\#?({_ID})\s*\]|\(\s*\#?({_ID})\s*\)|`\#?({_ID})`|<\#?({_ID})>|\#({_ID}))(?!\w)"
)
_CORE_VALUE = re.compile(r"([^\W\d]{1,40})\s*[:\uff1a]\s+(.+)", re.DOTALL)  # ids hold digits
_FIELD = re.compile(r"[^\W\d_][\w -]{0,39}")
_LABEL = re.compile(r"(\*\*|__|`)([^*_`:\uff1a]{1,40})(?:[:\uff1a]\1|\1[:\uff1a])\s*")
_BOLD_VALUE = re.compile(r"([^*:\uff1a]{1,40}[:\uff1a])\s*\*\*([^*]+)\*\*")
_NOTHING = re.compile(
    r"(?:none|null|nil|n/a|nothing|no (?:new )?(?:memory )?updates?)?", re.IGNORECASE
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」", "`": "`"}


def read(opener: Opener) -> tuple[list[Directive], list[str]]:
    """Every directive of a finished line, in order, and a message for each refused one."""
    found: list[Directive] = []
    refused: list[str] = []
    text = "\n".join(opener.lines)
    if len(text) > LINE_LIMIT:
        return found, [_too_long(len(text))]
    markers = split(opener, text)
    start, current = 0, opener
    while True:
        text_start = _after_emphasis(text, start, current)
        record, end = _json_object(text, text_start)
        following = next((m for m in markers if m[0] >= end), None)
        stop = following[0] if following else len(text)
        body = text[text_start:stop]
        if record is not None and text[end:stop].strip(" \t\n" + current.emphasis):
            record = None  # prose after the object: the whole line is the fact
        result = _one(current, record, body, followed=following is not None)
        if isinstance(result, str):
            refused.append(result)
        else:
            found += result
        if not following:
            return found, refused
        _, start, current = following


def importance(value: object) -> float | None:
    """A number within 0-1 from what a model wrote, or None: ``0.9``, ``8/10``, ``8 out of 10``,
    ``85%`` and the words of ``LEVELS``. Never an exception."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if 0 <= value <= 1 else None
    if not isinstance(value, str):
        return None
    word = value.strip().strip("\"'*_").lower()
    if word in LEVELS:
        return LEVELS[word]
    if ratio := _RATIO.fullmatch(word):
        part, whole = float(ratio[1]), float(ratio[2])
        return part / whole if whole > 0 and part <= whole else None
    scale = 100 if word.endswith("%") else 1
    digits = word.removesuffix("%").strip()
    number = float(digits) / scale if _NUMBER.fullmatch(digits) else -1
    return number if 0 <= number <= 1 else None


def _one(
    opener: Opener, record: dict[str, Any] | None, body: str, *, followed: bool
) -> list[Directive] | str:
    """The directives of one marker (FORGET may name several ids), or why it is refused."""
    known, category, weight = _metadata(opener.meta or "", certain=True)
    if record is not None and opener.kind is DirectiveKind.UPDATE:
        text = _one_line(record["text"])
        category = record.get("category", category)
        weight = record.get("importance", weight)
        return _fact(Directive(opener.kind, text, None, category, weight))
    text = _one_line(body)
    if followed:
        text = text.rstrip(" ;,|•–—-")
    if opener.kind is DirectiveKind.UPDATE:
        if opener.meta and not known:
            text = f"[{opener.meta}] {text}" if text else ""
        text, category, weight = _statement(text, opener.emphasis, category, weight)
        return _fact(Directive(opener.kind, text, None, category, weight))
    text = _bare(text, opener.emphasis)
    if opener.meta and not known:
        text = f"[{opener.meta}] {text}"
    if not text:
        return []
    return _forget(text) if opener.kind is DirectiveKind.FORGET else _replace(opener, text)


def _fact(directive: Directive) -> list[Directive] | str:
    if len(directive.text) > FACT_LIMIT:
        return _too_long(len(directive.text))
    return [] if _NOTHING.fullmatch(_words(directive.text)) else [directive]


def _words(text: str) -> str:
    """``text`` without punctuation at its ends: empty where it is nothing else."""
    kept = [number for number, character in enumerate(text) if not _is_mark(character)]
    return text[kept[0] : kept[-1] + 1] if kept else ""


def _is_mark(character: str) -> bool:
    return character in _ASCII_MARKS or unicodedata.category(character)[0] in "PZ"


def _replace(opener: Opener, text: str) -> list[Directive] | str:
    arrow = _ARROW.search(text)
    wrapped = _WRAPPED_ID.match(text)
    if arrow:
        left, right = text[: arrow.start()], text[arrow.end() :]
        plain = _PLAIN_ID.fullmatch(left.strip("*_\"' "))
        target = plain[1] if plain else _first(_WRAPPED_ID.match(left)) or _core_value(left)
    else:  # the id before the colon: MEMORY_REPLACE [m3f2]: text
        right = text[wrapped.end() :].strip() if wrapped and opener.meta else ""
        target = _first(wrapped) if right else None
    if target is None:
        return f"A MEMORY_REPLACE line without an id and an arrow was ignored: {_excerpt(text)}"
    right, category, weight = _statement(right, opener.emphasis, None, None)
    if not right:
        return f"A MEMORY_REPLACE line without a new text was ignored: {_excerpt(text)}"
    return _fact(Directive(opener.kind, right, target, category, weight))


def _core_value(text: str) -> str | None:
    """``FIELD: VALUE``, a value of core memory, which has no id."""
    field, colon, value = _bare(text, "").replace("\uff1a", ":").partition(":")
    if not (colon and value.strip() and _FIELD.fullmatch(field.strip())):
        return None
    return f"{field.strip()}: {value.strip()}"


def _forget(text: str) -> list[Directive] | str:
    if core := _CORE_VALUE.fullmatch(text):
        return [Directive(DirectiveKind.FORGET, core[2].strip(), core[1].lower())]
    if (wrapped := _WRAPPED_ID.match(text)) and not text[wrapped.end() :].lstrip().startswith(","):
        return [Directive(DirectiveKind.FORGET, target=_first(wrapped))]
    first = re.split(r"\s[(–—-]|:\s", text, maxsplit=1)[0]  # a reason may follow the id
    targets = []
    for part in re.split(r",|\band\b", first):
        name = part.strip("*_\"' .")
        match = _PLAIN_ID.fullmatch(name) or _WRAPPED_ID.fullmatch(name)
        if match is None:
            return f"A MEMORY_FORGET line without a clear id was ignored: {_excerpt(text)}"
        targets.append(_first(match))
    return [Directive(DirectiveKind.FORGET, target=target) for target in targets]


def _statement(
    text: str, emphasis: str, category: str | None, weight: float | None
) -> tuple[str, str | None, float | None]:
    """A fact's clean words, and the metadata that may stand in brackets before them."""
    text = _bare(text, emphasis)
    if (bracket := _BRACKET.match(text)) and (parsed := _metadata(bracket[1]))[0]:
        text = _bare(text[bracket.end() :], "")
        category, weight = parsed[1] or category, parsed[2]
    return text, category, weight


def _metadata(inside: str, *, certain: bool = False) -> tuple[bool, str | None, float | None]:
    """Whether the inside of a bracket is metadata, and its category and importance.

    It is if every part is a category or an importance; one unknown word may stand beside an
    importance. A number alone counts only as ``0.…``, or where only metadata can stand
    (``certain``): else it may be a year, a version or a footnote.
    """
    category: str | None = None
    weights: list[float | None] = []
    whole_numbers = False
    unknown: list[str] = []
    parts = [part.strip().strip("\"'*_`") for part in re.split("[,;|]", inside)]
    for part in parts:
        keyed = _KEYED.fullmatch(part)
        value = keyed["value"].strip("\"' ") if keyed else ""
        if keyed and keyed["key"].lower().startswith("cat") and _WORD.fullmatch(value):
            category = value
        elif keyed and (keyed["sign"] in ":=" or importance(value) is not None):
            weights.append(importance(value))
        elif part.lower() in _CATEGORIES:
            category = part
        elif part.lower() in LEVELS or _is_score(part, alone=len(parts) == 1 and not certain):
            weights.append(importance(part))
        elif _WHOLE.fullmatch(part.lower()):
            whole_numbers = True
            weights.append(importance(part))
        else:
            unknown.append(part)
    if unknown and category is None and weights and _WORD.fullmatch(unknown[0]):
        category = unknown.pop(0)
    if unknown or (whole_numbers and category is None and not certain):
        return False, None, None
    return True, category, weights[-1] if weights else None


def _is_score(part: str, *, alone: bool) -> bool:
    if alone:
        return part.startswith(("0.", ".")) and importance(part) is not None
    if ratio := _RATIO.fullmatch(part):
        return ratio[2] in ("5", "10", "100")
    return (part.endswith("%") or "." in part) and importance(part) is not None


def _json_object(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that begins at ``start`` as ``text``, ``category``, ``importance``, and where
    it ends; (None, start) unless all of it is understood."""
    if not text.startswith("{", start):
        return None, start
    try:
        pairs, length = json.JSONDecoder(object_pairs_hook=_Pairs).raw_decode(
            text[start : start + _JSON_LIMIT]
        )
    except (ValueError, RecursionError):
        return None, start
    record = dict(pairs)
    if len(record) < len(pairs):
        return None, start  # a key came twice
    words = [record.pop(key) for key in ("fact", "text", "content") if key in record]
    if isinstance(record.get("field"), str) and isinstance(record.get("value"), str):
        words.append(f"{record.pop('field')}: {record.pop('value')}")
    result: dict[str, Any] = {"text": words[0] if words else None}
    if category := record.pop("category", None):
        result["category"] = category
    if "importance" in record:
        result["importance"] = importance(record.pop("importance"))
    category_fits = not category or (isinstance(category, str) and _WORD.fullmatch(category))
    if record or len(words) != 1 or not isinstance(words[0], str) or not category_fits:
        return None, start
    return result, start + length


class _Pairs(list[tuple[str, Any]]):
    """A decoded object that still shows whether a key came twice."""


def _after_emphasis(text: str, start: int, opener: Opener) -> int:
    """Where the words begin: behind the white space and bold marks that follow the colon."""
    gap = re.compile(r"\s*").match(text, start)
    position = gap.end() if gap else start
    if opener.emphasis and text.startswith(opener.emphasis, position):
        opener.emphasis, position = "", position + len(opener.emphasis)
        gap = re.compile(r"\s*").match(text, position)
        position = gap.end() if gap else position
    return position


def _one_line(text: str) -> str:
    return " ".join(part for line in clean(text).split("\n") if (part := line.strip()))


def _bare(text: str, emphasis: str) -> str:
    """``text`` without list mark, dangling bold marks and quotation marks around the whole."""
    text = re.sub(r"\A[-*+•]\s+", "", text.strip())
    if emphasis and text.endswith(emphasis):
        text = text.removesuffix(emphasis)
    for mark in ("```", "**"):
        if text.count(mark) % 2:
            text = text.removeprefix(mark) if text.startswith(mark) else text.removesuffix(mark)
    if len(text) > 4 and text[:2] == text[-2:] == "**" and text.count("**") == 2:
        text = text[2:-2]
    text = text.strip()
    if len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        inner = text[1:-1]
        if text[0] not in inner and text[-1] not in inner:
            text = inner
    text = text.strip()
    if label := _LABEL.match(text):
        text = f"{label[2].strip()}: {text[label.end() :]}"
    if bold := _BOLD_VALUE.fullmatch(text):
        text = f"{bold[1]} {bold[2]}"
    return text.strip()


def _first(match: re.Match[str] | None) -> str | None:
    return next((group for group in match.groups() if group), None) if match else None


def _too_long(length: int) -> str:
    return (
        f"A memory of {length:,} characters was not stored: "
        f"one fact may have at most {FACT_LIMIT:,}."
    )


def _excerpt(text: str) -> str:
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"
