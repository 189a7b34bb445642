"""The chat screen: header, conversation, recall panel, prompt, footer, and their keys."""

from __future__ import annotations

import gc
import time
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea

from nosis.errors import NosisError, UsageError
from nosis.memory.types import Receipt
from nosis.tui import actions, clipboard, commands
from nosis.tui.cards import Card, ErrorCard
from nosis.tui.completion import Completion
from nosis.tui.conversation import Conversation
from nosis.tui.memory.panel import RecallPanel
from nosis.tui.memory.receipts import toast
from nosis.tui.memory.work import Changed
from nosis.tui.message import ChatMessage, UserMessage
from nosis.tui.progress import Progress
from nosis.tui.prompt import Prompt
from nosis.tui.session import SessionView
from nosis.tui.status import Header, Status
from nosis.tui.turns import Draft, Turns

if TYPE_CHECKING:
    from nosis.agent import Agent
    from nosis.memory import Memory
    from nosis.tui.app import NosisApp

MOST_TOASTS = 2  # for one change
DOUBLE = 1.0  # seconds within which a second escape counts


class ChatScreen(Screen[None]):
    """Where the user lives."""

    class Stands(Message):
        """The first layout is done, and the prompt takes keys."""

    AUTO_FOCUS = "#prompt"
    BINDINGS: ClassVar[list[BindingType]] = [*commands.bindings()]

    def __init__(self) -> None:
        super().__init__()
        self.turns = Turns(self)
        self.session = SessionView(self)
        self.awake = False
        self._escaped = 0.0

    # -- parts -------------------------------------------------------------------------------

    @property
    def nosis(self) -> NosisApp:
        from nosis.tui.app import NosisApp

        assert isinstance(self.app, NosisApp)
        return self.app

    @property
    def memory(self) -> Memory:
        """The open workspace. UsageError while it is not awake."""
        if self.nosis.memory is None:
            raise UsageError("memory is not awake yet", "Try again in a moment.")
        return self.nosis.memory

    @property
    def agent(self) -> Agent:
        """What answers. UsageError while it is not ready."""
        if self.nosis.agent is None or self.nosis.model is None:
            raise UsageError("the model is not connected yet", "Try again in a moment.")
        return self.nosis.agent

    @property
    def model_name(self) -> str:
        return self.nosis.model.name if self.nosis.model else ""

    @property
    def offline(self) -> bool:
        """Whether rules answer instead of a model."""
        return self.model_name == "offline"

    @property
    def conversation(self) -> Conversation:
        return self.query_one(Conversation)

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    @property
    def panel(self) -> RecallPanel:
        return self.query_one(RecallPanel)

    @property
    def progress(self) -> Progress:
        return self.query_one(Progress)

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
            yield RecallPanel(id="side")
        yield Status()

    def on_mount(self) -> None:
        self.prompt.inputs = self.nosis.inputs
        self.prompt.completion = self.query_one(Completion)
        self.panel.set_class(self.nosis.preferences.get("panel", "shown") != "shown", "-hidden")
        self.status.change(workspace=self.nosis.settings.workspace)
        self.call_after_refresh(self._stands)

    def _stands(self) -> None:
        self.set_focus(self.prompt)
        self.app.post_message(self.Stands())
        self.wake()

    # -- waking ------------------------------------------------------------------------------

    @work(group="wake", exclusive=True, exit_on_error=False)
    async def wake(self) -> None:
        """Load memory and model behind the first screen."""
        from nosis.tui.waking import wake, warm

        app = self.nosis
        try:
            if app.agent is None:
                app.agent = await wake(app, self.progress)
            app.memory, app.model = await app.agent.ready()
            self.panel.memory = app.memory
            await self.session.show(keep=bool(self.conversation.messages))
        except NosisError as error:
            await self._not_awake(error)
            return
        except Exception as error:  # a fault of ours must not end in waiting for ever
            self.log.error(error)
            await self._not_awake(NosisError(f"{type(error).__name__}: {error}", "nosis doctor"))
            return
        finally:
            self.progress.finish()
        self.awake = True
        self.turns.start()
        await warm(app.memory)
        # The libraries stay, and a painted line is many small objects that die without a
        # collection: looking at all of them every second would cost more than the painting.
        gc.freeze()
        gc.set_threshold(10_000)
        if not self.turns.busy and not self.turns.spent.turns:
            self.curate()

    async def _not_awake(self, error: NosisError) -> None:
        await self.show(ErrorCard(error.message, error.hint, retry="enter or click: try again"))
        self.give_back(await self.turns.give_up())

    async def welcome(self) -> None:
        """Greet in an empty conversation."""
        from nosis.tui.welcome import Welcome

        await self.show(await Welcome.of(self.memory, self.agent, offline=self.offline))

    @work(group="curate", exclusive=True, exit_on_error=False)
    async def curate(self, *, asked: bool = False) -> None:
        """Distil what was said since the last time, unless the settings leave it to the user."""
        from nosis.tui.curating import curate

        offline = self.nosis.model is not None and self.nosis.model.name == "offline"
        # The offline rules file what they find at once: a second look finds nothing new.
        if asked or (self.nosis.settings.auto_curate != "manual" and not offline):
            await curate(self, asked=asked)

    # -- turns -------------------------------------------------------------------------------

    @on(Prompt.Sent)
    async def _sent(self, event: Prompt.Sent) -> None:
        self.nosis.inputs.add(event.text)
        command = commands.parse(event.text)
        if command is None:
            await self.turns.send(Draft(event.text, self.prompt.pastes.material(event.text)))
        else:
            name, argument = command
            await actions.run(self, name, self.prompt.pastes.expand(argument))

    def turn_begun(self) -> None:
        self.workers.cancel_group(self, "curate")

    def turn_over(self) -> None:
        """A turn has ended: tell what it used."""
        self.session.show_state()
        if not self.session.title:
            self.do(self.session.load_title())

    def memory_changed(self, receipts: Sequence[Receipt]) -> None:
        """Memory was changed from here: say so, at once where it was a whole list."""
        if receipts:
            self.app.clear_notifications()  # quick turns would pile them over the words
        if len(receipts) > MOST_TOASTS:
            self.notify(f"{len(receipts)} memories changed · /undo", timeout=6)
            return
        for receipt in receipts:
            toast(self.app, receipt)

    @on(Changed)
    async def _changed(self, event: Changed) -> None:
        """Memory was changed on another screen or by a key: its receipts stay visible here."""
        event.stop()

    def give_back(self, texts: Sequence[str]) -> None:
        """Put unanswered messages into the prompt, before what is being typed."""
        typed = self.prompt.text
        if joined := "\n\n".join([*texts, *([typed] if typed.strip() else [])]):
            self.prompt.set_text(joined)
        self.prompt.focus()

    # -- keys --------------------------------------------------------------------------------

    async def action_command(self, name: str) -> None:
        await actions.run(self, name)

    def action_palette(self) -> None:
        self.app.action_command_palette()

    async def action_escape(self) -> None:
        """Close the completions, stop the answer, or (twice) edit the last message."""
        if self.prompt.menu_open:
            self.prompt.close_menu()
        elif self.turns.busy:
            self.agent.stop()
        elif self.progress.stop():
            self.workers.cancel_group(self, "curate")
        elif self.turns.stop_editing():
            self.prompt.set_text("")
        elif self.focused is not self.prompt:
            self.show_panel_over(False)
            self.prompt.focus()
        elif time.monotonic() - self._escaped < DOUBLE:
            self._escaped = 0.0
            if self.conversation.last_user:
                await actions.run(self, "edit")
        else:
            self._escaped = time.monotonic()

    def action_interrupt(self) -> None:
        """ctrl+c: copy what is selected, else stop the answer, else say how to quit."""
        if selected := self.get_selected_text():
            self.clear_selection()
            self.copy(selected, "selection")
        elif self.turns.busy:
            self.agent.stop()
        else:
            self.notify("ctrl+q quits", timeout=3)

    def action_copy_text(self) -> None:
        self.action_interrupt()

    @on(Prompt.Wanted)
    async def _wanted(self, event: Prompt.Wanted) -> None:
        conversation = self.conversation
        match event.what:
            case "search":
                self._search_inputs()
            case "page" if event.amount < 0:
                conversation.page_up()
            case "page":
                conversation.scroll_page_down(animate=False)
            case "home":
                conversation.scroll_home(animate=False)
            case "end":
                conversation.follow()

    def _search_inputs(self) -> None:
        from nosis.tui.pick import PickScreen

        def chosen(text: str | None) -> None:
            if text:
                self.prompt.set_text(text)

        self.app.push_screen(PickScreen("Earlier inputs", self.nosis.inputs.search), chosen)

    @on(TextArea.Changed, "#prompt")
    def _typed(self) -> None:
        self.prompt.offer()

    def on_key(self, event: events.Key) -> None:
        """Typing goes into the prompt, wherever the focus is, unless the key means something."""
        typing = isinstance(self.focused, Input | TextArea)
        if event.is_printable and not typing and event.key not in self.active_bindings:
            event.stop()
            self.prompt.focus()
            self.prompt.insert(event.character or "")

    def on_paste(self, event: events.Paste) -> None:
        """So does what is pasted."""
        if not isinstance(self.focused, Input | TextArea):
            event.stop()
            self.prompt.focus()
            self.prompt.post_message(events.Paste(event.text))

    # -- the panel ---------------------------------------------------------------------------

    def toggle_panel(self) -> None:
        """Show or hide the recall panel; on a narrow screen it covers the conversation."""
        if self.has_class("-narrow"):
            self.show_panel_over(not self.has_class("-panel-over"))
            return
        hidden = not self.panel.has_class("-hidden")
        self.panel.set_class(hidden, "-hidden")
        self.nosis.preferences.set("panel", "hidden" if hidden else "shown")

    def show_panel_over(self, over: bool) -> None:
        self.set_class(over, "-panel-over")
        if over:
            self.panel.focus_first()
        else:
            self.prompt.focus()

    @on(RecallPanel.Muted)
    def _muted(self, event: RecallPanel.Muted) -> None:
        muted = self.agent.muted
        (muted.add if event.muted else muted.discard)(event.entry_id)

    # -- messages ----------------------------------------------------------------------------

    @on(ChatMessage.Copied)
    def _copied(self, event: ChatMessage.Copied) -> None:
        self.copy(event.text, event.what)

    @on(ChatMessage.Asked)
    async def _asked(self, event: ChatMessage.Asked) -> None:
        if event.message in (self.conversation.last_user, self.conversation.last_answer):
            await actions.run(self, event.what)
        elif event.what == "edit" and isinstance(event.message, UserMessage):
            self.prompt.set_text(event.message.text)
            self.prompt.focus()
        else:
            self.notify("Only the last message can be asked again.", timeout=3)

    @on(ErrorCard.Retry)
    async def _retry(self, event: ErrorCard.Retry) -> None:
        if self.turns.failed and event.card in self.turns.failed.widgets:
            await actions.run(self, "retry")
        elif not self.awake:
            await event.card.remove()
            self.wake()

    @on(Conversation.OlderWanted)
    async def _older(self) -> None:
        await self.session.load_older()

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

    async def tell(self, title: str, body: str = "") -> None:
        """A card with a title."""
        await self.show(Card(title, body))

    def do(self, work: Awaitable[None]) -> None:
        """Run something from a screen that has closed; what goes wrong becomes a card."""

        async def done() -> None:
            try:
                await work
            except NosisError as error:
                await self.fail(error)

        self.run_worker(done(), exit_on_error=False)

    async def fail(self, error: NosisError) -> None:
        """A card for a command that did not work."""
        await self.show(ErrorCard(error.message, error.hint))
