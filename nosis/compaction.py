"""What becomes of a conversation's beginning once it no longer fits into the model's window.

First its facts are kept, by curation; then the model writes a summary that stands for it, also
where another process continues the session. Both happen after a turn, beside the conversation.
Until the summary is there, and where there is no model for it, the beginnings of the user's
messages stand in (see ``prompting``).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nosis import prompting, tokens
from nosis.errors import ModelError, NosisError
from nosis.memory import summaries
from nosis.memory.text import neutralise
from nosis.models import Message, Model, Request, complete
from nosis.models.offline import OfflineModel
from nosis.protocol import parse

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.settings import Settings

_ANSWER_TOKENS = 400
_MESSAGE_TOKENS = 300  # of one message that the model reads for its summary


class Compaction:
    """The summary of one conversation, and the work on the next one."""

    def __init__(self) -> None:
        self.summary = prompting.Summary()
        self._work: asyncio.Task[None] | None = None

    def begin(
        self,
        memory: Memory,
        model: Model,
        settings: Settings,
        session: str,
        left_out: Sequence[Message],
        *,
        keep_facts: bool,
        keep_summary: bool,
    ) -> None:
        """Start to replace the messages that a prompt left out, if there are new ones."""
        if len(left_out) <= self.summary.upto or isinstance(model, OfflineModel):
            return

        async def work() -> None:
            from nosis.curation import curate_with

            if keep_facts:
                with contextlib.suppress(NosisError):  # what is not read now is read the next time
                    kept = await curate_with(settings, memory, model)
                    if kept.facts_added:
                        facts = f"{kept.facts_added} fact{'' if kept.facts_added == 1 else 's'}"
                        memory.notices.append(f"kept {facts} of the conversation's beginning")
            with contextlib.suppress(NosisError):
                text = await summarise(model, self.summary.text, left_out[self.summary.upto :])
                self.summary = prompting.Summary(text, len(left_out))
                if keep_summary:
                    last = left_out[-1].content
                    await asyncio.to_thread(
                        summaries.keep, memory.folder, session, text, len(left_out), last
                    )

        self._work = asyncio.create_task(work())

    def resume(self, memory: Memory, session: str, history: Sequence[Message]) -> None:
        """Take up the summary that an earlier process wrote of this session."""
        if found := summaries.kept(memory.folder, session, [m.content for m in history]):
            self.summary = prompting.Summary(*found)

    def cancel(self) -> None:
        """Let the work end, whatever it had reached."""
        if self._work:
            self._work.cancel()

    async def stop(self) -> None:
        """Give up what is not finished: the model is needed for something else."""
        if self._work:
            self.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._work
            self._work = None

    async def finished(self) -> None:
        """Wait for the work that was begun."""
        if self._work:
            await self._work


async def summarise(model: Model, earlier: str, messages: Sequence[Message]) -> str:
    """A model's summary of messages, and of the summary that stood before them.

    Raises:
        ModelError: there is no usable answer.
    """
    template = prompting.template("summary.md")
    window = model.context_window or prompting.DEFAULT_WINDOW
    room = window - _ANSWER_TOKENS - tokens.count(template) - tokens.count(earlier) - 64
    lines: list[str] = []
    for message in reversed(messages):  # the newest matter most, if not all fit
        said = tokens.fit(message.content, _MESSAGE_TOKENS)
        line = f"{message.role}: {neutralise(said)}"
        room -= tokens.count(line) + 1
        if room < 0:
            break
        lines.insert(0, line)
    text = template.replace("{earlier}", earlier or "(nothing)")
    text = text.replace("{transcript}", "\n".join(lines))
    request = Request((Message("user", text),), max_tokens=_ANSWER_TOKENS)
    answer, finish = await complete(model, request)
    summary = " ".join(parse(answer).visible.split())
    if not summary or finish.reason == "length":
        raise ModelError("the model gave no usable summary")
    return summary
