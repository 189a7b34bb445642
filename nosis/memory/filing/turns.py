"""Filing the directives of a reply: which become facts, core memory, pending, or nothing.

Directives are model output, so nothing they say is trusted: who said it is decided by the
user's words, what they may replace by what the model was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory import filing
from nosis.memory.filing.writing import NewFact, Writer
from nosis.memory.redact import redact
from nosis.memory.relative_dates import with_absolute_dates
from nosis.memory.text import clean
from nosis.memory.types import (
    CORE_FIELDS,
    Directive,
    DirectiveKind,
    Entry,
    Origin,
    Outcome,
    Receipt,
    Recollection,
    Status,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What one directive asks for, judged by itself."""

    directive: Directive
    fact: NewFact
    target: Entry | None = None  # the shown memory to replace or forget
    refused: str | None = None

    @property
    def text(self) -> str:
        return self.fact.text


def judge(
    directive: Directive,
    user: str,
    material: str,
    recalled: Sequence[Recollection],
    now: float,
    *,
    tainted: bool = False,
    base_core: Sequence[Recollection] = (),
) -> Asked:
    """Origin, gate and target of one directive.

    Args:
        user: the user's own words of this turn.
        material: pasted, piped or file text of this turn.
        recalled: what the model was shown; only these may be replaced or forgotten.
        now: when it was said, POSIX seconds.
        tainted: earlier material is still before the model.
        base_core: what mirrors the core memory of the base workspace.
    """
    text = with_absolute_dates(redact(clean(directive.text)).strip(), now)
    shown = next((hit for hit in recalled if hit.entry.id == directive.target), None)
    shown = shown or _named(directive, base_core)
    target = shown.entry if shown and not shown.workspace else None
    inherited = shown.entry if shown and shown.workspace else None
    place = shown.workspace if shown else ""
    elsewhere = f"{directive.target} is of the workspace {place!r}, which is only read"
    origin, note, pending = Origin.USER, None, filing.suspicious(text)
    if material.strip():
        origin = Origin.MATERIAL
        pending = pending or "the turn held pasted or piped material"
    elif text and not filing.grounded(text, _own_words(user, target or inherited, tainted)):
        origin, note = Origin.ASSISTANT, "inferred by the model, not in your words"
        if tainted:
            origin = Origin.MATERIAL
            pending = pending or "not in your words, and the conversation holds material"
    if directive.kind is DirectiveKind.REPLACE and target is None:
        note = f"stored as new: no memory {directive.target} was shown"
        if inherited:
            note = f"here only: {place!r}, where it was, is only read"
    importance = filing.lenient_importance(directive.importance)
    category = filing.lenient_category(directive.category)
    replaced = target or inherited
    fact = NewFact(
        text,
        importance,
        category,
        origin,
        pending,
        note,
        supersedes=replaced.id if replaced else None,
        inherited=inherited,
    )
    refused = None
    if directive.kind is DirectiveKind.FORGET:
        if target is None and not text and directive.target not in CORE_FIELDS:
            refused = elsewhere if shown else f"no memory {directive.target} was shown"
        elif material.strip():
            refused = "a turn with pasted or piped material forgets nothing"
    elif not text:
        refused = "empty"
    elif len(text) > filing.MAX_FACT_CHARACTERS:
        refused = f"{len(text)} characters; at most {filing.MAX_FACT_CHARACTERS}"
    return Asked(directive, fact, target, refused)


def _named(directive: Directive, base_core: Sequence[Recollection]) -> Recollection | None:
    """The inherited core value that a replacement names as ``FIELD: VALUE``."""
    named = filing.core_update(directive.target or "", {})
    if named is None or directive.kind is not DirectiveKind.REPLACE:
        return None
    values = {
        value: hit
        for hit in base_core
        if (value := core_memory.mirrored(hit.entry, named.field)) is not None
    }
    found = core_memory.named_value(list(values), named.value)
    return values[found] if found is not None else None


