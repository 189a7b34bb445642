"""Where the user types: enter sends, big pastes become a mark, ↑ and ↓ bring inputs back."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message as Posted
from textual.widgets import TextArea

from nosis.tui.commands import BY_NAME
from nosis.tui.completion import Completion
from nosis.tui.input_history import InputHistory
from nosis.tui.pastes import MAX_BYTES, Pastes

_COMPLETED = 200  # characters; no command is longer


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
        """A key that concerns what is around the prompt: search, scroll."""

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
        self.completion: Completion | None = None
        self.menu_open = False  # the completions take enter, tab and the arrows

    def set_text(self, text: str) -> None:
        """Replace what is typed, cursor at the end."""
        self.text = text
        self.move_cursor(self.document.end)

    def action_send(self) -> None:
        """Send what is typed, or take the highlighted completion."""
        self.offer()
        if self.menu_open and self.completion:
            self._take(self.completion.chosen, send=True)
        elif text := self.text.strip():
            self.set_text("")  # at once: the next keys may be here already
            self.post_message(self.Sent(text))

    def action_complete(self) -> None:
        self.offer()
        if self.menu_open and self.completion:
            self._take(self.completion.chosen, send=False)
        else:
            self.screen.focus_next()

    def _take(self, chosen: str | None, *, send: bool) -> None:
        """Put a completion into the prompt, and send it if it is a whole command."""
        if chosen is None or self.completion is None:
            return
        command = BY_NAME.get(chosen[1:])
        if command and command.argument and (not send or command.needs_argument):
            self.set_text(f"{chosen} ")
            return
        self.set_text(chosen)
        self.close_menu()
        if send:
            self.action_send()

    def offer(self) -> None:
        """Offer completions of what is typed by now: keys may come faster than changes are told."""
        typed = self.text[:_COMPLETED]
        if self.completion and self.completion.typed != typed:
            self.menu_open = self.completion.suggest(typed, self.app)

    def close_menu(self) -> None:
        """Put the completions away."""
        self.menu_open = False
        if self.completion:
            self.completion.close(self.text[:_COMPLETED])

    def action_newline(self) -> None:
        self._replace_via_keyboard("\n", *self.selection)

    def action_up(self) -> None:
        if self.menu_open and self.completion:
            self.completion.move(-1)
        elif not self.cursor_at_first_line or self.inputs is None:
            self.action_cursor_up()
        elif (older := self.inputs.older(self.text)) is not None:
            self.set_text(older)
            self.move_cursor((0, len(self.document.get_line(0))))

    def action_down(self) -> None:
        if self.menu_open and self.completion:
            self.completion.move(1)
        elif not self.cursor_at_last_line or self.inputs is None:
            self.action_cursor_down()
        elif (newer := self.inputs.newer()) is not None:
            self.set_text(newer)

    def action_search(self) -> None:
        self.post_message(self.Wanted("search"))

    def action_page(self, direction: int) -> None:
        self.post_message(self.Wanted("page", direction))

    def action_edge(self, where: str) -> None:
        self.post_message(self.Wanted(where))

    async def _on_key(self, event: events.Key) -> None:
        """Do what a key is bound to here and now.

        Textual would first pass it up to the app: of keys that arrive together (typed while
        the screen was busy), the letters would be inserted before the enter among them.
        """
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return

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
