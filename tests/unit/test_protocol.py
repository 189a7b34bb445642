"""The directive grammar: one row a promise of the tables in ``nosis.protocol``."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from nosis.memory.types import Directive, DirectiveKind
from nosis.protocol import FACT_LIMIT, GOT_IT, Splitter, parse


def fact(text: str, category: str | None = None, importance: float | None = None) -> Directive:
    return Directive(DirectiveKind.UPDATE, text, None, category, importance)


def replace(target: str, text: str, **rest: Any) -> Directive:
    return Directive(DirectiveKind.REPLACE, text, target, **rest)


def forget(target: str) -> Directive:
    return Directive(DirectiveKind.FORGET, target=target)


TEA = fact("likes tea")


@pytest.mark.parametrize(
    "line",
    [
        "MEMORY_UPDATE: likes tea",
        "memory_update: likes tea",
        "Memory_Update:likes tea",
        "MEMORY\\_UPDATE: likes tea",
        "MEMORY_UPDATE : likes tea",
        "MEMORY_UPDATE\uff1a likes tea",
        "MEMORY_UPDATE:\tlikes tea  ",
        "\x07MEMORY_UPDATE: likes tea",
        "   MEMORY_UPDATE: likes tea",
        "\tMEMORY_UPDATE: likes tea",
        "\ufeffMEMORY_UPDATE: likes tea",
        "- MEMORY_UPDATE: likes tea",
        "* MEMORY_UPDATE: likes tea",
        "+ MEMORY_UPDATE: likes tea",
        "• MEMORY_UPDATE: likes tea",
        "1. MEMORY_UPDATE: likes tea",
        "12) MEMORY_UPDATE: likes tea",
        "- [ ] MEMORY_UPDATE: likes tea",
        "  - [x] MEMORY_UPDATE: likes tea",
        "## MEMORY_UPDATE: likes tea",
        "#MEMORY_UPDATE: likes tea",
        "**MEMORY_UPDATE:** likes tea",
        "**MEMORY_UPDATE**: likes tea",
        "**MEMORY_UPDATE: likes tea**",
        "**MEMORY_UPDATE:**likes tea",
        "__MEMORY_UPDATE:__ likes tea",
        "__MEMORY_UPDATE: likes tea__",
        "*MEMORY_UPDATE: likes tea*",
        "_MEMORY_UPDATE_: likes tea",
        "***MEMORY_UPDATE:*** likes tea",
        "- **MEMORY_UPDATE:** likes tea",
        "1. **MEMORY_UPDATE: likes tea**",
        "### - **memory_update** : likes tea",
        "MEMORY_UPDATE: **likes tea**",
        "MEMORY_UPDATE: likes tea**",
        'MEMORY_UPDATE: "likes tea"',
        "MEMORY_UPDATE: “likes tea”",
        "MEMORY_UPDATE: `likes tea`",
        "MEMORY_UPDATE: - likes tea",
        "MEMORY_UPDATE: likes\x07 tea\x1b",
        "MEMORY_UPDATE:\n  likes tea",
        "MEMORY_UPDATE: likes\n  tea",
        "```\nMEMORY_UPDATE: likes tea\n```",
        "```text\n\n- memory_update: likes tea\n\n```",
        "~~~\nMEMORY_UPDATE: likes tea\n~~~~",
        "````\nMEMORY_UPDATE: likes\n   tea\n````",
        "1. ```\n   MEMORY_UPDATE: likes tea\n   ```",
        "```\nMEMORY_UPDATE: likes tea",
        "```\nMEMORY_UPDATE: likes tea```",
        '**MEMORY_UPDATE:** {"fact": "likes tea"}',
        '**MEMORY_UPDATE: {"text": "likes tea"}**',
        'MEMORY_UPDATE: {"content": "likes tea"}',
        'MEMORY_UPDATE: {\n  "fact": "likes tea"\n}',
        "MEMORY_UPDATE: likes tea\nMEMORY_UPDATE:  likes tea ",
        "MEMORY_UPDATE: likes tea MEMORY_UPDATE:",
        "MEMORY_UPDATE:\nMEMORY_UPDATE: likes tea\nMEMORY_UPDATE:   \n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", ""])
def test_every_spelling_of_a_directive_is_one_clean_fact_and_leaves_no_trace(
    line: str, end: str
) -> None:
    parsed = parse(line.replace("\n", end or "\n") + end)
    assert parsed.directives == (TEA,)
    assert parsed.visible == ""
    assert parsed.refused == ()


@pytest.mark.parametrize(
    "text",
    ["", "  ", '""', "``", "****", "-", "…", "{}", "none", "None.", "(none)", "N/A", "**null**"],
)
def test_a_directive_without_words_is_ignored(text: str) -> None:
    parsed = parse(f"Yes.\nMEMORY_UPDATE: {text}\nMEMORY_UPDATE: none of us eats meat\n")
    assert parsed.directives == (fact("none of us eats meat"),)
    assert parsed.visible == "Yes." and parsed.refused == ()
    assert parse("MEMORY_UPDATE: 🎉").directives == (fact("🎉"),)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MEMORY_UPDATE: name: Ada Lovelace", [fact("name: Ada Lovelace")]),
        ("MEMORY_UPDATE: **name:** Ada Lovelace", [fact("name: Ada Lovelace")]),
        ("MEMORY_UPDATE: **name**: **Ada Lovelace**", [fact("name: Ada Lovelace")]),
        ("MEMORY_UPDATE: `name`: Ada Lovelace", [fact("name: Ada Lovelace")]),
        ("**MEMORY_UPDATE:** Name: **Ada Lovelace**", [fact("Name: Ada Lovelace")]),
        (
            "MEMORY_UPDATE: a likes tea MEMORY_UPDATE: b likes jam",
            [fact("a likes tea"), fact("b likes jam")],
        ),
        (
            "MEMORY_UPDATE: a likes tea; **memory_update:** b likes jam",
            [fact("a likes tea"), fact("b likes jam")],
        ),
        (
            "MEMORY_UPDATE: a MEMORY_FORGET: m1 MEMORY_REPLACE: m2 -> c",
            [fact("a"), forget("m1"), replace("m2", "c")],
        ),
        (
            'MEMORY_UPDATE: {"fact": "a"} MEMORY_UPDATE [event]: b',
            [fact("a"), fact("b", "event")],
        ),
        (
            "MEMORY_UPDATE: nosis reads `MEMORY_UPDATE: x` lines",
            [fact("nosis reads `MEMORY_UPDATE: x` lines")],
        ),
        (
            "MEMORY_UPDATE: ``a ` MEMORY_UPDATE: x`` b",
            [fact("``a ` MEMORY_UPDATE: x`` b")],
        ),
        (
            'MEMORY_UPDATE: {"fact": "say MEMORY_UPDATE: x"}',
            [fact("say MEMORY_UPDATE: x")],
        ),
        ("MEMORY_UPDATE: one\n  two\n\tthree\n", [fact("one two three")]),
        ("- MEMORY_UPDATE: one\n  two\n- MEMORY_UPDATE: three", [fact("one two"), fact("three")]),
        ("MEMORY_UPDATE: one\n  MEMORY_UPDATE: two", [fact("one"), fact("two")]),
        ("MEMORY_UPDATE: __init__ is snake_case", [fact("__init__ is snake_case")]),
        ("MEMORY_UPDATE: -5 degrees is fine", [fact("-5 degrees is fine")]),
        ("MEMORY_UPDATE: **Ada** likes **tea**", [fact("**Ada** likes **tea**")]),
        ('MEMORY_UPDATE: "Dune" beats "Emma"', [fact('"Dune" beats "Emma"')]),
        ("MEMORY_UPDATE: 2 * 3 is 6", [fact("2 * 3 is 6")]),
        ("MEMORY_UPDATE: reads <think> tags", [fact("reads <think> tags")]),
        ("MEMORY_UPDATE: a\0b \ud83d c", [fact("a\ufffdb \ufffd c")]),
    ],
)  # fmt: skip
def test_the_words_of_a_fact_are_kept(line: str, expected: list[Directive]) -> None:
    parsed = parse(line)
    assert list(parsed.directives) == expected
    assert parsed.visible == ""


@pytest.mark.parametrize(
    ("line", "category", "importance"),
    [
        ("MEMORY_UPDATE: [decision, 0.9] x y", "decision", 0.9),
        ("MEMORY_UPDATE: [0.9, decision] x y", "decision", 0.9),
        ("MEMORY_UPDATE [decision, 0.9]: x y", "decision", 0.9),
        ("**MEMORY_UPDATE** (decision; high): x y", "decision", 0.7),
        ("**MEMORY_UPDATE:** [decision|.25] x y", "decision", 0.25),
        ("MEMORY_UPDATE: [Decision] x y", "Decision", None),
        ("MEMORY_UPDATE: [prefs, 0.8] x y", "prefs", 0.8),
        ("MEMORY_UPDATE: [status, 0.8] x y", "status", 0.8),
        ("MEMORY_UPDATE: [category: work trip, importance: low] x y", "work trip", 0.3),
        ("MEMORY_UPDATE: [decision]: x y", "decision", None),
        ("MEMORY_UPDATE [importance: 8/10]: x y", None, 0.8),
        ("MEMORY_UPDATE [importance=high]: x y", None, 0.7),
        ("MEMORY_UPDATE [importance: critical]: x y", None, 0.9),
        ("MEMORY_UPDATE [importance: medium]: x y", None, 0.5),
        ("MEMORY_UPDATE [importance 0.85]: x y", None, 0.85),
        ("MEMORY_UPDATE [importance: 85%]: x y", None, 0.85),
        ("MEMORY_UPDATE [importance: 8 out of 10]: x y", None, 0.8),
        ("MEMORY_UPDATE [importance=-3]: x y", None, None),
        ("MEMORY_UPDATE [importance=nan]: x y", None, None),
        ("MEMORY_UPDATE [importance=inf]: x y", None, None),
        ("MEMORY_UPDATE [importance=1e9]: x y", None, None),
        ("MEMORY_UPDATE [importance=11/10]: x y", None, None),
        ("MEMORY_UPDATE [importance=8/0]: x y", None, None),
        ("MEMORY_UPDATE [importance: very]: x y", None, None),
        ("MEMORY_UPDATE: [decision, 7] x y", "decision", None),
        ("MEMORY_UPDATE: [decision, nan] x y", "decision", None),
        ("MEMORY_UPDATE [1]: x y", None, 1.0),
        ('MEMORY_UPDATE: {"fact": "x y", "category": "event", "importance": 1}', "event", 1.0),
        ('MEMORY_UPDATE: {"fact": "x y", "importance": "8/10"}', None, 0.8),
        ('MEMORY_UPDATE: {"fact": "x y", "importance": "high"}', None, 0.7),
        ('MEMORY_UPDATE: {"fact": "x y", "importance": NaN}', None, None),
        ('MEMORY_UPDATE: {"fact": "x y", "importance": 1e999}', None, None),
        ('MEMORY_UPDATE: {"fact": "x y", "importance": -3}', None, None),
        ('MEMORY_UPDATE: {"fact": "x y", "importance": true}', None, None),
        ('MEMORY_UPDATE: {"fact": "x y", "category": null}', None, None),
        ('MEMORY_UPDATE [event, 0.2]: {"fact": "x y"}', "event", 0.2),
    ],
)  # fmt: skip
def test_importance_is_in_range_or_none_and_categories_are_kept_as_written(
    line: str, category: str | None, importance: float | None
) -> None:
    assert parse(line).directives == (fact("x y", category, importance),)


@pytest.mark.parametrize(
    "text",
    [
        "[x] done",
        "[Link](https://example.org) is the wiki",
        "[2026] plan is out",
        "[1] is the footnote",
        "[1.0] ships in May",
        "[50%] is the discount",
        "[3/4] of the work is done",
        "[Ada, Grace] are friends",
        "[2026, 0.9] of the plan",
        "[importance of 6 dimensions] was the talk",
        "[[decision]] nested",
        "importance: 8/10 is what Ada gave",
        '{"fact":"uses {braces} and ```x```"} trailing {note}',
        '{"fact": "cut',
        '{"fact": "a", "fact": "b"}',
        '{"fact": "a", "text": "b"}',
        '{"fact": "a", "source": "b"}',
        '{"fact": "a", "field": "b"}',
        '{"fact": "a", "category": 5}',
        '{"fact": ["a"]}',
        '{"a":' + "[" * 3990,
    ],
    ids=lambda text: text[:40],
)
def test_what_is_not_understood_as_metadata_or_json_is_stored_whole(text: str) -> None:
    parsed = parse(f"MEMORY_UPDATE: {text}")
    assert [directive.text for directive in parsed.directives] == [text]
    assert parsed.directives[0].importance is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"fact":"uses {braces} and ```x```"}', "uses {braces} and ```x```"),
        ('{"fact":"two\\nlines \\ud83d\\ude00 \\u0000"}', "two lines 😀 \ufffd"),
        ('{"field": "name", "value": "Ada"}', "name: Ada"),
        ('{"fact": "  **a** b "}', "**a** b"),
    ],
)
def test_a_json_object_is_decoded_exactly(text: str, words: str) -> None:
    assert parse(f"MEMORY_UPDATE: {text}").directives == (fact(words),)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MEMORY_REPLACE: m3f2 -> Deploys on Mondays", [replace("m3f2", "Deploys on Mondays")]),
        ("MEMORY_REPLACE: m3f2 → a -> b", [replace("m3f2", "a -> b")]),
        ("memory_replace: m3f2=>x", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE: [m3f2] --> x", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE: `m3f2` ⇒ x", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE: #m3f2 -> x", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE: id: m3f2 -> x", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE: idea1 -> x", [replace("idea1", "x")]),
        ("MEMORY_REPLACE: m3f2-9_a -> x", [replace("m3f2-9_a", "x")]),
        ("**MEMORY_REPLACE: m3f2 -> x**", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE: [m3f2] likes tea -> likes jam", [replace("m3f2", "likes jam")]),
        ("MEMORY_REPLACE [m3f2]: x", [replace("m3f2", "x")]),
        ("MEMORY_REPLACE [m3f2]: -> x", [replace("m3f2", "x")]),
        (
            "MEMORY_REPLACE: m3f2 -> [decision, 0.9] x",
            [replace("m3f2", "x", category="decision", importance=0.9)],
        ),
        ("MEMORY_REPLACE: m3f2 ->\n  x\n  y", [replace("m3f2", "x y")]),
        ("MEMORY_FORGET: m3f2", [forget("m3f2")]),
        ("- **memory_forget:** `m3f2`.", [forget("m3f2")]),
        ("MEMORY_FORGET: [m3f2]", [forget("m3f2")]),
        ("MEMORY_FORGET: [m3f2] likes tea", [forget("m3f2")]),
        ("MEMORY_FORGET: m3f2 (outdated)", [forget("m3f2")]),
        ("MEMORY_FORGET: m3f2 - she moved", [forget("m3f2")]),
        ("MEMORY_FORGET: m1, [m2] and #m3", [forget("m1"), forget("m2"), forget("m3")]),
        ("MEMORY_FORGET [m3f2]: outdated", [forget("m3f2")]),
        ("MEMORY_FORGET:", []),
        ("MEMORY_REPLACE:  ", []),
    ],
)
def test_replace_and_forget_name_the_fact_they_mean(line: str, expected: list[Directive]) -> None:
    parsed = parse(line)
    assert list(parsed.directives) == expected
    assert parsed.visible == "" and parsed.refused == ()


@pytest.mark.parametrize(
    "line",
    [
        "MEMORY_REPLACE: Deploys moved to Mondays",
        "MEMORY_REPLACE: the old fact -> the new fact",
        "MEMORY_REPLACE: m1, m2 -> x",
        "MEMORY_REPLACE: m3f2 ->",
        "MEMORY_REPLACE: -> x",
        "MEMORY_FORGET: the fact about tea",
        "MEMORY_FORGET: everything that I said",
        "MEMORY_FORGET: m1, the other one",
        "MEMORY_UPDATE: " + "x" * (FACT_LIMIT + 1),
        "MEMORY_REPLACE: m3f2 -> " + "x" * (FACT_LIMIT + 1),
        'MEMORY_UPDATE: {"fact": "' + "x" * (FACT_LIMIT + 1) + '"}',
        "MEMORY_UPDATE: " + "x" * 1_000_000,
    ],
    ids=lambda line: line[:40],
)
def test_what_is_not_safe_to_do_is_refused_with_a_message(line: str) -> None:
    parsed = parse(line + "\nBye")
    assert parsed.directives == ()
    assert len(parsed.refused) == 1 and len(parsed.refused[0]) < 200
    assert parsed.visible == "Bye"


def test_a_fact_as_long_as_the_limit_is_stored_whole() -> None:
    assert parse("MEMORY_UPDATE: " + "x" * FACT_LIMIT).directives == (fact("x" * FACT_LIMIT),)


@pytest.mark.parametrize(
    "text",
    [
        "I write MEMORY_UPDATE: lines",
        "Noted! MEMORY_UPDATE: likes tea",
        "`MEMORY_UPDATE: x`",
        "``MEMORY_UPDATE: x``",
        "```MEMORY_UPDATE: x```",
        "- `MEMORY_UPDATE: x`",
        "Use `MEMORY_UPDATE: x` for that",
        "> MEMORY_UPDATE: x",
        "  > - MEMORY_UPDATE: x",
        "- > MEMORY_UPDATE: x",
        "> ```\n> MEMORY_UPDATE: x\n> ```",
        "```\nMEMORY_UPDATE: x\nprint(1)\n```",
        "```\nprint(1)\n\nMEMORY_UPDATE: x\n```",
        "```\n\nMEMORY_UPDATE: x\n# comment",
        "```\n> MEMORY_UPDATE: x\n```",
        "```\n    MEMORY\n```",
        "```\n  indented\nMEMORY_UPDATE: x\n```",
        "~~~py\nMEMORY_UPDATE: x\n```\ny\n~~~",
        "````\n```\nMEMORY_UPDATE: x\n```\n````",
        "```\nMEMORY_UPDATE: x\n```` not closing",
        "- ```\n  MEMORY_UPDATE: x\n  y\n  ```",
        "```\n<think>\nMEMORY_UPDATE: x\n```",
        "```\n```",
        "MEMORY_UPDATE",
        "MEMORY_UPDATES: x",
        "MEMORY_UPDATE lines are hidden",
        "MEMORY_UPDATE [a] b: x",
        "MEMORY UPDATE: x",
        "XMEMORY_UPDATE: x",
        "'MEMORY_UPDATE: x'",
        "| MEMORY_UPDATE: x |",
        "<!-- MEMORY_UPDATE: x -->",
        "[MEMORY_UPDATE: x](y)",
        "-" * 81 + "MEMORY_UPDATE: x",
        "Memories\n- of\n1. tea\n12 a\n[x\n[ ] b\n***\n`` a\n~~b~~\n#",
        "a\n\n\n\nb  \nc\t\n    d",
        "Type `<think>` or `</think>` here",
        "a <b>c</b> <thin> < think",
        "a </think> b",
        "mixed\r\nline\rends\u2028here\x85and\nthere",
    ],
)
def test_other_text_is_shown_byte_for_byte_and_writes_nothing(text: str) -> None:
    parsed = parse(text)
    assert parsed.visible == text
    assert parsed.directives == () and parsed.refused == ()


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("<think>MEMORY_UPDATE: x</think>Hi", "Hi"),
        ("<think>\nMEMORY_UPDATE: x\n</think>\n\nHi", "Hi"),
        ("  <THINKING >\nMEMORY_UPDATE: x\n</ Thinking>\n\nHi", "Hi"),
        ('<reasoning effort="high">\nMEMORY_UPDATE: x\n</reasoning>\nHi', "Hi"),
        ("<think>\nMEMORY_UPDATE: x", ""),
        ("Hi\n\n<think>\nMEMORY_UPDATE: x\n", "Hi"),
        ("Hi\n\n<think>\nMEMORY_UPDATE: x\n</think>\n\nBye", "Hi\n\nBye"),
        ("Hi <think>\nMEMORY_UPDATE: x\n</think>\nBye", "Hi \nBye"),
        ("Hi <think>MEMORY_UPDATE: x</think> Bye", "Hi  Bye"),
        ("<think>```</think>\nHi", "Hi"),
        ("<think>a <think> b</think>Hi", "Hi"),
    ],
)
def test_reasoning_is_invisible_and_writes_nothing(text: str, visible: str) -> None:
    parsed = parse(text)
    assert parsed.visible == visible
    assert parsed.directives == ()


def test_the_answer_after_reasoning_may_write() -> None:
    parsed = parse("<think>\nMEMORY_UPDATE: x\n</think>MEMORY_UPDATE: likes tea\nHi")
    assert (parsed.visible, parsed.directives) == ("Hi", (TEA,))


def test_a_reasoning_tag_that_a_sentence_mentions_hides_no_text() -> None:
    parsed = parse("The <think> tag is\nMEMORY_UPDATE: x\nfrom a template.")
    assert parsed.visible == "The <think> tag is\nfrom a template."
    assert parsed.directives == () and len(parsed.refused) == 1


@pytest.mark.parametrize("close", ["\n</think>\n\n", "</think>\n\n"])
def test_lines_before_a_lone_closing_tag_were_reasoning(close: str) -> None:
    parsed = parse(f"MEMORY_UPDATE: x\nso yes{close}Hi\nMEMORY_UPDATE: likes tea")
    assert parsed.visible == "so yes\n\nHi"
    assert parsed.directives == (TEA,) and len(parsed.refused) == 1


def test_a_tag_cannot_glue_a_marker_together_on_the_screen() -> None:
    parsed = parse("MEMORY_<think>x</think>UPDATE: likes tea")
    assert (parsed.visible, parsed.directives) == ("", (TEA,))


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("A\nD\nB", "A\nB"),
        ("A\n\nD\nB", "A\n\nB"),
        ("A\nD\n\nB", "A\n\nB"),
        ("A\n\nD\n\nB", "A\n\nB"),
        ("A\n\nD\n\nD\n\nD\n\n\nB", "A\n\n\nB"),
        ("D\n\nA\n\nD\n\n", "A"),
        ("D\n\n    A", "    A"),
        ("A  \n \nD\n\nB", "A  \n \nB"),
        ("A\r\n\r\nD\r\n\r\nB\r\n", "A\r\n\r\nB"),
        ("A\n```\nD\nD\n```\nB", "A\nB"),
        ("A\nD\n> q\nD\n```\nc\n```", "A\n> q\n```\nc\n```"),
        ("A\n\n", "A"),
        ("\n\nA", "A"),
        (" \n\t\n", ""),
    ],
)
def test_no_blank_lines_pile_up_where_directives_were(text: str, visible: str) -> None:
    assert parse(text.replace("D", "MEMORY_UPDATE: likes tea")).visible == visible


@pytest.mark.parametrize(
    ("text", "visible", "directives"),
    [
        ("Hi\nMEMORY_UPDATE: likes tea\n", "Hi", [TEA]),
        ("Hi\nMEMORY_UPDATE: likes tea\r", "Hi", [TEA]),
        ("Hi\nMEMORY_UPDATE: likes tea", "Hi", []),
        ("Hi\nMEMORY_UPDATE: likes tea\nMEMORY_UPDATE: is all", "Hi", [TEA]),
        ("Hi\nMEMORY_UPDATE: is allergic to\n  pea", "Hi", []),
        ("Hi\nMEMORY_UPDATE: likes tea\n  ", "Hi", [TEA]),
        ("Hi\nMEMORY_UPDATE: likes tea\nAnd th", "Hi\nAnd th", [TEA]),
        ("Hi\nMEMORY_UP", "Hi", []),
        ("Hi\n- **MEM", "Hi", []),
        ("Hi\nmemory_", "Hi", []),
        ("Hi\nMEMORY_UPDATE [decision, 0.", "Hi", []),
        ("Hi\nmem", "Hi", []),
        ("Hi\nMy mem", "Hi\nMy mem", []),
        ("Hi\n```\nMEMORY_UPDATE: likes tea\n1", "Hi", []),
        ("Hi\n- ", "Hi\n- ", []),
        ("Hi\n```\nMEMORY_UPDATE: likes tea\n```", "Hi", [TEA]),
        ("Hi\n```\nMEMORY_UPDATE: likes tea\n", "Hi", []),
        ("Hi\n```\nMEMORY_UPDATE: likes", "Hi", []),
        ("Hi\n```\nprint", "Hi\n```\nprint", []),
        ("Hi\n```", "Hi\n```", []),
        ("Hi <think>so MEMORY_UPDATE: x\n", "Hi ", []),
        ("Hi <thi", "Hi ", []),
        ("a <", "a <", []),
    ],
)
def test_a_cut_reply_writes_only_terminated_lines_and_shows_no_half_directive(
    text: str, visible: str, directives: list[Directive]
) -> None:
    parsed = parse(text, terminated=False)
    assert parsed.visible == visible
    assert list(parsed.directives) == directives


def test_a_line_lost_to_a_cut_is_told() -> None:
    assert parse("MEMORY_UPDATE: likes", terminated=False).refused
    assert parse("```\nMEMORY_UPDATE: likes tea\n", terminated=False).refused
    assert not parse("MEMORY_UPDATE: likes tea\n", terminated=False).refused


def test_control_characters_neither_reach_the_screen_nor_hide_a_marker() -> None:
    parsed = parse("a\x1b[31m\x07b\0\tc \ud83d\n\x08MEMORY\x1c_UPDATE: likes tea")
    assert (parsed.visible, parsed.directives) == ("a[31mb\ufffd\tc \ufffd", (TEA,))


def test_a_reply_of_directives_only_has_a_text_to_show_instead() -> None:
    assert GOT_IT == "Got it. I'll remember that."
    assert parse("MEMORY_UPDATE: likes tea\n\n").visible == ""


@pytest.mark.parametrize(
    ("fed", "shown"),
    [
        ("H", "H"),
        ("Hello wor", "Hello wor"),
        ("Hello\nMy", "Hello\nMy"),
        ("Hello\nM", "Hello"),
        ("Hello\nMEMORY_UPDATE: likes", "Hello"),
        ("Hello\nMEMORY_UPDATE: likes tea\nGoo", "Hello\nGoo"),
        ("- item", "- item"),
        ("**bold", "**bold"),
        ("# Title", "# Title"),
        ("```python\nd", "```python\nd"),
        ("```python\nMEMORY_UPDATE: x", ""),
        ("`code", "`code"),
        ("```inline``` text", "```inline``` text"),
        ("> quote", "> quote"),
        ("a < b", "a < b"),
        ("a <", "a "),
        ("a <b", "a <b"),
        ("a <thi", "a "),
        ("a <thing", "a <thing"),
        ("a\n\n", "a"),
    ],
)
def test_ordinary_text_is_shown_as_soon_as_it_cannot_be_hidden_any_more(
    fed: str, shown: str
) -> None:
    for chunks in ([fed], list(fed)):
        splitter = Splitter()
        assert "".join(splitter.feed(chunk) for chunk in chunks) == shown


HOSTILE = {
    "one line": "x",
    "backticks": "`",
    "tildes": "~",
    "backticks in a line": "a ` `` ",
    "brackets": "MEMORY_UPDATE [[[[",
    "open tags": "a <think> ",
    "closed tags": "`` a <think>x</think>",
    "angles": "<",
    "spaces": " ",
    "newlines": "\n",
    "marks": "- ",
    "markers on a line": "MEMORY_UPDATE: a ",
    "markers": "MEMORY_UPDATE: a\n",
    "json": 'MEMORY_UPDATE: {"a": "',
    "fences": "```\nMEMORY_UPDATE: a\n```\n",
    "open fence": "```\nMEMORY_UPDATE: a\n",
    "arrows": "MEMORY_REPLACE:        a ",
    "stray closers": "</think>\nMEMORY_UPDATE: a\n",
}


@pytest.mark.parametrize("chunk", [1, 1_000_000])
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_hostile_answers_cost_linear_work(unit: str, chunk: int) -> None:
    """Counts calls, Python's and C's, so that the outcome does not depend on the machine."""

    def calls(size: int) -> int:
        text = (unit * (size // len(unit) + 1))[:size]
        count = 0

        def note(*_: object) -> None:
            nonlocal count
            count += 1

        splitter = Splitter()
        sys.setprofile(note)
        try:
            for start in range(0, size, chunk):
                splitter.feed(text[start : start + chunk])
            splitter.close()
        finally:
            sys.setprofile(None)
        return count

    assert calls(10_000) < 2.6 * calls(5_000) + 1_000
