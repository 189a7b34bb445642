"""The conversation: messages and cards, the newest ones mounted, older ones as scrolled."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.message import Message as Posted
from textual.widget import Widget

from nosis.tui.answer import Answer
from nosis.tui.folding import Foldable
from nosis.tui.message import ChatMessage, UserMessage

MOST_MOUNTED = 120  # widgets; more slow every layout down
KEPT = 60


class Conversation(VerticalScroll, can_focus=False):
    """Follows its end until the user scrolls up."""

    class OlderWanted(Posted):
        """The user reached the first mounted message and there are earlier ones."""

    def __init__(self) -> None:
        super().__init__(id="conversation")
        self.has_older = False
        self._asked = False

    def on_mount(self) -> None:
        self.anchor()
        self.screen.screen_layout_refresh_signal.subscribe(self, self._fold)

    def _fold(self, _: object = None) -> None:
        """Keep in the layout what is within a screen's height of the visible part."""
        height = self.size.height
        if not height or not self.is_attached:
            return
        first, last = self.scroll_y - height, self.scroll_y + 2 * height
        unfolded = False
        for child in self.children:
            if not isinstance(child, Foldable):
                continue
            region = child.virtual_region
            near = region.y <= last and region.bottom >= first
            unfolded |= child.fold(region.height > 0 and not near)
            if near and isinstance(child, Answer) and region.height > 3 * height:
                unfolded |= child.fold_segments(first - region.y, last - region.y)
        if unfolded:
            self.refresh(layout=True)

    @property
    def messages(self) -> list[ChatMessage]:
        """The mounted messages, oldest first."""
        return [child for child in self.children if isinstance(child, ChatMessage)]

    @property
    def last_answer(self) -> Answer | None:
        return next((m for m in reversed(self.messages) if isinstance(m, Answer)), None)

    @property
    def last_user(self) -> UserMessage | None:
        return next((m for m in reversed(self.messages) if isinstance(m, UserMessage)), None)

    async def add(self, widget: Widget) -> None:
        """Put a message or card at the end; the oldest go when there are very many."""
        await self.mount(widget)
        if len(self.children) > MOST_MOUNTED and self.at_end:
            gone = self.children[: len(self.children) - KEPT]
            self.has_older = True
            await self.remove_children(gone)

    @property
    def at_end(self) -> bool:
        return self.max_scroll_y - self.scroll_y <= 1

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.anchor(False)
        self.anchor()

    def page_up(self) -> None:
        """Scroll up; at the very beginning, ask for earlier messages."""
        if self.scroll_y <= 0:
            self._ask_older()
        self.scroll_page_up(animate=False)

    async def show_older(self, widgets: list[Widget], has_older: bool) -> None:
        """Put earlier messages at the beginning; what is on screen stays where it is."""
        self.has_older = has_older
        first = self.children[0] if self.children else None
        before = self.virtual_size.height
        await self.mount_all(widgets, before=first)

        def keep_place() -> None:
            self.scroll_to(
                y=self.scroll_y + self.virtual_size.height - before, animate=False, force=True
            )
            self._asked = False

        self.call_after_refresh(keep_place)

    async def replace_all(self, widgets: list[Widget], has_older: bool) -> None:
        """Show other messages instead."""
        await self.remove_children()
        self.has_older, self._asked = has_older, False
        await self.mount_all(widgets)
        self.follow()

    def watch_scroll_y(self, old: float, new: float) -> None:
        super().watch_scroll_y(old, new)
        self._fold()
        if new < old and new <= 2:
            self._ask_older()

    def _ask_older(self) -> None:
        if self.has_older and not self._asked:
            self._asked = True
            self.post_message(self.OlderWanted())
