"""A list of any length on the screen: only the rows in view are ever drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

NEAR_END = 50  # rows before the last loaded one at which more are asked for


class Rows(ScrollView, can_focus=True):
    """Items one line each, with a cursor.

    Args:
        draw: an item and a width in cells to one line; its first cell belongs to the cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False, id="memory.rows.up"),
        Binding("down,j", "move(1)", show=False, id="memory.rows.down"),
        Binding("pageup", "page(-1)", show=False, id="memory.rows.page-up"),
        Binding("pagedown", "page(1)", show=False, id="memory.rows.page-down"),
        Binding("home", "first", show=False, id="memory.rows.first"),
        Binding("end", "last", show=False, id="memory.rows.last"),
        Binding("enter", "choose", "open", id="memory.rows.open"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor", "rows--empty"}
    DEFAULT_CSS = """
    Rows {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .rows--cursor { background: $foreground 8%; }
        & > .rows--empty { color: $text-muted; }
        &:focus > .rows--cursor { background: $primary 22%; }
    }
    """

    index = reactive(-1)

    class Moved(Message):
        """The cursor stands on another item, or on none."""

        def __init__(self, rows: Rows) -> None:
            super().__init__()
            self.rows = rows

        @property
        def control(self) -> Rows:
            return self.rows

    class Chosen(Moved):
        """The item under the cursor was opened."""

    class NearEnd(Moved):
        """The last loaded item is about to come into view."""

    def __init__(
        self,
        draw: Callable[[Any, int], Content],
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._draw = draw
        self._items: Sequence[Any] = ()
        self._empty = Content("")

    @property
    def items(self) -> Sequence[Any]:
        return self._items

    @property
    def item(self) -> Any | None:
        """The item under the cursor."""
        return self._items[self.index] if 0 <= self.index < len(self._items) else None

    def show(
        self, items: Sequence[Any], *, index: int | None = None, empty: Content | str = ""
    ) -> None:
        """Replace the items; the cursor keeps its place unless ``index`` gives another."""
        self._items = items
        self._empty = Content(empty) if isinstance(empty, str) else empty
        self.virtual_size = Size(0, len(items))
        wanted = max(self.index, 0) if index is None else index
        self.set_reactive(Rows.index, min(wanted, len(items) - 1))
        self._to_cursor()
        self.refresh()
        self.post_message(self.Moved(self))

    def watch_index(self) -> None:
        self._to_cursor()
        self.refresh()
        self.post_message(self.Moved(self))
        if self.index >= len(self._items) - NEAR_END:
            self.post_message(self.NearEnd(self))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if new_value + self.size.height >= len(self._items) - NEAR_END:
            self.post_message(self.NearEnd(self))

    def render_line(self, y: int) -> Strip:
        if not (width := self.scrollable_content_region.width):
            return Strip.blank(0)
        number = round(self.scroll_y) + y
        if not self._items:
            style = self.get_visual_style("rows--empty")
            lines = Visual.to_strips(self, self._empty, max(width - 6, 1), None, style, pad=True)
            # One empty line above the explanation, three cells beside it.
            blank = Strip.blank(3, style.rich_style)
            return (
                Strip.join([blank, lines[y - 1], blank])
                if 1 <= y <= len(lines)
                else Strip.blank(width, style.rich_style)
            )
        if number >= len(self._items):
            return Strip.blank(width, self.visual_style.rich_style)
        content = self._draw(self._items[number], width - 1)  # no words at the very edge
        style = self.visual_style
        if number == self.index:
            style = self.get_visual_style("rows--cursor")
            mark = ("▌", "$primary") if self.has_focus else " "
            content = Content.assemble(mark, content[1:])
        return Visual.to_strips(self, content, width, 1, style, pad=True)[0]

    def action_move(self, step: int) -> None:
        self._go(self.index + step)

    def action_page(self, pages: int) -> None:
        self._go(self.index + pages * max(self.size.height - 1, 1))

    def action_first(self) -> None:
        self._go(0)

    def action_last(self) -> None:
        self._go(len(self._items) - 1)

    def action_choose(self) -> None:
        if self.item is not None:
            self.post_message(self.Chosen(self))

    def on_click(self, event: events.Click) -> None:
        number = round(self.scroll_y) + event.y
        if 0 <= number < len(self._items):
            self.index = number
            if event.chain == 2:
                self.action_choose()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def _go(self, number: int) -> None:
        if self._items:
            self.index = min(max(number, 0), len(self._items) - 1)

    def _to_cursor(self) -> None:
        if self.index >= 0:
            self.scroll_to_region(Region(0, self.index, 1, 1), animate=False, force=True)
