"""Recall as an operation: what is searched for a message, and what of it belongs into a prompt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from nosis.memory import core as core_memory
from nosis.memory import recall
from nosis.memory.filing.contradiction import conflicts
from nosis.memory.filing.writing import FACTS, PRUNED
from nosis.memory.operations.core_fields import CoreFields
from nosis.memory.recall.asked import brief, has_topic, is_overview, only_asks, sentences
from nosis.memory.text import clean
from nosis.memory.types import CoreMemory, Filter, Kind, Recall, Recollection, Status
from nosis.tokens import count

PROMPT_LIMIT = 40  # recollections that a prompt's token budget chooses from
CRITICAL_LIMIT = 5  # facts that stand in when nothing matches


class Recollecting(CoreFields):
    """Search, and the block of a prompt, in a workspace and the one that it inherits from."""

    def search(
        self,
        query: str,
        where: Filter | None = None,
        limit: int = 5,
        threshold: float | None = None,
    ) -> Recall:
        """As ``recall``, with near misses and a notice where vectors cannot serve."""
        query = brief(query)
        found = self._search(query, where or Filter(), limit, threshold)
        if self.base is None:
            return found
        theirs = self._current(self.base.search(query, where, limit, threshold))
        return recall.with_inherited(found, theirs, self.base.workspace, limit)

    def whole_core(self) -> CoreMemory:
        """Core memory for a prompt: with what is inherited. Own values win, preferences add up but
        for those that were corrected here."""
        own = self.core()
        if self.base is None:
            return own
        theirs = self.base.whole_core()
        mirrors = self.base.store.find(Filter(FACTS, core=True))
        gone = self._corrected(entry.id for entry in mirrors)
        corrected = {entry.text for entry in mirrors if entry.id in gone}
        whole = {**theirs, **own}
        for field in {*theirs} & {*own} | {e.field for e in mirrors if e.id in gone and e.field}:
            mine = core_memory.values(own, field)
            kept = [
                value
                for value in core_memory.values(theirs, field)
                if core_memory.mirror_text(field, value) not in corrected
                and not any(conflicts(field, value, new) for new in mine)
            ]
            if field in core_memory.LIST_FIELDS:
                whole = core_memory.with_value(whole, field, list(dict.fromkeys([*kept, *mine])))
            elif field not in own:
                many = isinstance(theirs[field], list)
                whole = core_memory.with_value(whole, field, kept if many else "".join(kept))
        return whole

    def recollect(
        self,
        message: str,
        budget: int,
        session: str | None = None,
        muted: Collection[str] = (),
    ) -> Recall:
        """What belongs into the prompt of a message: the best memories within a token budget.

        Facts that mirror core memory and the session's own turns are in the prompt already;
        ``muted`` ids are left out. Where nothing matches, the critical facts stand in; small
        talk asks for none. A question for all that is known gets the most important facts.
        """
        message = brief(message)
        where = Filter(not_session=session, core=False, material_turns=False)
        if is_overview(message):
            facts = replace(where, kinds=FACTS)
            found = Recall(self._foremost(facts, PROMPT_LIMIT, "all that is known"))
        else:
            found = self._told(message, where, PROMPT_LIMIT + len(muted))
        if not found.hits and has_topic(message):
            critical = replace(where, kinds=FACTS, min_importance=recall.CRITICAL)
            found = replace(found, hits=self._foremost(critical, CRITICAL_LIMIT, "important"))
        heard = replace(found, hits=tuple(h for h in found.hits if h.entry.id not in muted))
        return replace(heard, hits=recall.block(heard, budget, count))

    def _search(
        self, query: str, where: Filter, limit: int, threshold: float | None = None
    ) -> Recall:
        """The search in this workspace alone.

        A message of several sentences that finds nothing as a whole is searched for by its
        sentences: what one of them asks is lost among the others.
        """
        text, usable = clean(query), self.meaning.usable()

        def found(part: str) -> Recall:
            return recall.search(
                self.store,
                part,
                embed=self.meaning.embed if usable else None,
                where=where,
                limit=limit,
                now=self.clock(),
                threshold=threshold,
                scoring=self.scoring,
            )

        result = found(text)
        if not result.hits:
            result = recall.united([result, *map(found, sentences(text))], limit)
        if not self.meaning.usable():
            result = replace(result, notice=self.meaning.notice())
        return result

    def _told(self, message: str, where: Filter, limit: int) -> Recall:
        """What fits a message and may be told again.

        What the user once asked tells nothing, and the same question is its own best match. The
        turn that a forgotten fact came from would tell it after all.
        """
        found = self._search(message, where, limit)
        gone = self._forgotten_turns(found.hits)
        hits = tuple(
            hit
            for hit in found.hits
            if hit.entry.kind is not Kind.TURN
            or not (
                hit.entry.turn in gone or (hit.entry.role == "user" and only_asks(hit.entry.text))
            )
        )
        found = replace(found, hits=hits)
        if self.base is None:
            return found
        theirs = self._current(self.base._told(message, where, limit))
        return recall.with_inherited(found, theirs, self.base.workspace, limit)

    def _forgotten_turns(self, hits: Sequence[Recollection]) -> set[str | None]:
        """Those of the turns of these hits' sessions from which a fact was forgotten by someone."""
        forgotten = Filter(FACTS, (Status.FORGOTTEN,))
        if not self.store.count(forgotten):
            return set()
        sessions = {hit.entry.session for hit in hits if hit.entry.kind is Kind.TURN} - {None}
        return {
            fact.turn
            for session in sessions
            for fact in self.store.find(replace(forgotten, session=session))
            if fact.turn and fact.reason != PRUNED
        }

    def _current(self, theirs: Recall) -> Recall:
        """What the base workspace found, without what was corrected here."""
        gone = self._corrected(hit.entry.id for hit in (*theirs.hits, *theirs.near_misses))
        return replace(
            theirs,
            hits=tuple(hit for hit in theirs.hits if hit.entry.id not in gone),
            near_misses=tuple(hit for hit in theirs.near_misses if hit.entry.id not in gone),
        )

    def _corrected(self, inherited: Iterable[str]) -> set[str]:
        """Those ids of the base workspace's memories that a fact of this one supersedes."""
        own = self.store.get(list(inherited))
        return {entry.id for entry in own if entry.status is Status.SUPERSEDED}

    def _foremost(self, where: Filter, limit: int, why: str) -> tuple[Recollection, ...]:
        """The most important entries, for a prompt that nothing in particular matches."""
        own = self.store.find(where, limit, by="importance")
        hits = tuple(Recollection(entry, 0.0, reasons=(why,)) for entry in own)
        if self.base is None:
            return hits
        theirs = self._current(Recall(self.base._foremost(where, limit, why))).hits
        return recall.joined(hits, recall.inherited(theirs, self.base.workspace), limit)
