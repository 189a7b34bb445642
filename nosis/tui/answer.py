"""An answer while it streams, and after: reasoning, words, receipts, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static
from textual.widgets.markdown import MarkdownStream

from nosis.memory.text import clean
from nosis.memory.types import Receipt
from nosis.tui import receipts as words
from nosis.tui.message import ChatMessage
from nosis.tui.segments import Segmenter
from nosis.tui.text import content, plain

SHOWN_REASONING = 4_000  # characters of the reasoning that an opened line shows


class Reasoning(Static):
    """The model's reasoning as one dim line; a click or ``t`` opens it."""

    def __init__(self) -> None:
        super().__init__(classes="reasoning", markup=False)
        self._parts: list[str] = []
        self._open = False
        self._done = False
        self.display = False

    def add(self, text: str) -> None:
        """More of it. Only an opened line is drawn again."""
        self._parts.append(text)
        if not self.display or self._open:
            self.display = True
            self._show()

    def end(self) -> None:
        """The answer has begun or ended."""
        if self._parts and not self._done:
            self._done = True
            self._show()

    def toggle(self) -> None:
        self._open = not self._open
        self._show()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.toggle()

    def _show(self) -> None:
        text = "".join(self._parts)
        label = f"thought for {len(text.split()):,} words" if self._done else "thinking…"
        label = f"{'▾' if self._open else '▸'} {label}"
        tail = text[-SHOWN_REASONING:].strip()
        self.update(content(f"{label}\n{tail}") if self._open else content(label))


class Answer(ChatMessage):
    """What the model said."""

    BINDINGS = [("t", "reasoning", "reasoning")]

    def __init__(self, text: str = "") -> None:
        super().__init__(classes="answer")
        self._parts: list[str] = []
        self._old = clean(text)
        self._segmenter = Segmenter()
        self._stream: MarkdownStream | None = None
        self.streaming = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def compose(self) -> ComposeResult:
        yield Reasoning()
        yield Static("…", classes="waiting")
        yield Vertical(classes="body")
        yield Static(classes="receipts", markup=False)
        yield Static(classes="note", markup=False)

    async def on_mount(self) -> None:
        for name in ("receipts", "note", "waiting"):
            self.query_one(f".{name}").display = False
        if self._old:
            await self.write(self._old)
            await self.stop()

    def begin(self) -> None:
        """Nothing has come yet."""
        self.streaming = True
        self.query_one(".waiting").display = True

    def think(self, text: str) -> None:
        """A piece of reasoning."""
        self.query_one(".waiting").display = False
        self.query_one(Reasoning).add(text)

    async def write(self, text: str) -> None:
        """A piece of the answer."""
        if not self._parts:
            self.query_one(".waiting").display = False
            self.query_one(Reasoning).end()
        self._parts.append(clean(text))
        for piece in self._segmenter.feed(plain(text)):
            if piece.new or self._stream is None:
                await self._next_segment(piece.joined)
            if piece.text and self._stream:
                await self._stream.write(piece.text)

    async def _next_segment(self, joined: bool) -> None:
        from textual.widgets import Markdown

        from nosis.tui.markdown import ModelMarkdown

        if self._stream:
            await self._stream.stop()
        body = self.query_one(".body", Vertical)
        if joined and body.children:
            body.children[-1].add_class("-goes-on")
        segment = ModelMarkdown(classes="segment -joined" if joined else "segment")
        await body.mount(segment)
        self._stream = Markdown.get_stream(segment)

    async def stop(self) -> None:
        """No more text will come."""
        self.streaming = False
        if not self.is_attached:
            return
        self.query_one(".waiting").display = False
        self.query_one(Reasoning).end()
        if self._stream:
            stream, self._stream = self._stream, None
            await stream.stop()

    def receipts(self, receipts: Sequence[Receipt]) -> None:
        """What memory did in this turn."""
        shown = self.query_one(".receipts", Static)
        shown.display = bool(receipts)
        shown.update(words.lines(receipts))

    def note(self, *parts: tuple[str, str] | str) -> None:
        """The dim line at the end."""
        shown = self.query_one(".note", Static)
        shown.display = bool(parts)
        shown.update(Content(" · ").join([Content.assemble(part) for part in parts]))

    def action_reasoning(self) -> None:
        self.query_one(Reasoning).toggle()
