"""Words in PostgreSQL: the postings of ``store/lexical.py``, a row a term and a row a block."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from nosis.memory.store import lexical
from nosis.memory.store.lexical import POSTING, Collected, Postings
from nosis.memory.store.postgres.database import Db

LONGEST = 200  # characters of a term in a key; an index takes no more than about 2,700 bytes


def load(connection: Db, workspace: int, terms: Sequence[str]) -> dict[str, tuple[int, Postings]]:
    """Document frequency and postings of those terms that any row holds."""
    keys = {key(term): term for term in terms}
    with connection.pipeline():
        heads = connection.cursor(binary=True).execute(
            "SELECT term, frequency, tail FROM nosis.terms WHERE workspace = %s AND term = ANY(%s)",
            (workspace, list(keys)),
        )
        blocks = connection.cursor(binary=True).execute(
            "SELECT term, data FROM nosis.postings "
            "WHERE workspace = %s AND term = ANY(%s) ORDER BY term, first",
            (workspace, list(keys)),
        )
        found = heads.fetchall()
        before: dict[str, list[bytes]] = {}
        for term, data in blocks:
            before.setdefault(term, []).append(data)
    return {
        keys[term]: (frequency, np.frombuffer(b"".join([*before.get(term, []), tail]), POSTING))
        for term, frequency, tail in found
    }


def write(connection: Db, workspace: int, collected: Collected) -> None:
    """Write what one transaction collected; the workspace's lock is held."""
    taken: dict[str, tuple[bytes, int]] = {}
    for term, new, frequency in collected.take():
        taken[key(term)] = (new, frequency)
    if not taken:
        return
    known = {
        term: (frequency, tail)
        for term, frequency, tail in connection.cursor(binary=True).execute(
            "SELECT term, frequency, tail FROM nosis.terms WHERE workspace = %s AND term = ANY(%s)",
            (workspace, list(taken)),
        )
    }
    rows, full = [], []
    for term, (new, change) in taken.items():
        frequency, tail = known.get(term, (0, b""))
        tail += new
        if len(tail) > lexical.TAIL * POSTING.itemsize:
            full.append((term, tail))
            tail = b""
        rows.append((workspace, term, frequency + change, tail))
    for term, data in full:
        _seal(connection, workspace, term, data)
    connection.cursor().executemany(
        "INSERT INTO nosis.terms(workspace, term, frequency, tail) VALUES (%s, %s, %s, %b) "
        "ON CONFLICT (workspace, term) DO UPDATE "
        "SET frequency = excluded.frequency, tail = excluded.tail",
        rows,
    )


def key(term: str) -> str:
    """The term as it stands in an index; a very long one by its digest."""
    if len(term) <= LONGEST:
        return term
    return f"{term[:20]}#{hashlib.blake2b(term.encode(), digest_size=16).hexdigest()}"


def _seal(connection: Db, workspace: int, term: str, data: bytes) -> None:
    """Append a block, merged with the blocks before it that are no larger than it."""
    before = connection.execute(
        "SELECT first, length(data) FROM nosis.postings WHERE workspace = %s AND term = %s "
        "ORDER BY first DESC LIMIT %s",
        (workspace, term, lexical.FANOUT * (lexical.TOP + 1)),
    ).fetchall()
    count = lexical.merged(len(data), [length for _, length in before])
    if count:
        merged = connection.execute(
            "DELETE FROM nosis.postings WHERE workspace = %s AND term = %s AND first >= %s "
            "RETURNING first, data",
            (workspace, term, before[count - 1][0]),
        ).fetchall()
        data = b"".join([*(block for _, block in sorted(merged)), data])
    _insert_block(connection, workspace, term, data)


def _insert_block(connection: Db, workspace: int, term: str, data: bytes) -> None:
    first = int(np.frombuffer(data, POSTING, 1)["row"][0])
    connection.execute(
        "INSERT INTO nosis.postings(workspace, term, first, data) VALUES (%s, %s, %s, %b)",
        (workspace, term, first, data),
    )
