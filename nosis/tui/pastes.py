"""Big pastes: a short mark stands in the prompt, the text itself is sent as material."""

from __future__ import annotations

import re

from nosis.memory.text import clean

MAX_BYTES = 2 * 1024 * 1024  # of one paste
MIN_LINES = 8  # fewer lines, and fewer characters, go into the prompt as they are
MIN_CHARACTERS = 1_000
_MARK = re.compile(r"\[pasted [^\]\n]{1,40}\]")


class Pastes:
    """The pasted texts of this run, by the mark that stands for each."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def collapse(self, text: str) -> str:
        """What to insert into the prompt: the text itself, or a mark if it is long."""
        text = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
        lines = text.count("\n") + (not text.endswith("\n"))
        if lines < MIN_LINES and len(text) < MIN_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        mark, number = f"[pasted {size}]", 1
        while self._texts.get(mark, text) != text:
            number += 1
            mark = f"[pasted {size} #{number}]"
        self._texts[mark] = text
        return mark

    def material(self, prompt: str) -> str:
        """The texts whose marks stand in a prompt, each once, in order."""
        marks = [m for m in dict.fromkeys(_MARK.findall(prompt)) if m in self._texts]
        if len(marks) == 1:
            return self._texts[marks[0]]
        return "\n\n".join(f"{mark}\n{self._texts[mark]}" for mark in marks)

    def expand(self, prompt: str) -> str:
        """A prompt with the texts in place of their marks."""
        return _MARK.sub(lambda mark: self._texts.get(mark[0], mark[0]), prompt)
