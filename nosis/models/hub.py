"""Known model files: where they come from, what they are, and how they get here safely."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from nosis.errors import ModelError, NetworkError, UsageError

Progress = Callable[[int, int], None]  # bytes so far, bytes in all

_HUB = "https://huggingface.co/Qwen/{0}-GGUF/resolve/main/{1}-q4_k_m.gguf"
_PIECE = 1 << 20  # bytes
_TIMEOUT = 30.0  # seconds without a byte


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file that nosis can fetch and check."""

    name: str
    url: str
    sha256: str
    size: int  # bytes
    licence: str
    about: str

    @property
    def filename(self) -> str:
        return self.url.rpartition("/")[2]

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return folder() / self.filename

    @property
    def is_here(self) -> bool:
        """Whether it was fetched already; it was checked then."""
        return self.path.is_file() and self.path.stat().st_size == self.size


KNOWN = (
    KnownModel(
        "qwen2.5-coder-1.5b",
        _HUB.format("Qwen2.5-Coder-1.5B-Instruct", "qwen2.5-coder-1.5b-instruct"),
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        1_117_320_768,
        "Apache-2.0",
        "1.9 GB of memory; holds a conversation and remembers well",
    ),
    KnownModel(
        "qwen2.5-coder-0.5b",
        _HUB.format("Qwen2.5-Coder-0.5B-Instruct", "qwen2.5-coder-0.5b-instruct"),
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        491_400_064,
        "Apache-2.0",
        "0.9 GB of memory; twice as fast, and much less able",
    ),
)


def folder() -> Path:
    """Where fetched models are kept: the user's cache folder, shared by all homes."""
    import platformdirs

    return platformdirs.user_cache_path("nosis", appauthor=False) / "models"


def known(name: str) -> KnownModel:
    """The model of that name.

    Raises:
        UsageError: there is none; the hint lists those there are.
    """
    for model in KNOWN:
        if model.name == name:
            return model
    names = ", ".join(model.name for model in KNOWN)
    raise UsageError(f"no known model {name!r}", f"Known models: {names}.")


def get(name: str, source: str | None = None, progress: Progress | None = None) -> Path:
    """Fetch a known model, unless it is here, and return its path.

    The file appears under its name only when it is complete and its sha256 is right. A
    broken-off download goes on where it stopped. Blocking; call from a worker thread.

    Args:
        source: a URL or a file to take the bytes from instead of the hub; a mirror's URL may
            also be that of a folder holding the file under its own name.
        progress: called with the bytes so far and the bytes in all.

    Raises:
        UsageError: unknown name, or a source that is no file and no URL.
        NetworkError: the server cannot be reached or breaks off; call again to go on.
        ModelError: the server refuses, or the bytes are not those of the model.
    """
    model = known(name)
    report = progress or (lambda done, total: None)
    if model.is_here:
        report(model.size, model.size)
        return model.path
    from filelock import FileLock, Timeout

    partial = model.path.with_name(f"{model.filename}.part")
    try:
        partial.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{partial}.lock", timeout=0):
            if source is None or urlsplit(source).scheme in ("http", "https"):
                _download(_address(source or model.url, model), partial, model, report)
            else:
                _copy(Path(source).expanduser(), partial, model, report)
            _check(partial, model)
            partial.replace(model.path)
    except Timeout:
        raise UsageError(f"{name} is being fetched already", "Wait for the other one.") from None
    except OSError as error:
        raise UsageError(
            f"cannot write {partial}: {error.strerror or error}",
            f"It needs {model.size / 1e9:.1f} GB of free space in a folder you may write to.",
        ) from error
    return model.path


def sha256(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _address(source: str, model: KnownModel) -> str:
    return source if source.endswith(".gguf") else f"{source.rstrip('/')}/{model.filename}"


def _download(url: str, partial: Path, model: KnownModel, report: Progress) -> None:
    import httpx

    done = partial.stat().st_size if partial.exists() else 0
    if done >= model.size:
        return
    headers = {"Range": f"bytes={done}-"} if done else {}
    try:
        with httpx.stream(
            "GET", url, headers=headers, follow_redirects=True, timeout=_TIMEOUT
        ) as response:
            if response.status_code >= 400:
                raise ModelError(
                    f"{url} answers {response.status_code}",
                    "Name a mirror or a file that you have with: --from SOURCE",
                )
            if response.status_code != 206:  # the server sends all of it
                done = 0
            with partial.open("ab" if done else "wb") as file:
                for piece in response.iter_bytes(_PIECE):
                    file.write(piece)
                    done += len(piece)
                    if done > model.size:
                        break
                    report(done, model.size)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NetworkError(
            f"cannot fetch {url}: {error or type(error).__name__}",
            "Run it again to go on from here, or name a mirror or a file with: --from SOURCE",
        ) from error


def _copy(source: Path, partial: Path, model: KnownModel, report: Progress) -> None:
    if not source.is_file():
        raise UsageError(f"no file {source}", "--from takes a URL or the path of a GGUF file.")
    if (size := source.stat().st_size) != model.size:
        raise ModelError(
            f"{source} is not {model.filename}: it has {size} bytes, not {model.size}",
            "Name the complete file, or leave --from out to fetch it from its hub.",
        )
    shutil.copyfile(source, partial)
    report(partial.stat().st_size, model.size)


def _check(partial: Path, model: KnownModel) -> None:
    size = partial.stat().st_size
    if size < model.size:
        raise NetworkError(
            f"{model.filename} broke off after {size} of {model.size} bytes",
            "Run it again to go on from here.",
        )
    if (found := sha256(partial)) != model.sha256:
        partial.unlink()
        raise ModelError(
            f"{model.filename} is not the known file: its sha256 is {found}",
            "Take it from its official hub, or from another mirror.",
        )
