"""Command lines to values: builds the parser that one command line needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nosis import __version__
from nosis.cli.arguments import (
    SHARED_FLAGS,
    TURN_FLAGS,
    Arguments,
    Parser,
    shared_flags,
    turn_flags,
)
from nosis.cli.commands import ARGUMENTS, COMMANDS, Command
from nosis.errors import UsageError

_EXAMPLES = (
    "                                open the conversation",
    '-p "what do you know of me?"    one answer, on stdout',
    '-p "review this" < draft.md     piped text is material',
    'memory add "I prefer tea"       keep a fact',
)
_PLAIN_VALUES = ("home", "workspace", "inherit", "agent", "model", "timeout")


def parse(argv: Sequence[str]) -> Arguments:
    """The parsed command line.

    Raises:
        UsageError: it is not valid.
        SystemExit: help or the version was asked for, and has been printed.
    """
    arguments, unknown = build(argv).parse_known_args(_with_dashed_prompt(argv), Arguments())
    if unknown:
        raise _unrecognized(unknown, arguments)
    if not arguments.run.startswith("turn:"):
        for name, flag in TURN_FLAGS.items():
            if name in vars(arguments):
                raise UsageError(
                    f"{flag} has no meaning with {arguments.command!r}",
                    f"See: nosis {arguments.command} --help",
                )
    for name in _PLAIN_VALUES:
        value = getattr(arguments, name)
        if value is not None and (not value.strip() or not value.isprintable()):
            state = "is empty" if not value.strip() else "holds characters that cannot be used"
            raise UsageError(f"--{name} {state}", f"Give it a plain value, or leave --{name} out.")
    return arguments


def _unrecognized(unknown: Sequence[str], arguments: Arguments) -> UsageError:
    """What to say of words and flags that a command does not have."""
    from difflib import get_close_matches

    command = next(c for c in COMMANDS if c.path == arguments.command)
    shared = [*TURN_FLAGS.values()] if arguments.run.startswith("turn:") else []
    flags = [*SHARED_FLAGS, *shared, *(a for a in command.arguments if a.startswith("--"))]
    near = get_close_matches(unknown[0].partition("=")[0], flags, n=1)
    page = "nosis" if arguments.command == "chat" else f"nosis {arguments.command}"
    words = "(text of several words goes in quotes; after -- a dash is text)"
    return UsageError(
        f"unrecognized arguments: {' '.join(unknown)}",
        (f"Did you mean: {near[0]}? " if near else "") + f"See: {page} --help {words}",
    )


def _with_dashed_prompt(argv: Sequence[str]) -> list[str]:
    """The arguments, with ``-p "-c means what?"`` joined so that the question stays one."""
    joined: list[str] = []
    for word in argv:
        is_text = word.startswith("-") and any(c.isspace() for c in word)
        if joined and joined[-1] in ("-p", "--prompt") and is_text:
            joined[-1] = f"{joined[-1]}={word}"
        else:
            joined.append(word)
    return joined


def build(argv: Sequence[str] | None = None) -> Parser:
    """The parser of all commands; with ``argv`` only of those that it may name, which is
    several times faster."""
    parser = Parser(
        prog="nosis",
        description="A chat agent for the terminal that remembers. Without a command it opens\n"
        "the conversation; with -p or piped text it answers once.",
        epilog=_examples(_EXAMPLES),
    )
    parser.add_argument("--version", action="version", version=f"nosis {__version__}")
    _add(parser, "prompt")
    turn_flags(parser)
    shared_flags(parser)
    groups: dict[str, Any] = {"": _group(parser)}
    for command in COMMANDS:
        noun, _, name = command.path.rpartition(" ")
        if argv is None or not noun or noun.split()[0] in argv:
            made = _command(groups[noun], name, command)
            if command.is_noun:
                groups[command.path] = _group(made)
    return parser


def _group(parser: Parser) -> Any:  # argparse's own type for it is private
    return parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)


def _command(group: Any, name: str, command: Command) -> Parser:
    made: Parser = group.add_parser(
        name,
        help=command.help,
        description=f"{command.help[0].upper()}{command.help[1:]}.",
        epilog=_examples(command.examples),
    )
    for argument in command.arguments:
        _add(made, argument)
    shared_flags(made)
    made.set_defaults(run=command.run, command=command.path)
    return made


def _add(parser: Parser, argument: str) -> None:
    if argument == "turn":
        turn_flags(parser)
    elif argument == "prompt":
        parser.add_argument("-p", "--prompt", metavar="QUESTION", help="answer once and leave")
    else:
        options = dict(ARGUMENTS[argument])
        if argument.startswith("-"):
            parser.add_argument(argument, **options)
        else:
            parser.add_argument(options.pop("dest", argument), **options)


def _examples(lines: Sequence[str]) -> str:
    return "\n".join(["examples:", *(f"  nosis {line}" for line in lines)])
