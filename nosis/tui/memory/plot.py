"""Upright bars, one a span of days, with a cursor that walks over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from nosis.tui.memory import drawing, words

if TYPE_CHECKING:
    from nosis.tui.memory.timeline import Buckets

HEIGHT, LOW = 6, 4  # lines of the bars; on a low screen
AXIS = 6  # cells left of the bars


class DayPlot(Widget, can_focus=True):
    """``show(buckets)``; left and right move the cursor, ``enter`` chooses its span."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False, id="memory.plot.left"),
        Binding("right", "move(1)", show=False, id="memory.plot.right"),
        Binding("home", "first", show=False, id="memory.plot.first"),
        Binding("end", "last", show=False, id="memory.plot.last"),
        Binding("enter", "choose", "travel there", id="memory.plot.travel"),
    ]
    DEFAULT_CSS = """
    DayPlot { height: auto; text-wrap: nowrap; }
    """

    index = reactive(-1)

    class Chosen(Message):
        """A span was chosen; ``when`` is its last moment."""

        def __init__(self, when: float) -> None:
            super().__init__()
            self.when = when

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._buckets: Buckets | None = None

    @property
    def bars(self) -> int:
        """Bars that fit side by side."""
        return self.size.width - AXIS

    @property
    def cell(self) -> int:
        """Cells a bar takes, its gap included."""
        number = len(self._buckets.counts) if self._buckets else 1
        return min(max(self.bars // number, 1), 4)

    @property
    def start(self) -> float | None:
        """The first moment of the span under the cursor."""
        if self._buckets is None or not 0 <= self.index < len(self._buckets.starts):
            return None
        return self._buckets.starts[self.index]

    @property
    def _height(self) -> int:
        return LOW if self.screen.has_class("-short") else HEIGHT

    def show(self, buckets: Buckets) -> None:
        """Draw these; the cursor stays on its day, at first on the newest."""
        newest = self._buckets is None or self.index == len(self._buckets.starts) - 1
        old = None if newest else self.start
        self._buckets = buckets
        places = [n for n, start in enumerate(buckets.starts) if old is None or start <= old]
        self.index = places[-1] if places else 0
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._height + 3

    def render(self) -> Content:
        if (buckets := self._buckets) is None:
            return Content("")
        counts, peak, cell = buckets.counts, max([*buckets.counts, 0]), self.cell
        rows = drawing.columns(counts, self._height, "$primary", cell)
        here = self.index * cell
        if 0 <= self.index < len(counts) and self.has_focus:
            rows = [row.stylize("$accent", here, here + cell) for row in rows]
        lines = []
        for number, row in enumerate(rows):
            label = f"{peak:,}" if number == 0 else ""
            lines.append(Content.assemble((label.rjust(AXIS - 2) + " │", "$foreground-muted"), row))
        floor = "─" * (len(counts) * cell)
        axis = Content.assemble(
            (" " * (AXIS - 3) + "0 └", "$foreground-muted"), (floor, "$foreground-muted")
        )
        lines.append(axis.stylize("$accent", AXIS + here, AXIS + here + max(cell - 1, 1)))
        lines.append(self._ends(buckets, len(counts) * cell))
        lines.append(self._says(buckets))
        return Content("\n").join(lines)

    def action_move(self, step: int) -> None:
        self._go(self.index + step)

    def action_first(self) -> None:
        self._go(0)

    def action_last(self) -> None:
        self._go(len(self._buckets.starts) - 1 if self._buckets else 0)

    def action_choose(self) -> None:
        if self._buckets and self.start is not None:
            self.post_message(self.Chosen(self._buckets.end(self.index)))

    def on_click(self, event: events.Click) -> None:
        self._go((event.x - AXIS) // self.cell)

    def _go(self, number: int) -> None:
        if self._buckets:
            self.index = min(max(number, 0), len(self._buckets.starts) - 1)

    def _ends(self, buckets: Buckets, width: int) -> Content:
        first, last = words.day(buckets.starts[0]), words.day(buckets.end(len(buckets.starts) - 1))
        gap = max(width - len(first) - len(last), 1)
        text = f"{first}{' ' * gap}{last}" if width >= 22 else first
        return Content.styled(" " * AXIS + text, "$foreground-muted")

    def _says(self, buckets: Buckets) -> Content:
        if not 0 <= self.index < len(buckets.counts):
            return Content("")
        start, count = buckets.starts[self.index], buckets.counts[self.index]
        day = words.day(start)
        if buckets.days > 1:
            day += f" to {words.day(buckets.end(self.index))}"
        return Content.assemble(
            " " * AXIS,
            ("▴ ", "$accent"),
            day,
            (f"  {words.plural(count, 'fact')} recorded", "$foreground-muted"),
        )


class Figure(Widget):
    """A drawing that is made anew for each width."""

    DEFAULT_CSS = """
    Figure { height: auto; width: 1fr; text-wrap: nowrap; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw: Callable[[int], Content] = lambda width: Content("")

    def show(self, draw: Callable[[int], Content]) -> None:
        """Draw this from now on: a width in cells to content."""
        self._draw = draw
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._draw(width).plain.count("\n") + 1

    def render(self) -> Content:
        return self._draw(self.content_size.width)
