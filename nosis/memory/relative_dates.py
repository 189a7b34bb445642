"""Relative dates in a fact get the absolute date beside them: "tomorrow" is wrong a day later.

Only expressions that name one day, week, month or year are touched. "On Friday" alone is left: it
is a habit as often as a date.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
    )
} | {"a": 1, "an": 1}
_NUMBER = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_UNIT = r"days?|weeks?|months?|years?"
_EXPRESSION = re.compile(
    rf"""\b(?:
      (?P<after> day \s+ after \s+ tomorrow)
    | (?P<before> day \s+ before \s+ yesterday)
    | (?P<near> today | tonight | tomorrow | yesterday | last \s+ night
              | this \s+ (?:morning|afternoon|evening) )
    | (?P<which> next | last | this | coming ) \s+ (?P<named> {"|".join(_DAYS)}
              | week(?:end)? | month | year )
    | in \s+ (?P<ahead> {_NUMBER} ) \s+ (?P<ahead_unit> {_UNIT} )
    | (?P<ago> {_NUMBER} ) \s+ (?P<ago_unit> {_UNIT} ) \s+ ago
    )\b (?! \s* \( (?: week \s of \s )? \d{{4}} | ['’]s\s)""",
    re.VERBOSE | re.IGNORECASE,
)
_NEAR = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "last night": -1}


def with_absolute_dates(text: str, now: float) -> str:
    """``dentist tomorrow`` becomes ``dentist tomorrow (2025-05-04)``.

    Args:
        now: when it was said, POSIX seconds; the day is the one of this machine's time zone.
    """
    today = datetime.fromtimestamp(now).astimezone().date()
    return _EXPRESSION.sub(lambda m: f"{m.group()} ({_meant(m, today)})", text)


def _meant(match: re.Match[str], today: date) -> str:
    if match["after"]:
        return (today + timedelta(2)).isoformat()
    if match["before"]:
        return (today - timedelta(2)).isoformat()
    if near := match["near"]:
        return (today + timedelta(_NEAR.get(" ".join(near.lower().split()), 0))).isoformat()
    if named := match["named"]:
        return _named(match["which"].lower(), named.lower(), today)
    if match["ahead"]:
        return _shifted(today, _count(match["ahead"]), match["ahead_unit"])
    return _shifted(today, -_count(match["ago"]), match["ago_unit"])


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _named(which: str, named: str, today: date) -> str:
    step = {"next": 1, "last": -1}.get(which, 0)
    if named == "year":
        return str(today.year + step)
    if named == "month":
        return _month(today, step)
    monday = today - timedelta(today.weekday())
    if named in ("week", "weekend"):
        first = monday + timedelta(7 * step)
        return f"{first + timedelta(5)}" if named == "weekend" else f"week of {first}"
    ahead = (_DAYS.index(named) - today.weekday()) % 7
    if which == "last":
        return (today + timedelta(ahead - 7)).isoformat()
    return (today + timedelta(ahead or 7)).isoformat()


def _shifted(today: date, count: int, unit: str) -> str:
    unit = unit.lower().removesuffix("s")
    if unit == "year":
        return str(today.year + count)
    if unit == "month":
        return _month(today, count)
    return (today + timedelta(count * (7 if unit == "week" else 1))).isoformat()


def _month(today: date, step: int) -> str:
    months = today.year * 12 + today.month - 1 + step
    return f"{months // 12:04d}-{months % 12 + 1:02d}"
