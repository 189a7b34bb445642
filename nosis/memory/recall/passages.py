"""The passage of a long text that a prompt holds in its place."""

from __future__ import annotations

import re

from nosis.memory import tokenizer

WHOLE = 1_200  # characters; a text up to this long is never cut
PASSAGE = 900  # characters of what stands for a longer one
BEFORE = 150  # of them before the terms it is about
_BREAK = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[。！？])")
_MARGIN = 120  # characters within which a cut looks for the end of a sentence


def passage(text: str, first: int) -> str:
    """The part of a text around its terms from number ``first`` on.

    A text of at most WHOLE characters comes back as it is; cuts show as "…".
    """
    if len(text) <= WHOLE:
        return text
    text = tokenizer.normalise(text)
    terms = tokenizer.spans(text)
    begin = terms[min(first, len(terms) - 1)].start if terms else 0
    start = max(0, min(begin - BEFORE, len(text) - PASSAGE))
    end = min(len(text), start + PASSAGE)
    if start:
        start = _after_break(text, start)
    if end < len(text):
        end = _before_break(text, end)
    head, tail = "… " if start else "", " …" if end < len(text) else ""
    return f"{head}{text[start:end].strip()}{tail}"


def _after_break(text: str, start: int) -> int:
    found = _BREAK.search(text, start, start + _MARGIN)
    return found.end() if found else text.find(" ", start) + 1 or start


def _before_break(text: str, end: int) -> int:
    found = list(_BREAK.finditer(text, max(0, end - _MARGIN), end))
    if found:
        return found[-1].start()
    space = text.rfind(" ", end - _MARGIN, end)
    return space if space > 0 else end
