"""Commands about the screen itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nosis.errors import UsageError
from nosis.tui import themes

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


async def show_help(screen: ChatScreen, _: str) -> None:
    from nosis.tui.help import HelpScreen

    screen.app.push_screen(HelpScreen())


async def panel(screen: ChatScreen, _: str) -> None:
    screen.toggle_panel()


async def theme(screen: ChatScreen, name: str) -> None:
    """Change to a theme by its name; without one, choose from the list."""
    names = themes.names(screen.app.available_themes)

    def fitting(typed: str) -> list[str]:
        return [known for known in names if typed.casefold().strip() in known]

    def chosen(theme: str | None) -> None:
        if theme:
            screen.app.theme = theme

    if not name:
        from nosis.tui.pick import PickScreen

        screen.app.push_screen(PickScreen("Themes", fitting), chosen)
    elif fits := [name] if name in names else fitting(name):
        chosen(fits[0])
    else:
        raise UsageError(f"there is no theme {name!r}", "Choose from the list: /theme")


async def leave(screen: ChatScreen, _: str) -> None:
    screen.nosis.action_leave()
