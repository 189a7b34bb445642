"""What must hold of every answer, however it is cut into chunks."""

from __future__ import annotations

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
    "likes tea", "x", "Ada", "Hello.", "\ud83d", "\ude00", "\0", "é", "\u200b", "\ufeff",
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
    pieces = [text[start:end] for start, end in zip(edges, edges[1:], strict=False)]
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