def _own_words(user: str, replaced: Entry | None, tainted: bool) -> str:
    """What the user said: in this turn, and in the fact of theirs that this one corrects."""
    if replaced is None or replaced.origin is not Origin.USER or tainted:
        return user
    return f"{user} {replaced.text}"


def file_all(writer: Writer, asked: Sequence[Asked]) -> list[Receipt]:
    """File the directives of one turn, up to its write budget; a receipt for each, but one for
    all that a reply without end asks for beyond twice the budget."""
    budget = filing.MAX_FACTS_A_TURN
    why = f"over {budget} memories in one turn"
    over = [replace(ask, refused=why) for ask in asked[budget : 2 * budget]]
    if rest := asked[2 * budget :]:
        over.append(replace(rest[0], refused=f"with this one, {len(rest)} more {why}"))
    return [_file(writer, ask) for ask in (*asked[:budget], *over)]


def _file(writer: Writer, ask: Asked) -> Receipt:
    fact = ask.fact
    if ask.refused:
        shown = ask.target.text if ask.target else fact.text or ask.directive.target or ""
        return writer.receipt(Outcome.REJECTED, shown[:200], reason=ask.refused)
    if ask.directive.kind is DirectiveKind.FORGET:
        if ask.target is None:
            return _forget_core(writer, ask)
        current = writer.get(ask.target.id)
        if current is None or current.status is not Status.LIVE:
            return writer.receipt(Outcome.REJECTED, ask.target.text, reason="already gone")
        return writer.forget(current)
    mirror, ask = _core_target(writer, ask)
    fact = ask.fact
    update = filing.core_update(fact.text, writer.core)
    if mirror and mirror.field and (update is None or update.field != mirror.field):
        update = filing.CoreUpdate(mirror.field, fact.text)
    if update is None:
        return writer.fact(fact)
    if fact.pending:
        waiting = replace(fact, text=core_memory.mirror_text(update.field, update.value))
        return writer.fact(waiting, field=update.field)
    try:
        if core_memory.is_list(writer.core, update.field):
            old = core_memory.mirrored(mirror, update.field)
            return writer.append_core(update.field, update.value, fact, instead_of=old)
        return writer.set_core(update.field, update.value, fact)
    except UsageError as error:  # no room in core memory: a fact instead, so that it is kept
        return writer.fact(replace(fact, note=f"kept as a fact: {error.message}"))


def _core_target(writer: Writer, ask: Asked) -> tuple[Entry | None, Asked]:
    """The live fact that mirrors the core value to be replaced, and what to file in its place.

    The value is named by its fact's id, or as ``FIELD: VALUE``.
    """
    if ask.directive.kind is not DirectiveKind.REPLACE:
        return None, ask
    if ask.target:
        current = writer.get(ask.target.id)
        return (current if current and current.status is Status.LIVE else None), ask
    named = filing.core_update(ask.directive.target or "", writer.core)
    if named is None:
        return None, ask
    held = core_memory.values(writer.core, named.field)
    value = core_memory.named_value(held, named.value)
    mirror = writer.mirror(named.field, value) if value else None
    fact, text = ask.fact, ask.fact.text
    if filing.core_update(text, writer.core) is None:
        text = core_memory.mirror_text(named.field, text)
    note = fact.note if value is None else None
    return mirror, replace(
        ask,
        fact=replace(
            fact, text=text, note=note, supersedes=mirror.id if mirror else fact.supersedes
        ),
    )


def _forget_core(writer: Writer, ask: Asked) -> Receipt:
    """Take a value out of core memory, whose facts a model is never shown by id."""
    field, value = core_memory.field_name(ask.directive.target or ""), ask.text.casefold()
    held = core_memory.values(writer.core, field)
    gone = [v for v in held if v.casefold() == value or (not value and len(held) == 1)]
    if not gone:
        return writer.receipt(
            Outcome.REJECTED, ask.text or field, field=field, reason="not in core memory"
        )
    kept = [v for v in held if v not in gone]
    receipt = writer.set_core(field, kept or None, NewFact(""))
    return replace(receipt, outcome=Outcome.FORGOTTEN, text="; ".join(gone), previous=None)
