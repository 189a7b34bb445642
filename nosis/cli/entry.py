"""From argv to an exit code: the one place where an error becomes two lines."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType

from nosis.cli import output
from nosis.errors import ExitCode, NosisError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code (design.md, section 7).

    Args:
        argv: the arguments without the program's name; None takes the process's own.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in given
    output.prepare(quiet=not debug)
    try:
        with _terminated_as_interrupted():
            code = _run(given)
            output.flush()
            return code
    except SystemExit as leaving:  # argparse, after --help and --version
        with suppress(BrokenPipeError):
            output.flush()
        return int(leaving.code or 0)
    except BrokenPipeError:  # the reader has all it wanted: `nosis memory list | head -1`
        output.discard()
        return ExitCode.OK
    except (Exception, KeyboardInterrupt) as error:
        return report(error, debug)


def report(error: BaseException, debug: bool = False) -> ExitCode:
    """Print an error as its two lines; the exit code that it maps to."""
    if debug:
        import traceback

        traceback.print_exception(error)
    message, hint, code = describe(error)
    output.failure(message, hint)
    return code


def describe(error: BaseException) -> tuple[str, str, ExitCode]:
    """(message, hint, exit code) of any error that can end a command."""
    match error:
        case NosisError():
            hint = error.hint or "See what nosis finds with: nosis doctor"
            return error.message, hint, error.exit_code
        case KeyboardInterrupt():
            return "interrupted", "What was finished before is kept.", ExitCode.INTERRUPTED
        case OSError(strerror=str(reason)):
            where = f" {os.fsdecode(error.filename)}" if error.filename is not None else " a file"
            hint = "Check the path, its permissions and the free space (nosis doctor)."
            return f"cannot use{where}: {reason}", hint, ExitCode.USAGE
    name = type(error).__name__
    hint = "This is a fault of nosis: run it again with --debug, and report what it prints."
    return f"unexpected {name}: {error}", hint, ExitCode.MODEL


def _run(argv: list[str]) -> int:
    from nosis.cli.parser import parse

    arguments = parse(argv)
    module, _, function = arguments.run.partition(":")
    try:
        command = getattr(import_module(f"nosis.cli.{module}"), function)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("nosis"):
            raise
        raise UsageError(
            f"the package {error.name!r} is not installed",
            "Install nosis again: pip install --force-reinstall nosis-agent",
        ) from error
    return int(command(arguments) or ExitCode.OK)


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl+C does: files are closed, nothing is half-written."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
