"""The offline mode: a model of rules that remembers, and answers from memory.

It needs neither network nor weights. In the order of a turn:

* ``words``, ``openings``, ``gate``, ``clauses`` and ``context`` cut a message into whole
  statements of the user's own; ``remembering`` finds what is asked to be kept as it stands.
* ``extract`` tries the rules: ``subject`` ("I", "we": ``states``, ``present``, ``possessions``,
  ``past``, ``plans``, ``modal``), ``others`` ("my sister": ``beings``), ``projects`` ("the API").
  ``lexicon``, ``nouns``, ``names``, ``verbs``, ``phrases``, ``dates``, ``traits``, ``work`` and
  ``naming`` are what they know; ``person`` turns "I" into "the user", and back into "you".
* ``corrections`` and ``forgetting`` find what a message takes back (``edits``).
* ``known``, ``questions``, ``concepts`` and ``matching`` find what answers a question,
  ``answers`` and ``smalltalk`` say it, ``replies`` puts a reply together.

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
            from nosis.models.offline.smalltalk import INTRODUCTION

            if not any(message.role == "assistant" for message in request.messages):
                yield Delta(f"{INTRODUCTION}\n\n", aside=True)
            yield Delta(Reply(request, self._clock()).text())
        yield Finish()

    async def aclose(self) -> None:
        """Nothing to close."""


def _nothing(kind: Any) -> str:
    # The rules file facts when they are told, so a curator finds none.
    return "{}" if kind == "object" else "[]"
