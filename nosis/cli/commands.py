"""Every command as data: its path, function, help, arguments and examples."""

from __future__ import annotations

from typing import Any, NamedTuple

STATUSES = ("live", "superseded", "forgotten", "pending", "all")
CATEGORIES = "security, decision, knowledge, contact, project, event or preference"

ARGUMENTS: dict[str, dict[str, Any]] = {
    "id": {"metavar": "ID", "help": "a memory's id, or words that mean just one"},
    "exact_id": {"dest": "id", "metavar": "ID", "help": "a memory's id"},
    "session": {"dest": "id", "metavar": "ID", "help": "(the beginning of) an id or title"},
    "text": {"metavar": "TEXT", "nargs": "+", "help": "the words"},
    "question": {"dest": "text", "metavar": "QUESTION", "nargs": "+", "help": "what to ask"},
    "title": {"dest": "text", "metavar": "TITLE", "nargs": "+", "help": "the title"},
    "field": {"metavar": "FIELD", "help": "name, role, company, preference, or your own"},
    "values": {"dest": "text", "metavar": "VALUE", "nargs": "+", "help": "the value"},
    "only": {"dest": "text", "metavar": "VALUE", "nargs": "*", "help": "only this value"},
    "level": {"dest": "importance", "metavar": "X", "help": "0 to 1"},
    "name": {"metavar": "NAME", "help": "its name"},
    "from": {"dest": "source", "metavar": "FROM", "help": "NAME, local:NAME or hosted:NAME"},
    "to": {"dest": "name", "metavar": "TO", "help": "NAME, local:NAME or hosted:NAME"},
    "times": {"metavar": "N", "nargs": "?", "help": "so many changes; 1 if not given"},
    "day": {"metavar": "DAY", "nargs": "?", "help": "such as 2026-11-30; today if not given"},
    "file": {"metavar": "FILE", "nargs": "?", "help": "a new file; stdout if not given"},
    "files": {"metavar": "FILE", "nargs": "+", "help": "JSONL, JSON or Markdown"},
    "--limit": {"metavar": "N", "help": "at most this many"},
    "--category": {"metavar": "C", "help": CATEGORIES},
    "--importance": {"metavar": "X", "help": "0 to 1; 0.5 if not given"},
    "--min-importance": {"metavar": "X", "help": "this important or more, 0 to 1"},
    "--max-importance": {"metavar": "X", "help": "this important or less, 0 to 1"},
    "--since": {"metavar": "DATE", "help": "from this date or time on (ISO 8601, UTC)"},
    "--until": {"metavar": "DATE", "help": "up to this date or time (ISO 8601, UTC)"},
    "--status": {"metavar": "S", "choices": STATUSES, "help": ", ".join(STATUSES)},
    "--format": {"metavar": "F", "choices": ("markdown", "jsonl"), "help": "markdown or jsonl"},
    "--from": {"dest": "source", "metavar": "URL|FILE", "help": "a mirror, or a file"},
    "--dry-run": {"action": "store_true", "help": "show what would be done"},
    "--web": {"action": "store_true", "help": "the app, in a browser (extra: nosis-agent[web])"},
    "--host": {"metavar": "ADDRESS", "help": "127.0.0.1 if not given: this machine only"},
    "--port": {"metavar": "N", "help": "8000 if not given"},
    "--yes": {"action": "store_true", "help": "do not ask"},
}


class Command(NamedTuple):
    """One command, or a noun with verbs.

    ``arguments`` are keys of ARGUMENTS, or "turn" for the flags of a conversation.
    """

    path: str
    run: str  # module of nosis.cli, and its function; of a noun: what it does alone
    help: str
    arguments: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def is_noun(self) -> bool:
        """Whether verbs follow it ("memory", "memory pending")."""
        return any(other.path.startswith(f"{self.path} ") for other in COMMANDS)


