"""The same commands over a database: nothing to learn anew."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.driver import Nosis, Ran
from tests.hosted.servers import PostgresServer


def test_a_fact_goes_through_its_life_in_the_database(nosis: Nosis, workspace: str) -> None:
    fact = nosis.add("Deploys are on Fridays")
    assert "Deploys are on Fridays" in nosis("memory", "list").ok().out
    nosis("memory", "edit", fact, "Deploys are on Mondays").ok()
    assert [e["type"] for e in nosis("memory", "history", fact, "--json").ok().json] == [
        "fact",
        "revise",
    ]
    nosis("memory", "undo").ok()
    assert nosis("memory", "search", "deploy", "--json").ok().json[0]["text"].endswith("Fridays")
    nosis("core", "set", "name", "Ada").ok()
    assert nosis("core", "show", "--json").ok().json == {"name": "Ada"}
    nosis("memory", "purge", fact, "--yes").ok()
    assert "Fridays" not in nosis("memory", "export").ok().out
    assert "Ada" in nosis("log").ok().out
    assert not (nosis.home / "workspaces").exists()
    assert not list(nosis.home.rglob("core.json"))
    listed = nosis("workspaces", "list", "--json").ok().json
    assert [w["name"] for w in listed if w["current"]] == [workspace]


def test_a_conversation_goes_on_in_another_process(nosis: Nosis) -> None:
    nosis("-p", "My sister Mara lives in Turin.").ok()
    assert "Turin" in nosis("-c", "-p", "Where does my sister live?").ok().out
    assert nosis("sessions", "list", "--json").ok().json[0]["turns"] == 2


def test_workspaces_are_made_and_deleted_in_the_database(nosis: Nosis, workspace: str) -> None:
    other = f"{workspace}-b"
    nosis("workspaces", "create", other).ok()
    nosis("workspaces", "create", other).failed(2)
    nosis("memory", "add", "a fact", "-w", other).ok()
    nosis.add("another fact")
    nosis("workspaces", "delete", other, "--yes").ok()
    assert other not in nosis("workspaces", "list").ok().out
    nosis("workspaces", "delete", other, "--yes").failed(2)
    assert nosis("memory", "list", "-w", other).ok().out.count("a fact") == 0
    assert "another fact" in nosis("memory", "list").ok().out


def test_workspaces_share_nothing(nosis: Nosis, workspace: str) -> None:
    """Memories of another workspace are nearer than the only one of this."""
    for number in range(3):
        nosis("memory", "add", f"the zebra number {number} sleeps", "-w", f"{workspace}-b").ok()
    nosis.add("a lonely zebra")
    found = nosis("memory", "search", "zebra sleeps", "--json").ok().json
    assert [hit["text"] for hit in found] == ["a lonely zebra"]
    assert nosis("memory", "list", "--json").ok().json[0]["text"] == "a lonely zebra"


def test_a_copy_is_lossless_both_ways_and_can_be_repeated(
    nosis: Nosis, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.delenv("NOSIS_DATABASE_URL")
        fact = nosis.add("Deploys are on Fridays")
        nosis("memory", "edit", fact, "Deploys are on Mondays").ok()
        nosis("core", "set", "name", "Ada").ok()
        nosis("-p", "My sister Mara lives in Turin.").ok()
        exported = nosis("memory", "export", "--format", "jsonl").ok().out
    copied = nosis("workspaces", "copy", f"local:{workspace}", f"hosted:{workspace}").ok()
    events = len(exported.splitlines())
    assert f"copied: {events} events, {events} of them new" in copied.out
    assert nosis("memory", "export", "--format", "jsonl").ok().out == exported
    again = nosis("workspaces", "copy", f"local:{workspace}", workspace, "--json").ok().json
    assert again == {"events": events, "added": 0, "known": events}
    nosis("workspaces", "copy", workspace, "local:back").ok()
    with monkeypatch.context() as patch:
        patch.delenv("NOSIS_DATABASE_URL")
        back = nosis("memory", "export", "--format", "jsonl", "-w", "back").ok().out
        assert back == exported
        assert nosis("core", "show", "--json", "-w", "back").ok().json["name"] == "Ada"


@pytest.mark.parametrize(
    ("source", "target"),
    [("nowhere", "local:x"), ("local:nowhere", "x"), ("cloud:x", "y"), ("local:../x", "y")],
)
def test_a_copy_that_cannot_be_is_said(nosis: Nosis, source: str, target: str) -> None:
    nosis("workspaces", "copy", source, target).failed(2)


def test_a_copy_to_itself_or_without_a_database_is_said(
    nosis: Nosis, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nosis.add("a fact")
    nosis("workspaces", "copy", workspace, f"hosted:{workspace}").failed(2)
    monkeypatch.delenv("NOSIS_DATABASE_URL")
    error, hint = nosis("workspaces", "copy", workspace, "hosted:x").failed(2)
    assert "database" in error
    assert "NOSIS_DATABASE_URL" in hint


def test_doctor_looks_at_the_hosted_parts(
    nosis: Nosis, bucket: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOSIS_LOG_URL", bucket)
    nosis.add("a fact")
    checks = {check["name"]: check for check in nosis("doctor", "--json").ok().json}
    assert checks["server"]["detail"].startswith("PostgreSQL 1")
    assert "pgvector 0." in checks["server"]["detail"]
    assert checks["migrations"]["detail"] == "1 of 1"
    assert "exact search" in checks["vectors"]["detail"]
    assert "ms a round trip" in checks["latency"]["detail"]
    assert "answered in" in checks["bucket"]["detail"]
    assert checks["waiting turns"]["detail"] == "none"


def test_passwords_in_addresses_are_not_shown(nosis: Nosis, postgres: PostgresServer) -> None:
    nosis.patch.setenv(
        "NOSIS_DATABASE_URL", f"postgresql://nosis:hunter2@127.0.0.1:{postgres.port}/postgres"
    )
    nosis.patch.setenv("NOSIS_LOG_URL", "s3://key:hunter2@bucket/x")
    shown = nosis("config", "show")
    wrong = nosis("doctor")
    assert "hunter2" not in shown.out + shown.err + wrong.out + wrong.err


@pytest.mark.parametrize(
    ("variable", "value", "module", "extra"),
    [
        ("NOSIS_DATABASE_URL", "postgresql://127.0.0.1/x", "psycopg", "postgres"),
        ("NOSIS_DATABASE_URL", "postgresql://127.0.0.1/x", "pgvector", "postgres"),
        ("NOSIS_LOG_URL", "s3://bucket", "obstore", "s3"),
    ],
)
def test_a_missing_extra_is_named(
    nosis: Nosis, variable: str, value: str, module: str, extra: str
) -> None:
    nosis.patch.delenv("NOSIS_DATABASE_URL")
    nosis.patch.setenv(variable, value)
    script = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from nosis.cli.entry import main\n"
        "sys.exit(main(['memory', 'list']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=nosis.environment(),
        capture_output=True,
        check=False,
    )
    error, hint = Ran(ran.returncode, ran.stdout, ran.stderr).failed(2)
    assert variable in error
    assert f"nosis-agent[{extra}]" in hint


def test_local_use_loads_nothing_of_the_hosted_parts(nosis: Nosis) -> None:
    nosis.patch.delenv("NOSIS_DATABASE_URL")
    script = (
        "import sys; from nosis.cli.entry import main; main(['memory', 'list'])\n"
        "sys.exit(any(m in sys.modules for m in ('psycopg', 'pgvector', 'obstore')))"
    )
    ran = subprocess.run([sys.executable, "-c", script], env=nosis.environment(), check=False)
    assert ran.returncode == 0


def test_a_workspace_of_the_database_is_only_read_and_inherited(
    nosis: Nosis, workspace: str
) -> None:
    nosis.add("the walrus lives upstairs")
    error, _ = nosis("memory", "add", "x", "--read-only").failed(2)
    assert error == f"the workspace {workspace!r} is read-only here"
    assert "not remembered" in nosis("-p", "I live in Turin", "--read-only").ok().err
    assert "walrus" in nosis("memory", "list", "--read-only").ok().out
    other = ("-w", f"{workspace}-work", "--inherit", workspace)
    found = nosis(*other, "memory", "search", "walrus", "--json").ok().json
    assert [hit["workspace"] for hit in found] == [workspace]
    nosis(*other, "memory", "add", "a fact of its own").ok()
    assert len(nosis("memory", "list", "--json").ok().json) == 1
    assert not nosis.workspace.exists() and "Turin" not in nosis("memory", "export").ok().out
    assert "no workspace" in nosis("--inherit", "bsae", "memory", "list").failed(2)[0]
