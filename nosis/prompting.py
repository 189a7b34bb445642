"""What a model is sent: system message, history, recalled block, material, the user's words.

The system message changes only when core memory does, and history only grows until it is
compacted, so a server's prompt cache keeps hitting. What changes each turn comes last.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from nosis.errors import UsageError
from nosis.memory.recall.block import core_text, recalled_block
from nosis.memory.text import clean, neutralise
from nosis.memory.types import CoreMemory, Recollection
from nosis.models import Message

DEFAULT_WINDOW = 8_192  # tokens, where neither the model nor a setting tells
ANSWER_SHARE = 0.25
RECALL_SHARE = 0.25
MESSAGE_TOKENS = 4  # what a chat template adds around one message
_SUMMARY_LINE = 120  # characters of a dropped message that its summary keeps

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Shares:
    """How one request spends the context window, in tokens."""

    window: int
    system: int
    recalled: int
    history: int
    message: int
    answer: int  # reserved for the reply

    @property
    def prompt(self) -> int:
        return self.system + self.recalled + self.history + self.message


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model wrote of a history's oldest messages; it stands for the first ``upto``."""

    text: str = ""
    upto: int = 0


NO_SUMMARY = Summary()


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages of one request, what they cost, and how much history they leave out."""

    messages: tuple[Message, ...]
    shares: Shares
    dropped: int  # oldest messages of the history that a summary stands for
    trimmed: int  # characters cut out of the middle of the material
    said: str  # what history keeps of this message: material and words, no recollections


@cache
def template(name: str) -> str:
    """A template from ``prompts/``: beside the package in a checkout, inside it in a wheel."""
    here = Path(__file__).parent
    for folder in (here / "prompts", here.parent / "prompts"):
        if (path := folder / name).is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(name)


def system_message(core: CoreMemory) -> str:
    """Instructions and core memory; the same bytes for the same core memory."""
    return template("system.md").replace("{core}", core_text(core))


def build(
    *,
    core: CoreMemory,
    recalled: Sequence[Recollection],
    history: Sequence[Message],
    message: str,
    material: str,
    window: int | None,
    now: float,
    count: Count,
    already_dropped: int = 0,
    summary: Summary = NO_SUMMARY,
    fence: str | None = None,
) -> Prompt:
    """The request for one turn, never larger than the window less the answer's share.

    Args:
        history: earlier messages of the session, oldest first.
        already_dropped: messages that earlier turns of this session left out already.
        summary: what a model wrote of the oldest messages.
        count: tokens of a text.

    Raises:
        UsageError: the message alone does not fit.
    """
    count = cache(count)  # most texts are counted twice: to fit, and to be shown as shares
    window = window or DEFAULT_WINDOW
    answer = int(window * ANSWER_SHARE)
    fence = fence or secrets.token_hex(4)
    system = system_message(core)
    block = recalled_block(recalled, fence)
    today = f"Today is {datetime.fromtimestamp(now).astimezone():%A, %Y-%m-%d}."
    words = clean(message)
    fixed = count(system) + count(today) + count(words) + 3 * MESSAGE_TOKENS
    left = window - answer - fixed
    if left < 0:
        raise UsageError(
            f"the message needs about {fixed} tokens, and the model takes {window - answer}",
            "Send a shorter message, or set NOSIS_CONTEXT_WINDOW to the model's real size.",
        )
    block_tokens = min(count(block), left) if block else 0
    if block_tokens == left:
        block, block_tokens = "", 0
    material, trimmed = _fit_material(clean(material), left - block_tokens, count)
    pasted = f"<material-{fence}>\n{material}\n</material-{fence}>" if material else ""
    material_tokens = count(pasted)
    room = left - block_tokens - material_tokens
    kept, dropped = _fit_history(history, room, count, already_dropped, summary)
    content = "\n\n".join(part for part in (block, pasted, today, words) if part)
    messages = (Message("system", system), *kept, Message("user", content))
    shares = Shares(
        window,
        count(system) + MESSAGE_TOKENS,
        block_tokens,
        sum(count(m.content) + MESSAGE_TOKENS for m in kept),
        material_tokens + count(today) + count(words) + MESSAGE_TOKENS,
        answer,
    )
    said = "\n\n".join(part for part in (pasted, words) if part)
    return Prompt(messages, shares, dropped, trimmed, said)


def recall_budget(window: int | None, setting: int) -> int:
    """Tokens that recalled memories may take."""
    return min(setting, int((window or DEFAULT_WINDOW) * RECALL_SHARE))


def _fit_material(material: str, room: int, count: Count) -> tuple[str, int]:
    """Material within its room, its middle cut out where it is too long, and the cut's length."""
    if not material or count(material) + 2 * MESSAGE_TOKENS * 4 <= room:
        return material, 0
    keep = len(material)
    while keep > 16:
        keep = int(keep * 0.7)
        head, tail = material[: keep * 2 // 3], material[len(material) - keep // 3 :]
        shorter = (
            f"{head}\n[… {len(material) - len(head) - len(tail)} characters left out …]\n{tail}"
        )
        if count(shorter) + 2 * MESSAGE_TOKENS * 4 <= room:
            return shorter, len(material) - len(head) - len(tail)
    return "", len(material)


def _fit_history(
    history: Sequence[Message],
    room: int,
    count: Count,
    already_dropped: int,
    written: Summary,
) -> tuple[list[Message], int]:
    """The newest messages that fit, after a summary of those that do not.

    Once something must go, half of the room is freed, so that the next turns keep the same
    beginning (and the server's cache) instead of dropping one message each.
    """
    dropped = min(already_dropped, len(history))
    costs = [count(m.content) + MESSAGE_TOKENS for m in history[dropped:]]
    summary = _summary(history[:dropped], written)
    if count(summary) + sum(costs) > room:
        budget, start = room // 2, len(history)
        while costs and costs[-1] <= budget:
            start -= 1
            budget -= costs.pop()
        while start < len(history) and history[start].role != "user":
            start += 1  # a history that begins with an answer confuses chat templates
        dropped = start
        summary = _summary(history[:dropped], written)
        while summary and count(summary) > max(room // 4, 0):
            summary = summary.rpartition("\n")[0]
    kept = list(history[dropped:])
    if summary and dropped:
        kept = [
            Message("user", summary),
            Message("assistant", "Understood."),
            *kept,
        ]
    return kept, dropped


def _summary(messages: Sequence[Message], written: Summary) -> str:
    """What stands for messages: the model's summary as far as it goes, then the beginning of each
    of the user's."""
    upto = written.upto if written.upto <= len(messages) else 0
    parts = [f"Our conversation so far, in short: {written.text}"] if upto else []
    said = [m for m in messages[upto:] if m.role == "user"]
    if said:
        parts.append("Earlier in this conversation I said:")
        parts += [f"- {neutralise(m.content)[:_SUMMARY_LINE]}" for m in said[-40:]]
    return "\n".join(parts)
