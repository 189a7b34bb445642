"""Small inputs: a line, a fact's words, one of a few choices, an importance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static, TextArea

from nosis.tui.memory import drawing, words


class OneLine(Input):
    """A line of text without a frame; a paste of several lines is joined, not cut."""

    DEFAULT_CSS = """
    OneLine, OneLine:focus {
        height: 1;
        border: none;
        padding: 0 1;
        background: $foreground 6%;
    }
    OneLine:focus { background: $primary 12%; }
    """

    def _on_paste(self, event: events.Paste) -> None:
        if text := words.line(event.text):
            self.replace(text, *self.selection)
        event.stop()
        event.prevent_default()


class FactText(TextArea):
    """The words of a fact: ``enter`` submits, ``ctrl+j`` makes a new line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "save", priority=True, id="memory.form.save"),
        Binding("ctrl+j", "break_line", show=False, priority=True, id="memory.form.newline"),
    ]
    DEFAULT_CSS = """
    FactText, FactText:focus {
        height: 5;
        border: none;
        padding: 0 1;
        background: $foreground 6%;
    }
    FactText:focus { background: $primary 12%; }
    """

    class Submitted(Message):
        """The text is finished."""

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(text, id=id, soft_wrap=True, tab_behavior="focus", compact=True)

    def action_submit(self) -> None:
        self.post_message(self.Submitted())

    def action_break_line(self) -> None:
        self.insert("\n")


class Choice(Static, can_focus=True):
    """One of a few words: left and right, or a first letter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False, id="memory.choice.left"),
        Binding("right,space", "turn(1)", show=False, id="memory.choice.right"),
    ]
    DEFAULT_CSS = """
    Choice { height: 1; padding: 0 1; background: $foreground 6%; }
    Choice:focus { background: $primary 12%; }
    """

    index = reactive(0)

    class Turned(Message):
        """Another word is chosen."""

    def __init__(self, options: Sequence[str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._options = list(options)
        self.set_reactive(Choice.index, self._options.index(value))

    @property
    def value(self) -> str:
        return self._options[self.index]

    def choose(self, value: str) -> None:
        self.index = self._options.index(value)

    def watch_index(self) -> None:
        self.post_message(self.Turned())

    def render(self) -> Content:
        count = len(self._options)
        return Content.assemble(
            ("‹ ", "$foreground-muted"),
            self.value,
            (" ›", "$foreground-muted"),
            (f"  {self.index + 1}/{count}", "$foreground-muted") if self.has_focus else "",
        )

    def action_turn(self, step: int) -> None:
        self.index = (self.index + step) % len(self._options)

    def on_key(self, event: events.Key) -> None:
        if event.is_printable and event.character:
            starts = [o.startswith(event.character.lower()) for o in self._options]
            later = [*range(self.index + 1, len(starts)), *range(self.index + 1)]
            if found := [number for number in later if starts[number]]:
                self.index = found[0]
                event.stop()


class Level(Static, can_focus=True):
    """An importance of 0-1: left and right by 0.1, a digit for its tenth."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,minus", "step(-0.1)", show=False, id="memory.level.less"),
        Binding("right,plus", "step(0.1)", show=False, id="memory.level.more"),
        Binding("end", "put(1.0)", show=False, id="memory.level.most"),
    ]
    DEFAULT_CSS = """
    Level { height: 1; padding: 0 1; background: $foreground 6%; }
    Level:focus { background: $primary 12%; }
    """

    value = reactive(0.5)

    def __init__(self, value: float, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(Level.value, value)

    def render(self) -> Content:
        return Content.assemble(
            drawing.bar(self.value, 10),
            f" {self.value:.2f} ",
            (words.level(self.value), "$foreground-muted"),
        )

    def action_step(self, step: float) -> None:
        self.value = min(max(round(self.value + step, 2), 0.0), 1.0)

    def action_put(self, value: float) -> None:
        self.value = value

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isascii() and event.character.isdigit():
            self.value = int(event.character) / 10
            event.stop()
