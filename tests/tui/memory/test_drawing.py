"""Words and drawings hold for every input: safe, of the right width, never a crash."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from nosis.memory.types import Category, Entry, Kind, Origin, Recollection, Status
from nosis.tui.memory import drawing, words
from nosis.tui.memory.happenings import happenings

anything = st.text(st.characters(), max_size=60)
entries = st.builds(
    Entry,
    id=anything,
    kind=st.sampled_from(Kind),
    text=anything,
    status=st.sampled_from(Status),
    category=st.sampled_from([None, *Category]),
    importance=st.floats(0, 1),
    pinned=st.booleans(),
    origin=st.sampled_from(Origin),
    role=st.sampled_from([None, "user", "assistant"]),
    speaker=st.none() | anything,
    reason=st.none() | anything,
    session=st.none() | anything,
    created_at=st.floats(-1e15, 1e15),
)


@given(anything)
def test_shown_text_holds_nothing_that_acts_on_a_terminal(text: str) -> None:
    for character in words.paragraph(text):
        if character not in "\n\u200c\u200d":
            assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    assert "\n" not in words.line(text)


def test_emoji_of_several_parts_stay_whole() -> None:
    assert words.line("👩\u200d🚀 lands") == "👩\u200d🚀 lands"


@given(entries, st.integers(1, 220))
def test_an_entry_takes_one_line_of_at_most_the_width(entry: Entry, width: int) -> None:
    for drawn in (
        drawing.entry_line(entry, width),
        drawing.hit_line(Recollection(entry, 0.5, {}, ("[/x]",)), width),
    ):
        assert "\n" not in drawn.plain
        assert width < 24 or drawn.cell_length <= width


@given(entries, st.floats(0, 1e12))
def test_everything_about_an_entry_can_be_drawn(entry: Entry, now: float) -> None:
    assert drawing.table(drawing.facts_about(entry, now)).plain


@given(st.floats(allow_nan=False), st.integers(1, 60))
def test_a_bar_has_its_width_whatever_the_value(value: float, width: int) -> None:
    assert drawing.bar(value, width).cell_length == width


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40), st.integers(1, 8))
def test_columns_are_full_exactly_at_the_peak(values: list[int], height: int) -> None:
    top = drawing.columns(values, height)[0].plain
    assert len(top) == len(values)
    if max(values):
        assert top[values.index(max(values))] == "█"
    bottom = drawing.columns(values, height)[-1].plain
    assert all((cell == " ") == (value == 0) for cell, value in zip(bottom, values, strict=True))


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_a_diff_holds_every_word_of_the_new_text(old: list[str], new: list[str]) -> None:
    drawn = drawing.diff(" ".join(old), " ".join(new)).plain.replace("+", "").split()
    rest = iter(drawn)
    assert all(word in rest for word in new)


def test_a_diff_shows_what_changed_once() -> None:
    assert drawing.diff("lives in Rome", "lives in Turin").plain == "lives in Rome → Turin"
    assert drawing.diff("a b", "c d").plain == "a b → c d"
    assert drawing.diff("same", "same").plain == "same"


def test_ages_are_never_negative_and_take_the_largest_unit() -> None:
    day = 86_400.0
    said = [
        words.ago(0, seconds) for seconds in (-9, 59, 60, 7_200, day, 8 * day, 70 * day, 800 * day)
    ]
    assert said == [
        *("just now", "just now", "1 minute ago", "2 hours ago", "1 day ago"),
        *("1 week ago", "2 months ago", "2 years ago"),
    ]


@given(
    st.dictionaries(
        st.sampled_from(["type", "at", "id", "text", "set", "was", "field", "value", "ids", "op"]),
        st.none()
        | anything
        | st.integers()
        | st.lists(anything, max_size=2)
        | st.dictionaries(st.sampled_from(["text", "pinned", "x"]), st.none() | anything),
    )
)
def test_no_event_of_a_journal_breaks_its_history(event: dict[str, object]) -> None:
    for kind in (
        "fact",
        "revise",
        "forget",
        "restore",
        "pin",
        "core",
        "purge",
        "turn",
        event.get("type"),
    ):
        whole = {"at": "2026-05-01T00:00:00Z", **event, "type": kind}
        for told in (*happenings([whole]), *happenings([whole], about="m1")):
            assert "\x1b" not in told.text.plain
