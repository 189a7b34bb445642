"""How memory is drawn: bars, diffs and one-line entries, as Content that holds no markup."""

from __future__ import annotations

from itertools import takewhile

from rich.cells import cell_len
from textual.content import Content

from nosis.memory.types import Entry, Origin, Recollection, Status
from nosis.tui.memory import words

_EIGHTHS = " ▁▂▃▄▅▆▇█"
PIN = "★"


def bar(value: float, width: int, colour: str = "$primary") -> Content:
    """A line of ``width`` cells, filled for a value of 0-1, in steps of half a cell."""
    halves = round(min(max(value, 0.0), 1.0) * width * 2)
    full, half = divmod(halves, 2)
    # Heavy and light lines, so that it can be read without colours as well.
    return Content.assemble(
        ("━" * full + "╾" * half, colour),
        ("─" * (width - full - half), "$foreground 25%"),
    )


def columns(
    values: list[int], height: int, colour: str = "$primary", cell: int = 1
) -> list[Content]:
    """Values as upright bars of block characters, ``height`` lines from the top.

    Args:
        cell: width of a bar; from two on, its last cell is a gap.
    """
    peak = max([*values, 1])
    steps = [max(1, round(v / peak * height * 8)) if v else 0 for v in values]
    lines = []
    for row in range(height - 1, -1, -1):
        cells = (_EIGHTHS[min(max(step - row * 8, 0), 8)] for step in steps)
        drawn = "".join(c * max(cell - 1, 1) + " " * (cell > 1) for c in cells)
        lines.append(Content.styled(drawn, colour))
    return lines


def diff(old: str, new: str) -> Content:
    """``lives in Rome → Turin``: what stayed once, what changed with an arrow."""
    before, after = words.line(old).split(), words.line(new).split()
    if before == after:
        return Content(" ".join(after))
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    changed = _arrow(before[start : len(before) - end], after[start : len(after) - end])
    head, tail = after[:start], after[len(after) - end :]
    return Content(" ").join([*head, changed, *tail])


def _common(one: list[str], other: list[str]) -> int:
    """How many words two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _arrow(before: list[str], after: list[str]) -> Content:
    old = Content.styled(" ".join(before), "$text-error strike")
    new = Content.styled(" ".join(after), "$text-success")
    if not before:
        return Content.assemble(("+", "$text-success"), new)
    if not after:
        return old
    return Content.assemble(old, (" → ", "$foreground-muted"), new)


def entry_line(entry: Entry, width: int, *, dates: bool = True) -> Content:
    """One memory on one line of ``width`` cells; columns give way as it gets narrow."""
    fields: list[Content] = []
    if width >= 84:
        fields.append(_cell(entry.category or "", 11, "$foreground-muted"))
    if width >= 48:
        fields.append(bar(entry.importance, 5, "$foreground 60%"))
    if width >= 66:
        name, colour = words.ORIGINS[entry.origin]
        if entry.status is not Status.LIVE:
            name, colour = words.STATUSES[entry.status]
        elif entry.origin is Origin.USER:
            colour = "$foreground-muted"  # the usual case stays quiet
        fields.append(_cell(name, 14, colour))
    if dates and width >= 36:
        fields.append(_cell(words.day(entry.created_at), 10, "$foreground-muted"))
    tail = Content("  ").join(fields)
    room = width - 3 - (tail.cell_length + 2 if fields else 0)
    gone = entry.status in (Status.SUPERSEDED, Status.FORGOTTEN)
    text = Content.styled(words.spoken(entry), "$foreground-muted strike" if gone else "")
    text = text.truncate(room, ellipsis=True, pad=True)
    mark = (f" {PIN} ", "$text-warning") if entry.pinned else "   "
    return Content.assemble(mark, text, "  " if fields else "", tail)


def hit_line(hit: Recollection, width: int) -> Content:
    """One hit of a search on one line: its score, its words, and why it was found."""
    why = Content("")
    if width >= 66:
        why = _cell(_reasons(hit, width // 3), width // 3, "$foreground-muted")
    room = width - 15 - (why.cell_length + 2 if why else 0)
    text = Content(words.spoken(hit.entry)).truncate(max(room, 1), ellipsis=True, pad=True)
    mark = (f" {PIN} ", "$text-warning") if hit.entry.pinned else "   "
    score = (f" {hit.score:.2f}  ", "$foreground-muted")
    return Content.assemble(mark, bar(hit.score, 5), score, text, "  " if why else "", why)


def _reasons(hit: Recollection, width: int) -> str:
    """Why it was found: as many whole reasons as there is room for, at least the first."""
    shown = ""
    for reason in map(words.line, hit.reasons):
        more = f"{shown} · {reason}" if shown else reason
        if shown and cell_len(more) > width:
            break
        shown = more
    return shown


def _cell(text: str, width: int, style: str) -> Content:
    return Content.styled(text, style).truncate(width, ellipsis=True, pad=True)


def facts_about(entry: Entry, now: float) -> list[tuple[str, Content]]:
    """What is known of a memory beside its words, as (label, value)."""
    origin, colour = words.ORIGINS[entry.origin]
    status, status_colour = words.STATUSES[entry.status]
    used = "never"
    if entry.accesses:
        last = f", last {words.ago(entry.accessed_at, now)}" if entry.accessed_at else ""
        used = words.plural(entry.accesses, "time") + last
    importance = Content.assemble(
        bar(entry.importance, 10),
        f" {entry.importance:.2f} ",
        (words.level(entry.importance), "$foreground-muted"),
    )
    rows = [
        ("status", Content.styled(status, status_colour)),
        ("category", Content(entry.category or "general")),
        ("importance", importance),
        ("origin", Content.styled(origin, colour)),
        ("recorded", _dated(entry.created_at, now)),
        ("used", Content(used)),
    ]
    if entry.pinned:
        pinned = Content.assemble((PIN, "$text-warning"), " no decay, never pruned")
        rows.append(("pinned", pinned))
    if entry.reason:
        rows.append(("reason", Content(words.line(entry.reason))))
    if entry.field:
        rows.append(("core field", Content(words.line(entry.field))))
    if entry.session:
        rows.append(("session", Content(words.line(entry.session))))
    if entry.agent:
        rows.append(("agent", Content(words.line(entry.agent))))
    rows.append(("id", Content(words.line(entry.id))))
    return rows


def table(rows: list[tuple[str, Content]]) -> Content:
    """Label and value pairs under each other, values aligned."""
    width = max((len(label) for label, _ in rows), default=0)
    return Content("\n").join(
        Content.assemble((label.ljust(width + 2), "$foreground-muted"), value)
        for label, value in rows
    )


def _dated(then: float, now: float) -> Content:
    return Content.assemble(words.minute(then), (f"  {words.ago(then, now)}", "$foreground-muted"))
