"""A person's conditions on what counts, checked and made a Filter."""

from __future__ import annotations

from nosis.memory.filing import check_category, check_importance
from nosis.memory.times import from_iso
from nosis.memory.types import Filter

_DAY_SECONDS = 86_400.0


def conditions(
    category: str | None = None,
    min_importance: object = None,
    max_importance: object = None,
    since: str | float | None = None,
    until: str | float | None = None,
) -> Filter:
    """A filter of memories of any kind.

    Args:
        since, until: ISO 8601 or POSIX seconds, both included; a date as ``until`` means the
            end of that day (UTC).

    Raises:
        UsageError: a condition is not valid.
    """
    return Filter(
        category=check_category(category),
        min_importance=None if min_importance is None else check_importance(min_importance),
        max_importance=None if max_importance is None else check_importance(max_importance),
        since=from_iso(since) if isinstance(since, str) else since,
        until=_end(until) if isinstance(until, str) else until,
    )


def _end(text: str) -> float:
    moment = from_iso(text)
    names_a_day = "T" not in text and ":" not in text
    return moment + _DAY_SECONDS - 0.001 if names_a_day else moment
