"""The tests tab: questions that must find a fact, with pass or fail and the rank."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from nosis.memory.operations.recall_tests import WITHIN, RecallResult
from nosis.tui.memory import words
from nosis.tui.memory.detail import DetailScreen
from nosis.tui.memory.pane import Pane
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.work import read

if TYPE_CHECKING:
    from nosis.memory import Memory

_EMPTY = (
    "No recall tests yet. A test is a question that must find a fact: go to a fact and press t. "
    "Run them after a curation or with another embedding model, to see that nothing got lost."
)


class ChecksPane(Pane):
    """All recall tests, run when the tab is opened and by ``r``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "run", "run", id="memory.tests.run"),
        Binding("f,delete", "remove", "remove", id="memory.tests.remove"),
    ]
    DEFAULT_CSS = """
    ChecksPane #checks-head { height: 1; padding: 0 3; margin-bottom: 1; }
    """

    class Loaded(Message):
        """The results, failures first."""

        def __init__(self, results: tuple[RecallResult, ...]) -> None:
            super().__init__()
            self.results = results

    class Altered(Message):
        """The tests are others now."""

    def __init__(self, memory: Memory, *, id: str = "tests") -> None:
        super().__init__(memory, id=id)

    def compose(self) -> ComposeResult:
        yield Static(id="checks-head", markup=False)
        yield Rows(_result_line, id="checks-list")

    def enter(self) -> None:
        self.query_one(Rows).focus()

    def reload(self) -> None:
        memory = self.memory
        read(self, "tests", lambda: self.Loaded(memory.recall_tests.run_all()))

    def on_checks_pane_loaded(self, event: Loaded) -> None:
        event.stop()
        results = sorted(event.results, key=lambda result: result.passed)
        failed = sum(not result.passed for result in results)
        head = Content("")
        if results:
            head = Content.assemble(
                (f"{len(results) - failed} passed", "$text-success"),
                (" · ", "$foreground-muted"),
                (f"{failed} failed", "$text-error" if failed else "$foreground-muted"),
                (f"   a fact passes among the first {WITHIN}", "$foreground-muted"),
            )
        self.query_one("#checks-head", Static).update(head)
        self.query_one(Rows).show(results, empty=_EMPTY)

    @on(Rows.Moved, "#checks-list")
    def _moved(self) -> None:
        self.refresh_bindings()

    @on(Rows.Chosen, "#checks-list")
    def _chosen(self, event: Rows.Chosen) -> None:
        result: RecallResult | None = event.rows.item
        if result and result.fact:
            self.app.push_screen(DetailScreen(self.memory, result.fact))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("run", "remove"):
            return self.is_mounted and self.query_one(Rows).item is not None
        return super().check_action(action, parameters)

    def action_run(self) -> None:
        self.reload()

    def action_remove(self) -> None:
        result: RecallResult | None = self.query_one(Rows).item
        if result:
            self._after(partial(self.memory.recall_tests.remove, result.test.id))

    def on_checks_pane_altered(self, event: Altered) -> None:
        event.stop()
        self.reload()

    def _after(self, call: Callable[[], object]) -> None:
        def run() -> Message:
            call()
            return self.Altered()

        read(self, "tests-change", run)


def _result_line(result: RecallResult, width: int) -> Content:
    mark = ("✓", "$text-success") if result.passed else ("✗", "$text-error")
    rank = f"#{result.rank}" if result.rank else "–" if not result.passed else "✻"
    fact = words.line(result.fact.text) if result.fact else "(gone)"
    if result.reason and not result.passed:
        fact = f"{result.reason}: {fact}"
    room = max(width - 10, 8)
    half = room if width < 60 else room // 2 - 1
    question = Content(words.line(result.test.question)).truncate(half, ellipsis=True, pad=True)
    parts: list[object] = [" ", mark, " ", (rank.rjust(3), "$foreground-muted"), "  ", question]
    if width >= 60:
        found = Content.styled(fact, "$foreground-muted").truncate(room - half - 2, ellipsis=True)
        parts += ["  ", found]
    return Content.assemble(*parts)  # type: ignore[arg-type]
