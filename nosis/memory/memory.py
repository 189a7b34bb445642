"""Memory: everything that can be done with one workspace, as one class."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nosis.errors import UsageError
from nosis.memory import filing, times
from nosis.memory.conditions import conditions
from nosis.memory.filing import undoing
from nosis.memory.filing.writing import FACTS, NewFact
from nosis.memory.operations.inbox import Inbox
from nosis.memory.operations.plugin import Plugin
from nosis.memory.operations.purging import Purging
from nosis.memory.operations.recall_tests import RecallTests
from nosis.memory.operations.recollecting import Recollecting
from nosis.memory.operations.recording import Recording
from nosis.memory.operations.sessions import Sessions
from nosis.memory.operations.time_travel import TimeTravel
from nosis.memory.relative_dates import with_absolute_dates
from nosis.memory.store import Event, Progress
from nosis.memory.tokenizer import terms
from nosis.memory.types import (
    Entry,
    Filter,
    Origin,
    Outcome,
    Receipt,
    Recollection,
    Status,
)

if TYPE_CHECKING:
    from nosis.memory.exchange import Imported
    from nosis.memory.filing.curated import Plan


class Memory(Recollecting, Sessions, Inbox, Recording, TimeTravel, Purging):
    """One workspace: core memory, archive, logs and sessions. Safe to use from any thread.

    Every change is one transaction and returns receipts that name its author (``agent``).
    Methods that take ``query_or_id`` act on one clear match, and raise UsageError with the
    candidates where several match. See Workspace for the arguments.
    """

    # -- writing ---------------------------------------------------------------------------

    def remember(
        self,
        content: str,
        importance: float = 0.5,
        category: str | None = None,
        *,
        origin: Origin = Origin.USER,
        gate: bool = False,
    ) -> Receipt:
        """Keep one fact; secrets in it are redacted.

        Args:
            gate: hold it as pending where it reads like an instruction: for words that are not
                the user's own.

        Raises:
            UsageError: the content is empty or too long, or importance or category are wrong.
        """
        text = with_absolute_dates(filing.checked_text(content), self.clock())
        new = NewFact(
            text,
            filing.check_importance(importance),
            filing.check_category(category),
            origin,
            pending=filing.suspicious(text) if gate else None,
        )
        with self._operation(neighbours=self.meaning.neighbours([new.text])) as writer:
            receipt = writer.fact(new)
        return self._logged([receipt])[0]

    def update_memory(
        self,
        query_or_id: str,
        new_content: str | None = None,
        importance: float | None = None,
        category: str | None = None,
    ) -> Receipt:
        """Change a fact in place; what is not given stays, what it was is in its history."""
        entry = self._one(query_or_id)
        changes: dict[str, Any] = {}
        if new_content is not None:
            changes["text"] = filing.checked_text(new_content)
        if importance is not None:
            changes["importance"] = filing.check_importance(importance)
        if category is not None:
            changes["category"] = filing.check_category(category)
        changes = {k: v for k, v in changes.items() if v != getattr(entry, k)}
        if not changes:
            return Receipt(Outcome.DUPLICATE, entry.text, entry.id, agent=self.agent)
        if entry.field and "text" in changes:
            raise UsageError(
                f"{entry.id} mirrors the core field {entry.field!r}",
                f"Change it with: nosis core set {entry.field} VALUE",
            )
        was = {name: getattr(entry, name) for name in changes}
        with self._operation() as writer:
            receipt = writer.change(
                Outcome.UPDATED,
                entry,
                writer.op.event("revise", id=entry.id, set=changes, was=was),
                shown=changes.get("text"),
                previous=entry.text if "text" in changes else None,
            )
        return self._logged([receipt])[0]

    def mark_important(self, query_or_id: str, importance: float) -> Receipt:
        """Set a fact's importance (0-1)."""
        return self.update_memory(query_or_id, importance=importance)

    def forget(self, query_or_id: str) -> Receipt:
        """Retract a memory: it is never recalled again, and can be restored."""
        entry = self._one(query_or_id)
        with self._operation() as writer:
            receipt = writer.forget(entry)
        return self._logged([receipt])[0]

    def restore(self, entry_id: str) -> Receipt:
        """Bring a forgotten or superseded memory back."""
        entry = self.get(entry_id)
        if entry.status not in (Status.FORGOTTEN, Status.SUPERSEDED):
            raise UsageError(
                f"{entry_id} is {entry.status}, so there is nothing to restore",
                "List forgotten facts with: nosis memory list --status forgotten",
            )
        with self._operation() as writer:
            event = writer.op.event("restore", id=entry.id, status=Status.LIVE, was=entry.status)
            receipt = writer.change(Outcome.RESTORED, entry, event)
        return self._logged([receipt])[0]

    def pin(self, query_or_id: str) -> Receipt:
        """Pin a fact: importance 1.0, no decay, never pruned."""
        return self._pin(query_or_id, True)

    def unpin(self, query_or_id: str) -> Receipt:
        """Take a pin away; the importance before it counts again."""
        return self._pin(query_or_id, False)

    def _pin(self, query_or_id: str, pinned: bool) -> Receipt:
        entry = self._one(query_or_id)
        with self._operation() as writer:
            receipt = writer.pin(entry, pinned)
        return self._logged([receipt])[0]

    def undo(self, times: int | str = 1) -> list[Receipt]:
        """Revert this agent's newest operations that are not undone yet, so many (1 to 100).

        What was changed since, by whomever, stays as it is, with a rejected receipt. Fewer are
        reverted where there are no more.

        Raises:
            UsageError: there is nothing to undo, or ``times`` is no such number.
        """
        more = undoing.checked_times(times) - 1
        receipts = self._undo()
        for _ in range(more):
            with contextlib.suppress(UsageError):
                receipts += self._undo()
        return receipts

    def _undo(self) -> list[Receipt]:
        op = self.store.last_op(self.agent)
        if op is None:
            raise UsageError("nothing to undo", "See what happened with: nosis log")
        events = [event for _, event in self.store.events(op=op)]
        with self._operation(undoes=op) as writer:
            receipts = undoing.undo(writer, events)
        return self._logged(receipts)

    # -- reading -----------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        limit: int = 5,
        score_threshold: float = 0.0,
        category: str | None = None,
        min_importance: float | None = None,
        max_importance: float | None = None,
        since: str | float | None = None,
        until: str | float | None = None,
    ) -> list[Recollection]:
        """The memories that match, best first. Filters apply before the limit.

        Dates are ISO 8601 or POSIX seconds. Where nothing is good enough, nothing comes back;
        ``score_threshold`` 0 fills up to the limit otherwise.
        """
        where = conditions(category, min_importance, max_importance, since, until)
        return list(self.search(query, where, limit, score_threshold).hits)

    def list_memories(
        self,
        category: str | None = None,
        limit: int | None = None,
        *,
        status: Status | None = Status.LIVE,
    ) -> list[Entry]:
        """Facts, newest first; of any status where ``status`` is None."""
        statuses = tuple(Status) if status is None else (status,)
        where = Filter(FACTS, statuses, category=filing.check_category(category))
        return self.store.find(where, limit)

    def history(self, entry_id: str) -> list[Event]:
        """All events of one memory, oldest first."""
        entry = self.get(entry_id)
        return [event for _, event in self.store.events(entry=entry.id)]

    @property
    def recall_tests(self) -> RecallTests:
        """Questions that must find a fact: list, add, remove and run them."""
        return RecallTests(self)

    def read_memory(self, day: str | None = None) -> str:
        """MEMORY.md as of now, or the log of a day (``today`` or 2026-11-30)."""
        if day is None:
            return self.render_page()
        return self.pages.log(times.day(self.clock()) if day == "today" else day)

    # -- conversation --------------------------------------------------------------------------

    def before_run(self, prompt: str, *, tokens: int = 1_000) -> str:
        """What any client puts before a user's prompt: core memory and recollections::

        messages = [{"role": "system", "content": memory.before_run(prompt)},
                    {"role": "user", "content": prompt}]
        reply = client.chat.completions.create(model=MODEL, messages=messages)
        memory.after_run([*messages, reply.choices[0].message.model_dump()])
        """
        return self._plugin.before(self, prompt, tokens)

    def after_run(self, messages: Sequence[Mapping[str, Any]]) -> list[Receipt]:
        """Archive the last user and assistant message, and file the answer's directives.

        Args:
            messages: as the OpenAI API has them.
        """
        return self._plugin.after(self, messages)

    @cached_property
    def _plugin(self) -> Plugin:
        return Plugin()

    def known_facts(self, text: str, limit: int) -> list[Entry]:
        """Live facts about the same things as a text, for a curator to leave out."""
        hits = self.search(text, Filter(FACTS), limit, threshold=0.0).hits
        return [hit.entry for hit in hits]

    def related_fact(self, text: str) -> Entry | None:
        """The live fact that a new one may replace or repeat: similarity 0.7 or more."""
        for entry, similarity in self.meaning.neighbours([text]).get(text, ()):
            if entry.status is Status.LIVE and not filing.says_the_same(entry.text, text, 0.0):
                return entry if similarity >= filing.RELATED_SIMILARITY else None
        return None

    def apply_plan(self, plan: Plan, *, dry_run: bool = False) -> list[Receipt]:
        """Write a curation's plan as one operation; a dry run says what it would do."""
        neighbours = self.meaning.neighbours(p.text for p in plan.proposals)
        try:
            with self._operation(neighbours=neighbours) as writer:
                receipts = plan.write(writer)
                if dry_run:
                    raise _DryRun
        except _DryRun:  # nothing has these ids
            made = (Outcome.STORED, Outcome.SUPERSEDED, Outcome.PENDING, Outcome.CORE_UPDATED)
            return [replace(r, op=None, id=None if r.outcome in made else r.id) for r in receipts]
        self._logged(receipts)
        self.render_page()
        return receipts

    def import_records(
        self, records: Iterable[Mapping[str, Any]], progress: Progress | None = None
    ) -> Imported:
        """Take in conversations and facts from elsewhere; see ``exchange.records`` for the keys.

        They have origin import and keep their dates. Recollections give ``external_id`` back.
        Vectors are made afterwards: see ``embed_pending``.
        """
        from nosis.memory import exchange

        done = exchange.import_records(self, records, progress)
        self._page_outdated = True
        return done

    # -- inside ----------------------------------------------------------------------------------

    def _one(self, query_or_id: str) -> Entry:
        """The entry with this id, or the one live fact that these words clearly mean."""
        text = query_or_id.strip()
        if found := self.store.get([text]):
            return found[0]
        self._check_not_inherited(text)
        matches = self._meant(text)
        if len(matches) == 1:
            return matches[0]
        if not matches and self.base:
            for theirs in self.base._meant(text):
                self._check_not_inherited(theirs.id)
        if not matches:
            raise UsageError(
                f"no memory matches {text!r}",
                "Find its id with: nosis memory search WORDS (of a forgotten one: nosis memory "
                "list --status forgotten)",
            )
        listed = "; ".join(f"{f.id} ({f.text[:60]})" for f in matches[:5])
        raise UsageError(f"{len(matches)} memories match {text!r}", f"Name one by its id: {listed}")

    def _meant(self, text: str) -> list[Entry]:
        """The live facts that hold all of these words, or those that are just these."""
        wanted = set(terms(text))
        hits, _ = self.store.search_words(sorted(wanted), 50, Filter(FACTS))
        facts = [d.entry for d in self.store.documents([hit.row for hit in hits])]
        matches = [f for f in facts if wanted and wanted <= set(terms(f.text))]
        return [f for f in matches if f.text.casefold() == text.casefold()] or matches


class _DryRun(Exception):
    """Leaves a write block without writing."""
