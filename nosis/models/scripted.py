"""A model that says what it was told to: for tests, demos and programs built on nosis."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TypeAlias

from nosis.errors import ModelError
from nosis.models import Chunk, Delta, Finish, Request

Piece: TypeAlias = str | Chunk | BaseException
Script: TypeAlias = "str | BaseException | Sequence[Piece] | Callable[[Request], Script]"


class ScriptedModel:
    """Gives its answers in order, one a request, and keeps the requests.

    An answer is a string (one piece), a sequence of pieces (strings, Deltas, ToolCalls, a
    Finish, an exception to raise at that point), an exception, or a function of the Request
    that returns any of these. A Finish is added at the end where the answer holds none::

        model = ScriptedModel(["Hello!", ["Wor", "ld"], NetworkError("gone"), lambda r: r.user])
    """

    def __init__(
        self,
        answers: Iterable[Script] = (),
        name: str = "scripted",
        context_window: int | None = None,
    ) -> None:
        self.name = name
        self.context_window = context_window
        self.requests: list[Request] = []
        self.closed = False
        self._answers = deque(answers)

    def add(self, *answers: Script) -> None:
        """Append to the script."""
        self._answers.extend(answers)

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """The next answer. ModelError when none is left."""
        self.requests.append(request)
        if not self._answers:
            raise ModelError("the script has no answer left", "Give ScriptedModel more answers.")
        script = self._answers.popleft()
        while callable(script):
            script = script(request)
        pieces = [script] if isinstance(script, str | BaseException) else script
        for piece in pieces:
            if isinstance(piece, BaseException):
                raise piece
            if isinstance(piece, Finish):
                yield piece
                return
            yield Delta(text=piece) if isinstance(piece, str) else piece
        yield Finish()

    async def aclose(self) -> None:
        """Nothing to close; it is noted in ``closed``."""
        self.closed = True
