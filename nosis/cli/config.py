"""``nosis config …``: the settings in force, and where they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.opened import load_settings
from nosis.settings import Settings

_PASSWORD = re.compile(r"(?<=://)([^/@\s]+)@")


@dataclass(frozen=True, slots=True)
class Shown:
    """One setting as people may see it: secrets are masked."""

    name: str
    variable: str
    value: Any
    source: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def show(arguments: Arguments) -> None:
    """Each setting with its value and source."""
    found = list(settings_shown(load_settings(arguments)))
    if arguments.json:
        output.data([setting.to_json() for setting in found])
        return
    width = max(len(setting.variable) for setting in found)
    output.lines(
        f"{s.variable:<{width}}  {'(not set)' if s.value is None else s.value}  ({s.source})"
        for s in found
    )


def path(arguments: Arguments) -> None:
    """Where the workspace's files are."""
    from nosis.memory import home

    settings = load_settings(arguments)
    place = home.find_home(settings.home)
    folder = home.workspace_folder(place, settings.workspace)
    if arguments.json:
        output.data({"home": str(place), "workspace": settings.workspace, "path": str(folder)})
    else:
        output.line(str(folder))


def settings_shown(settings: Settings) -> Iterator[Shown]:
    """All settings, in the order of their declaration."""
    for option in fields(settings):
        if variable := option.metadata.get("variable"):
            value, source = getattr(settings, option.name), settings.source(option.name)
            if option.name == "home":
                value, source = _home(settings)
            elif value is not None and "key" in option.name:
                value = _masked(str(value))
            elif isinstance(value, str):
                value = _PASSWORD.sub("…@", value)
            yield Shown(option.name, variable, value, source)


def _home(settings: Settings) -> tuple[str, str]:
    from nosis.memory import home

    place = home.find_home(settings.home)
    if settings.home:
        return str(place), settings.source("home")
    project = place.name == home.PROJECT_FOLDER and place.parent in (
        Path.cwd(),
        *Path.cwd().parents,
    )
    return str(place), "the nearest .nosis folder" if project else "the user's data folder"


def _masked(secret: str) -> str:
    """Enough of a key to tell it from another one."""
    return f"{secret[:3]}…{secret[-4:]}" if len(secret) >= 16 else "…"
