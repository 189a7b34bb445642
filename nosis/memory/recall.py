"""What to bring back: the search before a reply, and what of it goes into the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nosis.memory import tokenizer
from nosis.memory.store import Embedded, Store
from nosis.memory.types import Filter, Recall, Recollection

if TYPE_CHECKING:
    from collections.abc import Callable


def search(
    store: Store,
    query: str,
    *,
    embed: Callable[[str], Embedded] | None,
    where: Filter,
    limit: int,
    now: float,
    threshold: float | None = None,
    scoring: str = "nosis",
) -> Recall:
    """The best entries for a query, best first, each with its parts and reasons.

    Args:
        embed: the query's embedding; None searches by words only.
        where: applied before the limit.
        threshold: lowest score (0-1) that counts as a hit; None takes the scoring's own floor.
            What is just below it comes back as near misses.
        scoring: "nosis", or "daita" for the documented formula.
    """
    terms = tokenizer.terms(query)
    hits, _ = store.search_words(terms, limit, where)
    documents = {d.row: d for d in store.documents([hit.row for hit in hits])}
    return Recall(
        tuple(
            Recollection(documents[h.row].entry, h.score / (1 + h.score), {"words": h.score})
            for h in hits
        )
    )


def block(recall: Recall, tokens: int, count: Callable[[str], int]) -> tuple[Recollection, ...]:
    """The recollections that go into a prompt: best first, within a budget of tokens."""
    chosen: list[Recollection] = []
    left = tokens
    for hit in recall.hits:
        # Id, date, category and origin of a line take about 25 tokens.
        if (cost := count(hit.entry.text) + 25) <= left:
            chosen.append(hit)
            left -= cost
    return tuple(chosen)
