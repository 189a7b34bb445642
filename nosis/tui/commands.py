"""One registry of what can be done in the app: slash commands, palette, keys, help, docs."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding

from nosis.errors import UsageError


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command, and an entry of the palette."""

    name: str
    summary: str
    run: str  # module:function in nosis.tui.actions
    argument: str = ""  # as help shows it; in brackets where it may be left out
    key: str = ""

    @property
    def usage(self) -> str:
        return f"/{self.name} {self.argument}".rstrip()

    @property
    def needs_argument(self) -> bool:
        return bool(self.argument) and not self.argument.startswith("[")


@dataclass(frozen=True, slots=True)
class Key:
    """A key without a command. ``action`` is empty where the focused widget handles it."""

    id: str
    keys: str
    summary: str
    action: str = ""


COMMANDS = (
    Command("help", "keys and commands", "view:show_help", key="f1"),
    Command("new", "start a new session", "sessions:new", key="ctrl+n"),
    Command("sessions", "list, search, rename, delete sessions", "sessions:browse", key="ctrl+s"),
    Command("resume", "go on with an earlier session", "sessions:resume", "[ID or TITLE]"),
    Command("rename", "give this session a title", "sessions:rename", "TITLE"),
    Command("search", "search memories and old conversations", "sessions:search", "[WORDS]"),
    Command("export", "write this session to a file (.md, .jsonl)", "sessions:export", "[FILE]"),
    Command("model", "show the model, or answer with another", "model:model", "[NAME]"),
    Command("system", "show the system message the model gets", "model:system"),
    Command("context", "show what fills the context window", "model:context"),
    Command("cost", "show the tokens and cost of this session", "model:cost"),
    Command("memory", "browse, correct and forget memories", "memory:browse", "[DATE]", key="f2"),
    Command("pending", "decide on facts that wait for your yes", "memory:pending"),
    Command("panel", "show or hide the recall panel", "view:panel", key="ctrl+t"),
    Command("remember", "keep a fact", "memory:remember", "TEXT"),
    Command("forget", "forget a fact, by its id or words", "memory:forget", "FACT"),
    Command("pin", "pin a fact, by its id or words", "memory:pin", "FACT"),
    Command("undo", "take back the last change of memory, or the last N", "memory:undo", "[N]"),
    Command("why", "show the memories behind the last answer", "memory:why"),
    Command("reflect", "distil what was said into facts", "memory:reflect"),
    Command("reindex", "rebuild the search index", "memory:reindex"),
    Command("copy", "copy the last answer, or only its code", "conversation:copy", "[code]"),
    Command("retry", "ask again for the last answer", "conversation:retry"),
    Command("edit", "change the last message and send it again", "conversation:edit"),
    Command("editor", "write the message in $EDITOR", "conversation:editor", key="ctrl+g"),
    Command("theme", "choose a theme, dark or light", "view:theme", "[NAME]"),
    Command("clear", "clear the screen; the session goes on", "conversation:clear"),
    Command("quit", "leave nosis", "view:leave", key="ctrl+q"),
)

BY_NAME = {command.name: command for command in COMMANDS}

KEYS = (
    Key("send", "enter", "send the message"),
    Key("newline", "ctrl+j, shift+enter, alt+enter", "new line"),
    Key("stop", "escape", "stop the answer; twice when idle: edit the last message", "escape"),
    Key("interrupt", "ctrl+c", "copy the selection, or stop the answer", "interrupt"),
    Key("palette", "ctrl+p", "command palette", "palette"),
    Key("history", "up, down", "earlier inputs, at the first and last line"),
    Key("history_search", "ctrl+r", "search earlier inputs"),
    Key("complete", "tab", "complete a command"),
    Key("scroll", "pageup, pagedown", "scroll the conversation"),
    Key("ends", "ctrl+home, ctrl+end", "to its beginning, to its end"),
    Key("messages", "shift+tab", "to the messages; then up and down"),
    Key("message_copy", "y, c", "on a message: copy it, copy its code"),
    Key("message_retry", "r, e", "on the last message: ask again, edit"),
    Key("reasoning", "t", "on an answer: show the reasoning"),
    Key("receipt", "u", "on a receipt: undo it"),
)


def bindings() -> list[Binding]:
    """The chat screen's bindings, each with an id (so that a keymap can change it)."""
    made = [
        Binding(c.key, f"command({c.name!r})", c.summary, id=f"nosis.{c.name}", show=False)
        for c in COMMANDS
        if c.key
    ]
    made += [
        Binding(k.keys, k.action, k.summary, id=f"nosis.{k.id}", show=False)
        for k in KEYS
        if k.action
    ]
    return made


def matching(typed: str) -> list[Command]:
    """Commands for what stands after the slash: by beginning, then by any part."""
    typed = typed.casefold()
    first = [c for c in COMMANDS if c.name.startswith(typed)]
    return first + [c for c in COMMANDS if typed in c.name and c not in first]


def find(name: str, argument: str) -> Command:
    """The command that was typed.

    Raises:
        UsageError: there is none of that name, or it needs an argument.
    """
    command = BY_NAME.get(name)
    if command is None:
        near = matching(name) or matching(name[:2])
        hint = f"Did you mean /{near[0].name}?" if near else "See them all with /help."
        raise UsageError(f"there is no command /{name}", hint)
    if command.needs_argument and not argument:
        raise UsageError(f"/{name} needs {command.argument.lower()}", f"Write: {command.usage}")
    return command


def parse(text: str) -> tuple[str, str] | None:
    """(name, argument) of a slash command; None for a message.

    Only a word of letters after a slash at the very start makes a command: a path such as
    ``/etc/hosts`` is a message.
    """
    if not text.startswith("/"):
        return None
    name, *rest = text[1:].split(maxsplit=1) or [""]
    if not name.isalpha():
        return None
    return name.lower(), rest[0].strip() if rest else ""


def reference() -> str:
    """Commands and keys as Markdown tables, for docs/app.md."""
    lines = ["| command | key | what it does |", "|---|---|---|"]
    lines += [f"| `{c.usage}` | {f'`{c.key}`' if c.key else ''} | {c.summary} |" for c in COMMANDS]
    lines += ["", "| key | what it does |", "|---|---|"]
    lines += [f"| {_keys(k.keys)} | {k.summary} |" for k in KEYS]
    return "\n".join(lines) + "\n"


def _keys(keys: str) -> str:
    return ", ".join(f"`{key}`" for key in keys.split(", "))
