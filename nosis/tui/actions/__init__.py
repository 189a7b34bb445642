"""What each slash command does: functions of (screen, argument), loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from nosis.errors import NosisError, UsageError
from nosis.tui import commands

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


async def run(screen: ChatScreen, name: str, argument: str = "") -> None:
    """Run a command; what goes wrong becomes a card in the conversation."""
    try:
        command = commands.BY_NAME.get(name)
        if command is None:
            near = commands.matching(name) or commands.matching(name[:2])
            hint = f"Did you mean /{near[0].name}?" if near else "See them all with /help."
            raise UsageError(f"there is no command /{name}", hint)
        if command.needs_argument and not argument:
            raise UsageError(f"/{name} needs {command.argument.lower()}", f"Write: {command.usage}")
        module, _, function = command.run.partition(":")
        await getattr(import_module(f"nosis.tui.actions.{module}"), function)(screen, argument)
    except NosisError as error:
        await screen.fail(error)
