"""Command lines for tests: in this process with captured streams, or as a real process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nosis.cli.entry import main

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 60  # seconds, for a process that hangs


@dataclass(frozen=True)
class Ran:
    """What one command line did."""

    code: int
    raw_out: bytes
    raw_err: bytes

    @property
    def out(self) -> str:
        return self.raw_out.decode()

    @property
    def err(self) -> str:
        return self.raw_err.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.raw_out)

    @property
    def events(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    def ok(self) -> Ran:
        assert self.code == 0, self.err
        return self

    def failed(self, code: int) -> tuple[str, str]:
        """(error, hint): exactly these two lines on stderr, none on stdout."""
        assert self.code == code, (self.code, self.err)
        lines = self.err.splitlines()
        assert [line.partition(" ")[0] for line in lines] == ["error:", "hint:"], self.err
        assert self.raw_out == b""
        assert "Traceback" not in self.err
        return lines[0].removeprefix("error: "), lines[1].removeprefix("hint: ")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Nosis:
    """Runs command lines against one fresh home."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.patch = patch
        self.folder = folder
        self.home = folder / "home"
        self.workspace = self.home / "workspaces" / "default"

    def __call__(self, *argv: str, piped: str | bytes | None = None, typed: str = "") -> Ran:
        """Run in this process; stdin is ``piped``, or a terminal on which ``typed`` is typed."""
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        stdin: Any = _Terminal(typed)
        if piped is not None:
            data = piped.encode() if isinstance(piped, str) else piped
            stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8")
        with self.patch.context() as patch:
            patch.setattr(sys, "stdin", stdin)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main(argv)
        written = []
        for stream in (out, err):
            stream.flush()
            written.append(stream.buffer.getvalue())  # type: ignore[attr-defined]
        return Ran(code, *written)

    def process(self, *argv: str | bytes, **options: Any) -> subprocess.Popen[bytes]:
        """Start a real process, ``before`` its command line; its streams are pipes unless told
        otherwise."""
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [*options.pop("before", ()), sys.executable, "-m", "nosis", *argv]
        return subprocess.Popen(command, env=self.environment(), **{**pipes, **options})

    def run(self, *argv: str | bytes, piped: bytes = b"", **options: Any) -> Ran:
        """Run a real process to its end."""
        with self.process(*argv, **options) as process:
            out, err = process.communicate(piped, timeout=TIMEOUT)
        return Ran(process.returncode, out, err)

    def environment(self) -> Mapping[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT)}

    def journal(self) -> bytes:
        """The bytes of the archive; empty where there is none."""
        path = self.workspace / "archival.jsonl"
        return path.read_bytes() if path.exists() else b""

    def events(self) -> list[Any]:
        return [json.loads(line) for line in self.journal().splitlines()]

    def add(self, text: str, *flags: str) -> str:
        """Keep a fact; its id."""
        return str(self("memory", "add", text, "--json", *flags).ok().json["id"])

    def fill(self, texts: Iterable[str], *flags: str) -> None:
        """Keep many facts at once."""
        path = self.folder / "facts.jsonl"
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        self("memory", "import", str(path), *flags).ok()
