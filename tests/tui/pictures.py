"""The pictures of the README, drawn from the real screens: ``python -m tests.tui.pictures``.

A scripted model talks over a real workspace in a temporary home; each screen is saved as SVG to
``docs/pictures``.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from nosis.memory import Memory
from tests.tui.chat.talk import Speaker, Talk

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SIZE = (120, 36)
FACTS = [
    ("The user's sister Mara lives in Turin", 0.7, "contact"),
    ("Billing uses Postgres since the migration", 0.8, "decision"),
    ("The user's team deploys on Fridays", 0.6, "project"),
    ("The user never eats cilantro", 0.8, "preference"),
    ("The launch of Mercury is on 12 June 2027", 0.9, "event"),
]
QUESTION = "Where does my sister Mara live? I'm visiting her in spring."
ANSWER = (
    "Mara lives in **Turin**. For the train, spring fares open in January.\n\n"
    "Shall I look at the weeks around Easter?\n"
    "MEMORY_UPDATE: [event, 0.6] The user visits Mara in spring\n"
)


async def wait(pilot: object, ready: object) -> None:
    """Let the app work until something holds, for at most a few seconds."""
    for _ in range(200):
        await pilot.pause(0.05)  # type: ignore[attr-defined]
        if ready():  # type: ignore[operator]
            return


async def draw(theme: str, name: str) -> None:
    """The conversation with its recall panel, then the memory browser."""
    with tempfile.TemporaryDirectory() as home:
        memory = Memory(home)
        memory.core_set("name", "Ada")
        for text, importance, category in FACTS:
            memory.remember(text, importance, category)
        memory.embed_pending()
        app = Talk(memory, model=Speaker(ANSWER), theme=theme)
        async with app.run_test(size=SIZE) as pilot:
            await wait(pilot, lambda: app.memory is not None)
            await pilot.press(*("space" if c == " " else c for c in QUESTION))
            await pilot.press("enter")
            await wait(pilot, lambda: app.agent is not None and app.agent.last is not None)
            await pilot.pause(1.0)
            app.clear_notifications()
            await pilot.pause(0.3)
            app.save_screenshot(f"chat-{name}.svg", str(FOLDER))
            await pilot.press("f2")
            await pilot.pause(1.5)
            app.save_screenshot(f"memory-{name}.svg", str(FOLDER))


async def main() -> None:
    """All pictures, dark and light."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for theme, name in (("nosis-dark", "dark"), ("nosis-light", "light")):
        await draw(theme, name)


if __name__ == "__main__":
    asyncio.run(main())
