"""Every slash command, over a real workspace."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from nosis.memory import Memory
from nosis.memory.types import Status
from nosis.models.offline import OfflineModel
from nosis.tui import clipboard
from nosis.tui.answer import Answer
from nosis.tui.cards import ErrorCard
from nosis.tui.memory.browser import BrowserScreen
from nosis.tui.memory.card import RecollectionCard
from nosis.tui.memory.detail import PageScreen
from nosis.tui.memory.receipts import ReceiptLine
from nosis.tui.pick import PickScreen
from nosis.tui.preferences import Preferences
from nosis.tui.progress import Progress
from nosis.tui.welcome import Welcome
from tests.tui.chat.talk import HOLD, SESSION, Talk, keys, painted, say, settle, shown


def last_card(app: Talk) -> str:
    return shown(app.chat.conversation.children[-1])


async def test_remember_pin_forget_and_undo_show_receipts(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await say(pilot, "/remember the harbour master is called Nils [/nope]")
        fact = memory.list_memories(limit=1)[0]
        assert fact.text == "the harbour master is called Nils [/nope]"
        await say(pilot, "/pin harbour master")
        assert memory.get(fact.id).pinned
        await say(pilot, f"/forget {fact.id}")
        assert memory.get(fact.id).status is Status.FORGOTTEN
        await say(pilot, "/undo")
        assert memory.get(fact.id).status is Status.LIVE
        lines = [shown(line) for line in app.screen.query(ReceiptLine)]
        assert [line.split()[0] for line in lines] == ["+", "★", "−", "↶"]
        assert all("[/nope]" in line for line in lines) and not app.toasts
        assert "/undo" in painted(app)


async def test_commands_that_cannot_work_say_so_in_a_card(memory: Memory) -> None:
    app = Talk(memory)
    expected = {
        "/nope": "there is no command /nope",
        "/remember ": "/remember needs text",
        "/forget the moon landing": "no",
        "/resume nowhere": "no session 'nowhere'",
        "/copy": "there is no answer to copy",
        "/retry": "there is nothing to ask again",
        "/edit": "there is no message to edit",
        "/why": "there is no answer to explain",
        "/context": "no message was sent yet",
        "/cost": "no message was sent yet",
        "/rename something": "this session is empty",
        "/export": "this session is empty",
        "/theme plaid": "there is no theme 'plaid'",
        "/editor": "an editor cannot be opened here",
    }
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for typed, words in expected.items():
            await say(pilot, typed)
            card = app.screen.query(ErrorCard).last()
            assert words in shown(card), typed
            assert len(shown(card).splitlines()) >= 2, typed  # a hint, too
        assert len(app.screen.query(ErrorCard)) == len(expected)
        assert not app.speaker.requests


async def test_context_and_cost_tell_the_truth_of_the_last_request(memory: Memory) -> None:
    app = Talk(memory, "Short.", "Again.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "hello")
        await say(pilot, "hello again")
        await say(pilot, "/context")
        shares = app.agent.shares if app.agent else None
        assert shares and shares.history > 0
        card = last_card(app)
        assert f"of {shares.window / 1000:.0f}k tokens" in card and "kept for the answer" in card
        await say(pilot, "/cost")
        assert "2 turns · 2,480 tokens sent · 172 tokens received" in last_card(app)
        assert "$0.00" in last_card(app) and "$0.0" in painted(app).splitlines()[-1]


async def test_offline_context_has_no_window(memory: Memory) -> None:
    app = Talk(memory, model=OfflineModel(memory.clock))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "hello")
        await say(pilot, "/context")
        card = last_card(app)
        assert "tokens read" in card and "your message" in card and "free" not in card


async def test_system_model_and_memory_open_what_they_name(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await say(pilot, "/system")
        assert isinstance(app.screen, PageScreen) and "You are nosis" in painted(app)
        await keys(pilot, "escape")
        await say(pilot, "/model")
        assert "offline mode (no key" in last_card(app)
        for command in ("/memory", "/pending", "/memory 2026-05-10"):
            await say(pilot, command)
            assert isinstance(app.screen, BrowserScreen), command
            await keys(pilot, "escape", "escape")
            if app.screen is not app.chat:
                await keys(pilot, "escape")
        await keys(pilot, "f2")
        assert isinstance(app.screen, BrowserScreen)
        await keys(pilot, "f2")
        assert app.screen is app.chat


async def test_another_model_answers_after_model_name(memory: Memory) -> None:
    app = Talk(memory, "Spoken.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "/model offline")
        assert "model: offline mode" in last_card(app) and app.speaker.closed
        assert "offline" in painted(app).splitlines()[-1]
        await say(pilot, "my cat is called Luna")
        assert not app.speaker.requests and "Luna" in painted(app)
        await say(pilot, "/model nowhere-to-be-found")
        assert "nowhere-to-be-found" in shown(app.screen.query(ErrorCard).last())


async def test_copy_takes_the_answer_or_its_code(memory: Memory) -> None:
    answer = "Like *this*:\n\n```python\nprint('[/b]')\n```\n\nor\n\n~~~\nx\n~~~\n"
    app = Talk(memory, answer)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await say(pilot, "show me")
        await say(pilot, "/copy")
        assert app.clipboard.strip() == answer.strip()
        assert (memory.home / clipboard.FILE).read_text().strip() == answer.strip()
        assert clipboard.FILE in app.toasts[-1]
        await say(pilot, "/copy code")
        assert app.clipboard == "print('[/b]')\n\nx"
        await keys(pilot, "shift+tab", "y")
        assert app.clipboard.strip() == answer.strip()
        await keys(pilot, "c")
        assert app.clipboard == "print('[/b]')\n\nx"
        await keys(pilot, "up", "y")
        assert app.clipboard == "show me"
        await keys(pilot, "c")
        assert app.toasts[-1] == "No code to copy." and app.clipboard == "show me"
        await say(pilot, "/copy everything")
        assert "cannot copy 'everything'" in last_card(app)


async def test_export_writes_a_readable_file_once(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = Talk(memory, "# Not a heading of mine\x1b[2J")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "hello")
        await say(pilot, "/export")
        page = (tmp_path / f"nosis-{SESSION}.md").read_text()
        assert page.startswith("# hello\n\n## you, ") and "\x1b" not in page
        await say(pilot, "/export")
        assert "exists already" in shown(app.screen.query(ErrorCard).last())
        await say(pilot, "/export talk.jsonl")
        lines = [json.loads(line) for line in (tmp_path / "talk.jsonl").read_text().splitlines()]
        assert [line["role"] for line in lines] == ["user", "assistant"]
        await say(pilot, "/export no/such/folder.md")
        assert "cannot write" in shown(app.screen.query(ErrorCard).last())


async def test_themes_are_remembered(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "/theme")
        assert isinstance(app.screen, PickScreen) and "nosis-light" in painted(app)
        await pilot.press(*"nosis-light")
        await keys(pilot, "enter")
        assert app.theme == "nosis-light"
    assert Preferences(memory.home).get("theme", "") == "nosis-light"
    again = Talk(memory, theme=Preferences(memory.home).get("theme", ""))
    assert again.theme == "nosis-light"
    Preferences(memory.home).set("theme", "gone")
    from nosis.tui.app import NosisApp

    assert NosisApp(again.settings).theme == "nosis-dark"


async def test_clear_empties_the_screen_and_scrolling_brings_it_back(memory: Memory) -> None:
    app = Talk(memory, "One.", "Two.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "first")
        await say(pilot, "/clear")
        assert not app.screen.query(Answer)
        await say(pilot, "second")
        assert app.said == ["> second", "Two."] and len(app.speaker.requests[1].messages) == 4
        await keys(pilot, "pageup")
        assert app.said == ["> first", "One.", "> second", "Two."]


async def test_reindex_shows_progress_and_can_be_stopped(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "/reindex")
        assert "the index is rebuilt" in painted(app)
        progress = app.screen.query_one(Progress)
        assert not progress.display
        progress.say("embedding", can_stop=True)
        progress.advance("embedding", 30, 120)
        await pilot.pause()
        assert "embedding" in painted(app) and "25%" in painted(app) and "esc" in painted(app)
        await pilot.press("escape")
        with pytest.raises(Exception, match="embedding was stopped"):
            progress.from_thread("embedding", 31, 120)
        progress.finish()
        progress.from_thread("index", 120, 120)  # an index that catches up after the work
        await settle(pilot)
        assert not progress.display
        assert memory.search("Turin").hits


async def test_reflect_distils_what_was_said(memory: Memory) -> None:
    facts = '[{"content": "the user sails a boat called Mistral", "importance": 0.6}]'
    app = Talk(memory, "Nice boat.", *[facts] * 9)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await say(pilot, "I sail a boat called Mistral")
        await say(pilot, "/reflect")
        assert "reflected: " in painted(app) and "1 added" in painted(app)
        assert any("Mistral" in e.text for e in memory.list_memories())
        await say(pilot, "/reflect")
        assert "nothing to reflect on" in last_card(app)


async def test_an_old_conversation_is_curated_in_the_background_and_a_message_goes_first(
    memory: Memory,
) -> None:
    app = Talk(memory, [HOLD, "[]"], "Hello.", auto_curate="auto")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.speaker.held.wait()
        await pilot.pause()
        assert "reflecting" in painted(app)
        await say(pilot, "hi")
        assert app.said[-1] == "Hello." and "reflecting" not in painted(app)


async def test_what_curation_found_in_the_background_is_one_toast_and_no_card(
    memory: Memory,
) -> None:
    facts = '[{"content": "the user lives in Turin by the river", "importance": 0.6}]'
    app = Talk(memory, *[facts] * 9, auto_curate="auto")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert [toast.partition(":")[0] for toast in app.toasts] == ["reflected"]
        assert "/undo" in app.toasts[0]
        assert not app.screen.query(ReceiptLine) and not app.screen.query_one(Progress).display


async def test_a_new_session_begins_with_an_empty_recall_panel(memory: Memory) -> None:
    app = Talk(memory, "In Turin.")
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "where do I live?")
        assert app.screen.query(RecollectionCard)
        await keys(pilot, "ctrl+n")
        assert not app.screen.query(RecollectionCard)
        assert "What each message brings to mind" in painted(app)


async def test_quit_ends_the_app_and_closes_memory_and_model(memory: Memory) -> None:
    for leave in ("/quit", "ctrl+q"):
        app = Talk(memory, ["endless", HOLD])
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await say(pilot, "go", wait=False)
            await app.speaker.held.wait()
            if leave == "ctrl+q":
                await pilot.press("ctrl+q")
            else:
                await say(pilot, leave, wait=False)
            await pilot.pause()
        assert app.return_code == 0 and app.speaker.closed
        memory.__init__(memory.home, embedder=None, clock=memory.clock)  # type: ignore[misc]


async def test_the_first_run_without_a_model_explains_itself(empty: Memory) -> None:
    app = Talk(empty, model=OfflineModel())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        card = shown(app.screen.query_one(Welcome))
        assert "Offline mode is ready: no key or base URL is set" in card
        assert "OPENAI_API_KEY" in painted(app) and "offline" in painted(app).splitlines()[-1]
        await say(pilot, "My name is Ada and I live in Turin")
        await say(pilot, "Where do I live?")
        assert "Turin" in (app.chat.conversation.last_answer or Answer()).text
        assert empty.core()["name"] == "Ada"


async def test_a_home_that_is_deleted_while_open_does_not_end_the_app(tmp_path: Path) -> None:
    memory = Memory(tmp_path, embedder=None)
    app = Talk(memory, "One.", "Two.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "first")
        shutil.rmtree(memory.folder)
        await say(pilot, "second")
        await say(pilot, "/remember something")
        assert app.is_running and "second" in painted(app)
