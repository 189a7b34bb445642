"""``nosis models …``: the model files that nosis knows."""

from __future__ import annotations

from nosis.cli import output
from nosis.cli.arguments import Arguments
from nosis.cli.opened import load_settings
from nosis.cli.progress import Bar


def listing(arguments: Arguments) -> None:
    """Known models, and which are here."""
    from nosis.models import hub

    load_settings(arguments)
    if arguments.json:
        output.data(
            [
                {
                    "name": model.name,
                    "bytes": model.size,
                    "licence": model.licence,
                    "about": model.about,
                    "here": model.is_here,
                    "path": str(model.path),
                    "url": model.url,
                }
                for model in hub.KNOWN
            ]
        )
        return
    for model in hub.KNOWN:
        where = f"here: {model.path}" if model.is_here else f"nosis models get {model.name}"
        size = f"{model.size / 1e9:.1f} GB"
        output.lines([f"{model.name}  {size}  {model.licence}  {model.about}  ({where})"])


def get(arguments: Arguments) -> None:
    """Fetch a model file, and say how to use it."""
    from nosis.models import hub

    load_settings(arguments)
    with Bar() as bar:
        path = hub.get(
            arguments.name,
            arguments.source,
            lambda done, total: bar.update("fetching", done, total),
        )
    if arguments.json:
        output.data({"name": arguments.name, "path": str(path)})
    else:
        output.line(f"{arguments.name} is here: {path}")
        output.note(f"use it with: NOSIS_MODEL={path} nosis (pip install 'nosis-agent[local]')")
