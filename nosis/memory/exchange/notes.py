"""Memory pages that people keep (CLAUDE.md, AGENTS.md, MEMORY.md) as facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nosis.memory.filing import MAX_FACT_CHARACTERS, lenient_category

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_WRAP = 60  # characters; a shorter line was ended by its author, not by an editor
_OWN_LINE = re.compile(r"(.*) `[mt][2-9a-z]{6,}` \((\d{4}-\d\d-\d\d), \w+(?:, pinned)?\)$")


def records(text: str, path: Path) -> Iterator[dict[str, Any]]:
    """A fact for each list item and paragraph; the headings above give it context.

    A heading that names a category gives that category; others are put before the fact, so
    that "Deploys" / "on Fridays" stays one statement. Code blocks, tables and nosis's own core
    section are left out.
    """
    heading, fenced = "", False
    paragraph: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if fenced or line.lstrip().startswith(("|", "<!--")):
            continue
        title, item = _HEADING.match(line), _ITEM.match(line)
        if title or item or not line.strip() or _RULE.fullmatch(line):
            yield from _fact(" ".join(paragraph), heading, path)
            paragraph = [item[1]] if item else []
            heading = title[2] if title and len(title[1]) > 1 else "" if title else heading
        else:
            if paragraph and _begins_anew(paragraph[-1], line):
                yield from _fact(" ".join(paragraph), heading, path)
                paragraph = []
            paragraph.append(line.strip())


def _begins_anew(before: str, line: str) -> bool:
    """Whether a line is a statement of its own rather than the rest of a wrapped one."""
    starts = line.strip()[:1].isupper()
    return starts and (before.endswith((".", "!", "?", ":")) or len(before) < _WRAP)


def _fact(text: str, heading: str, path: Path) -> Iterator[dict[str, Any]]:
    text = text.strip()
    day = None
    if own := _OWN_LINE.fullmatch(text):
        text, day = own.groups()
    if not text or len(text) > MAX_FACT_CHARACTERS or heading.casefold() == "core":
        return
    if text.endswith("see `nosis memory`."):
        return
    category = lenient_category(heading)
    if heading and category is None and heading.casefold() != "general":
        text = f"{heading}: {text}"
    record = {"kind": "fact", "text": text, "external_id": path.name}
    if day:
        record["created_at"] = day
    yield {**record, "category": category.value} if category else record
