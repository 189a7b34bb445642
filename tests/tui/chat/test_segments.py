"""Where a streamed text is cut, and that the cut does not show."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from nosis.tui.segments import FENCE_LIMIT, HARD_LIMIT, SOFT_LIMIT, Segmenter

PARAGRAPH = "the plan is to move billing over before Friday " * 4 + "\n\n"


def cut(text: str, step: int = 7) -> list[str]:
    """The segments of a text that streams in pieces of ``step`` characters."""
    segmenter, segments = Segmenter(), [""]
    for at in range(0, len(text), step):
        for piece in segmenter.feed(text[at : at + step]):
            if piece.new:
                segments.append("")
            segments[-1] += piece.text
    return segments


def test_prose_is_cut_between_paragraphs_and_nothing_is_lost() -> None:
    text = PARAGRAPH * 40
    segments = cut(text)
    assert "".join(segments) == text and len(segments) > 4
    assert all(segment.endswith("\n\n") for segment in segments[:-1])
    assert max(map(len, segments)) < SOFT_LIMIT + len(PARAGRAPH)


def test_code_is_closed_and_opened_again_with_its_language() -> None:
    code = "".join(f"value_{n} = compute({n})\n" for n in range(400))
    segments = cut(f"Look:\n\n```python\n{code}```\n")
    assert len(segments) > 3
    for segment in segments:
        assert segment.count("```") % 2 == 0 and len(segment) < FENCE_LIMIT + 100
    assert all(segment.startswith("```python\n") for segment in segments[1:])
    inside = [re.sub(r"^```.*\n", "", part, flags=re.MULTILINE) for part in segments]
    assert code in "".join(inside)


def test_a_fence_is_not_cut_just_before_its_end() -> None:
    opening = "```python\n"
    code = "x = 1\n" * -((len(opening) - FENCE_LIMIT) // 6)  # its last line reaches the limit
    for step in (1, 2, 5, 1000):
        assert cut(f"{opening}{code}```\nafter\n", step) == [f"{opening}{code}```\nafter\n"]


def test_marks_inside_a_longer_fence_do_not_end_it() -> None:
    inner = "```\ncode\n```\n" * 300
    segments = cut(f"````md\n{inner}````\n")
    assert all(part.startswith("````md\n") for part in segments)
    assert all(part.rstrip().endswith("````") for part in segments)


def test_a_table_goes_on_under_its_head() -> None:
    head = "| step | who |\n|---|:--|\n"
    rows = "".join(f"| {n} | somebody with a long name |\n" for n in range(300))
    segments = cut(head + rows)
    assert len(segments) > 2 and all(segment.startswith(head) for segment in segments)


def test_a_list_is_kept_together_until_it_is_very_long() -> None:
    text = "Points:\n\n" + "- one point that takes some room\n\n" * 80
    segments = cut(text)
    assert "".join(segments) == text and len(segments[0]) > SOFT_LIMIT


def test_one_endless_line_is_cut_at_a_space() -> None:
    text = "word " * 6_000
    segments = cut(text)
    assert "".join(segments) == text
    assert max(map(len, segments)) <= 2 * HARD_LIMIT + 20
    assert all(segment.endswith(" ") for segment in segments)


@given(
    st.lists(
        st.sampled_from(
            ["```\n", "~~~py\n", "text ", "\n", "| a | b |\n", "|-|-|\n", "- x\n", "é" * 900, "`"]
        ),
        max_size=60,
    ),
    st.integers(1, 40),
)
def test_chunks_do_not_matter_outside_of_cuts(parts: list[str], step: int) -> None:
    text = "".join(parts)
    whole = Segmenter()
    assert "".join(cut(text, step)).replace("`", "").count("é") == text.count("é")
    pieces = [piece for line in text.splitlines(keepends=True) for piece in whole.feed(line)]
    assert "".join(piece.text for piece in pieces).count("é") == text.count("é")
