"""The tree of commands: names, arguments, help and examples. What they do is elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from nosis import __version__
from nosis.cli.arguments import (
    TURN_FLAGS,
    Arguments,
    Parser,
    examples,
    shared_flags,
    turn_flags,
)
from nosis.errors import UsageError

Add = Callable[[argparse.ArgumentParser], object]
TEXT = ("text",)


def parse(argv: Sequence[str]) -> Arguments:
    """The parsed command line.

    Raises:
        UsageError: it is not valid.
        SystemExit: help or the version was asked for, and has been printed.
    """
    arguments = build().parse_args(_with_dashed_prompt(argv), Arguments())
    if not arguments.run.startswith("turn:"):
        for name, flag in TURN_FLAGS.items():
            if name in vars(arguments):
                raise UsageError(
                    f"{flag} has no meaning with {arguments.command!r}",
                    f"See: nosis {arguments.command} --help",
                )
    for name in ("home", "workspace", "agent", "model", "timeout"):
        value = getattr(arguments, name)
        if value is not None and (not value.strip() or not value.isprintable()):
            state = "is empty" if not value.strip() else "holds characters that cannot be used"
            raise UsageError(f"--{name} {state}", f"Give it a plain value, or leave --{name} out.")
    return arguments


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


def build() -> Parser:
    """The parser of all commands."""
    parser = Parser(
        prog="nosis",
        description="A chat agent for the terminal that remembers. Without a command it opens\n"
        "the conversation; with -p or piped text it answers once.",
        epilog=examples(
            "nosis                                 open the conversation",
            'nosis -p "what do you know of me?"    one answer, on stdout',
            'git diff | nosis -p "review this"     piped text is material',
            'nosis memory add "I prefer tea"       keep a fact',
        ),
    )
    parser.add_argument("--version", action="version", version=f"nosis {__version__}")
    parser.add_argument("-p", "--prompt", metavar="QUESTION", help="answer once and leave")
    turn_flags(parser)
    shared_flags(parser)
    nouns = _group(parser)
    _turns(nouns)
    _memory(nouns)
    _core(nouns)
    _sessions(nouns)
    _workspaces(nouns)
    _others(nouns)
    return parser


_Commands = Any  # argparse's own type for a set of commands is private


def _group(parser: argparse.ArgumentParser) -> _Commands:
    return parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)


def _noun(nouns: _Commands, name: str, help_text: str, run: str) -> _Commands:
    """A noun with verbs; by itself it does what ``run`` names."""
    parser = nouns.add_parser(name, help=help_text, description=help_text.capitalize() + ".")
    parser.set_defaults(run=run, command=name)
    shared_flags(parser)
    return _group(parser)


def _verb(commands: _Commands, path: str, run: str, help_text: str, shown: Sequence[str],
          *adds: Add) -> argparse.ArgumentParser:  # fmt: skip
    """One command: its path ("memory add"), function, help, examples and arguments."""
    parser: argparse.ArgumentParser = commands.add_parser(
        path.split()[-1],
        help=help_text,
        description=help_text[:1].upper() + help_text[1:] + ".",
        epilog=examples(*(f"nosis {line}" for line in shown)),
    )
    for add in adds:
        add(parser)
    shared_flags(parser)
    parser.set_defaults(run=run, command=path)
    return parser


def _argument(*names: str, **options: Any) -> Add:
    return lambda parser: parser.add_argument(*names, **options)


_ID = _argument("id", metavar="ID", help="a memory's id, or words that mean just one")
_EXACT_ID = _argument("id", metavar="ID", help="a memory's id")
_SESSION = _argument("id", metavar="ID", help="(the beginning of) a session's id or title")
_WORDS = _argument("text", metavar="TEXT", nargs="+", help="the words")
_LIMIT = _argument("--limit", metavar="N", help="at most this many")
_CATEGORY = _argument("--category", metavar="C", help="security, decision, knowledge, contact, "
                      "project, event or preference")  # fmt: skip
_YES = _argument("--yes", action="store_true", help="do not ask")


def _turns(nouns: _Commands) -> None:
    chat = _verb(nouns, "chat", "turn:chat", "open the conversation (as nosis alone does)",
                 ["chat -c", "chat -r s3f", "chat -w work -m gpt-5-mini"],
                 turn_flags)  # fmt: skip
    chat.add_argument("-p", "--prompt", metavar="QUESTION", help="answer once and leave")
    _verb(nouns, "ask", "turn:ask", "answer one question and leave (as -p does)",
          ['ask "where do I work?"', 'ask --json "where do I work?"',
           'cat notes.txt | nosis ask "what is missing?"'],
          _argument("text", metavar="QUESTION", nargs="+", help="the question"),
          turn_flags)  # fmt: skip


def _memory(nouns: _Commands) -> None:
    verbs = _noun(nouns, "memory", "look at and change what nosis remembers", "memory:listing")
    _verb(verbs, "memory list", "memory:listing", "facts, newest first",
          ["memory list --limit 20", "memory list --status forgotten",
           "memory list --category decision --json"],
          _LIMIT, _CATEGORY,
          _argument("--status", metavar="S", choices=STATUSES, help=", ".join(STATUSES)))  # fmt: skip
    _verb(verbs, "memory search", "memory:search", "what would be recalled for these words, and why",
          ['memory search "deploy day"', "memory search deploys --limit 3 --json"],
          _WORDS, _LIMIT, _CATEGORY)  # fmt: skip
    _verb(verbs, "memory add", "memory:add", "keep a fact",
          ['memory add "Deploys are on Fridays" --category decision --importance 0.8'],
          _WORDS, _CATEGORY,
          _argument("--importance", metavar="X", help="0 to 1; 0.5 if not given"))  # fmt: skip
    _verb(verbs, "memory edit", "memory:edit", "change a fact's words",
          ['memory edit m3f2k9a "Deploys are on Mondays"'], _ID, _WORDS)  # fmt: skip
    for name, help_text in (
        ("forget", "retract a memory (restore brings it back)"),
        ("pin", "pin a fact: importance 1, never faded, never pruned"),
        ("unpin", "take a pin away"),
    ):
        shown = [f"memory {name} m3f2k9a", f'memory {name} "deploy day"']
        _verb(verbs, f"memory {name}", f"memory:{name}", help_text, shown, _ID)
    _verb(verbs, "memory restore", "memory:restore", "bring a forgotten or superseded memory back",
          ["memory restore m3f2k9a"], _EXACT_ID)  # fmt: skip
    _verb(verbs, "memory purge", "memory:purge", "remove a memory's words from every file, for ever",
          ["memory purge m3f2k9a --yes"], _EXACT_ID, _YES)  # fmt: skip
    _verb(verbs, "memory important", "memory:important", "set how much a fact matters, 0 to 1",
          ["memory important m3f2k9a 0.9"], _ID,
          _argument("importance", metavar="X", help="0 to 1"))  # fmt: skip
    _verb(verbs, "memory history", "memory:history", "all that happened to one memory",
          ["memory history m3f2k9a", "memory history m3f2k9a --json"], _EXACT_ID)  # fmt: skip
    _verb(verbs, "memory undo", "memory:undo", "revert the newest change",
          ["memory undo"])  # fmt: skip
    pending = _noun(verbs, "pending", "facts that wait for your yes", "memory:pending")
    _verb(pending, "memory pending list", "memory:pending", "facts that wait, newest first",
          ["memory pending list", "memory pending list --json"])  # fmt: skip
    _verb(pending, "memory pending accept", "memory:accept", "take a waiting fact in",
          ["memory pending accept m3f2k9a"], _EXACT_ID)  # fmt: skip
    _verb(pending, "memory pending reject", "memory:reject", "refuse a waiting fact",
          ["memory pending reject m3f2k9a"], _EXACT_ID)  # fmt: skip


STATUSES = ("live", "superseded", "forgotten", "pending", "all")


def _core(nouns: _Commands) -> None:
    verbs = _noun(nouns, "core", "the few fields that every prompt holds", "core:show")
    field = _argument("field", metavar="FIELD", help="name, role, company, preference, or your own")
    value = _argument("text", metavar="VALUE", nargs="+", help="the value")
    _verb(verbs, "core show", "core:show", "core memory as it is",
          ["core show", "core show --json"])  # fmt: skip
    _verb(verbs, "core set", "core:set_field", "replace a field",
          ['core set name "Ada Lovelace"'], field, value)  # fmt: skip
    _verb(verbs, "core append", "core:append", "add a value to a field that holds a list",
          ['core append preference "short answers"'], field, value)  # fmt: skip
    _verb(verbs, "core remove", "core:remove", "remove a field, or one value of a list",
          ["core remove company", 'core remove preference "short answers"'], field,
          _argument("text", metavar="VALUE", nargs="*", help="only this value"))  # fmt: skip


def _sessions(nouns: _Commands) -> None:
    verbs = _noun(nouns, "sessions", "earlier conversations", "sessions:listing")
    _verb(verbs, "sessions list", "sessions:listing", "sessions, the newest first",
          ["sessions list --limit 5", "sessions list --json"], _LIMIT)  # fmt: skip
    _verb(verbs, "sessions show", "sessions:show", "the messages of a session",
          ["sessions show s3f"], _SESSION)  # fmt: skip
    _verb(verbs, "sessions rename", "sessions:rename", "give a session another title",
          ['sessions rename s3f "Plans for May"'], _SESSION,
          _argument("text", metavar="TITLE", nargs="+", help="the title"))  # fmt: skip
    _verb(verbs, "sessions delete", "sessions:delete",
          "take a session off the list (its messages stay in the archive)",
          ["sessions delete s3f"], _SESSION)  # fmt: skip
    _verb(verbs, "sessions export", "sessions:export", "write a session as Markdown or JSON lines",
          ["sessions export s3f talk.md", "sessions export s3f --format jsonl"],
          _SESSION, _FILE, _format("markdown", "jsonl"))  # fmt: skip


_FILE = _argument("file", metavar="FILE", nargs="?", help="where to; stdout if not given")


def _format(*names: str) -> Add:
    return _argument("--format", choices=names, metavar="FORMAT", help=" or ".join(names))


def _workspaces(nouns: _Commands) -> None:
    verbs = _noun(nouns, "workspaces", "separate memories", "workspaces:listing")
    name = _argument("name", metavar="NAME", help="the workspace")
    _verb(verbs, "workspaces list", "workspaces:listing", "workspaces of this home",
          ["workspaces list", "workspaces list --json"])  # fmt: skip
    _verb(verbs, "workspaces create", "workspaces:create", "make an empty workspace",
          ["workspaces create work"], name)  # fmt: skip
    _verb(verbs, "workspaces delete", "workspaces:delete", "delete a workspace and all it holds",
          ["workspaces delete old --yes"], name, _YES)  # fmt: skip
    _verb(nouns, "init", "workspaces:init", "keep this folder's memories in it (makes .nosis)",
          ["init"])  # fmt: skip


def _others(nouns: _Commands) -> None:
    _verb(nouns, "reindex", "index:reindex", "rebuild the index, with the present embedding model",
          ["reindex"])  # fmt: skip
    _verb(nouns, "log", "log:show", "what happened on a day, today if none is given",
          ["log", "log 2026-11-30"],
          _argument("day", metavar="DAY", nargs="?", help="such as 2026-11-30"))  # fmt: skip
    config = _noun(nouns, "config", "the settings in force", "config:show")
    _verb(config, "config show", "config:show", "each setting with its value and source",
          ["config show", "config show --json"])  # fmt: skip
    _verb(config, "config path", "config:path", "where the workspace's files are",
          ["config path"])  # fmt: skip
    _verb(nouns, "doctor", "doctor:doctor", "check the environment, the model and the files",
          ["doctor", "doctor --json"])  # fmt: skip
    models = _noun(nouns, "models", "local models that nosis knows", "models:listing")
    _verb(models, "models list", "models:listing", "known models, and which are here",
          ["models list", "models list --json"])  # fmt: skip
    _verb(models, "models get", "models:get", "fetch a model file (resumes where it stopped)",
          ["models get qwen2.5-coder-1.5b", "models get qwen2.5-coder-1.5b --from ./model.gguf"],
          _argument("name", metavar="NAME", help="as models list names it"),
          _argument("--from", dest="source", metavar="URL|FILE", help="a mirror, or a file"))  # fmt: skip
