"""Whether an answer claims to have remembered something, beside what memory really did."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nosis.memory.types import Outcome, Receipt

_WRITES = {Outcome.STORED, Outcome.SUPERSEDED, Outcome.CORE_UPDATED, Outcome.UPDATED}

# "Noted", "I'll remember", "saved": words of an answer that promise a write.
_CLAIM = re.compile(
    r"\bI(?:['’]ll|['’]ve| will| have)? (?:now )?"
    r"(?:remember|save|store|note|memori[sz]e|keep)(?:d|ed)?\b(?! (?:that )?(?:you|your)\b)"
    r"|\b(?:noted|saved|stored|memori[sz]ed)\b"
    r"|\badded (?:\w+ )?to (?:my|your|the) memory\b",
    re.IGNORECASE,
)


def saved(receipts: Sequence[Receipt]) -> int:
    """How many memories these receipts wrote."""
    return sum(receipt.outcome in _WRITES for receipt in receipts)


def claims_to_remember(answer: str) -> bool:
    """Whether an answer says that it kept something. English only: the true count is always
    shown, this decides how loudly."""
    return bool(_CLAIM.search(answer))
