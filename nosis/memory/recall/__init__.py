"""What to bring back: the search before a reply, and what of it goes into the prompt.

Candidates come from two searches, by words and by meaning, and from the turns beside those
that they find; only this pool is scored, so a recall costs the same at any size.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nosis.memory.recall import asked, reasons
from nosis.memory.recall.block import recalled_line
from nosis.memory.recall.passages import passage
from nosis.memory.types import Entry, Filter, Kind, Recall, Recollection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nosis.memory.recall.scoring import Scores
    from nosis.memory.store import Document, Embedded, Hit, Store, TermStatistics

CANDIDATES = 112  # of each search; 64 lose .004 of LoCoMo's evidence, 128 win nothing
SCORED = 144  # of them, the best of both; 96 lose .002
BESIDE = 64  # of these, those whose neighbours are looked at; 36 lose .002, and .004 of BEAM's
POOL = 192  # with their neighbours; more find nothing more, also among seven times the memories
# A recall is worth showing if its best hit reaches the gate; then what reaches the floor comes
# along. The figures behind them are in docs/recall.md.
FLOORS = {"nosis": (0.40, 0.32), "daita": (0.3, 0.3)}  # gate, floor
NEAR_MISSES = 3
SESSION_SHARE = 0.8  # of the hits that one session may take while others match
CRITICAL = 0.9  # importance from which a fact is worth showing when nothing matches
FENCE_TOKENS = 24  # what a prompt puts around its recollections
LEAST_TOKENS = 20  # of a line: its id, date and speaker, and a word
_FACT_SHARE = 0.8  # of its turn's score, with which a fact is put above the turn it came from
_ABOVE = 1e-6


def search(
    store: Store,
    query: str,
    *,
    embed: Callable[[str], Embedded | None] | None,
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
        threshold: lowest score (0-1) that counts as a hit; None takes the scoring's own floor,
            0 all that there is, once the best hit is good enough.
            What is just below it comes back as near misses.
        scoring: "nosis", or "daita" for the documented formula.
    """
    profile = store.profile()
    message = asked.read(query, profile.speakers, profile.languages, now)
    if not message.terms:
        return Recall()
    hits, statistics = store.search_words(message.terms, CANDIDATES, where)
    embedded = embed(message.text) if embed else None
    near = store.search_vectors(_direction(embedded), CANDIDATES, where) if embedded else []
    found = store.documents(_best_of_both(hits, near)[:SCORED])
    if not found:
        return Recall()
    pool = found + store.documents(_rows_beside(found))
    may = [at < len(found) or where.admits(d.entry) for at, d in enumerate(pool)]
    scores = _scores(scoring, message, embedded, pool, may, statistics, now)
    # What is only context lifts no fact.
    totals = _facts_above_turns([d.entry for d in pool], (scores.total * may).tolist())
    ranked = sorted((at for at in range(len(pool)) if may[at]), key=lambda at: -totals[at])
    gate, floor = FLOORS[scoring]
    if threshold is not None:
        gate, floor = threshold or gate, threshold
    above = sum(totals[at] >= floor for at in ranked) if totals[ranked[0]] >= gate else 0
    parts = {name: values.tolist() for name, values in scores.parts.items()}
    begins = scores.first.tolist()

    def told(at: int) -> Recollection:
        own = {name: values[at] for name, values in parts.items() if values[at]}
        why = reasons.reasons(message, pool[at], own)
        return Recollection(pool[at].entry, totals[at], own, why, begins[at])

    near_misses = ranked[above : above + NEAR_MISSES]
    return Recall(
        tuple(map(told, _shared(ranked[:above], pool, limit))), tuple(map(told, near_misses))
    )


def united(found: Sequence[Recall], limit: int) -> Recall:
    """The hits of several searches in one list, each with its best score."""
    best: dict[str, Recollection] = {}
    for hit in (hit for recall in found for hit in recall.hits):
        if hit.entry.id not in best or hit.score > best[hit.entry.id].score:
            best[hit.entry.id] = hit
    hits = sorted(best.values(), key=lambda hit: -hit.score)[:limit]
    misses = [hit for hit in found[0].near_misses if hit.entry.id not in best]
    return replace(found[0], hits=tuple(hits), near_misses=tuple(misses))


def inherited(hits: Iterable[Recollection], workspace: str) -> list[Recollection]:
    """Recollections of another workspace, marked so that every screen says so."""
    return [
        replace(
            hit,
            workspace=hit.workspace or workspace,
            reasons=hit.reasons if hit.workspace else (*hit.reasons, f"workspace {workspace}"),
        )
        for hit in hits
    ]


