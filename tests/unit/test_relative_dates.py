"""Relative dates keep their meaning."""

import pytest

from nosis.memory.relative_dates import with_absolute_dates

SATURDAY_NOON = 1_746_273_600.0  # 2025-05-03 12:00 UTC


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("dentist tomorrow", "dentist tomorrow (2025-05-04)"),
        ("Dentist Tomorrow at 5", "Dentist Tomorrow (2025-05-04) at 5"),
        ("saw Kim yesterday", "saw Kim yesterday (2025-05-02)"),
        ("the day after tomorrow we fly", "the day after tomorrow (2025-05-05) we fly"),
        ("launch next Friday", "launch next Friday (2025-05-09)"),
        ("met last Monday", "met last Monday (2025-04-28)"),
        ("moves next month", "moves next month (2025-06)"),
        ("graduated last year", "graduated last year (2024)"),
        ("holiday next week", "holiday next week (week of 2025-05-05)"),
        ("review in two weeks", "review in two weeks (2025-05-17)"),
        ("started 10 days ago", "started 10 days ago (2025-04-23)"),
        ("back in a month", "back in a month (2025-06)"),
    ],
)
def test_the_absolute_date_stands_beside_the_words(said: str, meant: str) -> None:
    assert with_absolute_dates(said, SATURDAY_NOON) == meant
    assert with_absolute_dates(meant, SATURDAY_NOON + 9e6) == meant  # and is not dated again


@pytest.mark.parametrize(
    "text",
    [
        "deploys on Fridays",
        "likes the Friday market",
        "works every week",
        "wrote today's plan",
        "lasts two weeks",
        "born 1990-05-01",
    ],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert with_absolute_dates(text, SATURDAY_NOON) == text
