"""Sending, streaming, stopping, failing, asking again."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.widgets.markdown import MarkdownBlock

from nosis.agent import Agent
from nosis.errors import ModelTimeout, NetworkError, StorageError
from nosis.memory import Memory
from nosis.memory.types import Status
from nosis.models import Delta, Finish
from nosis.tui.answer import Answer, Reasoning
from nosis.tui.app import NosisApp
from nosis.tui.cards import Card, ErrorCard
from nosis.tui.memory.card import RecollectionCard
from nosis.tui.memory.receipts import ReceiptLine
from nosis.tui.memory.why import WhyScreen
from nosis.tui.message import UserMessage
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


async def test_a_turn_streams_and_says_what_it_used_and_kept(memory: Memory) -> None:
    app = Talk(
        memory,
        ["In **Tu", "rin**.\nMEMORY_UP", "DATE: the ferry leaves at nine\n", Finish(), "lost"],
    )
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await settle(pilot)
        await say(pilot, "the ferry leaves at nine; where do I live?")
        assert app.said[-2:] == ["> the ferry leaves at nine; where do I live?", "In **Turin**."]
        screen = painted(app)
        assert "MEMORY" not in screen and "In Turin." in screen
        assert "1 memory saved" in screen and "used" in screen
        assert [line.receipt.text for line in app.screen.query(ReceiptLine)] == [
            "the ferry leaves at nine"
        ]
        assert any("Turin" in card.hit.entry.text for card in app.screen.query(RecollectionCard))
        assert app.toasts == ["+ the ferry leaves at nine · /undo"]
        status = painted(app).splitlines()[-1]
        assert "default · gpt-4.1-mini" in status and "/33k" in status and SESSION in status
        await keys(pilot, "shift+tab", "u")
        assert "undone" in shown(app.screen.query_one(ReceiptLine))
        assert not [e for e in memory.list_memories() if "ferry" in e.text]


async def test_toasts_of_quick_turns_do_not_pile_up(memory: Memory) -> None:
    app = Talk(
        memory,
        ["Noted.\nMEMORY_UPDATE: the ferry leaves at nine\n", Finish()],
        ["Noted.\nMEMORY_UPDATE: the bus leaves at ten\n", Finish()],
    )
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await say(pilot, "the ferry leaves at nine")
        await say(pilot, "the bus leaves at ten")
        assert app.toasts == ["+ the bus leaves at ten · /undo"]


async def test_an_answer_that_only_claims_to_remember_shows_that_nothing_was_saved(
    memory: Memory,
) -> None:
    app = Talk(memory, "Noted, saved!", "It is sunny.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for text in ("I like rain", "and now?"):
            await say(pilot, text)
            answer = app.chat.conversation.last_answer
            assert answer and "0 memories saved" in shown(answer)
        lie, truth = (a.query_one(".note").render() for a in app.screen.query(Answer))
        assert "$text-warning" in str(lie.spans) and "$text-warning" not in str(truth.spans)


async def test_escape_stops_the_answer_and_nothing_is_learned_from_it(memory: Memory) -> None:
    app = Talk(memory, ["Half an answer\nMEMORY_UPDATE: a lie\n", HOLD, "never"])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "tell me", wait=False)
        await app.speaker.held.wait()
        await keys(pilot, "escape")
        answer = app.chat.conversation.last_answer
        assert answer and answer.text.strip() == "Half an answer"
        assert "stopped" in shown(answer) and "0 memories saved" in shown(answer)
        assert not [e for e in memory.list_memories() if "lie" in e.text]
        assert not app.chat.turns.busy


async def test_ctrl_c_copies_stops_or_hints(memory: Memory) -> None:
    app = Talk(memory, ["Half", HOLD])
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await keys(pilot, "ctrl+c")
        assert app.toasts[-1] == "ctrl+q quits" and app.is_running
        await say(pilot, "tell me", wait=False)
        await app.speaker.held.wait()
        await keys(pilot, "ctrl+c")
        assert not app.chat.turns.busy
        words = app.screen.query_one(UserMessage).query_one(".words")
        await pilot.mouse_down(words, offset=(0, 0))
        await pilot.hover(words, offset=(3, 0))
        await pilot.mouse_up(words, offset=(3, 0))
        await keys(pilot, "ctrl+c")
        assert app.clipboard == "tell" and "copied" in app.toasts[-1]
        assert app.screen.focused is app.chat.prompt
        await type_in(pilot, "words of mine")
        await keys(pilot, "f7", "ctrl+c")
        assert app.clipboard == "words of mine"


async def test_messages_wait_visibly_while_an_answer_is_given(memory: Memory) -> None:
    app = Talk(memory, ["One", HOLD, "."], "Two.", "Three.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "first", wait=False)
        await app.speaker.held.wait()
        await say(pilot, "second", wait=False)
        await say(pilot, "third", wait=False)
        notes = [shown(m) for m in app.screen.query(UserMessage)]
        assert ["waits its turn" in note for note in notes] == [False, True, True]
        app.speaker.go.set()
        await settle(pilot)
        assert [r.user for r in app.speaker.requests] == ["first", "second", "third"]
        assert [line for line in app.said if not line.startswith(">")][-3:] == [
            "One.",
            "Two.",
            "Three.",
        ]


async def test_a_message_sent_before_memory_is_awake_waits_and_is_answered(
    memory: Memory,
) -> None:
    class Sleepy(Agent):
        async def ready(self) -> object:  # type: ignore[override]
            await speaker.go.wait()
            return await super().ready()

    speaker = Speaker("At last.")
    agent = Sleepy(memory, speaker, settings=settings(memory))
    app = NosisApp(settings(memory), agent=agent)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await say(pilot, "early bird", wait=False)
        await pilot.pause()
        assert "waits for memory" in painted(app) and "early bird" in painted(app)
        speaker.go.set()
        await settle(pilot)
        assert "waits for memory" not in painted(app) and "At last." in painted(app)
        assert [r.user for r in speaker.requests] == ["early bird"]


async def test_memory_that_does_not_open_gives_the_words_back_and_can_be_tried_again(
    memory: Memory,
) -> None:
    class Locked(Agent):
        async def ready(self) -> object:  # type: ignore[override]
            if not opened:
                await speaker.go.wait()
                raise StorageError("the journal cannot be read", "Check the disk.")
            return await super().ready()

    opened: list[bool] = []
    speaker = Speaker("Hello.")
    app = NosisApp(settings(memory), agent=Locked(memory, speaker, settings=settings(memory)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await say(pilot, "early bird", wait=False)
        speaker.go.set()
        await settle(pilot)
        assert "the journal cannot be read" in painted(app) and "Check the disk." in painted(app)
        prompt = app.screen.query_one("#prompt")
        assert prompt.text == "early bird"  # type: ignore[attr-defined]
        opened.append(True)
        app.screen.query_one(ErrorCard).focus()
        await keys(pilot, "enter")
        assert not app.screen.query(ErrorCard)
        prompt.focus()
        await keys(pilot, "enter")
        assert "Hello." in painted(app)


async def test_a_dead_server_shows_a_card_and_the_typed_text_comes_back(memory: Memory) -> None:
    error = NetworkError("cannot reach http://localhost:1", "Start the server.")
    app = Talk(memory, [error], ["Half an ans", ModelTimeout("too slow", "Wait.")], "Well.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "are you there?")
        assert app.chat.prompt.text == "are you there?"
        card = app.screen.query_one(ErrorCard)
        assert "cannot reach http://localhost:1" in shown(card) and "Start the server." in shown(
            card
        )
        await keys(pilot, "enter")  # sent again: it fails midway now
        assert len(app.screen.query(ErrorCard)) == 1 and len(app.screen.query(UserMessage)) == 1
        answer = app.chat.conversation.last_answer
        assert answer and answer.text == "Half an ans" and "broken off" in shown(answer)
        app.chat.prompt.clear()
        await say(pilot, "/retry")
        assert app.said[-2:] == ["> are you there?", "Well."]
        assert not app.screen.query(ErrorCard)
        assert [m.text for m in memory.conversation(SESSION)] == ["are you there?", "Well."]


async def test_what_waits_behind_a_failed_message_comes_back_too(memory: Memory) -> None:
    app = Talk(memory, [HOLD, NetworkError("gone", "Start it.")], "Fine.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "first", wait=False)
        await app.speaker.held.wait()
        await say(pilot, "second", wait=False)
        await type_in(pilot, "third, unsent")
        app.speaker.go.set()
        await settle(pilot)
        assert app.chat.prompt.text == "first\n\nsecond\n\nthird, unsent"
        assert [m.text for m in app.screen.query(UserMessage)] == ["first"]


async def test_a_fault_inside_nosis_does_not_end_the_app(memory: Memory) -> None:
    app = Talk(memory, ["So f", ZeroDivisionError("[/nope] division")], "Fine.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "hello")
        assert "ZeroDivisionError: [/nope] division" in painted(app)
        await keys(pilot, "enter")
        assert app.said[-1] == "Fine."


async def test_retry_asks_again_and_keeps_one_entry(memory: Memory) -> None:
    reply = "Noted.\nMEMORY_UPDATE: the dog is called Rex"
    app = Talk(memory, reply, reply, reply)
    before = len(memory.list_memories())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "the dog is called Rex")
        await say(pilot, "/retry")
        await keys(pilot, "shift+tab", "shift+tab", "r")  # past the receipt, on the answer
        assert len(app.screen.query(UserMessage)) == 1 == len(app.screen.query(Answer))
    assert len(memory.list_memories()) == before + 1
    assert len(memory.conversation(SESSION)) == 2
    assert [len(r.messages) for r in app.speaker.requests] == [2, 2, 2]


async def test_escape_twice_edits_the_last_message_in_place(memory: Memory) -> None:
    app = Talk(
        memory, "Rome!\nMEMORY_UPDATE: lives by the Tiber", "Nice.\nMEMORY_UPDATE: lives in Oslo"
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "I live by the Tiber, in Rome")
        await keys(pilot, "escape", "escape")
        assert app.chat.prompt.text == "I live by the Tiber, in Rome"
        assert "being edited" in painted(app)
        await keys(pilot, "escape")  # keeps it
        assert app.chat.prompt.text == "" and "being edited" not in painted(app)
        await keys(pilot, "escape", "escape")
        app.chat.prompt.clear()
        await say(pilot, "I live in Oslo")
        assert app.said[-2:] == ["> I live in Oslo", "Nice."]
        assert len(app.screen.query(UserMessage)) == 1
    live = [e.text for e in memory.list_memories()]
    assert any("Oslo" in text for text in live) and not any("Tiber" in text for text in live)


async def test_reasoning_is_one_dim_line_that_opens(memory: Memory) -> None:
    app = Talk(
        memory,
        [Delta(reasoning="Let me [think] "), HOLD, Delta(reasoning="about it"), "Forty-two."],
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "what is it?", wait=False)
        await app.speaker.held.wait()
        await pilot.pause()
        assert "thinking…" in painted(app) and "[think]" not in painted(app)
        app.speaker.go.set()
        await settle(pilot)
        assert "thought for 5 words" in painted(app)
        await keys(pilot, "shift+tab", "t")
        assert "Let me [think] about it" in painted(app)
        await pilot.click(Reasoning)
        assert "[think]" not in painted(app)
    assert "think" not in "".join(m.text for m in memory.conversation(SESSION))


async def test_an_empty_and_a_cut_answer_are_explained(memory: Memory) -> None:
    app = Talk(memory, [""], ["Too lo", Finish("length")])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "hello?")
        assert any("empty answer" in shown(card) for card in app.screen.query(Card))
        await say(pilot, "go on")
        answer = app.chat.conversation.last_answer
        assert answer and "cut off" in shown(answer)


async def test_the_conversation_follows_its_end_unless_the_user_scrolls_up(
    memory: Memory,
) -> None:
    app = Talk(memory, "line\n\n" * 60, ["more\n\n" * 10, HOLD, "more\n\n" * 30], "end")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "a")
        talk = app.screen.query_one("#conversation", VerticalScroll)
        assert talk.max_scroll_y > 0 and talk.scroll_y == talk.max_scroll_y
        await say(pilot, "b", wait=False)
        await app.speaker.held.wait()
        await pilot.pause()
        await pilot.press("pageup")
        await pilot.pause()
        place = talk.scroll_y
        app.speaker.go.set()
        await settle(pilot)
        assert talk.scroll_y == place < talk.max_scroll_y
        await keys(pilot, "ctrl+end")
        assert talk.scroll_y == talk.max_scroll_y
        await keys(pilot, "ctrl+home")
        assert talk.scroll_y == 0
        await say(pilot, "c")
        assert talk.scroll_y == talk.max_scroll_y


async def test_what_is_far_off_screen_leaves_the_layout_and_comes_back(memory: Memory) -> None:
    text = "\n\n".join(f"Paragraph {number} " + "says more. " * 40 for number in range(200))
    app = Talk(memory, [text])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "go on at length")
        conversation = app.screen.query_one("#conversation", VerticalScroll)
        parts = list(app.screen.query(MarkdownBlock))
        height = conversation.max_scroll_y
        assert len(parts) >= 200 and "Paragraph 199" in painted(app)
        assert sum(part.region.height > 0 for part in parts) < 60
        for y in (0, height // 2, height):
            conversation.scroll_to(y=y, animate=False, force=True)
            await settle(pilot)
            assert "says more." in painted(app) and conversation.max_scroll_y == height
            assert sum(part.region.height > 0 for part in parts) < 60


async def test_why_shows_the_memories_of_the_last_answer_and_muted_ones_stay_away(
    memory: Memory,
) -> None:
    app = Talk(memory, "Turin.", "Still Turin.")
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "/why")
        assert "there is no answer to explain" in painted(app)
        await say(pilot, "where do I live, in Turin?")
        await say(pilot, "/why")
        assert isinstance(app.screen, WhyScreen) and "Turin" in painted(app)
        await keys(pilot, "escape")
        app.chat.panel.focus_first()
        await pilot.pause()
        card = app.chat.panel.focused_card
        assert card
        await keys(pilot, "m", "escape")
        await say(pilot, "where do I live, in Turin?")
        ids = {hit.entry.id for hit in app.speaker.requests[-1].recalled}
        assert card.hit.entry.id not in ids and app.screen.focused is app.chat.prompt


async def test_facts_from_a_paste_wait_for_the_users_yes(memory: Memory) -> None:
    app = Talk(memory, "A log.\nMEMORY_UPDATE: the server is called Edna")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await type_in(pilot, "what is this? ")
        await type_in(pilot, "\n".join(f"server Edna says {n}" for n in range(40)))
        assert app.chat.prompt.text == "what is this? [pasted 40 lines]"
        await keys(pilot, "enter")
        request = app.speaker.requests[0]
        assert request.user == "what is this? [pasted 40 lines]" and request.has_material
        assert "server Edna says 39" in request.messages[-1].content
        assert "f2 to decide" in app.toasts[-1] and "waits for you" in painted(app)
    fact = next(e for e in memory.pending() if "Edna" in e.text)
    assert fact.status is Status.PENDING
