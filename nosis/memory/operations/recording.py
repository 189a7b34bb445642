"""Recording turns: in the store, or in the outbox while the store's server is away."""

from __future__ import annotations

from collections.abc import Sequence

from nosis.errors import ReadOnlyError, StorageError, UnreachableError
from nosis.memory import ids
from nosis.memory.filing import turns
from nosis.memory.filing.operation import Operation
from nosis.memory.filing.writing import FACTS
from nosis.memory.operations.workspace import Workspace
from nosis.memory.outbox import Outbox, Turn, said
from nosis.memory.recall import inherited
from nosis.memory.redact import redact
from nosis.memory.text import clean
from nosis.memory.types import Directive, Filter, Origin, Receipt, Recollection


class Recording(Workspace):
    """Memory's operations on turns."""

    def record_turn(
        self,
        session: str,
        user: str,
        answer: str,
        directives: Sequence[Directive] = (),
        *,
        material: str = "",
        tainted: bool = False,
        recalled: Sequence[Recollection] = (),
    ) -> tuple[str, list[Receipt]]:
        """Archive one turn and file its directives, as one transaction.

        Where the server of a hosted workspace does not answer or takes no writes, the turn is
        kept on this machine and recorded later, once; it has no receipts yet.

        Args:
            material: pasted, piped or file text of this turn.
            tainted: an earlier turn of the conversation held material, which the model still
                sees: what the user did not say waits, and the answer is not recalled by itself.
            recalled: what the model was shown.

        Returns:
            The turn's id and a receipt for each directive.
        """
        self.check_writable()
        turn = Turn(
            ids.new_id("t", 9),
            Operation(self.agent, 0.0).id,
            self.clock(),
            self.agent,
            session,
            user,
            answer,
            tuple(directives),
            material,
            tainted,
            tuple(hit.entry.id for hit in recalled if not hit.workspace),
        )
        try:
            self.deliver()
            return turn.id, self._record(turn, recalled)
        except (UnreachableError, ReadOnlyError) as error:
            if self._core_file:  # files of this machine: there is no better place to keep it
                raise
            self.outbox.add(turn)
            self.notices.append(f"{error.message}: this turn is kept here and remembered later")
            return turn.id, []

    @property
    def outbox(self) -> Outbox:
        """Turns that wait for the server of a hosted workspace."""
        return Outbox(self.folder)

    def deliver(self) -> int:
        """Record the turns that wait in the outbox, each once; how many there were.

        Raises:
            UnreachableError: the server still does not answer.
        """
        if not self.outbox.waiting():
            return 0
        with self.outbox.taken() as (waiting, kept):
            for turn in waiting:
                shown = [Recollection(e, 0.0) for e in self.store.get(turn.recalled)]
                try:
                    self._record(turn, shown)
                except (UnreachableError, ReadOnlyError):
                    raise
                except StorageError as error:
                    kept.append(turn)
                    self.notices.append(f"a kept turn waits on: {error.message}")
            done = [turn for turn in waiting if turn not in kept]
        if done:
            self.notices.append(f"{said(done)} kept while the server was away: remembered now")
        return len(done)

    def _record(self, turn: Turn, recalled: Sequence[Recollection]) -> list[Receipt]:
        base_core: list[Recollection] = []
        if self.base:
            mirrors = self.base.store.find(Filter(FACTS, core=True))
            base_core = inherited([Recollection(e, 0.0) for e in mirrors], self.base.workspace)
        asked = [
            turns.judge(
                directive,
                turn.user,
                turn.material,
                recalled,
                turn.at,
                tainted=turn.tainted,
                base_core=base_core,
            )
            for directive in turn.directives
        ]
        neighbours = self.meaning.neighbours([ask.text for ask in asked])
        self._take_over_core_file()
        op = Operation(turn.agent, turn.at, session=turn.session, turn=turn.id, op=turn.op)
        with self._writing(op, neighbours) as writer:
            if next(self.store.events(op=turn.op), None):
                return []  # an earlier try had arrived
            repeats = Origin.MATERIAL if turn.material or turn.tainted else Origin.ASSISTANT
            material = redact(clean(turn.material))
            writer.message("user", redact(clean(turn.user)), Origin.USER, material)
            writer.message("assistant", redact(clean(turn.answer)), repeats)
            writer.accessed(turn.recalled)
            receipts = turns.file_all(writer, asked)
        return self._logged(receipts, turn.session)
