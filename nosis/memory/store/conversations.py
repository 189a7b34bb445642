"""The list of sessions, from the columns that every store keeps in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.memory.store import SessionInfo
from nosis.memory.store.attributes import ASSISTANT, TURN

TITLE = 60  # characters of the first message that stand for a missing title

Visible = tuple[int, str, str | None, float, str]
"""(number, id, title, first seen, agent) of a session that is not deleted from the lists."""


def listed_sessions(
    data: NDArray[Any],
    visible: Sequence[Visible],
    beginnings: Callable[[Sequence[int]], Mapping[int, str]],
) -> list[SessionInfo]:
    """Sessions with their times and counts, the last used first.

    Args:
        data: the columns of all rows.
        beginnings: the first characters of the texts of these rows.
    """
    rows = np.flatnonzero((data["kind"] == TURN) & (data["status"] > 0) & (data["session"] > 0))
    numbers = data["session"][rows]
    size = int(numbers.max(initial=0)) + 1
    users = numbers[data["flags"][rows] & ASSISTANT == 0]
    counts = np.bincount(users, minlength=size)
    started, updated = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(started, numbers, data["created"][rows])
    np.maximum.at(updated, numbers, data["created"][rows])
    first = dict(zip(numbers[::-1].tolist(), rows[::-1].tolist(), strict=True))
    untitled = [first[number] for number, _, title, *_ in visible if number in first and not title]
    texts = beginnings(untitled) if untitled else {}
    found = [
        SessionInfo(
            session,
            title or _title(texts.get(first.get(number, -1), "")),
            float(started[number]) if number in first else at,
            float(updated[number]) if number in first else at,
            int(counts[number]) if number in first else 0,
            agent,
        )
        for number, session, title, at, agent in visible
    ]
    return sorted(found, key=lambda session: -session.updated_at)


def _title(text: str) -> str:
    """The first words of a session without a title."""
    line = " ".join(text.split())
    return line if len(line) <= TITLE else line[: TITLE - 1] + "…"
