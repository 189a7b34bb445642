"""Widgets far off screen leave the layout and keep their height.

Textual lays out every widget of the screen with every change, the invisible ones too, so a
long conversation would make each keystroke and each streamed word slower. A folded widget
stands for all its children; its height is known, so nothing moves when it unfolds.
"""

from __future__ import annotations

from typing import Any

from textual.containers import Vertical
from textual.geometry import Size, Spacing
from textual.layout import DockArrangeResult
from textual.widget import Widget, _RenderCache

_NOTHING_PAINTED = _RenderCache(Size(), [])


class Foldable(Widget):
    """A container that can leave its children out of the layout."""

    def __init__(self, *children: Widget, **options: Any) -> None:
        super().__init__(*children, **options)
        self.folded = False
        self._heights: dict[int, int] = {}  # of the content, by width

    def fold(self, folded: bool) -> bool:
        """Fold or unfold; whether that needs a new layout."""
        if folded == self.folded:
            return False
        self.folded = folded
        super()._clear_arrangement_cache()
        if folded:
            for widget in (self, *self.walk_children(Widget)):
                forget_painted(widget)
                widget._box_model_cache.clear()
        return not folded

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:
        if self.folded:
            return DockArrangeResult([], set(), Spacing())
        return super().arrange(size, optimal)

    @property
    def _has_relative_children_height(self) -> bool:
        """Never: a message is as tall as its words. Textual would ask every block inside."""
        return False

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        if (known := self._heights.get(width)) is not None:
            return known
        folded, self.folded = self.folded, False
        if folded:
            super()._clear_arrangement_cache()
        height = super().get_content_height(container, viewport, width)
        if folded:
            self.folded = True
            super()._clear_arrangement_cache()
        self._heights[width] = height
        return height

    def _clear_arrangement_cache(self) -> None:
        """Textual calls this when something inside asks for a new layout."""
        self._heights.clear()
        super()._clear_arrangement_cache()


class Chapter(Vertical, Foldable):
    """A few segments of a long answer. Far off screen they are one widget for the layout, whose
    cost would grow with the answer otherwise."""

    DEFAULT_CSS = "Chapter { height: auto; }"

    def fold_inside(self, first: float, last: float, keep: Widget | None) -> bool:
        """Fold the segments outside these lines of the chapter, but for one; whether a new
        layout is needed."""
        unfolded = False
        for segment in self.children:
            region = segment.virtual_region
            if isinstance(segment, Foldable) and segment is not keep and region.height:
                far = region.y > last or region.bottom < first
                if far and not segment.folded:
                    forget_painted(self)  # it kept the lines between and beside the segments
                unfolded |= segment.fold(far)
        return unfolded


def forget_painted(widget: Widget) -> None:
    """Free the lines that a widget has painted, by far the most of its memory; it paints them
    again when they are wanted."""
    widget._styles_cache.clear()
    widget._render_cache = _NOTHING_PAINTED
    widget._dirty_regions.add(widget.outer_size.region)
