"""Sessions: new, list, search, rename, delete, resume, and very long ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from nosis.agent import Agent
from nosis.memory import Memory
from nosis.tui import conversation, session
from nosis.tui.answer import Answer
from nosis.tui.app import NosisApp
from nosis.tui.cards import ErrorCard
from nosis.tui.memory.detail import DetailScreen
from nosis.tui.memory.rows import Rows
from nosis.tui.search import SearchScreen
from nosis.tui.sessions import SessionsScreen
from nosis.tui.status import Header
from nosis.tui.welcome import Welcome
from tests.tui.chat.talk import (
    HOLD,
    SESSION,
    Speaker,
    Talk,
    keys,
    painted,
    say,
    settings,
    settle,
    shown,
    type_in,
)


async def test_a_session_is_resumed_with_its_messages_and_history(memory: Memory) -> None:
    app = Talk(memory, "Go on.", session="s1first")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.said[:2] == ["> hello there", "Hello Ada, good to see you."]
        assert "hello there" in app.screen.query_one(Header).title
        await say(pilot, "and then?")
        assert [m.content for m in app.speaker.requests[0].messages[1:3]] == [
            "hello there",
            "Hello Ada, good to see you.",
        ]
    assert len(memory.conversation("s1first")) == 8


async def test_ctrl_n_begins_a_new_session_and_ctrl_s_leads_back(memory: Memory) -> None:
    app = Talk(memory, "One.", "Two.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "first question")
        await keys(pilot, "ctrl+n")
        agent = app.chat.agent
        assert agent.session != SESSION and app.screen.query(Welcome) and not app.said
        assert app.screen.query_one(Header).title == "new session"
        await say(pilot, "second question")
        assert len(app.speaker.requests[1].messages) == 2
        await keys(pilot, "ctrl+s")
        assert isinstance(app.screen, SessionsScreen)
        assert "first question" in painted(app) and "second question" in painted(app)
        rows = app.screen.query_one(Rows)
        where = [s.title for s in rows.items].index("first question")
        rows.index = where
        await keys(pilot, "enter")
        assert agent.session == SESSION and app.said == ["> first question", "One."]
        assert app.screen.query_one(Header).title == "first question"
        await say(pilot, "/resume second")
        assert app.said == ["> second question", "Two."]


async def test_sessions_are_searched_renamed_and_deleted(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await keys(pilot, "ctrl+s")
        rows = app.screen.query_one(Rows)
        assert len(rows.items) == 2
        await keys(pilot, "slash", *"page")
        assert [s.id for s in rows.items] == ["s2pasted"]
        await keys(pilot, "enter", "r")
        field = app.screen.query_one(Input)
        field.value = "Release [notes] \x1b[2J"
        await keys(pilot, "enter")
        await keys(pilot, "escape")  # leaves the search
        assert "Release [notes] [2J" in painted(app)
        assert memory.find_session("s2pasted").title == "Release [notes] [2J"
        rows.index = [s.id for s in rows.items].index("s2pasted")
        await keys(pilot, "d", "n")
        assert len(rows.items) == 2
        await keys(pilot, "d", "y")
        assert [s.id for s in memory.sessions()] == ["s1first"] == [s.id for s in rows.items]
        await keys(pilot, "escape")
        assert app.screen is app.chat and memory.conversation("s2pasted")


async def test_the_open_session_is_not_deleted_under_ones_feet(memory: Memory) -> None:
    app = Talk(memory, "One.")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await say(pilot, "first")
        await say(pilot, "/sessions")
        await keys(pilot, "d")
        assert isinstance(app.screen, SessionsScreen) and "is open" in app.toasts[-1]
        await keys(pilot, "escape")
        await say(pilot, "/rename A better title")
        assert app.screen.query_one(Header).title == "A better title"
        assert memory.find_session(SESSION).title == "A better title"


async def test_leaving_while_an_answer_streams_stops_and_keeps_it(memory: Memory) -> None:
    app = Talk(memory, ["Half", HOLD], "New.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "tell me", wait=False)
        await app.speaker.held.wait()
        await keys(pilot, "ctrl+n")
        await say(pilot, "hello")
        assert app.said == ["> hello", "New."]
    assert [m.text for m in memory.conversation(SESSION)] == ["tell me", "Half"]


async def test_search_finds_what_was_said_and_goes_there(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "/search Grafana dashboards")
        assert isinstance(app.screen, SearchScreen)
        await app.workers.wait_for_complete()
        await settle(pilot)
        rows = app.screen.query_one(Rows)
        kinds = [hit.entry.kind for hit in rows.items]
        assert {"fact", "turn"} <= {str(kind) for kind in kinds}
        rows.index = [str(kind) for kind in kinds].index("fact")
        await keys(pilot, "enter")
        assert isinstance(app.screen, DetailScreen)
        await keys(pilot, "escape")
        rows.index = [str(kind) for kind in kinds].index("turn")
        await keys(pilot, "enter")
        assert app.screen is app.chat and app.chat.agent.session == "s1first"
        await say(pilot, "/search")
        assert "Type a few words" in painted(app)
        await type_in(pilot, "zzzzzz")
        await settle(pilot)
        await keys(pilot, "escape")


async def test_a_session_that_is_not_there_is_explained(empty: Memory, memory: Memory) -> None:
    empty.close()
    app = NosisApp(settings(empty, model="offline"), resume="s9gone")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        card = app.screen.query_one(ErrorCard)
        assert "no session" in shown(card) and len(shown(card).splitlines()) >= 2
    app = NosisApp(settings(empty, model="offline"), continue_last=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.screen.query_one(Welcome) and not app.screen.query(ErrorCard)
    memory.close()
    app = NosisApp(settings(memory, model="offline"), resume="s1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        first = app.screen.query(Answer).first()
        assert first.text == "Hello Ada, good to see you."
        assert "offline" in painted(app).splitlines()[-1]


async def test_a_long_session_comes_a_page_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PAGE", 20)
    monkeypatch.setattr(conversation, "MOST_MOUNTED", 60)
    monkeypatch.setattr(conversation, "KEPT", 30)
    memory = Memory(tmp_path, embedder=None)
    memory.import_records(
        {
            "kind": "turn",
            "text": f"message {n}",
            "session": "s5long",
            "role": ("user", "assistant")[n % 2],
        }
        for n in range(1_000)
    )
    speaker = Speaker("The newest.")
    agent = Agent(memory, speaker, session="s5long", settings=settings(memory))
    app = NosisApp(settings(memory), agent=agent)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        talk = app.screen.query_one(conversation.Conversation)
        assert [m.text for m in talk.messages] == [f"message {n}" for n in range(980, 1_000)]
        assert "message 999" in painted(app)
        await keys(pilot, "ctrl+home")
        assert [m.text for m in talk.messages] == [f"message {n}" for n in range(960, 1_000)]
        assert "message 980" in painted(app)  # what was on screen stays
        await keys(pilot, "ctrl+home")
        await keys(pilot, "ctrl+home")
        assert len(talk.messages) == 80
        await say(pilot, "go on")
        assert [m.text for m in talk.messages][-2:] == ["go on", "The newest."]
        assert len(talk.messages) <= 32
        await keys(pilot, "ctrl+home")
        numbers = [int(m.text.split()[1]) for m in talk.messages[:-2]]
        assert numbers == list(range(numbers[0], 1_000)) and len(numbers) >= 48
        assert len(speaker.requests[0].messages) > 100  # the model gets all that fits
    memory.close()
