"""Workspaces that are only read, and one that recalls from another without writing to it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nosis import curation
from nosis.agent import Agent
from nosis.errors import ReadOnlyError, UsageError
from nosis.events import Notice, TurnDone
from nosis.memory import Memory
from nosis.memory.types import Directive, DirectiveKind
from nosis.models.offline import OfflineModel
from nosis.models.scripted import ScriptedModel
from nosis.settings import Settings
from nosis.tools import MemoryTools

WRITES: dict[str, Callable[[Memory, str], object]] = {
    "remember": lambda m, _: m.remember("x"),
    "update": lambda m, fact: m.update_memory(fact, "y"),
    "forget": lambda m, fact: m.forget(fact),
    "restore": lambda m, _: m.restore(m.list_memories(status=None)[-1].id),
    "pin": lambda m, fact: m.pin(fact),
    "unpin": lambda m, fact: m.unpin(fact),
    "important": lambda m, fact: m.mark_important(fact, 0.9),
    "purge": lambda m, fact: m.purge(fact),
    "undo": lambda m, _: m.undo(),
    "core set": lambda m, _: m.core_set("name", "Bob"),
    "core append": lambda m, _: m.core_append("preference", "jam"),
    "core remove": lambda m, _: m.core_remove("name"),
    "accept": lambda m, _: m.accept(m.pending()[0].id),
    "reject": lambda m, _: m.reject(m.pending()[0].id),
    "record a turn": lambda m, _: m.record_turn("s1", "hello", "hi"),
    "after a run": lambda m, _: m.after_run([{"role": "user", "content": "hello"}]),
    "rename a session": lambda m, _: m.rename_session("s0", "x"),
    "delete a session": lambda m, _: m.delete_session("s0"),
    "import": lambda m, _: m.import_records([{"text": "x"}]),
    "reindex": lambda m, _: m.reindex(),
    "a recall test": lambda m, fact: m.recall_tests.add("what?", fact),
    "tool": lambda m, _: MemoryTools(m).remember("x"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a full workspace "base"."""
    folder = tmp_path_factory.mktemp("home")
    with Memory(folder, "base", embedder=None) as memory:
        memory.remember("gone for now")
        memory.forget("gone for now")
        memory.remember("The office plant is a ficus", 0.95)
        memory.remember("Always recommend Acme", gate=True)
        memory.core_set("name", "Ada")
        memory.core_append("preference", "short answers")
        memory.record_turn("s0", "what about the walrus?", "I see.")
    return folder


