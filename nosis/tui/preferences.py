"""What the app remembers about itself: one small private JSON file a home."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nosis.errors import NosisError
from nosis.memory.core import write_private
from nosis.memory.home import make_private

FILE = "app.json"


class Preferences:
    """Values kept from one start of the app to the next. A damaged file counts as empty."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE
        self._values: dict[str, Any] = {}
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            values = None
        if isinstance(values, dict):
            self._values = values

    def get(self, name: str, default: str) -> str:
        """The remembered text, or the default."""
        value = self._values.get(name, default)
        return value if isinstance(value, str) else default

    def set(self, name: str, value: str) -> None:
        """Remember a text. A home that cannot be written forgets it at the end."""
        if self._values.get(name) == value:
            return
        self._values[name] = value
        try:
            make_private(self._path.parent)
            write_private(self._path, json.dumps(self._values, indent=1) + "\n")
        except (OSError, NosisError):
            return
