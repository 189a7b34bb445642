"""``nosis curate``: what was said since the last run, distilled into facts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from nosis.cli import output, shown
from nosis.cli.arguments import Arguments
from nosis.cli.opened import load_settings, opened
from nosis.cli.progress import Bar
from nosis.errors import ExitCode

if TYPE_CHECKING:
    from nosis.curation import CurationResult
    from nosis.memory import Memory


def curate(arguments: Arguments) -> ExitCode:
    """Run the curator, or with ``--dry-run`` show what it would do."""
    with opened(arguments, writes=not arguments.dry_run) as memory:
        result = asyncio.run(_curated(arguments, memory))
    if arguments.json:
        output.data(result.to_json())
    else:
        for receipt in result.receipts:
            output.line(shown.receipt_line(receipt))
        output.line(_summary(result))
    if result.errors:
        output.failure(result.errors[0], "Nothing is lost: run nosis curate again.")
        return ExitCode.MODEL
    return ExitCode.OK


async def _curated(arguments: Arguments, memory: Memory) -> CurationResult:
    from nosis import curation
    from nosis.models.connect import connect

    settings = load_settings(arguments)
    if settings.curation_model and not arguments.model:
        settings = replace(settings, model=settings.curation_model)
    model = await connect(settings)
    try:
        with Bar() as bar:
            return await curation.curate(
                memory, model, dry_run=arguments.dry_run, progress=bar.update
            )
    finally:
        await model.aclose()


def _summary(result: CurationResult) -> str:
    would = "would be " if result.dry_run else ""
    cost = "" if not result.cost_usd else f", {result.cost_usd:.4f} USD"
    return (
        f"{result.facts_extracted} facts found; {result.facts_added} {would}added, "
        f"{result.memories_updated} {would}updated, {result.memories_pruned} {would}pruned, "
        f"of {result.existing_memories}{cost}"
    )
