"""What must hold of every answer, however it is cut into chunks."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from nosis.protocol import Splitter, parse

PIECES = [
    "MEMORY_UPDATE: ", "memory_update:", "MEMORY_", "UPDATE", "MEMORY\\_UPDATE: ", "M", "MEM",
    "MEMORY_FORGET: m3f2", "MEMORY_REPLACE: m3f2 -> ", "MEMORY_UPDATE [decision, 0.9]: ",
    ": ", ":", "[", "]", "[x] ", "(", ")", "{", "}", '{"fact": "a b"}', '"',
    "\n", "\n", "\n", "\r\n", "\r", "\u2028", "\x85", " ", "  ", "    ", "\t",
    "- ", "* ", "1. ", "12", "# ", "**", "__", "_", "*", "•", "---",
    "`", "``", "```", "````", "~~~", "~", "```text", "> ",
    "<think>", "</think>", "<THINKING >", "</ reasoning>", "<", "<thi", "</", ">", "<b>",
    "likes tea", "x", "Ada", "Hello.", "\ud83d", "\ude00", "\0", "é", "\u200b", "\ufeff", "\x07",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def split(chunks: list[str], *, complete: bool) -> tuple[str, Splitter]:
    splitter = Splitter()
    shown = "".join(splitter.feed(chunk) for chunk in chunks)
    return shown + splitter.close(complete), splitter


@settings(max_examples=400, deadline=None)
@given(text=texts, cuts=st.sets(st.integers(0, 200)), complete=st.booleans())
def test_every_chunking_gives_what_the_whole_answer_gives(
    text: str, cuts: set[int], complete: bool
) -> None:
    whole = parse(text, terminated=complete)
    edges = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    for chunks in (pieces, list(text)):
        shown, splitter = split(chunks, complete=complete)
        assert shown == splitter.visible == whole.visible
        assert splitter.directives == whole.directives
        assert splitter.refused == whole.refused


@settings(max_examples=400, deadline=None)
@given(text=texts, complete=st.booleans())
def test_visible_text_parsed_again_writes_nothing(text: str, complete: bool) -> None:
    visible = parse(text, terminated=complete).visible
    again = parse(visible)
    assert again.directives == () and again.refused == ()


SECRET = "zyzzyva"  # stands in every directive and nowhere else
DIRECTIVES = [
    f"MEMORY_UPDATE: {SECRET}",
    f"- **memory_update:** [decision, 0.9] {SECRET}\n  {SECRET}",
    f"MEMORY_UPDATE [importance: 8/10]: {SECRET} MEMORY_FORGET: {SECRET}",
    f"MEMORY_REPLACE: {SECRET} -> {SECRET}",
    f'MEMORY_UPDATE: {{\n  "fact": "{SECRET}"\n}}',
    f"```\nMEMORY_UPDATE: {SECRET}\n\n1. MEMORY_FORGET: {SECRET}\n```",
    f"<think>\n{SECRET}\nMEMORY_UPDATE: {SECRET}\n</think>",
    f"<reasoning>{SECRET}</reasoning>MEMORY_UPDATE: {SECRET}",
]
ORDINARY = [
    "Hello Ada, fine.",
    "- one",
    "# Title",
    "```py\nx = 1\n\ny\n```",
    "> q",
    "a `b` < c",
    "",
]
blocks = st.lists(st.sampled_from(DIRECTIVES + ORDINARY), max_size=10)


@settings(max_examples=200, deadline=None)
@given(blocks=blocks, size=st.integers(1, 9), cut=st.integers(0, 400), complete=st.booleans())
def test_directive_text_is_never_on_the_screen_and_ordinary_text_always_is(
    blocks: list[str], size: int, cut: int, complete: bool
) -> None:
    text = "\n".join([*blocks, ""])
    sent = text if complete else text[:cut]
    shown, _ = split([sent[at : at + size] for at in range(0, len(sent), size)], complete=complete)
    assert not set("zv") & set(shown) and "MEM" not in shown.upper()
    ordinary = [line for block in blocks if block in ORDINARY for line in block.split("\n") if line]
    lines = [line for line in shown.split("\n") if line]
    if complete:
        assert lines == ordinary
    else:
        assert lines[:-1] == ordinary[: max(len(lines) - 1, 0)]


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=80))
def test_text_without_markers_comes_back_but_for_blank_lines_at_its_ends(text: str) -> None:
    parsed = parse(text)
    assert parsed.directives == ()
    assert parsed.visible in text
    assert parsed.visible.strip() == text.strip()


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.sampled_from(["ada", "likes", "tea", "5 < 7", "`x`"]), min_size=1))
def test_every_letter_of_a_line_of_prose_is_shown_at_once(words: list[str]) -> None:
    text = "So, " + " ".join(words)
    splitter = Splitter()
    waiting = ""
    for letter in text:
        shown = splitter.feed(letter)
        waiting += letter
        assert shown in (waiting, "") and (shown == waiting or waiting in ("<", "< "))
        waiting = waiting[len(shown) :]
