"""What each slash command does: functions of (screen, argument), loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from nosis.errors import NosisError
from nosis.tui import commands

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


async def run(screen: ChatScreen, name: str, argument: str = "") -> None:
    """Run a command; what goes wrong becomes a card in the conversation."""
    try:
        command = commands.find(name, argument)
        module, _, function = command.run.partition(":")
        await getattr(import_module(f"nosis.tui.actions.{module}"), function)(screen, argument)
    except NosisError as error:
        await screen.fail(error)
