"""States of the app worth looking at: for the snapshots, and for the pictures of the docs."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from textual.pilot import Pilot

from nosis.errors import NetworkError
from nosis.memory import Memory
from nosis.models import Delta
from nosis.models.offline import OfflineModel
from tests.tui.chat.talk import HOLD, Piece, Talk, keys, say, settle, type_in
from tests.tui.memory.host import named

Steps = Callable[[Pilot[Any]], Awaitable[None]]

ANSWER = """\
Before a Friday deploy, three things:

1. Freeze the branch on **Thursday evening**.
2. Run the smoke tests against staging:

```python
def smoke(url: str) -> bool:
    # one request is enough
    return get(url, timeout=2).status == 200
```

3. Keep `make rollback` at hand.

| step | who | when |
|---|---|---|
| freeze | Ada | Thu 18:00 |
| smoke tests | CI | Thu 19:00 |

> The launch is on 2026-06-12, so this is the last Friday before it.
"""


@dataclass(frozen=True)
class Scene:
    """A model's answers, with ``{words of a fact}`` for its id, and what the user does."""

    answers: tuple[str | list[Piece], ...]
    steps: Steps
    empty: bool = False  # a first run
    offline: bool = False

    def app(self, memory: Memory, theme: str) -> Talk:
        """The app, asleep."""
        model = OfflineModel(memory.clock) if self.offline else None
        answers = [_with_ids(memory, a) if isinstance(a, str) else a for a in self.answers]
        return Talk(memory, *answers, model=model, theme=theme)


def _with_ids(memory: Memory, answer: str) -> str:
    return re.sub(r"\{(.+?)\}", lambda found: named(memory, found[1]).id, answer)


async def ready(pilot: Pilot[Any]) -> None:
    """The app is awake and nothing blinks."""
    await settle(pilot)
    pilot.app.chat.prompt.cursor_blink = False  # type: ignore[attr-defined]


async def first_run(pilot: Pilot[Any]) -> None:
    await ready(pilot)


async def answered(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "How does a deploy go?")


async def conversation(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "The team deploys on Thursdays now. And the launch?")


async def correction(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "I moved: I live in Lisbon now, no longer in Turin.")
    await say(pilot, "Please remember that I like jasmine tea.")


async def failure(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "Is the staging server up?")


async def streaming(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "Which plan is better?", wait=False)
    await pilot.app.speaker.held.wait()  # type: ignore[attr-defined]
    await type_in(pilot, "And who decides?")
    await pilot.press("enter")
    await pilot.pause(0.2)


async def completion(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await pilot.press(*"/re")
    await settle(pilot)


async def palette(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await keys(pilot, "ctrl+p")


async def manual(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await keys(pilot, "f1")


async def sessions(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await keys(pilot, "ctrl+s")


async def search(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "/search dashboards Grafana")
    await settle(pilot)


async def inputs(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    for text in ("When is the launch?", "What did we decide about billing?", "/context"):
        pilot.app.inputs.add(text)  # type: ignore[attr-defined]
    await keys(pilot, "ctrl+r")


async def context(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await say(pilot, "hello")
    await say(pilot, "/context")
    await say(pilot, "/cost")


async def browser(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await keys(pilot, "f2")


async def timeline(pilot: Pilot[Any]) -> None:
    await ready(pilot)
    await keys(pilot, "f2")
    await keys(pilot, "5")


async def why(pilot: Pilot[Any]) -> None:
    await conversation(pilot)
    await say(pilot, "/why")


_LISBON = "Lisbon it is.\nMEMORY_REPLACE: {lives in Turin} -> lives in Lisbon, near the Tagus"
_TEA = "I'll remember that."

_CONVERSATION = """\
Thursdays it is. The launch is on Friday, 12 June:

1. Deploy on **Thursday, 11 June**: a day to spare.
2. Test on staging, still at the old data centre.
3. Keep `make rollback` at hand.

MEMORY_REPLACE: {deploys on Fridays} -> the team deploys on Thursdays after lunch
"""

SCENES = {
    "first-run": Scene((), first_run, empty=True, offline=True),
    "conversation": Scene((_CONVERSATION,), conversation),
    "answer": Scene((ANSWER,), answered),
    "receipts": Scene((_LISBON, _TEA), correction),
    "failure": Scene(
        (
            [
                NetworkError(
                    "cannot reach http://localhost:11434/v1: connection refused",
                    "Start Ollama, or choose another model with /model.",
                )
            ],
        ),
        failure,
    ),
    "streaming": Scene(
        (
            [
                Delta(reasoning="Compare the two plans by cost first. " * 3),
                "The second plan: it needs **one** migration instead of three, and ",
                HOLD,
            ],
        ),
        streaming,
    ),
    "completion": Scene((), completion),
    "palette": Scene((), palette),
    "help": Scene((), manual),
    "sessions": Scene((), sessions),
    "search": Scene((), search),
    "inputs": Scene((), inputs),
    "context": Scene(("Hello Ada.",), context),
}

MEMORY_SCENES = {  # the memory screens have snapshots of their own
    "memory": Scene((), browser),
    "timeline": Scene((), timeline),
    "why": Scene((_CONVERSATION,), why),
}
