"""Export and import: nothing is lost, nothing is guessed, and a second run adds nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nosis.errors import UsageError
from nosis.memory import Memory, exchange, ids
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


def test_short_ids_that_collide_lose_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ids, "LENGTH", 1)  # 31 ids for 600 records
    records = [{"text": f"fact number {n}"} for n in range(600)]
    with opened(tmp_path) as memory:
        assert memory.import_records(records[:300]).added == 300
        assert memory.import_records(records).added == 300
        again = memory.import_records(reversed(records))
        assert (again.added, again.known) == (0, 600)
        facts = memory.list_memories(limit=1_000)
        assert {fact.text for fact in facts} == {record["text"] for record in records}
        assert 20 < sum(len(fact.id) == 2 for fact in facts) <= 31


def test_an_export_never_touches_another_memory_of_the_same_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ids, "LENGTH", 1)  # 31 ids: those of both workspaces are the same ones

    def exported(memory: Memory) -> list[Any]:
        return [json.loads(line) for line in exchange.export_lines(memory.store)]

    def told(memory: Memory) -> set[tuple[str, str, float]]:
        facts = (f for status in Status for f in memory.list_memories(status=status, limit=500))
        return {(fact.text, fact.status, fact.importance) for fact in facts}

    with opened(tmp_path / "a") as one, opened(tmp_path / "b") as two:
        one.import_records({"text": f"theirs {n}"} for n in range(100))
        two.import_records({"text": f"mine {n}"} for n in range(100))
        mine = told(two)
        for fact in one.list_memories(limit=500)[:60:3]:
            one.forget(fact.id)
        facts = sorted(one.list_memories(limit=500), key=lambda fact: len(fact.id))
        one.update_memory(facts[0].id, "theirs, changed")
        one.pin(facts[1].id)
        exchange.import_events(two, exported(one))
        assert told(two) == mine | told(one)
        one.forget(facts[2].id)
        exchange.import_events(two, exported(one))
        assert told(two) == mine | told(one)
        assert exchange.import_events(two, exported(one)).added == 0


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
        assert exchange.import_events(two, loaded.events).added == 0
        assert state(two) == before


def test_the_progress_of_an_import_reaches_its_end(tmp_path: Path) -> None:
    record = {
        "text": "hello",
        "kind": "turn",
        "role": "user",
        "session": "s1",
        "title": "Greetings",
    }
    seen: list[tuple[str, int, int]] = []
    with opened(tmp_path / "a") as one:
        one.import_records([record])
        events = [event for _, event in one.store.events()]
    with opened(tmp_path / "b") as two:
        exchange.import_events(two, events, lambda *step: seen.append(step), len(events))
    assert seen == [("importing", len(events), len(events))] and len(events) > 1


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


def test_a_chatgpt_conversation_without_a_current_node_gives_its_newest_branch(
    tmp_path: Path,
) -> None:
    def step(parent: str | None, text: str, when: float | None, **more: Any) -> dict[str, Any]:
        content = {"content_type": "multimodal_text", "parts": [{"asset": "x"}, text]}
        message = {"author": {"role": "user"}, "content": content, "create_time": when, **more}
        return {"parent": parent, "message": message}

    mapping = {
        "a": step(None, "My dog is Rex", None),
        "b": step("a", "an older branch", 1_700_000_100.0),
        "c": step("a", "Deploys are on Fridays", 1_700_000_200.0),
        "d": step("c", "search: deploys", 1_700_000_300.0, recipient="browser"),
        "e": {"parent": "d", "message": None},
        "f": {"parent": "e", "message": {"content": "odd", "author": None}},
    }
    mapping["f"] = step("e", "And tests on Mondays", 1_700_000_400.0)
    heard = {"content_type": "audio_transcription", "text": "by voice"}
    spoken = {"x": step(None, "typed", 1_600_000_000.0)}
    spoken["x"]["message"]["content"]["parts"] = [heard]
    path = tmp_path / "conversations.json"
    whole = {"id": "g1", "title": "Dogs", "create_time": 1_690_000_000.0, "mapping": mapping}
    odd = [{"id": "g3", "mapping": None}, {"id": "g4", "mapping": {"x": None}}]
    path.write_text(json.dumps([whole, {"id": "g2", "mapping": spoken}, *odd]))
    with opened(tmp_path) as memory:
        assert exchange.import_loaded(memory, exchange.load(path)).added == 4
        assert [(e.text, e.to_json()["created_at"]) for e in memory.conversation("g1")] == [
            ("My dog is Rex", "2023-07-22T04:26:40.000Z"),
            ("Deploys are on Fridays", "2023-11-14T22:16:40.000Z"),
            ("And tests on Mondays", "2023-11-14T22:20:00.000Z"),
        ]
        assert [(s.id, s.title) for s in memory.sessions()] == [("g1", "Dogs"), ("g2", "by voice")]
        memory.rename_session("g1", "My own title")
        assert exchange.import_loaded(memory, exchange.load(path)).added == 0
        assert memory.find_session("g1").title == "My own title"
    path.write_text(json.dumps(whole, indent=2))
    assert len(exchange.load(path).records) == 3


async def test_what_was_imported_is_told_with_its_own_date(tmp_path: Path) -> None:
    from nosis import Agent, Settings
    from nosis.models.offline import OfflineModel

    memory = opened(tmp_path)
    memory.import_records(RECORDS[:1])
    memory.import_records([{"text": "The user's boat is called Skua", "created_at": "2024-02-03"}])
    async with Agent(memory, OfflineModel(), settings=Settings()) as agent:
        for question, year in (("what is my dog called?", "2023"), ("my boat's name?", "2024")):
            answer = (await agent.ask(question)).answer
            assert year in answer and "today" not in answer.casefold(), answer


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
    talk = {"uuid": "c1", "name": "Dogs", "created_at": "2025-01-02T03:04:00Z"}
    path.write_text(json.dumps([{**talk, "chat_messages": messages}, {"chat_messages": None}]))
    loaded = exchange.load(path)
    assert {r["title"] for r in loaded.records} == {"Dogs"}
    assert [r["created_at"] for r in loaded.records] == ["2025-01-02T03:04:05Z"] * 2
    assert [(r["role"], r["text"], r["session"]) for r in loaded.records] == [
        ("user", "My dog is Rex", "c1"),
        ("assistant", "Nice name!", "c1"),
    ]


def test_a_memory_page_gives_a_fact_for_each_item_and_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "CLAUDE.md"
    path.write_text(
        "# Project\n\nThe API is\nwritten in Go.\n\nLines are 100 long\nRun make lint\n\n"
        "## Deploys\n\n- on Fridays\n* by Ada\n\n"
        "## Decisions\n1. Use Postgres\n2. Ports:\n   - 80 for the web\n\n<!-- hidden -->\n\n"
        "## Checks\nBefore a commit:\n```sh\nmake lint\n\nmake test\n```\n"
        "| Command | Does |\n|---|---|\n| `make x` | builds |\n\nSee also:\n"
    )
    found = [(r["text"], r.get("category")) for r in exchange.load(path).records]
    assert found == [
        ("The API is written in Go.", None),
        ("Lines are 100 long", None),
        ("Run make lint", None),
        ("Deploys: on Fridays", None),
        ("Deploys: by Ada", None),
        ("Use Postgres", "decision"),
        ("Ports: 80 for the web", "decision"),
        ("Checks: Before a commit: make lint; make test", None),
        ("Checks: Command: `make x`, Does: builds", None),
        ("Checks: See also:", None),
    ]


def test_what_is_longer_than_a_fact_may_be_becomes_several(tmp_path: Path) -> None:
    words = [f"word{n}" for n in range(1_500)]
    path = tmp_path / "notes.md"
    path.write_text(f"## Long\n{' '.join(words)}\n\n```\n{'x' * 9_000}\n```\n")
    found = [r["text"].removeprefix("Long: ") for r in exchange.load(path).records]
    assert len(found) == 4 + 3 and all(len(text) <= 4_000 for text in found)
    assert " ".join(found[:4]).split() == words and "".join(found[4:]) == "x" * 9_000


def test_an_empty_list_is_named_as_nothing(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text("[]")
    assert exchange.load(path).kind == "nothing"


def test_the_markdown_export_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    with opened(tmp_path / "a") as one:
        one.core_set("name", "Ada")
        one.remember("deploys on Fridays", 0.8, "project")
        path.write_text(exchange.export_markdown(one))
        on = one.list_memories()[0].to_json()["created_at"][:10]
    found = [(r["text"], r.get("category"), r["created_at"]) for r in exchange.load(path).records]
    assert ("deploys on Fridays", "project", on) in found and len(found) == 2


@pytest.mark.parametrize(
    "content", [b"[1, 2]", b"{not json", b"\xff\xfe\x00", b'{"text": "x"}\nnope\n', b"[" * 100_000]
)
def test_a_file_of_no_known_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError):
        exchange.load(path)
