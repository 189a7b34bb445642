"""The greeting of an empty conversation, and the setup card where no model was found."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from nosis.memory.core import values
from nosis.memory.types import Filter, Kind
from nosis.tui.memory.words import plural
from nosis.tui.pairs import Pairs
from nosis.tui.text import content, one_line

if TYPE_CHECKING:
    from nosis.agent import Agent
    from nosis.memory import Memory

_FIRST = (
    "Tell it who you are, what you work on, what you decided.\n"
    "Ask tomorrow, from any session: it will know."
)
_OFFLINE = "It remembers, and answers from memory; it cannot converse freely. For a full model:"
_SETUP = (
    ("/model", "after starting Ollama, LM Studio, llama.cpp or LiteLLM here"),
    ("OPENAI_API_KEY", "for OpenAI; OPENAI_BASE_URL for any compatible server"),
    ("NOSIS_MODEL", "a .gguf file, with pip install 'nosis-agent[local]'"),
)


class Welcome(Vertical):
    """Who this is, what it remembers, and which model answers."""

    def __init__(self, greeting: str, about: str, offline: str) -> None:
        super().__init__(classes="welcome")
        self._greeting = greeting
        self._about = about
        self._offline = offline

    @classmethod
    async def of(cls, memory: Memory, agent: Agent, *, offline: bool) -> Welcome:
        """The greeting for what a workspace holds."""

        def read() -> tuple[str, int, int]:
            names = values(memory.core(), "name")
            facts = memory.store.count(Filter((Kind.FACT,)))
            return (names[0] if names else "", facts, len(memory.sessions()))

        name, facts, sessions = await asyncio.to_thread(read)
        if not facts and not sessions:
            greeting, about = "A chat that remembers.", _FIRST
        else:
            greeting = f"Welcome back, {one_line(name, 40)}." if name else "Welcome back."
            kept = plural(facts, "memory", "memories")
            about = f"{kept} and {plural(sessions, 'conversation')} are here."
        return cls(greeting, about, agent.connection if offline else "")

    def compose(self) -> ComposeResult:
        yield Static(content(self._greeting), classes="greeting", markup=False)
        yield Static(content(self._about), classes="about", markup=False)
        if self._offline:
            with Vertical(classes="setup"):
                yield Static(content(_headline(self._offline)), classes="title", markup=False)
                yield Static(content(_OFFLINE), classes="text", markup=False)
                yield Pairs("", _SETUP)


def _headline(connection: str) -> str:
    reason = connection.partition("(")[2].rstrip(")")
    return "Offline mode is ready" + (f": {reason}." if reason else ".")
