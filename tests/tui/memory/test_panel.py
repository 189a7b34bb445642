"""The recall panel: what a turn brought to mind, why, and the keys on it."""

from __future__ import annotations

from dataclasses import replace

from textual.widgets import Static

from nosis.events import Recalled
from nosis.memory import Memory
from nosis.memory.types import Outcome, Status
from nosis.tui.memory.card import RecollectionCard
from nosis.tui.memory.panel import RecallPanel
from tests.tui.memory.host import Host, named, press, recalled, settle


def text(app: Host) -> str:
    """All that the panel says."""
    panel = app.query_one(RecallPanel)
    return "\n".join(str(w.render()) for w in panel.query("Static, RecollectionCard"))


async def test_it_shows_what_was_used_and_why_and_what_was_not(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        said = text(app)
        assert "3 used · 212 tokens" in said
        assert "lives in Turin, near the Po" in said and "0.82" in said
        assert "meaning 0.82 · words #2 · 3 weeks ago" in said
        assert "★ allergic to peanuts" in said and "pinned" in said
        before, after = said.split("near misses, not used")
        assert "Grafana" in after and "Grafana" not in before


async def test_a_turn_that_recalls_nothing_says_so(memory: Memory) -> None:
    app = Host(memory, recalled=Recalled((), recalled(memory).near_misses))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert "Nothing fits this message; 0 injected" in text(app)
        assert "The nearest scored 0.31" in text(app)


async def test_a_notice_of_degraded_recall_is_shown(memory: Memory) -> None:
    app = Host(memory, recalled=replace(recalled(memory), notice="recall by words only"))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert "recall by words only" in text(app)


async def test_each_turn_replaces_the_last(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        panel = app.query_one(RecallPanel)
        await panel.show(Recalled(recalled(memory).recollections[:1]))
        await settle(pilot)
        assert len(panel.query(RecollectionCard)) == 1
        assert "1 used" in text(app)


async def test_p_pins_and_unpins_the_focused_memory(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "p")
        assert named(memory, "Turin").pinned
        assert "★ lives in Turin" in text(app)
        assert "★ pinned: lives in Turin, near the Po · u to undo" in app.toasts
        assert [r.outcome for r in app.changes] == [Outcome.PINNED]
        await press(pilot, "p")
        assert not named(memory, "Turin").pinned


async def test_f_forgets_and_u_brings_back(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        entry = named(memory, "Turin")
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "f")
        assert memory.get(entry.id).status is Status.FORGOTTEN
        assert "forgotten · meaning 0.82" in text(app)
        await press(pilot, "u")
        assert memory.get(entry.id).status is Status.LIVE
        assert "forgotten · meaning" not in text(app)


async def test_m_mutes_for_this_conversation_and_changes_no_memory(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        entry = named(memory, "Turin")
        events = len(list(memory.store.events()))
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "m")
        assert app.muted == [(entry.id, True)] and "muted in this conversation" in text(app)
        await app.query_one(RecallPanel).show(recalled(memory))
        assert "muted in this conversation" in text(app)
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "m")
        assert app.muted[-1] == (entry.id, False) and app.query_one(RecallPanel).muted == set()
        assert len(list(memory.store.events())) == events


def test_a_muted_memory_is_not_recalled(memory: Memory) -> None:
    fact = named(memory, "deploys on Fridays")
    query = "when does the team deploy?"
    assert fact.id in {hit.entry.id for hit in memory.recollect(query, 1_000).hits}
    muted = memory.recollect(query, 1_000, muted={fact.id})
    assert fact.id not in {hit.entry.id for hit in muted.hits}


async def test_enter_opens_a_card_to_all_that_is_known(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 40)) as pilot:
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "enter")
        assert "boost" in text(app) and named(memory, "Turin").id in text(app)
        await press(pilot, "enter")
        assert "boost" not in text(app)


async def test_arrows_walk_over_the_cards(memory: Memory) -> None:
    app = Host(memory, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        panel = app.query_one(RecallPanel)
        panel.focus_first()
        await press(pilot, "down", "down", "j", "down")
        assert panel.focused_card and "Grafana" in panel.focused_card.hit.entry.text
        await press(pilot, "k", "up")
        assert panel.focused_card and "deploys" in panel.focused_card.hit.entry.text


async def test_a_refusal_is_shown_with_its_hint(memory: Memory, empty: Memory) -> None:
    app = Host(empty, recalled=recalled(memory))
    async with app.run_test(size=(120, 30)) as pilot:
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "u")
        assert any("nothing to undo" in said and "nosis log" in said for said in app.toasts)


async def test_hostile_words_stay_words(memory: Memory) -> None:
    bad = "[@click=app.quit]boo[/nope] \x1b]8;;evil\x07\x1b[2J\u202eabc\u2066 list[int]"
    hit = recalled(memory).recollections[0]
    entry = hit.entry._replace(text=bad, speaker="[b]x", reason="[/]")
    poisoned = replace(hit, entry=entry, reasons=("[/why]", "\x1b[31m"))
    app = Host(memory, recalled=Recalled((poisoned,), (poisoned,), 1, "[/notice]\x1b"))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        app.query_one(RecallPanel).focus_first()
        await press(pilot, "enter")
        said = text(app)
        assert "[@click=app.quit]boo[/nope]" in said.replace("\n", " ") and "[/notice]" in said
        assert not set("\x1b\x07\u202e\u2066") & set(said)
        assert isinstance(app.query_one("#recall-head"), Static)
