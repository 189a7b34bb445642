"""Memories, receipts and sessions as lines and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nosis.cli import output
from nosis.cli.arguments import Arguments

if TYPE_CHECKING:
    from nosis.memory.types import Entry, Receipt, Recollection

BRIEF = 300  # characters of a text that a receipt's line holds


def entries(found: Sequence[Entry], arguments: Arguments, nothing: str) -> None:
    """A listing of facts; ``nothing`` goes to stderr where there are none."""
    if arguments.json:
        output.data([entry(fact) for fact in found])
    else:
        output.lines(map(_fact_line, found))
        if not found:
            output.note(nothing)


def entry(found: Entry) -> dict[str, Any]:
    """A memory as JSON, its category and external id always among the keys."""
    return {"category": None, "external_id": None, **found.to_json()}


def recollection(hit: Recollection) -> dict[str, Any]:
    """A hit as JSON, with the same keys as a listed memory."""
    return {"category": None, "external_id": None, **hit.to_json()}


def reasoned(hit: Recollection) -> str:
    """One line for a hit: id, score, words, and why."""
    why = f"  ({', '.join(hit.reasons)})" if hit.reasons else ""
    return f"{hit.entry.id}  {hit.score:.2f}  {output.one_line(hit.entry.text)}{why}"


def receipts(made: Sequence[Receipt], arguments: Arguments) -> None:
    """What an operation did."""
    if arguments.json:
        shown: Any = [receipt.to_json() for receipt in made]
        output.data(shown[0] if len(shown) == 1 else shown)
    else:
        for receipt in made:
            output.line(receipt_line(receipt))


def receipt_line(receipt: Receipt) -> str:
    """One line for a receipt, its id at the end; of long texts the beginning."""
    shown = replace(receipt, text=_brief(receipt.text), previous=_brief(receipt.previous or ""))
    return shown.line() + (f" [{receipt.id}]" if receipt.id else "")


def _brief(text: str) -> str:
    return text if len(text) <= BRIEF else text[: BRIEF - 1] + "…"


def day(seconds: float) -> str:
    """A moment as its local date and minute."""
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"


def _fact_line(fact: Entry) -> str:
    marks = [fact.status.value] if fact.status != "live" else []
    marks += ["pinned"] if fact.pinned else []
    marks += [str(fact.reason)] if fact.reason else []
    mark = f"  ({', '.join(marks)})" if marks else ""
    category = fact.category.value if fact.category else "general"
    text = output.one_line(fact.text)
    return f"{fact.id}  {day(fact.created_at)}  {category:<10}  {fact.importance:.2f}  {text}{mark}"
