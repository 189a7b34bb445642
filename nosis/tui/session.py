"""The session on screen: its messages page by page, its title, what the footer tells of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.widget import Widget

from nosis.memory.types import Entry
from nosis.tui.answer import Answer
from nosis.tui.message import UserMessage
from nosis.tui.status import Header, dollars, tokens
from nosis.tui.turns import Spent

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen

PAGE = 50  # archived messages that are shown at once


class SessionView:
    """Shows the agent's session on the chat screen."""

    def __init__(self, screen: ChatScreen) -> None:
        self._screen = screen
        self.title = ""

    async def show(self, *, keep: bool = False) -> None:
        """Show the newest messages of the session.

        Args:
            keep: what is on screen stays below them (a message sent while memory woke up).
        """
        screen = self._screen
        screen.turns.spent, screen.turns.last = Spent(), None
        entries, older = await self._newest(PAGE)
        if keep:
            await screen.conversation.show_older(_widgets(entries), older)
        else:
            await screen.conversation.replace_all(_widgets(entries), older)
        await self.load_title()
        self.show_state()
        if not entries and not keep:
            await screen.welcome()

    async def load_older(self) -> None:
        """Show the page of messages before the first one on screen."""
        conversation = self._screen.conversation
        messages = conversation.messages
        entries, older = await self._newest(len(messages) + PAGE)
        archived = next((message for message in messages if message.entry or message.turn), None)
        places = (n for n, entry in enumerate(entries) if archived and archived.shows(entry))
        end = next(places, len(entries))
        start = max(end - PAGE, 0)
        await conversation.show_older(_widgets(entries[start:end]), older or start > 0)

    async def clear(self) -> None:
        """Take all messages off the screen; scrolling up brings them back."""
        entries, _ = await self._newest(1)
        await self._screen.conversation.replace_all([], has_older=bool(entries))

    async def switch(self, session: str | None) -> None:
        """Leave the session for another one, or for a new one (None)."""
        screen = self._screen
        await screen.turns.leave()
        screen.agent.new_session(session)
        await screen.agent.ready()
        await screen.panel.clear()
        await self.show()
        screen.prompt.focus()
        screen.curate()

    async def load_title(self) -> None:
        """Show the session's title in the header."""
        session = self._screen.agent.session
        sessions = await asyncio.to_thread(self._screen.memory.sessions)
        self.title = next((known.title for known in sessions if known.id == session), "")
        self._screen.query_one(Header).title = self.title or "new session"

    def show_state(self) -> None:
        """Bring the footer up to date."""
        screen = self._screen
        shares, spent = screen.agent.shares, screen.turns.spent
        if screen.offline:
            cost = ""
        elif spent.cost is not None:
            cost = dollars(spent.cost)
        else:  # no price is known
            used = spent.prompt + spent.completion
            cost = f"{tokens(used)} tokens" if used else ""
        model = screen.nosis.model
        window = screen.nosis.settings.context_window or (model.context_window if model else None)
        screen.status.change(
            model=screen.model_name,
            context=shares.prompt if shares and not screen.offline else None,
            window=shares.window if shares else window,
            spent=cost,
            session=screen.agent.session,
        )

    async def _newest(self, count: int) -> tuple[list[Entry], bool]:
        """The newest archived messages, and whether there are older ones."""
        screen = self._screen
        found = await asyncio.to_thread(screen.memory.conversation, screen.agent.session, count + 1)
        return found[-count:], len(found) > count


def _widgets(entries: list[Entry]) -> list[Widget]:
    """Archived messages as widgets."""
    widgets: list[Widget] = []
    for entry in entries:
        if entry.text:
            kind = Answer if entry.role == "assistant" else UserMessage
            widget = kind(entry.text)
            widget.entry = entry.id
            widgets.append(widget)
    return widgets
