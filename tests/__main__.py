"""All checks of the project, in the order of their price: ``python -m tests``.

Formatting, lint, types, then the tests in two processes with coverage. Extra arguments go to
pytest: ``python -m tests -k recall``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable


def main(arguments: list[str]) -> int:
    environment = {
        **os.environ,
        "COVERAGE_PROCESS_START": str(ROOT / "pyproject.toml"),
        "OMP_NUM_THREADS": "1",  # two test processes share two cores
    }
    pytest = ["coverage", "run", "-m", "pytest", *(arguments or ["-n", "2"])]
    steps = [
        ["ruff", "format", "--check", "."],
        ["ruff", "check", "."],
        ["mypy"],
        pytest,
    ]
    failed = [
        step[0]
        for step in steps
        if subprocess.run([PYTHON, "-m", *step], cwd=ROOT, env=environment, check=False).returncode
    ]
    for report in (["combine", "--quiet"], ["report", "--skip-covered", "--sort=cover"]):
        subprocess.run([PYTHON, "-m", "coverage", *report], cwd=ROOT, env=environment, check=False)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
