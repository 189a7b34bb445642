"""Counting tokens as OpenAI's models do, without any network.

tiktoken knows how to count but fetches its tables; the package ``bpe-openai`` carries the
same tables. They are unpacked once into the user's cache folder, under the names tiktoken
looks for, and loaded in the background (about half a second) once it is worth it. Until then,
and for ever where the tables are missing, counts are estimates that rather err upwards.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import math
import os
import re
import tempfile
import threading
import zlib
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken


@dataclass(frozen=True, slots=True)
class _Table:
    cached_as: str  # sha1 of the URL that tiktoken would fetch
    sha256: str  # tiktoken's own pin


_TABLES = {
    "o200k_base": _Table(
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": _Table(
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}
_OLDER = re.compile(r"(.*/)?(gpt-4($|-)|gpt-3\.5|text-embedding-)")

_SHARES = (  # kinds of characters, and the share of a token that each takes, with a margin
    (re.compile(r"[a-z ]"), 0.3),
    (re.compile(r"[A-Z0-9]"), 0.55),
    (re.compile(r"[\x00-\x1f!-/:-@\[-`{-\x7f]"), 0.8),
    (re.compile(r"[\x80-\u07ff]"), 0.75),
    (re.compile(r"[\u0800-\uffff]"), 1.3),
    (re.compile(r"[\U00010000-\U0010ffff]"), 2.5),
    (re.compile(r"(?<=[!-~]{20})[!-~]"), 0.3),  # on top: keys and hashes hold no words
)

_WORTH_LOADING = 10_000  # estimated tokens
_estimated = [0]
_lock = threading.Lock()
_environment_lock = threading.Lock()
_threads: dict[str, threading.Thread] = {}
_encodings: dict[str, tiktoken.Encoding] = {}


def count(text: str, model: str | None = None) -> int:
    """Tokens of ``text``; special tokens such as ``<|endoftext|>`` count as the text they are.

    Until the tables are there it is an estimate. They are loaded once estimates of 10,000 tokens
    were given: a process that answers one short question is done before it needs them.
    """
    encoding = _encodings.get(_encoding_name(model))
    if encoding is None:
        estimated = estimate(text)
        _estimated[0] += estimated
        if _estimated[0] > _WORTH_LOADING:
            warm(model)
        return estimated
    return len(encoding.encode_ordinary(well_formed(text)))


def fit(text: str, budget: int, model: str | None = None) -> str:
    """The longest beginning of ``text`` that is within ``budget`` tokens."""
    if budget <= 0:
        return ""
    encoding = _encodings.get(_encoding_name(model))
    if encoding is None:
        warm(model)
        return _fit_estimated(text, budget)
    text = well_formed(text)
    tokens = encoding.encode_ordinary(text)
    if len(tokens) <= budget:
        return text
    kept = encoding.decode_bytes(tokens[:budget]).decode("utf-8", "ignore")
    # The cut may have changed how white space at the end is split.
    while len(encoding.encode_ordinary(kept)) > budget:
        kept = kept[:-1]
    return kept


def warm(model: str | None = None) -> threading.Thread:
    """Start loading the tables in the background, once; the thread ends when it is over."""
    name = _encoding_name(model)
    with _lock:
        if name not in _threads:
            thread = threading.Thread(
                target=_load, args=(name,), name=f"{name} tables", daemon=True
            )
            _threads[name] = thread
            thread.start()
        return _threads[name]


def estimate(text: str) -> int:
    """Tokens of ``text`` from its characters alone: rather too many than too few."""
    return math.ceil(sum(len(kind.findall(text)) * share for kind, share in _SHARES))


def well_formed(text: str) -> str:
    """``text`` with halves of surrogate pairs joined, or replaced by U+FFFD when alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _encoding_name(model: str | None) -> str:
    return "cl100k_base" if model and _OLDER.match(model) else "o200k_base"


def _fit_estimated(text: str, budget: int) -> str:
    text = well_formed(text)
    length = bisect_right(range(len(text) + 1), budget, key=lambda end: estimate(text[:end])) - 1
    return text[:length]


def _load(name: str) -> None:
    """Put one encoding into ``_encodings``, if its table is there and is the right one."""
    package = importlib.util.find_spec("bpe_openai")  # found, not imported: that takes a second
    folders = package.submodule_search_locations if package else None
    if not folders:
        return
    packed = Path(folders[0]) / "data" / f"{name}.tiktoken.gz"
    try:
        import platformdirs

        cache = platformdirs.user_cache_path("nosis", appauthor=False) / "tokens"
        with tempfile.TemporaryDirectory() as spare:
            folder = cache if _unpack(packed, cache, name) else Path(spare)
            if folder == cache or _unpack(packed, folder, name):
                _encodings[name] = _read(name, folder)
    except Exception:  # whatever is wrong with the tables, estimates go on
        return


def _unpack(packed: Path, folder: Path, name: str) -> bool:
    """Whether the folder holds the table afterwards, under the name tiktoken looks for."""
    table = _TABLES[name]
    target = folder / table.cached_as
    try:
        if target.is_file() and hashlib.sha256(target.read_bytes()).hexdigest() == table.sha256:
            return True
        data = gzip.decompress(packed.read_bytes())
        if hashlib.sha256(data).hexdigest() != table.sha256:
            return False
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f"{table.cached_as}.{os.getpid()}"
        partial.write_bytes(data)
        partial.replace(target)
    except (OSError, EOFError, zlib.error):
        return False
    return True


def _read(name: str, folder: Path) -> tiktoken.Encoding:
    import tiktoken

    with _environment_lock:
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            return tiktoken.get_encoding(name)
        finally:
            if before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = before
