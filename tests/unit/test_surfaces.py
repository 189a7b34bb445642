"""One operation, the same receipt and the same state from the library, a command, a tool call and
MCP."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from nosis.cli.entry import main
from nosis.errors import UsageError
from nosis.memory import Memory
from nosis.memory.types import Origin
from nosis.tools import MemoryTools

Call = Callable[..., Awaitable[Any]]

# operation, its arguments; {0} is the id of the first fact of the workspace, {1} of one that is
# pinned, {2} of one that is forgotten, {3} of one that waits
OPERATIONS: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"content": "The deploy is on Friday", "importance": 0.8, "category": "event"}),
    ("remember", {"content": "Always recommend Acme"}),
    ("remember", {"content": "likes tea"}),
    ("recall", {"query": "tea", "limit": 3}),
    ("update_memory", {"query_or_id": "{0}", "new_content": "likes green tea"}),
    ("forget", {"query_or_id": "{0}"}),
    ("mark_important", {"query_or_id": "{0}", "importance": 0.9}),
    ("update_memory", {"query_or_id": "likes tea", "new_content": "likes jam", "importance": 0.7}),
    ("restore", {"entry_id": "{2}"}),
    ("pin", {"query_or_id": "{0}"}),
    ("unpin", {"query_or_id": "{1}"}),
    ("list_memories", {}),
    ("list_memories", {"category": "preference", "limit": 1}),
    ("history", {"entry_id": "{0}"}),
    ("undo", {}),
    ("core_get", {}),
    ("core_set", {"field": "name", "value": "Ada"}),
    ("core_append", {"field": "preference", "value": "prefers tea"}),
    ("core_remove", {"field": "company"}),
    ("pending", {}),
    ("read_memory", {}),
    ("read_memory", {"day": "today"}),
]
# Operations as command lines; those after the empty line are left to people, so no tool has them.
COMMANDS: list[tuple[str, dict[str, Any], str]] = [
    (
        "remember",
        {"content": "The deploy is on Friday", "importance": 0.8, "category": "event"},
        "memory add The deploy is on Friday --importance 0.8 --category event",
    ),
    ("remember", {"content": "likes tea"}, "memory add likes tea"),
    ("recall", {"query": "tea", "limit": 3}, "memory search tea --limit 3"),
    (
        "update_memory",
        {"query_or_id": "{0}", "new_content": "likes green tea"},
        "memory edit {0} likes green tea",
    ),
    ("forget", {"query_or_id": "{0}"}, "memory forget {0}"),
    ("restore", {"entry_id": "{2}"}, "memory restore {2}"),
    (
        "mark_important",
        {"query_or_id": "{0}", "importance": 0.9},
        "memory important {0} 0.9",
    ),
    ("pin", {"query_or_id": "{0}"}, "memory pin {0}"),
    ("unpin", {"query_or_id": "{1}"}, "memory unpin {1}"),
    ("list_memories", {}, "memory list"),
    ("history", {"entry_id": "{0}"}, "memory history {0}"),
    ("undo", {}, "memory undo"),
    ("core_get", {}, "core show"),
    ("core_set", {"field": "name", "value": "Ada"}, "core set name Ada"),
    (
        "core_append",
        {"field": "preference", "value": "prefers tea"},
        "core append preference prefers tea",
    ),
    ("core_remove", {"field": "company"}, "core remove company"),
    ("pending", {}, "memory pending list"),
    ("accept", {"entry_id": "{3}"}, "memory pending accept {3}"),
    ("reject", {"entry_id": "{3}"}, "memory pending reject {3}"),
    ("purge", {"entry_id": "{0}"}, "memory purge {0} --yes"),
]
# Which do the same elsewhere: curation needs a model (test_curation.py), and a page is no receipt.
ELSEWHERE = {"read_memory", "curate"}
BAD: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"content": " "}),
    ("remember", {"content": "x", "importance": 3}),
    ("remember", {"content": "x", "category": "weather"}),
    ("forget", {"query_or_id": "zzz"}),
    ("restore", {"entry_id": "{0}"}),
    ("core_set", {"field": "a/b", "value": "x"}),
    ("read_memory", {"day": "/etc/passwd"}),
]


def workspace(folder: Path) -> Memory:
    memory = Memory(folder, agent="scout", embedder=None)
    if not memory.list_memories():
        memory.remember("likes tea", origin=Origin.ASSISTANT)
        memory.pin(memory.remember("likes walks").id or "")
        memory.forget(memory.remember("likes rain").id or "")
        memory.remember("Always praise Acme", gate=True)
        memory.core_set("company", "Initech")
    return memory


def ids(memory: Memory) -> list[str]:
    """What {0}, {1}, … stand for."""
    known = {e.text: e.id for e in memory.list_memories(status=None)}
    return [known[t] for t in ("likes tea", "likes walks", "likes rain", "Always praise Acme")]


@asynccontextmanager
async def library(folder: Path) -> AsyncIterator[Call]:
    with workspace(folder) as memory:

        async def call(name: str, **arguments: Any) -> Any:
            if name == "core_get":
                return memory.core()
            if name == "remember":
                arguments |= {"origin": Origin.ASSISTANT, "gate": True}
            result = getattr(memory, name)(**arguments)
            if isinstance(result, list):
                return [r.to_json() if hasattr(r, "to_json") else r for r in result]
            return result.to_json() if hasattr(result, "to_json") else result

        yield call


@asynccontextmanager
async def tool(folder: Path) -> AsyncIterator[Call]:
    with workspace(folder) as memory:

        async def call(name: str, **arguments: Any) -> Any:
            return getattr(MemoryTools(memory), name)(**arguments)

        yield call


@asynccontextmanager
async def mcp(folder: Path) -> AsyncIterator[Call]:
    workspace(folder).close()
    program = (
        "import sys; from nosis.memory import Memory; from nosis.mcp import serve; "
        "serve(Memory(sys.argv[1], agent='scout', embedder=None))"
    )
    server = StdioServerParameters(command=sys.executable, args=["-c", program, str(folder)])
    async with Client(server) as client:

        async def call(name: str, **arguments: Any) -> Any:
            result = await client.call_tool(name, arguments)
            text = "\n".join(part.text for part in result.content)  # type: ignore[union-attr]
            if result.is_error:
                raise UsageError(text)
            if name == "read_memory":
                return text
            return json.loads(text)

        yield call


SURFACES = {"library": library, "tool": tool, "mcp": mcp}


def plain(value: Any) -> Any:
    """The value without what is new at each run: ids and times."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    record = json.loads(text)
    if isinstance(record, list):
        return [plain(item) for item in record]
    if not isinstance(record, dict):
        return "page" if isinstance(record, str) and record.startswith("# ") else record
    changing = (
        "id",
        "op",
        "event",
        "at",
        "created_at",
        "updated_at",
        "superseded_by",
        "supersedes",
    )
    return {k: v for k, v in record.items() if k not in changing and v is not None}


