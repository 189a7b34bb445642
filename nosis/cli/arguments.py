"""What a command line can hold: the parsed values, the parser's class, the shared flags."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from nosis.errors import UsageError

FORMATS = ("text", "json", "stream-json")


class Arguments(argparse.Namespace):
    """A parsed command line; these values stand for what was not given."""

    run: str = "turn:chat"  # module of nosis.cli, and its function
    command: str = "chat"  # the words that chose it, for messages

    home: str | None = None
    workspace: str | None = None
    inherit: str | None = None
    read_only: str | None = None  # "on"
    agent: str | None = None
    model: str | None = None
    json: bool = False
    debug: bool = False

    prompt: str | None = None
    newest: bool = False
    resume: str | None = None  # "" where -r came without an id
    output_format: str | None = None
    explain: bool = False
    learn: bool = True
    curate: bool = False
    timeout: str | None = None
    plain: bool = False

    id: str = ""
    text: Sequence[str] = ()
    value: str | None = None
    field: str = ""
    name: str = ""
    day: str | None = None
    times: str = "1"
    file: str | None = None
    files: Sequence[str] = ()
    source: str | None = None
    format: str | None = None
    limit: str | None = None
    status: str = "live"
    category: str | None = None
    importance: str | None = None
    min_importance: str | None = None
    max_importance: str | None = None
    since: str | None = None
    until: str | None = None
    yes: bool = False
    dry_run: bool = False
    web: bool = False
    host: str | None = None
    port: str | None = None

    @property
    def words(self) -> str:
        """The words of the positional text, as one string."""
        return " ".join(self.text)

    @property
    def count(self) -> int | None:
        """``--limit`` as a number; None where it was not given.

        Raises:
            UsageError: it is no whole number of 1 or more.
        """
        return None if self.limit is None else whole("--limit", self.limit)


def whole(flag: str, given: str, most: int | None = None) -> int:
    """A flag's value as a whole number of 1 to ``most``.

    Raises:
        UsageError: it is none.
    """
    number = int(given) if given.isascii() and given.isdigit() else 0
    if number < 1 or (most is not None and number > most):
        expected = "1 or more" if most is None else f"1 to {most}"
        raise UsageError(f"{flag}: {given!r} is not valid", f"Expected: {expected}.")
    return number


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are UsageErrors, and whose flags are never abbreviated."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, argument_default=argparse.SUPPRESS, **options)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse found wrong."""
        unknown = re.match(r"argument (\S+): invalid choice: (.*) \(choose from (.*)\)", message)
        if unknown and unknown[1] == "COMMAND":
            raise self._unknown(unknown[2].strip("'\""), re.findall(r"[\w-]+", unknown[3]))
        hint = f"See: {self.prog} --help"
        if "expected one argument" in message:
            hint += " (a value that begins with a dash is written --flag=VALUE)"
        raise UsageError(message, hint)

    def _unknown(self, word: str, known: Sequence[str]) -> UsageError:
        from difflib import get_close_matches

        near = get_close_matches(word, known, n=1)
        guess = f"Did you mean: {self.prog} {near[0]}? " if near else ""
        if self.prog != "nosis":
            hint = f"{guess}See: {self.prog} --help"
            return UsageError(f"unknown command: {self.prog} {word}", hint)
        hint = f'{guess}To ask something, use -p: nosis -p "QUESTION" (all commands: nosis --help)'
        return UsageError(f"unknown command: {word!r}", hint)


def shared_flags(parser: argparse.ArgumentParser) -> None:
    """Flags that every command takes, before or after its name."""
    add = parser.add_argument_group("shared options").add_argument
    add("-w", "--workspace", metavar="NAME", help="the memory to use")
    add("--inherit", metavar="NAME", help="recall from this workspace too, without writing to it")
    add(
        "--read-only",
        action="store_const",
        const="on",
        help="read memory, and change nothing in it",
    )
    add("--home", metavar="FOLDER", help="the folder that holds workspaces")
    add("--agent", metavar="NAME", help="the author of what is written")
    add("-m", "--model", metavar="NAME", help="the model that answers")
    add("--json", action="store_true", help="JSON on stdout")
    add("--debug", action="store_true", help="show tracebacks and library warnings")


def turn_flags(parser: argparse.ArgumentParser) -> None:
    """Flags of a turn and a conversation."""
    add = parser.add_argument_group("conversation").add_argument
    add(
        "-c", "--continue", dest="newest", action="store_true", help="go on with the newest session"
    )
    add("-r", "--resume", nargs="?", const="", metavar="ID", help="resume a session by id or title")
    add("--output-format", choices=FORMATS, metavar="F", help=", ".join(FORMATS))
    add("--explain", action="store_true", help="say on stderr what was recalled, and why")
    add("--no-learn", dest="learn", action="store_false", help="leave no trace of it in memory")
    add("--curate", action="store_true", help="distil what was said into facts before leaving")
    add("--timeout", metavar="SECONDS", help="longest time for one answer")
    add("--plain", action="store_true", help="a plain prompt instead of the terminal app")


SHARED_FLAGS = (
    *("--workspace", "--inherit", "--read-only", "--home", "--agent", "--model", "--json"),
    *("--debug", "--help"),
)
TURN_FLAGS = {
    "prompt": "-p",
    "newest": "--continue",
    "resume": "--resume",
    "output_format": "--output-format",
    "explain": "--explain",
    "learn": "--no-learn",
    "curate": "--curate",
    "timeout": "--timeout",
    "plain": "--plain",
}
