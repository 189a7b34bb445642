"""Making everything derived anew from the events, inside one transaction."""

from __future__ import annotations

from nosis.memory import tokenizer
from nosis.memory.store import Progress
from nosis.memory.store.fold import ForeignEvent, check_schema, fold
from nosis.memory.store.postgres import head, queries
from nosis.memory.store.postgres.apply import Changes
from nosis.memory.store.postgres.database import Db
from nosis.memory.store.postgres.head import Head

DERIVED = (
    *(b"entries", b"texts", b"gone", b"terms", b"postings", b"profile", b"core", b"sessions"),
    b"waiting",
)


def rebuild(connection: Db, at: Head, progress: Progress | None) -> None:
    """Replay the events. Rows keep their numbers, and rows with vectors keep these."""
    with connection.pipeline():
        for table in DERIVED:
            connection.execute(b"DELETE FROM nosis." + table + b" WHERE workspace = %s", (at.id,))
    total = at.position
    at.position = at.documents = at.length = at.curated = 0
    while page := queries.events(connection, at.id, entry=None, op=None, after=at.position):
        changes = Changes(connection, at, replay=True)
        for position, event in page:
            check_schema(event)
            try:
                changes.add(event, fold(event), position)
            except ForeignEvent:
                continue
        changes.flush()
        at.position = page[-1][0]
        if progress:
            progress("index", at.position, total)
    connection.execute(
        "DELETE FROM nosis.waiting w USING nosis.vectors v WHERE w.workspace = %(workspace)s "
        'AND v.workspace = %(workspace)s AND v."row" = w."row"',
        {"workspace": at.id},
    )
    for table in (b"vectors", b"tokens"):
        deleted = connection.execute(
            b"DELETE FROM nosis." + table + b" d WHERE workspace = %(workspace)s "
            b"AND NOT EXISTS (SELECT 1 FROM nosis.texts t WHERE t.workspace = %(workspace)s "
            b'AND t."row" = d."row")',
            {"workspace": at.id},
        )
        if table == b"vectors":
            at.lines -= deleted.rowcount
    at.build += 1
    at.version, at.tokenizer = head.VERSION, tokenizer.VERSION
    head.save(connection, at)
