"""What people read: MEMORY.md and the daily logs. Facts are data there, never structure."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from nosis.errors import UsageError
from nosis.memory.core import values, write_private
from nosis.memory.text import neutralise
from nosis.memory.times import day
from nosis.memory.types import Category, CoreMemory, Entry, Receipt

PAGE_NAME = "MEMORY.md"
LOG_FOLDER = "logs"
PAGE_FACTS = 500  # at most on the page, the most important first
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def memory_page(core: CoreMemory, facts: Sequence[Entry], total: int) -> str:
    """MEMORY.md: core memory, then live facts grouped by category, most important first."""
    lines = ["# Memory", "", f"{total} facts. nosis rewrites this page; see `nosis memory`.", ""]
    if core:
        lines += ["## Core", ""]
        for name in core:
            shown = "; ".join(neutralise(value) for value in values(core, name))
            lines.append(f"- **{neutralise(name)}**: {shown}")
        lines.append("")
    groups: dict[str, list[Entry]] = {c.value.capitalize(): [] for c in Category}
    groups["General"] = []
    for fact in facts:
        groups[fact.category.value.capitalize() if fact.category else "General"].append(fact)
    for title, group in groups.items():
        if group:
            lines += [f"## {title}", ""]
            lines += [_fact_line(fact) for fact in group]
            lines.append("")
    if total > len(facts):
        lines += [f"{total - len(facts)} more: `nosis memory list`", ""]
    return "\n".join(lines)


def _fact_line(fact: Entry) -> str:
    pinned = ", pinned" if fact.pinned else ""
    return f"- {neutralise(fact.text)} `{fact.id}` ({day(fact.created_at)}, {fact.origin}{pinned})"


def log_path(folder: Path, name: str) -> Path:
    """The log file of a day.

    Raises:
        UsageError: the day is not written as 2026-11-30; nothing else can name a file.
    """
    return folder / LOG_FOLDER / f"{check_day(name)}.md"


def check_day(name: str) -> str:
    """The name itself, if it is a day.

    Raises:
        UsageError: it is not written as 2026-11-30.
    """
    try:
        if _DAY.fullmatch(name) and date.fromisoformat(name):
            return name
    except ValueError:  # the 31st of a shorter month
        pass
    raise UsageError(f"not a day: {name!r}", "Use a date such as 2026-11-30.")


def log_lines(now: float, agent: str, session: str | None, lines: Iterable[str]) -> str:
    """Lines as a log has them: time (UTC), agent, session, what happened."""
    when = datetime.fromtimestamp(now, UTC)
    where = f", session {session}" if session else ""
    return "".join(
        f"- {when:%H:%M:%S} **{neutralise(agent)}**{where}: {neutralise(line)}\n" for line in lines
    )


def append_log(
    folder: Path, now: float, agent: str, session: str | None, lines: Iterable[str]
) -> None:
    """Add lines to today's log."""
    text = log_lines(now, agent, session, lines)
    if not text:
        return
    path = log_path(folder, day(now))
    path.parent.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        if os.fstat(handle).st_size == 0:
            text = f"# {day(now)}\n\n{text}"
        file.write(text)


def receipt_lines(receipts: Iterable[Receipt]) -> list[str]:
    """Log lines for receipts."""
    return [
        f"{receipt.line()}" + (f" [{receipt.id}]" if receipt.id else "") for receipt in receipts
    ]


def remove_from_logs(folder: Path, texts: Iterable[str]) -> None:
    """Take the lines that hold one of the purged texts out of every log."""
    needles = [neutralise(text) for text in texts]
    for path in sorted((folder / LOG_FOLDER).glob("*.md")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not any(n in line for n in needles)]
        if len(kept) != len(lines):
            write_private(path, "".join(kept))
