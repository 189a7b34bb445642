"""One PostgreSQL server: connections, bounded retries, its errors in words.

The Store contract is synchronous and called from worker threads, so the pool is psycopg's
synchronous one. A process has one pool a server, however many workspaces it opens. No session
state is relied on, so that a pooler in transaction mode (PgBouncer) may stand in between.
Statements that come again are prepared, which halves what they cost the server.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from pgvector.psycopg import register_vector
from psycopg import Connection, conninfo, errors
from psycopg_pool import ConnectionPool

from nosis.errors import NosisError, ReadOnlyError, StorageError, UnreachableError, UsageError
from nosis.memory.store.postgres.migrations import migrate

PATIENCE = 5.0  # seconds that a call goes on trying before the server counts as away
AWAY_PATIENCE = 0.3  # seconds a call tries while it does
PAUSES = (0.02, 0.1, 0.25, 0.5)  # seconds between tries, the last one again and again
MOST_CONNECTIONS = 8  # of one process; a turn uses one at a time
IDLE = 120.0  # seconds after which an unused connection is closed
_DEFAULTS = {
    "application_name": "nosis",
    "connect_timeout": "4",
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",  # milliseconds: a dead network is noticed, not waited for
}
_PASSING = ("starting up", "shutting down", "too many", "recovery", "remaining connection slots")

T = TypeVar("T")
Db = Connection[tuple[Any, ...]]

_open: dict[str, Database] = {}
_guard = threading.Lock()


def shared(url: str) -> Database:
    """The server's one Database in this process; ``release`` it when done."""
    with _guard:
        found = _open.get(url) or _open.setdefault(url, Database(url))
        found.users += 1
        return found


class Database:
    """Connections to one server. Safe to use from any thread."""

    def __init__(self, url: str) -> None:
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # said in our own words
        self.url = url
        self.users = 0
        self._checked = False
        self._checking = threading.Lock()
        self._away = False
        try:
            given = conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise UsageError(
                f"NOSIS_DATABASE_URL is not a PostgreSQL address: {str(error).strip()}",
                "Write it as postgresql://USER:PASSWORD@HOST:5432/DATABASE",
            ) from None
        self.place = f"{given.get('host') or 'localhost'}:{given.get('port') or 5432}"
        self._info = conninfo.make_conninfo(url, **{**_DEFAULTS, **_given(given)})
        self._pool: ConnectionPool[Db] = ConnectionPool(
            self._info,
            kwargs={"autocommit": True},
            min_size=0,
            max_size=MOST_CONNECTIONS,
            max_idle=IDLE,
            reconnect_timeout=PATIENCE,
            configure=_configure,
            open=False,
            name="nosis",
        )

    def release(self) -> None:
        """One user less; the last one closes all connections."""
        with _guard:
            self.users -= 1
            if self.users or _open.get(self.url) is not self:
                return
            del _open[self.url]
        self._pool.close()

    def run(self, work: Callable[[Db], T]) -> T:
        """The result of ``work`` on a connection. It may run again where the connection breaks.

        Raises:
            UnreachableError: the server does not answer within the patience.
            StorageError: the server refuses.
        """

        def once() -> T:
            connection = self._take()
            try:
                return work(connection)
            finally:
                self.give_back(connection)

        return self.insist(once)

    def begin(self, work: Callable[[Db], T]) -> tuple[Db, T]:
        """A connection for the caller to keep, and the result of ``work`` on it; see ``run``."""

        def once() -> tuple[Db, T]:
            connection = self._take()
            try:
                return connection, work(connection)
            except BaseException:
                self.give_back(connection)
                raise

        return self.insist(once)

    def give_back(self, connection: Db) -> None:
        """Return a connection; a transaction that is still open on it is rolled back."""
        if not connection.closed and connection.info.transaction_status != 0:
            with suppress(psycopg.Error):
                connection.rollback()
        self._pool.putconn(connection)

    def insist(self, work: Callable[[], T]) -> T:
        """The result of ``work``, tried again for a while as long as the server is away."""
        deadline = time.monotonic() + (AWAY_PATIENCE if self._away else PATIENCE)
        tries = 0
        while True:
            try:
                self._ready()
                result = work()
            except psycopg.Error as error:
                if not passing(error):
                    raise translated(error, self.place) from error
                if time.monotonic() >= deadline:
                    self._away = True
                    raise self.unreachable() from error
                time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
                tries += 1
                if self._checked:
                    with suppress(psycopg.Error):
                        self._pool.check()  # the others broke with this one
            else:
                self._away = False
                return result

    def unreachable(self) -> UnreachableError:
        """The error of a server that is away."""
        return UnreachableError(
            f"the database server {self.place} does not answer",
            "Is it running, and NOSIS_DATABASE_URL right? See: nosis doctor",
        )

    def direct(self) -> Db:
        """A connection outside the pool, for what must not run in a transaction."""
        connection = psycopg.connect(self._info, autocommit=True, prepare_threshold=None)
        _configure(connection)
        return connection

    def _ready(self) -> None:
        """Open the pool, once the tables are known to be those of this version."""
        if self._checked:
            return
        with self._checking:
            if self._checked:
                return
            with psycopg.connect(self._info, autocommit=True) as connection:
                migrate(connection)
            self._pool.open(wait=False)
            self._checked = True

    def _take(self) -> Db:
        return self._pool.getconn(timeout=AWAY_PATIENCE if self._away else PATIENCE)


def passing(error: psycopg.Error) -> bool:
    """Whether the same may work a moment later: no connection, or a server that restarts."""
    if isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
        return True
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    state = error.sqlstate
    if state is not None:
        return state.startswith("08") or state in ("57P01", "57P02", "57P03", "57P05", "53300")
    text = str(error)
    return "FATAL" not in text or any(word in text for word in _PASSING)


def translated(error: psycopg.Error, place: str) -> NosisError:
    """What the server's refusal means for the person."""
    text = str(error).strip().splitlines()[0].removeprefix("connection failed: ")
    match error:
        case errors.DiskFull():
            return UnreachableError(
                f"the disk of the database server {place} is full",
                "Free some space there and try again; nothing was changed.",
            )
        case errors.ReadOnlySqlTransaction():
            return ReadOnlyError(
                f"the database server {place} takes no writes",
                "Is it a replica? Point NOSIS_DATABASE_URL at the primary.",
            )
        case errors.LockNotAvailable() | errors.IdleInTransactionSessionTimeout():
            return UnreachableError(
                "another nosis process is busy with this workspace",
                "Wait for it to finish (a large import or reindex takes minutes), then try again.",
            )
        case errors.InsufficientPrivilege() | errors.FeatureNotSupported():
            hint = (
                "An administrator can run: CREATE EXTENSION vector;"
                if "extension" in text
                else "Give the database's user the right to create the schema nosis, and to use it."
            )
            return StorageError(f"the database server {place} refused: {text}", hint)
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.UndefinedObject():
            return StorageError(
                f"the database at {place} lacks something nosis made: {text}",
                "See what with: nosis doctor",
            )
        case psycopg.OperationalError():
            hint = "Check NOSIS_DATABASE_URL: host, port, user, password and database name."
            return StorageError(f"cannot use the database: {text}", hint)
    return StorageError(f"the database server {place}: {text}", "See: nosis doctor")


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _configure(connection: Db) -> None:
    register_vector(connection)
