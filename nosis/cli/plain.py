"""A plain prompt: one line in, the answer out, for terminals that draw no screens."""

from __future__ import annotations

import asyncio
import contextlib
import sys

from nosis.agent import Agent
from nosis.cli import formats, output, shown
from nosis.cli.arguments import Arguments
from nosis.cli.curate import before_leaving
from nosis.cli.headless import opened_agent, show_turn, stopped_by_signals
from nosis.errors import ExitCode, NosisError, UsageError

PROMPT = "> "
LEAVE = ("/exit", "/quit")
_MEMORY = ("remember", "forget", "pin", "undo")  # slash commands that run Memory's own methods
_HERE = ("help", "new", *_MEMORY, "quit")


def converse(arguments: Arguments) -> ExitCode:
    """Ask and answer until Ctrl+D, Ctrl+C at the prompt, or ``/exit``."""
    with contextlib.suppress(ImportError):  # line editing, where Python has it
        import readline  # noqa: F401
    with asyncio.Runner() as runner, contextlib.suppress(asyncio.CancelledError):
        agent = runner.run(opened_agent(arguments))
        try:
            output.note(f"nosis, session {agent.session} (/help: commands, Ctrl+D: leave)")
            while (line := _read()) is not None:
                if line.strip():
                    runner.run(_follow(agent, line.strip(), arguments))
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


async def _follow(agent: Agent, line: str, arguments: Arguments) -> None:
    """Run a slash command, or answer a message."""
    command = None
    if line.startswith("/"):
        from nosis.tui import commands  # the app's own registry

        command = commands.parse(line)
    if command is None:
        return await _answer(agent, line, arguments)
    try:
        await _run(agent, *command)
    except NosisError as error:
        output.failure(error.message, error.hint)


async def _run(agent: Agent, name: str, argument: str) -> None:
    from nosis.tui import commands

    command = commands.find(name, argument)
    if name not in _HERE:
        raise UsageError(f"/{name} works in the app only", f"Here: /{', /'.join(_HERE)}.")
    if name == "help":
        output.lines(f"{commands.BY_NAME[one].usage:<16} {commands.BY_NAME[one].summary}"
                     for one in _HERE)  # fmt: skip
    elif name == "new":
        agent.new_session()
        output.note(f"session {agent.session}")
    else:
        memory, _ = await agent.ready()
        given = [argument] if argument else []
        done = await asyncio.to_thread(getattr(memory, command.name), *given)
        for receipt in done if isinstance(done, list) else [done]:
            output.line(shown.receipt_line(receipt))


async def _answer(agent: Agent, message: str, arguments: Arguments) -> None:
    with stopped_by_signals(agent):
        await show_turn(agent, message, formats.Text(), arguments)
