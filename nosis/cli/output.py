"""Writing to stdout and stderr: text of models and memories never acts on the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

# Bidirectional overrides: they would show words in another order than they have.
_OVERRIDES = range(0x202A, 0x202F)
_DROPPED = dict.fromkeys(_OVERRIDES)
# Characters that JSON allows raw inside strings and a terminal may act on.
_ESCAPED = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), *_OVERRIDES)}


def prepare(*, quiet: bool) -> None:
    """Let no character stop a write, and (``quiet``) no library write on its own."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    if quiet and not sys.warnoptions:
        import warnings

        warnings.simplefilter("ignore")


def silence_logging() -> None:
    """Keep warnings of libraries off stderr; --debug shows them."""
    import logging

    logging.getLogger().addHandler(logging.NullHandler())


def safe(text: str) -> str:
    """Text without characters that act on a terminal; line ends and tabs stay."""
    from nosis.memory.text import clean

    return clean(text).translate(_DROPPED)


def one_line(text: str) -> str:
    """``safe`` text on a single line."""
    return " ".join(safe(text).split())


def piece(text: str) -> None:
    """A piece of an answer, at once."""
    _write(sys.stdout, safe(text))


def line(text: str = "") -> None:
    """One line on stdout."""
    _write(sys.stdout, one_line(text) + "\n")


def lines(texts: Iterable[str]) -> None:
    """Lines on stdout that keep their indentation and columns."""
    for text in texts:
        _write(sys.stdout, safe(text).replace("\n", " ").rstrip() + "\n", flush=False)


def text(text: str) -> None:
    """Text of a file on stdout: what would act on a terminal is escaped as JSON does."""
    _write(sys.stdout, text.translate(_ESCAPED), flush=False)


def page(text: str) -> None:
    """A text of several lines on stdout, ending with one newline."""
    _write(sys.stdout, safe(text).rstrip("\n") + "\n")


def data(value: Any, *, indent: int | None = 2) -> None:
    """JSON on stdout; one line where ``indent`` is None."""
    _write(sys.stdout, to_json(value, indent) + "\n")


def to_json(value: Any, indent: int | None = None) -> str:
    """JSON text that any terminal and any encoding can take."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    text = json.dumps(value, ensure_ascii=encoding != "utf8", indent=indent)
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return paired.translate(_ESCAPED)


def note(text: str) -> None:
    """One line on stderr."""
    _write(sys.stderr, one_line(text) + "\n")


def notice(message: str, hint: str = "") -> None:
    """Something to know that stops nothing, as one line on stderr."""
    note(f"notice: {message}" + (f" ({hint})" if hint else ""))


def failure(message: str, hint: str) -> None:
    """An error: exactly one line each for what happened and how to fix it."""
    try:
        note(f"error: {message}")
        note(f"hint: {hint}")
    except OSError:  # nobody reads stderr either
        pass


def flush() -> None:
    """Bring out what is buffered."""
    if sys.stdout is not None:
        sys.stdout.flush()


def discard() -> None:
    """Send all further output nowhere: the reader has gone."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _write(stream: TextIO | None, text: str, *, flush: bool = True) -> None:
    if stream is None:  # closed by whoever started the process
        return
    stream.write(text)
    if flush:
        stream.flush()
