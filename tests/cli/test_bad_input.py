"""Bad input, in every command: one error line, one hint, the right code, nothing changed."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from nosis.cli.commands import COMMANDS
from tests.cli.driver import Nosis


class Bad(NamedTuple):
    """A command line that must fail; ``{id}`` is the id of a stored fact."""

    line: str
    error: str  # words that the error line holds
    hint: str = ""
    code: int = 2
    piped: str | None = None

    @property
    def argv(self) -> list[str]:
        return self.line.split("|") if self.line else []


BAD = [
    # the parser
    Bad("what is my name", "unknown command: 'what is my name'", "-p"),
    Bad("what|is|my|name", "unknown command: 'what'", "-p"),
    Bad("memry|list", "unknown command: 'memry'", "nosis memory"),
    Bad("memory|lst", "unknown command: nosis memory lst", "nosis memory list"),
    Bad("memory|pending|take|x", "unknown command: nosis memory pending take"),
    Bad("--nonsense", "unrecognized arguments: --nonsense", "nosis --help"),
    Bad("memory|list|--nonsense", "unrecognized arguments"),
    Bad("memory|list|extra", "unrecognized arguments: extra", "nosis memory list --help"),
    Bad("memory|list|--limt|3", "unrecognized arguments: --limt 3", "Did you mean: --limit?"),
    Bad("doctor|--jsn", "unrecognized arguments: --jsn", "Did you mean: --json?"),
    Bad("-p", "-p/--prompt: expected one argument", "--flag=VALUE"),
    Bad("--output|json", "unknown command: 'json'"),
    Bad("--expl", "unrecognized arguments: --expl"),
    Bad("-p|x|--output-format|xml", "invalid choice: 'xml'"),
    Bad("-p|x|--json|--output-format|text", "contradict"),
    Bad("-p|x|memory|list", "-p has no meaning with 'memory list'"),
    Bad("-c|memory|list", "--continue has no meaning with 'memory list'"),
    Bad("--explain|core|show", "--explain has no meaning with 'core show'"),
    Bad("ask", "required: QUESTION", "nosis ask --help"),
    Bad("-p|x|ask|y", "-p has no meaning with 'ask'"),
    # what was asked
    Bad("-p|", "nothing was asked", "-p"),
    Bad("-p| \n ", "nothing was asked"),
    Bad("ask| ", "nothing was asked"),
    Bad("", "piped text is empty", "-p", piped=""),
    Bad("", "piped text is empty", piped=" \n\t "),
    Bad("", "needs a terminal", "-p"),
    # values of flags
    Bad("-w|../x|-p|hi", "not a workspace name: '../x'", "such as 'x'"),
    Bad("-w|my notes é|memory|list", "not a workspace name", "my-notes"),
    Bad("-w|A|memory|list", "not a workspace name: 'A'", "'a'"),
    Bad("-w||memory|list", "--workspace is empty"),
    Bad("--home||core|show", "--home is empty"),
    Bad("--home|a\0b|core|show", "--home holds characters"),
    Bad("--agent|a\nb|memory|add|x", "--agent holds characters"),
    Bad("-p|x|--timeout|0", "--timeout: '0' is not valid", "a number from 0.1"),
    Bad("-p|x|--timeout|nan", "--timeout: 'nan' is not valid"),
    Bad("-p|x|--timeout|soon", "--timeout: 'soon' is not valid"),
    Bad("-r|nothing|-p|hi", "no session 'nothing'", "sessions list"),
    # memory
    Bad("memory|list|--limit|0", "--limit: '0' is not valid"),
    Bad("memory|list|--limit|-3", "--limit"),
    Bad("memory|list|--limit|many", "--limit: 'many' is not valid"),
    Bad("memory|list|--status|gone", "invalid choice: 'gone'"),
    Bad("memory|list|--category|nonsense", "unknown category: 'nonsense'", "preference"),
    Bad("memory|search", "required: TEXT"),
    Bad("memory|search| ", "nothing to search for"),
    Bad("memory|search|x|--limit|no", "--limit"),
    Bad("memory|search|x|--category|zzz", "unknown category"),
    Bad("memory|search|x|--since|yesterday", "not a date: 'yesterday'", "2026-11-30"),
    Bad("memory|search|x|--until|1w", "not a date: '1w'"),
    Bad("memory|search|x|--min-importance|2", "not an importance: '2'"),
    Bad("memory|add", "required: TEXT"),
    Bad("memory|add| ", "nothing to remember"),
    Bad("memory|add|" + "x" * 4001, "4001 characters are too many"),
    Bad("memory|add|x|--importance|1.4", "not an importance: '1.4'", "0 to 1"),
    Bad("memory|add|x|--importance|nan", "not an importance"),
    Bad("memory|add|x|--importance|high", "not an importance"),
    Bad("memory|add|x|--category|zzz", "unknown category: 'zzz'"),
    Bad("memory|edit|{id}", "required: TEXT"),
    Bad("memory|edit|{id}| ", "nothing to remember"),
    Bad("memory|edit|mnowhere|y", "no memory matches 'mnowhere'", "memory search"),
    Bad("memory|forget", "required: ID"),
    Bad("memory|forget|mnowhere", "no memory matches"),
    Bad("memory|forget|tea", "2 memories match 'tea'", "{id}"),
    Bad("memory|restore|mnowhere", "no memory with the id 'mnowhere'"),
    Bad("memory|restore|{id}", "is live", "--status forgotten"),
    Bad("memory|purge|mnowhere|--yes", "no memory with the id"),
    Bad("memory|purge|{id}", "not done without a yes", "--yes", piped="y\n"),
    Bad("memory|pin|mnowhere", "no memory matches"),
    Bad("memory|unpin|mnowhere", "no memory matches"),
    Bad("memory|important|{id}", "required: X"),
    Bad("memory|important|{id}|2", "not an importance: '2'"),
    Bad("memory|important|{id}|-3", "not an importance: '-3'"),
    Bad("memory|important|mnowhere|0.5", "no memory matches"),
    Bad("memory|history|mnowhere", "no memory with the id"),
    Bad("memory|undo|0", "not a number of changes: '0'", "1 to 100"),
    Bad("memory|undo|all", "not a number of changes: 'all'"),
    Bad("log|2026-13-99", "not a day: '2026-13-99'", "2026-11-30"),
    Bad("memory|undo|--agent|somebody-else", "nothing to undo", "nosis log"),
    Bad("memory|pending|accept|{id}", "is not pending", "pending list"),
    Bad("memory|pending|reject|{id}", "is not pending"),
    Bad("memory|pending|accept|mnowhere", "no memory with the id"),
    Bad("memory|export|no/such/folder/x.jsonl", "cannot write no/such/folder/x.jsonl"),
    Bad("memory|export|--format|xml", "invalid choice: 'xml'"),
    Bad("memory|import", "required: FILE"),
    Bad("memory|import|nowhere.jsonl", "cannot read nowhere.jsonl"),
    # core memory
    Bad("core|set|name", "required: VALUE"),
    Bad("core|set|name| ", "nothing to remember"),
    Bad("core|set|../x|y", "not a core field: '../x'"),
    Bad("core|set|name|" + "x" * 1001, "1001 bytes are too many", "memory add"),
    Bad("core|append|a b c!|y", "not a core field"),
    Bad("core|remove|company", "core memory has no 'company'", "core show"),
    Bad("core|remove|name|Bob", "no 'name' with 'Bob'"),
    # sessions
    Bad("sessions|show|nothing", "no session 'nothing'", "sessions list"),
    Bad("sessions|rename|nothing|x", "no session"),
    Bad("sessions|delete|nothing", "no session"),
    Bad("sessions|export|nothing", "no session"),
    Bad("sessions|list|--limit|x", "--limit"),
    # workspaces, log, config, models
    Bad("workspaces|create|default", "exists already"),
    Bad("workspaces|create|../x", "not a workspace name"),
    Bad("workspaces|create|nul", "not a workspace name"),
    Bad("workspaces|copy|nowhere|other", "no workspace 'nowhere'", "workspaces list"),
    Bad("workspaces|delete|nowhere|--yes", "no workspace 'nowhere'", "workspaces list"),
    Bad("workspaces|delete|..|--yes", "not a workspace name"),
    Bad("workspaces|delete|default", "not done without a yes", "--yes", piped="y\n"),
    Bad("log|yesterday", "not a day: 'yesterday'", "2026-11-30"),
    Bad("log|../../x", "not a day"),
    Bad("config|show|-w|..|extra", "unrecognized arguments"),
    Bad("config|path|-w|a/b", "not a workspace name"),
    Bad("models|get", "required: NAME"),
    Bad("models|get|nonsense", "nonsense"),
    Bad("serve", "serve needs to know", "nosis serve --web"),
    Bad("serve|--web|--port|0", "--port: '0' is not valid"),
    Bad("serve|--web|--host|0.0.0.0", "not an address that a browser can open", "--host"),
    Bad("serve|--web|-w|../x", "not a workspace name"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.line[:50] or f"piped {bad.piped!r}")
def test_bad_input_gives_one_error_one_hint_and_changes_nothing(
    filled: tuple[Nosis, str], bad: Bad
) -> None:
    nosis, fact = filled
    before = nosis.journal()
    argv = [word.replace("{id}", fact) for word in bad.argv]

    error, hint = nosis(*argv, piped=bad.piped).failed(bad.code)

    assert bad.error in error
    assert bad.hint.replace("{id}", fact) in hint
    assert hint
    assert nosis.journal() == before


def test_every_command_has_a_row_of_bad_input_or_takes_none() -> None:
    takes_no_input = {
        "memory undo",
        "memory pending list",
        "init",
        "doctor",
        "reindex",
        "curate",
        "mcp",
    }
    lines = [" ".join(bad.argv) for bad in BAD]
    for command in COMMANDS:
        if command.path not in takes_no_input | {"chat", "core show", "config show"}:
            found = any(command.path in line for line in lines)
            assert found or "list" in command.path, command.path


@pytest.mark.parametrize(
    ("variable", "value", "error"),
    [
        ("OPENAI_API_KEY", "ключ", "OPENAI_API_KEY holds characters that no key has"),
        ("OPENAI_API_KEY", "sk-one\nsk-two", "OPENAI_API_KEY holds characters that no key has"),
        ("OPENAI_API_KEY", "Bearer sk-one", "OPENAI_API_KEY holds characters that no key has"),
        ("NOSIS_TIMEOUT", "never", "environment NOSIS_TIMEOUT: 'never' is not valid"),
        ("NOSIS_CONTEXT_WINDOW", "12", "NOSIS_CONTEXT_WINDOW"),
        ("NOSIS_WORKSPACE", "../../etc", "not a workspace name"),
        ("NOSIS_SCORING", "best", "NOSIS_SCORING"),
    ],
)
def test_a_bad_setting_names_the_variable(
    nosis: Nosis, variable: str, value: str, error: str
) -> None:
    nosis.patch.setenv(variable, value)

    assert error in nosis("memory", "list").failed(2)[0]


def test_a_home_that_cannot_be_made_is_named(nosis: Nosis) -> None:
    (nosis.folder / "file").write_text("")

    error, hint = nosis("--home", str(nosis.folder / "file" / "x"), "memory", "list").failed(2)

    assert "cannot create" in error
    assert "--home" in hint


def test_a_bad_record_stops_an_import_before_anything_is_stored(nosis: Nosis) -> None:
    nosis.add("I drink tea")
    before = nosis.journal()
    good = "\n".join(f'{{"text": "fact {number}"}}' for number in range(700))
    (nosis.folder / "here" / "mixed.jsonl").write_text(good + '\n{"words": "no text"}\n')

    error, _ = nosis("memory", "import", "mixed.jsonl").failed(2)

    assert "record 701" in error
    assert nosis.journal() == before


def test_a_workspace_that_is_a_link_is_used_but_not_deleted(nosis: Nosis) -> None:
    nosis.add("I drink tea")
    elsewhere = nosis.workspace.rename(nosis.folder / "elsewhere")
    nosis.workspace.symlink_to(elsewhere)
    nosis.add("I buy tea in Springfield")

    error, _ = nosis("workspaces", "delete", "default", "--yes").failed(2)

    assert str(elsewhere) in error
    assert len(nosis("memory", "list", "--json").json) == 2


def test_an_export_never_overwrites_a_file(nosis: Nosis) -> None:
    nosis.add("I drink tea")
    (nosis.folder / "here" / "mine.txt").write_text("mine")

    error, _ = nosis("memory", "export", "mine.txt").failed(2)

    assert "exists already" in error
    assert (nosis.folder / "here" / "mine.txt").read_text() == "mine"


def test_a_fault_of_nosis_is_told_in_two_lines_and_debug_shows_where(nosis: Nosis) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("division by zero")

    nosis.patch.setattr("nosis.cli.memory.listing", broken)

    error, hint = nosis("memory", "list").failed(1)
    shown = nosis("memory", "list", "--debug")

    assert error == "unexpected ZeroDivisionError: division by zero"
    assert "--debug" in hint
    assert shown.code == 1
    assert "Traceback" in shown.err
