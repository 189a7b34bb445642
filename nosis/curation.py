"""The curator: recent conversation distilled into facts, contradictions settled, dust removed.

Everything a model says here is checked: JSON that is not of the documented shape and ids that were
not asked about change nothing, instructions wait for the user. The whole run is planned first and
written as one operation, so that it can be shown beforehand and undone afterwards.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from nosis import prompting, tokens
from nosis.errors import ModelError, NosisError
from nosis.memory import filing
from nosis.memory.filing.curated import Plan, Proposal, counts
from nosis.memory.store import Progress
from nosis.memory.text import neutralise
from nosis.memory.times import day, from_iso
from nosis.memory.types import Filter, Kind, Origin, Receipt, Status
from nosis.models import Finish, Message, Model, Request, complete
from nosis.models.offline import OfflineModel
from nosis.models.offline.person import about_user
from nosis.models.prices import cost_usd
from nosis.protocol import parse

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.settings import Settings

MAX_FACTS_A_RUN = 200
_ANSWER_TOKENS = 2_000
# A small model retells a long transcript instead of listing its facts (docs/curation.md).
_SMALL_WINDOW, _SMALL_PIECE = 8_192, 400  # tokens
_KNOWN_FACTS = 60  # shown to the model, so that it leaves them out
_QUESTION = re.compile(r"[^.!?\n]*\?+")  # what is asked is not said to be so
_FACTS_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "content": {"type": "string"},
            "category": {"type": "string"},
            "importance": {"type": "number"},
        },
        "required": ["content"],
    },
}
_RELATION_SCHEMA = {
    "type": "object",
    "properties": {"relation": {"enum": ["duplicate", "supersedes", "adds"]}},
    "required": ["relation"],
}


@dataclass(frozen=True, slots=True)
class CurationResult:
    """What a run did, or with ``dry_run`` would do."""

    facts_extracted: int = 0  # valid facts that the model gave, duplicates included
    facts_added: int = 0
    memories_updated: int = 0  # superseded by a newer fact, or promoted to core memory
    memories_pruned: int = 0
    existing_memories: int = 0  # live facts before the run
    cost_usd: float | None = 0.0  # None: no price is known for the model
    receipts: tuple[Receipt, ...] = ()
    errors: tuple[str, ...] = ()  # what was left for the next run, and why
    doubts: tuple[str, ...] = ()  # facts kept side by side since the model did not judge them
    dry_run: bool = False

    def to_json(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in self.__slots__}
        return {**record, "receipts": [receipt.to_json() for receipt in self.receipts]}


@dataclass(slots=True)
class _Spent:
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    errors: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def add(self, finish: Finish, request: Request, answer: str) -> None:
        sent = tokens.count(request.messages[-1].content)
        self.prompt += finish.prompt_tokens if finish.prompt_tokens is not None else sent
        self.cached += finish.cached_tokens
        said = finish.completion_tokens
        self.completion += said if said is not None else tokens.count(answer)


async def curate(
    memory: Memory, model: Model, *, dry_run: bool = False, progress: Progress | None = None
) -> CurationResult:
    """Curate what was said since the last run. A model error keeps everything as it is.

    The conversation up to the first error counts as read; the rest is for the next run.
    """
    await asyncio.to_thread(memory.check_writable)
    spent = _Spent()
    existing = await asyncio.to_thread(memory.store.count, Filter((Kind.FACT,)))
    parts, start = await asyncio.to_thread(_unread, memory, _room(model))
    proposals: list[Proposal] = []
    upto = start
    for number, part in enumerate(parts):
        if progress:
            progress("reading", number, len(parts))
        try:
            proposals += await _extract(memory, model, part, spent)
        except NosisError as error:
            spent.errors.append(error.message)
            break
        upto = part.upto
    judged = [await _judge(memory, model, p, spent) for p in proposals[:MAX_FACTS_A_RUN]]
    read = upto if upto > start else None
    plan = await asyncio.to_thread(Plan.make, memory.store, memory.clock(), judged, read)
    receipts = await asyncio.to_thread(memory.apply_plan, plan, dry_run=dry_run)
    if progress:
        progress("reading", len(parts), len(parts))
    counted = counts(receipts)
    return CurationResult(
        facts_extracted=len(proposals),
        facts_added=counted.added,
        memories_updated=counted.updated,
        memories_pruned=counted.pruned,
        existing_memories=existing,
        cost_usd=cost_usd(model.name, spent.prompt, spent.completion, spent.cached, memory.home),
        receipts=tuple(receipts),
        errors=tuple(spent.errors),
        doubts=tuple(spent.doubts),
        dry_run=dry_run,
    )


async def curate_with(
    settings: Settings,
    memory: Memory,
    model: Model | None = None,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> CurationResult:
    """Curate with the model for it that the settings name; else with ``model``, or where that is
    None with the one that answers.

    Raises:
        NosisError: the workspace is only read, or the settings of the model do not work.
    """
    from nosis.models.connect import connect

    await asyncio.to_thread(memory.check_writable)
    other = settings.curation_model
    if model is not None and (other is None or other == model.name):
        return await curate(memory, model, dry_run=dry_run, progress=progress)
    own = await connect(replace(settings, model=other or settings.model))
    try:
        return await curate(memory, own, dry_run=dry_run, progress=progress)
    finally:
        await own.aclose()


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of conversation that fits one request."""

    lines: tuple[str, ...]
    user: str  # what the user stated in it
    assistant: str
    messages: tuple[tuple[str, float], ...]  # the user's, each with when it was said
    upto: int  # position of its last event

    def said_at(self, fact: str) -> float:
        """When the user last said this; a fact in nobody's words is as old as the piece."""
        times = [at for text, at in self.messages if filing.grounded(fact, text)]
        return times[-1] if times else self.messages[0][1] if self.messages else 0.0


