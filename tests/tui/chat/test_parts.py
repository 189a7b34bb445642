"""The parts of the app that need no screen."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import pytest

from nosis.errors import UsageError
from nosis.memory.types import Outcome, Receipt
from nosis.tui import actions, claims, commands
from nosis.tui.input_history import LIMIT, InputHistory
from nosis.tui.pastes import Pastes
from nosis.tui.preferences import Preferences
from nosis.tui.status import dollars, tokens
from nosis.tui.terminal import check_terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


# -- terminal ---------------------------------------------------------------------------------


def test_both_ends_must_be_a_terminal_that_can_draw() -> None:
    screen, file = Terminal(), io.StringIO()
    check_terminal(screen, screen, screen, {"TERM": "xterm-256color"})
    for ends, term, words in (
        ((file, screen, screen), "xterm", "standard input"),
        ((screen, file, screen), "xterm", "standard output"),
        ((screen, screen, file), "xterm", "standard error"),
        ((screen, screen, screen), "dumb", "'dumb'"),
        ((screen, screen, screen), "", "kind ''"),
    ):
        with pytest.raises(UsageError) as error:
            check_terminal(*ends, {"TERM": term})
        assert words in error.value.message and "nosis -p" in error.value.hint


# -- commands ---------------------------------------------------------------------------------


def test_every_command_has_a_function_a_summary_and_one_name() -> None:
    from importlib import import_module

    assert len(commands.BY_NAME) == len(commands.COMMANDS)
    for command in commands.COMMANDS:
        module, _, function = command.run.partition(":")
        assert callable(getattr(import_module(f"{actions.__name__}.{module}"), function))
        assert command.summary and command.name in commands.reference()


def test_the_commands_that_people_know_from_other_chats_are_there() -> None:
    expected = (
        "help new resume rename search export model system context cost memory remember forget "
        "undo why pin reflect copy retry clear quit"
    )
    assert set(expected.split()) <= set(commands.BY_NAME)


def test_no_key_is_bound_that_belongs_to_the_terminal_or_the_text_area() -> None:
    taken = {f"ctrl+{letter}" for letter in "imhbadekuvwxyz"} | {"f6", "f7"}
    bound = {key for b in commands.bindings() for key in b.key.split(",")}
    assert not bound & taken
    assert all(binding.id for binding in commands.bindings())
    assert len({binding.id for binding in commands.bindings()}) == len(commands.bindings())


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("/help", ("help", "")),
        ("/remember  the dog\nis Rex ", ("remember", "the dog\nis Rex")),
        ("/Copy code", ("copy", "code")),
        ("/etc/hosts is broken", None),
        ("/", None),
        ("what does /help do?", None),
        ("/2", None),
    ],
)
def test_only_a_word_after_the_first_slash_is_a_command(typed: str, command: object) -> None:
    assert commands.parse(typed) == command


def test_the_manual_lists_exactly_the_commands_and_keys_of_the_registry() -> None:
    manual = Path(__file__).parents[3] / "docs" / "app.md"
    assert commands.reference() in manual.read_text(encoding="utf-8")


# -- history ----------------------------------------------------------------------------------


def test_inputs_come_back_in_order_and_the_unsent_one_last(tmp_path: Path) -> None:
    inputs = InputHistory(tmp_path)
    for text in ("one", "two", "two", "three\nlines"):
        inputs.add(text)
    assert inputs.inputs == ["one", "two", "three\nlines"]
    assert [inputs.older("half") for _ in range(4)] == ["three\nlines", "two", "one", None]
    assert [inputs.newer() for _ in range(4)] == ["two", "three\nlines", "half", None]
    assert InputHistory(tmp_path).inputs == inputs.inputs
    assert inputs.search("E T") == ["three\nlines"]


def test_the_history_is_private_bounded_and_holds_no_secrets(tmp_path: Path) -> None:
    inputs = InputHistory(tmp_path)
    inputs.add("my key is sk-proj-abcdefghijklmnop1234")
    file = tmp_path / "history.jsonl"
    assert "abcdefghijklmnop" not in file.read_text() and "redacted" in inputs.inputs[0]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    inputs.add("x" * 50_000)
    for number in range(2 * LIMIT + 5):
        inputs.add(str(number))
    assert len(file.read_text().splitlines()) <= 2 * LIMIT
    assert len(InputHistory(tmp_path).inputs) <= LIMIT
    assert InputHistory(tmp_path).inputs[-1] == str(2 * LIMIT + 4)


def test_a_damaged_or_read_only_home_does_not_stop_typing(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_bytes(b'"fine"\n{broken\n7\n\xff\xfe\n"also"\n')
    assert InputHistory(tmp_path).inputs == ["fine", "also"]
    (tmp_path / "app.json").write_text("[1]")
    preferences = Preferences(tmp_path)
    assert preferences.get("theme", "x") == "x"
    blocked = tmp_path / "file"
    blocked.write_text("")
    inputs = InputHistory(blocked)
    inputs.add("kept for now")
    Preferences(blocked).set("theme", "nosis-light")
    assert inputs.inputs == ["kept for now"]


# -- pastes -----------------------------------------------------------------------------------


def test_big_pastes_become_marks_and_small_ones_stay() -> None:
    pastes = Pastes()
    assert pastes.collapse("three\r\nshort\rlines") == "three\nshort\nlines"
    log = "\n".join(f"line {n}" for n in range(40))
    mark = pastes.collapse(log)
    assert mark == "[pasted 40 lines]"
    assert pastes.collapse(log) == mark
    assert pastes.collapse(log.upper()) == "[pasted 40 lines #2]"
    assert pastes.collapse("x" * 5_000) == "[pasted 5,000 characters]"
    assert pastes.material(f"why? {mark}") == log
    both = pastes.material(f"{mark} or [pasted 40 lines #2]?")
    assert log in both and log.upper() in both and both.startswith(mark)
    assert pastes.material("[pasted 12 lines] typed by hand") == ""


def test_a_paste_brings_no_control_characters_along() -> None:
    pastes = Pastes()
    assert pastes.collapse("a\x1b[2Jb\x07\x00") == "a[2Jb\ufffd"


# -- footer and claims --------------------------------------------------------------------------


def test_counts_and_costs_are_short() -> None:
    assert [tokens(n) for n in (0, 950, 1_240, 8_192, 131_072, 1_000_000)] == [
        "0",
        "950",
        "1.2k",
        "8.2k",
        "131k",
        "1M",
    ]
    assert [dollars(c) for c in (0, 0.0004, 0.25, 3)] == ["$0.00", "$0.0004", "$0.25", "$3.00"]


@pytest.mark.parametrize(
    "answer", ["Noted, saved!", "I'll remember that.", "Got it, I've stored it.", "I will note it"]
)
def test_a_promise_to_remember_is_seen(answer: str) -> None:
    assert claims.claims_to_remember(answer)


@pytest.mark.parametrize(
    "answer", ["The launch is on Friday.", "I remember you said Turin.", "Remember to save money."]
)
def test_other_words_are_no_promise(answer: str) -> None:
    assert not claims.claims_to_remember(answer)


def test_only_writes_count_as_saved() -> None:
    receipts = [Receipt(outcome, "x") for outcome in Outcome]
    assert claims.saved(receipts) == 4
    assert claims.saved([]) == 0
