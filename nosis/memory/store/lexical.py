"""Words: BM25 over postings that the catalog keeps, scored in the end by rank-bm25.

A term's postings are (row, frequency) pairs in ascending rows: a short tail beside the
term, and behind it blocks of geometrically growing size, so that adding a memory costs the
same at any size. A search reads only its own terms' postings, finds the best rows by
MaxScore (terms from rare to common; a common term adds to rows already found, and brings no
new ones once these cannot reach the best), and gives that pool to ``rank_bm25.BM25Okapi``
with the live statistics of the whole archive.

The inverse document frequency is ``log(1 + (N - n + 0.5) / (n + 0.5))`` (Lucene's, never
negative), in place of Okapi's floor, which depends on the whole vocabulary.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.memory.store import Hit, TermStatistics
from nosis.memory.store.attributes import Bool

POSTING = np.dtype([("row", "<u4"), ("frequency", "<u2")])
TAIL = 128  # postings beside a term before they become a block
FANOUT = 8  # blocks of one level that are merged into one of the next
TOP = 3  # level that is never merged: blocks of up to TAIL * FANOUT**3 postings
MARGIN = 16  # rows beyond the limit that are scored too, so that rounding cannot cost one
K1, B = 1.5, 0.75  # rank-bm25's defaults

Postings = NDArray[Any]


class Collected:
    """The postings and counts of one transaction, wherever they are written to."""

    def __init__(self) -> None:
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.frequencies: Counter[str] = Counter()  # changes of document frequencies
        self.documents = 0  # change of the number of live documents
        self.length = 0  # change of the sum of their lengths, in terms

    def add(self, row: int, terms: Sequence[str]) -> None:
        """Postings of a new row, which must be higher than any before."""
        for term, frequency in Counter(terms).items():
            self.postings.setdefault(term, []).append((row, min(frequency, 65535)))

    def count(self, terms: Sequence[str], sign: int) -> None:
        """Take a document into the live statistics (+1) or out of them (-1)."""
        for term in set(terms):
            self.frequencies[term] += sign
        self.documents += sign
        self.length += sign * len(terms)

    def take(self) -> list[tuple[str, bytes, int]]:
        """(term, new postings, change of its document frequency) of each term; forgets them."""
        taken = [
            (term, np.array(self.postings.get(term, []), POSTING).tobytes(), self.frequencies[term])
            for term in sorted(self.postings.keys() | self.frequencies.keys())
        ]
        self.postings.clear()
        self.frequencies.clear()
        self.documents = self.length = 0
        return taken


def merged(size: int, before: Sequence[int]) -> int:
    """How many of the blocks ``before`` a new one (bytes, the newest first) it is merged with."""
    count = 0
    while (level := _level(size)) < TOP:
        levels = [_level(length) for length in before[count:]]
        smaller, same = sum(n < level for n in levels), levels.count(level)
        take = smaller + (same if same >= FANOUT - 1 else 0)
        if not take:
            break
        size += sum(before[count : count + take])
        count += take
    return count


class LexicalWriter(Collected):
    """Collects the postings and counts of one transaction; ``flush`` writes them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__()
        self._db = db

    def flush(self) -> None:
        """Write what was collected."""
        for term, new, frequency in self.take():
            self._write(term, new, frequency)

    def _write(self, term: str, new: bytes, frequency: int) -> None:
        found = self._db.execute(
            "SELECT number, tail FROM terms WHERE term = ?", (term,)
        ).fetchone()
        if not new and found:
            self._db.execute(
                "UPDATE terms SET frequency = frequency + ? WHERE term = ?", (frequency, term)
            )
            return
        number, tail = found or (None, b"")
        tail += new
        if len(tail) > TAIL * POSTING.itemsize:
            if number is None:
                number = self._number()
            self._seal(number, tail)
            tail = b""
        self._db.execute(
            "INSERT INTO terms(term, number, frequency, tail) VALUES (?, ?, ?, ?) "
            "ON CONFLICT(term) DO UPDATE SET number = excluded.number, tail = excluded.tail, "
            "frequency = frequency + excluded.frequency",
            (term, number, frequency, tail),
        )

    def _number(self) -> int:
        (highest,) = self._db.execute("SELECT max(term) FROM postings").fetchone()
        return (highest or 0) + 1

    def _seal(self, number: int, data: bytes) -> None:
        """Append a block, merged with the blocks before it that are no larger than it."""
        before = self._db.execute(
            "SELECT first, length(data) FROM postings WHERE term = ? ORDER BY first DESC LIMIT ?",
            (number, FANOUT * (TOP + 1)),
        ).fetchall()
        count = merged(len(data), [length for _, length in before])
        blobs = []
        for first, _ in reversed(before[:count]):
            key = (number, first)
            where = "WHERE term = ? AND first = ?"
            blobs.append(self._db.execute(f"SELECT data FROM postings {where}", key).fetchone()[0])
            self._db.execute(f"DELETE FROM postings {where}", key)
        data = b"".join([*blobs, data])
        first = int(np.frombuffer(data, POSTING, 1)["row"][0])
        self._db.execute(
            "INSERT INTO postings(term, first, data) VALUES (?, ?, ?)", (number, first, data)
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of the whole archive."""

    documents: int
    length: int  # of all live documents, in terms

    @property
    def average(self) -> float:
        return self.length / self.documents if self.documents else 0.0

    def idf(self, frequency: int) -> float:
        """Inverse document frequency of a term that ``frequency`` live documents hold."""
        return math.log(1 + (self.documents - frequency + 0.5) / (frequency + 0.5))


Loaded = dict[str, tuple[int, Postings]]
"""Term to its document frequency among live rows and its postings; absent terms left out."""


def rank(
    loaded: Loaded,
    terms: Sequence[str],
    limit: int,
    *,
    passes: Bool,
    lengths: NDArray[np.uint32],
    statistics: Statistics,
) -> tuple[list[Hit], TermStatistics]:
    """The best ``limit`` rows by BM25, higher rows first among equals.

    A term that the query repeats counts as often as it is there.

    Args:
        passes: by row, whether it may be found.
        lengths: by row, terms in its text.
    """
    found = TermStatistics(
        statistics.documents,
        statistics.average,
        {term: loaded[term][0] if term in loaded else 0 for term in terms},
    )
    idf = {term: statistics.idf(frequency) for term, (frequency, _) in loaded.items()}
    repeats = Counter(terms)
    lists = [_List(loaded[t][1], repeats[t] * idf[t], lengths, statistics.average) for t in loaded]
    rows = _best(lists, limit, passes)
    if not len(rows):
        return [], found
    frequencies = {
        term: postings.frequencies(rows).tolist()
        for term, postings in zip(loaded, lists, strict=True)
    }
    documents = [
        {term: column[i] for term, column in frequencies.items() if column[i]}
        for i in range(len(rows))
    ]
    scorer = _scorer()(documents, lengths[rows], statistics, idf)
    scores = scorer.get_batch_scores(list(terms), range(len(rows)))
    ranked = sorted(map(Hit, rows.tolist(), scores), key=lambda hit: (-hit.score, -hit.row))
    return ranked[:limit], found


def load(db: sqlite3.Connection, terms: Sequence[str]) -> Loaded:
    """What the catalog keeps of these terms."""
    loaded: Loaded = {}
    for term in dict.fromkeys(terms):
        found = db.execute(
            "SELECT number, frequency, tail FROM terms WHERE term = ?", (term,)
        ).fetchone()
        if found is None:
            continue
        number, frequency, tail = found
        blocks = (
            []
            if number is None
            else db.execute(
                "SELECT data FROM postings WHERE term = ? ORDER BY first", (number,)
            ).fetchall()
        )
        data = b"".join([*(block for (block,) in blocks), tail])
        loaded[term] = (frequency, np.frombuffer(data, POSTING))
    return loaded


class _List:
    """One term's postings in a search."""

    def __init__(
        self, postings: Postings, weight: float, lengths: NDArray[np.uint32], average: float
    ) -> None:
        self.rows = postings["row"].astype(np.int64)
        self._frequency = postings["frequency"]
        self._weight = weight
        self._lengths = lengths
        self._average = average or 1.0
        highest = int(self._frequency.max(initial=0))
        self.bound = weight * highest * (K1 + 1) / (highest + K1 * (1 - B)) if highest else 0.0

    def scores(self, at: NDArray[np.int64] | Bool) -> NDArray[np.float64]:
        """BM25 parts of the chosen postings; never above ``bound``."""
        frequency = self._frequency[at].astype(np.float64)
        norm = K1 * (1 - B + B * self._lengths[self.rows[at]] / self._average)
        return self._weight * frequency * (K1 + 1) / (frequency + norm)

    def find(self, rows: NDArray[np.int64]) -> tuple[Bool, NDArray[np.int64]]:
        """Which of the rows hold the term, and where these stand among the postings."""
        at = np.searchsorted(self.rows, rows)
        at[at == len(self.rows)] = 0
        holds = self.rows[at] == rows if len(self.rows) else np.zeros(len(rows), np.bool_)
        return holds, at[holds]

    def frequencies(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        column = np.zeros(len(rows), np.int64)
        holds, at = self.find(rows)
        column[holds] = self._frequency[at]
        return column


def _best(lists: list[_List], limit: int, passes: Bool) -> NDArray[np.int64]:
    """Rows of the highest sums over all lists, a few more than ``limit``, by MaxScore."""
    ordered = sorted(lists, key=lambda postings: -postings.bound)
    bounds = [postings.bound for postings in ordered]
    remaining = [sum(bounds[number:]) for number in range(len(bounds) + 1)]
    sums = np.zeros(len(passes), np.float64)
    pool, threshold = limit + MARGIN, 0.0
    touched: list[NDArray[np.int64]] = []
    for number, postings in enumerate(ordered):
        if threshold > remaining[number]:
            break  # a row that holds only the terms left cannot be among the best
        kept = passes[postings.rows]
        own = postings.rows[kept]
        sums[own] += postings.scores(kept)
        touched.append(own)
        # The rows of one long list bound the threshold well enough.
        among = own if len(own) >= pool else np.unique(np.concatenate(touched))
        threshold = max(threshold, _kth(sums[among], pool))
    rows = np.flatnonzero(sums)
    for number, postings in enumerate(ordered[len(touched) :], len(touched)):
        rows = rows[sums[rows] + remaining[number] >= threshold]
        holds, at = postings.find(rows)
        sums[rows[holds]] += postings.scores(at)
        threshold = max(threshold, _kth(sums[rows], pool))
    rows = rows[sums[rows] >= _kth(sums[rows], pool)]
    return rows[np.argsort(-sums[rows], kind="stable")[:pool]]


def _kth(values: NDArray[np.float64], k: int) -> float:
    """The k-th highest value; 0 where there are fewer."""
    return float(np.partition(values, len(values) - k)[-k]) if len(values) >= k else 0.0


@cache
def _scorer() -> Any:
    """rank-bm25's Okapi scoring of a small pool with the statistics of the whole archive."""
    from rank_bm25 import BM25Okapi

    class PoolBM25(BM25Okapi):  # type: ignore[misc]
        def __init__(
            self,
            documents: list[dict[str, int]],
            lengths: NDArray[np.uint32],
            statistics: Statistics,
            idf: Mapping[str, float],
        ) -> None:
            # Not the inherited set-up: it would take its statistics from the pool.
            self.k1, self.b = K1, B
            self.corpus_size = statistics.documents
            self.avgdl = statistics.average or 1.0
            self.doc_freqs = documents
            self.doc_len = lengths
            self.idf = idf

    return PoolBM25


def _level(size: int) -> int:
    count = size // POSTING.itemsize
    return min(TOP, max(0, int(math.log(max(count, TAIL) / TAIL, FANOUT) + 1e-9)))