@dataclass(frozen=True, slots=True)
class _Line:
    """One message of the conversation."""

    position: int
    role: str
    shown: str  # with its date and speaker
    text: str
    said_at: float


def _room(model: Model) -> int:
    """Tokens of transcript in one request: what fits, and what the model can keep in view."""
    window = model.context_window or prompting.DEFAULT_WINDOW
    fixed = tokens.count(prompting.template("curate.md")) + _KNOWN_FACTS * 25
    room = max(300, window - min(_ANSWER_TOKENS, window // 4) - fixed)
    known = model.context_window  # a server that tells none is not small for that
    return min(room, _SMALL_PIECE) if known and known <= _SMALL_WINDOW else room


def _unread(memory: Memory, room: int) -> tuple[list[_Part], int]:
    """The turns since the last run in pieces, and the position where that run ended.

    Answers to pasted material are left out, and later ones that were given with it still before the
    model: they may repeat what it told the model to say. So is what was forgotten since.
    """
    start = memory.store.curated()
    turns = [
        (position, event)
        for position, event in memory.store.events(after=start)
        if event["type"] == "turn" and event.get("text")
    ]
    tainted = {event.get("turn") for _, event in turns if event.get("material")}
    tainted |= {event.get("turn") for _, event in turns if event.get("origin") == Origin.MATERIAL}
    ids = [event["id"] for _, event in turns]
    live = {entry.id for entry in memory.store.get(ids) if entry.status is Status.LIVE}
    kept = [
        (position, event)
        for position, event in turns
        if event["id"] in live
        and (event["role"] == "user" or event.get("turn") not in tainted or not event.get("turn"))
    ]
    return list(_pieces(kept, room)), start


def _pieces(turns: Sequence[tuple[int, dict[str, Any]]], room: int) -> Iterator[_Part]:
    lines: list[_Line] = []
    size = 0
    for position, event in turns:
        text = neutralise(tokens.fit(event["text"], room // 2))
        date = str(event.get("created_at", event["at"]))[:10]
        line = f"{date} {neutralise(event.get('speaker') or event['role'])}: {text}"
        cost = tokens.count(line) + 1
        if lines and size + cost > room:
            yield _part(lines)
            lines, size = [], 0
        said_at = from_iso(event.get("created_at", event["at"]))
        lines.append(_Line(position, event["role"], line, text, said_at))
        size += cost
    if lines:
        yield _part(lines)


def _part(lines: Sequence[_Line]) -> _Part:
    said = tuple((line.text, line.said_at) for line in lines if line.role == "user")
    return _Part(
        lines=tuple(line.shown for line in lines),
        user="\n".join(_QUESTION.sub("", text) for text, _ in said),
        assistant="\n".join(line.text for line in lines if line.role != "user"),
        messages=said,
        upto=lines[-1].position,
    )


async def _extract(memory: Memory, model: Model, part: _Part, spent: _Spent) -> list[Proposal]:
    """The valid facts that a model finds in one piece.

    Raises:
        ModelError: no answer, or one without a JSON list.
    """
    if isinstance(model, OfflineModel):
        found = _by_rules(part)
    else:
        near = await asyncio.to_thread(memory.known_facts, part.user, _KNOWN_FACTS)
        prompt = (
            prompting.template("curate.md")
            .replace("{known}", "\n".join(f"- {neutralise(e.text)}" for e in near) or "(nothing)")
            .replace("{transcript}", "\n".join(part.lines))
        )
        found = _json(await _ask(model, prompt, _FACTS_SCHEMA, spent), list)
    return [p for item in found[:MAX_FACTS_A_RUN] if (p := _proposal(item, part))]


def _by_rules(part: _Part) -> list[Any]:
    """Without a model: the offline rules over each of the user's messages."""
    from nosis.models.offline.extract import extract

    return [
        {
            "content": f"{fact.field}: {fact.text}" if fact.field else fact.text,
            "category": fact.category,
            "importance": fact.importance,
        }
        for message, _ in part.messages
        for fact in extract(message)
    ]


def _proposal(item: Any, part: _Part) -> Proposal | None:
    """One fact of an answer, checked; None if it is no fact."""
    if isinstance(item, str):
        item = {"content": item}
    if not isinstance(item, dict):
        return None
    content = item.get("content") or item.get("fact") or item.get("text")
    if not isinstance(content, str):
        return None
    text = about_user(neutralise(content))  # small models copy "I still have to …"
    if not text or len(text) > filing.MAX_FACT_CHARACTERS or parse(text).directives:
        return None
    if text.endswith("?"):  # a question that was asked is no fact
        return None
    importance = filing.lenient_importance(item.get("importance", 0.5))
    category = item.get("category")
    origin, note = Origin.CURATOR, None
    if not filing.grounded(text, part.user):
        note = "in the curator's words, not in yours"
        if filing.grounded(text, part.assistant):
            origin, importance = Origin.ASSISTANT, min(importance, 0.4)
            note = "only the assistant said this"
    return Proposal(
        text,
        importance,
        filing.lenient_category(category if isinstance(category, str) else None),
        origin,
        part.said_at(text),
        note=note,
    )


async def _judge(memory: Memory, model: Model, proposal: Proposal, spent: _Spent) -> Proposal:
    """Settle the grey zone: an old fact that the new one may replace or repeat.

    Any doubt or error keeps both.
    """
    near = await asyncio.to_thread(memory.related_fact, proposal.text)
    if near is None or isinstance(model, OfflineModel):
        return proposal
    prompt = (
        prompting.template("judge.md")
        .replace("{old_date}", day(near.created_at))
        .replace("{new_date}", day(memory.clock()))
        .replace("{old}", neutralise(near.text))
        .replace("{new}", neutralise(proposal.text))
    )
    try:
        answer = _json(await _ask(model, prompt, _RELATION_SCHEMA, spent), dict)
    except NosisError as error:
        spent.doubts.append(f"kept both of {near.text!r} and {proposal.text!r}: {error.message}")
        return proposal
    return proposal.settled(near, str(answer.get("relation", "adds")))


async def _ask(model: Model, prompt: str, schema: dict[str, Any], spent: _Spent) -> str:
    request = Request((Message("user", prompt),), max_tokens=_ANSWER_TOKENS, schema=schema)
    answer, finish = await complete(model, request)
    spent.add(finish, request, answer)
    if finish.reason == "length" and (said := _before_repeating(answer)):
        return said
    if finish.reason == "length":
        raise ModelError("the curation model's answer was cut off", "Use a model with more room.")
    return answer


def _before_repeating(answer: str) -> str:
    """A list without its repetitions: small models do not find its end. "" if it has none."""
    items = re.findall(r"\{[^{}]*\}", answer)
    distinct = list(dict.fromkeys(items))
    return f"[{', '.join(distinct)}]" if len(distinct) < len(items) else ""


def _json(answer: str, kind: type) -> Any:
    """The first JSON value of this kind in an answer, whatever stands around it.

    Raises:
        ModelError: there is none.
    """
    decoder = json.JSONDecoder()
    opener = "[" if kind is list else "{"
    at = answer.find(opener)
    while at >= 0:
        try:
            value, _ = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, kind):
            return value
        at = answer.find(opener, at + 1)
    raise ModelError("the curation model gave no usable JSON", "Try another NOSIS_CURATION_MODEL.")


def unread_turns(memory: Memory) -> int:
    """User messages since the last run: whether curation has anything to do."""
    return sum(
        1
        for _, event in memory.store.events(after=memory.store.curated())
        if event["type"] == "turn" and event["role"] == "user"
    )


__all__ = ["CurationResult", "curate", "curate_with", "unread_turns"]
