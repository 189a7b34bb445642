"""Text from models, people and files made safe to store and to show."""

from __future__ import annotations


def clean(text: str) -> str:
    """NUL and lone surrogates become U+FFFD; other control characters but newline and tab go."""
    text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").replace("\0", "\ufffd")
    return "".join(c for c in text if c in "\n\t" or (ord(c) >= 32 and not 127 <= ord(c) < 160))


def neutralise(text: str) -> str:
    """One line that no parser takes for structure."""
    return " ".join(clean(text).split())
