"""Secrets are taken out of a text before any file is written."""

from __future__ import annotations

import re
import unicodedata

from nosis.memory.text import INVISIBLE

# Each pattern is the issuer's own documented shape, or a secret that its label gives away.
_SECRETS = [
    (
        "private key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    ("private key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    ("token", r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"),  # JWT
    ("API key", r"\bsk-(?:proj-|ant-|or-|live-|test-)?[A-Za-z0-9_-]{16,}"),
    ("API key", r"\b(?:sk|pk|rk|whsec)_(?:live|test)?_?[A-Za-z0-9]{16,}"),
    ("access key", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    ("token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|gl[a-z]{2,4}-[\w-]{20,})"),
    ("token", r"\b(?:xox[abeprs]|xapp)-[\w-]{10,}"),
    ("address", r"https://hooks\.slack\.com/[\w/-]{20,}"),
    ("address", r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]+"),
    ("API key", r"\bAIza[\w-]{35}|\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}"),  # Google
    ("token", r"\bhf_[A-Za-z0-9]{30,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{40,}"),
    ("API key", r"\b(?:gsk_|r8_|xai-|pplx-)[A-Za-z0-9]{30,}"),  # other model servers
    ("token", r"\bdo[opr]_v1_[0-9a-f]{64}|\bdckr_pat_[\w-]{20,}|\bhvs\.[\w-]{24,}"),
    ("token", r"\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}|\bdapi[0-9a-f]{32}\b"),
    ("API key", r"\bSG\.[\w-]{16,}\.[\w-]{16,}|\bSK[0-9a-f]{32}\b|\bkey-[0-9a-f]{32}\b"),
    ("token", r"\b\d{8,10}:AA[\w-]{32,}"),  # Telegram
    ("password", r"(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"),
    ("token", r"(?<=(?i:bearer) )[\w.~+/-]{16,}=*"),
    ("password", r"(?<=(?i:basic) )[A-Za-z0-9+/]{16,}=+"),
]
_LABELLED = re.compile(
    r"(?i)((?:pass(?:word|wd|phrase|code)|passwort|kennwort|contraseña|mot de passe|senha|"
    r"wachtwoord|пароль|密码|密碼|パスワード|비밀번호|"
    r"(?:client[ _-]?)?secret(?:[ _-]?(?:access[ _-]?)?key)?|api[ _-]?key|"
    r"(?:access|account|auth|private|encryption)[ _-]?key|auth[ _-]?token|token|"
    r"(?<![^\W_])pin(?: code)?)s?(?![a-z])"
    r"(?:\s+(?:for|to|of)\s+[\w'’ -]{1,40}?)?[\"']?"
    r"\s*(?P<sign>\b(?:is|are|ist|es|est)\b|[=:\uff1a是は])\s*)"
    r"(?:(?P<open>[\"'“])(?P<quoted>[^\"'”\n]{4,})|(?P<plain>[^\s\"'“]\S{3,}))"
)
_WORDS = re.compile(
    r"(?i)\b((?:seed|recovery|mnemonic)(?:\s+(?:phrase|words))?\s*(?:is|are|=|:)\s*)"
    r"(?:[a-z]{3,8}[\s,]+){11,23}[a-z]{3,8}"
)
_CARD = re.compile(r"(?<!\d)(?<!\d\.)(?:\d[ -]?){12,18}\d(?!\d|\.\d)")
_PATTERN = re.compile(
    "|".join(f"(?P<s{i}>{p})" for i, (_, p) in enumerate(_SECRETS)),
    re.DOTALL | re.ASCII,  # ASCII: no letter of another script hides what it stands before
)
_ORDINARY = re.compile(r"[a-z]+[.,;!?]?")  # "the password is wrong" holds no secret
_COUNT = re.compile(r"[\d.,kKM]+")  # "tokens: 4096" neither


def redact(text: str) -> str:
    """The text with each secret replaced by ``[redacted KIND]``.

    A secret that invisible or full-width characters disguise is found too; such a text is then
    kept in its plain spelling (NFKC).
    """
    shown = _redact(text)
    if shown.isascii():
        return shown
    plain = unicodedata.normalize("NFKC", INVISIBLE.sub("", shown))
    found = _redact(plain)
    return shown if found == plain else found


def _redact(text: str) -> str:
    text = _PATTERN.sub(lambda m: f"[redacted {_SECRETS[int(m.lastgroup[1:])][0]}]", text)  # type: ignore[index]
    text = _LABELLED.sub(_labelled, text)
    text = _WORDS.sub(r"\1[redacted secret]", text)
    return _CARD.sub(lambda m: "[redacted card number]" if _is_card(m.group()) else m.group(), text)


def _labelled(match: re.Match[str]) -> str:
    label, quote, value = match[1], match["open"] or "", match["quoted"] or match["plain"]
    count = label.lower().startswith("token") and _COUNT.fullmatch(value)
    ordinary = match["sign"] != "=" and not quote and _ORDINARY.fullmatch(value)
    if value.startswith("[redacted") or ordinary or count:
        return match.group()
    return f"{label}{quote}[redacted secret]"


def _is_card(text: str) -> bool:
    """Luhn's check over 13 to 19 digits (ISO/IEC 7812)."""
    digits = [int(c) for c in text if c.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    doubled = [d * 2 - 9 if d > 4 else d * 2 for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
