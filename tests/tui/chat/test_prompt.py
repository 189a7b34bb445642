"""Typing: keys, pastes, history, completion, palette."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.events import Key
from textual.widgets import Input

from nosis.memory import Memory
from nosis.tui.completion import Completion
from nosis.tui.help import HelpScreen
from nosis.tui.input_history import InputHistory
from nosis.tui.pick import PickScreen
from nosis.tui.status import Status
from tests.tui.chat.talk import HOLD, Talk, keys, painted, say, settle, type_in


async def test_enter_sends_and_three_keys_begin_a_new_line(memory: Memory) -> None:
    app = Talk(memory, "Ok.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(*"one", "ctrl+j", *"two", "shift+enter", *"three", "alt+enter", *"four")
        assert app.chat.prompt.text == "one\ntwo\nthree\nfour" and not app.speaker.requests
        await keys(pilot, "enter")
        assert app.speaker.requests[0].user == "one\ntwo\nthree\nfour"
        assert app.chat.prompt.text == ""
        await keys(pilot, "enter", "space", "enter")
        assert len(app.speaker.requests) == 1


async def test_keys_that_arrive_together_keep_their_order(memory: Memory) -> None:
    app = Talk(memory, "One.", "Two.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        typed = ["x", "f7", "backspace", *"one", "enter", *"two", "enter", *"half"]
        for key in typed:  # all of them before the app can act on any
            app.chat.prompt.post_message(Key(key, key if len(key) == 1 else None))
        await settle(pilot)
        assert [r.user for r in app.speaker.requests] == ["one", "two"]
        assert app.chat.prompt.text == "half"


async def test_a_command_typed_faster_than_its_completions_is_the_one_that_runs(
    memory: Memory,
) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await keys(pilot, "/")
        assert app.chat.prompt.menu_open
        for key in (*"context", "enter"):
            app.chat.prompt.post_message(Key(key, key if len(key) == 1 else None))
        await settle(pilot)
        assert app.inputs.older("") == "/context"
        assert not isinstance(app.screen, HelpScreen)


async def test_all_lines_of_a_paste_are_kept_and_not_sent_by_themselves(memory: Memory) -> None:
    app = Talk(memory, "Ok.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await type_in(pilot, "first\r\nsecond\nthird\n")
        assert app.chat.prompt.text == "first\nsecond\nthird\n" and not app.speaker.requests


async def test_a_command_gets_the_pasted_words_themselves(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await type_in(pilot, "/remember ")
        await type_in(pilot, "\n".join(f"step {n} of the release" for n in range(9)))
        assert app.chat.prompt.text == "/remember [pasted 9 lines]"
        await keys(pilot, "enter")
    assert "step 8 of the release" in memory.list_memories(limit=1)[0].text


async def test_two_megabytes_can_be_pasted_and_more_is_refused(memory: Memory) -> None:
    app = Talk(memory, "Long.")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        line = "an ordinary line of a log file, sixty-four characters in all...\n"
        await type_in(pilot, line * 32_768)
        assert app.chat.prompt.text == "[pasted 32,768 lines]"
        await keys(pilot, "enter")
        assert "Long." in app.said and app.speaker.requests[0].has_material
        await type_in(pilot, line * 32_769)
        assert app.chat.prompt.text == "" and "2.1 MB" in app.toasts[-1]


async def test_wide_and_combining_characters_keep_the_cursor_at_the_end(memory: Memory) -> None:
    app = Talk(memory, "你好 👩\u200d🔬 e\u0301 ملاحظة")
    async with app.run_test(size=(40, 12)) as pilot:
        await settle(pilot)
        text = "你好，世界" * 9 + " 👩\u200d🔬 e\u0301"
        await pilot.press(*text.replace("\u200d", ""))
        prompt = app.chat.prompt
        assert prompt.cursor_location == prompt.document.end
        assert prompt.region.right <= 40 and prompt.cursor_screen_offset.x < 40
        await keys(pilot, "enter")
        await pilot.resize_terminal(30, 10)
        await pilot.resize_terminal(40, 12)
        await settle(pilot)
        assert all(line.cell_length == 40 for line in app.screen._compositor.render_strips())


async def test_arrows_bring_earlier_inputs_back_at_the_edges(memory: Memory) -> None:
    inputs = InputHistory(memory.home)
    inputs.add("older")
    inputs.add("newer\nof two lines")
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        prompt = app.chat.prompt
        await type_in(pilot, "half")
        await pilot.press("up")
        assert prompt.text == "newer\nof two lines" and prompt.cursor_location == (0, 5)
        await pilot.press("down")  # within the text first
        assert prompt.cursor_location[0] == 1
        await pilot.press("up", "up")
        assert prompt.text == "older"
        await pilot.press("up", "down", "down", "down")
        assert prompt.text == "half"


async def test_ctrl_r_searches_the_inputs_of_every_session(memory: Memory) -> None:
    for text in ("what is the launch date?", "deploy to [/staging]", "when is the launch?"):
        InputHistory(memory.home).add(text)
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await keys(pilot, "ctrl+r")
        assert isinstance(app.screen, PickScreen) and "deploy to [/staging]" in painted(app)
        await pilot.press(*"launch", "down")
        await keys(pilot, "enter")
        assert app.chat.prompt.text == "what is the launch date?"
        await keys(pilot, "ctrl+r", "escape")
        assert app.chat.prompt.text == "what is the launch date?"


async def test_a_slash_offers_the_commands(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        completion, prompt = app.screen.query_one(Completion), app.chat.prompt
        await pilot.press("/")
        assert completion.display and completion.option_count > 20
        await pilot.press(*"re")
        assert completion.chosen == "/resume"
        await pilot.press("down", "down")
        assert completion.chosen == "/remember"
        await pilot.press("up")
        assert completion.chosen == "/rename"
        await pilot.press("tab")
        assert prompt.text == "/rename " and not completion.display
        prompt.clear()
        await pilot.press(*"/context", "escape")
        assert not completion.display and prompt.text == "/context"
        prompt.clear()
        await pilot.press(*"/copy ")
        assert completion.chosen == "/copy code"
        prompt.clear()
        await pilot.press(*"/theme light", "enter")
        await settle(pilot)
        assert app.theme == "nosis-light" and prompt.text == ""
        await pilot.press(*"/etc")
        assert not completion.display
        prompt.clear()
        await pilot.press(*"/he", "enter")
        await settle(pilot)
        assert isinstance(app.screen, HelpScreen)


async def test_the_palette_runs_commands_and_asks_for_what_they_need(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await keys(pilot, "ctrl+p")
        assert isinstance(app.screen, CommandPalette)
        app.screen.query_one(Input).value = "keep a fact"
        await settle(pilot)
        await keys(pilot, "enter")
        assert app.chat.prompt.text == "/remember "
        app.chat.prompt.clear()
        await keys(pilot, "ctrl+p")
        app.screen.query_one(Input).value = "help"
        await settle(pilot)
        await keys(pilot, "enter")
        assert isinstance(app.screen, HelpScreen)


async def test_f1_shows_every_command_and_key(memory: Memory) -> None:
    from nosis.tui import commands

    app = Talk(memory)
    async with app.run_test(size=(120, 100)) as pilot:
        await settle(pilot)
        await keys(pilot, "f1")
        screen = painted(app)
        assert all(command.usage in screen for command in commands.COMMANDS)
        assert all(key.keys.split(", ")[0] in screen for key in commands.KEYS)
        await keys(pilot, "escape")
        assert app.screen is app.chat


async def test_typing_lands_in_the_prompt_wherever_the_focus_is(memory: Memory) -> None:
    app = Talk(memory, "Ok.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "hello")
        await keys(pilot, "shift+tab")
        assert app.screen.focused is app.chat.conversation.last_answer
        await pilot.press("a", "b")
        assert app.chat.prompt.text == "ab" and app.screen.focused is app.chat.prompt
        await keys(pilot, "shift+tab", "escape")
        assert app.screen.focused is app.chat.prompt


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
async def test_every_size_shows_prompt_status_and_the_newest_words(
    memory: Memory, size: tuple[int, int]
) -> None:
    app = Talk(memory, "The newest words.", ["and ", HOLD, "more"])
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await say(pilot, "a question of some length, so that it wraps on a narrow screen")
        screen = painted(app)
        assert "The newest words." in screen and "gpt-4.1-mini" in screen.splitlines()[-1]
        assert app.chat.prompt.region.bottom <= size[1] - 1
        assert app.chat.panel.display == (size[0] >= 100)
        assert all(line.cell_length == size[0] for line in app.screen._compositor.render_strips())


async def test_resizing_while_an_answer_streams(memory: Memory) -> None:
    app = Talk(memory, ["word " * 200, HOLD, "\n\nthe end"])
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "go", wait=False)
        await app.speaker.held.wait()
        for size in ((40, 12), (200, 60), (80, 24), (40, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        app.speaker.go.set()
        await settle(pilot)
        assert "the end" in painted(app) and app.chat.conversation.at_end


async def test_on_a_narrow_screen_the_panel_covers_the_conversation(memory: Memory) -> None:
    app = Talk(memory, "Turin.")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "is it Turin?")
        assert "Recall" not in painted(app)
        await keys(pilot, "ctrl+t")
        assert "Recall" in painted(app) and "> is it" not in painted(app)
        await keys(pilot, "escape")
        assert "Recall" not in painted(app) and app.screen.focused is app.chat.prompt
        await pilot.resize_terminal(120, 30)
        await keys(pilot, "ctrl+t")
        assert "Recall" not in painted(app)
    assert Talk(memory).preferences.get("panel", "") == "hidden"


async def test_the_footer_gives_way_from_the_right(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(120, 24)) as pilot:
        await settle(pilot)
        status = app.screen.query_one(Status)
        status.change(workspace="w" * 40, model="m" * 60, context=1_200, window=8_192)
        for width in (120, 80, 60, 40, 20):
            await pilot.resize_terminal(width, 24)
            await pilot.pause()
            line = painted(app).splitlines()[-1]
            assert "1.2k/8.2k" in line and len(line) <= width
