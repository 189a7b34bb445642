"""The chat screen: header, conversation, recall panel, prompt, footer, and their keys."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import TextArea

from nosis.errors import NosisError
from nosis.events import Recalled
from nosis.memory.types import Receipt
from nosis.tui import clipboard, commands
from nosis.tui.cards import Card, ErrorCard
from nosis.tui.completion import Completion
from nosis.tui.conversation import Conversation
from nosis.tui.handlers import Handlers
from nosis.tui.message import ChatMessage, UserMessage
from nosis.tui.progress import Progress
from nosis.tui.prompt import Prompt
from nosis.tui.status import Header, Status
from nosis.tui.turns import Draft, Turns

if TYPE_CHECKING:
    from nosis.tui.app import NosisApp

DOUBLE = 1.0  # seconds within which a second escape counts


class ChatScreen(Screen[None]):
    """Where the user lives."""

    AUTO_FOCUS = "#prompt"
    BINDINGS: ClassVar[list[BindingType]] = [*commands.bindings()]

    def __init__(self) -> None:
        super().__init__()
        self.turns = Turns(self)
        self.handlers = Handlers(self)
        self.awake = False
        self._waking = False
        self._escaped = 0.0

    @property
    def nosis(self) -> NosisApp:
        from nosis.tui.app import NosisApp

        assert isinstance(self.app, NosisApp)
        return self.app

    @property
    def conversation(self) -> Conversation:
        return self.query_one(Conversation)

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    @property
    def status(self) -> Status:
        return self.query_one(Status)

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal(id="middle"):
            with Vertical(id="main"):
                yield Conversation()
                with Vertical(id="bottom"):
                    yield Completion()
                    yield Progress()
                    yield Prompt()
            yield Vertical(id="side")
        yield Status()

    def on_mount(self) -> None:
        self.prompt.inputs = self.nosis.history
        self.status.change(workspace=self.nosis.settings.workspace)
        self.call_after_refresh(self.wake)

    # -- waking ------------------------------------------------------------------------------

    @work(group="wake", exclusive=True, exit_on_error=False)
    async def wake(self) -> None:
        """Load memory and model behind the first screen."""
        if self.awake or self._waking:
            return
        self._waking = True
        app, progress = self.nosis, self.query_one(Progress)
        try:
            if app.agent is None:
                from nosis.tui.waking import wake

                app.agent = await wake(
                    app.settings,
                    resume=app.resume_session,
                    continue_last=app.continue_last,
                    say=progress.say,
                    progress=progress.from_thread,
                )
            app.memory, app.model = await app.agent.ready()
            await self.handlers.awoken()
        except NosisError as error:
            await self._not_awake(error.message, error.hint)
            return
        except Exception as error:  # a fault of ours must not end in an endless "waking"
            self.log.error(error)
            await self._not_awake(f"{type(error).__name__}: {error}", "Try: nosis doctor")
            return
        finally:
            self._waking = False
            progress.finish()
        self.awake = True
        self.turns.start()

    async def _not_awake(self, message: str, hint: str) -> None:
        await self.conversation.add(ErrorCard(message, hint, retry="enter or click to try again"))
        waiting = self.turns.take_back()
        for draft in waiting:
            if draft.widget:
                await draft.widget.remove()
        self.give_back([draft.text for draft in waiting])

    # -- turns -------------------------------------------------------------------------------

    @on(Prompt.Sent)
    async def _sent(self, event: Prompt.Sent) -> None:
        self.prompt.set_text("")
        self.nosis.history.add(event.text)
        command = commands.parse(event.text)
        if command is None:
            material = self.prompt.pastes.material(event.text)
            await self.turns.send(Draft(event.text, material))
        else:
            await self.handlers.run(*command)

    def turn_begun(self) -> None:
        self.status.change(busy="answering")

    def turn_over(self) -> None:
        """A turn has ended: tell what it used."""
        self.status.change(busy="")
        self.handlers.show_state()

    def recalled(self, event: Recalled) -> None:
        """Memories were found for the turn that runs."""
        self.handlers.show_recalled(event)

    def memory_changed(self, receipt: Receipt) -> None:
        """The turn that runs has written."""
        self.handlers.show_receipt(receipt)

    def give_back(self, texts: list[str]) -> None:
        """Put unanswered messages into the prompt, before what is being typed."""
        typed = self.prompt.text
        if joined := "\n\n".join([*texts, *([typed] if typed.strip() else [])]):
            self.prompt.set_text(joined)
        self.prompt.focus()

    # -- keys --------------------------------------------------------------------------------

    async def action_command(self, name: str) -> None:
        await self.handlers.run(name, "")

    def action_escape(self) -> None:
        """Close the completions, stop the answer, or (twice) edit the last message."""
        completion = self.query_one(Completion)
        if completion.display:
            self._close_completion()
        elif self.turns.busy:
            self.stop()
        elif self.focused is not self.prompt:
            self.prompt.focus()
        elif time.monotonic() - self._escaped < DOUBLE:
            self._escaped = 0.0
            self.run_worker(self.handlers.run("edit", ""), exit_on_error=False)
        else:
            self._escaped = time.monotonic()

    def action_interrupt(self) -> None:
        """ctrl+c: copy what is selected, else stop the answer, else say how to quit."""
        if selected := self.get_selected_text():
            self.clear_selection()
            self.copy(selected, "selection")
        elif self.turns.busy:
            self.stop()
        else:
            self.notify("ctrl+q quits", timeout=3)

    def action_copy_text(self) -> None:
        self.action_interrupt()

    def stop(self) -> None:
        """End the answer that is streaming; what it said stays."""
        if self.nosis.agent:
            self.nosis.agent.stop()

    @on(Prompt.Wanted)
    def _wanted(self, event: Prompt.Wanted) -> None:
        completion = self.query_one(Completion)
        match event.what:
            case "menu":
                completion.move(event.amount)
            case "choose":
                self._choose(send=True)
            case "complete":
                self._choose(send=False)
            case "search":
                self.handlers.search_inputs()
            case "page" if event.amount < 0:
                self.conversation.scroll_page_up(animate=False)
            case "page":
                self.conversation.scroll_page_down(animate=False)
            case "home":
                self.conversation.scroll_home(animate=False)
            case "end":
                self.conversation.follow()

    @on(TextArea.Changed, "#prompt")
    def _typed(self) -> None:
        text = self.prompt.text
        values: list[str] = []
        if text.startswith("/") and len(text) < 200:
            name, space, _ = text[1:].partition(" ")
            if space:
                values = self.handlers.values(name)
        self.prompt.menu_open = self.query_one(Completion).suggest(text[:200], values)

    def _close_completion(self) -> None:
        self.query_one(Completion).close()
        self.prompt.menu_open = False

    def _choose(self, *, send: bool) -> None:
        chosen = self.query_one(Completion).chosen
        if chosen is None:
            return
        command = commands.BY_NAME.get(chosen[1:])
        if command and command.argument and (not send or command.needs_argument):
            self.prompt.set_text(f"{chosen} ")
        else:
            self.prompt.set_text(chosen)
            self._close_completion()
            if send:
                self.prompt.action_send()

    # -- messages ----------------------------------------------------------------------------

    @on(ChatMessage.Copied)
    def _copied(self, event: ChatMessage.Copied) -> None:
        self.copy(event.text, event.what)

    @on(ChatMessage.Asked)
    async def _asked(self, event: ChatMessage.Asked) -> None:
        mine = event.message in (self.conversation.last_user, self.conversation.last_answer)
        if mine:
            await self.handlers.run(event.what, "")
        elif event.what == "edit" and isinstance(event.message, UserMessage):
            self.prompt.set_text(event.message.text)
            self.prompt.focus()
        else:
            self.notify("Only the last answer can be asked for again.", timeout=3)

    @on(ErrorCard.Retry)
    async def _retry(self, event: ErrorCard.Retry) -> None:
        if self.turns.failed and event.card is self.turns.failed.card:
            await self.handlers.run("retry", "")
        elif not self.awake:
            await event.card.remove()
            self.wake()

    @on(Conversation.OlderWanted)
    async def _older(self) -> None:
        await self.handlers.load_older()

    def copy(self, text: str, what: str) -> None:
        """Put a text into the clipboard and say so."""
        if not text:
            self.notify(f"No {what} to copy.", timeout=3)
            return
        place = clipboard.copy(self.app, text, self.nosis.home)
        self.notify(f"{what.capitalize()} copied{place}.", timeout=3, markup=False)

    async def show(self, *widgets: Widget) -> None:
        """Put cards at the end of the conversation."""
        for widget in widgets:
            await self.conversation.add(widget)
        self.conversation.follow()

    async def tell(self, title: str, body: str = "", kind: str = "info") -> None:
        """A card with a title."""
        await self.show(Card(title, body, kind=kind))

    async def fail(self, error: NosisError) -> None:
        """A card for a command that did not work."""
        await self.show(ErrorCard(error.message, error.hint))

    async def in_thread(self, work: object, *arguments: object) -> object:
        """Run blocking work of memory beside the screen."""
        return await asyncio.to_thread(work, *arguments)  # type: ignore[arg-type]
