"""Text of models, memories and people on its way to the screen: data, never markup."""

from __future__ import annotations

from textual.content import Content

from nosis.tui.memory.words import line, paragraph


def content(text: str) -> Content:
    """The text as widget content: nothing in it acts on the terminal or is taken for markup."""
    return Content(paragraph(text))


def one_line(text: str, limit: int = 0) -> str:
    """The text on one line, cut with an ellipsis after ``limit`` characters (0: never)."""
    text = line(text)
    return text if not limit or len(text) <= limit else text[: limit - 1].rstrip() + "…"
