"""``nosis curate``: what was said since the last run, distilled into facts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from nosis.cli import output, shown
from nosis.cli.arguments import Arguments
from nosis.cli.opened import load_settings, opened
from nosis.cli.progress import Bar
from nosis.errors import ExitCode, NosisError
from nosis.memory.types import Outcome, Receipt

if TYPE_CHECKING:
    from nosis.agent import Agent
    from nosis.curation import CurationResult
    from nosis.memory import Memory

# What a dry run says in place of an outcome, as a diff.
_WOULD = {
    Outcome.STORED: "+ would store",
    Outcome.SUPERSEDED: "~ would store",
    Outcome.CORE_UPDATED: "~ would set in core memory",
    Outcome.FORGOTTEN: "- would forget",
    Outcome.PENDING: "? would ask you about",
    Outcome.DUPLICATE: "= knows already",
    Outcome.REJECTED: "! would refuse",
}


def curate(arguments: Arguments) -> ExitCode:
    """Run the curator, or with ``--dry-run`` show what it would do."""
    with opened(arguments, writes=not arguments.dry_run) as memory:
        result = asyncio.run(_curated(arguments, memory))
    if arguments.json:
        output.data(result.to_json())
    else:
        line = _would if result.dry_run else shown.receipt_line
        for receipt in result.receipts:
            output.line(line(receipt))
        output.line(_summary(result))
    if result.errors:
        output.failure(result.errors[0], "Nothing is lost: run nosis curate again.")
        return ExitCode.MODEL
    return ExitCode.OK


async def before_leaving(agent: Agent, arguments: Arguments) -> None:
    """Curate at the end of a headless conversation, where a flag or a setting asks for it.

    What was answered stays answered: a failure is a notice.
    """
    from nosis import curation

    if not arguments.curate and agent.settings.auto_curate != "always":
        return
    memory, model = await agent.ready()
    try:
        if not await asyncio.to_thread(curation.unread_turns, memory):
            return
        with Bar() as bar:
            result = await curation.curate_with(agent.settings, memory, model, progress=bar.update)
        await asyncio.to_thread(memory.embed_pending)
    except NosisError as error:
        output.notice(f"not curated: {error.message}", error.hint)
        return
    for receipt in result.receipts:
        output.note(f"memory: {shown.receipt_line(receipt)}")
    output.note(f"curated: {_summary(result)}")
    if result.errors:
        output.notice(result.errors[0], "Nothing is lost: nosis curate reads it again.")


async def _curated(arguments: Arguments, memory: Memory) -> CurationResult:
    from nosis import curation

    settings = load_settings(arguments)
    if arguments.model:  # said now, so it counts more than the model for curation
        settings = replace(settings, curation_model=None)
    with Bar() as bar:
        return await curation.curate_with(
            settings, memory, dry_run=arguments.dry_run, progress=bar.update
        )


def _would(receipt: Receipt) -> str:
    """One line of a dry run's diff."""
    where = f" {receipt.field}" if receipt.field else ""
    return f"{_WOULD[receipt.outcome]}{where}: {receipt.words}"


def _summary(result: CurationResult) -> str:
    would = "would be " if result.dry_run else ""
    cost = "" if not result.cost_usd else f", {result.cost_usd:.4f} USD"
    found = f"{result.facts_extracted} fact{'' if result.facts_extracted == 1 else 's'} found"
    return (
        f"{found}; {result.facts_added} {would}added, "
        f"{result.memories_updated} {would}updated, {result.memories_pruned} {would}pruned, "
        f"of {result.existing_memories}{cost}"
    )
