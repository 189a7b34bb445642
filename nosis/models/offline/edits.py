"""Changes of memory, and the directive lines that ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nosis.memory.text import neutralise
from nosis.memory.types import CORE_FIELDS
from nosis.models.offline.facts import Fact

if TYPE_CHECKING:
    from nosis.models.offline.known import Known


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: a fact to file, what it replaces, or what to forget."""

    fact: Fact | None = None
    old: Known | None = None

    def lines(self) -> list[str]:
        """The directive lines."""
        if self.fact is None:
            return [forget_line(self.old)] if self.old else []
        if self.old and self.old.entry and not self.fact.field:
            return [self.fact.directive(replaces=self.old.entry.id)]
        field, value = self.old.core if self.old and self.old.core else ("", "")
        if field and field not in CORE_FIELDS and not self.fact.field:
            return [self.fact.directive(replaces=f"{field}: {neutralise(value)}")]
        gone = [forget_line(self.old)] if self.old else []
        return [*gone, self.fact.directive()]


def forget_line(old: Known) -> str:
    """The line that retracts a fact by its id, or a core value by its field."""
    if old.entry:
        return f"MEMORY_FORGET: {old.entry.id}"
    field, value = old.core or ("", "")
    return f"MEMORY_FORGET: {field}: {neutralise(value)}"
