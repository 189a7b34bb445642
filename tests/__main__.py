"""All checks of the project, in the order of their price: ``python -m tests``.

Formatting, lint, types, then the tests in three processes: two cores, and some tests wait. Extra
arguments go to pytest: ``python -m tests -k recall``. ``python -m tests --coverage`` tells which
lines no test reaches; the tests take half as long again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable


def main(arguments: list[str]) -> int:
    covered = "--coverage" in arguments
    arguments = [argument for argument in arguments if argument != "--coverage"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}  # the test processes share the cores
    if covered:
        environment["COVERAGE_PROCESS_START"] = str(ROOT / "pyproject.toml")
    steps = [
        ["ruff", "format", "--check", "."],
        ["ruff", "check", "."],
        ["mypy"],
        [*(["coverage", "run", "-m"] if covered else []), "pytest", *(arguments or ["-n", "3"])],
    ]
    failed = [step[0] for step in steps if run(step, environment)]
    if covered:
        run(["coverage", "combine", "--quiet"], environment)
        run(["coverage", "report", "--skip-covered", "--sort=cover"], environment)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(module: list[str], environment: dict[str, str]) -> int:
    """Run a module with its arguments; its exit code."""
    command = [PYTHON, "-m", *module]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
