"""What a directive line looks like, and what it says. See the table in ``nosis.protocol``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from nosis.memory.types import DirectiveKind

MARKS_LIMIT = 80  # characters of indentation and marks before a marker; more is ordinary text

_NAME = r"memory\\?_(?P<verb>update|replace|forget)"
_GLUE = r"[\s*_]{0,12}"  # bold marks and spaces between a marker and its colon
_META = r"[\[(][^\[\]()]{0,120}"
_MARKS = re.compile(r"(?:[\s*_+•◦▪‣·–—#\ufeff\u200b-\u200d\u2060-]|\d{1,3}[.)]|\[[ xX✓]?\])*")
_OPENER = re.compile(
    rf"{_NAME}(?P<glue>{_GLUE})(?:(?P<meta>{_META})[\])]{_GLUE})?[:\ufe55\uff1a]", re.IGNORECASE
)
_OPENER_PART = re.compile(rf"{_NAME}{_GLUE}(?:{_META}(?:[\])]{_GLUE})?)?\Z", re.IGNORECASE)
_MARK_PART = re.compile(r"(?:\d{1,3}|\[[ xX✓]?)\Z")
_NAME_PARTS = frozenset(
    name[:length]
    for verb in ("update", "replace", "forget")
    for name in (f"memory_{verb}", f"memory\\_{verb}")
    for length in range(len(name) + 1)
)
_FENCE = re.compile(r"`{3,}|~{3,}")
_FENCE_PART = frozenset(("`", "``", "~", "~~"))
_FENCE_MARKS = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)*")
_INNER = re.compile(
    rf"(?<![\w`*\"'“‘«「(\[<\\/-])(?P<marks>[*_]{{0,3}}){_OPENER.pattern}", re.IGNORECASE
)
_EMPHASIS = re.compile(r"[*_]+\Z")
_TICKS = re.compile(r"`+")


class Kind(Enum):
    """What the beginning of a line makes of the line."""

    MAYBE = auto()  # more characters are needed
    TEXT = auto()
    QUOTE = auto()
    FENCE = auto()
    DIRECTIVE = auto()


@dataclass(slots=True)
class Opener:
    """A directive line whose text is still being collected."""

    kind: DirectiveKind
    meta: str | None  # what stood in brackets before the colon
    emphasis: str  # bold or italic marks opened before the marker and not closed before the colon
    indent: int
    source: str  # the characters up to the colon, as written
    lines: list[str] = field(default_factory=list)


def begin(head: str) -> tuple[Kind, Opener | None, str]:
    """Classify a line by its beginning: kind, opener, and what follows the opener.

    Decided kinds are final: no longer ``head`` of the same line is classified otherwise,
    and a ``head`` of more than about 250 characters is always decided.
    """
    marks = _MARKS.match(head)
    assert marks is not None  # it matches the empty string
    rest = head[marks.end() :]
    if marks.end() <= MARKS_LIMIT and (opener := _OPENER.match(rest)):
        source = head[: marks.end() + opener.end()]
        indent = indentation(head)
        return Kind.DIRECTIVE, _opener(opener, marks[0], indent, source), rest[opener.end() :]
    return _undirected(head, marks.end(), rest), None, ""


def _undirected(head: str, marks: int, rest: str) -> Kind:
    if marks > MARKS_LIMIT:
        kind = Kind.TEXT
    elif not rest or _MARK_PART.match(rest) or rest in _FENCE_PART:
        kind = Kind.MAYBE
    elif rest[0] == ">":
        kind = Kind.QUOTE
    elif _FENCE.match(rest) and _FENCE_MARKS.fullmatch(head, 0, marks):
        kind = Kind.FENCE
    elif rest.lower() in _NAME_PARTS or _OPENER_PART.match(rest):
        kind = Kind.MAYBE
    else:
        kind = Kind.TEXT
    return kind


def is_marker_part(head: str) -> bool:
    """Whether an undecided line has the beginning of a marker, if only its first letter."""
    marks = _MARKS.match(head)
    rest = head[marks.end() :] if marks else ""
    return rest != "" and (rest.lower() in _NAME_PARTS or bool(_OPENER_PART.match(rest)))


def indentation(line: str) -> int:
    """Columns of white space that ``line`` begins with; a tab reaches the next multiple of 4."""
    expanded = line[: MARKS_LIMIT + 1].expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def split(opener: Opener, text: str, start: int = 0) -> Iterator[tuple[int, int, Opener]]:
    """The markers inside the text of a directive line, from ``start``: position, end, opener.

    A marker in inline code, behind a quotation mark or inside a word is part of the text.
    """
    code: list[tuple[int, int]] | None = None
    for match in _INNER.finditer(text, start):
        if code is None:
            code = _code_spans(text)
        while code and code[-1][1] <= match.start():
            code.pop()
        if not (code and code[-1][0] <= match.start()):
            yield match.start(), match.end(), _opener(match, match["marks"], opener.indent, "")


def _opener(match: re.Match[str], marks: str, indent: int, source: str) -> Opener:
    emphasis = _EMPHASIS.search(marks)
    closed = match["glue"].strip()
    meta = match["meta"]
    return Opener(
        kind=DirectiveKind(f"MEMORY_{match['verb'].upper()}"),
        meta=meta[1:].strip() if meta else None,
        emphasis=emphasis[0] if emphasis and not closed else "",
        indent=indent,
        source=source,
    )


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Spans of inline code, last first: a run of backticks up to the next run as long."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    closers: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        closers.setdefault(runs[index][1] - runs[index][0], []).append(index)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        same = closers[runs[index][1] - runs[index][0]]
        while same and same[-1] <= index:
            same.pop()
        if same:
            spans.append((runs[index][0], runs[same[-1]][1]))
            index = same[-1]
        index += 1
    return spans[::-1]
