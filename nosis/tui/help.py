"""The help screen: every command and key, from the one registry."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from nosis.tui import commands


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
            yield Static(_keys(), markup=False)
            yield Static(_commands(), classes="second", markup=False)


def _keys() -> Content:
    rows = [(key.keys.replace(", ", " "), key.summary) for key in commands.KEYS]
    return _table("Keys", rows)


def _commands() -> Content:
    rows = [(c.usage, f"{c.summary}{f'  {c.key}' if c.key else ''}") for c in commands.COMMANDS]
    return _table("Commands", rows)


def _table(title: str, rows: list[tuple[str, str]]) -> Content:
    lines = [Content.styled(title, "bold")]
    width = 2 + max(len(left) for left, _ in rows)
    for left, right in rows:
        lines.append(
            Content.assemble((left.ljust(width), "$text-primary"), (right, "$foreground-muted"))
        )
    return Content("\n").join(lines)