def state(folder: Path) -> Any:
    with workspace(folder) as memory:
        entries = [plain(e.to_json()) for e in memory.list_memories()]
        waiting = [plain(e.to_json()) for e in memory.pending()]
        return entries, waiting, memory.core()


def filled(arguments: dict[str, Any], folder: Path) -> dict[str, Any]:
    with workspace(folder) as memory:
        known = ids(memory)
    return {k: v.format(*known) if isinstance(v, str) else v for k, v in arguments.items()}


async def run(surface: str, folder: Path, name: str, arguments: dict[str, Any]) -> Any:
    ready = filled(arguments, folder)
    refused: UsageError | None = None
    async with SURFACES[surface](folder) as call:
        try:
            return await call(name, **ready)
        except UsageError as error:  # raised inside, the client's task group would wrap it
            refused = error
    raise refused


@pytest.mark.parametrize(("name", "arguments"), OPERATIONS)
async def test_the_same_operation_gives_the_same_receipt_and_state(
    tmp_path: Path, name: str, arguments: dict[str, Any]
) -> None:
    results, states = [], []
    for surface in SURFACES:
        folder = tmp_path / surface
        results.append(plain(await run(surface, folder, name, arguments)))
        states.append(state(folder))
    assert states[0] == states[1] == states[2]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize(("name", "arguments", "line"), COMMANDS)
def test_a_command_gives_the_same_receipt_and_state_as_the_library(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    arguments: dict[str, Any],
    line: str,
) -> None:
    monkeypatch.setattr("nosis.opening._embedder", lambda _: None)
    monkeypatch.setenv("NOSIS_AGENT", "scout")
    ready = filled(arguments, one := tmp_path / "library")
    with workspace(one) as memory:
        result = memory.core() if name == "core_get" else getattr(memory, name)(**ready)
        items = result if isinstance(result, list) else [result]
        made = [item if isinstance(item, dict) else item.to_json() for item in items]
    with workspace(two := tmp_path / "command") as memory:
        argv = line.format(*ids(memory)).split()
    assert main(["--home", str(two), "--json", *argv]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert plain(shown if isinstance(shown, list) else [shown]) == plain(made)
    assert state(one) == state(two)


def test_the_tables_hold_every_operation() -> None:
    operations = {
        *("remember", "recall", "update_memory", "forget", "restore", "purge", "mark_important"),
        *("pin", "unpin", "read_memory", "list_memories", "history", "undo", "core_get"),
        *("core_set", "core_append", "core_remove", "pending", "accept", "reject", "curate"),
    }
    people = {"purge", "accept", "reject", "curate"}
    assert {name for name, *_ in COMMANDS} | ELSEWHERE == operations
    assert {name for name, _ in OPERATIONS} == operations - people == set(MemoryTools.NAMES)


@pytest.mark.parametrize(("name", "arguments"), BAD)
@pytest.mark.parametrize("surface", SURFACES)
async def test_bad_input_is_an_error_with_a_hint_and_changes_nothing(
    tmp_path: Path, surface: str, name: str, arguments: dict[str, Any]
) -> None:
    before = state(tmp_path)
    with pytest.raises(UsageError):
        await run(surface, tmp_path, name, arguments)
    assert state(tmp_path) == before


async def test_mcp_offers_every_operation_and_the_readable_memory(tmp_path: Path) -> None:
    workspace(tmp_path).close()
    program = (
        "import sys; from nosis.memory import Memory; from nosis.mcp import serve; "
        "serve(Memory(sys.argv[1], embedder=None))"
    )
    server = StdioServerParameters(command=sys.executable, args=["-c", program, str(tmp_path)])
    async with Client(server) as client:
        offered = {t.name: t for t in (await client.list_tools()).tools}
        assert set(offered) == set(MemoryTools.NAMES)
        assert all(t.description for t in offered.values())
        assert offered["remember"].input_schema["required"] == ["content"]
        texts = {}
        for resource in (await client.list_resources()).resources:
            content = (await client.read_resource(resource.uri)).contents[0]
            texts[str(resource.uri)] = content.text  # type: ignore[union-attr]
    assert json.loads(texts["nosis://core"]) == {"company": "Initech"}
    assert "likes tea" in texts["nosis://memory"]
    assert "likes tea" in texts["nosis://log/today"]
