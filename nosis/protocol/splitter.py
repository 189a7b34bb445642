"""The streaming splitter: an answer in, its visible text and its directives out."""

from __future__ import annotations

import re

from nosis.memory.text import LINE_END, plain
from nosis.memory.types import Directive
from nosis.protocol.lines import Lines

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
_LINE_END = re.compile(LINE_END)
_TAIL = 80  # characters; no tag is longer


class Splitter:
    """Splits one answer as it streams in: ``feed`` every chunk, then ``close`` once.

    ``feed`` and ``close`` return the visible text that is safe to show; together it is
    ``visible``, the same for every chunking. Time is linear in the length of the answer,
    and memory too. ``directives`` and ``refused`` are complete after ``close``.
    """

    def __init__(self) -> None:
        self._lines = Lines()
        self._carry = ""  # the end of the input so far, if its meaning depends on what follows
        self._reasoning: list[str] | None = None
        self._inline = False  # the reasoning began in the middle of a line
        self._tags = True
        self._safe = 0  # directives found before the last reasoning block ended

    @property
    def visible(self) -> str:
        """The answer without directives and reasoning, as far as it was shown."""
        return self._lines.visible.text

    @property
    def directives(self) -> tuple[Directive, ...]:
        """In order, each once."""
        return tuple(self._lines.found)

    @property
    def refused(self) -> tuple[str, ...]:
        """A message for each directive line that was understood but not accepted."""
        return tuple(self._lines.refused)

    def feed(self, chunk: str) -> str:
        """Take the next piece of the answer; return the text that may be shown now."""
        data = self._carry + chunk
        self._carry = ""
        if data and "\ud800" <= data[-1] <= "\udbff":  # its second half may come
            data, self._carry = data[:-1], data[-1]
        self._consume(plain(data), final=False)
        return self._lines.visible.take()

    def close(self, complete: bool = True) -> str:
        """The answer is over; return the rest of the visible text.

        ``complete`` is False for a cut reply (length limit, dropped, cancelled): only
        directive lines that a line end terminated count then.
        """
        carry, self._carry = plain(self._carry), ""
        if complete or not _TAG_PART.fullmatch(carry) or len(carry) == 1:
            self._consume(carry, final=True)
        found = None
        if self._reasoning is not None and self._inline and complete:
            found = len(self._lines.found)  # a tag that was only mentioned: show what follows it
            text, self._reasoning, self._tags = "".join(self._reasoning), None, False
            self._consume(text, final=True)
        self._lines.end_answer(complete, reasoning=self._reasoning is not None)
        if found is not None:
            self._lines.discard(found)
        return self._lines.visible.take()

    def _consume(self, data: str, *, final: bool) -> None:
        position = 0
        while position < len(data):
            if self._reasoning is not None:
                position = self._reason(data, position, final)
                continue
            stop = _STOP.search(data, position)
            until = stop.start() if stop else len(data)
            self._lines.add(data[position:until])
            position = until
            if stop and stop[0] == "<":
                position = self._tag(data, position, final)
            elif stop and stop[0] == "\r" and stop.end() == len(data) and not final:
                self._carry = "\r" + self._carry
                return
            elif stop:
                self._lines.end_line(stop[0])
                position = stop.end()

    def _reason(self, data: str, position: int, final: bool) -> int:
        """Inside reasoning: skip to its end, or to what may be the beginning of its end."""
        assert self._reasoning is not None
        if close := _CLOSE_TAG.search(data, position):
            self._reasoning.append(data[position : close.start()])
            broken = _LINE_END.search("".join(self._reasoning)) is not None
            self._reasoning = None
            self._safe = len(self._lines.found)
            self._lines.take_out(broken=broken)
            return close.end()
        until = len(data)
        if not final and (part := _TAG_PART.search(data, max(position, until - _TAIL))):
            until = part.start()
            self._carry = data[until:] + self._carry
        self._reasoning.append(data[position:until])
        return len(data)

    def _tag(self, data: str, position: int, final: bool) -> int:
        """At a ``<``: begin reasoning, drop a lone closing tag, or take it as text."""
        if self._tags and self._lines.takes_tags():
            at_start = self._lines.at_start
            if match := _OPEN_TAG.match(data, position):
                self._inline = not at_start
                self._reasoning = [match[0]]
                if at_start:
                    self._lines.finish()
                return match.end()
            close = _CLOSE_TAG.match(data, position)
            if close and at_start:
                return self._stray(close.end())
            part = (
                _STRAY_PART.match(data, close.end()) if close else _TAG_PART.match(data, position)
            )
            if part and not final:
                self._carry = data[position:] + self._carry
                return len(data)
            if close and _STRAY_END.match(data, close.end()):
                return self._stray(close.end())
        self._lines.add("<")
        return position + 1

    def _stray(self, end: int) -> int:
        """A closing tag alone: some servers leave out the opening one, so that everything
        before it was reasoning. It has been shown, but writes nothing."""
        self._lines.finish()
        self._lines.discard(self._safe)
        self._lines.take_out(broken=False)
        return end
