"""The offline mode: a model of rules that remembers, and answers from memory.

It needs neither network nor weights. ``words``, ``gate`` and ``clauses`` cut a message into
statements of the user's own; ``subject``, ``present``, ``events``, ``states``, ``identity`` and
``others`` find facts in them (``extract`` runs them); ``corrections`` finds what they take back;
``questions`` and ``answers`` answer from core memory and recall; ``replies`` says it all.
What is in doubt is not filed: a missed fact is still in the archived turn, a false one misleads.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from nosis.models import Delta, Finish, Request


class OfflineModel:
    """Answers without a model. ``clock`` gives POSIX seconds."""

    name = "offline"
    context_window: int | None = 1_000_000  # tokens; it reads only what it needs

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock

    async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        """The reply in one piece, its directives last; ``[]`` or the like for a schema."""
        if request.schema is not None:
            yield Delta(_nothing(request.schema.get("type")))
        else:
            from nosis.models.offline.replies import Reply

            yield Delta(Reply(request, self._clock()).text())
        yield Finish()

    async def aclose(self) -> None:
        """Nothing to close."""


def _nothing(kind: Any) -> str:
    # The rules file facts when they are told, so a curator finds none.
    return "{}" if kind == "object" else "[]"
