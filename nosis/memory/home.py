"""Where workspaces live: the home folder, and the folder of a workspace name."""

from __future__ import annotations

import re
from pathlib import Path

from nosis.errors import StorageError, UsageError

PROJECT_FOLDER = ".nosis"
DEFAULT_WORKSPACE = "default"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
# Device names that Windows reserves in every folder.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))}


def find_home(explicit: str | Path | None = None, folder: Path | None = None) -> Path:
    """The home: the explicit one, else the nearest ``.nosis/`` here or above, else the
    platform's user data folder. Nothing is created."""
    if explicit:
        return Path(explicit).expanduser().absolute()
    here = (folder or Path.cwd()).absolute()
    for place in (here, *here.parents):
        if (project := place / PROJECT_FOLDER).is_dir():
            return project
    import platformdirs

    return Path(platformdirs.user_data_dir("nosis", appauthor=False))


def check_name(name: str) -> str:
    """The name itself, if it can be a workspace's on every file system.

    Raises:
        UsageError: it is empty, too long, has other characters, or could leave its folder.
    """
    if (
        _NAME.fullmatch(name)
        and ".." not in name
        and name.split(".", maxsplit=1)[0] not in _RESERVED
    ):
        return name
    suggestion = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:63]
    raise UsageError(
        f"not a workspace name: {name!r}",
        "Use 1 to 64 lower-case letters, digits, '.', '-' and '_', starting and ending with a "
        "letter or digit" + (f", such as {suggestion!r}." if suggestion else "."),
    )


def unknown_workspace(name: str) -> UsageError:
    """What to raise for a workspace that should exist and does not."""
    return UsageError(f"there is no workspace {name!r}", "See them with: nosis workspaces list")


def workspace_folder(home: Path, name: str) -> Path:
    """The folder of a workspace; it may not exist yet."""
    return home / "workspaces" / check_name(name)


def hosted_folder(home: Path, name: str) -> Path:
    """Where this machine keeps what a hosted workspace needs here; it may not exist yet."""
    return home / "hosted" / check_name(name)


def list_workspaces(home: Path) -> list[str]:
    """Names of the workspaces of a home, sorted."""
    root = home / "workspaces"
    if not root.is_dir():
        return []
    return sorted(p.name for p in root.iterdir() if p.is_dir() and _NAME.fullmatch(p.name))


def make_private(folder: Path) -> None:
    """Create a folder (and its parents) that only its owner can enter.

    Raises:
        StorageError: it cannot be created.
    """
    try:
        missing = [p for p in (folder, *folder.parents) if not p.exists()]
        for place in reversed(missing):
            place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"cannot create {folder}: {error.strerror}",
            "Choose a folder you can write to with --home or NOSIS_HOME.",
        ) from error
