"""Names and what they stand for, in two aligned columns that give way on narrow screens."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

GAP = 2
LEAST = 20  # cells of the right column; with fewer it goes below the left one


class Pairs(Widget):
    """A title and rows of (name, meaning). The texts are nosis's own, without wide characters.

    Args:
        left: cells of the left column; 0 fits it to the names.
    """

    def __init__(self, title: str, rows: Sequence[tuple[str, str]], *, left: int = 0) -> None:
        super().__init__(classes="pairs")
        self._title = title
        self._rows = rows
        self._left = left or max(len(name) for name, _ in rows)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        lines = [Content.styled(self._title, "bold")] if self._title else []
        left = self._left + GAP
        beside = width - left >= LEAST
        indent = left if beside else GAP
        for name, meaning in self._rows:
            names = wrap(name, left - GAP if beside else max(width, 8)) or [""]
            texts = wrap(meaning, max(width - indent, 8)) or [""]
            if not beside:
                lines += [Content.styled(part, "$text-primary") for part in names]
                names = []
            for number in range(max(len(names), len(texts))):
                first = names[number] if number < len(names) else ""
                second = texts[number] if number < len(texts) else ""
                lines.append(
                    Content.assemble(
                        (first.ljust(indent), "$text-primary"), (second, "$foreground-muted")
                    )
                )
        return lines
