"""Draw the pictures of the docs from the real screens: ``python -m tests.tui.pictures``."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import tempfile
from pathlib import Path
from unittest import mock

from nosis import tokens
from nosis.memory import Memory
from tests.tui.chat.scenes import MEMORY_SCENES, SCENES, Scene
from tests.tui.memory.host import DAY, START, Clock, filled_home

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = (110, 30)
PICTURES = {
    "first-run": "nosis-dark",
    "conversation": "nosis-dark",
    "receipts": "nosis-light",
    "streaming": "nosis-dark",
    "failure": "nosis-light",
    "completion": "nosis-dark",
    "sessions": "nosis-light",
    "search": "nosis-dark",
    "help": "nosis-light",
    "context": "nosis-dark",
    "memory": "nosis-dark",
    "timeline": "nosis-light",
    "why": "nosis-dark",
}
"""Name of the picture -> theme."""


async def draw(scene: Scene, memory: Memory, theme: str) -> str:
    """One scene as SVG, without the parts that differ from run to run."""
    app = scene.app(memory, theme)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await scene.steps(pilot)
        svg = app.export_screenshot(title="nosis")
        app.speaker.__dict__.get("go", asyncio.Event()).set()
    unique = re.search(r"terminal-(\d+)-matrix", svg)
    return svg.replace(f"terminal-{unique[1]}", "terminal") if unique else svg


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(tokens, "count", lambda text: len(text) // 4),
    ):
        filled = filled_home(Path(folder) / "filled")
        for name in names or PICTURES:
            scene = {**SCENES, **MEMORY_SCENES}[name]
            home, clock = Path(folder) / name, Clock(START + 26 * DAY + 12 * 3600)
            if not scene.empty:
                shutil.copytree(filled, home)
            with Memory(home, embedder=None, clock=clock) as memory:
                svg = asyncio.run(draw(scene, memory, PICTURES[name]))
            (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
            print(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
