"""The command palette: the registry's commands, run as if they were typed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from nosis.tui import actions, commands

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


class Commands(Provider):
    """Every command of the registry. One that needs words is put into the prompt."""

    async def discover(self) -> Hits:
        for command in commands.COMMANDS:
            yield DiscoveryHit(_title(command), partial(self._run, command), help=command.summary)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in commands.COMMANDS:
            text = f"{command.name}: {command.summary}"
            if (score := matcher.match(text)) > 0:
                yield Hit(score, matcher.highlight(text), partial(self._run, command))

    def _run(self, command: commands.Command) -> None:
        screen = cast("ChatScreen", self.screen)
        if command.needs_argument:
            screen.prompt.set_text(f"/{command.name} ")
            screen.prompt.focus()
        else:
            screen.run_worker(actions.run(screen, command.name), exit_on_error=False)


def _title(command: commands.Command) -> str:
    return f"{command.name}  {command.key}" if command.key else command.name
