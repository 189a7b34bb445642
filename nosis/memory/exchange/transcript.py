"""A session as a page to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from nosis.memory.text import clean, neutralise
from nosis.memory.types import Entry


def markdown(title: str, messages: Sequence[Entry]) -> str:
    """The messages under their speakers and local times."""
    parts = [f"# {neutralise(title)}"]
    for message in messages:
        said = datetime.fromtimestamp(message.created_at).astimezone()
        parts += [f"## {speaker(message)}, {said:%Y-%m-%d %H:%M}", clean(message.text)]
    return "\n\n".join(parts) + "\n"


def speaker(message: Entry) -> str:
    """Who said it."""
    name = "nosis" if message.role == "assistant" else message.speaker or "you"
    return neutralise(name)
