"""The list of commands above the prompt while a slash command is typed."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from nosis.tui import commands, themes
from nosis.tui.text import one_line


class Completion(OptionList, can_focus=False):
    """Shows what fits to the typed text; the prompt keeps the focus and sends the keys."""

    def __init__(self) -> None:
        super().__init__(id="completion", compact=True)
        self.display = False
        self.typed = ""  # what it was last asked about

    def suggest(self, typed: str, app: App[Any]) -> bool:
        """Offer completions of the prompt's text; whether there are any."""
        self.typed = typed
        options: list[Option] = []
        if typed.startswith("/") and "\n" not in typed:
            name, space, argument = typed[1:].partition(" ")
            if not space:
                fitting = commands.matching(name)
                width = max((len(command.usage) for command in fitting), default=0)
                options = [_option(command, width) for command in fitting]
            else:
                fits = [v for v in _values(name, app) if argument.casefold() in v and v != argument]
                options = [Option(Content(one_line(v, 60)), id=f"/{name} {v}") for v in fits]
        self.set_options(options)
        self.display = bool(options)
        if options:
            self.highlighted = 0
        return bool(options)

    def close(self, typed: str) -> None:
        """Offer nothing more for what is typed."""
        self.display, self.typed = False, typed

    def move(self, amount: int) -> None:
        """Highlight the next or previous one, around the ends."""
        if self.option_count:
            self.highlighted = ((self.highlighted or 0) + amount) % self.option_count

    @property
    def chosen(self) -> str | None:
        """The highlighted completion as a whole prompt."""
        if not self.display or self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id


def _option(command: commands.Command, width: int) -> Option:
    return Option(
        Content.assemble(
            (command.usage.ljust(width + 2), "$text-primary"),
            (command.summary, "$foreground-muted"),
        ),
        id=f"/{command.name}",
    )


def _values(name: str, app: App[Any]) -> list[str]:
    """What the argument of a command may be, where that is a short list."""
    if name == "copy":
        return ["code"]
    if name == "theme":
        return themes.names(app.available_themes)
    return []
