"""Pictures of the app, compared with those that were looked at and found good."""

from __future__ import annotations

from typing import Any

import pytest

from nosis import tokens
from nosis.memory import Memory
from tests.tui.chat.scenes import SCENES

SIZES = [(80, 24), (120, 30)]


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x30"])
@pytest.mark.parametrize("theme", ["nosis-dark", "nosis-light"], ids=["dark", "light"])
@pytest.mark.parametrize("name", SCENES)
def test_scene(
    memory: Memory,
    empty: Memory,
    snap_compare: Any,
    size: tuple[int, int],
    theme: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Real counts become exact once the tables are loaded, in their own time.
    monkeypatch.setattr(tokens, "count", lambda text: len(text) // 4)
    scene = SCENES[name]
    app = scene.app(empty if scene.empty else memory, theme)
    assert snap_compare(app, terminal_size=size, run_before=scene.steps)
