"""Times that a message names: dates, months, years, and "last week"."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

AFTERMATH = 14.0  # days; what happened is told within about two weeks of it

_MONTHS = {name.casefold(): n for n, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.casefold(): n for n, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_DAYS = {name.casefold(): n for n, name in enumerate(calendar.day_name)}
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_MONTH = re.compile(
    r"\b(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?"
    rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.:/-])((?:19|20)\d\d)\b(?![.:/-]\d)")
_AGO = re.compile(
    r"\b(\d{1,3}|an?|two|three|four|five|six) (day|week|month|year)s? ago\b", re.IGNORECASE
)
_NEAR = re.compile(
    r"\b(today|yesterday)\b|\b(?:(this|last|past) (week|month|year)"
    rf"|(?:on|last) ({'|'.join(_DAYS)}))\b",
    re.IGNORECASE,
)
_NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_LENGTHS = {"day": 1, "week": 7, "month": 30, "year": 365}
_ALSO_WORDS = ("may", "march", "mar", "dec")  # months only where they are written as names


@dataclass(frozen=True, slots=True)
class Named:
    """A stretch of days, or the same stretch of every year."""

    first: date
    days: int
    yearly: bool = False

    def nearness(self, day: date) -> float:
        """1 within the stretch, fading over the days after it, 0 before it."""
        firsts = [self.first]
        if self.yearly:
            firsts = [_of_year(self.first, year) for year in (day.year, day.year - 1)]
        passed = [(day - first).days for first in firsts if day >= first]
        return math.exp(-max(min(passed) - self.days + 1, 0) / AFTERMATH) if passed else 0.0


def named(text: str, today: date) -> Iterator[Named]:
    """The times that a text names; "yesterday" is the day before ``today``."""
    dated = False
    for year, month, day in _ISO.findall(text):
        yield from _stretch(int(year), int(month), int(day))
        dated = True
    for match in _MONTH.finditer(text):
        name = match["month"]
        day = match["before"] or match["after"]
        if name in _ALSO_WORDS and not day and not match["year"]:
            continue
        year = int(match["year"]) if match["year"] else None
        yield from _stretch(year, _MONTHS[name.casefold()], int(day) if day else None)
        dated = True
    if not dated:
        for year in _YEAR.findall(text):
            yield Named(date(int(year), 1, 1), 365)
    for number, unit in _AGO.findall(text):
        length = _LENGTHS[unit.casefold()]
        back = (_NUMBERS.get(number.casefold()) or int(number)) * length
        yield Named(today - timedelta(back + length // 2), length)
    for word, which, unit, weekday in _NEAR.findall(text.casefold()):
        if word:
            yield Named(today - timedelta(word == "yesterday"), 1)
        elif weekday:
            yield Named(today - timedelta((today.weekday() - _DAYS[weekday] - 1) % 7 + 1), 1)
        else:
            length = _LENGTHS[unit]
            yield Named(today - timedelta(length * (1 if which == "this" else 2)), length + 1)


def _stretch(year: int | None, month: int, day: int | None) -> Iterator[Named]:
    try:
        first = date(year or 2000, month, day or 1)  # 2000 has a 29 February
    except ValueError:
        return
    days = 1 if day else calendar.monthrange(first.year, month)[1]
    yield Named(first, days, yearly=year is None)


def _of_year(first: date, year: int) -> date:
    try:
        return first.replace(year=year)
    except ValueError:
        return date(year, 3, 1)
