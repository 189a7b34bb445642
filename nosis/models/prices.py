"""What a model's tokens cost: a small table, which a person can extend or correct.

``<home>/prices.json`` maps model names (or beginnings of names) to US dollars for a million
tokens: ``{"my-model": {"input": 0.5, "cached": 0.1, "output": 2.0}}``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "prices.json"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    cached: float
    output: float


# Public list prices, 2026; the longest name that a model's name begins with counts.
PRICES = {
    "gpt-4.1": Price(2.0, 0.5, 8.0),
    "gpt-4.1-mini": Price(0.4, 0.1, 1.6),
    "gpt-4.1-nano": Price(0.1, 0.025, 0.4),
    "gpt-4o": Price(2.5, 1.25, 10.0),
    "gpt-4o-mini": Price(0.15, 0.075, 0.6),
    "gpt-5": Price(1.25, 0.125, 10.0),
    "gpt-5-mini": Price(0.25, 0.025, 2.0),
    "gpt-5-nano": Price(0.05, 0.005, 0.4),
    "o4-mini": Price(1.1, 0.275, 4.4),
    "deepseek-chat": Price(0.27, 0.07, 1.1),
    "offline": Price(0.0, 0.0, 0.0),
}


def cost_usd(
    model: str, prompt: int, completion: int, cached: int = 0, home: Path | None = None
) -> float | None:
    """US dollars for these tokens; None where no price is known.

    Args:
        prompt: all prompt tokens, the ``cached`` ones among them.
        home: where the user's own prices may be.
    """
    name = model.rpartition("/")[2].casefold()
    if name.endswith(".gguf"):
        return 0.0
    table = {**PRICES, **_own(home)}
    matches = [known for known in table if name.startswith(known)]
    if not matches:
        return None
    price = table[max(matches, key=len)]
    fresh = max(prompt - cached, 0)
    spent = fresh * price.input + cached * price.cached + completion * price.output
    return spent / 1_000_000


def _own(home: Path | None) -> dict[str, Price]:
    if home is None or not (path := home / FILE_NAME).is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
        return {
            str(name).casefold(): Price(
                float(p["input"]), float(p.get("cached", p["input"])), float(p["output"])
            )
            for name, p in found.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}  # a price is never worth stopping a turn for
