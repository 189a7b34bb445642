"""Settings: flags win over the environment, the environment over ``.env``, that over defaults.

Each value remembers where it came from, so ``nosis config show`` can say it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from nosis.errors import UsageError


def _number(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        return value

    return parse


def _integer(low: int, high: int) -> Callable[[str], int]:
    number = _number(low, high)
    return lambda text: int(number(text))


def _choice(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in allowed:
            raise ValueError("one of " + ", ".join(allowed))
        return text.lower()

    return parse


def _key(text: str) -> str:
    if not (text.isascii() and text.isprintable() and " " not in text):
        raise UsageError(  # never with the value, which may be most of a key
            "OPENAI_API_KEY holds characters that no key has",
            "Copy the key again: letters, digits and signs on one line, without spaces.",
        )
    return text


def _option(variable: str, parse: Callable[[str], Any] = str, default: Any = None) -> Any:
    return field(default=default, metadata={"variable": variable, "parse": parse})


@dataclass(frozen=True)
class Settings:
    """One value a setting; the environment variable's name stands beside each."""

    api_key: str | None = _option("OPENAI_API_KEY", _key)
    base_url: str | None = _option("OPENAI_BASE_URL")
    model: str | None = _option("NOSIS_MODEL")
    curation_model: str | None = _option("NOSIS_CURATION_MODEL")
    embedding_model: str | None = _option("NOSIS_EMBEDDING_MODEL")
    detect: str = _option("NOSIS_DETECT", _choice("on", "off"), "on")  # a server on this machine
    tools: str = _option("NOSIS_TOOLS", _choice("auto", "on", "off"), "auto")
    auto_curate: str = _option("NOSIS_AUTO_CURATE", _choice("auto", "always", "manual"), "auto")
    context_window: int | None = _option("NOSIS_CONTEXT_WINDOW", _integer(512, 100_000_000))
    home: str | None = _option("NOSIS_HOME")
    workspace: str = _option("NOSIS_WORKSPACE", default="default")
    inherit: str | None = _option("NOSIS_INHERIT")  # a workspace that is recalled from too
    read_only: str = _option("NOSIS_READ_ONLY", _choice("on", "off"), "off")
    agent: str = _option("NOSIS_AGENT", default="nosis")
    database_url: str | None = _option("NOSIS_DATABASE_URL")
    log_url: str | None = _option("NOSIS_LOG_URL")
    scoring: str = _option("NOSIS_SCORING", _choice("nosis", "daita"), "nosis")
    vector_index: str = _option("NOSIS_VECTOR_INDEX", _choice("auto", "chroma", "exact"), "auto")
    recall_tokens: int = _option("NOSIS_RECALL_TOKENS", _integer(0, 100_000), 1_000)
    timeout: float = _option("NOSIS_TIMEOUT", _number(0.1, 86_400), 300.0)  # seconds a turn
    sources: Mapping[str, str] = field(default_factory=dict)  # setting -> where it came from

    @classmethod
    def load(
        cls,
        flags: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Settings:
        """Settings from flags (by field name), the environment, and ``folder/.env``.

        Values are trimmed and taken literally (no ``$`` expansion); empty means unset.

        Raises:
            UsageError: a value is not of its setting's kind, or ``.env`` cannot be read.
        """
        environ = os.environ if environ is None else environ
        env_file = (folder or Path.cwd()) / ".env"
        file_values = _read_env_file(env_file)
        values: dict[str, Any] = {}
        sources: dict[str, str] = {}
        for option in fields(cls):
            if not (variable := option.metadata.get("variable")):
                continue
            candidates = (
                ((flags or {}).get(option.name), f"--{option.name.replace('_', '-')}"),
                (environ.get(variable), f"environment {variable}"),
                (file_values.get(variable), f"{env_file} {variable}"),
            )
            for value, source in candidates:
                text = str(value).strip() if value is not None else ""
                if text:
                    values[option.name] = _parse(option.metadata["parse"], text, source)
                    sources[option.name] = source
                    break
        return cls(**values, sources=sources)

    def source(self, name: str) -> str:
        """Where a setting's value came from."""
        return self.sources.get(name, "default")


def _parse(parse: Callable[[str], Any], text: str, source: str) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise UsageError(f"{source}: {text!r} is not valid", f"Expected: {error}.") from None


def _read_env_file(path: Path) -> Mapping[str, str | None]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        # Literal values: expansion turns an unset ${NAME} in a key into nothing, silently.
        return dotenv_values(path, interpolate=False, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", "Fix or remove the file.") from None
