"""``nosis``, ``nosis chat`` and ``nosis ask``: which kind of conversation is meant."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.errors import ExitCode, UsageError

MAX_PIPED_BYTES = 16_000_000
WAIT_SECONDS = 2.0  # for the first piped byte, before saying what is waited for
_HOW = 'Give a question: nosis -p "QUESTION"'


def chat(arguments: Arguments) -> int:
    """A conversation on a terminal; one turn with ``-p`` or piped text."""
    if arguments.prompt is not None:
        return _once(arguments, arguments.prompt)
    from nosis.tui.terminal import in_browser

    if not in_browser():
        if sys.stdin is not None and not sys.stdin.isatty():
            return _once(arguments, None)
        if sys.stdin is None or sys.stdout is None or not sys.stdout.isatty():
            raise UsageError("a conversation needs a terminal", _HOW)
    if format_of(arguments) != "text":
        raise UsageError("JSON is the output of one question", _HOW)
    if arguments.plain or os.environ.get("NOSIS_PLAIN") or os.environ.get("TERM") == "dumb":
        from nosis.cli.plain import converse

        return converse(arguments)
    for given, flag in (
        (arguments.explain, "--explain"),
        (not arguments.learn, "--no-learn"),
        (arguments.curate, "--curate"),
    ):
        if given:
            raise UsageError(f"{flag} goes with a question or --plain", _HOW)
    from nosis.cli.opened import load_settings
    from nosis.tui.app import run

    settings = load_settings(arguments)
    newest = arguments.newest or arguments.resume == ""  # -r without an id
    return run(settings, resume=arguments.resume or None, continue_last=newest)


def ask(arguments: Arguments) -> ExitCode:
    """One turn."""
    if arguments.prompt is not None:
        raise UsageError("-p has no meaning with 'ask'", "See: nosis ask --help")
    return _once(arguments, arguments.words)


def format_of(arguments: Arguments) -> str:
    """The output format that ``--output-format`` and ``--json`` name together."""
    if arguments.json and arguments.output_format not in (None, "json"):
        raise UsageError(
            f"--json and --output-format {arguments.output_format} contradict each other",
            "Leave one of them out.",
        )
    return arguments.output_format or ("json" if arguments.json else "text")


def _once(arguments: Arguments, question: str | None) -> ExitCode:
    """Answer a question; without one, piped text is the question."""
    form = format_of(arguments)
    if question is not None and not question.strip():
        raise UsageError("nothing was asked", _HOW)
    piped = _piped()
    if question is None and not piped.strip():
        raise UsageError("nothing was asked: the piped text is empty", _HOW)
    from nosis.cli import headless

    message, material = (question, piped) if question is not None else (piped, "")
    return headless.run(arguments, message, material, form)


def _piped() -> str:
    """All text piped in, "" where stdin is a terminal or closed.

    Raises:
        UsageError: it cannot be read, or is longer than any model takes.
    """
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return sys.stdin.read()
    try:
        _say_what_is_waited_for(stream)
        raw: bytes = stream.read(MAX_PIPED_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the piped text: {error.strerror}", _HOW) from error
    if len(raw) > MAX_PIPED_BYTES:
        raise UsageError(
            f"more than {MAX_PIPED_BYTES // 1_000_000} MB of piped text",
            "Pipe the part that matters, for example: tail -c 100000 FILE | nosis -p …",
        )
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return raw.decode(encoding, "replace")


def _say_what_is_waited_for(stream: BinaryIO) -> None:
    import select

    try:
        ready, _, _ = select.select([stream.fileno()], [], [], WAIT_SECONDS)
    except (OSError, ValueError):  # not a thing that can be waited for
        return
    if not ready:
        output.notice("waiting for piped text on stdin", "none to come? add: < /dev/null")
