"""The timeline tab: memories per day, growth and categories, drawn with block characters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from nosis.memory.types import Category, Filter, Kind, Status
from nosis.tui.memory import drawing, words
from nosis.tui.memory.detail import PageScreen
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.plot import AXIS, DayPlot, Figure
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from nosis.memory import Memory

DAY = 86_400
SPANS = ((30, "30 days"), (90, "90 days"), (365, "a year"), (0, "all"))
_EVER = (Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN, Status.PENDING)


@dataclass(frozen=True, slots=True)
class Buckets:
    """Facts recorded in equal spans of whole days (UTC).

    ``starts`` are POSIX seconds, oldest first; ``before`` facts are older than all of them.
    """

    starts: list[float]
    days: int  # in each
    counts: list[int]
    before: int

    def growth(self) -> list[int]:
        """Facts recorded up to the end of each span."""
        total, sums = self.before, []
        for count in self.counts:
            total += count
            sums.append(total)
        return sums

    def end(self, number: int) -> float:
        """The last moment of a span."""
        return self.starts[number] + self.days * DAY - 1


@dataclass(frozen=True, slots=True)
class Timeline:
    """What the tab draws."""

    buckets: Buckets
    live: int
    ever: int
    categories: list[tuple[str, int]]  # most facts first


def read_timeline(memory: Memory, span: int, width: int) -> Timeline:
    """Count facts per day over the last ``span`` days (0: since the first), in ``width`` bars."""
    store, facts = memory.store, (Kind.FACT,)
    today = memory.clock() // DAY * DAY
    first = store.find(Filter(facts, _EVER), 1, by="oldest")
    oldest = min(first[0].created_at // DAY * DAY, today) if first else today
    wanted = span or max(int((today - oldest) // DAY) + 1, 7)
    days = -(-wanted // max(width, 1))
    number = -(-wanted // days)
    starts = [today - (number - 1 - n) * days * DAY - (days - 1) * DAY for n in range(number)]
    counts = [
        store.count(Filter(facts, _EVER, since=start, until=start + days * DAY - 0.001))
        for start in starts
    ]
    before = store.count(Filter(facts, _EVER, until=starts[0] - 0.001))
    names = {category.value: store.count(Filter(facts, category=category)) for category in Category}
    live = store.count(Filter(facts))
    names["general"] = live - sum(names.values())
    ranked = sorted(((n, c) for n, c in names.items() if c), key=lambda pair: -pair[1])
    return Timeline(
        Buckets(starts, days, counts, before), live, store.count(Filter(facts, _EVER)), ranked
    )


class TimelinePane(Pane):
    """Left and right walk over the days; ``enter`` shows what memory knew on that day."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "zoom", "span", id="memory.timeline.span"),
        Binding("l", "log", "day's log", id="memory.timeline.log"),
    ]
    READ_ONLY_ACTIONS = frozenset({"zoom", "log"})
    DEFAULT_CSS = """
    TimelinePane {
        VerticalScroll { padding: 0 3; scrollbar-size-vertical: 1; }
        Static { height: auto; }
        #timeline-more, .timeline-half { height: auto; }
        .timeline-half { width: 1fr; padding-right: 3; }
        .timeline-title { color: $text-muted; margin-top: 1; text-wrap: nowrap;
                          text-overflow: ellipsis; }
        #timeline-head { margin-top: 0; }
    }
    """

    class Loaded(Message):
        """The counts of the span that is shown."""

        def __init__(self, timeline: Timeline) -> None:
            super().__init__()
            self.timeline = timeline

    class Travel(Message):
        """The person wants to see what memory knew at this moment."""

        def __init__(self, when: float) -> None:
            super().__init__()
            self.when = when

    class LogLoaded(Message):
        """A day's log."""

        def __init__(self, day: str, text: str) -> None:
            super().__init__()
            self.day, self.text = day, text

    def __init__(self, memory: Memory, *, id: str = "timeline") -> None:
        super().__init__(memory, id=id)
        self._span = 0

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="timeline-scroll", can_focus=False):
            yield Static(id="timeline-head", classes="timeline-title", markup=False)
            yield DayPlot(id="timeline-days")
            with Container(id="timeline-more"):
                with Vertical(classes="timeline-half"):
                    yield Static("growth", classes="timeline-title", markup=False)
                    yield Figure(id="timeline-growth")
                with Vertical(classes="timeline-half"):
                    title = "categories of live facts"
                    yield Static(title, classes="timeline-title", markup=False)
                    yield Figure(id="timeline-categories")

    def enter(self) -> None:
        self.query_one(DayPlot).focus()

    def reload(self) -> None:
        span, memory = SPANS[self._span][0], self.memory
        width = self.query_one(DayPlot).bars
        if width > 0:
            read(self, "timeline", lambda: self.Loaded(read_timeline(memory, span, width)))

    def on_timeline_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        timeline = event.timeline
        plot = self.query_one(DayPlot)
        plot.show(timeline.buckets)
        each = timeline.buckets.days
        self.query_one("#timeline-head", Static).update(
            Content.assemble(
                (
                    "facts recorded per " + ("day" if each == 1 else f"{each} days"),
                    "$foreground-muted",
                ),
                f"  {SPANS[self._span][1]}",
                ("  z changes the span", "$foreground-muted"),
            )
        )
        for name, draw in (("growth", _growth), ("categories", _categories)):
            self.query_one(f"#timeline-{name}", Figure).show(partial(draw, timeline))

    def on_resize(self) -> None:
        self.reload()

    def on_timeline_pane_log_loaded(self, event: LogLoaded) -> None:
        event.stop()
        nothing = "Nothing happened on this day."
        self.app.push_screen(PageScreen(f"log of {event.day}", event.text or nothing))

    @on(DayPlot.Chosen)
    def _chosen(self, event: DayPlot.Chosen) -> None:
        event.stop()
        self.post_message(self.Travel(event.when))

    def action_zoom(self) -> None:
        self._span = (self._span + 1) % len(SPANS)
        self.reload()

    def action_log(self) -> None:
        memory, when = self.memory, self.query_one(DayPlot).start
        if when is not None:
            day = words.day(when)
            read(self, "log", lambda: self.LogLoaded(day, memory.read_memory(day)))


def _growth(timeline: Timeline, width: int) -> Content:
    growth = timeline.buckets.growth()
    room = max(width - AXIS, 4)
    shown = [growth[n * len(growth) // room] for n in range(room)]
    rows = drawing.columns(shown, 4, "$secondary")
    top = f"{max(growth):,}"
    lines = [
        Content.assemble(((top if n == 0 else "").rjust(AXIS - 2) + " │", "$foreground-muted"), row)
        for n, row in enumerate(rows)
    ]
    lines.append(Content.styled(" " * (AXIS - 3) + "0 └" + "─" * room, "$foreground-muted"))
    lines.append(
        Content.assemble(
            " " * AXIS,
            f"{timeline.live:,}",
            (" live of ", "$foreground-muted"),
            f"{timeline.ever:,}",
            (" ever recorded", "$foreground-muted"),
        )
    )
    return Content("\n").join(lines)


def _categories(timeline: Timeline, width: int) -> Content:
    most = max((count for _, count in timeline.categories), default=1)
    room = min(max(width - 22, 6), 32)
    if not timeline.categories:
        return Content.styled("no facts yet", "$foreground-muted")
    return Content("\n").join(
        Content.assemble(
            (name.ljust(12), "$foreground-muted"),
            drawing.bar(count / most, room),
            f" {count:>7,}",
        )
        for name, count in timeline.categories
    )
