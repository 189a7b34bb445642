"""A plain prompt: one line in, the answer out, for terminals that draw no screens."""

from __future__ import annotations

import asyncio
import contextlib
import sys

from nosis.agent import Agent
from nosis.cli import formats, output
from nosis.cli.arguments import Arguments
from nosis.cli.curate import before_leaving
from nosis.cli.headless import opened_agent, show_turn, stopped_by_signals
from nosis.errors import ExitCode

PROMPT = "> "
LEAVE = ("/exit", "/quit")


def converse(arguments: Arguments) -> ExitCode:
    """Ask and answer until Ctrl+D, Ctrl+C at the prompt, or ``/exit``."""
    with contextlib.suppress(ImportError):  # line editing, where Python has it
        import readline  # noqa: F401
    with asyncio.Runner() as runner, contextlib.suppress(asyncio.CancelledError):
        agent = runner.run(opened_agent(arguments))
        try:
            output.note(f"nosis, session {agent.session} ({' or '.join(LEAVE)}, Ctrl+D: leave)")
            while (line := _read()) is not None:
                if line.strip():
                    runner.run(_answer(agent, line, arguments))
            runner.run(before_leaving(agent, arguments))
        finally:
            runner.run(agent.aclose())
    return ExitCode.OK


def _read() -> str | None:
    """The next message; None at the end."""
    try:
        line = input(PROMPT)
    except EOFError:
        sys.stdout.write("\n")
        return None
    return None if line.strip() in LEAVE else line


async def _answer(agent: Agent, message: str, arguments: Arguments) -> None:
    with stopped_by_signals(agent):
        await show_turn(agent, message, formats.Text(), arguments)
