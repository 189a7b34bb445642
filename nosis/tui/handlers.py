"""What each slash command does: a method of its name, called with the command's argument."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from textual.widget import Widget

from nosis.errors import NosisError, UsageError
from nosis.events import Recalled
from nosis.memory.types import Entry, Receipt
from nosis.tui import commands
from nosis.tui.answer import Answer
from nosis.tui.cards import Card
from nosis.tui.message import UserMessage
from nosis.tui.turns import Draft, Spent

if TYPE_CHECKING:
    from nosis.agent import Agent
    from nosis.memory import Memory
    from nosis.tui.chat import ChatScreen

T = TypeVar("T")
PAGE = 100  # old messages that are shown at once


class Handlers:
    """The commands, over the screen that they act on."""

    def __init__(self, screen: ChatScreen) -> None:
        self._screen = screen
        self._loaded = 0  # archived messages of this session that are, or were, on screen
        self._title = ""

    @property
    def _memory(self) -> Memory:
        if self._screen.nosis.memory is None:
            raise UsageError("memory is not awake yet", "Try again in a moment.")
        return self._screen.nosis.memory

    @property
    def _agent(self) -> Agent:
        if self._screen.nosis.agent is None or not self._screen.awake:
            raise UsageError("the model is not connected yet", "Try again in a moment.")
        return self._screen.nosis.agent

    async def run(self, name: str, argument: str) -> None:
        """Run a command; what goes wrong becomes a card."""
        try:
            command = commands.BY_NAME.get(name)
            if command is None:
                near = commands.matching(name[:3])
                hint = f"Did you mean /{near[0].name}?" if near else "See them all with /help."
                raise UsageError(f"there is no command /{name}", hint)
            if command.needs_argument and not argument:
                raise UsageError(f"/{name} needs {command.argument}", f"Write: {command.usage}")
            await getattr(self, f"do_{name}")(argument)
        except NosisError as error:
            await self._screen.fail(error)

    # -- the conversation ----------------------------------------------------------------------

    async def do_new(self, _: str) -> None:
        agent = self._agent
        self._leave()
        agent.new_session()
        await self._show_session()

    async def do_clear(self, _: str) -> None:
        await self._screen.conversation.replace_all([], has_older=self._loaded > 0)

    async def do_quit(self, _: str) -> None:
        self._screen.nosis.action_leave()

    async def do_copy(self, what: str) -> None:
        answer = self._screen.conversation.last_answer
        if answer is None:
            raise UsageError("there is no answer to copy", "Ask something first.")
        if what.lower() == "code":
            self._screen.copy(answer.code, "code")
        else:
            self._screen.copy(answer.text, "answer")

    async def do_retry(self, _: str) -> None:
        turns = self._screen.turns
        if turns.busy:
            raise UsageError("an answer is being given", "Stop it first with esc.")
        if failed := turns.failed:
            if self._screen.prompt.text.strip() == failed.text.strip():
                self._screen.prompt.set_text("")
            await turns.send(Draft(failed.text, failed.material))
            return
        user = self._screen.conversation.last_user
        if user is None:
            raise UsageError("there is nothing to ask again", "Write a message first.")
        await self._take_back_last()
        await turns.send(Draft(user.text, user.material))

    async def do_edit(self, _: str) -> None:
        if self._screen.turns.busy:
            raise UsageError("an answer is being given", "Stop it first with esc.")
        user = self._screen.conversation.last_user
        if user is None:
            raise UsageError("there is no message to edit", "Write one first.")
        self._screen.prompt.set_text(user.text)
        self._screen.prompt.focus()

    async def _take_back_last(self) -> None:
        """Remove the last exchange from the screen."""
        conversation = self._screen.conversation
        user = conversation.last_user
        if user:
            at = list(conversation.children).index(user)
            await conversation.remove_children(list(conversation.children)[at:])

    # -- sessions --------------------------------------------------------------------------------

    async def awoken(self) -> None:
        """Memory is there: show the session, if it is an old one."""
        await self._show_session(keep=bool(self._screen.conversation.children))

    async def _show_session(self, *, keep: bool = False) -> None:
        screen, agent, memory = self._screen, self._screen.nosis.agent, self._memory
        assert agent
        screen.turns.spent, screen.turns.last = Spent(), None
        entries = await self._blocking(memory.conversation, agent.session, PAGE + 1)
        older, entries = len(entries) > PAGE, entries[-PAGE:]
        self._loaded = len(entries)
        widgets = _widgets(entries)
        if keep:
            await screen.conversation.show_older(widgets, older)
        else:
            await screen.conversation.replace_all(widgets, older)
        await self._load_title()
        self.show_state()

    async def load_older(self) -> None:
        """Show the page of messages before the first one."""
        agent, memory = self._agent, self._memory
        shown = [m for m in self._screen.conversation.messages]
        wanted = len(shown) + PAGE
        entries = await self._blocking(memory.conversation, agent.session, wanted + 1)
        older = len(entries) > wanted
        entries = entries[-wanted:]
        page = entries[: max(len(entries) - len(shown), 0)]
        self._loaded = max(self._loaded, len(entries))
        await self._screen.conversation.show_older(_widgets(page), older)

    async def _load_title(self) -> None:
        from nosis.tui.status import Header

        agent, memory = self._screen.nosis.agent, self._memory
        assert agent
        sessions = await self._blocking(memory.sessions)
        self._title = next((s.title for s in sessions if s.id == agent.session), "")
        self._screen.query_one(Header).title = self._title or "new session"

    def _leave(self) -> None:
        """End what belongs to the session that is left."""
        self._screen.stop()
        for draft in self._screen.turns.take_back():
            if draft.widget:
                draft.widget.remove()

    # -- state -----------------------------------------------------------------------------------

    def show_state(self) -> None:
        """Bring the footer up to date."""
        screen, agent = self._screen, self._screen.nosis.agent
        if agent is None:
            return
        shares, last = agent.shares, screen.turns.last
        model = screen.nosis.model.name if screen.nosis.model else ""
        spent = screen.turns.spent
        if model == "offline":
            cost = "offline"
        elif spent.cost is not None:
            from nosis.tui.status import dollars

            cost = dollars(spent.cost)
        else:
            from nosis.tui.status import tokens

            cost = f"{tokens(spent.prompt + spent.completion)} tokens"
        screen.status.change(
            workspace=screen.nosis.settings.workspace,
            model=last.model if last else model,
            context=shares.prompt if shares else None,
            window=shares.window if shares else None,
            spent=cost,
            session=agent.session,
        )

    def show_recalled(self, event: Recalled) -> None:
        """Memories were found for the turn that runs."""

    def show_receipt(self, receipt: Receipt) -> None:
        """The turn that runs has written."""

    def search_inputs(self) -> None:
        """ctrl+r."""

    def values(self, name: str) -> list[str]:
        """What the argument of a command may be."""
        if name == "copy":
            return ["code"]
        if name == "theme":
            return sorted(self._screen.app.available_themes)
        return []

    async def _blocking(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.to_thread(work, *arguments)


def _widgets(entries: list[Entry]) -> list[Widget]:
    """Archived messages as widgets."""
    return [
        Answer(entry.text) if entry.role == "assistant" else UserMessage(entry.text)
        for entry in entries
        if entry.text or entry.role != "assistant"
    ]


__all__ = ["Card", "Handlers"]
