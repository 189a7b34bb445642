"""``nosis sessions …``: earlier conversations."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from nosis.cli import files, output, shown
from nosis.cli.arguments import Arguments
from nosis.cli.opened import opened
from nosis.memory.exchange import transcript

if TYPE_CHECKING:
    from nosis.memory.store import SessionInfo


def listing(arguments: Arguments) -> None:
    """Sessions, the newest first."""
    limit = arguments.count
    with opened(arguments) as memory:
        found = memory.sessions()[:limit]
        if arguments.json:
            output.data([_to_json(session) for session in found])
            return
        output.lines(
            f"{s.id}  {shown.day(s.updated_at)}  {_turns(s.turns):>9}  {output.one_line(s.title)}"
            for s in found
        )
        if not found:
            output.note("no sessions")


def show(arguments: Arguments) -> None:
    """The messages of a session."""
    with opened(arguments) as memory:
        session = memory.find_session(arguments.id)
        messages = memory.conversation(session.id)
        if arguments.json:
            output.data([shown.entry(message) for message in messages])
        else:
            output.page("\n\n".join(f"{transcript.speaker(m)}: {m.text}" for m in messages))


def rename(arguments: Arguments) -> None:
    """Give a session another title."""
    with opened(arguments) as memory:
        session = memory.find_session(arguments.id)
        memory.rename_session(session.id, arguments.words)
        renamed = memory.find_session(session.id)
        if arguments.json:
            output.data(_to_json(renamed))
        else:
            output.line(f"renamed {renamed.id}: {renamed.title}")


def delete(arguments: Arguments) -> None:
    """Take a session off the list."""
    with opened(arguments) as memory:
        session = memory.find_session(arguments.id)
        memory.delete_session(session.id)
        if arguments.json:
            output.data(_to_json(session))
            return
        output.line(f"deleted {session.id}: {session.title}")
        output.note("its messages stay in the archive; nosis memory purge ID removes words")


def export(arguments: Arguments) -> None:
    """Write a session as Markdown or JSON lines."""
    with opened(arguments) as memory:
        session = memory.find_session(arguments.id)
        messages = memory.conversation(session.id)
        if arguments.json or arguments.format == "jsonl":
            lines = [json.dumps(m.to_json(), ensure_ascii=False) + "\n" for m in messages]
        else:
            lines = [transcript.markdown(session.title, messages)]
        files.write(lines, arguments.file)


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _to_json(session: SessionInfo) -> dict[str, Any]:
    from nosis.memory.times import to_iso

    dates = {"started_at": to_iso(session.started_at), "updated_at": to_iso(session.updated_at)}
    return {**asdict(session), **dates}
