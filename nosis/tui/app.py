"""The terminal app: what it holds while it runs, and how it starts and ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from nosis.errors import NosisError
from nosis.memory.home import find_home
from nosis.tui import themes
from nosis.tui.chat import ChatScreen
from nosis.tui.input_history import InputHistory
from nosis.tui.preferences import Preferences
from nosis.tui.terminal import check_terminal, has_vanished, in_browser

if TYPE_CHECKING:
    from textual.command import Provider

    from nosis.agent import Agent
    from nosis.memory import Memory
    from nosis.models import Model
    from nosis.settings import Settings


HANGUP = 129  # the exit code of a process that SIGHUP ends
_LOOK = 1.0  # seconds between looks at whether the terminal is still there
_STYLES = Path(__file__).parent / "styles"  # absolute, so that subclasses find them


def _commands() -> type[Provider]:
    from nosis.tui.palette import Commands

    return Commands


class NosisApp(App[int]):
    """nosis on a terminal.

    Args:
        settings: what to open.
        resume: id of the session to go on with.
        continue_last: go on with the most recent session.
        agent: one that is ready already (tests, programs of one's own); None makes one.
    """

    TITLE = "nosis"
    CSS_PATH = [_STYLES / f"{name}.tcss" for name in ("chat", "messages", "screens")]  # noqa: RUF012
    COMMANDS: ClassVar = {_commands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", "quit", id="app.quit", show=False, priority=True),
    ]

    def __init__(
        self,
        settings: Settings,
        *,
        resume: str | None = None,
        continue_last: bool = False,
        agent: Agent | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.resume_session = resume
        self.continue_last = continue_last
        self.agent: Agent | None = agent
        self.memory: Memory | None = None  # these two are set once it is awake
        self.model: Model | None = None
        self._early: list[events.Event] | None = []  # typed before there was a prompt
        self.home = find_home(settings.home)
        self.preferences = Preferences(self.home)
        self.inputs = InputHistory(self.home)
        for theme in themes.OWN:
            self.register_theme(theme)
        wanted = self.preferences.get("theme", themes.DARK.name)
        self.theme = wanted if wanted in self.available_themes else themes.DARK.name

    def get_default_screen(self) -> ChatScreen:
        return ChatScreen()

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._remember_theme)
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            if number := getattr(signal, name, None):
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self.exit, 128 + number)

        if not self.is_headless:
            self.set_interval(_LOOK, self._look_for_terminal)

    def _look_for_terminal(self) -> None:
        if has_vanished():
            self.exit(HANGUP)

    async def on_event(self, event: events.Event) -> None:
        """Textual would drop what is typed before the prompt stands: keep it."""
        if self._early is not None and isinstance(event, events.Key | events.Paste):
            self._early.append(event)
        else:
            await super().on_event(event)

    async def on_chat_screen_stands(self) -> None:
        """The prompt stands: what was typed before goes into it.

        Enter, pressed before the terminal was in raw mode, comes as a line feed. The last one
        sends; one with more behind it stays a new line, so that no paste is sent by itself.
        """
        early, self._early = self._early or [], None
        if early and isinstance(early[-1], events.Key) and early[-1].key == "ctrl+j":
            early[-1] = events.Key("enter", "\r")
        for event in early:
            await super().on_event(event)

    def _remember_theme(self, theme: object) -> None:
        self.preferences.set("theme", self.theme)

    def action_leave(self) -> None:
        """End the app; what is being said is stopped and kept."""
        self.exit(0)

    async def on_unmount(self) -> None:
        if self.agent:
            self.agent.stop()
            with contextlib.suppress(NosisError):  # a home that is gone has nothing to close
                await self.agent.aclose()


def run(settings: Settings, *, resume: str | None = None, continue_last: bool = False) -> int:
    """Open the app and return the exit code.

    Raises:
        UsageError: there is no terminal to draw on.
    """
    if not in_browser():
        check_terminal()
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "basic")
    app = NosisApp(settings, resume=resume, continue_last=continue_last)
    return app.run() or 0
