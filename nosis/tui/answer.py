"""An answer while it streams, and after: reasoning, words, receipts, and what became of it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from nosis.memory.text import clean
from nosis.memory.types import Receipt
from nosis.tui.folding import Chapter, forget_painted
from nosis.tui.memory.words import paragraph
from nosis.tui.message import ChatMessage
from nosis.tui.segments import Segmenter
from nosis.tui.text import content

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.tui.markdown import ModelMarkdown

PAINT_EVERY = 0.08  # seconds: a reader sees no difference to more, and the cores do
CHAPTER = 8  # segments
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

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "reasoning", "reasoning", id="message.reasoning"),
    ]

    def __init__(self, text: str = "") -> None:
        super().__init__(classes="answer")
        self._parts: list[str] = []
        self._old = clean(text)
        self._segmenter = Segmenter()
        self._segment: ModelMarkdown | None = None
        self._chapter: Chapter | None = None
        self._unpainted: list[str] = []
        self._painting: asyncio.Task[None] | None = None
        self.streaming = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def compose(self) -> ComposeResult:
        yield Reasoning()
        yield Static("…", classes="waiting")
        yield Vertical(classes="body")
        yield Vertical(classes="receipts")
        yield Static(classes="note", markup=False)

    async def on_mount(self) -> None:
        for name in ("receipts", "note", "waiting"):
            self.query_one(f".{name}").display = False
        if self._old:
            self.write(self._old)
            await self.stop()

    def begin(self) -> None:
        """Nothing has come yet."""
        self.streaming = True
        self.query_one(".waiting").display = True

    def think(self, text: str) -> None:
        """A piece of reasoning."""
        self.query_one(".waiting").display = False
        self.query_one(Reasoning).add(text)

    def write(self, text: str) -> None:
        """A piece of the answer; it is painted within PAINT_EVERY seconds."""
        if not self._parts:
            self.query_one(".waiting").display = False
            self.query_one(Reasoning).end()
        self._parts.append(clean(text))
        self._unpainted.append(paragraph(text))
        if self._painting is None or self._painting.done():
            self._painting = asyncio.create_task(self._paint_on())

    async def stop(self) -> None:
        """No more text will come: paint what is left."""
        self.streaming = False
        if self._painting:
            self._painting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._painting
        if self.is_attached:
            self.query_one(".waiting").display = False
            self.query_one(Reasoning).end()
            await self._paint()

    async def _paint_on(self) -> None:
        while self._unpainted and self.is_attached:
            await asyncio.shield(self._paint())
            await asyncio.sleep(PAINT_EVERY)

    async def _paint(self) -> None:
        """Append what came since the last time."""
        from nosis.tui.markdown import ModelMarkdown

        async with self.lock:
            text = "".join(self._unpainted)
            self._unpainted.clear()
            body = self.query_one(".body", Vertical)
            for piece in self._segmenter.feed(text):
                if piece.new or self._segment is None:
                    if piece.joined and self._segment:
                        self._segment.add_class("-goes-on")
                    joined = " -joined" if piece.joined else ""
                    self._segment = ModelMarkdown(classes=f"segment{joined}")
                    if self._chapter is None or len(self._chapter.children) >= CHAPTER:
                        self._chapter = Chapter()
                        await body.mount(self._chapter)
                    await self._chapter.mount(self._segment)
                if piece.text:
                    await self._segment.append(piece.text)

    def fold_chapters(self, first: float, last: float) -> bool:
        """Fold what lies outside these lines of the answer; whether a new layout is needed."""
        body = self.query_one(".body", Vertical)
        top = body.virtual_region.y
        unfolded = False
        for chapter in body.query_children(Chapter):
            region = chapter.virtual_region
            start = region.y + top
            far = region.height > 0 and (start > last or start + region.height < first)
            folds = far and chapter is not self._chapter
            if folds and not chapter.folded:
                forget_painted(body)  # both kept the lines between and beside the chapters
                forget_painted(self)
            unfolded |= chapter.fold(folds)
            if not folds:
                unfolded |= chapter.fold_inside(first - start, last - start, self._segment)
        return unfolded

    async def add_receipt(self, memory: Memory, receipt: Receipt) -> None:
        """One thing that memory did in this turn."""
        from nosis.tui.memory.receipts import ReceiptLine

        shown = self.query_one(".receipts", Vertical)
        shown.display = True
        await shown.mount(ReceiptLine(memory, receipt))

    def note(self, *parts: tuple[str, str] | str) -> None:
        """The dim line at the end."""
        shown = self.query_one(".note", Static)
        shown.display = bool(parts)
        shown.update(Content(" · ").join([Content.assemble(part) for part in parts]))

    def action_reasoning(self) -> None:
        self.query_one(Reasoning).toggle()