def joined(
    own: Iterable[Recollection], others: Iterable[Recollection], limit: int
) -> tuple[Recollection, ...]:
    """The best of both, best first. What both say is the own one's."""
    mine = list(own)
    said = {hit.entry.text.casefold() for hit in mine}
    rest = [hit for hit in others if hit.entry.text.casefold() not in said]
    best = sorted([*mine, *rest], key=lambda hit: (-hit.score, -hit.entry.importance))
    return tuple(best[:limit])


def with_inherited(own: Recall, theirs: Recall, workspace: str, limit: int) -> Recall:
    """The hits and near misses of a workspace and of the one that it inherits from."""
    return replace(
        own,
        hits=joined(own.hits, inherited(theirs.hits, workspace), limit),
        near_misses=joined(own.near_misses, inherited(theirs.near_misses, workspace), NEAR_MISSES),
    )


def block(recall: Recall, tokens: int, count: Callable[[str], int]) -> tuple[Recollection, ...]:
    """The recollections that go into a prompt: best first, within a budget of tokens."""
    chosen: list[Recollection] = []
    left = tokens - FENCE_TOKENS
    for found in recall.hits:
        if left < LEAST_TOKENS:
            break
        hit = replace(found, excerpt=passage(found.entry.text, found.begins))
        if (cost := count(recalled_line(hit)) + 1) <= left:
            chosen.append(hit)
            left -= cost
    return tuple(chosen)


def _scores(
    scoring: str,
    message: asked.Asked,
    embedded: Embedded | None,
    pool: list[Document],
    may: list[bool],
    statistics: TermStatistics,
    now: float,
) -> Scores:
    if scoring == "daita":
        from nosis.memory.recall import formula

        return formula.score(message, embedded, pool, statistics, now)
    from nosis.memory.recall import scoring as standard

    return standard.score(message, embedded, pool, may, statistics)


def _best_of_both(words: Sequence[Hit], meaning: Sequence[Hit]) -> list[int]:
    """The rows of both searches, best first: each search's scores count beside its highest."""
    shares: dict[int, float] = defaultdict(float)
    for hits in (words, meaning):
        highest = max((hit.score for hit in hits), default=0.0)
        for hit in hits:
            shares[hit.row] += hit.score / max(highest, 1e-9)
    return sorted(shares, key=lambda row: -shares[row])


def _rows_beside(found: Sequence[Document]) -> list[int]:
    """Rows of the turns before and after the best of these, without those found already."""
    beside = dict.fromkeys(row for d in found[:BESIDE] for row in (d.previous, d.next))
    for row in (None, *(d.row for d in found)):
        beside.pop(row, None)
    return [row for row in beside if row is not None][: POOL - len(found)]


def _direction(query: Embedded) -> NDArray[np.float32]:
    """A message's vector; that of a long one is the mean of its chunks."""
    import numpy as np

    mean = query.vectors.mean(axis=0)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), np.float32)


def _facts_above_turns(entries: Sequence[Entry], totals: Sequence[float]) -> list[float]:
    """The scores, each fact's above that of the turn it came from, if it matches about as well:
    it says the same in fewer words."""
    best: dict[str, float] = defaultdict(float)
    for entry, total in zip(entries, totals, strict=True):
        if entry.kind is Kind.TURN and entry.turn:
            best[entry.turn] = max(best[entry.turn], total)

    def lifted(entry: Entry, total: float) -> float:
        above = best.get(entry.turn or "", 0.0) if entry.kind is Kind.FACT else 0.0
        return above + _ABOVE if _FACT_SHARE * above <= total <= above else total

    return list(map(lifted, entries, totals))


def _shared(ranked: Sequence[int], pool: Sequence[Document], limit: int) -> list[int]:
    """The best ``limit``, of which no session takes more than its share if others match too."""
    most = math.ceil(limit * SESSION_SHARE)
    taken: Counter[str] = Counter()
    late: set[int] = set()
    for at in ranked:
        entry = pool[at].entry
        if entry.kind is Kind.TURN and entry.session is not None:
            taken[entry.session] += 1
            if taken[entry.session] > most:
                late.add(at)
    chosen = set(sorted(ranked, key=lambda at: at in late)[:limit])
    return [at for at in ranked if at in chosen]
