"""Text of models, memories, errors and titles is data: it neither crashes nor acts."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from nosis.errors import NetworkError
from nosis.memory import Memory
from nosis.models import Delta
from nosis.tui.answer import Answer
from nosis.tui.markdown import ModelMarkdown
from tests.tui.chat.talk import HOLD, Talk, keys, painted, say, settle

NASTY = [
    "[/nope] [bold]x[/] list[int] [@click=app.quit]press[/]",
    "\x1b[2J\x1b]0;owned\x07\x1b]52;c;aGk=\x07\x9b31mred \x00\x08",
    "<b>html</b> <script>alert(1)</script> Vec<String> &amp; <T>",
    "```python [/x] title='[red]'\nprint('[/]')\n",  # a fence that is never closed
    "| a[/] | b |\n|---|---|\n| [@click=app.quit]x | `[/y]` |\n",
    "[a](javascript:alert(1)) ![i](file:///etc/passwd) [w](https://example.org/[/z])",
    "\u202eabc\u202d \u2066x\u2069 e\u0301\u0301\u0301 👩\u200d👩\u200d👧 你好 \ufffd",
    "# [/h] heading\n> [quote\n\n1. [one]\n   - [ ] two\n\n***bold*** ~~s~~ `[/c]`",
    "$text-primary {x} %s \\[ \\] $nope [$nope]",
]


def no_controls(screen: str) -> bool:
    return not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 for c in screen)


async def test_no_text_crashes_or_acts(memory: Memory) -> None:
    app = Talk(memory)
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        await settle(pilot)
        for text in NASTY:
            pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
            answer = [Delta(reasoning=text), *pieces, f"\nMEMORY_UPDATE: {text}"]
            app.speaker.answers.extend([answer, [NetworkError(text, text)]])
            memory.remember(text)
            await say(pilot, f"a {text}")
            await keys(pilot, "shift+tab", "t", "escape")
            assert no_controls(painted(app)), text
            await say(pilot, f"/rename {text}")
            await say(pilot, f"/remember again: {text}")
            await say(pilot, f"/forget {text}")
            await say(pilot, "fail now")
            app.chat.prompt.clear()
            assert no_controls(painted(app)), text
        for key in ("ctrl+s", "ctrl+r", "f2"):
            await keys(pilot, key)
            assert no_controls(painted(app)), key
            await keys(pilot, "escape")
        asked = [request.user for request in app.speaker.requests]
        assert len(asked) == 2 * len(NASTY) and app.title == "nosis", asked


async def test_html_and_generics_are_shown_as_they_are(memory: Memory) -> None:
    app = Talk(memory, "Use Vec<String> and <b>this</b>.\n\n<div>\nblock\n</div>\n")
    async with app.run_test(size=(80, 30)) as pilot:
        await settle(pilot)
        await say(pilot, "how?")
        screen = painted(app)
        assert "Vec<String> and <b>this</b>." in screen
        assert "<div>" in screen and "</div>" in screen


async def test_single_line_ends_of_an_answer_are_kept(memory: Memory) -> None:
    app = Talk(memory, "Via Roma 1\n10121 Turin\nItaly")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "address?")
        lines = [line.strip() for line in painted(app).splitlines()]
        at = lines.index("Via Roma 1")
        assert lines[at : at + 3] == ["Via Roma 1", "10121 Turin", "Italy"]


async def test_cells_of_a_table_have_no_tooltip_that_could_crash(memory: Memory) -> None:
    app = Talk(memory, ["| a | b |\n|---|---|\n| [/x] | y |\n", HOLD, "| z | [/w] |\n\nend"])
    async with app.run_test(size=(80, 30), tooltips=True) as pilot:
        await settle(pilot)
        await say(pilot, "table", wait=False)
        await app.speaker.held.wait()
        await pilot.pause()
        app.speaker.go.set()
        await settle(pilot)
        cells = list(app.screen.query_one(Answer).query(".cell").results(Static))
        assert len(cells) == 4 and all(cell.tooltip is None for cell in cells)


async def test_only_web_and_mail_links_open(memory: Memory) -> None:
    opened: list[str] = []
    app = Talk(memory, "Ok.")
    app.open_url = lambda url, **_: opened.append(url)  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "links?")
        text = app.screen.query_one(ModelMarkdown)
        for url in (
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://example.org/a",
            "app.quit",
            "mailto:a@b.example",
            "JAVASCRIPT:x",
        ):
            text.post_message(ModelMarkdown.LinkClicked(text, url))
        await settle(pilot)
    assert opened == ["https://example.org/a", "mailto:a@b.example"]


async def test_a_reply_of_many_tokens_is_cut_into_segments_that_join_without_a_seam(
    memory: Memory,
) -> None:
    code = "".join(f"value_{n} = compute({n})\n" for n in range(300))
    answer = f"Look:\n\n```python\n{code}```\n\n" + "a paragraph of words " * 40 + "\n\nthe end"
    pieces = [answer[at : at + 40] for at in range(0, len(answer), 40)]
    app = Talk(memory, [*pieces])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "code")
        shown_answer = app.chat.conversation.last_answer
        assert shown_answer and shown_answer.text == answer and shown_answer.code == code.rstrip()
        assert len(app.screen.query(ModelMarkdown)) > 3
        await keys(pilot, "ctrl+home")
        await keys(pilot, *["pagedown"] * 3)
        lines = [line.strip() for line in painted(app).splitlines()]
        numbers = [int(line[6:].split(" ")[0]) for line in lines if line.startswith("value_")]
        assert len(numbers) > 8 and numbers == list(range(numbers[0], numbers[-1] + 1))
        seen = [line for line in lines if line.startswith("value_")]
        first, last = lines.index(seen[0]), lines.index(seen[-1])
        assert all(line.startswith("value_") for line in lines[first : last + 1])


async def test_no_colour_still_tells_the_two_sides_apart(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Talk(memory, "An answer.")
    assert app.no_color
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await say(pilot, "a question")
        lines = painted(app).splitlines()
        question = next(line for line in lines if "a question" in line and "nosis" not in line)
        answer = next(line for line in lines if "An answer." in line)
        assert "▌" in question and "▌" not in answer
