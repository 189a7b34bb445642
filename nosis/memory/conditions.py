"""A person's conditions on what counts, checked and made a Filter."""

from __future__ import annotations

from nosis.errors import UsageError
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
    where = Filter(
        category=check_category(category),
        min_importance=None if min_importance is None else check_importance(min_importance),
        max_importance=None if max_importance is None else check_importance(max_importance),
        since=from_iso(since) if isinstance(since, str) else since,
        until=_end(until) if isinstance(until, str) else until,
    )
    _check_order(
        where.min_importance, where.max_importance, "min_importance is above max_importance"
    )
    _check_order(where.since, where.until, "since is after until")
    return where


def _check_order(first: float | None, last: float | None, otherwise: str) -> None:
    if first is not None and last is not None and first > last:
        raise UsageError(f"nothing can match: {otherwise}", "Exchange the two.")


def _end(text: str) -> float:
    moment = from_iso(text)
    names_a_day = "T" not in text and ":" not in text
    return moment + _DAY_SECONDS - 0.001 if names_a_day else moment
