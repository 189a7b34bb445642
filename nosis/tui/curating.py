"""Curation beside the conversation: after a session, or when it is asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nosis.errors import NosisError
from nosis.tui.cards import Card, Receipts

if TYPE_CHECKING:
    from nosis.curation import CurationResult
    from nosis.tui.chat import ChatScreen


MOST_SHOWN = 8  # receipts of one run in the conversation


async def curate(screen: ChatScreen, *, asked: bool) -> None:
    """Run the curator if there is something to read; show what it did.

    Args:
        asked: the user waits for it, so that nothing to do is worth a word, too.
    """
    from nosis import curation

    memory, model = screen.memory, screen.nosis.model
    if model is None or not await asyncio.to_thread(curation.unread_turns, memory):
        if asked:
            await screen.tell("nothing to reflect on", "Nothing was said since the last time.")
        return
    label = "reflecting on what was said…"
    screen.progress.say(label, can_stop=True)

    def progress(_: str, done: int, total: int) -> None:
        screen.progress.from_thread(label, done, total)

    try:
        result = await curation.curate_with(screen.nosis.settings, memory, model, progress=progress)
    except NosisError as error:
        if asked:
            await screen.fail(error)
        return
    finally:
        screen.progress.finish()
    if not asked:  # nobody waits for it: a word in the corner, nothing in the conversation
        if result.facts_added or result.memories_updated or result.memories_pruned:
            screen.notify(f"reflected: {_summary(result)} · /undo", timeout=6)
        return
    shown, more = result.receipts[:MOST_SHOWN], len(result.receipts) - MOST_SHOWN
    await screen.show(
        Card(f"reflected: {_summary(result)}", "\n".join((*result.errors, *result.doubts))),
        Receipts(memory, shown),
        *([Card(f"and {more:,} more: f2, history")] if more > 0 else []),
    )


def _summary(result: CurationResult) -> str:
    return (
        f"{result.facts_extracted} facts found, {result.facts_added} added, "
        f"{result.memories_updated} updated, {result.memories_pruned} pruned"
    )
