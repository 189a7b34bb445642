"""The server goes away: the answer is still shown, and what was said is remembered once, later."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from nosis.agent import Agent
from nosis.errors import NosisError, StorageError, UnreachableError
from nosis.events import Notice, TextDelta, TurnDone, TurnEvent
from nosis.memory import Memory
from nosis.memory.store.postgres import PostgresStore
from nosis.memory.store.postgres import database as database_module
from nosis.memory.types import Filter, Kind
from nosis.models.scripted import ScriptedModel
from nosis.opening import open_memory
from nosis.settings import Settings
from tests.cli.driver import Nosis
from tests.hosted.servers import PostgresServer
from tests.recorded import fact, record, texts

TURNS = Filter(kinds=(Kind.TURN,))


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "PATIENCE", 0.6)


def hosted(url: str, workspace: str, home: Path) -> Memory:
    environment = {
        "NOSIS_DATABASE_URL": url,
        "NOSIS_WORKSPACE": workspace,
        "NOSIS_HOME": str(home),
    }
    return open_memory(Settings.load(environ=environment, folder=home.parent))


async def turn(agent: Agent, message: str) -> list[TurnEvent]:
    return [event async for event in agent.run(message)]


async def test_a_turn_without_its_server_is_answered_and_remembered_once_later(
    running: PostgresServer, workspace: str, tmp_path: Path
) -> None:
    memory = hosted(running.url, workspace, tmp_path / "home")
    replies = ["Hello.", "Noted.\nMEMORY_UPDATE: name: Ada", "Noted.\nMEMORY_UPDATE: likes figs"]
    async with Agent(memory, ScriptedModel([*replies, "Welcome back."])) as agent:
        await turn(agent, "hello")
        running.stop("immediate")
        away = await turn(agent, "my name is Ada")
        await turn(agent, "I like figs")
        assert isinstance(away[-1], TurnDone)
        assert any(isinstance(event, TextDelta) and "Noted" in event.text for event in away)
        assert away[-1].receipts == ()
        notices = " ".join(event.message for event in away if isinstance(event, Notice))
        assert "answering without memory" in notices
        assert "kept here" in notices
        kept = memory.outbox.path
        assert kept.stat().st_mode & 0o077 == 0
        with pytest.raises(UnreachableError):
            memory.list_memories()
        running.start()
        back = await turn(agent, "are you there?")
    assert any("2 turns kept" in event.message for event in back if isinstance(event, Notice))
    assert not kept.exists()
    again = hosted(running.url, workspace, tmp_path / "home")
    said = [entry.text for entry in again.store.find(TURNS, by="oldest") if entry.role == "user"]
    assert said == ["hello", "my name is Ada", "I like figs", "are you there?"]
    assert again.core() == {"name": "Ada"}
    assert [entry.text for entry in again.list_memories()] == ["likes figs", "name: Ada"]
    again.close()


def test_a_kept_turn_that_had_arrived_is_not_recorded_again(
    running: PostgresServer, workspace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit, before the client hears of it; the client is then
    killed before it can clear its file."""
    memory = hosted(running.url, workspace, tmp_path / "home")
    record_it = memory._record

    def recorded_but_unheard(turn: object, recalled: object) -> object:
        record_it(turn, recalled)  # type: ignore[arg-type]
        raise UnreachableError("gone")

    monkeypatch.setattr(memory, "_record", recorded_but_unheard)
    memory.record_turn("s1", "remember the figs", "Gladly.")
    kept = memory.outbox.path.read_bytes()
    monkeypatch.undo()
    assert memory.deliver() == 1
    memory.outbox.path.write_bytes(kept)
    assert memory.deliver() == 1
    assert len(memory.store.find(TURNS)) == 2
    memory.close()


