"""Markdown of models: streamed, and unable to act on the app."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from textual.content import Content
from textual.widgets import Markdown, Static
from textual.widgets._markdown import MarkdownTable, MarkdownTableContent

from nosis.tui.folding import Foldable

LINK_SCHEMES = ("http", "https", "mailto")


def _keep_line_breaks(state: StateCore) -> None:
    """A single line end in a chat is meant: verses, addresses, plain lists."""
    for token in state.tokens:
        for child in token.children or ():
            if child.type == "softbreak":
                child.type = "hardbreak"


def parser() -> MarkdownIt:
    """GitHub's dialect; HTML is shown as text, since no browser reads it."""
    made = MarkdownIt("gfm-like", {"html": False})
    made.core.ruler.push("keep_line_breaks", _keep_line_breaks)
    return made


class _TableContent(MarkdownTableContent):
    """A table without tooltips: those would take the cells' text for markup."""

    def compose(self) -> Any:
        for cell in super().compose():
            cell.tooltip = None
            yield cell

    async def _update_rows(self, updated_rows: list[list[Content]]) -> None:
        await super()._update_rows(updated_rows)
        for cell in self.query(Static):
            cell.tooltip = None


class _Table(MarkdownTable):
    def compose(self) -> Any:
        self._headers, self._rows = self._get_headers_and_rows()
        yield _TableContent(self._headers, self._rows)


class ModelMarkdown(Markdown, Foldable):
    """A piece of an answer."""

    BLOCKS = {**Markdown.BLOCKS, "table_open": _Table}  # noqa: RUF012

    def __init__(self, text: str = "", *, classes: str | None = None) -> None:
        super().__init__(text, parser_factory=parser, open_links=False, classes=classes)

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Open web and mail addresses only; the words of a model reach no other handler."""
        event.stop()
        event.prevent_default()
        if urlsplit(event.href).scheme.lower() in LINK_SCHEMES:
            self.app.open_url(event.href)
        else:
            self.notify("Only web and mail links are opened.", markup=False)
