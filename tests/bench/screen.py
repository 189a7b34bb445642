"""What the screen costs: ``python -m tests.bench.screen [start] [stream] [messages]``.

* start: seconds to the first paint, and from there to the first echoed key, of the app in a
  real terminal, beside an empty Textual app in the same run (the two take turns);
* stream: CPU per token of an answer of 20,000 tokens, thousand by thousand, for prose with
  lists and code, and for one endless code block;
* messages: what a session of 5,000 messages costs beside one of 100: showing it, resident memory,
  and turns that follow.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import os
import pty
import random
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median

from nosis.agent import Agent
from nosis.memory import Memory
from nosis.models import Delta, Finish, Request
from nosis.settings import Settings
from nosis.tui.app import NosisApp
from nosis.tui.chat import ChatScreen

EMPTY_APP = """
from textual.app import App
from textual.widgets import Input
class Empty(App):
    def compose(self):
        yield Input(placeholder="Write a message")
Empty().run()
"""
PAINTED = b"rite a message"  # the cursor stands on the first letter
KEY = b"\xc3\xa9"  # é: nothing on either screen holds it
PATIENCE = 120.0
_CONTROL = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


# -- start --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Start:
    """Seconds since the start of the process: wall and CPU at first paint, and at the echo."""

    paint: float
    paint_cpu: float
    key: float


def start(command: Sequence[str], home: Path) -> Start:
    """Start an app in a terminal, type one letter when it is painted, wait for the echo."""
    end, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "NOSIS_HOME": str(home),
        "NOSIS_MODEL": "offline",
        "OMP_NUM_THREADS": "1",
    }
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
    )
    os.close(inner)
    painted, seen = 0.0, b""
    cpu = 0.0
    try:
        while time.perf_counter() - begun < PATIENCE:
            if not select.select([end], [], [], 1.0)[0]:
                continue
            seen += os.read(end, 1 << 20)
            text = _CONTROL.sub(b"", seen)
            if not painted and PAINTED in text:
                painted, cpu = time.perf_counter() - begun, _cpu_seconds(process.pid)
                seen = b""
                os.write(end, KEY)
            elif painted and KEY in text:
                return Start(painted, cpu, time.perf_counter() - begun)
        raise TimeoutError(f"no paint or echo from {command[-1][:40]}")
    finally:
        process.kill()
        process.wait()
        os.close(end)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def bench_start(rounds: int) -> None:
    empty, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            empty.append(start([sys.executable, "-c", EMPTY_APP], Path(folder)))
            ours.append(start([sys.executable, "-m", "nosis"], Path(folder) / str(number)))
    print(f"start, medians of {rounds}, seconds      empty app    nosis    ratio")
    for label, field in (
        ("first paint", "paint"),
        ("first paint, CPU", "paint_cpu"),
        ("first key echoed", "key"),
    ):
        one, other = (median(getattr(s, field) for s in runs) for runs in (empty, ours))
        print(f"  {label:<28}{one:>12.2f}{other:>9.2f}{other / one:>8.2f}x")


# -- stream -------------------------------------------------------------------------------------


class Typist:
    """A model that says given tokens at a steady rate, and notes the CPU time each thousand."""

    name = "typist"
    context_window: int | None = 200_000

    def __init__(self, tokens: Sequence[str], rate: float) -> None:
        self.tokens = tokens
        self.marks: list[float] = []
        self._pause = 8 / rate

    async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        due = time.perf_counter()
        for number, token in enumerate(self.tokens):
            if number % 1_000 == 0:
                self.marks.append(time.process_time())
            yield Delta(token)
            if number % 8 == 7:
                due += self._pause
                await asyncio.sleep(max(due - time.perf_counter(), 0))
        self.marks.append(time.process_time())
        yield Finish()

    async def aclose(self) -> None:
        """Nothing to close."""


def prose(count: int) -> list[str]:
    """Paragraphs, lists and short code blocks."""
    dice = random.Random(5)
    words = ["the", "plan", "is", "to", "move", "billing", "over", "before", "friday", "so"]
    tokens: list[str] = []
    while len(tokens) < count:
        for _ in range(4):
            tokens += [dice.choice(words) + " " for _ in range(dice.randint(40, 90))] + ["\n\n"]
        for _ in range(5):
            tokens += ["- ", "a ", "point ", "of ", "the ", "list", "\n"]
        tokens += ["\n", "```", "python", "\n"]
        for _ in range(12):
            tokens += ["    ", "value ", "= ", "compute", "(", "x", ")", "\n"]
        tokens += ["```", "\n\n"]
    return tokens[:count]


def code(count: int) -> list[str]:
    """One code block that does not end."""
    line = ["    ", "value ", "= ", "compute", "(", "x", ", ", "y", ")", "\n"]
    return ["```python\n", *line * (count // len(line) + 1)][:count]


async def stream(tokens: Sequence[str], rate: float) -> list[float]:
    """CPU milliseconds a token, for each thousand."""
    model = Typist(tokens, rate)
    with tempfile.TemporaryDirectory() as home:
        memory = Memory(home, embedder=None)
        settings = Settings(home=home, auto_curate="manual", timeout=3_600.0)
        app = NosisApp(settings, agent=Agent(memory, model, settings=settings))
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("g", "o", "enter")
            turns = app.screen_stack[0].turns  # type: ignore[attr-defined]
            # The pilot's own pauses would cost more with each widget.
            while not (turns.last or turns.failed):  # noqa: ASYNC110
                await asyncio.sleep(0.2)
    return [after - before for before, after in pairwise(model.marks)]


def bench_stream(count: int, rate: float) -> None:
    print(f"stream, CPU ms a token, {count:,} tokens at {rate:g} a second")
    for label, make in (("prose", prose), ("code", code)):
        costs = asyncio.run(stream(make(count), rate))
        shown = " ".join(f"{cost:.2f}" for cost in costs)
        print(f"  {label:<6} {shown}")
        print(f"  {label:<6} last thousand over first: {costs[-1] / costs[0]:.2f}x, ", end="")
        half = len(costs) // 2
        print(f"second half over first half: {mean(costs[half:]) / mean(costs[:half]):.2f}x")


# -- messages -----------------------------------------------------------------------------------


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE / 1e6


class Brief:
    """A model with one short answer."""

    name = "brief"
    context_window: int | None = 8_192

    async def stream(self, request: Request) -> AsyncIterator[Delta | Finish]:
        yield Delta("Yes, *that* is how it was decided.")
        yield Finish()

    async def aclose(self) -> None:
        """Nothing to close."""


async def talk(home: str, session: str, turns: int) -> tuple[float, list[float], list[float]]:
    """(CPU seconds to show the session, resident MB, CPU ms a turn); the lists each hundred turns.

    The first of the MB is what the app takes before the first turn.
    """
    begun = time.process_time()
    memory = Memory(home, embedder=None)
    settings = Settings(home=home, auto_curate="manual")
    app = NosisApp(settings, agent=Agent(memory, Brief(), session=session, settings=settings))
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        shown = time.process_time() - begun
        sizes, costs = [_resident()], []
        chat = app.screen_stack[0]
        assert isinstance(chat, ChatScreen)
        for number in range(1, turns + 1):
            if number % 100 == 1:
                begun = time.process_time()
            chat.prompt.set_text(f"Question {number}: how was it decided?")
            chat.prompt.action_send()
            while chat.turns.spent.turns < number:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            if number % 100 == 0:
                costs.append((time.process_time() - begun) * 10)
                sizes.append(_resident())
        return shown, sizes, costs


def _talk(home: str, turns: int) -> tuple[float, list[float], list[float]]:
    return asyncio.run(talk(home, "s1", turns))


def bench_messages(count: int, turns: int) -> None:
    print(f"messages: a session resumed and {turns} turns more; resident MB, CPU ms a turn")
    for archived in (100, count):
        own = ProcessPoolExecutor(1, get_context("spawn"))  # its memory is measured
        with tempfile.TemporaryDirectory() as home, own as process:
            with Memory(home, embedder=None) as memory:
                for number in range(archived // 2):
                    memory.record_turn("s1", f"Question {number}: why?", "Yes, *that* is why.")
            shown, sizes, costs = process.submit(_talk, home, turns).result()
        print(f"  {archived:>6,} messages: shown after {shown:.2f} s of CPU")
        print(f"    MB, each hundred turns  {' '.join(f'{size:.0f}' for size in sizes)}")
        print(f"    ms a turn               {' '.join(f'{cost:.0f}' for cost in costs)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", nargs="*", choices=["start", "stream", "messages", []], default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=200.0, help="tokens a second")
    parser.add_argument("--messages", type=int, default=5_000)
    parser.add_argument("--turns", type=int, default=300)
    given = parser.parse_args()
    wanted = given.what or ["start", "stream", "messages"]
    if "start" in wanted:
        bench_start(given.rounds)
    if "stream" in wanted:
        bench_stream(given.tokens, given.rate)
    if "messages" in wanted:
        bench_messages(given.messages, given.turns)


if __name__ == "__main__":
    main()
