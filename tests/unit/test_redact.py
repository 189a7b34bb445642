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
    "sk-ant-api03-abcDEF123456789_abcDEF123456789",
    "sk_live_51H8xkLJ2eZvKYlo2Cabcdefgh",
    "github_pat_11ABCDEFG0abcdefghijkl_ABCDEFGHIJKLMN",
    "glpat-xYz12AbCdEfGhIjKlMnO",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "https://discord.com/api/webhooks/123456/abcDEF-ghi",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "GOCSPX-abcdefghijklmnopqrstuv",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEF12",
    "gsk_abcdefghijklmnopqrstuvwxyzABCDEF12",
    "dop_v1_a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4",
    "dckr_pat_abcdefghijklmnopqrstuvwxyz",
    "hvs.CAESIJabcdefghijklmnopqrstuvw",
    "shpat_0123456789abcdef0123456789abcdef",
    "SG.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc",
    "SK0123456789abcdef0123456789abcdef",
    "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBG\n-----END PGP PRIVATE KEY BLOCK-----",
    "378282246310005",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_replaced_and_the_words_around_it_stay(secret: str) -> None:
    shown = redact(f"Please keep {secret} for me")
    assert secret not in shown
    assert shown.startswith("Please keep ") and shown.endswith(" for me")
    assert "[redacted" in shown


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    "around", ["{}", "{}.", "({})", "“{}”, yes", "{}\nand more", "钥匙是{}", "é{}é", "is：{}。"]
)
def test_what_stands_around_a_secret_does_not_hide_it(secret: str, around: str) -> None:
    assert secret not in redact(around.format(secret))


@pytest.mark.parametrize("between", ["\u200b", "\u00ad", "\ufe0f", "\u2060"])
def test_no_disguise_hides_a_secret(between: str) -> None:
    secret = SECRETS[0]
    wide = "".join(chr(ord(c) + 0xFEE0) for c in secret)
    assert redact(f"Keep {secret[:12]}{between}{secret[12:]}!") == redact(f"Keep {secret}!")
    assert redact(f"Keep {wide} please") == redact(f"Keep {secret} please")
    assert redact(f"Tee，bitte 👩{between}👧") == f"Tee，bitte 👩{between}👧"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("my password is Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("API_KEY=abc123def", "abc123def"),
        ("the pin for the safe is 4711", "4711"),
        ("postgres://ada:s3cret@db/x", "s3cret"),
        ("aws_secret_access_key=wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI"),
        ("DB_PASSWORD=hunter", "hunter"),
        ('{"password": "hunter2 and more"}', "and more"),
        ("password is 'correct horse battery'", "battery"),
        ("password: Tr0ub'4dor", "4dor"),
        ("Passwort: Tr0ub4dor", "Tr0ub4dor"),
        ("我的密码是Tr0ub4dor", "Tr0ub4dor"),
        ("x-api-key: 8f14e45fceea167a", "8f14e45fceea167a"),
        ("AccountKey=Eby8vdM02xNOcqFlqUwJ", "Eby8vdM02xNOcqFlqUwJ"),
        ("client_secret: 8f14e45fceea", "8f14e45fceea"),
        ("Authorization: Basic YWRhOmh1bnRlcjI4OQ==", "YWRhOmh1bnRlcjI4OQ"),
        ("redis://:s3cret@cache:6379", "s3cret"),
        ("my seed phrase is " + "abandon ability able about " * 3, "ability"),
        ("AUTHORIZATION: BEARER abcdef0123456789abcdef", "abcdef0123456789abcdef"),
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
        "max_tokens: 8192 and tokens = 4k",
        "Version 4111111111111111.2 is long",
        "The secret is out; the token is gone.",
        "My spin is 4711 rounds long, my pins are red",
        "密码是什么？",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact(text) == text
