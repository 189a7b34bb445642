"""One registry of what can be done in the app: slash commands, palette, keys, help, docs."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command, and an entry of the palette. ``Commands`` has a method of its name."""

    name: str
    summary: str
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
    """A key without a command. ``action`` is empty where the prompt handles it itself."""

    id: str
    keys: str
    summary: str
    action: str = ""


COMMANDS = (
    Command("help", "keys and commands", key="f1"),
    Command("new", "start a new session", key="ctrl+n"),
    Command("sessions", "list, search, rename, delete, resume sessions", key="ctrl+s"),
    Command("resume", "go on with an earlier session", "[ID]"),
    Command("rename", "give this session a title", "TITLE"),
    Command("search", "search memories and past conversations", "WORDS"),
    Command("export", "write this session to a file (.md or .json)", "[FILE]"),
    Command("model", "show the model, or answer with another one", "[NAME]"),
    Command("system", "show the system message the model gets"),
    Command("context", "show what fills the context window"),
    Command("cost", "show tokens and cost of this session"),
    Command("memory", "browse, correct and forget memories", key="f2"),
    Command("panel", "show or hide the recall panel", key="ctrl+t"),
    Command("remember", "keep a fact", "TEXT"),
    Command("forget", "forget a fact, by its id or its words", "FACT"),
    Command("pin", "pin a fact, by its id or its words", "FACT"),
    Command("undo", "take back the last change of memory"),
    Command("why", "show the memories behind the last answer"),
    Command("copy", "copy the last answer, or only its code", "[code]"),
    Command("retry", "ask again for the last answer"),
    Command("edit", "change the last message and send it again"),
    Command("editor", "write the message in $EDITOR", key="ctrl+g"),
    Command("theme", "choose a theme", "[NAME]"),
    Command("reindex", "rebuild the search index and its vectors"),
    Command("clear", "clear the screen; the session goes on"),
    Command("quit", "leave nosis", key="ctrl+q"),
)

BY_NAME = {command.name: command for command in COMMANDS}

KEYS = (
    Key("send", "enter", "send the message"),
    Key("newline", "ctrl+j · shift+enter · alt+enter", "new line"),
    Key("stop", "escape", "stop the answer; twice when idle: edit the last message", "escape"),
    Key("interrupt", "ctrl+c", "copy the selection, or stop the answer", "interrupt"),
    Key("palette", "ctrl+p", "command palette"),
    Key("history", "up · down", "earlier inputs, at the first and last line"),
    Key("history_search", "ctrl+r", "search earlier inputs"),
    Key("complete", "tab", "complete a command"),
    Key("scroll", "pageup · pagedown", "scroll the conversation"),
    Key("ends", "ctrl+home · ctrl+end", "to the beginning, to the newest message"),
    Key("messages", "shift+tab", "go to the messages; then up, down"),
    Key("message_copy", "y · c", "on a message: copy it, copy its code"),
    Key("message_retry", "r · e", "on a message: retry it, edit it"),
)


def bindings() -> list[Binding]:
    """The chat screen's bindings, one a key, each with an id (so a keymap can change it)."""
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


def parse(text: str) -> tuple[str, str] | None:
    """(name, argument) of a slash command; None for a message.

    Only a single word of letters after the slash at the very start makes a command: a path
    such as ``/etc/hosts`` is a message.
    """
    if not text.startswith("/"):
        return None
    name, _, argument = text[1:].partition(" ")
    name, newline, more = name.partition("\n")
    if not name.isalpha():
        return None
    return name.lower(), (newline + more + argument if newline else argument).strip()


def reference() -> str:
    """Commands and keys as Markdown tables: the help screen, and docs/app.md."""
    lines = ["| command | key | what it does |", "|---|---|---|"]
    lines += [f"| `{c.usage}` | {f'`{c.key}`' if c.key else ''} | {c.summary} |" for c in COMMANDS]
    lines += ["", "| key | what it does |", "|---|---|"]
    lines += [f"| `{k.keys}` | {k.summary} |" for k in KEYS]
    return "\n".join(lines) + "\n"
