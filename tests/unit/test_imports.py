"""Imports point downwards only, and what is heavy is loaded by who needs it, when it is needed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "nosis"

# From the bottom up; the parts of one layer know nothing of each other.
LAYERS = [
    {"errors"},
    {"settings", "tokens"},
    {"memory.times", "memory.text"},
    {"memory.types"},
    {"protocol"},
    {"memory"},
    {"events"},
    {"models"},
    {"prompting", "opening", "tools"},
    {"curation"},
    {"toolcalls", "compaction"},
    {"reply"},
    {"agent", "mcp"},
    {"tui"},
    {"cli"},
    {"__main__"},
]
RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
HEAVY = {
    *("openai", "textual", "chromadb", "onnxruntime", "numpy", "rank_bm25", "tiktoken"),
    *("tokenizers", "sqlite3", "asyncio", "dotenv", "Stemmer", "xllamacpp", "rich", "mcp"),
}
ONLY_IMPORTERS = {"rank_bm25": "memory/store/lexical.py", "chromadb": "memory/store/vectors.py"}
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def imported(module: str) -> Iterator[str]:
    """Dotted names that a module imports anywhere but under ``if TYPE_CHECKING``."""
    nodes: list[ast.AST] = [ast.parse((PACKAGE / module).read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes += node.orelse
        else:
            nodes += ast.iter_child_nodes(node)


@pytest.mark.parametrize("module", [m for m in MODULES if m != "__init__.py"])
def test_imports_point_downwards(module: str) -> None:
    part = layer_part(module.removesuffix(".py").replace("/", "."))
    for name in imported(module):
        package, _, rest = name.partition(".")
        other = layer_part(rest)
        if package == "nosis" and other in RANK and other != part:
            assert RANK[other] < RANK[part], f"{module} imports {name}"


def layer_part(dotted: str) -> str:
    """The part of the package, as LAYERS names it, that a module or a name in it belongs to."""
    parts = dotted.split(".")
    two = ".".join(parts[:2])
    return two if two in RANK else parts[0]


def test_every_part_has_a_layer() -> None:
    found = {layer_part(m.removesuffix(".py").replace("/", ".")) for m in MODULES}
    assert found == {"__init__", *RANK}


@pytest.mark.parametrize(("library", "importer"), ONLY_IMPORTERS.items())
def test_a_replaceable_library_has_one_importer(library: str, importer: str) -> None:
    found = [m for m in MODULES if any(n.split(".")[0] == library for n in imported(m))]

    assert set(found) <= {importer}


@pytest.mark.parametrize(
    "code",
    [
        "import nosis",
        "import nosis; nosis.NosisError, nosis.Settings, nosis.TurnDone",
        "import nosis.memory, nosis.models, nosis.events",
        "from nosis.cli.entry import main; main(['--help'])",
        "from nosis.cli.entry import main; main(['memory', 'add', '--help'])",
        "from nosis.cli.entry import main; main(['unknown'])",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    loaded = set(done.stderr.split())
    assert "nosis" in loaded
    assert not HEAVY & loaded
