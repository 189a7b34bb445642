"""The two quiet lines at the edges: where we are above, what it costs below."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from nosis.tui.text import one_line


def tokens(count: int) -> str:
    """A token count in four characters or fewer: 950, 1.2k, 131k, 1.5M."""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            number = count / size
            return (
                f"{number:.1f}{unit}"
                if number < 10 and number % 1 >= 0.05
                else f"{number:.0f}{unit}"
            )
    return str(count)


def dollars(cost: float) -> str:
    """A cost with as many digits as tell something."""
    return f"${cost:.2f}" if cost >= 0.1 or cost == 0 else f"${cost:.4f}"


@dataclass(frozen=True, slots=True)
class State:
    """What the footer tells. Empty or None: not known yet."""

    workspace: str = ""
    model: str = ""
    context: int | None = None  # tokens of the last request
    window: int | None = None
    spent: str = ""  # cost, or tokens where no price is known
    session: str = ""
    busy: str = ""


class Status(Widget):
    """The footer. What matters least goes first when the terminal is narrow."""

    state: reactive[State] = reactive(State())

    def change(self, **fields: object) -> None:
        """Replace some fields of the state."""
        self.state = replace(self.state, **fields)  # type: ignore[arg-type]

    def render(self) -> Content:
        state, width = self.state, self.size.width - 2
        context = ""
        if state.context is not None and state.window:
            context = f"{tokens(state.context)}/{tokens(state.window)}"
        left = [one_line(state.workspace, 24), one_line(state.model, 32)]
        right = [context and f"context {context}", state.spent, one_line(state.session, 32)]
        # From complete to bare: the first that fits is shown.
        variants = [
            (left, right),
            (left, right[:2]),
            (left, [context, state.spent]),
            (left[1:], [context, state.spent]),
            ([one_line(state.model, 16)], [context]),
            ([], [context or state.spent]),
        ]
        for left, right in variants:
            start = " · ".join(part for part in left if part)
            end = " · ".join(part for part in right if part)
            first = Content(start)
            last = Content(end)
            gap = width - first.cell_length - last.cell_length
            if gap >= 2:
                break
        return Content.assemble(" ", first, " " * max(gap, 1), last)


class Header(Widget):
    """The name, the session's title, and where help is."""

    title: reactive[str] = reactive("")
    HINT = "f1 help   ctrl+p commands"

    def render(self) -> Content:
        width = self.size.width - 2
        name = Content.styled("nosis", "bold $text-primary")
        hint = self.HINT if width >= 60 else "f1 help" if width >= 30 else ""
        room = width - name.cell_length - len(hint) - 6
        title = one_line(self.title, max(room, 0)) if room > 8 else ""
        middle = Content(f"   {title}" if title else "")
        gap = width - name.cell_length - middle.cell_length - len(hint)
        return Content.assemble(
            " ", name, middle, " " * max(gap, 1), (hint, "$foreground-disabled")
        )
