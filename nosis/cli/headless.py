"""One turn without a screen: the answer on stdout, everything else on stderr."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from nosis.agent import Agent
from nosis.cli import formats, output
from nosis.cli.arguments import Arguments
from nosis.cli.curate import before_leaving
from nosis.cli.opened import load_settings
from nosis.cli.progress import Bar
from nosis.errors import ExitCode
from nosis.events import Recalled, TurnDone, TurnFailed
from nosis.opening import open_memory

STOPS = (signal.SIGINT, signal.SIGTERM)


def run(arguments: Arguments, message: str, material: str, form: str) -> ExitCode:
    """Answer one message and leave."""
    try:
        return asyncio.run(_run(arguments, message, material, form))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def _run(arguments: Arguments, message: str, material: str, form: str) -> ExitCode:
    async with await opened_agent(arguments) as agent:
        agent.leaves = True
        with stopped_by_signals(agent):
            code = await show_turn(
                agent, message, formats.chosen(form), arguments, material=material
            )
        if code is ExitCode.OK:
            with suppress(TimeoutError):  # the next turn tries again
                async with asyncio.timeout(agent.settings.timeout):
                    await agent.compaction.finished()
            await before_leaving(agent, arguments)
        return code


async def opened_agent(arguments: Arguments) -> Agent:
    """The agent of a command line, in the session that ``-c`` or ``-r`` names.

    Raises:
        NosisError: the workspace cannot be opened, or there is no such session.
    """
    settings = load_settings(arguments)
    with Bar() as bar:
        memory = await asyncio.to_thread(open_memory, settings, bar.update)
    session = None
    try:
        if arguments.newest or arguments.resume is not None:
            wanted = None if arguments.newest else arguments.resume
            session = await asyncio.to_thread(memory.session_to_continue, wanted)
    except BaseException:
        await asyncio.to_thread(memory.close)
        raise
    return Agent(memory, settings=settings, session=session)


async def show_turn(
    agent: Agent, message: str, form: formats.Format, arguments: Arguments, *, material: str = ""
) -> ExitCode:
    """Run one turn to its end, even if the reader of stdout leaves before."""
    code = ExitCode.OK
    async for event in agent.run(message, material=material, learn=arguments.learn):
        try:
            if isinstance(event, Recalled) and arguments.explain:
                formats.explain(event)
            form.show(event)
        except BrokenPipeError:  # what the answer asks of memory is still filed
            output.discard()
        if isinstance(event, TurnFailed):
            output.failure(event.message, event.hint)
            code = ExitCode(event.exit_code)
        elif isinstance(event, TurnDone) and event.stopped == "cancelled":
            output.failure("interrupted", "What was said so far is kept; nothing was learned.")
            code = ExitCode.INTERRUPTED
    return code


@contextmanager
def stopped_by_signals(agent: Agent) -> Iterator[None]:
    """Ctrl+C and SIGTERM end the answer; a second one ends the program."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    asked = False

    def stop() -> None:
        nonlocal asked
        if asked and task:
            task.cancel()
        asked = True
        agent.stop()

    before = {number: signal.getsignal(number) for number in STOPS}
    with suppress(NotImplementedError, ValueError, RuntimeError):  # Windows; not the main thread
        for number in STOPS:
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        with suppress(NotImplementedError, ValueError, RuntimeError):
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler)
