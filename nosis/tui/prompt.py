"""Where the user types: enter sends, big pastes become a mark, ↑ and ↓ bring inputs back."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message as Posted
from textual.widgets import TextArea

from nosis.tui.input_history import InputHistory
from nosis.tui.pastes import MAX_BYTES, Pastes


class Prompt(TextArea):
    """The message being written."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "send", id="prompt.send", show=False),
        Binding(
            "ctrl+j,shift+enter,alt+enter", "newline", "new line", id="prompt.newline", show=False
        ),
        Binding("up", "up", "older input", id="prompt.up", show=False),
        Binding("down", "down", "newer input", id="prompt.down", show=False),
        Binding("ctrl+r", "search", "search inputs", id="prompt.search", show=False),
        Binding("tab", "complete", "complete", id="prompt.complete", show=False),
        Binding("pageup", "page(-1)", "scroll up", id="prompt.pageup", show=False),
        Binding("pagedown", "page(1)", "scroll down", id="prompt.pagedown", show=False),
        Binding("ctrl+home", "edge('home')", "beginning", id="prompt.home", show=False),
        Binding("ctrl+end", "edge('end')", "end", id="prompt.end", show=False),
    ]

    class Sent(Posted):
        """The user wants this sent."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Wanted(Posted):
        """A key that concerns what is around the prompt: search, complete, scroll, menu."""

        def __init__(self, what: str, amount: int = 0) -> None:
            super().__init__()
            self.what = what
            self.amount = amount

    def __init__(self) -> None:
        super().__init__(
            id="prompt",
            soft_wrap=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            compact=True,
            tab_behavior="focus",
            placeholder="Write a message, or / for a command",
        )
        self.inputs: InputHistory | None = None
        self.pastes = Pastes()
        self.menu_open = False  # the completions take enter, tab and the arrows

    def set_text(self, text: str) -> None:
        """Replace what is typed, cursor at the end."""
        self.text = text
        self.move_cursor(self.document.end)

    def action_send(self) -> None:
        if self.menu_open:
            self.post_message(self.Wanted("choose"))
        elif self.text.strip():
            self.post_message(self.Sent(self.text.strip()))

    def action_newline(self) -> None:
        self._replace_via_keyboard("\n", *self.selection)

    def action_up(self) -> None:
        if self.menu_open:
            self.post_message(self.Wanted("menu", -1))
        elif not self.cursor_at_first_line or self.inputs is None:
            self.action_cursor_up()
        elif (older := self.inputs.older(self.text)) is not None:
            self.set_text(older)
            self.move_cursor((0, len(self.document.get_line(0))))

    def action_down(self) -> None:
        if self.menu_open:
            self.post_message(self.Wanted("menu", 1))
        elif not self.cursor_at_last_line or self.inputs is None:
            self.action_cursor_down()
        elif (newer := self.inputs.newer()) is not None:
            self.set_text(newer)

    def action_search(self) -> None:
        self.post_message(self.Wanted("search"))

    def action_complete(self) -> None:
        self.post_message(self.Wanted("complete"))

    def action_page(self, direction: int) -> None:
        self.post_message(self.Wanted("page", direction))

    def action_edge(self, where: str) -> None:
        self.post_message(self.Wanted(where))

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":  # the text area's own handler would insert a line end
            event.prevent_default()

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        if (size := len(event.text.encode("utf-8", "replace"))) > MAX_BYTES:
            self.notify(
                f"The paste has {size / 1e6:.1f} MB; at most {MAX_BYTES / 1e6:.0f} MB fit. "
                'Pipe the file in instead: nosis -p "…" < FILE',
                severity="warning",
                markup=False,
            )
            return
        self._replace_via_keyboard(self.pastes.collapse(event.text), *self.selection)
        self.focus()
