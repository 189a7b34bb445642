"""UTC times: POSIX seconds inside, ISO 8601 at every edge."""

from __future__ import annotations

from datetime import UTC, datetime

from nosis.errors import UsageError


def to_iso(seconds: float) -> str:
    """POSIX seconds as ``2026-11-30T20:10:35.123Z``."""
    stamp = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return stamp.replace("+00:00", "Z")


def from_iso(text: str) -> float:
    """ISO 8601 date or time as POSIX seconds; one without a zone is taken as UTC.

    Raises:
        UsageError: the text is no ISO 8601 date.
    """
    try:
        when = datetime.fromisoformat(text.strip())
    except (ValueError, AttributeError):
        raise UsageError(
            f"not a date: {text!r}", "Use ISO 8601, such as 2026-11-30 or 2026-11-30T20:10:35Z."
        ) from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def day(seconds: float) -> str:
    """The UTC date of a moment, ``2026-11-30``."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
