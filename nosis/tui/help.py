"""The help screen: every command and key, from the one registry."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from nosis.tui import commands
from nosis.tui.pairs import Pairs

LEFT = 22  # cells of the keys and commands; longer ones are broken


class HelpScreen(ModalScreen[None]):
    """Keys first, since they are looked up most."""

    AUTO_FOCUS = "VerticalScroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,enter", "dismiss(None)", "close", id="help.close"),
    ]

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="help") as box:
            box.border_title = Content("Keys and commands")
            box.border_subtitle = Content("↑↓ scroll  esc close")
            keys = [(key.keys, key.summary) for key in commands.KEYS]
            yield Pairs("Keys", keys, left=LEFT)
            yield Pairs("Commands", [(c.usage, _with_key(c)) for c in commands.COMMANDS], left=LEFT)


def _with_key(command: commands.Command) -> str:
    return f"{command.summary} ({command.key})" if command.key else command.summary
