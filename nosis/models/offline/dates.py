"""Times in a clause: dates that outlive today, habits, and what is said of this moment only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nosis.models.offline import lexicon

_DAY = re.compile(r"^(?:[12]?\d|3[01])(?:st|nd|rd|th)$")
_CLOCK = re.compile(r"^(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?(?:am|pm|h)$|^(?:[01]?\d|2[0-4]):[0-5]\d$")
_DATE = re.compile(r"^\d{4}-\d\d?-\d\d?$|^\d\d?/\d\d?/\d{2,4}$|^\d\d?\.\d\d?\.(?:\d{4})?$")
_HOUR = re.compile(r"^\d{1,2}(?:[:.]\d\d)?(?:am|pm|h)?$")
_SHORT = re.compile(r"^\d\d?/\d\d?$")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
# A kind of word, and the words that make a date of it when they stand before it.
_AFTER = {
    "may": lexicon.word_set("in of on next by until since late early mid"),
    "year": lexicon.word_set("in since until by from of around ,"),
    "short": lexicon.word_set("on by since until from is"),
    "season": lexicon.word_set("in this next last at by over for"),
    "period": lexicon.word_set("next last this"),
}
_PERIODS = lexicon.word_set("week month year quarter term")
_DAYS = lexicon.word_set(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays mornings "
    "evenings"
)
_HABITS = (
    " a week ", " a day ", " a month ", " a year ", " most days ", " per week ", " times a ",
    " once a ", " for a living ", " in my free time ", " in my spare time ", " as a hobby ",
    " on the side ", " at night ",
)  # fmt: skip
_NOW = lexicon.word_set("today tonight rn earlier")
_NOW_PHRASES = (
    " right now ", " this morning ", " this afternoon ", " this evening ", " at the moment ",
    " just now ", " a minute ", " in a moment ", " an hour ", " so much ",
)  # fmt: skip


def has_date(lowered: Sequence[str]) -> bool:
    """Whether words name a day, month, year or clock time that outlives today."""
    pairs = zip(lowered, ("", *lowered), (*lowered[1:], ""), strict=False)
    return any(_is_date(word, before, after) for word, before, after in pairs)


def _is_date(word: str, before: str, after: str) -> bool:
    if word in lexicon.WEEKDAYS or _DAY.match(word) or _CLOCK.match(word) or _DATE.match(word):
        return True
    if word == "may":
        return before in _AFTER["may"] or before.isdigit() or after[:1].isdigit()
    if word in lexicon.MONTHS or word == "tomorrow":
        return True
    if before == "at":
        return bool(_HOUR.match(word)) or word in ("noon", "midnight") or word in lexicon.SEASONS
    return bool(
        (before in _AFTER["year"] and _YEAR.match(word))
        or (before in _AFTER["short"] and _SHORT.match(word))
        or (before in _AFTER["season"] and word in lexicon.SEASONS)
        or (before in _AFTER["period"] and word in _PERIODS)
    )


def has_number(lowered: Sequence[str]) -> bool:
    """Whether words hold a figure or a number word."""
    return any(word[:1].isdigit() or word in lexicon.NUMBERS for word in lowered)


def is_habit(lowered: Sequence[str]) -> bool:
    """Whether words say that something happens regularly."""
    text = f" {' '.join(lowered)} "
    if lexicon.FREQUENCY & set(lowered):
        return " every time " not in text and " each other" not in text
    return bool(_DAYS & set(lowered)) or any(phrase in text for phrase in _HABITS)


def momentary(lowered: Sequence[str]) -> bool:
    """Whether words speak of today only."""
    text = f" {' '.join(lowered)} "
    return bool(_NOW & set(lowered)) or any(phrase in text for phrase in _NOW_PHRASES)
