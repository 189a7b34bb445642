"""Reasoning that a model writes into its answer, told apart from the answer while it streams."""

from __future__ import annotations

import re

from nosis.models import Delta

_OPEN = re.compile(r"<think(?:ing)?>\s*", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>\s*", re.IGNORECASE)
_QUOTES = "`\"'"  # a tag right after one of these is being talked about


class ThinkSplitter:
    """Splits ``<think>…</think>`` out of text that arrives in arbitrary pieces.

    A block that is never closed is reasoning to the end. The pieces given out, joined, do not
    depend on how the text was cut.
    """

    def __init__(self) -> None:
        self._thinking = False
        self._held = ""  # the end of the text so far, as far as it may be a tag's beginning
        self._before = ""  # the last character given out
        self._fresh = False  # white space after a tag belongs to the tag

    def feed(self, piece: str) -> list[Delta]:
        """What can be told of the text up to and including this piece."""
        text = self._held + piece
        deltas: list[Delta] = []
        while True:
            if self._fresh:
                text = text.lstrip()
                self._fresh = not text
            match = self._tag(text)
            if match is None:
                break
            self._emit(text[: match.start()], deltas)
            text = text[match.end() :]
            self._thinking = not self._thinking
            self._fresh = not text
        keep = _partial(text, "</think" if self._thinking else "<think")
        self._held = text[len(text) - keep :]
        self._emit(text[: len(text) - keep], deltas)
        return deltas

    def end(self) -> list[Delta]:
        """What was held back because it looked like the beginning of a tag."""
        deltas: list[Delta] = []
        self._emit(self._held, deltas)
        self._held = ""
        return deltas

    def _tag(self, text: str) -> re.Match[str] | None:
        if self._thinking:
            return _CLOSE.search(text)
        for match in _OPEN.finditer(text):
            before = text[match.start() - 1] if match.start() else self._before
            if not before or before not in _QUOTES:
                return match
        return None

    def _emit(self, text: str, deltas: list[Delta]) -> None:
        if text:
            self._before = text[-1]
            deltas.append(Delta(reasoning=text) if self._thinking else Delta(text=text))


def _partial(text: str, tag: str) -> int:
    """Length of the longest end of ``text`` that may go on to become ``tag``, "ing" and ">"."""
    for whole in (f"{tag}ing>", f"{tag}>"):
        for length in range(min(len(whole) - 1, len(text)), 0, -1):
            if whole.startswith(text[len(text) - length :].lower()):
                return length
    return 0
