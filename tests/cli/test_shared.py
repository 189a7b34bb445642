"""Workspaces on the command line: new, only read, inherited; going on where nothing was said."""

from __future__ import annotations

import pytest

from tests.cli.driver import Nosis
from tests.server import Server

REFUSED = (
    "memory add x",
    "memory edit walrus y",
    "memory forget walrus",
    "memory pin walrus",
    "memory important walrus 0.9",
    "memory undo",
    "core set name Bob",
    "core remove name",
    "curate",
    "curate --dry-run",
    "reindex",
    "workspaces delete base --yes",
)


@pytest.fixture
def base(nosis: Nosis) -> Nosis:
    """A workspace "base" with a fact and a name."""
    nosis("-w", "base", "memory", "add", "the walrus lives upstairs").ok()
    nosis("-w", "base", "core", "set", "name", "Ada").ok()
    return nosis


@pytest.mark.parametrize("command", REFUSED)
def test_a_workspace_that_is_only_read_refuses_changes(base: Nosis, command: str) -> None:
    journal = base.home / "workspaces" / "base" / "archival.jsonl"
    before = journal.read_bytes()
    error, hint = base("-w", "base", "--read-only", *command.split()).failed(2)
    assert error == "the workspace 'base' is read-only here"
    assert "NOSIS_READ_ONLY" in hint
    assert journal.read_bytes() == before


def test_it_still_lists_and_answers(base: Nosis, server: Server) -> None:
    server.add("Upstairs.\nMEMORY_UPDATE: the walrus moved")
    base.patch.setenv("NOSIS_READ_ONLY", "on")
    assert "walrus" in base("-w", "base", "memory", "list").ok().out
    turn = base("-w", "base", "-p", "where is the walrus?").ok()
    assert turn.out == "Upstairs.\n"
    assert "notice: this turn is not remembered" in turn.err
    assert "walrus lives upstairs" in server.chats[0]["messages"][-1]["content"]
    assert "moved" not in base("-w", "base", "memory", "list").ok().out


def test_a_turn_recalls_from_the_inherited_workspace(base: Nosis, server: Server) -> None:
    turn = base("-w", "work", "--inherit", "base", "--json", "-p", "where is the walrus?").ok()
    assert [hit["workspace"] for hit in turn.json["recalled"]] == ["base"]
    prompt = str(server.chats[0]["messages"])
    assert "walrus lives upstairs" in prompt and "Ada" in prompt
    assert "walrus" not in base("-w", "work", "memory", "list").ok().out
    base("-w", "other", "-p", "where is the walrus?").ok()
    assert "upstairs" not in str(server.chats[1]["messages"])


def test_what_cannot_be_inherited(base: Nosis) -> None:
    assert "no workspace 'bsae'" in base("--inherit", "bsae", "memory", "list").failed(2)[0]
    error, _ = base("-w", "base", "--inherit", "base", "memory", "list").failed(2)
    assert "cannot inherit from itself" in error
    assert not (base.home / "workspaces" / "bsae").exists()


def test_a_new_workspace_is_announced(nosis: Nosis) -> None:
    first = nosis("-w", "typo", "memory", "add", "x").ok()
    assert first.err == "notice: new workspace 'typo'\n"
    assert nosis("-w", "typo", "memory", "add", "y").ok().err == ""


@pytest.mark.parametrize("flags", [("-c",), ("-r",)])
def test_going_on_where_nothing_was_said_begins(
    nosis: Nosis, server: Server, flags: tuple[str, ...]
) -> None:
    first = nosis("-p", "hello", *flags).ok()
    assert "notice: there is no session to continue" in first.err
    nosis("-p", "again", *flags).ok()
    assert len(nosis("sessions", "list", "--json").json) == 1
