"""Memories as text for a prompt: one fenced block of data, a line each."""

from __future__ import annotations

import json
from collections.abc import Sequence

from nosis.memory.core import values
from nosis.memory.text import neutralise
from nosis.memory.times import day
from nosis.memory.types import CoreMemory, Kind, Recollection


def recalled_block(recollections: Sequence[Recollection], fence: str) -> str:
    """Recollections between two lines that only this request knows; "" for none."""
    if not recollections:
        return ""
    lines = "\n".join(recalled_line(hit) for hit in recollections)
    return f"<recalled-{fence}>\n{lines}\n</recalled-{fence}>"


def recalled_line(hit: Recollection) -> str:
    """Id, date, who said it or category and origin, and the text, which cannot leave its line.

    What stands before the text is as short as it can be: at 1,000 tokens a block each token of it
    costs LoCoMo .002 of the turns that answer.
    """
    entry = hit.entry
    if entry.kind is Kind.TURN:
        source = neutralise(entry.speaker or "") or ("you" if entry.role == "assistant" else "user")
    else:
        source = f"{entry.category or 'general'} from {entry.origin}"
    if hit.workspace:
        source += f" in {hit.workspace}"
    return f"{entry.id} {day(entry.created_at)} {source}: {neutralise(hit.shown)}"


def core_text(core: CoreMemory) -> str:
    """Core memory as JSON; the same bytes for the same content."""
    safe = {
        neutralise(name): [neutralise(v) for v in values(core, name)]
        if isinstance(value, list)
        else neutralise(value)
        for name, value in core.items()
    }
    return json.dumps(safe, ensure_ascii=False, indent=1) if safe else "(empty)"
