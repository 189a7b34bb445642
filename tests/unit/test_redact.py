"""Secrets never reach a file; ordinary numbers and words stay."""

import pytest

from nosis.memory.redact import redact

SECRETS = [
    "sk-proj-abcDEF1234567890abcDEF",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    "xoxb-123456789012-abcdefghij",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmn",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "4111 1111 1111 1111",
    "5500-0000-0000-0004",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_replaced_and_the_words_around_it_stay(secret: str) -> None:
    shown = redact(f"Please keep {secret} for me")
    assert secret not in shown
    assert shown.startswith("Please keep ") and shown.endswith(" for me")
    assert "[redacted" in shown


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("API_KEY=abc123def", "abc123def"),
        ("the pin for the safe is 4711", "4711"),
        ("postgres://ada:s3cret@db/x", "s3cret"),
        ("Authorization: Bearer abcdef0123456789abcdef", "abcdef0123456789abcdef"),
    ],
)
def test_a_labelled_secret_is_replaced(text: str, secret: str) -> None:
    assert secret not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "the password is wrong",
        "my token is broken, I think",
        "Call +49 170 1234567890 after 17:00",
        "Order 4111111111111112 arrived",
        "Version 1.2.3 of 2026-11-30",
        "I keep secrets well",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact(text) == text
