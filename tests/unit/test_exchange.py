"""Export and import: nothing is lost, nothing is guessed, and a second run adds nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nosis.errors import UsageError
from nosis.memory import Memory, exchange
from nosis.memory.types import Directive, DirectiveKind, Kind, Origin, Status

RECORDS: list[dict[str, Any]] = [
    {
        "text": "I adopted a dog called Rex",
        "kind": "turn",
        "role": "user",
        "speaker": "Caroline",
        "session": "c1",
        "created_at": "2023-05-08T13:56:00",
        "external_id": "D1:1",
    },
    {"text": "Lovely!", "role": "assistant", "session": "c1", "external_id": "D1:2"},
    {"text": "likes tea", "category": "prefs", "importance": 0.9, "external_id": 7},
    {"text": "ok", "role": "user", "session": "c1"},
    {"text": "ok", "role": "user", "session": "c1"},
]


def opened(folder: Path) -> Memory:
    return Memory(folder, embedder=None)


def state(memory: Memory) -> object:
    entries = (
        [memory.list_memories(status=status) for status in Status],
        [memory.conversation(s.id) for s in memory.sessions()],
    )
    return entries, memory.core(), memory.sessions()


def test_records_keep_their_dates_speakers_and_ids(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        done = memory.import_records(RECORDS)
        assert (done.added, done.known) == (5, 0)
        hit = memory.recall("dog called Rex")[0]
        assert (hit.entry.external_id, hit.entry.speaker) == ("D1:1", "Caroline")
        assert hit.entry.to_json()["created_at"] == "2023-05-08T13:56:00.000Z"
        assert hit.entry.kind is Kind.TURN and hit.entry.origin is Origin.IMPORT
        fact = memory.list_memories()[0]
        assert (fact.importance, fact.category, fact.external_id) == (0.9, "preference", "7")
        assert [e.text for e in memory.conversation("c1")] == [
            "I adopted a dog called Rex",
            "Lovely!",
            "ok",
            "ok",
        ]


def test_an_import_run_again_adds_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.import_records(RECORDS[:2])
        again = memory.import_records(RECORDS)
        assert (again.added, again.known) == (3, 2)
        assert memory.import_records(RECORDS).added == 0


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "fact"},
        {"text": 3},
        {"text": "x", "kind": "note"},
        {"text": "x", "role": "system"},
        {"text": "x", "created_at": "yesterday"},
        {"text": "x", "importance": 7},
        {"text": "x", "category": "weather"},
        {"text": "x", "colour": "red"},
        ["x"],
    ],
)
def test_a_record_of_another_shape_is_refused_with_its_number(tmp_path: Path, record: Any) -> None:
    with opened(tmp_path) as memory, pytest.raises(UsageError, match="record 2"):
        memory.import_records([{"text": "fine"}, record])


def test_export_then_import_is_the_identity(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as one:
        one.import_records(RECORDS)
        one.core_set("name", "Ada")
        one.core_set("name", "Bea")
        one.core_append("preference", "tea")
        kept = one.remember("deploys on Fridays", 0.8, "project").id or ""
        one.update_memory(kept, "deploys on Mondays")
        one.pin(kept)
        one.forget(one.remember("a mistake").id or "")
        one.record_turn("s1", "I like jam", "ok", [Directive(DirectiveKind.UPDATE, "likes jam")])
        one.undo()
        path = tmp_path / "export.jsonl"
        path.write_text("".join(exchange.export_lines(one.store)), encoding="utf-8")
        before = state(one)
    loaded = exchange.load(path)
    with opened(tmp_path / "b") as two:
        exchange.import_events(two, loaded.events)
        assert state(two) == before
        assert "".join(exchange.export_lines(two.store)) == path.read_text(encoding="utf-8")
        assert exchange.import_events(two, loaded.events).added == 0 or state(two) == before


def test_a_chatgpt_export_gives_the_branch_that_was_seen(tmp_path: Path) -> None:
    def node(parent: str | None, role: str, text: str) -> dict[str, Any]:
        message = {
            "id": text,
            "author": {"role": role},
            "content": {"content_type": "text", "parts": [text]},
            "create_time": 1_700_000_000.5,
        }
        return {"parent": parent, "message": message}

    mapping = {
        "root": {"parent": None, "message": None},
        "a": node("root", "user", "My dog is Rex"),
        "b": node("a", "assistant", "A first try"),
        "c": node("a", "assistant", "Nice name!"),
        "d": node("c", "tool", "noise"),
        "e": node("d", "user", "Thanks"),
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"id": "g1", "mapping": mapping, "current_node": "e"}]))
    loaded = exchange.load(path)
    assert [(r["role"], r["text"]) for r in loaded.records] == [
        ("user", "My dog is Rex"),
        ("assistant", "Nice name!"),
        ("user", "Thanks"),
    ]
    assert loaded.records[0]["created_at"] == "2023-11-14T22:13:20.500Z"


def test_a_claude_export_gives_its_messages(tmp_path: Path) -> None:
    messages = [
        {
            "uuid": "u1",
            "sender": "human",
            "text": "",
            "content": [{"type": "text", "text": "My dog is Rex"}, {"type": "tool_use"}],
            "created_at": "2025-01-02T03:04:05Z",
        },
        {"uuid": "u2", "sender": "assistant", "text": "Nice name!"},
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"uuid": "c1", "name": "Dogs", "chat_messages": messages}]))
    loaded = exchange.load(path)
    assert [(r["role"], r["text"], r["session"]) for r in loaded.records] == [
        ("user", "My dog is Rex", "c1"),
        ("assistant", "Nice name!", "c1"),
    ]


def test_a_memory_page_gives_a_fact_for_each_item_and_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "CLAUDE.md"
    path.write_text(
        "# Project\n\nThe API is\nwritten in Go.\n\nLines are 100 long\nRun make lint\n\n"
        "## Deploys\n\n- on Fridays\n* by Ada\n\n"
        "## Decisions\n1. Use Postgres\n\n```sh\nrm -rf /\n```\n| a | b |\n---\n"
    )
    found = [(r["text"], r.get("category")) for r in exchange.load(path).records]
    assert found == [
        ("The API is written in Go.", None),
        ("Lines are 100 long", None),
        ("Run make lint", None),
        ("Deploys: on Fridays", None),
        ("Deploys: by Ada", None),
        ("Use Postgres", "decision"),
    ]


def test_the_markdown_export_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    with opened(tmp_path / "a") as one:
        one.core_set("name", "Ada")
        one.remember("deploys on Fridays", 0.8, "project")
        path.write_text(exchange.export_markdown(one))
    found = [(r["text"], r.get("category")) for r in exchange.load(path).records]
    assert ("deploys on Fridays", "project") in found and len(found) == 2


@pytest.mark.parametrize(
    "content", [b"[1, 2]", b"{not json", b"\xff\xfe\x00", b'{"text": "x"}\nnope\n', b"[" * 100_000]
)
def test_a_file_of_no_known_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError):
        exchange.load(path)