def test_a_session_can_begin_while_the_server_is_away(
    running: PostgresServer, nosis: Nosis
) -> None:
    nosis("memory", "add", "Mara lives in Turin").ok()
    running.stop()
    asked = nosis("-p", "I am Ada and I work at Initech").ok()
    assert asked.out.strip()
    assert "does not answer" in asked.err
    assert "kept here" in asked.err
    refused, hint = nosis("memory", "list").failed(3)
    assert "does not answer" in refused
    assert "doctor" in hint
    assert "sk-" not in refused
    running.start()
    back = nosis("memory", "list").ok()
    assert "Mara lives in Turin" in back.out
    assert "Initech" in back.out
    assert "1 turn kept" in back.err


@pytest.mark.parametrize(
    ("code", "said"), [("53100", "is full"), ("25006", "takes no writes"), ("55P03", "busy")]
)
def test_a_server_that_takes_no_writes_costs_no_turn(
    postgres: PostgresServer, workspace: str, tmp_path: Path, code: str, said: str
) -> None:
    """A full disk, a failover to a replica, another client that holds the workspace."""
    memory = hosted(postgres.url, workspace, tmp_path / "home")
    memory.remember("Mara lives in Turin")
    with psycopg.connect(postgres.url, autocommit=True) as admin:
        admin.execute(
            f"CREATE FUNCTION refuse_{workspace}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$".encode()
        )
        admin.execute(
            f"CREATE TRIGGER refuse_{workspace} BEFORE INSERT ON nosis.events FOR EACH ROW "
            f"WHEN (NEW.agent = 'nosis') EXECUTE FUNCTION refuse_{workspace}()".encode()
        )
        try:
            with pytest.raises(StorageError, match=said):
                memory.remember("Bob lives in Rome")
            _, receipts = memory.record_turn("s1", "I live in Oslo", "Noted.")
        finally:
            admin.execute(f"DROP FUNCTION refuse_{workspace} CASCADE".encode())
    assert receipts == []
    assert said in memory.notices[-1]
    assert len(memory.list_memories()) == 1
    memory.record_turn("s1", "hello again", "Hello.")
    assert len(memory.conversation("s1")) == 4
    memory.close()


def test_secrets_are_not_kept_in_the_file_of_waiting_turns(
    running: PostgresServer, workspace: str, tmp_path: Path
) -> None:
    memory = hosted(running.url, workspace, tmp_path / "home")
    running.stop()
    memory.record_turn("s1", "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789", "Fine.")
    assert b"abcdefghijklmnop" not in memory.outbox.path.read_bytes()
    memory.close()


def test_a_restart_between_two_calls_is_not_noticed(
    running: PostgresServer, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "PATIENCE", 10.0)
    store = PostgresStore(running.url, workspace)
    record(store, fact("before"))
    for mode in ("fast", "immediate"):
        running.stop(mode)
        running.start()
        record(store, fact(f"after a {mode} stop"))
        assert "before" in texts(store)
    assert len(texts(store)) == 3
    store.close()


def test_a_write_whose_connection_breaks_at_its_end_is_sent_again(
    running: PostgresServer, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "PATIENCE", 10.0)
    store = PostgresStore(running.url, workspace)
    with store.write() as batch:
        batch.append(fact("survives", "m1"))
        running.stop("immediate")
        running.start()
    assert texts(store) == ["survives"]
    store.close()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://nosis@127.0.0.1:{port}/nowhere", "does not exist"),
        ("postgresql://stranger@127.0.0.1:{port}/postgres", "does not exist"),
        ("mysql://127.0.0.1/x", "not a PostgreSQL address"),
    ],
)
def test_a_wrong_address_is_an_error_and_no_outage(
    postgres: PostgresServer, workspace: str, address: str, said: str
) -> None:
    with pytest.raises(NosisError, match=said) as refused:
        PostgresStore(address.format(port=postgres.port), workspace)
    assert not isinstance(refused.value, UnreachableError)
    assert "NOSIS_DATABASE_URL" in refused.value.message + refused.value.hint
