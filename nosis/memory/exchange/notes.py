"""Memory pages that people keep (CLAUDE.md, AGENTS.md, MEMORY.md) as facts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from nosis.memory.filing import MAX_FACT_CHARACTERS, lenient_category

_BOX = re.compile(r"\[[ xX]\]\s+")  # of a list of things to do
_WRAP = 60  # characters; a shorter line was ended by its author, not by an editor
_OWN_LINE = re.compile(r"(.*) `[mt][2-9a-z]{6,}` \((\d{4}-\d\d-\d\d), \w+(?:, pinned)?\)$")
_PARAGRAPH = 1  # depth of words outside of any list


def records(text: str, path: Path) -> Iterator[dict[str, Any]]:
    """A fact for each list item, paragraph, code block and row of a table.

    What stands above gives context: a heading that names a category gives that category; another
    heading, and the words with a colon that a list, a block or a table follows, are put before
    the fact, so that "Deploys" / "on Fridays" stays one statement. What is too long for one fact
    becomes several. Comments and nosis's own core section are left out.
    """
    heading = ""
    leads: list[tuple[int, str]] = []  # (depth, words that end with a colon)
    blocks = [*_blocks(text), (0, "end", "")]
    for (depth, kind, words), (next_depth, next_kind, _) in pairwise(blocks):
        beside = next_kind in ("block", "row") and max(next_depth, _PARAGRAPH) >= depth
        if kind == "words":
            leads = [lead for lead in leads if lead[0] < depth]
        if kind in ("h1", "heading"):
            heading, leads = words if kind == "heading" else "", []
        elif kind == "words" and words.endswith(":") and (beside or next_depth > depth):
            leads.append((depth, words))
        else:
            above = [lead for at, lead in leads if at <= max(depth, _PARAGRAPH)]
            yield from _fact(" ".join([*above, words]), heading, path)
            if kind == "block":
                leads = [lead for lead in leads if lead[0] < max(depth, _PARAGRAPH)]


def _blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """(depth, kind, text) of each: "h1", "heading", "words", "block" or "row"."""
    from markdown_it import MarkdownIt  # what Textual reads Markdown with

    inside = ""
    names: list[str] = []
    row: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type in ("fence", "code_block"):
            lines = filter(None, map(str.strip, token.content.splitlines()))
            yield token.level, "block", "; ".join(lines)
        elif token.type == "tr_open":
            row = []
        elif token.type == "thead_close":
            names = row
        elif token.type == "table_close":
            names = []
        elif token.type == "tr_close" and names:
            cells = zip(names, row, strict=False)
            said = ", ".join(f"{name}: {cell}" for name, cell in cells if cell)
            yield token.level - 2, "row", said
        elif token.type != "inline":
            inside = token.tag
        elif inside in ("th", "td"):
            row.append(token.content)
        elif inside[0] == "h":
            yield token.level, "h1" if inside == "h1" else "heading", token.content
        else:
            for statement in _statements(token.content):
                yield token.level, "words", statement


def _statements(words: str) -> Iterator[str]:
    """A paragraph's statements: its lines, where they are no wrapped ones."""
    kept: list[str] = []
    for line in _BOX.sub("", words, count=1).splitlines():
        if kept and _begins_anew(kept[-1], line):
            yield " ".join(kept)
            kept = []
        kept.append(line.strip())
    if kept:
        yield " ".join(kept)


def _begins_anew(before: str, line: str) -> bool:
    """Whether a line is a statement of its own rather than the rest of a wrapped one."""
    starts = line.strip()[:1].isupper()
    return starts and (before.endswith((".", "!", "?", ":")) or len(before) < _WRAP)


def _fact(text: str, heading: str, path: Path) -> Iterator[dict[str, Any]]:
    text = text.strip()
    day = None
    if own := _OWN_LINE.fullmatch(text):
        text, day = own.groups()
    if not text or text.endswith("see `nosis memory`.") or heading.casefold() == "core":
        return
    category = lenient_category(heading)
    named = f"{heading}: " if heading and not category and heading.casefold() != "general" else ""
    record = {"kind": "fact", "external_id": path.name}
    if day:
        record["created_at"] = day
    if category:
        record["category"] = category.value
    whole = len(text) <= MAX_FACT_CHARACTERS
    for piece in [text] if whole else textwrap.wrap(text, MAX_FACT_CHARACTERS):
        yield {**record, "text": named + piece}
