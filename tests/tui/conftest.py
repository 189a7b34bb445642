"""A workspace with something in it, behind a clock that the tests set."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nosis.memory import Memory
from tests.tui.memory.host import DAY, START, Clock, filled_home


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that is filled once; its ids are the same in every run, for the snapshots."""
    return filled_home(tmp_path_factory.mktemp("home"))


@pytest.fixture
def memory(tmp_path: Path, filled: Path, clock: Clock) -> Iterator[Memory]:
    """A copy of it, some weeks later."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    clock.now = START + 26 * DAY + 12 * 3600
    with Memory(tmp_path, embedder=None, clock=clock) as opened:
        yield opened


@pytest.fixture
def empty(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    """A workspace with nothing in it."""
    with Memory(tmp_path / "empty", embedder=None, clock=clock) as opened:
        yield opened
