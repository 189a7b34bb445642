"""Text to search terms: one function for what is stored and for what is asked."""

from __future__ import annotations

import re
import unicodedata

VERSION = 1
"""Raised whenever ``terms`` answers differently, so that stores rebuild their words index."""


def terms(text: str) -> list[str]:
    """The search terms of a text, in order."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
