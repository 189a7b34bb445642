"""Draw the pictures of the docs from the real screens: ``python -m tests.tui.pictures``."""

from __future__ import annotations

import asyncio
import html
import re
import shutil
import sys
import tempfile
from pathlib import Path
from unittest import mock

from rich.cells import cell_len

from nosis import tokens
from nosis.memory import Memory
from tests.tui.chat.scenes import MEMORY_SCENES, SCENES, Scene
from tests.tui.memory.host import DAY, START, Clock, filled_home

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = (110, 30)
CELL, LINE = 12.2, 24.4  # width and height of a character in a picture
BLOCKS = {"▌": (0.5, 1.0), **{b: (1.0, n / 8) for n, b in enumerate("▁▂▃▄▅▆▇█", 1)}}
"""Characters that are shapes -> the parts of the width and height that they fill."""
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
    return tidy(svg)


def tidy(svg: str) -> str:
    """A picture that is the same in every run, asks no server for a font, and has no seams."""
    if unique := re.search(r"terminal-(\d+)-matrix", svg):
        svg = svg.replace(f"terminal-{unique[1]}", "terminal")
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "Menlo, Consolas, DejaVu Sans Mono, monospace")
    return re.sub(
        r'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', _solid, svg
    )


def _solid(found: re.Match[str]) -> str:
    """A piece of text with its blocks as shapes: the blocks of most fonts leave gaps between."""
    style, x, y, words = found[1], float(found[2]), float(found[3]), html.unescape(found[4])
    shapes, at = "", x
    for cell in words:
        if cell in BLOCKS:
            width, height = BLOCKS[cell]
            top = y - 18.5 + LINE * (1 - height)
            shapes += (
                f'<rect class="{style}" x="{at:.1f}" y="{top:.2f}" width="{CELL * width + 0.1:.1f}"'
                f' height="{LINE * height + 0.1:.2f}" shape-rendering="crispEdges"/>'
            )
        at += CELL * cell_len(cell)
    if not shapes:
        return found[0]
    rest = "".join("\xa0" if cell in BLOCKS else cell for cell in words)
    return shapes + found[0].replace(found[4], html.escape(rest).replace("\xa0", "&#160;"))


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(tokens, "count", lambda text: len(text) // 4),
    ):
        filled = filled_home(Path(folder) / "filled", "default")
        for name in names or PICTURES:
            scene = {**SCENES, **MEMORY_SCENES}[name]
            home, clock = Path(folder) / name, Clock(START + 26 * DAY + 12 * 3600)
            if not scene.empty:
                shutil.copytree(filled, home)
            with Memory(home, clock=clock) as memory:
                svg = asyncio.run(draw(scene, memory, PICTURES[name]))
            (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
            print(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
