"""What a curation run writes: proposals, pruning and promotion, planned before anything changes.

Thresholds are those of design.md, section 5. Pruning is a forget that can be restored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory import filing
from nosis.memory.filing.writing import PRUNED, NewFact, Writer
from nosis.memory.relative_dates import with_absolute_dates
from nosis.memory.types import (
    Category,
    Entry,
    Filter,
    Kind,
    Origin,
    Outcome,
    Receipt,
    Status,
)

if TYPE_CHECKING:
    from nosis.memory.store import Store

DAY = 86_400.0  # seconds
OLD, UNUSED = 90 * DAY, 60 * DAY
OLD_IMPORTANCE, UNUSED_IMPORTANCE = 0.3, 0.5
PROMOTED_ACCESSES = 10  # turns that used a preference before it earns a place in every prompt
MAX_PRUNED, MAX_SUPERSEDED, MAX_PROMOTED = 50, 20, 3  # a run


@dataclass(frozen=True, slots=True)
class Proposal:
    """A fact that curation wants to keep."""

    text: str
    importance: float
    category: Category | None
    origin: Origin
    said_at: float = 0.0  # when the conversation it comes from took place
    supersedes: str | None = None
    repeats: Entry | None = None
    note: str | None = None  # said in the receipt

    def settled(self, near: Entry, relation: str) -> Proposal:
        """With the judgment about the nearest old fact; anything unknown keeps both.

        A model's "duplicate" is not believed against the words: texts whose numbers, names,
        dates or negations differ are both kept.
        """
        if relation == "supersedes":
            return replace(self, supersedes=near.id)
        if relation == "duplicate" and filing.details(near.text) == filing.details(self.text):
            return replace(self, repeats=near)
        return self


@dataclass(frozen=True, slots=True)
class Counts:
    added: int
    updated: int
    pruned: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One run, ready to be written or shown."""

    proposals: tuple[Proposal, ...]
    prune: tuple[Entry, ...]
    promote: tuple[Entry, ...]
    upto: int | None  # position up to which the conversation has been read

    @classmethod
    def make(
        cls, store: Store, now: float, proposals: Sequence[Proposal], upto: int | None
    ) -> Plan:
        """A plan with what is due for pruning and promotion now."""
        return cls(tuple(proposals), _dust(store, now), _promotable(store), upto)

    def write(self, writer: Writer) -> list[Receipt]:
        """Write the plan inside one operation; a receipt for each thing it changes."""
        receipts, superseded = [], 0
        for proposal in self.proposals:
            if proposal.supersedes and superseded >= MAX_SUPERSEDED:
                proposal = replace(proposal, supersedes=None)  # noqa: PLW2901
            receipt = _keep(writer, proposal)
            superseded += receipt.outcome is Outcome.SUPERSEDED
            receipts.append(receipt)
        for entry in self.prune:
            current = writer.get(entry.id)
            if current and current.status is Status.LIVE and not current.pinned:
                receipts.append(writer.forget(current, PRUNED))
        for entry in self.promote:
            receipts += _promoted(writer, entry)
        if self.upto is not None:
            writer.read_upto(self.upto)
        return receipts


def counts(receipts: Sequence[Receipt]) -> Counts:
    """What a run's receipts add up to."""
    outcomes = [receipt.outcome for receipt in receipts]
    updated = (Outcome.SUPERSEDED, Outcome.CORE_UPDATED)
    return Counts(
        added=sum(o in (Outcome.STORED, Outcome.SUPERSEDED, Outcome.PENDING) for o in outcomes),
        updated=sum(o in updated for o in outcomes),
        pruned=sum(r.outcome is Outcome.FORGOTTEN and r.reason == PRUNED for r in receipts),
    )


def _keep(writer: Writer, proposal: Proposal) -> Receipt:
    if proposal.repeats:
        return writer.receipt(Outcome.DUPLICATE, proposal.repeats.text, proposal.repeats.id)
    gone = writer.gone(proposal.text)
    if gone and gone.updated_at >= proposal.said_at:
        return writer.receipt(
            Outcome.REJECTED, proposal.text, gone.id, reason=f"was {gone.status} after it was said"
        )
    new = NewFact(
        with_absolute_dates(proposal.text, proposal.said_at),
        proposal.importance,
        proposal.category,
        proposal.origin,
        pending=filing.suspicious(proposal.text),
        note=proposal.note,
        supersedes=proposal.supersedes,
    )
    update = filing.core_update(proposal.text, writer.core)
    if update is None or new.pending:
        return writer.fact(new)
    if core_memory.is_list(writer.core, update.field):
        return writer.append_core(update.field, update.value, new)
    if held := core_memory.values(writer.core, update.field):
        same = filing.says_the_same(held[0], update.value, 0.0)
        outcome = Outcome.DUPLICATE if same else Outcome.REJECTED
        reason = None if same else f"core memory has {held[0]!r}; only you change it"
        return writer.receipt(outcome, update.value, field=update.field, reason=reason)
    return writer.set_core(update.field, update.value, new)


def _promoted(writer: Writer, entry: Entry) -> list[Receipt]:
    """A preference that is used again and again, moved into core memory if it fits there."""
    current = writer.get(entry.id)
    if current is None or current.status is not Status.LIVE or current.field:
        return []
    values = [*core_memory.values(writer.core, "preference"), current.text]
    wanted = core_memory.with_value(writer.core, "preference", values)
    if core_memory.size(wanted) > core_memory.MAX_BYTES:  # others would have to leave
        return []
    note = f"used in {entry.accesses} turns"
    new = NewFact("", current.importance, current.category, current.origin, note=note)
    try:
        receipt = writer.append_core("preference", current.text, new)
    except UsageError:
        return []
    if receipt.outcome is Outcome.CORE_UPDATED:
        writer.forget(current, "moved to core memory")
    return [receipt]


def _dust(store: Store, now: float) -> tuple[Entry, ...]:
    """Facts that are due for pruning, oldest first, up to the cap."""
    where = Filter(
        (Kind.FACT,),
        max_importance=UNUSED_IMPORTANCE,
        until=now - UNUSED,
        pinned=False,
        core=False,
    )
    due = [
        entry
        for entry in store.find(where, by="oldest")
        if (now - entry.created_at > OLD and entry.importance < OLD_IMPORTANCE)
        or (entry.accesses == 0 and entry.importance < UNUSED_IMPORTANCE)
    ]
    return tuple(due[:MAX_PRUNED])


def _promotable(store: Store) -> tuple[Entry, ...]:
    where = Filter((Kind.FACT,), category=Category.PREFERENCE, core=False)
    used = [e for e in store.find(where, by="importance") if e.accesses >= PROMOTED_ACCESSES]
    return tuple(sorted(used, key=lambda e: -e.accesses)[:MAX_PROMOTED])
