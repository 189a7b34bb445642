"""``nosis mcp``: this memory for other agents."""

from __future__ import annotations

from nosis.cli.arguments import Arguments
from nosis.cli.opened import load_settings, tell_notices


def serve(arguments: Arguments) -> None:
    """Serve the workspace over stdio until the client leaves."""
    from nosis import mcp
    from nosis.opening import open_memory

    memory = open_memory(load_settings(arguments))
    tell_notices(memory)
    mcp.serve(memory)
