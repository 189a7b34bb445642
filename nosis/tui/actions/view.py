"""Commands about the screen itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nosis.errors import UsageError

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


async def show_help(screen: ChatScreen, _: str) -> None:
    from nosis.tui.help import HelpScreen

    screen.app.push_screen(HelpScreen())


async def panel(screen: ChatScreen, _: str) -> None:
    screen.toggle_panel()


async def theme(screen: ChatScreen, name: str) -> None:
    """Change to a theme by its name; without one, choose from the list."""
    if not name:
        screen.app.search_themes()
        return
    themes = screen.app.available_themes
    fits = [known for known in sorted(themes) if known == name or name.casefold() in known]
    if not fits:
        raise UsageError(f"there is no theme {name!r}", "Choose from the list: /theme")
    screen.app.theme = name if name in themes else fits[0]


async def leave(screen: ChatScreen, _: str) -> None:
    screen.nosis.action_leave()
