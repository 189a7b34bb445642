"""What was typed before: one private file a home, newest last, secrets left out."""

from __future__ import annotations

import json
import os
from pathlib import Path

from nosis.errors import NosisError
from nosis.memory.core import write_private
from nosis.memory.home import make_private
from nosis.memory.redact import redact
from nosis.memory.text import clean

FILE = "history.jsonl"
LIMIT = 1_000
MAX_CHARACTERS = 10_000  # longer inputs are not worth typing again


class InputHistory:
    """Earlier inputs and a place among them, as a shell keeps them."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE
        self._inputs = _read(self._path)
        self._at = len(self._inputs)
        self._draft = ""

    @property
    def inputs(self) -> list[str]:
        """All inputs, oldest first."""
        return list(self._inputs)

    def add(self, text: str) -> None:
        """Keep an input, if it is not the newest one already, and go to the end."""
        text = redact(clean(text)).strip()
        if text and len(text) <= MAX_CHARACTERS and self._inputs[-1:] != [text]:
            self._inputs.append(text)
            self._save(text)
        self.leave()

    def leave(self) -> None:
        """Go back to the end: the next ``older`` gives the newest input."""
        self._at, self._draft = len(self._inputs), ""

    def older(self, current: str) -> str | None:
        """The input before this place; None at the oldest. What is typed now is kept."""
        if self._at == 0:
            return None
        if self._at == len(self._inputs):
            self._draft = current
        self._at -= 1
        return self._inputs[self._at]

    def newer(self) -> str | None:
        """The input after this place, at last what was being typed; None at the end."""
        if self._at >= len(self._inputs):
            return None
        self._at += 1
        return self._draft if self._at == len(self._inputs) else self._inputs[self._at]

    def search(self, words: str) -> list[str]:
        """Inputs that hold all the words, newest first, each once."""
        wanted = words.casefold().split()
        found = dict.fromkeys(reversed(self._inputs))
        return [text for text in found if all(word in text.casefold() for word in wanted)]

    def _save(self, text: str) -> None:
        line = json.dumps(text, ensure_ascii=False) + "\n"
        try:
            make_private(self._path.parent)
            if len(self._inputs) > 2 * LIMIT:
                self._inputs = self._inputs[-LIMIT:]
                lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in self._inputs)
                write_private(self._path, "".join(lines))
                return
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "a", encoding="utf-8", newline="\n") as file:
                file.write(line)
        except (OSError, NosisError):
            return  # a home that cannot be written: kept until the app ends


def _read(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    inputs: list[str] = []
    for line in lines[-LIMIT:]:
        try:
            text = json.loads(line)
        except ValueError:
            continue
        if isinstance(text, str):
            inputs.append(text)
    return inputs
