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
from textual.widget import Widget
from textual.widgets import Static

from nosis.memory.text import clean
from nosis.memory.types import Receipt
from nosis.tui.folding import Foldable, forget_painted
from nosis.tui.memory.words import paragraph
from nosis.tui.message import ChatMessage
from nosis.tui.segments import Segmenter
from nosis.tui.text import content

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.tui.markdown import ModelMarkdown

PAINT_EVERY = 0.08  # seconds: a reader sees no difference to more, and the cores do
GROUP = 8  # segments that far off screen are one widget of the layout
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
        self._segment: ModelMarkdown | None = None  # the last one
        self._group: Foldable | None = None  # that it is in
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
            for piece in self._segmenter.feed(text):
                if piece.new or self._segment is None:
                    if piece.joined and self._segment:
                        self._segment.add_class("-goes-on")
                    joined = " -joined" if piece.joined else ""
                    self._segment = ModelMarkdown(classes=f"segment{joined}")
                    await (await self._open_group()).mount(self._segment)
                if piece.text:
                    await self._segment.append(piece.text)

    async def _open_group(self) -> Foldable:
        """The group that takes the next segment."""
        if self._group is None or len(self._group.children) >= GROUP:
            self._group = Foldable(classes="group")
            await self.query_one(".body", Vertical).mount(self._group)
        return self._group

    def fold_segments(self, first: float, last: float) -> bool:
        """Fold those outside these lines of the answer; whether a new layout is needed."""
        body = self.query_one(".body", Vertical)
        top = body.virtual_region.y
        unfolded = self._fold_parts(body, first - top, last - top)
        for group in body.children:
            if isinstance(group, Foldable) and not group.folded:
                above = top + group.virtual_region.y
                unfolded |= self._fold_parts(group, first - above, last - above)
        return unfolded

    def _fold_parts(self, parent: Widget, first: float, last: float) -> bool:
        unfolded = False
        for part in parent.children:
            region = part.virtual_region
            if not isinstance(part, Foldable) or part in (self._segment, self._group):
                continue
            far = region.height > 0 and (region.y > last or region.bottom < first)
            folds = far and not part.folded
            unfolded |= part.fold(far)
            if folds:  # all around it kept the lines between and beside its parts
                for widget in {parent, self.query_one(".body"), self}:
                    forget_painted(widget)
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