COMMANDS = (
    Command(
        "chat",
        "turn:chat",
        "open the conversation (as nosis alone does)",
        ("turn", "prompt"),
        ("chat -c", "chat -r s3f", "chat -w work -m gpt-5-mini"),
    ),
    Command(
        "ask",
        "turn:ask",
        "answer one question and leave (as -p does)",
        ("question", "turn"),
        ('ask "where do I work?"', 'ask --json "where do I work?"'),
    ),
    Command(
        "memory",
        "memory:listing",
        "look at and change what nosis remembers",
        (),
        ("memory", 'memory add "I prefer tea"', "memory undo"),
    ),
    Command(
        "memory list",
        "memory:listing",
        "facts, newest first",
        ("--limit", "--category", "--status"),
        ("memory list --limit 20", "memory list --status forgotten --json"),
    ),
    Command(
        "memory search",
        "memory:search",
        "what these words would recall, and why (with --limit N the N best, if any match)",
        (
            *("text", "--limit", "--category"),
            *("--min-importance", "--max-importance", "--since", "--until"),
        ),
        ('memory search "deploy day"', "memory search deploys --since 2026-11-01 --json"),
    ),
    Command(
        "memory add",
        "memory:add",
        "keep a fact",
        ("text", "--category", "--importance"),
        ('memory add "Deploys are on Fridays" --category decision --importance 0.8',),
    ),
    Command(
        "memory edit",
        "memory:edit",
        "change a fact's words",
        ("id", "text"),
        ('memory edit m3f2k9a "Deploys are on Mondays"',),
    ),
    Command(
        "memory forget",
        "memory:forget",
        "retract a memory (restore brings it back)",
        ("id",),
        ("memory forget m3f2k9a", 'memory forget "deploy day"'),
    ),
    Command(
        "memory restore",
        "memory:restore",
        "bring a forgotten or superseded memory back",
        ("exact_id",),
        ("memory restore m3f2k9a",),
    ),
    Command(
        "memory purge",
        "memory:purge",
        "remove a memory's words from every file, for ever",
        ("exact_id", "--yes"),
        ("memory purge m3f2k9a --yes",),
    ),
    Command(
        "memory pin",
        "memory:pin",
        "pin a fact: importance 1, never faded, never pruned",
        ("id",),
        ("memory pin m3f2k9a",),
    ),
    Command("memory unpin", "memory:unpin", "take a pin away", ("id",), ("memory unpin m3f2k9a",)),
    Command(
        "memory important",
        "memory:important",
        "set how much a fact matters",
        ("id", "level"),
        ("memory important m3f2k9a 0.9",),
    ),
    Command(
        "memory history",
        "memory:history",
        "all that happened to one memory",
        ("exact_id",),
        ("memory history m3f2k9a", "memory history m3f2k9a --json"),
    ),
    Command(
        "memory undo",
        "memory:undo",
        "revert the newest change, or the N newest",
        ("times",),
        ("memory undo", "memory undo 3"),
    ),
    Command(
        "memory pending",
        "memory:pending",
        "facts that wait for your yes",
        (),
        ("memory pending", "memory pending accept m3f2k9a"),
    ),
    Command(
        "memory pending list",
        "memory:pending",
        "facts that wait, newest first",
        (),
        ("memory pending list", "memory pending list --json"),
    ),
    Command(
        "memory pending accept",
        "memory:accept",
        "take a waiting fact in",
        ("exact_id",),
        ("memory pending accept m3f2k9a",),
    ),
    Command(
        "memory pending reject",
        "memory:reject",
        "refuse a waiting fact",
        ("exact_id",),
        ("memory pending reject m3f2k9a",),
    ),
    Command(
        "memory export",
        "memory:export",
        "everything as JSON lines that import brings back, or the facts as Markdown",
        ("file", "--format"),
        ("memory export backup.jsonl", "memory export --format markdown"),
    ),
    Command(
        "memory import",
        "memory:take_in",
        "take in an export, records, a ChatGPT or Claude export, or notes",
        ("files",),
        ("memory import backup.jsonl", "memory import conversations.json CLAUDE.md"),
    ),
    Command(
        "core",
        "core:show",
        "the few fields that every prompt holds",
        (),
        ("core", 'core set name "Ada Lovelace"'),
    ),
    Command(
        "core show",
        "core:show",
        "core memory as it is",
        (),
        ("core show", "core show --json"),
    ),
    Command(
        "core set",
        "core:set_field",
        "replace a field",
        ("field", "values"),
        ('core set name "Ada Lovelace"',),
    ),
    Command(
        "core append",
        "core:append",
        "add a value to a field that holds a list",
        ("field", "values"),
        ('core append preference "short answers"',),
    ),
    Command(
        "core remove",
        "core:remove",
        "remove a field, or one value of a list",
        ("field", "only"),
        ("core remove company", 'core remove preference "short answers"'),
    ),
    Command(
        "sessions",
        "sessions:listing",
        "earlier conversations",
        (),
        ("sessions", "sessions show s3f"),
    ),
    Command(
        "sessions list",
        "sessions:listing",
        "sessions, the newest first",
        ("--limit",),
        ("sessions list --limit 5", "sessions list --json"),
    ),
    Command(
        "sessions show",
        "sessions:show",
        "the messages of a session",
        ("session",),
        ("sessions show s3f",),
    ),
    Command(
        "sessions rename",
        "sessions:rename",
        "give a session another title",
        ("session", "title"),
        ('sessions rename s3f "Plans for May"',),
    ),
    Command(
        "sessions delete",
        "sessions:delete",
        "take a session off the list (its messages stay in the archive)",
        ("session",),
        ("sessions delete s3f",),
    ),
    Command(
        "sessions export",
        "sessions:export",
        "write a session as Markdown or JSON lines",
        ("session", "file", "--format"),
        ("sessions export s3f talk.md", "sessions export s3f --format jsonl"),
    ),
    Command(
        "workspaces",
        "workspaces:listing",
        "separate memories",
        (),
        ("workspaces", "workspaces create work"),
    ),
    Command(
        "workspaces list",
        "workspaces:listing",
        "the workspaces of this home, or of the database",
        (),
        ("workspaces list", "workspaces list --json"),
    ),
    Command(
        "workspaces create",
        "workspaces:create",
        "make an empty workspace",
        ("name",),
        ("workspaces create work",),
    ),
    Command(
        "workspaces delete",
        "workspaces:delete",
        "delete a workspace and all it holds",
        ("name", "--yes"),
        ("workspaces delete old --yes",),
    ),
    Command(
        "workspaces copy",
        "copying:copy",
        "copy a workspace with its whole history (goes on where it stopped)",
        ("from", "to"),
        ("workspaces copy local:default hosted:default", "workspaces copy work backup"),
    ),
    Command(
        "init",
        "workspaces:init",
        "keep this folder's memories in it (makes .nosis)",
        (),
        ("init",),
    ),
    Command(
        "curate",
        "curate:curate",
        "distil what was said since the last run into facts",
        ("--dry-run",),
        ("curate", "curate --dry-run"),
    ),
    Command(
        "reindex",
        "index:reindex",
        "rebuild the index, with the present embedding model",
        (),
        ("reindex",),
    ),
    Command("log", "log:show", "what happened on a day", ("day",), ("log", "log 2026-11-30")),
    Command("config", "config:show", "the settings in force", (), ("config", "config path")),
    Command(
        "config show",
        "config:show",
        "each setting with its value and source",
        (),
        ("config show", "config show --json"),
    ),
    Command(
        "config path",
        "config:path",
        "where the workspace's files are",
        (),
        ("config path",),
    ),
    Command(
        "doctor",
        "doctor:doctor",
        "check the environment, the model and the files",
        (),
        ("doctor", "doctor --json"),
    ),
    Command(
        "mcp",
        "mcp:serve",
        "serve this memory to other agents (Model Context Protocol, stdio)",
        (),
        ("mcp", "mcp -w team --agent scout"),
    ),
    Command(
        "serve",
        "serve:serve",
        "show the app in a browser on this machine",
        ("--web", "--host", "--port"),
        ("serve --web", "serve --web --port 8080 -w notes"),
    ),
    Command(
        "models",
        "models:listing",
        "local models that nosis knows",
        (),
        ("models", "models get qwen2.5-coder-1.5b"),
    ),
    Command(
        "models list",
        "models:listing",
        "known models, and which are here",
        (),
        ("models list", "models list --json"),
    ),
    Command(
        "models get",
        "models:get",
        "fetch a model file (goes on where it stopped)",
        ("name", "--from"),
        ("models get qwen2.5-coder-1.5b", "models get qwen2.5-coder-1.5b --from model.gguf"),
    ),
)
