"""The lines of an answer, reasoning taken out: each is shown, held back, or a directive."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from nosis.memory.types import Directive
from nosis.protocol.grammar import Kind, Opener, begin, indentation, is_marker_part
from nosis.protocol.reading import read
from nosis.protocol.visible import Visible

CUT_LINE = "The reply ended inside a memory line, so that line was not stored."
CUT_FENCE = "The reply ended inside a code block, so the memory lines in it were not stored."
REASONING = "Memory lines inside the model's reasoning were not stored."

_TICKS = re.compile(r"`+|[^`]+")
_CLOSING_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*")


class _Mode(Enum):
    """What the current line is."""

    HEAD = auto()  # not decided yet, held back
    TEXT = auto()  # shown as it comes
    DIRECTIVE = auto()  # held back, then gone
    MORE = auto()  # an indented continuation of the directive above
    FENCE = auto()  # the opening line of a code block, held back
    CLOSING = auto()  # perhaps the closing line of a held block


@dataclass(slots=True)
class _Fence:
    """An open code block; while it holds nothing but directives, ``held`` keeps its lines."""

    mark: str  # its opening run of backticks or tildes
    held: list[tuple[str, str]] | None  # (line, line end)
    openers: list[Opener] = field(default_factory=list)

    def is_closed_by(self, line: str) -> bool:
        match = _CLOSING_FENCE.fullmatch(line)
        return bool(match and match[1][0] == self.mark[0] and len(match[1]) >= len(self.mark))


class Lines:
    """Sorts lines as they come in pieces: ``add`` and ``end_line``, at last ``end_answer``.

    What a line is depends on its own beginning, the open code block and the directive above;
    it is decided at the first character that leaves no choice, whatever the pieces.
    """

    def __init__(self) -> None:
        self.visible = Visible()
        self.found: dict[Directive, None] = {}  # in order, each once
        self.refused: list[str] = []
        self._mode = _Mode.HEAD
        self._head = ""
        self._parts: list[str] = []  # of the current line, in the modes that need it at its end
        self._info = False  # FENCE: something follows the opening run
        self._current: Opener | None = None
        self._fence: _Fence | None = None
        self._code = 0  # length of the backtick run that inline code on this line began with
        self._ticks = 0  # length of the backtick run that the line ends with so far
        self._removed = False  # reasoning was taken out of this line
        self._trim = False

    @property
    def at_start(self) -> bool:
        """Whether the line holds nothing but white space so far."""
        return self._mode is _Mode.HEAD and not self._head.strip()

    def takes_tags(self) -> bool:
        """Whether a reasoning tag here is one: not in code, and not in a directive."""
        self._settle_ticks()
        return self._mode in (_Mode.HEAD, _Mode.TEXT) and not self._fence and not self._code

    def take_out(self, *, broken: bool) -> None:
        """Reasoning ends here; ``broken`` if it held a line end. Its place leaves no trace."""
        if self._mode is _Mode.TEXT and broken:
            self.end_line("\n")
        self._removed = True
        self._trim = self.at_start

    def discard(self, kept: int) -> None:
        """Drop all directives but the first ``kept``: they were reasoning."""
        if len(self.found) > kept:
            self.refused.append(REASONING)
        while len(self.found) > kept:
            self.found.popitem()

    def add(self, text: str) -> None:
        """More of the current line."""
        if self._trim:
            text = text.lstrip(" \t")
        if not text:
            return
        self._trim = False
        match self._mode:
            case _Mode.TEXT:
                self._count_ticks(text)
                self.visible.show(text)
                if self._fence:
                    self._parts.append(text)
            case _Mode.HEAD:
                self._count_ticks(text)
                self._head += text
                self._decide()
            case _Mode.FENCE:
                self._parts.append(text)
                self._check_info(text)
            case _Mode.CLOSING:
                self._parts.append(text)
                if text.strip().strip("`~"):
                    self._release("".join(self._parts))
            case _:
                self._parts.append(text)

    def _decide(self) -> None:
        if self._fence and self._fence.held is None:
            return self._be_text()
        kind, opener, rest = begin(self._head)
        if kind is Kind.DIRECTIVE and opener:
            self.finish()
            self._current, self._mode, self._parts = opener, _Mode.DIRECTIVE, [rest]
        elif kind is Kind.TEXT and self._continues():
            self._mode, self._parts = _Mode.MORE, [self._head]
        elif kind is Kind.FENCE and self._fence:
            self._mode, self._parts = _Mode.CLOSING, [self._head]
            if self._head.strip().strip("`~"):
                self._release(self._head)
        elif kind is Kind.FENCE:
            self.finish()
            self._mode, self._parts, self._info = _Mode.FENCE, [self._head], False
            self._check_info(self._head[self._head.find("`") :])
        elif kind is not Kind.MAYBE:
            self._be_text()
        return None

    def _be_text(self) -> None:
        if self._fence and self._fence.held is not None:
            return self._release(self._head)
        self.finish()
        self._mode = _Mode.TEXT
        self._parts = [self._head]
        self.visible.show(self._head)
        return None

    def _continues(self) -> bool:
        """Whether the line goes on with the directive above: indented more, or the closing
        brace of its JSON object."""
        if not self._current:
            return False
        line = self._head.lstrip()
        closes = line.startswith("}") and self._current.lines[0].lstrip(" *_").startswith("{")
        return closes or indentation(self._head) > self._current.indent

    def _check_info(self, text: str) -> None:
        """A run of backticks that others follow on its line is inline code, not a fence."""
        if "~" in self._parts[0].partition("`")[0]:
            return
        if not self._info:
            text = text.lstrip("`")
        self._info = self._info or bool(text)
        if "`" in text:
            line = "".join(self._parts)
            self._mode, self._code, self._ticks = _Mode.TEXT, 0, 0
            self._count_ticks(line)
            self.visible.show(line)

    def _count_ticks(self, text: str) -> None:
        if self._ticks or "`" in text:
            for run in _TICKS.findall(text):
                if run[0] == "`":
                    self._ticks += len(run)
                else:
                    self._settle_ticks()

    def _settle_ticks(self) -> None:
        if self._ticks:
            self._code = 0 if self._code == self._ticks else self._code or self._ticks
            self._ticks = 0

    def end_line(self, end: str) -> None:
        if self._mode is _Mode.HEAD:
            self._end_head(end)
        line = "".join(self._parts)
        match self._mode:
            case _Mode.HEAD:
                pass
            case _Mode.TEXT:
                self.visible.end_line(end)
                if self._fence and self._fence.is_closed_by(line):
                    self._fence = None
            case _Mode.DIRECTIVE | _Mode.MORE:
                self._end_directive(line, end)
            case _Mode.FENCE:
                mark = re.search("`+|~+", line)
                self._fence = _Fence(mark[0] if mark else "```", [(line, end)])
            case _Mode.CLOSING:
                self._end_fence(line, end)
        self._mode, self._head, self._parts = _Mode.HEAD, "", []
        self._code = self._ticks = 0
        self._removed = self._trim = False

    def _end_head(self, end: str) -> None:
        """The line ended before it was decided: it is blank, or text after all."""
        if self._head.strip():
            if self._continues():
                self._mode, self._parts = _Mode.MORE, [self._head]
            else:
                self._be_text()
            return
        self.finish()
        if self._fence and self._fence.held is not None:
            self._fence.held.append((self._head, end))
        elif self._removed:
            self.visible.hole(end)
        else:
            self.visible.end_line(end, blank=self._head)

    def _end_directive(self, line: str, end: str) -> None:
        assert self._current is not None
        self._current.lines.append(line)
        if self._fence and self._fence.held is not None:
            source = self._current.source if self._mode is _Mode.DIRECTIVE else ""
            self._fence.held.append((source + line, end))
        else:
            self.visible.hole(end)

    def _end_fence(self, line: str, end: str) -> None:
        assert self._fence is not None
        self.finish()
        if not self._fence.is_closed_by(line):
            self._release(line)
            self.visible.end_line(end)
        elif self._fence.openers:
            self._commit(end)
        else:
            self._release(line)
            self.visible.end_line(end)
            self._fence = None

    def _commit(self, end: str) -> None:
        """The held code block held nothing but directives: they count."""
        assert self._fence is not None
        openers, self._fence = self._fence.openers, None
        for opener in openers:
            self._read(opener)
        self.visible.hole(end)

    def _release(self, line: str) -> None:
        """The held code block holds other things than directives: all of it is text."""
        assert self._fence is not None and self._fence.held is not None
        for held, end in self._fence.held:
            blank = not held.strip()
            self.visible.show("" if blank else held)
            self.visible.end_line(end, blank=held if blank else "")
        self._fence.held, self._fence.openers, self._current = None, [], None
        self._mode, self._parts = _Mode.TEXT, [line]
        self.visible.show(line)

    def finish(self) -> None:
        """No line continues the current directive any more."""
        opener, self._current = self._current, None
        if opener and self._fence and self._fence.held is not None:
            self._fence.openers.append(opener)
        elif opener:
            self._read(opener)

    def _read(self, opener: Opener) -> None:
        found, refused = read(opener)
        self.found.update(dict.fromkeys(found))
        self.refused += refused

    def end_answer(self, complete: bool, *, reasoning: bool) -> None:
        """The answer is over, ``reasoning`` if within a reasoning block; a cut one may end in
        half a directive, which is dropped."""
        if reasoning:
            if self._current:
                self.refused.append(CUT_LINE)
            return
        if not complete and self._is_cut():
            return
        if self._mode is _Mode.FENCE:
            self.visible.show("".join(self._parts))
        elif not self.at_start:
            self.end_line("")
        self.finish()
        if self._fence and self._fence.held is not None:  # never closed
            if self._fence.openers:
                self._commit("")
            else:
                self._release("")

    def _is_cut(self) -> bool:
        """Whether the answer ends in what is, or may be, half a directive."""
        fence = self._fence if self._fence and self._fence.held is not None else None
        if fence and (self._current or fence.openers):
            if self._mode is _Mode.CLOSING and fence.is_closed_by("".join(self._parts)):
                return False
            self.refused.append(CUT_FENCE)
            return True
        undecided = self._mode is _Mode.HEAD and self._head.strip() != ""
        continues = self._mode is _Mode.MORE or (undecided and self._continues())
        if continues or self._mode is _Mode.DIRECTIVE or (undecided and is_marker_part(self._head)):
            if not continues and self._mode is _Mode.HEAD:
                self.finish()  # the directive above is whole
            self.refused.append(CUT_LINE)
            return True
        return False
