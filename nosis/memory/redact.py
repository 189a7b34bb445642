"""Secrets are taken out of a text before any file is written."""

from __future__ import annotations

import re

# Each pattern is the issuer's own documented shape, or a secret that its label gives away.
_SECRETS = [
    (
        "private key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    ),
    ("token", r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"),  # JWT
    ("API key", r"\bsk-(?:proj-|ant-|or-|live-|test-)?[A-Za-z0-9_-]{16,}"),
    ("API key", r"\b(?:sk|pk|rk|whsec)_(?:live|test)?_?[A-Za-z0-9]{16,}"),
    ("access key", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    ("token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,})"),
    ("token", r"\bxox[abprs]-[\w-]{10,}"),
    ("API key", r"\bAIza[\w-]{35}"),
    ("token", r"\bhf_[A-Za-z0-9]{30,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{40,}"),
    ("password", r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"),
    ("token", r"(?<=[Bb]earer )[\w.~+/-]{16,}=*"),
]
_LABELLED = re.compile(
    r"(?i)\b((?:pass(?:word|wd|phrase|code)|secret(?: key)?|api[ _-]?key|access[ _-]?key|"
    r"auth[ _-]?token|token|pin(?: code)?)s?\b(?:\s+(?:for|to|of)\s+[\w'’ -]{1,40}?)?"
    r"\s*(?:is|are|=|:)\s*)(['\"“]?)([^\s'\"”]{4,})"
)
_CARD = re.compile(r"(?<![\d.])(?:\d[ -]?){12,18}\d(?![\d.])")
_PATTERN = re.compile(
    "|".join(f"(?P<s{i}>{p})" for i, (_, p) in enumerate(_SECRETS)),
    re.DOTALL,
)
_ORDINARY = re.compile(r"[a-z]+[.,;!?]?")  # "the password is wrong" holds no secret


def redact(text: str) -> str:
    """The text with each secret replaced by ``[redacted KIND]``."""
    text = _PATTERN.sub(lambda m: f"[redacted {_SECRETS[int(m.lastgroup[1:])][0]}]", text)  # type: ignore[index]
    text = _LABELLED.sub(_labelled, text)
    return _CARD.sub(lambda m: "[redacted card number]" if _is_card(m.group()) else m.group(), text)


def _labelled(match: re.Match[str]) -> str:
    label, quote, value = match.groups()
    if value.startswith("[redacted") or (not quote and _ORDINARY.fullmatch(value)):
        return match.group()
    return f"{label}{quote}[redacted secret]"


def _is_card(text: str) -> bool:
    """Luhn's check over 13 to 19 digits (ISO/IEC 7812)."""
    digits = [int(c) for c in text if c.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = [d * 2 - 9 if d > 4 else d * 2 for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
