"""A long streamed Markdown text, cut into segments that are each cheap to draw.

A Markdown widget parses its last block again with every piece, and lays out all its blocks
with every change. So the text goes to a new widget whenever the current one is long enough
and a line ends where a cut does not show: between blocks, or inside a code fence or table,
which is closed here and opened again there.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SOFT_LIMIT = 1_500  # characters: the next blank line between blocks ends the segment
HARD_LIMIT = 4_000  # characters: the next line end does; twice as many, the next space
FENCE_LIMIT = 2_500  # characters: code costs more, since it is highlighted

_FENCE = re.compile(r"\s*(`{3,}|~{3,})[ \t]*([^\n`]*)$")
_CONTINUES = re.compile(r"(?:[ \t]|[-*+] |\d{1,9}[.)] |[>|])")  # lists, quotes, tables
_TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$")


class Piece(NamedTuple):
    """Where a piece of text goes."""

    text: str
    new: bool = False  # begins a segment
    joined: bool = False  # ...in the middle of a code fence or table


class Segmenter:
    """Takes the pieces of a text as they stream in and says where each goes."""

    def __init__(self) -> None:
        self._line = ""  # the unfinished last line
        self._last = ""  # the line before it
        self._size = 0  # characters in the current segment
        self._fence = ""  # the opening line of the fence that is open
        self._table = ""  # head and rule of the table that is open
        self._may_cut = False

    def feed(self, text: str) -> list[Piece]:
        """Where the pieces of this text go, in order; at most one piece a segment."""
        placed: list[Piece] = []
        for part in text.splitlines(keepends=True):
            for piece in self._place(part):
                if placed and not piece.new:
                    placed[-1] = placed[-1]._replace(text=placed[-1].text + piece.text)
                elif piece.new or piece.text:
                    placed.append(piece)
        return placed

    def _place(self, part: str) -> list[Piece]:
        placed: list[Piece] = []
        if self._may_cut and self._cuts_before(part):
            if self._fence:
                placed = [Piece(_marks(self._fence) + "\n"), self._begin(self._fence)]
            elif self._table and part.lstrip().startswith("|"):
                placed = [self._begin(self._table)]
            else:
                placed = [Piece("", new=True)]
            self._size, self._may_cut = 0, False
        placed.append(Piece(part))
        self._line += part
        self._size += len(part)
        if part.endswith("\n"):
            self._end_line(self._line[:-1])
            self._line = ""
        elif self._size >= 2 * HARD_LIMIT and part.endswith(" ") and not self._fence:
            self._may_cut = True
        return placed

    @staticmethod
    def _begin(opening: str) -> Piece:
        return Piece(opening + "\n", new=True, joined=True)

    def _cuts_before(self, part: str) -> bool:
        if self._fence:
            return part.lstrip()[:1] not in ("", "`", "~")  # not before its own end
        return self._size >= HARD_LIMIT or not (_CONTINUES.match(part) or not part.strip())

    def _end_line(self, line: str) -> None:
        match = _FENCE.match(line)
        if self._fence:
            if match and not match[2].strip() and match[1].startswith(_marks(self._fence)):
                self._fence = ""
        elif match:
            self._fence = line.strip()
        elif _TABLE_RULE.match(line) and "|" in self._last:
            self._table = f"{self._last}\n{line}"
        elif not line.lstrip().startswith("|"):
            self._table = ""
        self._last = line
        limit = FENCE_LIMIT if self._fence else HARD_LIMIT if line.strip() else SOFT_LIMIT
        self._may_cut = self._size >= limit


def _marks(fence: str) -> str:
    match = re.match(r"`+|~+", fence)
    return match.group() if match else ""
