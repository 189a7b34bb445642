"""The streaming splitter: an answer in, its visible text and its directives out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, auto

from nosis.memory.text import LINE_END, storable
from nosis.memory.types import Directive
from nosis.protocol.grammar import Kind, Opener, begin, indentation, is_marker_part
from nosis.protocol.reading import read
from nosis.protocol.visible import Visible

CUT_LINE = "The reply ended inside a memory line, so that line was not stored."
CUT_FENCE = "The reply ended inside a code block, so the memory lines in it were not stored."
REASONING = "Memory lines inside the model's reasoning were not stored."

_TAG_NAMES = ("think", "thinking", "thought", "reasoning")
_NAMES = "|".join(_TAG_NAMES)
_NAME_PARTS = "|".join(sorted({name[:n] for name in _TAG_NAMES for n in range(1, len(name) + 1)}))
_ATTRIBUTES = r"(?:[ \t][^<>/\n\r\v\f\x85\u2028\u2029]{0,60})?"
_OPEN_TAG = re.compile(rf"<[ \t]{{0,4}}(?:{_NAMES}){_ATTRIBUTES}>", re.IGNORECASE)
_CLOSE_TAG = re.compile(rf"<[ \t]{{0,4}}/[ \t]{{0,4}}(?:{_NAMES})[ \t]{{0,4}}>", re.IGNORECASE)
_TAG_PART = re.compile(
    rf"<[ \t]{{0,4}}(?:(?:/[ \t]{{0,4}})?(?:{_NAME_PARTS})?|(?:{_NAMES}){_ATTRIBUTES}"
    rf"|/[ \t]{{0,4}}(?:{_NAMES})[ \t]{{0,4}})\Z",
    re.IGNORECASE,
)
_STRAY_END = re.compile(rf"[ \t]{{0,8}}(?:{LINE_END}|\Z)")
_STRAY_PART = re.compile(r"[ \t]{0,8}\Z")
_STOP = re.compile(rf"<(?=[ \t/]{{0,9}}(?:[tr]|\Z))|{LINE_END}", re.IGNORECASE)
_TICKS = re.compile(r"`+|[^`]+")
_CLOSING_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*")
_TAIL = 80  # characters; no tag is longer


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


_OPEN_MODES = (_Mode.HEAD, _Mode.TEXT)


class Splitter:
    """Splits one answer as it streams in: ``feed`` every chunk, then ``close`` once.

    ``feed`` and ``close`` return the visible text that is safe to show; together it is
    ``visible``, the same for every chunking. Time is linear in the length of the answer,
    and memory too. ``directives`` and ``refused`` are complete after ``close``.
    """

    def __init__(self) -> None:
        self._visible = Visible()
        self._found: dict[Directive, None] = {}
        self._refused: list[str] = []
        self._carry = ""  # the end of the input so far, if its meaning depends on what follows
        self._mode = _Mode.HEAD
        self._head = ""
        self._parts: list[str] = []  # of the current line, in the modes that hold it back
        self._info = False  # FENCE: something follows the opening run
        self._current: Opener | None = None
        self._fence: _Fence | None = None
        self._code = 0  # length of the backtick run that inline code on this line began with
        self._ticks = 0  # length of the backtick run that the line ends with so far
        self._reasoning: list[str] | None = None
        self._inline = False  # the reasoning began in the middle of a line of text
        self._tags = True
        self._removed = False  # reasoning was taken out of this line
        self._trim = False
        self._safe = 0  # directives found before the last reasoning block ended

    @property
    def visible(self) -> str:
        """The answer without directives and reasoning, as far as it was shown."""
        return self._visible.text

    @property
    def directives(self) -> tuple[Directive, ...]:
        """In order, each once."""
        return tuple(self._found)

    @property
    def refused(self) -> tuple[str, ...]:
        """A message for each directive line that was understood but not accepted."""
        return tuple(self._refused)

    def feed(self, chunk: str) -> str:
        """Take the next piece of the answer; return the text that may be shown now."""
        data = self._carry + chunk
        self._carry = ""
        if data and "\ud800" <= data[-1] <= "\udbff":  # its second half may come
            data, self._carry = data[:-1], data[-1]
        self._consume(storable(data), final=False)
        return self._visible.take()

    def close(self, complete: bool = True) -> str:
        """The answer is over; return the rest of the visible text.

        ``complete`` is False for a cut reply (length limit, dropped, cancelled): only
        directive lines that a line end terminated count then.
        """
        carry, self._carry = storable(self._carry), ""
        if complete or not _TAG_PART.fullmatch(carry) or len(carry) == 1:
            self._consume(carry, final=True)
        found = None
        if self._reasoning is not None and self._inline and complete:
            found = len(self._found)  # a tag that was only mentioned: show what follows it
            text, self._reasoning, self._tags = "".join(self._reasoning), None, False
            self._consume(text, final=True)
        if self._reasoning is None:
            self._end_answer(complete)
        elif self._current:
            self._refused.append(CUT_LINE)
        if found is not None and len(self._found) > found:
            self._discard(found)
        return self._visible.take()

    def _consume(self, data: str, *, final: bool) -> None:
        position = 0
        while position < len(data):
            if self._reasoning is not None:
                position = self._reason(data, position, final)
                continue
            stop = _STOP.search(data, position)
            until = stop.start() if stop else len(data)
            self._add(data[position:until])
            position = until
            if stop and stop[0] == "<":
                position = self._tag(data, position, final)
            elif stop and stop[0] == "\r" and stop.end() == len(data) and not final:
                self._carry = "\r" + self._carry
                return
            elif stop:
                self._end_line(stop[0])
                position = stop.end()

    def _reason(self, data: str, position: int, final: bool) -> int:
        """Inside reasoning: skip to its end, or to what may be the beginning of its end."""
        assert self._reasoning is not None
        if close := _CLOSE_TAG.search(data, position):
            self._reasoning.append(data[position : close.start()])
            broken = re.search(LINE_END, "".join(self._reasoning)) is not None
            self._reasoning = None
            self._safe = len(self._found)
            self._removed = True
            if self._mode is _Mode.TEXT and broken:
                self._end_line("\n")
            self._trim = self._mode is _Mode.HEAD and not self._head.strip()
            return close.end()
        until = len(data)
        if not final and (part := _TAG_PART.search(data, max(position, until - _TAIL))):
            until = part.start()
            self._carry = data[until:] + self._carry
        self._reasoning.append(data[position:until])
        return len(data)

    def _tag(self, data: str, position: int, final: bool) -> int:
        """At a ``<``: begin reasoning, drop a lone closing tag, or take it as text."""
        self._settle_ticks()
        if self._tags and not self._fence and not self._code and self._mode in _OPEN_MODES:
            at_start = self._mode is _Mode.HEAD and not self._head.strip()
            if match := _OPEN_TAG.match(data, position):
                self._inline = not at_start
                self._reasoning = [match[0]]
                if at_start:
                    self._finish()
                return match.end()
            close = _CLOSE_TAG.match(data, position)
            if close and at_start:
                return self._stray(close.end(), at_start)
            part = (
                _STRAY_PART.match(data, close.end()) if close else _TAG_PART.match(data, position)
            )
            if part and not final:
                self._carry = data[position:] + self._carry
                return len(data)
            if close and _STRAY_END.match(data, close.end()):
                return self._stray(close.end(), at_start)
        self._add("<")
        return position + 1

    def _stray(self, end: int, at_start: bool) -> int:
        """A closing tag alone: some servers leave out the opening one, so that everything
        before it was reasoning. It has been shown, but writes nothing."""
        self._finish()
        self._discard(self._safe)
        self._removed, self._trim = True, at_start
        return end

    def _discard(self, kept: int) -> None:
        if len(self._found) > kept:
            self._found = dict.fromkeys(list(self._found)[:kept])
            self._refused.append(REASONING)

    def _add(self, text: str) -> None:
        """More of the current line."""
        if self._trim:
            text = text.lstrip(" \t")
        if not text:
            return
        self._trim = False
        match self._mode:
            case _Mode.TEXT:
                self._count_ticks(text)
                self._visible.show(text)
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
            self._finish()
            self._current, self._mode, self._parts = opener, _Mode.DIRECTIVE, [rest]
        elif kind is Kind.TEXT and self._continues():
            self._mode, self._parts = _Mode.MORE, [self._head]
        elif kind is Kind.FENCE and self._fence:
            self._mode, self._parts = _Mode.CLOSING, [self._head]
            if self._head.strip().strip("`~"):
                self._release(self._head)
        elif kind is Kind.FENCE:
            self._finish()
            self._mode, self._parts, self._info = _Mode.FENCE, [self._head], False
            self._check_info(self._head[self._head.find("`") :])
        elif kind is not Kind.MAYBE:
            self._be_text()
        return None

    def _be_text(self) -> None:
        if self._fence and self._fence.held is not None:
            return self._release(self._head)
        self._finish()
        self._mode = _Mode.TEXT
        self._parts = [self._head]
        self._visible.show(self._head)
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
            self._mode = _Mode.TEXT
            self._visible.show("".join(self._parts))

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

    def _end_line(self, end: str) -> None:
        if self._mode is _Mode.HEAD:
            self._end_head(end)
        line = "".join(self._parts)
        match self._mode:
            case _Mode.HEAD:
                pass
            case _Mode.TEXT:
                self._visible.end_line(end)
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
        self._finish()
        if self._fence and self._fence.held is not None:
            self._fence.held.append((self._head, end))
        elif self._removed:
            self._visible.hole(end)
        else:
            self._visible.end_line(end, blank=self._head)

    def _end_directive(self, line: str, end: str) -> None:
        assert self._current is not None
        self._current.lines.append(line)
        if self._fence and self._fence.held is not None:
            source = self._current.source if self._mode is _Mode.DIRECTIVE else ""
            self._fence.held.append((source + line, end))
        else:
            self._visible.hole(end)

    def _end_fence(self, line: str, end: str) -> None:
        assert self._fence is not None
        self._finish()
        if not self._fence.is_closed_by(line):
            self._release(line)
            self._visible.end_line(end)
        elif self._fence.openers:
            openers, self._fence = self._fence.openers, None
            for opener in openers:
                self._read(opener)
            self._visible.hole(end)
        else:
            self._release(line)
            self._visible.end_line(end)
            self._fence = None

    def _release(self, line: str) -> None:
        """The held code block holds other things than directives: all of it is text."""
        assert self._fence is not None and self._fence.held is not None
        for held, end in self._fence.held:
            blank = not held.strip()
            self._visible.show("" if blank else held)
            self._visible.end_line(end, blank=held if blank else "")
        self._fence.held, self._fence.openers, self._current = None, [], None
        self._mode, self._parts = _Mode.TEXT, [line]
        self._visible.show(line)

    def _finish(self) -> None:
        """No line continues the current directive any more."""
        opener, self._current = self._current, None
        if opener and self._fence and self._fence.held is not None:
            self._fence.openers.append(opener)
        elif opener:
            self._read(opener)

    def _read(self, opener: Opener) -> None:
        found, refused = read(opener)
        self._found.update(dict.fromkeys(found))
        self._refused += refused

    def _end_answer(self, complete: bool) -> None:
        marker = self._mode is _Mode.HEAD and is_marker_part(self._head)
        unfinished = marker or self._mode in (_Mode.DIRECTIVE, _Mode.MORE)
        more = self._mode is _Mode.HEAD and bool(self._head.strip()) and self._continues()
        if not complete and (unfinished or more):
            if more or self._mode is not _Mode.HEAD:
                self._current = None  # half a fact is none
            self._refused.append(CUT_LINE)
            self._head, self._parts, self._mode = "", [], _Mode.HEAD
        elif self._mode is _Mode.FENCE:
            self._visible.show("".join(self._parts))
            self._mode = _Mode.TEXT
        elif self._mode is not _Mode.HEAD or self._head.strip():
            self._end_line("")
        self._finish()
        if self._fence and self._fence.held is not None:
            if not self._fence.openers and not (unfinished and not complete):
                self._release("")
            elif complete:
                openers, self._fence = self._fence.openers, None
                for opener in openers:
                    self._read(opener)
            elif self._fence.openers:
                self._refused.append(CUT_FENCE)
