"""Turns whose memory server did not answer, kept on this machine until it does.

A private file of the home, one JSON line a turn, synced before the turn ends. Each turn keeps
the id of its operation, so that one which had arrived after all is not recorded again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nosis.errors import StorageError
from nosis.memory.core import write_private
from nosis.memory.redact import redact
from nosis.memory.store.journal import Journal, Torn
from nosis.memory.store.lock import WorkspaceLock
from nosis.memory.text import clean
from nosis.memory.types import Directive, DirectiveKind


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it is to be recorded."""

    id: str
    op: str  # of the operation that records it
    at: float
    agent: str
    session: str
    user: str
    answer: str
    directives: tuple[Directive, ...] = ()
    material: str = ""
    tainted: bool = False
    recalled: tuple[str, ...] = ()  # ids of what the model was shown

    def private(self) -> Turn:
        """The turn as it may be written to a file: without secrets."""
        return replace(
            self,
            user=redact(clean(self.user)),
            answer=redact(clean(self.answer)),
            material=redact(clean(self.material)),
            directives=tuple(replace(d, text=redact(clean(d.text))) for d in self.directives),
        )

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Turn:
        """The turn of one line.

        Raises:
            TypeError, KeyError, ValueError: it is not one.
        """
        directives = tuple(
            Directive(**{**directive, "kind": DirectiveKind(directive["kind"])})
            for directive in record["directives"]
        )
        return cls(**{**record, "directives": directives, "recalled": tuple(record["recalled"])})


class Outbox:
    """The file of waiting turns of one workspace. Safe among threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "outbox.jsonl"
        self._journal = Journal(self.path)
        self._lock = WorkspaceLock(folder / "outbox.lock")

    def add(self, turn: Turn) -> None:
        """Keep a turn durably.

        Raises:
            StorageError: this machine's disk does not take it either.
        """
        with self._lock.held():
            self._journal.recover(0, turn.id)
            self._journal.append([asdict(turn.private())], self._journal.size())

    def waiting(self) -> bool:
        """Whether there is any turn."""
        return self._journal.size() > 0

    @contextmanager
    def taken(self) -> Iterator[tuple[list[Turn], list[Turn]]]:
        """(all turns, those to keep): the caller moves into the second what must wait on.

        Nothing changes if the block is left by an exception.
        """
        with self._lock.held():
            turns = list(self._read())
            kept: list[Turn] = []
            yield turns, kept
            if kept:
                write_private(self.path, "".join(_line(turn) for turn in kept))
            else:
                self.path.unlink(missing_ok=True)

    def _read(self) -> Iterator[Turn]:
        for line in self._journal.read():
            if isinstance(line, Torn) or line.event is None:
                continue  # cut short before the turn was said to be kept
            try:
                yield Turn.from_json(line.event)
            except (TypeError, KeyError, ValueError) as error:
                raise StorageError(
                    f"{self.path} holds what is not a turn: {error}",
                    "Move that file away; its turns are lost to this memory.",
                ) from None


def _line(turn: Turn) -> str:
    return json.dumps(asdict(turn), ensure_ascii=False) + "\n"


def said(turns: Sequence[Turn]) -> str:
    """How many, for people."""
    return "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
