"""The conversations of a workspace: listing, finding, naming."""

from __future__ import annotations

from nosis.errors import UsageError
from nosis.memory.filing import undoing
from nosis.memory.operations.workspace import Workspace
from nosis.memory.redact import redact
from nosis.memory.store import SessionInfo
from nosis.memory.text import clean
from nosis.memory.types import Entry, Filter, Kind, Receipt

MAX_TITLE = 200  # characters


class Sessions(Workspace):
    """What Memory can do with whole conversations."""

    def conversation(self, session: str, limit: int | None = None) -> list[Entry]:
        """The messages of a session, oldest first (the newest ``limit`` of them)."""
        where = Filter((Kind.TURN,), session=session)
        return self.store.find(where, limit)[::-1]

    def sessions(self) -> list[SessionInfo]:
        """All sessions, the most recently used first."""
        return self.store.sessions()

    def session_to_continue(self, wanted: str | None) -> str | None:
        """Id of the session that ``find_session`` finds, or of the newest where none is wanted;
        None, with a notice, where there is no session yet.

        Raises:
            UsageError: no session is the wanted one, or several are.
        """
        if wanted:
            return self.find_session(wanted).id
        if known := self.sessions():
            return known[0].id
        self.notices.append("there is no session to continue: this is the first")
        return None

    def find_session(self, wanted: str) -> SessionInfo:
        """The session with this id or title, or the only one that begins so.

        Raises:
            UsageError: there is none, or several match.
        """
        known = self.sessions()
        text = wanted.strip().casefold()
        exact = [s for s in known if text in (s.id, s.title.casefold())]
        begun = [s for s in known if s.id.startswith(text) or s.title.casefold().startswith(text)]
        found = (exact or begun) if text else []
        if len(found) == 1:
            return found[0]
        if not found:
            raise UsageError(f"no session {wanted!r}", "See them with: nosis sessions list")
        listed = "; ".join(f"{s.id} ({s.title})" for s in found[:5])
        raise UsageError(
            f"{len(found)} sessions match {wanted!r}", f"Name one by its whole id: {listed}"
        )

    def rename_session(self, session: str, title: str) -> None:
        """Give a session a title of one line.

        Raises:
            UsageError: the title is empty or longer than 200 characters.
        """
        line = " ".join(redact(clean(title)).split())
        if not line or len(line) > MAX_TITLE:
            raise UsageError(
                f"a title has 1 to {MAX_TITLE} characters, not {len(line)}", "Give a short title."
            )
        with self._operation() as writer:
            writer.session(session, line)

    def delete_session(self, session: str) -> None:
        """Take a session off the lists; its messages stay in the archive and are recalled."""
        with self._operation() as writer:
            writer.session(session, None)

    def retract_turn(self, session: str, turn: str) -> list[Receipt]:
        """Take a turn back, so that it can be asked again without leaving a double.

        Its messages leave the conversation and are never recalled. What it wrote is undone,
        unless memory has changed since. The whole counts as an undo: ``undo`` skips it.
        """
        messages = [m for m in self.conversation(session) if m.turn == turn]
        if not messages:
            return []
        op = next(event["op"] for _, event in self.store.events(entry=messages[0].id))
        newest = self.store.last_op(self.agent) == op
        events = [event for _, event in self.store.events(op=op)]
        with self._operation(session=session, undoes=op) as writer:
            receipts = undoing.undo(writer, events) if newest else []
            for message in messages:
                writer.forget(message, "asked again")
        return self._logged(receipts, session)
