"""What the lines under an answer say about memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.content import Content

from nosis.memory.types import Outcome, Receipt
from nosis.tui.text import one_line

_WORDS = {
    Outcome.STORED: ("+", "remembered", "$text-success"),
    Outcome.DUPLICATE: ("=", "known already", "$foreground-muted"),
    Outcome.SUPERSEDED: ("~", "corrected", "$text-success"),
    Outcome.CORE_UPDATED: ("+", "remembered", "$text-success"),
    Outcome.UPDATED: ("~", "changed", "$text-success"),
    Outcome.FORGOTTEN: ("−", "forgotten", "$text-warning"),
    Outcome.RESTORED: ("+", "restored", "$text-success"),
    Outcome.PINNED: ("*", "pinned", "$text-success"),
    Outcome.UNPINNED: ("*", "no longer pinned", "$foreground-muted"),
    Outcome.PURGED: ("−", "removed everywhere", "$text-warning"),
    Outcome.PENDING: ("?", "waits for your yes", "$text-warning"),
    Outcome.REJECTED: ("×", "not kept", "$text-error"),
    Outcome.UNDONE: ("↶", "undone", "$text-warning"),
}
WRITES = {Outcome.STORED, Outcome.SUPERSEDED, Outcome.CORE_UPDATED, Outcome.UPDATED}

# "Noted", "I'll remember", "saved": words of an answer that promise a write.
_CLAIM = re.compile(
    r"\b(?:i(?:['’]ll| will| have|['’]ve)? (?:now )?(?:remember|save|store|note|memori[sz]e|keep)"
    r"(?:d|ed)?\b(?! (?:that )?(?:you|your) (?:said|told|mentioned))"
    r"|(?:noted|saved|stored|remembered|memori[sz]ed)\b|added (?:\w+ )?to (?:my|your|the) memory"
    r"|got it\b.*\bremember)",
    re.IGNORECASE,
)


def line(receipt: Receipt) -> Content:
    """One receipt: a sign, what happened, the words, and what they were before."""
    sign, word, colour = _WORDS[receipt.outcome]
    field = f"{receipt.field}: " if receipt.field else ""
    text = one_line(field + receipt.text, 300)
    parts: list[Content | tuple[str, str]] = [(f"{sign} {word}: ", colour), Content(text)]
    if receipt.previous:
        parts.append((f"  was: {one_line(receipt.previous, 200)}", "$foreground-muted"))
    if receipt.reason:
        parts.append((f"  ({one_line(receipt.reason, 200)})", "$foreground-muted"))
    return Content.assemble(*parts)


def lines(receipts: Sequence[Receipt]) -> Content:
    """All receipts of a turn, a line each."""
    return Content("\n").join([line(receipt) for receipt in receipts])


def saved(receipts: Sequence[Receipt]) -> int:
    """How many memories these receipts wrote."""
    return sum(receipt.outcome in WRITES for receipt in receipts)


def claims_to_remember(answer: str) -> bool:
    """Whether an answer says that it kept something (English only; the count is shown anyway)."""
    return bool(_CLAIM.search(answer))