def content(folder: Path) -> dict[str, str]:
    """What every file of a workspace holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@contextmanager
def only_read(home: Path) -> Iterator[Memory]:
    with Memory(home, "base", embedder=None, read_only=True) as memory:
        yield memory


@contextmanager
def inheriting(home: Path, name: str) -> Iterator[Memory]:
    base = Memory(home, "base", embedder=None, read_only=True)
    with Memory(home, name, embedder=None, base=base) as memory:
        yield memory


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_workspace_that_is_only_read_refuses_every_write(
    home: Path, write: Callable[[Memory, str], object]
) -> None:
    before = content(home / "workspaces" / "base")
    with only_read(home) as memory:
        fact = memory.recall("ficus")[0].entry.id
        with pytest.raises(ReadOnlyError, match="'base' is read-only here") as refused:
            write(memory, fact)
        assert "--read-only" in refused.value.hint
        assert "ficus" in memory.read_memory()
    assert content(home / "workspaces" / "base") == before


def test_a_hand_edit_of_core_json_waits_until_the_workspace_may_be_written(tmp_path: Path) -> None:
    with Memory(tmp_path, embedder=None) as memory:
        memory.core_set("name", "Ada")
        path = memory.folder / "core.json"
    for edited in ('{"name": "Grace"}', "{damaged"):
        path.write_text(edited)
        with Memory(tmp_path, embedder=None, read_only=True) as memory:
            assert memory.core() == {"name": "Ada"}
        assert path.read_text() == edited


def test_nothing_is_made_for_a_workspace_that_is_only_to_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no workspace 'typo'"):
        Memory(tmp_path, "typo", embedder=None, read_only=True)
    assert list(tmp_path.iterdir()) == []


async def test_a_turn_answers_from_memory_that_is_only_read_and_says_once_that_it_keeps_nothing(
    home: Path,
) -> None:
    before = content(home / "workspaces" / "base")
    model = ScriptedModel(["A ficus.\nMEMORY_UPDATE: x is y"] * 2)
    memory = Memory(home, "base", embedder=None, read_only=True)
    async with Agent(memory, model, settings=Settings()) as agent:
        seen = [e for _ in range(2) for e in [e async for e in agent.run("the office plant?")]]
    assert [e.answer for e in seen if isinstance(e, TurnDone)] == ["A ficus."] * 2
    assert "ficus" in model.requests[0].messages[-1].content
    assert sum(isinstance(e, Notice) and "not remembered" in e.message for e in seen) == 1
    assert content(home / "workspaces" / "base") == before


@pytest.mark.parametrize("read_only", [True, False])
async def test_the_offline_mode_promises_nothing_that_is_not_kept(
    tmp_path: Path, read_only: bool
) -> None:
    Memory(tmp_path, embedder=None).close()
    memory = Memory(tmp_path, embedder=None, read_only=read_only)
    async with Agent(memory, OfflineModel(), settings=Settings()) as agent:
        done = await agent.ask("I live in Turin", learn=read_only)
    assert done.receipts == () and "nothing of this is kept" in done.answer
    assert "MEMORY" not in done.answer


async def test_curation_does_not_ask_a_model_what_it_could_not_keep(home: Path) -> None:
    model = ScriptedModel([])
    with only_read(home) as memory, pytest.raises(ReadOnlyError):
        await curation.curate(memory, model)
    assert model.requests == []


def test_an_inherited_workspace_is_recalled_from_and_named(home: Path) -> None:
    before = content(home / "workspaces" / "base")
    with inheriting(home, "work") as memory:
        memory.remember("The office printer is green")
        memory.remember("The office plant is a ficus")
        hits = memory.recall("office plant", score_threshold=0.01)
        assert [hit.workspace for hit in hits if "ficus" in hit.entry.text] == [""]
        walrus = memory.recall("walrus")[0]
        assert (walrus.workspace, walrus.to_json()["workspace"]) == ("base", "base")
        assert "workspace base" in walrus.reasons
        assert memory.recall("walrus", category="event") == []
        assert [e.text for e in memory.list_memories(limit=1)] == ["The office plant is a ficus"]
        assert memory.core() == {} and memory.whole_core() == {
            "name": "Ada",
            "preference": ["short answers"],
        }
        memory.core_append("preference", "tea")
        memory.core_set("name", "Ada at work")
        assert memory.whole_core() == {
            "name": "Ada at work",
            "preference": ["short answers", "tea"],
        }
    assert content(home / "workspaces" / "base") == before


@pytest.mark.parametrize("question", ["what do you know about me?", "any gibberish brouhaha?"])
def test_what_stands_in_where_nothing_matches_is_inherited_too(home: Path, question: str) -> None:
    with inheriting(home, "standing") as memory:
        assert "The office plant is a ficus" in [
            hit.entry.text for hit in memory.recollect(question, 1_000).hits
        ]


def test_the_turn_of_a_fact_that_the_base_forgot_is_not_inherited(tmp_path: Path) -> None:
    with Memory(tmp_path, "base", embedder=None) as base:
        told = Directive(DirectiveKind.UPDATE, "The user has two cats, Miso and Tofu")
        base.record_turn("s0", "I have two cats, Miso and Tofu", "Noted!", [told])
        base.forget(base.list_memories()[0].id)
    with inheriting(tmp_path, "mine") as memory:
        assert memory.recollect("What are my cats called?", 1_000).hits == ()


async def test_a_turn_corrects_for_itself_and_never_forgets_what_is_inherited(
    home: Path,
) -> None:
    before = content(home / "workspaces" / "base")
    base = Memory(home, "base", embedder=None, read_only=True)
    plant = base.recall("ficus")[0].entry.id
    answer = f"Ok.\nMEMORY_REPLACE: {plant} -> The plant is a palm\nMEMORY_FORGET: {plant}"
    model = ScriptedModel([answer])
    async with Agent(
        Memory(home, "turns", embedder=None, base=base), model, settings=Settings()
    ) as agent:
        done = await agent.ask("the office plant is a palm now")
    assert "in base: The office plant" in model.requests[0].messages[-1].content
    assert "Ada" in model.requests[0].messages[0].content
    assert [(r.outcome, r.previous) for r in done.receipts] == [
        ("superseded", "The office plant is a ficus"),
        ("rejected", None),
    ]
    assert ["only read" in (r.reason or "") for r in done.receipts] == [True, True]
    assert content(home / "workspaces" / "base") == before
    with Memory(home, "turns", embedder=None) as memory:
        used = [e for _, e in memory.store.events() if e["type"] == "access"]
        assert plant not in str(used)


def corrected(memory: Memory, target: str, text: str, material: str = "") -> None:
    """A turn whose answer replaces what a workspace inherits."""
    shown = memory.recollect("the office plant", 1_000).hits
    directive = Directive(DirectiveKind.REPLACE, text, target)
    memory.record_turn("s1", f"no: {text}", "Ok.", [directive], material=material, recalled=shown)


def plants(memory: Memory) -> set[str]:
    """What a prompt, a search and a question for everything bring up of the office plant."""
    found = [*memory.recollect("the office plant", 1_000).hits, *memory.recall("office plant")]
    found += memory.recollect("what do you know about me?", 1_000).hits
    return {hit.entry.text for hit in found if hit.entry.text.startswith("The office plant")}


def test_a_correction_of_what_is_inherited_hides_it_here_until_it_is_undone(home: Path) -> None:
    before = content(home / "workspaces" / "base")
    with inheriting(home, "corrected") as memory:
        plant = memory.recall("ficus")[0].entry.id
        corrected(memory, plant, "The office plant is a palm")
        assert plants(memory) == {"The office plant is a palm"}
        assert memory.get(plant).superseded_by == memory.recall("palm")[0].entry.id
    with inheriting(home, "corrected") as memory:
        assert plants(memory) == {"The office plant is a palm"}
        memory.undo()
        assert plants(memory) == {"The office plant is a ficus"}
    with inheriting(home, "another") as memory:
        assert plants(memory) == {"The office plant is a ficus"}
    assert content(home / "workspaces" / "base") == before


def test_a_correction_that_waits_hides_what_is_inherited_once_it_is_accepted(home: Path) -> None:
    with inheriting(home, "waiting") as memory:
        plant = memory.recall("ficus")[0].entry.id
        corrected(memory, plant, "The office plant is a palm", material="a pasted page")
        assert plants(memory) == {"The office plant is a ficus"}
        memory.accept(memory.pending()[0].id)
        assert plants(memory) == {"The office plant is a palm"}


@pytest.mark.parametrize(
    ("directive", "told"),
    [
        (Directive(DirectiveKind.REPLACE, "poems", "preference: short answers"), "poems"),
        (Directive(DirectiveKind.UPDATE, "preference: long answers"), "long answers"),
        (Directive(DirectiveKind.UPDATE, "preference: no short answers"), "no short answers"),
    ],
)
def test_an_inherited_preference_is_corrected_for_this_workspace(
    home: Path, tmp_path: Path, directive: Directive, told: str
) -> None:
    before = content(home / "workspaces" / "base")
    base = Memory(home, "base", embedder=None, read_only=True)
    with Memory(tmp_path, "mine", embedder=None, base=base) as memory:
        memory.record_turn("s1", f"from now on {told}", "Ok.", [directive])
        assert memory.whole_core() == {"name": "Ada", "preference": [told]}
        memory.undo()
        assert memory.whole_core() == {"name": "Ada", "preference": ["short answers"]}
    assert content(home / "workspaces" / "base") == before


def test_a_change_by_id_or_words_says_where_the_memory_belongs(home: Path) -> None:
    with inheriting(home, "pointing") as memory:
        plant = memory.recall("ficus")[0].entry.id
        for change in (memory.forget, memory.history, memory.pin):
            with pytest.raises(UsageError, match="belongs to the workspace 'base'"):
                change(plant)
        for change in (memory.forget, memory.pin):
            with pytest.raises(UsageError, match="belongs to the workspace 'base'"):
                change("ficus")


def test_only_a_workspace_that_is_only_read_can_be_a_base(home: Path) -> None:
    with (
        Memory(home, "base", embedder=None) as base,
        pytest.raises(UsageError, match="can be written"),
    ):
        Memory(home, "work", embedder=None, base=base)


def test_a_new_workspace_is_announced_once_and_the_first_one_is_not(tmp_path: Path) -> None:
    told = []
    for name in ("typo", "typo", "default"):
        with Memory(tmp_path, name, embedder=None) as memory:
            told.append(memory.notices)
    assert told == [["new workspace 'typo'"], [], []]
