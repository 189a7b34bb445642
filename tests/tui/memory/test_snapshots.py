"""Pictures of the memory screens, compared with those that were looked at and found good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from nosis.memory import Memory
from nosis.tui.memory.browser import BrowserScreen
from nosis.tui.memory.panel import RecallPanel
from nosis.tui.memory.why import WhyScreen
from tests.tui.memory.host import Host, done, named, press, recalled, settle

SIZES = [(80, 24), (120, 30)]
THEMES = ["nosis-dark", "nosis-light"]

pytestmark = [
    pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x30"]),
    pytest.mark.parametrize("theme", THEMES, ids=["dark", "light"]),
]


def browser(memory: Memory, tab: str, *keys: str) -> Callable[[Pilot[Any]], Any]:
    async def go(pilot: Pilot[Any]) -> None:
        pilot.app.push_screen(BrowserScreen(memory, tab=tab))
        await settle(pilot)
        await press(pilot, *keys)

    return go


@pytest.mark.parametrize("tab", ["core", "facts", "pending", "history", "timeline", "tests"])
def test_browser(
    memory: Memory, snap_compare: Any, size: tuple[int, int], theme: str, tab: str
) -> None:
    if tab == "tests":
        memory.recall_tests.add("which dashboards are built?", named(memory, "Grafana").id)
        memory.recall_tests.add("what must never be cooked?", named(memory, "peanuts").id)
    app = Host(memory, theme=theme, panel=False)
    assert snap_compare(app, terminal_size=size, run_before=browser(memory, tab))


def test_panel(memory: Memory, snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        pilot.app.query_one(RecallPanel).focus_first()
        await settle(pilot)

    app = Host(memory, recalled=recalled(memory), theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=go)


def test_why(memory: Memory, snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        pilot.app.push_screen(WhyScreen(memory, done(memory)))
        await settle(pilot)

    app = Host(memory, theme=theme, panel=False)
    assert snap_compare(app, terminal_size=size, run_before=go)
