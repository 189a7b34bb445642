"""``nosis workspaces …`` and ``nosis init``: where memories live."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.ask import confirm
from nosis.cli.opened import load_settings
from nosis.errors import UsageError, opened_read_only


def listing(arguments: Arguments) -> None:
    """The workspaces of this home, or of the database that the settings name."""
    from nosis.memory import home
    from nosis.opening import list_workspaces

    settings = load_settings(arguments)
    place = home.find_home(settings.home)
    names = list_workspaces(settings)
    where = home.hosted_folder if settings.database_url else home.workspace_folder
    if arguments.json:
        output.data(
            [
                {
                    "name": name,
                    "path": str(where(place, name)),
                    "current": name == settings.workspace,
                }
                for name in names
            ]
        )
        return
    output.lines(f"{'*' if name == settings.workspace else ' '} {name}" for name in names)
    if not names:
        there = "the database" if settings.database_url else place
        output.note(f"no workspaces in {there} yet; the first is made when something is kept")


def create(arguments: Arguments) -> None:
    """Make an empty workspace."""
    from nosis.memory import home
    from nosis.opening import list_workspaces

    settings = load_settings(arguments)
    place = home.find_home(settings.home)
    folder = home.workspace_folder(place, arguments.name)
    exists = arguments.name in list_workspaces(settings) if settings.database_url else None
    if folder.exists() if exists is None else exists:
        raise UsageError(
            f"the workspace {arguments.name!r} exists already",
            f"Use it with: nosis -w {arguments.name}",
        )
    if settings.database_url:
        from nosis.memory.store.postgres import workspaces

        workspaces.create(settings.database_url, arguments.name)
        folder = home.hosted_folder(place, arguments.name)
    home.make_private(folder)
    _tell(arguments, "created", folder)


def delete(arguments: Arguments) -> None:
    """Delete a workspace and all it holds."""
    from nosis.memory import home
    from nosis.opening import list_workspaces

    settings = load_settings(arguments)
    where = home.hosted_folder if settings.database_url else home.workspace_folder
    folder = where(home.find_home(settings.home), arguments.name)
    if arguments.name not in list_workspaces(settings):
        raise home.unknown_workspace(arguments.name)
    if settings.read_only == "on":
        raise opened_read_only(arguments.name)
    if folder.is_symlink():
        raise UsageError(
            f"the workspace {arguments.name} is a link to {folder.resolve()}",
            f"Delete that folder and the link yourself: {folder}",
        )
    there = "in the database" if settings.database_url else str(folder)
    confirm(arguments, f"delete the workspace {arguments.name} and all it holds ({there})")
    if settings.database_url:
        from nosis.memory.store.postgres import workspaces

        workspaces.delete(settings.database_url, arguments.name)
        if not folder.is_dir():
            _tell(arguments, "deleted", folder)
            return
    # Renamed first: a deletion that stops half-way leaves no half of a workspace behind.
    doomed = folder.with_name(f".deleted-{arguments.name}-{secrets.token_hex(4)}")
    folder.rename(doomed)
    shutil.rmtree(doomed)
    _tell(arguments, "deleted", folder)


def init(arguments: Arguments) -> None:
    """Keep the memories of this folder in it."""
    from nosis.memory import home

    folder = Path.cwd() / home.PROJECT_FOLDER
    if folder.is_dir():
        output.note(f"{folder} is there already")
    else:
        home.make_private(folder)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
    _tell(arguments, "memories of this folder are in", folder)


def _tell(arguments: Arguments, what: str, folder: Path) -> None:
    if arguments.json:
        output.data({"name": folder.name, "path": str(folder)})
    else:
        output.line(f"{what}: {folder}")
