"""What recall reads out of a message: whom, when, and whether it has a topic at all."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from nosis.memory.dates import Named, named
from nosis.memory.recall.asked import LONGEST, Asked, brief, has_topic, only_asks, read

TODAY = date(2026, 5, 28)  # a Thursday
NOW = datetime(2026, 5, 28, 12, tzinfo=UTC).timestamp()


def asked(message: str, speakers: tuple[str, ...] = ("Caroline", "Melanie Smith")) -> Asked:
    return read(message, speakers, ("english",), NOW)


@pytest.mark.parametrize(
    "message",
    ["hi", "Hello!", "thanks, great", "how are you doing today?", "ok", "haha", "谢谢", "", "?!"],
)
def test_small_talk_has_no_topic(message: str) -> None:
    assert not has_topic(message)
    assert asked(message).terms == []


@pytest.mark.parametrize(
    "message",
    ["what is my job?", "What do I like?", "where do we meet?", "rex", "Thanks! And the dog?"],
)
def test_questions_about_the_user_have_a_topic_whatever_their_words(message: str) -> None:
    assert has_topic(message)
    assert asked(message).terms


def test_courtesy_beside_a_question_is_not_searched_for() -> None:
    assert asked("Hello, thanks! What is the dog called?").terms == ["dog", "call"]


@pytest.mark.parametrize(
    ("message", "embedded", "speakers"),
    [
        ("When did Caroline move?", "When did I move?", {"caroline"}),
        ("What is Caroline's job?", "What is my job?", {"caroline"}),
        ("what did melanie paint?", "what did I paint?", {"melanie smith"}),
        ("What did Mel paint?", "What did I paint?", {"melanie smith"}),
        ("What car does she drive?", "What car does she drive?", set()),
        (
            "Was hat Caroline für die Reise gekauft?",
            "Was hat  für die Reise gekauft?",
            {"caroline"},
        ),
    ],
)
def test_a_speaker_is_asked_about_in_the_first_person(
    message: str, embedded: str, speakers: set[str]
) -> None:
    found = asked(message)
    assert (found.text, found.speakers) == (embedded, speakers)
    assert "carolin" not in found.terms


@pytest.mark.parametrize(
    ("message", "role"),
    [
        ("Where did I put the keys?", "user"),
        ("What did you recommend?", "assistant"),
        ("What was your advice about the loan?", "assistant"),
        ("What would you suggest for my app?", "user"),  # asks for something new
        ("Which libraries are used?", None),
    ],
)
def test_i_is_the_user_and_you_said_the_assistant(message: str, role: str | None) -> None:
    assert asked(message).role == role


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Can you write a script for this?", True),
        ("how do I bake bread", True),
        ("Can you list what I mentioned about bread?", False),
        ("When did I bake bread?", False),
    ],
)
def test_a_request_is_told_from_a_question_about_the_past(message: str, expected: bool) -> None:
    assert asked(message).request is expected


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("on 2023-05-07", [Named(date(2023, 5, 7), 1)]),
        ("on 7 May 2023", [Named(date(2023, 5, 7), 1)]),
        ("May 7th, 2023", [Named(date(2023, 5, 7), 1)]),
        ("in Feb 2024", [Named(date(2024, 2, 1), 29)]),
        ("in August", [Named(date(2000, 8, 1), 31, yearly=True)]),
        ("since 2022", [Named(date(2022, 1, 1), 365)]),
        ("yesterday", [Named(date(2026, 5, 27), 1)]),
        ("last Monday", [Named(date(2026, 5, 25), 1)]),
        ("last week", [Named(date(2026, 5, 14), 8)]),
        ("two days ago", [Named(date(2026, 5, 26), 1)]),
        ("31 February 2023", []),
        ("she may march", []),
        ("version 2.2023.1 costs 2,023", []),
    ],
)
def test_times_are_read_as_people_write_them(text: str, times: list[Named]) -> None:
    assert list(named(text, TODAY)) == times


def test_nearness_is_whole_within_a_time_and_fades_after_it() -> None:
    may = Named(date(2023, 5, 1), 31)
    days = [date(2023, 4, 30), date(2023, 5, 31), date(2023, 6, 7), date(2023, 6, 30)]
    near = [may.nearness(day) for day in days]
    assert near[:2] == [0, 1] and 0 < near[3] < near[2] < 1
    every_year = Named(date(2000, 2, 29), 1, yearly=True)
    assert every_year.nearness(date(2024, 2, 29)) == 1
    assert every_year.nearness(date(2023, 3, 1)) == 1


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Where did I put my keys?", True),
        ("hmm, what happens if the user clicks twice?", True),
        ("And the dog?", True),
        ("Wo wohnt meine Schwester?", True),
        ("I moved to Turin in May and need a dentist, can you help me find a good one?", False),
        ("My deadline for sprint 2 is April 19. Can you help?", False),
        ("I like tea.", False),
    ],
)
def test_a_question_that_also_tells_something_is_not_only_a_question(text: str, asks: bool) -> None:
    assert only_asks(text) is asks


@pytest.mark.parametrize("filling", [" ", "\n", "x", "é "])
def test_of_a_long_message_beginning_and_end_are_read_whatever_is_between(filling: str) -> None:
    for message in (filling * 9_000, f"my dog{filling * 9_000}", f"{filling * 9_000}my dog"):
        kept = brief(message)
        assert len(kept) <= LONGEST + 1
        assert ("my dog" in kept) == ("my dog" in message)
