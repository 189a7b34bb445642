"""``nosis memory …``: facts, one function a verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nosis.cli import files, output, shown
from nosis.cli.arguments import Arguments
from nosis.cli.ask import confirm
from nosis.cli.opened import opened
from nosis.errors import UsageError

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.memory.types import Receipt

SEARCH_LIMIT = 10


def listing(arguments: Arguments) -> None:
    """Facts, newest first."""
    from nosis.memory.types import Status

    limit = arguments.count
    status = None if arguments.status == "all" else Status(arguments.status)
    with opened(arguments) as memory:
        facts = memory.list_memories(arguments.category, limit, status=status)
        shown.entries(facts, arguments, f"no {arguments.status} facts".replace("all ", ""))


def search(arguments: Arguments) -> None:
    """What would be recalled for some words; with a limit the best so many, if any match."""
    from nosis.memory.conditions import conditions

    limit = arguments.count or SEARCH_LIMIT
    where = conditions(
        arguments.category,
        arguments.min_importance,
        arguments.max_importance,
        arguments.since,
        arguments.until,
    )
    if not arguments.words.strip():
        raise UsageError("there is nothing to search for", "Give some words.")
    with opened(arguments) as memory:
        weaker = 0.0 if arguments.limit else None  # so many are wanted: weaker ones too
        found = memory.search(arguments.words, where, limit, weaker)
        if found.notice:
            output.notice(found.notice)
        if not found.hits:
            best = max((near.score for near in found.near_misses), default=0.0)
            say = output.note if arguments.json else output.line
            say(f"no match above the floor (best {best:.2f})")
        if arguments.json:
            output.data([shown.recollection(hit) for hit in found.hits])
        else:
            output.lines(shown.reasoned(hit) for hit in found.hits)


def add(arguments: Arguments) -> None:
    """Keep a fact."""
    from nosis.memory.filing import check_importance
    from nosis.memory.types import DEFAULT_IMPORTANCE

    given = arguments.importance
    importance = DEFAULT_IMPORTANCE if given is None else check_importance(given)
    _change(arguments, lambda m: m.remember(arguments.words, importance, arguments.category))


def edit(arguments: Arguments) -> None:
    """Change a fact's words."""
    _change(arguments, lambda memory: memory.update_memory(arguments.id, arguments.words))


def forget(arguments: Arguments) -> None:
    """Retract a memory."""
    _change(arguments, lambda memory: memory.forget(arguments.id))


def restore(arguments: Arguments) -> None:
    """Bring a memory back."""
    _change(arguments, lambda memory: memory.restore(arguments.id))


def pin(arguments: Arguments) -> None:
    """Pin a fact."""
    _change(arguments, lambda memory: memory.pin(arguments.id))


def unpin(arguments: Arguments) -> None:
    """Take a pin away."""
    _change(arguments, lambda memory: memory.unpin(arguments.id))


def important(arguments: Arguments) -> None:
    """Set a fact's importance."""
    from nosis.memory.filing import check_importance

    importance = check_importance(arguments.importance)
    _change(arguments, lambda memory: memory.mark_important(arguments.id, importance))


def purge(arguments: Arguments) -> None:
    """Remove a memory's words from every file."""
    with opened(arguments) as memory:
        entry = memory.get(arguments.id)
        confirm(arguments, f"remove {entry.id} ({entry.text[:60]}) from every file, for ever")
        shown.receipts([memory.purge(entry.id)], arguments)


def undo(arguments: Arguments) -> None:
    """Revert the newest changes."""
    with opened(arguments, writes=True) as memory:
        shown.receipts(memory.undo(arguments.times), arguments)


def history(arguments: Arguments) -> None:
    """All that happened to one memory."""
    with opened(arguments) as memory:
        events = memory.history(arguments.id)
        if arguments.json:
            output.data(events)
        else:
            output.lines(_event_line(event) for event in events)


def pending(arguments: Arguments) -> None:
    """Facts that wait for the user."""
    with opened(arguments) as memory:
        shown.entries(memory.pending(), arguments, "nothing waits")


def accept(arguments: Arguments) -> None:
    """Take a waiting fact in."""
    _change(arguments, lambda memory: memory.accept(arguments.id))


def reject(arguments: Arguments) -> None:
    """Refuse a waiting fact."""
    _change(arguments, lambda memory: memory.reject(arguments.id))


def export(arguments: Arguments) -> None:
    """Everything as JSON lines that import brings back, or the facts as Markdown."""
    from nosis.memory import exchange

    with opened(arguments) as memory:
        if arguments.format == "markdown":
            files.write([exchange.export_markdown(memory)], arguments.file)
        else:
            files.write(exchange.export_lines(memory.store), arguments.file)


def take_in(arguments: Arguments) -> None:
    """Import files: all of them are read and checked before anything is stored."""
    from nosis.cli.progress import Bar
    from nosis.memory import exchange

    loaded = [exchange.load(Path(name)) for name in arguments.files]
    for content in loaded:
        exchange.check(content)
    with opened(arguments) as memory, Bar() as bar:
        for name, content in zip(arguments.files, loaded, strict=True):
            done = exchange.import_loaded(memory, content, bar.update)
            if arguments.json:
                output.data({"file": name, "kind": content.kind, **done.to_json()}, indent=None)
            else:
                known = f", {done.known} known already" if done.known else ""
                output.line(f"imported {done.added} from {name} ({content.kind}){known}")
        memory.embed_all(bar.update)


def _change(arguments: Arguments, operation: Callable[[Memory], Receipt]) -> None:
    with opened(arguments, writes=True) as memory:
        shown.receipts([operation(memory)], arguments)


def _event_line(event: dict[str, Any]) -> str:
    """One line of a history: when, what, by whom, and the words."""
    parts: Sequence[Any] = (
        event["at"],
        event["type"],
        event.get("agent"),
        _details(event),
        f"({event['reason']})" if event.get("reason") else None,
        "(undo)" if event.get("undoes") else None,
    )
    return "  ".join(str(part) for part in parts if part)


def _details(event: dict[str, Any]) -> str:
    match event["type"]:
        case "revise" | "pin":
            changed = event["set"].items()
            return "; ".join(f"{k}: {event['was'].get(k)} → {value}" for k, value in changed)
        case "restore":
            return f"{event.get('was', '')} → {event['status']}"
    return str(event.get("text", ""))
