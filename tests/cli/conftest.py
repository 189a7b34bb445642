from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.driver import Nosis
from tests.server import Server


def fresh(patch: pytest.MonkeyPatch, folder: Path) -> Nosis:
    """Command lines in an empty home and an empty folder, with no model but the offline one."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "NOSIS_MODEL", "NOSIS_PLAIN"):
        patch.delenv(variable, raising=False)
    patch.setenv("HOME", str(folder))
    patch.setenv("NOSIS_HOME", str(folder / "home"))
    patch.setenv("NOSIS_DETECT", "off")
    patch.setenv("NOSIS_VECTOR_INDEX", "exact")
    (folder / "here").mkdir()
    patch.chdir(folder / "here")
    return Nosis(patch, folder)


@pytest.fixture
def nosis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nosis:
    return fresh(monkeypatch, tmp_path)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, nosis: Nosis) -> Iterator[Server]:
    """A scripted server that the command lines talk to; it says "OK." when its script is over."""
    with Server(default="OK.") as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        yield running


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Nosis, str]]:
    """A home that rows share since none may change it, and the id of one of its facts."""
    with pytest.MonkeyPatch.context() as patch:
        nosis = fresh(patch, tmp_path_factory.mktemp("filled"))
        fact = nosis.add("I drink tea at four")
        nosis.add("I buy tea in Springfield")
        nosis("core", "set", "name", "Ada").ok()
        yield nosis, fact
