"""``nosis workspaces copy``: a whole workspace to another place, files or database."""

from __future__ import annotations

from dataclasses import replace

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.opened import load_settings, tell_notices
from nosis.cli.progress import Bar
from nosis.errors import StorageError, UsageError
from nosis.settings import Settings


def copy(arguments: Arguments) -> None:
    """Copy every event of one workspace into another, make vectors, and prove that all came.

    Run again after an interruption, it goes on; events that are there already are left out.
    """
    from nosis.memory.exchange import import_events
    from nosis.memory.home import unknown_workspace
    from nosis.opening import list_workspaces, open_memory

    settings = load_settings(arguments)
    source_at, target_at = (
        _named(settings, arguments.source or ""),
        _named(settings, arguments.name),
    )
    if source_at == target_at:
        raise UsageError("a workspace cannot be copied to itself", "Name another one.")
    if source_at.workspace not in list_workspaces(source_at):
        raise unknown_workspace(arguments.source or "")
    with Bar() as bar, open_memory(source_at) as source, open_memory(target_at) as target:
        tell_notices(source)
        total = int(source.store.health()["events"])
        before = int(target.store.health()["events"])
        events = (event for _, event in source.store.events())
        import_events(target, events, bar.update, total)
        added = int(target.store.health()["events"]) - before
        there = {event["event"] for _, event in target.store.events()}
        missing = sum(event["event"] not in there for _, event in source.store.events())
        target.embed_all(bar.update)
        tell_notices(target)
    if missing:
        raise StorageError(
            f"{missing} of {total} events did not come over: {arguments.name} has other "
            "entries under their ids",
            "Copy into an empty workspace.",
        )
    if arguments.json:
        output.data({"events": total, "added": added, "known": total - added})
    else:
        output.line(f"copied: {total} events, {added} of them new in {arguments.name}")


def _named(settings: Settings, name: str) -> Settings:
    """The settings of a workspace written as NAME, local:NAME or hosted:NAME."""
    place, colon, workspace = name.rpartition(":")
    if place == "local":
        return replace(settings, workspace=workspace, database_url=None)
    if colon and place != "hosted":
        raise UsageError(f"not a place: {place!r}", "Write NAME, local:NAME or hosted:NAME.")
    if colon and settings.database_url is None:
        raise UsageError(f"{name} needs a database", "Set NOSIS_DATABASE_URL to postgresql://…")
    return replace(settings, workspace=workspace)
