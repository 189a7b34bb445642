"""One operation's writes inside a store's exclusive block: facts, core memory, status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory import filing
from nosis.memory.filing.contradiction import conflicts
from nosis.memory.filing.operation import Operation
from nosis.memory.ids import new_id
from nosis.memory.store import Batch, Event, Store
from nosis.memory.times import to_iso
from nosis.memory.tokenizer import terms
from nosis.memory.types import (
    DEFAULT_IMPORTANCE,
    Category,
    Entry,
    Filter,
    Kind,
    Origin,
    Outcome,
    Receipt,
    Status,
)

PRUNED = "pruned"  # why curation forgets a fact
FACTS = (Kind.FACT,)
Neighbours = Mapping[str, Sequence[tuple[Entry, float]]]
"""Text -> live facts near it with their cosine similarity, found before the lock is taken."""


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact about to be filed."""

    text: str
    importance: float = DEFAULT_IMPORTANCE
    category: Category | None = None
    origin: Origin = Origin.USER
    pending: str | None = None  # why it must wait for the user
    note: str | None = None  # said in the receipt
    supersedes: str | None = None
    external_id: str | None = None
    inherited: Entry | None = None  # the memory of the base workspace that it supersedes here


class Writer:
    """Appends the events of one operation and says what became of each."""

    def __init__(
        self, store: Store, batch: Batch, op: Operation, neighbours: Neighbours | None = None
    ) -> None:
        self._store = store
        self._batch = batch
        self.op = op
        self._neighbours = neighbours or {}
        self._added: list[Entry] = []
        self.core = batch.core()
        self.core_changed = False
        self.written = 0  # events so far

    def fact(self, new: NewFact, *, field: str | None = None, check: bool = True) -> Receipt:
        """File one fact: stored, duplicate, superseding or pending."""
        statuses = (Status.PENDING,) if new.pending else (Status.LIVE,)
        old = self._duplicate(new.text, statuses, field) if check else None
        known = old is not None and old.id != new.supersedes
        if new.inherited and not new.pending:
            self._adopt(new.inherited)
        previous = self._batch.get(new.supersedes) if new.supersedes else None
        if previous and previous.status is not Status.LIVE:
            previous = None
        if old and known and previous and not new.pending:  # known, and the old one is here still
            return self.change(
                Outcome.SUPERSEDED,
                old,
                self.op.event(
                    "restore", id=old.id, status=old.status, was=old.status, supersedes=previous.id
                ),
                previous=previous.text,
            )
        if old and known:
            return self.receipt(Outcome.DUPLICATE, old.text, old.id, reason=new.note)
        entry_id = self._free_id()
        status = Status.PENDING if new.pending else Status.LIVE
        self._append(
            self.op.event(
                "fact",
                id=entry_id,
                text=new.text,
                importance=new.importance,
                category=new.category,
                origin=new.origin,
                field=field,
                status=None if status is Status.LIVE else status,
                reason=new.pending,
                supersedes=(new.supersedes if new.pending else previous and previous.id),
                external_id=new.external_id,
            )
        )
        self._added.append(
            Entry(entry_id, Kind.FACT, new.text, status, field=field, origin=new.origin)
        )
        outcome = Outcome.PENDING if new.pending else Outcome.STORED
        if previous and not new.pending:
            outcome = Outcome.SUPERSEDED
        return self.receipt(
            outcome,
            new.text,
            entry_id,
            previous=previous.text if previous else None,
            category=new.category,
            importance=new.importance,
            origin=new.origin,
            reason=new.pending or new.note,
        )

    def _adopt(self, theirs: Entry) -> None:
        """Take a copy of the base workspace's memory, under its id, to be superseded here: recall
        leaves out what the base holds of an entry that is history here."""
        if self._batch.get(theirs.id) is None:
            self._append(
                self.op.event(
                    "fact",
                    id=theirs.id,
                    text=theirs.text,
                    importance=theirs.importance,
                    category=theirs.category,
                    origin=theirs.origin,
                    created_at=to_iso(theirs.created_at),
                )
            )

    def set_core(self, field: str, value: str | list[str] | None, new: NewFact) -> Receipt:
        """Replace a field of core memory; None or an empty list removes it.

        Raises:
            UsageError: the value is too long, or core memory would exceed its budget.
        """
        value = core_memory.bare(field, value) if isinstance(value, str) else value
        wanted = [value] if isinstance(value, str) else list(value or [])
        for item in wanted:
            core_memory.check_value(item)
        old = core_memory.values(self.core, field)
        if wanted == old:
            mirror = self.mirror(field, wanted[0]) if wanted else None
            return self.receipt(
                Outcome.DUPLICATE, "; ".join(wanted), mirror.id if mirror else None, field=field
            )
        moved = self._store_core(field, value)
        gone = [m for text in old if text not in wanted if (m := self.mirror(field, text))]
        ids: list[str] = []
        for item in wanted:
            if item not in old:
                replaced = gone.pop(0).id if gone else None
                mirrored = NewFact(
                    core_memory.mirror_text(field, item),
                    max(new.importance, 0.7),
                    new.category or (Category.PREFERENCE if field == "preference" else None),
                    new.origin,
                    supersedes=replaced or (new.inherited.id if new.inherited else None),
                    inherited=new.inherited,
                )
                receipt = self.fact(mirrored, field=field, check=False)
                ids.append(receipt.id or "")
        for entry in gone:
            self.forget(entry, "removed from core memory")
        return self.receipt(
            Outcome.CORE_UPDATED,
            "; ".join(wanted) or "(removed)",
            ids[0] if ids else None,
            previous="; ".join(old) or None,
            field=field,
            origin=new.origin,
            reason=moved or new.note,
        )

    def append_core(
        self, field: str, value: str, new: NewFact, *, instead_of: str | None = None
    ) -> Receipt:
        """Add a value to a list field, in place of the one that it replaces and of those that it
        contradicts; a value that it already holds is a duplicate."""
        old = core_memory.values(self.core, field)
        for item in old:
            if filing.says_the_same(item, value, 0.0) and instead_of in (None, item):
                mirror = self.mirror(field, item)
                return self.receipt(
                    Outcome.DUPLICATE, item, mirror.id if mirror else None, field=field
                )
        gone = [item for item in old if item == instead_of or conflicts(field, item, value)]
        kept = [v for v in old if v not in gone and v != value]
        receipt = self.set_core(field, [*kept, value], new)
        return self.receipt(
            receipt.outcome,
            value,
            receipt.id,
            previous="; ".join(gone) or None,
            field=field,
            origin=new.origin,
            reason=receipt.reason,
        )

    def forget(self, entry: Entry, reason: str | None = None) -> Receipt:
        """Retract one entry; its mirror in core memory goes with it."""
        self._append(self.op.event("forget", id=entry.id, was=entry.status, reason=reason))
        if entry.field and entry.status is Status.LIVE:
            kept = [
                v
                for v in core_memory.values(self.core, entry.field)
                if core_memory.mirror_text(entry.field, v) != entry.text
            ]
            if len(kept) != len(core_memory.values(self.core, entry.field)):
                self.write_core(entry.field, kept or None)
        return self.receipt(Outcome.FORGOTTEN, entry.text, entry.id, reason=reason)

    def get(self, entry_id: str) -> Entry | None:
        """An entry as it is at this moment."""
        return self._batch.get(entry_id)

    def message(self, role: str, text: str, origin: Origin, material: str = "") -> None:
        """Archive one message of a turn; an empty one is not kept."""
        if text or material:
            self._append(
                self.op.event(
                    "turn",
                    id=new_id("t", 9),
                    role=role,
                    text=text,
                    material=material or None,
                    origin=origin,
                )
            )

    def accessed(self, entry_ids: Sequence[str]) -> None:
        """Count these entries as used by a turn."""
        if entry_ids:
            self._append(self.op.event("access", ids=list(entry_ids)))

    def session(self, session: str, title: str | None) -> None:
        """Name a session; None takes it off the lists."""
        self._append(self.op.event("session", id=session, title=title))

    def read_upto(self, position: int) -> None:
        """Note that curation has read the conversation up to this position."""
        self._append(self.op.event("curated", upto=position))

    def gone(self, text: str) -> Entry | None:
        """The newest forgotten or superseded fact that says this, if any."""
        where = Filter(FACTS, (Status.FORGOTTEN, Status.SUPERSEDED))
        hits, _ = self._store.search_words(terms(text), 8, where)
        found = [d.entry for d in self._store.documents([h.row for h in hits])]
        same = [e for e in found if filing.says_the_same(e.text, text, 0.0)]
        return max(same, key=lambda e: e.updated_at, default=None)

    def pin(self, entry: Entry, pinned: bool) -> Receipt:
        """Pin or unpin: a pinned fact has importance 1.0, and its former one when unpinned."""
        importance = 1.0 if pinned else self._unpinned_importance(entry)
        event = self.op.event(
            "pin",
            id=entry.id,
            set={"pinned": pinned, "importance": importance},
            was={"pinned": entry.pinned, "importance": entry.importance},
        )
        return self.change(Outcome.PINNED if pinned else Outcome.UNPINNED, entry, event)

    def accept(self, entry: Entry, base: Store | None = None) -> Receipt:
        """Make a pending fact live, with all that it asked for: its core field, its target."""
        asked = next(e for _, e in self._store.events(entry=entry.id) if e["type"] == "fact")
        target = asked.get("supersedes")
        for theirs in base.get([target]) if base and target else ():
            self._adopt(theirs)
        old = self._batch.get(target) if target else None
        if entry.field:
            value = entry.text.removeprefix(core_memory.mirror_text(entry.field, ""))
            new = NewFact("", entry.importance, entry.category, entry.origin)
            self._append(self.op.event("forget", id=entry.id, was=entry.status, reason="accepted"))
            if core_memory.is_list(self.core, entry.field):
                return self.append_core(
                    entry.field, value, new, instead_of=core_memory.mirrored(old, entry.field)
                )
            return self.set_core(entry.field, value, new)
        supersedes = old.id if old and old.status is Status.LIVE else None
        event = self.op.event(
            "restore",
            id=entry.id,
            status=Status.LIVE,
            was=Status.PENDING,
            supersedes=supersedes,
        )
        outcome = Outcome.SUPERSEDED if supersedes else Outcome.STORED
        return self.change(outcome, entry, event, previous=old.text if supersedes and old else None)

    def _unpinned_importance(self, entry: Entry) -> float:
        pins = [e for _, e in self._store.events(entry=entry.id) if e["type"] == "pin"]
        return float(pins[-1]["was"]["importance"]) if pins else entry.importance

    def change(
        self,
        outcome: Outcome,
        entry: Entry,
        event: Event,
        *,
        shown: str | None = None,
        previous: str | None = None,
    ) -> Receipt:
        """Append one prepared event about an entry; its receipt shows these or its own words."""
        self._append(event)
        return self.receipt(outcome, shown or entry.text, entry.id, previous=previous)

    def mark(self) -> None:
        """Record that the operation took place, where it changes nothing."""
        self._append(self.op.event("access", ids=[]))

    def history(self, entry_id: str) -> list[Event]:
        """All events of one entry before this write, oldest first."""
        return [event for _, event in self._store.events(entry=entry_id)]

    def _append(self, event: Event) -> None:
        self._batch.append(event)
        self.written += 1

    def _duplicate(
        self, text: str, statuses: tuple[Status, ...], field: str | None
    ) -> Entry | None:
        added = [(e, 1.0) for e in self._added if e.status in statuses]
        near = [(e, s) for e, s in self._neighbours.get(text, ()) if e.status in statuses]
        hits, _ = self._store.search_words(terms(text), 8, Filter(FACTS, statuses))
        words = [(d.entry, 0.0) for d in self._store.documents([h.row for h in hits])]
        # Similarity was measured before the lock was taken: the entry may have changed since.
        current = [
            (entry, similarity)
            for entry, similarity in (*near, *words)
            if (now := self._batch.get(entry.id))
            and now.status in statuses
            and now.text == entry.text
            and (field is None or now.field == field)
        ]
        return filing.duplicate_of(text, [*added, *current])

    def _store_core(self, field: str, value: str | list[str] | None) -> str | None:
        """Write a field within the budget, demoting preferences; says what was moved."""
        moved: list[str] = []
        wanted = core_memory.with_value(self.core, field, value)
        while (size := core_memory.size(wanted)) > core_memory.MAX_BYTES:
            if size < core_memory.size(self.core):
                break
            preferences = core_memory.values(wanted, "preference")
            keep = {value} if isinstance(value, str) else set((value or [])[-1:])
            mirrors = [
                m for p in preferences if p not in keep if (m := self.mirror("preference", p))
            ]
            if not mirrors:
                raise UsageError(
                    f"core memory would take {size} of {core_memory.MAX_BYTES} bytes",
                    "Remove something first (nosis core show), or keep it as a fact: "
                    "nosis memory add TEXT",
                )
            least = min(mirrors, key=lambda m: (m.importance, m.created_at))
            rest = [
                p for p in preferences if core_memory.mirror_text("preference", p) != least.text
            ]
            wanted = core_memory.with_value(wanted, "preference", rest)
            self._append(
                self.op.event(
                    "revise", id=least.id, set={"field": None}, was={"field": "preference"}
                )
            )
            moved.append(least.text)
        for name in {field, "preference"} if moved else {field}:
            self.write_core(name, wanted.get(name))
        return f"core memory is full: moved {'; '.join(moved)} to the archive" if moved else None

    def write_core(self, field: str, value: str | list[str] | None) -> None:
        """Give a field of core memory a value, its mirrors and its budget left to the caller."""
        was = self.core.get(field)
        if was == value:
            return
        self._append(self.op.event("core", field=field, value=value, was=was))
        self.core = core_memory.with_value(self.core, field, value)
        self.core_changed = True

    def mirror(self, field: str, value: str) -> Entry | None:
        """The live fact that mirrors a core value."""
        text = core_memory.mirror_text(field, value)
        for entry in self._store.find(Filter(FACTS, core=True)):
            if entry.text == text and (now := self._batch.get(entry.id)):
                return now
        return None

    def _free_id(self) -> str:
        while self._batch.get(entry_id := new_id("m")):
            continue
        return entry_id

    def receipt(
        self, outcome: Outcome, text: str, entry_id: str | None = None, **shown: object
    ) -> Receipt:
        return Receipt(outcome, text, entry_id, op=self.op.id, agent=self.op.agent, **shown)  # type: ignore[arg-type]
