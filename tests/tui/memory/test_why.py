"""Why an answer says what it says: memories linked to the turns they came from."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from textual.pilot import Pilot

from nosis.events import TurnDone
from nosis.memory import Memory
from nosis.memory.types import Kind, Outcome, Receipt, Recollection, Status
from nosis.tui.memory.detail import DetailScreen
from nosis.tui.memory.rows import Rows
from nosis.tui.memory.why import WhyScreen
from tests.tui.memory.host import Host, done, named, press, settle, shown


@asynccontextmanager
async def asking(
    memory: Memory, turn: TurnDone, size: tuple[int, int] = (120, 30)
) -> AsyncIterator[tuple[Host, Pilot[None]]]:
    app = Host(memory, panel=False)
    async with app.run_test(size=size) as pilot:
        app.push_screen(WhyScreen(memory, turn))
        await settle(pilot)
        yield app, pilot


def source(app: Host) -> str:
    return "\n".join(str(part.render()) for part in app.screen.query("#why-source Static"))


def said(app: Host) -> list[str]:
    """The messages of the turn that the memory came from."""
    return [str(part.render()) for part in app.screen.query(".why-message.-mine")]


async def test_a_fact_stands_beside_the_turn_that_it_came_from(memory: Memory) -> None:
    async with asking(memory, done(memory)) as (app, _):
        assert "and what is next?" in str(app.screen.query_one("#why-head").render())
        assert said(app) == ["you\nwe chose Grafana for the dashboards", "nosis\nNoted."]
        assert "hello there" in source(app) and "you said" in source(app)


async def test_a_fact_added_by_hand_says_so(memory: Memory) -> None:
    async with asking(memory, done(memory)) as (app, pilot):
        await press(pilot, "down")
        assert "added by hand" in source(app) and said(app) == []


async def test_a_recalled_message_is_its_own_source(memory: Memory) -> None:
    message = next(m for m in memory.conversation("s1first") if "Grafana" in m.text)
    assert message.kind is Kind.TURN
    turn = replace(done(memory), recalled=(Recollection(message, 0.5),))
    async with asking(memory, turn) as (app, _):
        assert said(app) == ["you\nwe chose Grafana for the dashboards"]


async def test_an_answer_without_memories_says_where_it_comes_from(memory: Memory) -> None:
    async with asking(memory, replace(done(memory), recalled=())) as (app, pilot):
        assert "No memory was used for this answer" in shown(app, "#why-list")
        await press(pilot, "p", "f", "enter", "tab", "down")
        await press(pilot, "escape")
        assert not isinstance(app.screen, WhyScreen)


async def test_what_the_answer_changed_is_listed(memory: Memory) -> None:
    turn = replace(done(memory), receipts=(Receipt(Outcome.STORED, "likes [b]tea[/b]"),))
    async with asking(memory, turn) as (app, _):
        assert "+ likes [b]tea[/b]" in str(app.screen.query_one("#why-changed").render())


async def test_p_pins_f_forgets_u_undoes_enter_opens(memory: Memory) -> None:
    async with asking(memory, done(memory)) as (app, pilot):
        entry = named(memory, "Grafana")
        await press(pilot, "p")
        assert memory.get(entry.id).pinned and "★" in shown(app, "#why-list").splitlines()[0]
        await press(pilot, "f")
        assert memory.get(entry.id).status is Status.FORGOTTEN
        await press(pilot, "u")
        assert memory.get(entry.id).status is Status.LIVE
        await press(pilot, "enter")
        assert isinstance(app.screen, DetailScreen)
        await press(pilot, "escape", "q")
        assert not isinstance(app.screen, WhyScreen)


async def test_it_draws_at_every_size(memory: Memory) -> None:
    async with asking(memory, done(memory), (40, 12)) as (app, pilot):
        for size in ((80, 24), (200, 60), (12, 4), (40, 12)):
            await pilot.resize_terminal(*size)
            await press(pilot, "down", "tab", "tab")
        assert app.screen.query_one(Rows).index == 3
