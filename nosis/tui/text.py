"""Text of models, memories and people on its way to the screen: data, never markup."""

from __future__ import annotations

import re

from textual.content import Content

from nosis.memory.text import clean, neutralise

# Overrides make a text look like another one; embeddings and isolates stay, scripts need them.
_OVERRIDES = re.compile("[\u202d\u202e]")


def plain(text: str) -> str:
    """The text without anything that acts on a terminal."""
    return _OVERRIDES.sub("", clean(text)).expandtabs(4)


def one_line(text: str, limit: int = 0) -> str:
    """The text on one line, cut with an ellipsis after ``limit`` characters (0: never)."""
    line = _OVERRIDES.sub("", neutralise(text))
    return line if not limit or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def content(text: str) -> Content:
    """The text as widget content that is not parsed for markup."""
    return Content(plain(text))
