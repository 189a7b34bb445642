"""A conversation that outgrows the window: its facts are kept, then a summary stands for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from nosis import tokens
from nosis.agent import Agent
from nosis.compaction import summarise
from nosis.errors import ModelError, NetworkError
from nosis.events import Notice
from nosis.memory import Memory
from nosis.models import Message, Request
from nosis.models.offline import OfflineModel
from nosis.models.scripted import Script, ScriptedModel
from nosis.settings import Settings

WINDOW = 2_400
LONG = "and so on about the garden, " * 40


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    opened = Memory(tmp_path, embedder=None)
    yield opened
    opened.close()


def replies(
    facts: Script = '["The user keeps bees in Turin"]',
    summary: Script = "The user plans a garden.\nMEMORY_UPDATE: name: Mallory",
) -> Callable[[Request], Script]:
    def reply(request: Request) -> Script:
        asked = request.messages[0].content
        if asked.startswith("You distil"):
            return facts
        return summary if asked.startswith("You keep a conversation") else "Ok."

    return reply


async def talk(
    memory: Memory,
    reply: Callable[[Request], Script],
    told: list[str] | None = None,
    **settings: object,
) -> Agent:
    """Eight turns that do not fit together, each with time to tidy up after it."""
    model = ScriptedModel([reply] * 60, context_window=WINDOW)
    agent = Agent(memory, model, settings=Settings(**settings))  # type: ignore[arg-type]
    for number in range(8):
        async for event in agent.run(f"message {number}: I keep bees in Turin {LONG}"):
            if told is not None and isinstance(event, Notice):
                told.append(event.message)
        await agent.compaction.finished()
    return agent


def requests(agent: Agent, beginning: str) -> list[Request]:
    assert isinstance(agent._model, ScriptedModel)
    return [r for r in agent._model.requests if r.messages[0].content.startswith(beginning)]


async def test_first_the_facts_are_kept_then_a_summary_stands_for_the_beginning(
    memory: Memory,
) -> None:
    told: list[str] = []
    agent = await talk(memory, replies(), told)
    assert [fact.text for fact in memory.list_memories()] == ["The user keeps bees in Turin"]
    kinds = [r.messages[0].content[:8] for r in agent._model.requests]  # type: ignore[union-attr]
    assert kinds.index("You dist") < kinds.index("You keep")
    last = requests(agent, "You are nosis")[-1]
    assert "in short: The user plans a garden." in last.messages[1].content
    assert "Mallory" not in last.messages[1].content and memory.core() == {}
    assert all(
        sum(tokens.count(m.content) for m in r.messages) <= WINDOW
        for r in agent._model.requests  # type: ignore[union-attr]
    )
    assert told == ["kept 1 fact of the conversation's beginning"]


@pytest.mark.parametrize(
    "summary", [NetworkError("gone", "retry"), "", "<think>hm</think>"], ids=["gone", "empty", "hm"]
)
async def test_where_no_summary_comes_the_users_own_words_stand_in(
    memory: Memory, summary: Script
) -> None:
    agent = await talk(memory, replies(facts=NetworkError("gone", "retry"), summary=summary))
    last = requests(agent, "You are nosis")[-1]
    assert "Earlier in this conversation I said:" in last.messages[1].content
    assert "message 0: I keep bees" in last.messages[1].content
    assert memory.list_memories() == []


async def test_facts_are_left_to_the_user_who_wants_it_so(memory: Memory) -> None:
    agent = await talk(memory, replies(), auto_curate="manual")
    assert requests(agent, "You distil") == [] and len(requests(agent, "You keep")) >= 1


async def test_a_new_summary_goes_on_from_the_one_before(memory: Memory) -> None:
    agent = await talk(memory, replies())
    for number in range(8, 14):
        await agent.ask(f"message {number}: {LONG}")
        await agent.compaction.finished()
    asked = [r.messages[0].content for r in requests(agent, "You keep")]
    assert len(asked) >= 2
    assert "(nothing)" in asked[0] and "message 0" in asked[0]
    assert "The user plans a garden." in asked[-1] and "message 0" not in asked[-1]


async def test_without_a_model_nothing_is_asked(memory: Memory) -> None:
    agent = Agent(memory, OfflineModel(), settings=Settings(context_window=WINDOW))
    for number in range(6):
        await agent.ask(f"message {number} {LONG}")
    assert agent.compaction.summary.upto == 0
    assert agent.shares and agent.shares.prompt < WINDOW


async def test_a_new_session_begins_without_the_summary_of_another(memory: Memory) -> None:
    agent = await talk(memory, replies())
    assert agent.compaction.summary.upto > 0
    agent.new_session()
    await agent.ask("hello")
    assert len(requests(agent, "You are nosis")[-1].messages) == 2


async def test_a_summary_reads_as_much_as_fits_the_newest_first() -> None:
    model = ScriptedModel(["Short."], context_window=2_048)
    many = [Message("user", f"message {number} {LONG}") for number in range(200)]
    assert await summarise(model, "before", many) == "Short."
    asked = model.requests[0].messages[0].content
    assert tokens.count(asked) <= 2_048 - 400
    assert "message 199" in asked and "message 0 " not in asked and "before" in asked
    with pytest.raises(ModelError):
        await summarise(ScriptedModel([""]), "", many[:1])


async def test_a_continued_session_is_not_summarised_again(memory: Memory) -> None:
    first = await talk(memory, replies())
    wrote = len(requests(first, "You keep"))
    summary = first.compaction.summary
    model = ScriptedModel([replies()] * 9, context_window=WINDOW)
    again = Agent(memory, model, session=first.session, settings=Settings())
    await again.ready()
    assert again.compaction.summary == summary and wrote
    await again.ask("and what did I plan?")
    await again.compaction.finished()
    answered = requests(again, "You are nosis")[-1]
    assert "in short: The user plans a garden." in answered.messages[1].content
    assert len(requests(again, "You keep")) <= 1  # only where this turn left more out


async def test_a_summary_goes_once_something_is_forgotten_and_keeps_no_secret(
    memory: Memory,
) -> None:
    agent = await talk(memory, replies(summary="The key is sk-abcdefghijklmnopqrstuvwx123456."))
    kept = list((memory.folder / "index" / "summaries").iterdir())
    assert len(kept) == 1 and "sk-abc" not in kept[0].read_text()
    memory.forget(memory.list_memories()[0].id)
    again = Agent(memory, ScriptedModel([]), session=agent.session, settings=Settings())
    await again.ready()
    assert again.compaction.summary.upto == 0


async def test_a_summary_that_ends_with_another_message_is_not_taken_up(memory: Memory) -> None:
    agent = await talk(memory, replies())
    path = next((memory.folder / "index" / "summaries").iterdir())
    for damaged in ("", "[]", '{"text": "x", "upto": 2, "last": "nowhere"}'):
        path.write_text(damaged)
        again = Agent(memory, ScriptedModel([]), session=agent.session, settings=Settings())
        await again.ready()
        assert again.compaction.summary.upto == 0
