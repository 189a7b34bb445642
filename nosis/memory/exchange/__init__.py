"""Memories in and out: one lossless JSONL, Markdown, and importers for what people have."""

from __future__ import annotations

from nosis.memory.exchange.files import Loaded, load
from nosis.memory.exchange.transfer import (
    Imported,
    check,
    export_lines,
    export_markdown,
    import_events,
    import_loaded,
    import_records,
)

__all__ = [
    "Imported",
    "Loaded",
    "check",
    "export_lines",
    "export_markdown",
    "import_events",
    "import_loaded",
    "import_records",
    "load",
]
