"""What happened to memory, told from the journal's events: one short phrase each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from textual.content import Content

from nosis.errors import NosisError
from nosis.memory.store import Event
from nosis.memory.times import from_iso
from nosis.tui.memory import drawing, words

_SILENT = ("access", "session", "curated", "turn")


@dataclass(frozen=True, slots=True)
class Happening:
    """One event as people read it."""

    at: float
    agent: str
    text: Content
    entry_id: str | None
    op: str | None
    undoes: str | None
    named: bool  # whether the text holds the memory's words


def happenings(events: Iterable[Event], about: str | None = None) -> Iterator[Happening]:
    """Events that changed memory, in their order.

    Args:
        about: the memory whose history this is; its own words are not repeated then.
    """
    for event in events:
        if about is None and (event.get("type") in _SILENT or _mirrors_core(event)):
            continue
        try:
            yield _happening(event, about)
        except (KeyError, TypeError, ValueError, AttributeError, NosisError):
            continue  # not an event of ours; doctor reports it


def _happening(event: Event, about: str | None) -> Happening:
    text = _told(event, about)
    if event.get("undoes"):
        text = Content.assemble(("↶ ", "$foreground-muted"), text)
    return Happening(
        from_iso(event["at"]),
        words.line(str(event.get("agent") or "")),
        text,
        event.get("id"),
        event.get("op"),
        event.get("undoes"),
        event["type"] in ("fact", "core", "purge") or "text" in event.get("set", ()),
    )


def _mirrors_core(event: Event) -> bool:
    """Whether this fact only repeats a change of core memory, which is told already."""
    return event.get("type") == "fact" and bool(event.get("field")) and not event.get("status")


def _told(event: Event, about: str | None) -> Content:
    kind = event["type"]
    mine = about is not None and event.get("id") == about
    if kind == "fact":
        return _recorded(event, about, mine)
    if kind in ("revise", "pin"):
        return Content(", ").join(_changes(event["set"], event.get("was") or {}))
    if kind == "forget":
        return _marked("−", "$text-error", "forgotten", event.get("reason"))
    if kind == "restore":
        status = event.get("status") or "live"
        return _marked("+", "$text-success", "restored" if status == "live" else status, None)
    if kind == "core":
        return _core(event)
    if kind == "purge":
        count = words.plural(len(event["ids"]), "memory", "memories")
        return _marked("×", "$text-error", f"purged {count}", None)
    if kind == "turn":
        return Content.styled("said in a conversation", "$foreground-muted")
    return Content.styled(words.line(str(kind)), "$foreground-muted")


def _recorded(event: Event, about: str | None, mine: bool) -> Content:
    if event.get("purged"):
        return Content.styled("recorded, and purged since", "$foreground-muted")
    text = words.line(event["text"])
    if about is not None and not mine:
        return Content.assemble(
            ("~ ", "$text-accent"), ("superseded by ", "$foreground-muted"), text
        )
    if event.get("status") == "pending":
        why = f": {words.line(event['reason'])}" if event.get("reason") else ""
        return Content.assemble(
            ("? ", "$text-warning"), "" if mine else text, (f" pending{why}", "$foreground-muted")
        )
    return Content.assemble(("+ ", "$text-success"), "recorded" if mine else text)


def _changes(new: dict[str, Any], old: dict[str, Any]) -> Iterator[Content]:
    for name, value in new.items():
        if name == "text":
            yield Content.assemble(
                ("~ ", "$text-accent"), drawing.diff(str(old.get("text", "")), str(value))
            )
        elif name == "pinned":
            mark, style = (drawing.PIN, "$text-warning") if value else ("☆", "$foreground-muted")
            yield Content.assemble((mark, style), " pinned" if value else " unpinned")
        elif name == "importance" and "pinned" in new:
            continue  # follows from the pin
        else:
            change = f"{name} {_value(old.get(name))} → {_value(value)}"
            yield Content.assemble(("~ ", "$text-accent"), change)


def _value(value: Any) -> str:
    return "none" if value is None else words.line(str(value))


def _core(event: Event) -> Content:
    field = (f"{words.line(event['field'])}: ", "$foreground-muted")
    if isinstance(event.get("value"), list) and isinstance(event.get("was"), list):
        return _list_change(field, event["was"], event["value"])
    old, new = (_flat(event.get(name)) for name in ("was", "value"))
    if not old:
        return Content.assemble(("+ ", "$text-success"), field, new)
    if not new:
        return Content.assemble(("− ", "$text-error"), field, (old, "strike"))
    return Content.assemble(("~ ", "$text-accent"), field, drawing.diff(old, new))


def _list_change(field: tuple[str, str], old: list[Any], new: list[Any]) -> Content:
    added, removed = ([i for i in a if i not in b] for a, b in ((new, old), (old, new)))
    if added and removed:
        change = drawing.diff(_flat(removed), _flat(added))
        return Content.assemble(("~ ", "$text-accent"), field, change)
    if removed:
        return Content.assemble(("− ", "$text-error"), field, (_flat(removed), "strike"))
    return Content.assemble(("+ ", "$text-success"), field, _flat(added))


def _flat(value: Any) -> str:
    items = value if isinstance(value, list) else [value] if value else []
    return "; ".join(words.line(str(item)) for item in items)


def _marked(mark: str, style: str, text: str, reason: Any) -> Content:
    why = f" · {words.line(str(reason))}" if reason else ""
    return Content.assemble((f"{mark} ", style), text, (why, "$foreground-muted"))
