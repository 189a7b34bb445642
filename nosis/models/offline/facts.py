"""What the rules find in a message: a fact, and how it is written as a directive."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_CHARS = 400  # a longer "fact" is a paragraph that the turn itself already keeps


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement about the user, in the third person, or the value of a core field."""

    text: str
    field: str | None = None  # name, role, company, preference
    category: str | None = None
    importance: float = 0.5

    def directive(self, replaces: str | None = None) -> str:
        """The line that files it; ``replaces``: the id of the fact that it contradicts."""
        if replaces:
            return f"MEMORY_REPLACE: {replaces} -> {self.sentence()}"
        if self.field:
            return f"MEMORY_UPDATE: {self.field}: {self.text}"
        mark = f"[{self.category}, {self.importance}] " if self.category else ""
        return f"MEMORY_UPDATE: {mark}{self.text}"

    def sentence(self) -> str:
        """The fact as a sentence about the user, whatever it is filed as."""
        return core_sentence(self.field, self.text) if self.field else self.text


def core_sentence(field: str, value: str) -> str:
    """A core field as a sentence: ``name: Ada`` → "The user's name is Ada"."""
    if field == "company":
        return f"The user works at {value}"
    if field == "role":
        return f"The user is {_article(value)}{value}"
    if field == "preference":
        return f"The user {value}" if _VERB_FIRST.match(value) else f"The user prefers {value}"
    return f"The user's {field} is {value}"


def _article(role: str) -> str:
    first = role.split(" ", 1)[0]
    if (
        first.lower() in ("head", "director", "chief", "vp", "a", "an", "the", "lead")
        or first.isupper()
    ):
        return ""
    return "an " if first[0].lower() in "aeiou" else "a "


_VERB_FIRST = re.compile(
    r"(?:really |strongly )?(?:prefers|likes|loves|hates|dislikes|enjoys|adores|wants|uses|does|is|"
    r"has|cannot|would|detests|loathes|despises|avoids|needs|favours|favors|fancies)\b",
    re.IGNORECASE,
)


def tidy(text: str) -> str | None:
    """Text that is safe as one directive line, or None if it is none worth filing."""
    text = re.sub(r"\s+", " ", text).strip(" .,;:!-–—")
    text = text.replace("->", "to").lstrip("[*#->`")
    # "word: …" at the start would be read as a field of core memory.
    text = re.sub(r"^([\w' -]{1,30}):\s", r"\1 - ", text)
    if not 3 <= len(text) <= MAX_CHARS or "memory_" in text.lower():
        return None
    return text
