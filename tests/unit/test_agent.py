"""One turn from message to memory, with a scripted model and a real workspace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from nosis.agent import Agent
from nosis.errors import ExitCode, NetworkError, UsageError
from nosis.events import (
    MemoryChanged,
    Notice,
    Recalled,
    TextDelta,
    Thinking,
    TurnDone,
    TurnEvent,
    TurnFailed,
)
from nosis.memory import Memory
from nosis.memory.types import Outcome
from nosis.models import Delta, Finish, Request, ToolCall
from nosis.models.scripted import Script, ScriptedModel
from nosis.settings import Settings

SETTINGS = Settings(timeout=30)


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[Memory]:
    opened = Memory(tmp_path, embedder=None)
    yield opened
    opened.close()


def agent(memory: Memory, *script: Script, settings: Settings = SETTINGS) -> Agent:
    return Agent(memory, ScriptedModel(script), settings=settings)


def model(agent: Agent) -> ScriptedModel:
    assert isinstance(agent._model, ScriptedModel)
    return agent._model


async def events(agent: Agent, message: str, **options: object) -> list[TurnEvent]:
    return [event async for event in agent.run(message, **options)]  # type: ignore[arg-type]


def shown(seen: list[TurnEvent]) -> str:
    return "".join(event.text for event in seen if isinstance(event, TextDelta))


async def test_a_turn_recalls_streams_files_and_is_archived(memory: Memory) -> None:
    memory.remember("The user's sister Mara lives in Turin")
    bot = agent(
        memory, ["In ", "Turin.\n", "MEMORY_UPD", "ATE: name: Ada\nMEMORY_UPDATE: Ada likes tea"]
    )
    seen = await events(bot, "I'm Ada, I like tea. Where does my sister live?")
    assert isinstance(seen[0], Recalled) and "Turin" in seen[0].recollections[0].entry.text
    assert shown(seen) == "In Turin.\n" or shown(seen) == "In Turin."
    done = seen[-1]
    assert isinstance(done, TurnDone) and done.answer == "In Turin."
    assert [r.outcome for r in done.receipts] == [Outcome.CORE_UPDATED, Outcome.STORED]
    assert [e.receipt for e in seen if isinstance(e, MemoryChanged)] == list(done.receipts)
    assert memory.core() == {"name": "Ada"}
    assert [e.text for e in memory.conversation(bot.session)] == [
        "I'm Ada, I like tea. Where does my sister live?",
        "In Turin.",
    ]


async def test_the_next_prompt_holds_core_memory_history_and_recollections(memory: Memory) -> None:
    bot = agent(memory, "Hi Ada.\nMEMORY_UPDATE: name: Ada", "Tea.")
    memory.remember("The user drinks green tea")
    await events(bot, "I'm Ada")
    await events(bot, "Which tea do I drink?")
    system, *history, last = model(bot).requests[1].messages
    assert '"name": "Ada"' in system.content
    assert [m.content.splitlines()[-1] for m in history] == ["I'm Ada", "Hi Ada."]
    assert "The user drinks green tea" in last.content
    assert last.content.endswith("Which tea do I drink?")


async def test_a_reply_of_directives_only_says_got_it(memory: Memory) -> None:
    seen = await events(agent(memory, "MEMORY_UPDATE: likes tea"), "I like tea")
    assert shown(seen) == "Got it. I'll remember that."
    assert [e.text for e in memory.list_memories()] == ["likes tea"]


async def test_a_claim_without_a_directive_has_no_receipt(memory: Memory) -> None:
    seen = await events(agent(memory, "Noted, saved!"), "I like tea")
    assert not [e for e in seen if isinstance(e, MemoryChanged)]
    assert memory.list_memories() == []


async def test_reasoning_is_shown_apart_and_never_stored(memory: Memory) -> None:
    bot = agent(memory, [Delta(reasoning="MEMORY_UPDATE: secret"), "Hello."])
    seen = await events(bot, "hi there")
    assert Thinking("MEMORY_UPDATE: secret") in seen
    assert memory.list_memories() == []
    assert "secret" not in (memory.folder / "archival.jsonl").read_text()


async def test_a_reply_cut_by_length_writes_only_terminated_directives(memory: Memory) -> None:
    script = ["Ok.\nMEMORY_UPDATE: likes tea\nMEMORY_UPDATE: likes ja", Finish("length")]
    seen = await events(agent(memory, script), "I like tea and jam")
    assert [e.text for e in memory.list_memories()] == ["likes tea"]
    assert isinstance(seen[-1], TurnDone) and seen[-1].stopped == "length"
    assert any(isinstance(e, Notice) and "cut off" in e.message for e in seen)
    assert "MEMORY" not in shown(seen) and "ja" not in shown(seen)


async def test_a_dropped_connection_fails_the_turn_and_stays_out_of_history(
    memory: Memory,
) -> None:
    bot = agent(
        memory,
        ["Half.\nMEMORY_UPDATE: likes tea\nMEMORY_UPDATE: like", NetworkError("dropped", "retry")],
        "Whole.",
    )
    seen = await events(bot, "I like tea")
    assert isinstance(seen[-1], TurnFailed) and seen[-1].exit_code == ExitCode.NETWORK
    assert seen[-1].partial == "Half."
    assert [e.text for e in memory.list_memories()] == ["likes tea"]
    await events(bot, "I like tea")
    assert len(model(bot).requests[1].messages) == 2  # system and this message
    assert len(memory.list_memories()) == 1


async def test_an_error_before_any_text_fails_the_turn_and_leaves_nothing(memory: Memory) -> None:
    seen = await events(agent(memory, NetworkError("no route", "start it")), "hello world")
    assert seen[-1] == TurnFailed("no route", "start it", 3)
    assert memory.sessions() == []


async def test_an_empty_answer_gets_a_notice(memory: Memory) -> None:
    seen = await events(agent(memory, ""), "hello world")
    assert any(isinstance(e, Notice) and "empty answer" in e.message for e in seen)
    assert isinstance(seen[-1], TurnDone) and seen[-1].answer == ""


async def test_a_silent_model_is_given_up_after_the_timeout(memory: Memory) -> None:
    class Silent(ScriptedModel):
        async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
            await asyncio.Event().wait()
            yield Finish()

    bot = Agent(memory, Silent(), settings=Settings(timeout=0.1))
    seen = await events(bot, "hello world")
    assert isinstance(seen[-1], TurnFailed) and seen[-1].exit_code == ExitCode.TIMEOUT


async def test_a_stopped_turn_keeps_its_words_and_learns_nothing(memory: Memory) -> None:
    class Endless(ScriptedModel):
        async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
            yield Delta("Once upon a time\nMEMORY_UPDATE: likes tea\n and then")
            await asyncio.Event().wait()

    bot = Agent(memory, Endless(), settings=SETTINGS)
    seen: list[TurnEvent] = []
    async for event in bot.run("tell me a story about tea"):
        seen.append(event)
        if isinstance(event, TextDelta):
            bot.stop()
    assert isinstance(seen[-1], TurnDone) and seen[-1].stopped == "cancelled"
    assert memory.list_memories() == []
    assert "Once upon a time" in seen[-1].answer


async def test_no_learn_leaves_no_trace(memory: Memory) -> None:
    bot = agent(memory, "Sure.\nMEMORY_UPDATE: likes tea")
    await events(bot, "I like tea", learn=False)
    assert memory.list_memories() == [] and memory.sessions() == []


async def test_material_stands_before_the_words_and_is_not_searched_for(memory: Memory) -> None:
    memory.remember("The zanzibar plan is secret")
    bot = agent(memory, "A summary.\nMEMORY_UPDATE: name: Mallory")
    seen = await events(bot, "please summarise", material="My name is Mallory. zanzibar")
    assert isinstance(seen[0], Recalled) and seen[0].recollections == ()
    assert [r.outcome for r in seen[-1].receipts] == [Outcome.PENDING]  # type: ignore[union-attr]
    assert memory.core() == {}
    content = model(bot).requests[0].messages[-1].content
    assert content.index("Mallory") < content.index("please summarise")


async def test_a_session_is_resumed_with_its_history(memory: Memory) -> None:
    first = agent(memory, "Hello.\nMEMORY_UPDATE: likes tea")
    await events(first, "I like tea")
    second = Agent(memory, ScriptedModel(["Again."]), session=first.session, settings=SETTINGS)
    await events(second, "what did I say?")
    contents = [m.content for m in model(second).requests[0].messages]
    assert contents[1:3] == ["I like tea", "Hello."]


async def test_an_unknown_session_is_refused(memory: Memory) -> None:
    bot = Agent(memory, ScriptedModel(["x"]), session="s999", settings=SETTINGS)
    with pytest.raises(UsageError):
        await bot.ready()


async def test_a_server_that_drops_the_prompt_is_reported(memory: Memory) -> None:
    finish = Finish("stop", prompt_tokens=300, completion_tokens=5)
    bot = agent(memory, ["Ok.", finish], settings=Settings(context_window=32_000))
    seen = await events(bot, "word " * 3_000)
    assert any(isinstance(e, Notice) and "prompt tokens" in e.message for e in seen)


async def test_the_same_turn_twice_stores_its_facts_once(memory: Memory) -> None:
    bot = agent(memory, *["Ok.\nMEMORY_UPDATE: The user likes tea"] * 3)
    for _ in range(3):
        await events(bot, "I like tea")
    assert len(memory.list_memories()) == 1


async def test_chat_goes_on_when_memory_cannot_be_written(memory: Memory) -> None:
    from nosis.errors import ReadOnlyError

    def refuse(*_: object, **__: object) -> None:
        raise ReadOnlyError("the folder is read-only", "chmod it")

    memory.record_turn = refuse  # type: ignore[method-assign, assignment]
    seen = await events(agent(memory, "Hello."), "hi you")
    assert isinstance(seen[-1], TurnDone) and seen[-1].answer == "Hello."
    assert any(isinstance(e, Notice) and "not remembered" in e.message for e in seen)


async def test_ask_gives_the_finished_turn(memory: Memory) -> None:
    async with agent(memory, "Hello.") as bot:
        assert (await bot.ask("hi")).answer == "Hello."


async def test_tool_calls_are_answered_and_file_like_directives(memory: Memory) -> None:
    tea = memory.remember("The user likes tea").id or ""
    script: list[Script] = [
        [ToolCall("c1", "recall", '{"query": "tea"}'), Finish("stop")],
        lambda r: [
            ToolCall(
                "c2", "update_memory", f'{{"query_or_id": "{tea}", "new_content": "likes jam"}}'
            ),
            ToolCall("c3", "core_set", '{"field": "name", "value": "Ada"}'),
            ToolCall("c4", "no_such_tool", "{not json"),
            Finish("stop"),
        ],
        "Done.",
    ]
    bot = agent(memory, *script, settings=Settings(tools="on"))
    seen = await events(bot, "I'm Ada, and I prefer jam now: likes jam")
    assert shown(seen) == "Done."
    done = seen[-1]
    assert isinstance(done, TurnDone)
    assert [r.outcome for r in done.receipts] == [Outcome.SUPERSEDED, Outcome.CORE_UPDATED]
    assert memory.core() == {"name": "Ada"}
    last = model(bot).requests[2].messages
    assert [m.role for m in last[-5:]] == ["tool", "assistant", "tool", "tool", "tool"]
    assert "error" in last[-1].content and tea in last[-5].content


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("remember", "{}"),
        ("remember", '{"content": null}'),
        ("remember", '{"content": ["Ada"]}'),
        ("remember", '{"content": "Ada", "category": ["a"]}'),
        ("remember", '{"a":' * 9_999),
        ("update_memory", '{"query_or_id": "x", "new_content": 3}'),
        ("core_set", '{"field": "name", "value": {"a": 1}}'),
        ("forget", '{"query_or_id": 5}'),
        ("recall", '{"query": 5}'),
        ("recall", '{"query": "x", "since": []}'),
        ("read_memory", '{"day": "/etc/passwd"}'),
        ("list_memories", '{"category": ["a"]}'),
    ],
)
async def test_a_call_that_makes_no_sense_is_told_to_the_model_and_changes_nothing(
    memory: Memory, name: str, arguments: str
) -> None:
    call = [ToolCall("c", name, arguments), Finish("stop")]
    bot = agent(memory, call, "Done.", settings=Settings(tools="on"))
    seen = await events(bot, "hello there")
    assert isinstance(seen[-1], TurnDone) and shown(seen) == "Done."
    assert "error" in model(bot).requests[1].messages[-1].content
    assert memory.list_memories() == [] and memory.core() == {}


async def test_a_call_of_a_tool_that_was_not_offered_writes_nothing(memory: Memory) -> None:
    call = ToolCall("c", "remember", '{"content": "hello there"}')
    bot = agent(memory, ["Hi.", call, Finish("stop")], settings=Settings(tools="off"))
    seen = await events(bot, "hello there")
    assert shown(seen) == "Hi." and len(model(bot).requests) == 1
    assert memory.list_memories() == []


async def test_endless_tool_calls_come_to_an_end(memory: Memory) -> None:
    def again(_: Request) -> Script:
        return [ToolCall("c", "core_get", "{}"), Finish("stop")]

    bot = agent(memory, *[again] * 50, settings=Settings(tools="on"))
    seen = await events(bot, "hello there")
    assert isinstance(seen[-1], TurnDone) and len(model(bot).requests) == 5


async def test_tools_are_offered_only_where_wanted(memory: Memory) -> None:
    plain = agent(memory, "Hi.")
    await events(plain, "hello there")
    assert model(plain).requests[0].tools == ()
    with_tools = agent(memory, "Hi.", settings=Settings(tools="on"))
    await events(with_tools, "hello there")
    names = [tool["function"]["name"] for tool in model(with_tools).requests[0].tools]
    assert {"remember", "recall", "forget"} <= set(names)
    assert "accept" not in names and "purge" not in names


async def test_a_turn_asked_again_leaves_one_entry(memory: Memory) -> None:
    reply = "Noted.\nMEMORY_UPDATE: name: Ada\nMEMORY_UPDATE: Ada's dog is called Rex"
    bot = agent(memory, "Hello.", *[reply] * 3, lambda request: str(len(request.messages)))
    await events(bot, "hi")
    for _ in range(3):
        await events(bot, "I'm Ada, my dog is called Rex")
        if _ < 2:
            await bot.retract()
    assert [e.text for e in memory.conversation(bot.session)] == [
        "hi",
        "Hello.",
        "I'm Ada, my dog is called Rex",
        "Noted.",
    ]
    facts = [e.text for e in memory.list_memories() if not e.field]
    assert facts == ["Ada's dog is called Rex"] and memory.core() == {"name": "Ada"}
    assert shown(await events(bot, "how many?")) == "6"  # system, two turns, the question


async def test_what_a_retracted_turn_wrote_is_undone_and_undo_skips_it(memory: Memory) -> None:
    memory.remember("Ada plays the cello")
    bot = agent(memory, "Ok.\nMEMORY_UPDATE: name: Ada\nMEMORY_UPDATE: Ada lives in Rome")
    await events(bot, "I'm Ada and I live in Rome")
    await bot.retract()
    assert memory.core() == {} and memory.conversation(bot.session) == []
    assert [e.text for e in memory.list_memories()] == ["Ada plays the cello"]
    assert not memory.search("Rome").hits
    memory.undo()
    assert memory.list_memories() == []


async def test_a_retracted_turn_keeps_what_was_changed_since(memory: Memory) -> None:
    bot = agent(memory, "Ok.\nMEMORY_UPDATE: Ada lives in Rome")
    await events(bot, "I live in Rome")
    memory.pin("Ada lives in Rome")
    assert await bot.retract() == []
    assert [e.text for e in memory.list_memories()] == ["Ada lives in Rome"]


async def test_a_resumed_session_can_ask_its_last_turn_again(memory: Memory) -> None:
    bot = agent(memory, "One.", "Two.")
    await events(bot, "first")
    await events(bot, "second")
    again = Agent(memory, ScriptedModel(["Zwei."]), session=bot.session, settings=SETTINGS)
    await again.ready()
    await again.retract()
    await events(again, "second, in German")
    assert [e.text for e in memory.conversation(bot.session)] == [
        "first",
        "One.",
        "second, in German",
        "Zwei.",
    ]


async def test_a_failed_turn_retracts_nothing_of_the_one_before(memory: Memory) -> None:
    bot = agent(memory, "One.", NetworkError("gone"))
    await events(bot, "first")
    await events(bot, "second")
    assert await bot.retract() == []
    assert [e.text for e in memory.conversation(bot.session)] == ["first", "One."]


async def test_material_stays_before_the_model_for_the_next_question(memory: Memory) -> None:
    bot = agent(memory, "A log.", "Line two.")
    await events(bot, "what is this?", material="first\nzweiundvierzig")
    await events(bot, "and its second line?")
    assert "zweiundvierzig" in model(bot).requests[1].messages[1].content


async def test_a_turn_is_indexed_although_its_reader_leaves_early(memory: Memory) -> None:
    bot = agent(memory, "Hello.")
    await bot.ask("hi there")
    assert bot._indexing is not None
    await bot.aclose()
