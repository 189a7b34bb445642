"""What is the database's own: migrations, versions, indexes, rights, isolation, purging."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import psycopg
import pytest

from nosis.errors import StorageError
from nosis.memory.store.postgres import PostgresStore, head, migrations, vectors, workspaces
from nosis.memory.store.postgres.database import shared
from nosis.memory.types import Filter
from tests.hosted.servers import PostgresServer
from tests.recorded import (
    EVERYTHING,
    axis,
    embed_all,
    event,
    fact,
    found,
    near,
    record,
    texts,
    turn,
)


@pytest.fixture
def admin(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def empty_url(postgres: PostgresServer, admin: psycopg.Connection[Any]) -> Iterator[str]:
    """A database without any tables."""
    name = f"d{uuid.uuid4().hex}"
    admin.execute(f"CREATE DATABASE {name}".encode())
    yield postgres.url.replace("/postgres", f"/{name}")
    admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


# -- migrations and versions -------------------------------------------------------------------


def test_many_first_openings_make_the_tables_once(empty_url: str) -> None:
    failures: list[BaseException] = []

    def begin(number: int) -> None:
        try:
            store = PostgresStore(empty_url, f"w{number}")
            record(store, fact("here"))
            store.close()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert workspaces.names(empty_url) == ["w0", "w1", "w2", "w3"]
    with psycopg.connect(empty_url) as connection:
        assert migrations.applied(connection) == [step.number for step in migrations.known()]


def test_a_migration_that_fails_leaves_nothing(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = migrations.known()
    broken = migrations.Migration(99, "0099_broken.sql", "CREATE TABLE nosis.half(); SELECT 1/0")
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "known", lambda: [*steps, broken])
        with pytest.raises(StorageError):
            PostgresStore(empty_url, "w")
    with psycopg.connect(empty_url) as connection:
        assert migrations.applied(connection) == []
    PostgresStore(empty_url, "w").close()


def test_tables_of_a_newer_nosis_are_refused(empty_url: str) -> None:
    PostgresStore(empty_url, "w").close()
    with psycopg.connect(empty_url) as connection:
        connection.execute("INSERT INTO nosis.migrations VALUES (77, 'from the future')")
    with pytest.raises(StorageError, match="newer nosis") as refused:
        PostgresStore(empty_url, "w")
    assert "Update nosis" in refused.value.hint


def test_an_index_of_an_older_version_is_rebuilt_and_of_a_newer_refused(
    database_url: str, workspace: str, admin: psycopg.Connection[Any]
) -> None:
    store = PostgresStore(database_url, workspace)
    record(store, fact("a dog", "m1"), turn("hello", "s1"))
    change = "UPDATE nosis.workspaces SET version = %s WHERE name = %s"
    admin.execute(change, (head.VERSION - 1, workspace))
    seen = []
    again = PostgresStore(database_url, workspace, progress=lambda *told: seen.append(told))
    assert again.notices == ["the index is of another version: rebuilt"]
    assert seen
    assert found(again, "dog") == ["a dog"]
    admin.execute(change, (head.VERSION + 1, workspace))
    for call in (lambda: PostgresStore(database_url, workspace), lambda: texts(store)):
        with pytest.raises(StorageError, match="newer nosis"):
            call()
    again.close()
    store.close()


def test_a_user_without_rights_is_told_what_is_missing(
    empty_url: str, admin: psycopg.Connection[Any]
) -> None:
    role = f"r{uuid.uuid4().hex[:10]}"
    admin.execute(f"CREATE ROLE {role} LOGIN".encode())
    address = empty_url.replace("nosis@", f"{role}@")
    with psycopg.connect(empty_url, autocommit=True) as owner:
        for hint, right in (
            ("CREATE EXTENSION", "CREATE EXTENSION vector"),
            ("right to create the schema", "CREATE SCHEMA nosis"),
            ("right to create the schema", f"GRANT ALL ON SCHEMA nosis TO {role}"),
        ):
            with pytest.raises(StorageError, match="refused") as refused:
                PostgresStore(address, "w")
            assert hint in refused.value.hint
            owner.execute(right.encode())
        owner.execute(f"GRANT CREATE ON DATABASE {owner.info.dbname} TO {role}".encode())
        PostgresStore(address, "w").close()
        owner.execute(f"DROP OWNED BY {role} CASCADE".encode())
    admin.execute(f"DROP ROLE {role}".encode())


def test_an_extension_out_of_sight_is_said(empty_url: str, admin: psycopg.Connection[Any]) -> None:
    role = f"r{uuid.uuid4().hex[:10]}"
    with psycopg.connect(empty_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA elsewhere")
        connection.execute("CREATE EXTENSION vector SCHEMA elsewhere")
    admin.execute(f"CREATE ROLE {role} LOGIN SUPERUSER".encode())
    with pytest.raises(StorageError) as refused:
        PostgresStore(empty_url.replace("nosis@", f"{role}@"), "w")
    assert "vector" in refused.value.message
    assert "search_path" in refused.value.hint
    admin.execute(f"ALTER ROLE {role} SET search_path = public, elsewhere".encode())
    PostgresStore(empty_url.replace("nosis@", f"{role}@"), "w").close()
    with psycopg.connect(empty_url, autocommit=True) as connection:
        connection.execute(f"DROP OWNED BY {role} CASCADE".encode())
    admin.execute(f"DROP ROLE {role}".encode())


def test_a_workspace_deleted_while_open_is_said(database_url: str, workspace: str) -> None:
    store = PostgresStore(database_url, workspace)
    record(store, fact("a"))
    workspaces.delete(database_url, workspace)
    with pytest.raises(StorageError, match="deleted"):
        record(store, fact("b"))
    with pytest.raises(StorageError, match="deleted"):
        texts(store)
    store.close()


def test_a_read_only_server_is_said(
    database_url: str, workspace: str, admin: psycopg.Connection[Any]
) -> None:
    role = f"r{uuid.uuid4().hex[:10]}"
    admin.execute(f"CREATE ROLE {role} LOGIN SUPERUSER".encode())
    admin.execute(f"ALTER ROLE {role} SET default_transaction_read_only = on".encode())
    with pytest.raises(StorageError, match="takes no writes") as refused:
        PostgresStore(database_url.replace("nosis@", f"{role}@"), workspace)
    assert "primary" in refused.value.hint
    admin.execute(f"DROP ROLE {role}".encode())


def test_stores_of_one_server_share_its_connections(database_url: str, workspace: str) -> None:
    stores = [PostgresStore(database_url, f"{workspace}{number}") for number in range(12)]
    for store in stores:
        record(store, fact("x"))
    database = shared(database_url)
    assert database.users == 13
    assert database._pool.get_stats()["pool_size"] <= 2
    database.release()
    for store in stores:
        store.close()


# -- vectors -----------------------------------------------------------------------------------


def clustered(count: int, dimensions: int = 32) -> Any:
    dice = np.random.default_rng(3)
    centres = dice.normal(size=(20, dimensions))
    made = centres[dice.integers(20, size=count)] + dice.normal(size=(count, dimensions)) * 0.4
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def large(
    database_url: str, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[PostgresStore, Any]]:
    """A workspace that is large enough for an index, and the vectors of its texts."""
    monkeypatch.setattr(vectors, "INDEXED", 300)
    store = PostgresStore(database_url, workspace)
    made = clustered(400)
    facts = [fact(str(n), f"m{n}", importance=n % 10 / 10) for n in range(len(made))]
    record(store, *facts)
    embed_all(store, lambda text: made[int(text)])
    store.warm()
    yield store, made
    store.close()


def test_a_large_workspace_is_searched_by_its_index(
    large: tuple[PostgresStore, Any], admin: psycopg.Connection[Any]
) -> None:
    store, made = large
    health = store.health()
    assert (health["vector index"], health["index due"]) == ("HNSW", False)
    at = store._read(lambda db, at: at)
    literal = "[" + ",".join(map(str, made[0].tolist())) + "]"
    sql = vectors.nearest_sql(at.id, 32).replace("%(query)s", f"'{literal}'::halfvec(32)")
    with admin.transaction():
        # 400 vectors are few enough for the planner to prefer sorting them.
        admin.execute("SET LOCAL enable_sort = off")
        plan = admin.execute(f"EXPLAIN {sql.replace('%(limit)s', '20')}".encode()).fetchall()
    assert vectors.index_name(at) in str(plan)
    agreed = 0
    for query in made[:40]:
        exact = set(np.argsort(-(made @ query))[:10].tolist())
        agreed += len(exact & {int(text) for text in near(store, query, limit=10)})
    assert agreed >= 0.95 * 400


def test_filters_and_later_changes_hold_for_an_index_too(
    large: tuple[PostgresStore, Any],
) -> None:
    store, made = large
    record(store, event("forget", id="m0", was="live"))
    record(store, fact("400", "m400"))
    rows = store.unembedded(10)
    from nosis.memory.store import Embedded

    store.add_vectors([row for row, _ in rows], [Embedded(made[0][None])])
    assert near(store, made[0], limit=1) == ["400"]
    assert near(store, made[0], EVERYTHING, limit=2) == ["400", "0"]
    rare = Filter(min_importance=0.9)
    exact = [n for n in np.argsort(-(made @ made[5])).tolist() if n % 10 == 9][:8]
    assert near(store, made[5], rare, limit=8) == [str(n) for n in exact]


def test_vectors_of_another_size_replace_those_of_an_index(
    large: tuple[PostgresStore, Any], admin: psycopg.Connection[Any]
) -> None:
    store, _ = large
    embed_all(store, lambda text: axis(int(text) % 8), "other-model")
    assert int(near(store, axis(3), limit=1)[0]) % 8 == 3
    store.reindex()
    at = store._read(lambda db, at: at)
    found = admin.execute(
        "SELECT indexname FROM pg_indexes WHERE indexname LIKE %s", (f"vectors_near_{at.id}_%",)
    ).fetchall()
    assert found == [(vectors.index_name(at),)]


# -- isolation and purging ---------------------------------------------------------------------


def test_a_purged_text_is_in_no_row_of_the_database(
    database_url: str, workspace: str, admin: psycopg.Connection[Any]
) -> None:
    store = PostgresStore(database_url, workspace)
    record(
        store,
        fact("the code is swordfishes", "m1", session="s1"),
        fact("tell Bob that the code is swordfishes today", "m2"),
        turn("what is unrelated", "s1"),
    )
    record(store, event("revise", id="m1", set={"text": "it was barracudas"}, was={"text": "x"}))
    embed_all(store, lambda text: axis(len(text) % 8))
    record(store, event("forget", id="m1", was="live"), event("purge", ids=["m1"]))
    assert store.purge(["m1"]) == []
    tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'nosis'").fetchall()
    for (table,) in tables:
        with admin.cursor().copy(f"COPY (SELECT * FROM nosis.{table}) TO STDOUT".encode()) as copy:
            stored = b"".join(bytes(part) for part in copy)
        for word in (b"swordfish", b"barracuda"):
            assert word not in stored, table
    assert store.get(["m1"]) == []
    assert [e["type"] for _, e in store.events()] == [
        "fact",
        "fact",
        "turn",
        "revise",
        "forget",
        "purge",
    ]
    assert [text for _, text in store.unembedded(9)] == ["tell Bob that [purged] today"]
    assert near(store, axis(len("what is unrelated") % 8))[0] == "what is unrelated"
    store.reindex()
    assert store.find(EVERYTHING) == store.find(EVERYTHING)
    store.close()


def test_a_deleted_workspace_leaves_nothing_and_its_neighbour_whole(
    database_url: str, workspace: str, admin: psycopg.Connection[Any]
) -> None:
    stores = [PostgresStore(database_url, f"{workspace}{side}") for side in "ab"]
    for store in stores:
        record(store, fact("shared id", "m1"), turn("hello", "s1"))
        record(store, event("core", field="name", value="Ada", was=None))
        embed_all(store, lambda text: axis(0))
    kept = stores[1].find(EVERYTHING)
    gone = stores[0]._id
    workspaces.delete(database_url, f"{workspace}a")
    for (table,) in admin.execute(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'nosis' "
        "AND column_name = 'workspace'"
    ).fetchall():
        sql = f"SELECT count(*) FROM nosis.{table} WHERE workspace = %s"
        assert admin.execute(sql.encode(), (gone,)).fetchone() == (0,), table
    assert stores[1].find(EVERYTHING) == kept
    for store in stores:
        store.close()


def test_every_statement_names_its_workspace(
    database_url: str, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No query can reach rows of another workspace, because each is bound to one."""
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def recorded(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        sent.append(query.decode() if isinstance(query, bytes) else str(query))
        return execute(self, query, *args, **kwargs)

    store = PostgresStore(database_url, workspace)
    monkeypatch.setattr(psycopg.Cursor, "execute", recorded)
    record(store, fact("a dog", "m1"), turn("hello", "s1"), turn("again", "s1", id="t2"))
    record(store, event("revise", id="t2", set={"text": "b"}, was={}), event("access", ids=["m1"]))
    embed_all(store, lambda text: axis(0))
    near(store, axis(0), Filter(session="s1"))
    found(store, "dog")
    store.sessions(), store.core(), store.last_op(), store.profile(), store.curated()
    list(store.events(entry="m1"))
    store.health()
    store.purge(["m1"])
    store.reindex()
    monkeypatch.undo()
    store.close()
    own = [
        s for s in sent if "nosis." in s and "nosis.migrations" not in s and "to_regclass" not in s
    ]
    assert len(own) > 40
    for statement in own:
        assert (
            "workspace" in statement.replace("nosis.workspaces", "") or "WHERE id = %s" in statement
        )
