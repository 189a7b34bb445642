"""What can be done with core memory: get, set, append, remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nosis.errors import UsageError
from nosis.memory import core as core_memory
from nosis.memory.filing import checked_text
from nosis.memory.filing.writing import NewFact, Writer
from nosis.memory.operations.workspace import Workspace
from nosis.memory.types import CoreMemory, Receipt


class CoreFields(Workspace):
    """Memory's operations on the fields of core memory."""

    def core(self) -> CoreMemory:
        """Core memory as it is now; a valid hand edit of core.json is taken over first."""
        self._take_over_core_file()
        return self.store.core()

    def core_set(self, field: str, value: str | Sequence[str]) -> Receipt:
        """Set a field to one value, or a list field to these values."""
        name = _checked_field(field)
        given = [value] if isinstance(value, str) else list(value)
        items = [checked_text(item) for item in given]
        is_list = name in core_memory.LIST_FIELDS or not isinstance(value, str)
        return self._core(lambda w: w.set_core(name, items if is_list else items[0], NewFact("")))

    def core_append(self, field: str, value: str) -> Receipt:
        """Add a value to a field, which becomes a list."""
        name, text = _checked_field(field), checked_text(value)
        return self._core(lambda w: w.append_core(name, text, NewFact("")))

    def core_remove(self, field: str, value: str | None = None) -> Receipt:
        """Remove a field, or one value of a list."""
        name = _checked_field(field)
        held = core_memory.values(self.core(), name)
        if not held or (value is not None and value not in held):
            raise UsageError(
                f"core memory has no {field!r}" + (f" with {value!r}" if value else ""),
                "See what it has with: nosis core show",
            )
        rest = [item for item in held if value is not None and item != value]
        return self._core(lambda w: w.set_core(name, rest or None, NewFact("")))

    def _core(self, change: Callable[[Writer], Receipt]) -> Receipt:
        self._take_over_core_file()
        with self._operation() as writer:
            receipt = change(writer)
        return self._logged([receipt])[0]


def _checked_field(field: str) -> str:
    name = core_memory.field_name(field)
    if not core_memory.is_field_name(name):
        raise UsageError(
            f"not a core field: {field!r}",
            "Use name, role, company, preference, or a short word of your own.",
        )
    return name
