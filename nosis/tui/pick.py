"""Choosing one of many texts by typing a part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from nosis.tui.text import one_line

MOST = 200  # results that are shown


class PickScreen(ModalScreen[str]):
    """A line to type in above a list; gives back the chosen text, or None.

    Args:
        search: the texts that fit what is typed, best first.
    """

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "cancel", id="pick.cancel"),
        Binding("up", "move(-1)", "up", id="pick.up"),
        Binding("down", "move(1)", "down", id="pick.down"),
    ]

    def __init__(self, title: str, search: Callable[[str], list[str]]) -> None:
        super().__init__()
        self._title = title
        self._search = search
        self._found: list[str] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="pick") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("⏎ take it  esc cancel")
            yield Input(placeholder="type to search", compact=True)
            yield OptionList(compact=True, markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self._fill("")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        chosen = self.query_one(OptionList).highlighted
        self.dismiss(self._found[chosen] if chosen is not None else None)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._found[event.option_index])

    def action_move(self, step: int) -> None:
        options = self.query_one(OptionList)
        if self._found:
            options.highlighted = ((options.highlighted or 0) + step) % len(self._found)

    def _fill(self, typed: str) -> None:
        self._found = self._search(typed)[:MOST]
        options = self.query_one(OptionList)
        options.set_options(Option(Content(one_line(text, 200))) for text in self._found)
        options.highlighted = 0 if self._found else None
