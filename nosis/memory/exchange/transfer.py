"""Moving memories into and out of a workspace, in batches that are each all or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from nosis.errors import StorageError, UsageError
from nosis.memory import ids
from nosis.memory.exchange import records as plain
from nosis.memory.exchange.files import Loaded
from nosis.memory.filing.operation import Operation
from nosis.memory.store import Event, Progress, Store
from nosis.memory.store.fold import ForeignEvent, check_schema, fold
from nosis.memory.types import Status

if TYPE_CHECKING:
    from nosis.memory.memory import Memory

_ADDING = ("fact", "turn")  # events that add an entry
_BATCH = 500  # events a transaction: one fsync each, and short enough to let others write


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. ``undo`` reverts its ``op``; the events of an export keep their own."""

    added: int
    known: int  # were there already, from an earlier or interrupted import
    op: str

    def to_json(self) -> dict[str, Any]:
        return {"added": self.added, "known": self.known, "op": self.op}


def import_records(
    memory: Memory,
    records: Iterable[Mapping[str, Any]],
    progress: Progress | None = None,
    total: int = 0,
) -> Imported:
    """Import records (see ``exchange.records``). Run again after an interruption, it goes on.

    Raises:
        UsageError: a record is not of the documented shape. What came before it is kept.
    """
    op = Operation(memory.agent, memory.clock())
    events = plain.events(op, records)
    return _import(memory.store, op, events, progress, total, _new_records)


def check(loaded: Loaded) -> None:
    """Look at all of a file before any of it is stored.

    Raises:
        NosisError: a record or event that cannot be imported.
    """
    for _ in plain.events(Operation("", 0.0), loaded.records):
        pass
    for number, event in enumerate(loaded.events, 1):
        try:
            check_schema(event)
            fold(event)
        except (ForeignEvent, StorageError) as error:
            raise UsageError(
                f"event {number} cannot be imported: {error}", "Export it again."
            ) from None


def import_loaded(memory: Memory, loaded: Loaded, progress: Progress | None = None) -> Imported:
    """Import a file's content, whichever kind it is."""
    if loaded.events:
        return import_events(memory, loaded.events, progress, len(loaded.events))
    return import_records(memory, loaded.records, progress, len(loaded.records))


def import_events(
    memory: Memory, events: Iterable[Event], progress: Progress | None = None, total: int = 0
) -> Imported:
    """Bring in the events of an export as they are; those already here are left out.

    Where another memory has an entry's id, the entry gets a longer one, in all of its events.
    """
    op = Operation(memory.agent, memory.clock())
    here = {event["event"]: event.get("id") for _, event in memory.store.events()}
    names: dict[str, str] = {}  # of the export's entries, where they have another one here

    def new_events(store: Store, batch: list[Event]) -> list[Event]:
        adding = [event for event in batch if event["type"] in _ADDING]
        brought = [event["id"] for event in adding if event["event"] not in here]
        taken = {entry.id for entry in store.get(brought)}
        for event in adding:
            own: str = event["id"]
            if event["event"] in here:
                name = here[event["event"]] or own
            else:
                name = own + ids.from_bytes(event["event"].encode()) if own in taken else own
            if name != own:
                names[own] = name
        return [_renamed(event, names) for event in batch if event["event"] not in here]

    done = _import(memory.store, op, events, progress, total, new_events)
    memory.core()  # core.json follows the journal
    return done


def _import(
    store: Store,
    op: Operation,
    events: Iterable[Event],
    progress: Progress | None,
    total: int,
    new_of: Callable[[Store, list[Event]], list[Event]],
) -> Imported:
    added = known = done = 0
    source = iter(events)
    while batch := list(islice(source, _BATCH)):
        with store.write() as write:
            new = new_of(store, batch)
            write.append(*new)
            added += sum(event["type"] != "session" for event in new)
            known += len(batch) - len(new)
            done += len(batch)
        if progress:
            progress("importing", done, max(total, done))
    return Imported(added, known, op.id)


def _new_records(store: Store, batch: list[Event]) -> list[Event]:
    """Those that were not imported before, their ids as short as can be: prompts hold them."""
    adding = [event["id"] for event in batch if event["type"] in _ADDING]
    taken = {entry.id for entry in store.get([*adding, *map(ids.shortened, adding)])}
    new = []
    for event in batch:
        if event["type"] in _ADDING:
            whole, short = event["id"], ids.shortened(event["id"])
            if whole in taken or (short in taken and _added_by(store, short) == event["event"]):
                continue
            event = {**event, "id": whole if short in taken else short}  # noqa: PLW2901
            taken.add(event["id"])
        new.append(event)
    return new


def _renamed(event: Event, names: Mapping[str, str]) -> Event:
    """The event with other ids for some entries (see ``store.Event`` for where they stand)."""
    if not names or event["type"] == "session":
        return event
    made = dict(event)
    for key in ("id", "supersedes", "superseded_by"):
        if key in made:
            made[key] = names.get(made[key], made[key])
    if "ids" in made:
        made["ids"] = [names.get(entry_id, entry_id) for entry_id in made["ids"]]
    for key in ("set", "was"):
        if isinstance(columns := made.get(key), dict) and "superseded_by" in columns:
            other = columns["superseded_by"]
            made[key] = {**columns, "superseded_by": names.get(other, other)}
    return made


def _added_by(store: Store, entry_id: str) -> str | None:
    """The event that added this entry; None for one that is being written."""
    return next((event["event"] for _, event in store.events(entry=entry_id)), None)


def export_lines(store: Store) -> Iterator[str]:
    """Every event as one JSON line: importing them gives the same state, byte for byte."""
    for _, event in store.events():
        yield json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"


def export_markdown(memory: Memory) -> str:
    """All live facts and core memory as one Markdown page."""
    from nosis.memory import digest

    facts = memory.list_memories(status=Status.LIVE)
    return digest.memory_page(memory.core(), facts, len(facts))
