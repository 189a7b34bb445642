"""Two agents in one workspace at once, each in its own process, with the real loop and a model
over HTTP.

NOSIS_AGENT_TURNS (24) is the number of turns of both together.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from nosis.memory import Memory
from nosis.memory.types import Status
from tests.server import Server

ROOT = Path(__file__).resolve().parents[2]
TURNS = int(os.environ.get("NOSIS_AGENT_TURNS", "24")) // 2  # of each agent
AGENTS = ("ada", "bob")

TALK = """
import asyncio, json, sys
from nosis import Agent, Settings
home, name, url, turns = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
async def main():
    settings = Settings(home=home, agent=name, base_url=url, model="test-model", detect="off",
                        vector_index="exact")
    async with Agent(settings=settings) as agent:
        for number in range(turns):
            done = await agent.ask(f"{name} tells thing{number}")
            assert not done.stopped and done.answer == f"Noted, {name}.", done
            print(json.dumps([r.to_json() for r in done.receipts]), flush=True)
asyncio.run(main())
"""


def answer(body: Any) -> str:
    """What the model says: a fact of this agent's own, one that both tell, now and then a
    preference."""
    asked = body["messages"][-1]["content"].split()
    name, number = asked[-3], int(asked[-1].removeprefix("thing"))
    lines = [
        f"Noted, {name}.",
        f"MEMORY_UPDATE: [project, 0.6] {name} keeps thing{number} in drawer {number}",
        f"MEMORY_UPDATE: both agents know of shelf{number}",
    ]
    if number % 5 == 0:
        lines.append(f"MEMORY_UPDATE: preference: {name} wants colour{number}")
    return "\n".join(lines)


def test_nothing_is_lost_each_is_named_and_undo_takes_back_ones_own_turn(tmp_path: Path) -> None:
    with Server(default=answer) as server:
        running = [
            subprocess.Popen(
                [sys.executable, "-c", TALK, str(tmp_path), name, server.url, str(TURNS)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=ROOT,
            )
            for name in AGENTS
        ]
        ended = [process.communicate(timeout=3_000) for process in running]
    for process, (_, err) in zip(running, ended, strict=True):
        assert process.returncode == 0 and err == "", err
    receipts = {
        name: [r for line in out.splitlines() for r in json.loads(line)]
        for name, (out, _) in zip(AGENTS, ended, strict=True)
    }

    with Memory(tmp_path, agent="ada", embedder=None) as memory:
        events = [event for _, event in memory.store.events()]
        # Every message, and every fact that a receipt acknowledged, is there and signed.
        said = Counter((e["agent"], e["role"]) for e in events if e["type"] == "turn")
        assert said == {(n, role): TURNS for n in AGENTS for role in ("user", "assistant")}
        for name in AGENTS:
            assert {r["agent"] for r in receipts[name]} == {name}
            mine = [r for r in receipts[name] if r["outcome"] == "stored"]
            stored = memory.store.get([r["id"] for r in mine])
            assert [e.text for e in stored] == [r["text"] for r in mine]
            assert {e.agent for e in stored} == {name}
            assert all(e.status is Status.LIVE for e in stored)
            own = {e.text for e in stored if e.text.startswith(name)}
            assert own == {f"{name} keeps thing{n} in drawer {n}" for n in range(TURNS)}
        texts = Counter(e.text for e in memory.list_memories())
        assert [texts[f"both agents know of shelf{n}"] for n in range(TURNS)] == [1] * TURNS
        wanted = {f"{n} wants colour{c}" for n in AGENTS for c in range(0, TURNS, 5)}
        assert set(memory.core()["preference"]) == wanted
        # The daily logs say the same: who, in which session, what.
        for name in AGENTS:
            (session,) = {e["session"] for e in events if e["agent"] == name and "session" in e}
            signed = [
                line
                for page in sorted((memory.folder / "logs").glob("*.md"))
                for line in page.read_text().splitlines()
                if f"**{name}**, session {session}: " in line
            ]
            assert len(signed) == len(receipts[name])
        before = {e.id for e in memory.list_memories()}
        last = max(i for i, e in enumerate(events) if e["agent"] == "ada" and e["type"] == "fact")
        turn = {e["id"] for e in events if e["op"] == events[last]["op"] and e["type"] == "fact"}
        memory.undo()
        assert before - {e.id for e in memory.list_memories()} == turn
        hers = {v for v in wanted if v.startswith("ada")}
        left = set(memory.core()["preference"])
        assert left >= wanted - hers and len(left) >= len(wanted) - 1
        memory.store.reindex()
        assert before - {e.id for e in memory.list_memories()} == turn
    with Memory(tmp_path, agent="bob", embedder=None) as memory:
        memory.undo()
        assert len(before - {e.id for e in memory.list_memories()}) > len(turn)
