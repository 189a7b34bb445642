"""The browser: each tab, each key, against a real workspace."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import TextArea

from nosis.memory import Memory
from nosis.memory.types import Category, Outcome, Status
from nosis.tui.memory.browser import TABS, BrowserScreen
from nosis.tui.memory.detail import DetailScreen, PageScreen
from nosis.tui.memory.facts import FactsPane
from nosis.tui.memory.forms import Confirm, CoreForm, FactForm
from nosis.tui.memory.rows import Rows
from tests.tui.memory.host import Clock, Host, named, press, settle, shown


@asynccontextmanager
async def browsing(
    memory: Memory, tab: str = "facts", *, size: tuple[int, int] = (120, 30), **options: str
) -> AsyncIterator[tuple[Host, Pilot[None]]]:
    app = Host(memory, panel=False)
    async with app.run_test(size=size) as pilot:
        app.push_screen(BrowserScreen(memory, tab=tab, **options))
        await settle(pilot)
        yield app, pilot


def rows(app: Host, name: str) -> Rows:
    return app.screen.query_one(f"#{name}-list", Rows)


def listed(app: Host) -> list[str]:
    return [item.text for item in rows(app, "facts").items]


async def to(app: Host, pilot: Pilot[None], words: str) -> None:
    """Put the cursor on the fact with these words."""
    rows(app, "facts").index = next(n for n, text in enumerate(listed(app)) if words in text)
    await settle(pilot)


# -- tabs ----------------------------------------------------------------------------------


async def test_digits_open_the_tabs_and_counts_stand_on_them(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        for number, name in enumerate(TABS, 1):
            await press(pilot, str(number))
            assert app.screen.pane and app.screen.pane.id == name  # type: ignore[attr-defined]
            assert app.focused is not None and app.focused in app.screen.query_one(
                f"#{name}"
            ).query("*")
        count = len(memory.list_memories())
        assert f"Facts {count}" in str(app.screen.query_one("#tab-facts").render())
        assert "Pending 2" in str(app.screen.query_one("#tab-pending").render())


async def test_escape_and_f2_close_it(memory: Memory) -> None:
    for key in ("escape", "f2"):
        async with browsing(memory) as (app, pilot):
            await press(pilot, key)
            assert not isinstance(app.screen, BrowserScreen)


async def test_it_opens_on_the_fact_that_is_asked_for(memory: Memory) -> None:
    fact = named(memory, "Billing")
    async with browsing(memory, entry=fact.id) as (app, _):
        assert rows(app, "facts").item.id == fact.id


async def test_an_empty_workspace_explains_itself(empty: Memory) -> None:
    async with browsing(empty) as (app, pilot):
        assert "No facts yet" in shown(app, "#facts-list")
        for key, name, words in (
            ("1", "core", "Core memory is empty"),
            ("3", "pending", "Nothing waits for you"),
            ("4", "history", "Nothing has happened yet"),
            ("6", "checks", "No recall tests yet"),
        ):
            await press(pilot, key)
            assert words in shown(app, f"#{name}-list")
        await press(pilot, "5", "left", "right", "home", "end", "enter", "p", "f", "y", "x")


# -- facts ---------------------------------------------------------------------------------


async def test_facts_are_listed_newest_first_with_their_details(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        assert listed(app)[:2] == [
            "dashboards are built with Grafana",
            "prefers open source tools",
        ]
        await to(app, pilot, "Turin")
        detail = "\n".join(str(part.render()) for part in app.screen.query(".pane-detail Static"))
        assert "lives in Turin, near the Po" in detail
        assert "Rome, near the Tiber → Turin, near the Po" in detail


async def test_search_follows_the_typing_and_escape_clears_it(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "slash", *"dep", "text:loys fridays")
        assert rows(app, "facts").items[0].entry.text.startswith("the team deploys")
        await press(pilot, "down")
        assert app.focused is rows(app, "facts")
        await press(pilot, "escape")
        assert len(listed(app)) == len(memory.list_memories())
        await press(pilot, "slash", "text:zzzz")
        assert "Nothing matches “zzzz”" in shown(app, "#facts-list")
        await press(pilot, "escape", "escape")
        assert not isinstance(app.screen, BrowserScreen)


async def test_a_paste_of_several_lines_into_the_search_keeps_all_words(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "slash", "text:team\ndeploys\r\nFridays\x1b[31m")
        assert app.screen.query_one("#facts-search").value == "team deploys Fridays[31m"  # type: ignore[attr-defined]


async def test_a_adds_a_fact_with_category_and_importance(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "a", "text:the office moves to Porto", "tab", "d", "tab", "9", "enter")
        fact = named(memory, "Porto")
        assert (fact.category, fact.importance) == (Category.DECISION, 0.9)
        assert "the office moves to Porto" in listed(app)
        assert "+ the office moves to Porto · u to undo" in app.toasts
        assert app.screen.query_one(FactsPane).entry == fact  # the cursor is on it
        await press(pilot, "u")
        assert "the office moves to Porto" not in listed(app)


async def test_an_addition_that_is_refused_says_why(memory: Memory) -> None:
    before = memory.list_memories()
    async with browsing(memory) as (app, pilot):
        await press(pilot, "a", "enter")
        assert any("nothing to remember" in said for said in app.toasts)
        assert memory.list_memories() == before


async def test_e_edits_words_category_and_importance(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await to(app, pilot, "staging")
        await press(pilot, "e")
        app.screen.query_one(TextArea).text = "staging moved to the cloud"
        await press(pilot, "tab", "right", "tab", "right", "right", "left", "enter")
        fact = named(memory, "staging")
        assert fact.text == "staging moved to the cloud"
        assert (fact.category, fact.importance) == (Category.EVENT, 0.6)


async def test_ctrl_j_makes_a_line_and_escape_leaves_the_fact_alone(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "e", "ctrl+j", "text:more")
        assert app.screen.query_one(TextArea).text.endswith("\nmore")
        await press(pilot, "escape")
        assert isinstance(app.screen, BrowserScreen)
        assert named(memory, "Grafana").text == "dashboards are built with Grafana"


async def test_i_goes_straight_to_the_importance(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "i", "end", "enter")
        assert named(memory, "Grafana").importance == 1.0
        assert isinstance(app.screen, BrowserScreen)


async def test_p_pins_f_forgets_r_restores(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "p")
        assert named(memory, "Grafana").pinned and "★" in shown(app, "#facts-list").splitlines()[0]
        await press(pilot, "p")
        assert not named(memory, "Grafana").pinned
        entry = named(memory, "Grafana")
        await press(pilot, "f")
        assert memory.get(entry.id).status is Status.FORGOTTEN
        assert entry.text not in listed(app)
        await press(pilot, "s", "s")
        assert entry.text in listed(app)
        await to(app, pilot, "Grafana")
        await press(pilot, "r")
        assert memory.get(entry.id).status is Status.LIVE
        assert [r.outcome for r in app.changes][-1] is Outcome.RESTORED


async def test_x_purges_only_after_a_yes(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await to(app, pilot, "jasmine")
        for no in ("n", "enter", "escape"):
            await press(pilot, "x")
            assert isinstance(app.screen, Confirm)
            await press(pilot, no)
        assert named(memory, "jasmine")
        await press(pilot, "x", "y")
        assert not any("jasmine" in text for text in listed(app))
        journal = (memory.folder / "archival.jsonl").read_text()
        assert "jasmine" not in journal
        assert any("purged from every file" in said for said in app.toasts)


async def test_c_and_o_turn_category_and_order(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "o")
        assert listed(app)[0] == "allergic to peanuts"
        await press(pilot, "o")
        assert listed(app)[0] == "name: Ada Lovelace"
        await press(pilot, "c")
        assert listed(app) == ["allergic to peanuts"]
        assert "security" in str(app.screen.query_one("#facts-state").render())


async def test_enter_opens_all_that_is_known(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "enter")
        assert isinstance(app.screen, DetailScreen)
        await press(pilot, "down", "up", "escape")
        assert isinstance(app.screen, BrowserScreen)


async def test_keys_that_make_no_sense_do_nothing(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        before = len(list(memory.store.events()))
        await press(
            pilot, "r", "slash", "text:zzzz", "enter", "p", "f", "e", "i", "x", "t", "enter"
        )
        assert isinstance(app.screen, BrowserScreen)
        assert len(list(memory.store.events())) == before


async def test_markup_in_facts_is_drawn_as_it_is(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        assert "reads [bold]markup[/bold]" in shown(app, "#facts-list")
        await to(app, pilot, "markup")
        await press(pilot, "enter", "escape", "e", "escape", "x", "escape", "t", "escape")
        assert isinstance(app.screen, BrowserScreen)


# -- core ----------------------------------------------------------------------------------


async def test_core_is_listed_with_its_size(memory: Memory) -> None:
    async with browsing(memory, "core") as (app, _):
        drawn = shown(app, "#core-list")
        assert "Ada Lovelace" in drawn and "metric units" in drawn
        assert "of 8,000 bytes" in str(app.screen.query_one("#core-room").render())


async def test_core_values_are_added_replaced_edited_and_removed(memory: Memory) -> None:
    async with browsing(memory, "core") as (app, pilot):
        await press(pilot, "a", "text:preference", "tab", "text:tables over prose", "enter")
        assert memory.core()["preference"][-1] == "tables over prose"
        await press(pilot, "a", "text:company", "tab", "text:Difference Ltd", "enter")
        assert memory.core()["company"] == "Difference Ltd"
        assert any("Analytical Engines → Difference Ltd" in said for said in app.toasts)
        await press(pilot, "e", "end", "text:King", "enter")
        assert memory.core()["name"] == "Ada LovelaceKing"
        await press(pilot, "end", "enter", "end", "text:first", "enter")
        assert memory.core()["preference"][-1] == "tables over prosefirst"
        await press(pilot, "f")
        assert "tables over prosefirst" not in memory.core()["preference"]
        await press(pilot, "u")
        assert "tables over prosefirst" in memory.core()["preference"]


async def test_a_value_is_added_to_a_field_of_ones_own(memory: Memory) -> None:
    async with browsing(memory, "core") as (app, pilot):
        await press(pilot, "a", "text:editor", "tab", "text:vim", "enter")
        await press(
            pilot, "a", "text:editor", "tab", "text:emacs", "tab", "a", "shift+tab", "enter"
        )
        assert memory.core()["editor"] == ["vim", "emacs"]
        await press(pilot, "a", "enter")
        assert isinstance(app.screen, CoreForm)
        await press(pilot, "escape")


# -- pending -------------------------------------------------------------------------------


async def test_the_inbox_says_whose_words_wait_and_why(memory: Memory) -> None:
    async with browsing(memory, "pending") as (app, _):
        drawn = shown(app, "#pending-list")
        assert "pasted" in drawn and "carries a link" in drawn


async def test_y_accepts_n_rejects_e_edits_first(memory: Memory) -> None:
    async with browsing(memory, "pending") as (app, pilot):
        first = rows(app, "pending").item
        await press(pilot, "e")
        assert isinstance(app.screen, FactForm)
        await press(pilot, "ctrl+j", "text:by post", "enter")
        assert "by post" in memory.get(first.id).text
        await press(pilot, "n")
        assert memory.get(first.id).status is Status.FORGOTTEN
        second = rows(app, "pending").item
        await press(pilot, "y")
        assert memory.get(second.id).status is Status.LIVE
        assert "Nothing waits for you" in shown(app, "#pending-list")
        assert "Pending 0" in str(app.screen.query_one("#tab-pending").render())


async def test_reject_all_asks_first(memory: Memory) -> None:
    async with browsing(memory, "pending") as (_, pilot):
        await press(pilot, "N", "n")
        assert len(memory.pending()) == 2
        await press(pilot, "N", "y")
        assert memory.pending() == []


# -- history -------------------------------------------------------------------------------


async def test_history_tells_every_change_and_undo_marks_it(memory: Memory) -> None:
    async with browsing(memory, "history") as (app, pilot):
        drawn = shown(app, "#history-list")
        assert "forgotten  her brother Tom plays the cello" in drawn
        assert "pinned  allergic to peanuts" in drawn
        assert "Rome" in drawn and "→" in drawn
        await press(pilot, "u")
        assert any("undone: " in said for said in app.toasts)
        assert "↶" in shown(app, "#history-list").splitlines()[0]
        await press(pilot, "down", "enter")
        assert isinstance(app.screen, DetailScreen)


async def test_the_bulk_of_an_import_is_one_line(empty: Memory) -> None:
    empty.import_records({"kind": "fact", "text": f"fact number {n}"} for n in range(300))
    async with browsing(empty, "history") as (app, _):
        assert "… and 297 more at once" in shown(app, "#history-list")


# -- timeline and time travel --------------------------------------------------------------


async def test_the_timeline_counts_days_growth_and_categories(memory: Memory) -> None:
    async with browsing(memory, "timeline") as (app, pilot):
        pane = app.screen.query_one("TimelinePane")
        drawn = "\n".join(str(w.render()) for w in pane.query("Static, DayPlot, Figure"))
        assert f"{len(memory.list_memories())} live of" in drawn
        assert "preference" in drawn and "2026-05-27  0 facts recorded" in drawn
        await press(pilot, "home")
        assert app.screen.query_one("DayPlot").index == 0  # type: ignore[attr-defined]
        for span in ("90 days", "a year", "all", "30 days"):
            await press(pilot, "z")
            assert span in str(app.screen.query_one("#timeline-head").render())


async def test_enter_on_a_day_travels_there_and_escape_returns(memory: Memory) -> None:
    async with browsing(memory, "timeline") as (app, pilot):
        await press(pilot, *["left"] * 20, "enter")
        assert "as of 2026-05-07" in str(app.screen.query_one("#browser-moment").render())
        assert "lives in Rome, near the Tiber" in listed(app)
        assert "allergic to peanuts" in listed(app)
        assert "the launch is on 2026-06-12" not in listed(app)
        await press(pilot, "escape")
        assert "lives in Turin, near the Po" in listed(app)
        assert str(app.screen.query_one("#browser-moment").render()) == ""


async def test_l_shows_the_log_of_the_day(memory: Memory) -> None:
    async with browsing(memory, "timeline") as (app, pilot):
        await press(pilot, "left", "left", "l")
        assert isinstance(app.screen, PageScreen)
        assert "release branch" in str(app.screen.query_one("Static").render())


async def test_d_asks_for_a_date_and_brackets_step_by_days(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "d", "ctrl+u", "text:2026-05-02", "enter")
        assert "lives in Rome, near the Tiber" in listed(app)
        assert "Billing" not in " ".join(listed(app))
        await press(pilot, "right_square_bracket", "right_square_bracket")
        assert "as of 2026-05-04" in str(app.screen.query_one("#browser-moment").render())
        assert "Billing" in " ".join(listed(app))
        await press(pilot, "left_square_bracket", "left_square_bracket", "left_square_bracket")
        assert len(listed(app)) == 6
        await press(pilot, "1")
        assert "Ada Lovelace" in shown(app, "#core-list")


async def test_the_past_cannot_be_changed(memory: Memory) -> None:
    async with browsing(memory, as_of="2026-05-20") as (app, pilot):
        before = len(list(memory.store.events()))
        await press(pilot, "p", "f", "e", "a", "x", "u", "i", "1", "a", "e", "enter", "f")
        assert isinstance(app.screen, BrowserScreen)
        assert len(list(memory.store.events())) == before


async def test_the_past_can_be_searched_and_opened(memory: Memory) -> None:
    async with browsing(memory, as_of="2026-05-19") as (app, pilot):
        await press(pilot, "slash", "text:rome", "enter")
        assert listed(app) == ["lives in Rome, near the Tiber"]
        await press(pilot, "enter")
        said = "\n".join(str(s.render()) for s in app.screen.query("Static"))
        assert "Rome" in said and "Turin" not in said


async def test_a_wrong_date_is_refused_and_nothing_moves(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "d", "ctrl+u", "text:yesterday", "enter")
        assert any("not a date" in said and "2026-11-30" in said for said in app.toasts)
        assert len(listed(app)) == len(memory.list_memories())


async def test_v_shows_the_memory_page(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "v")
        assert isinstance(app.screen, PageScreen)
        assert "# Memory" in str(app.screen.query_one("Static").render())


# -- recall tests --------------------------------------------------------------------------


async def test_t_keeps_a_recall_test_and_shows_its_result(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "t", "text:which dashboards are built?", "enter")
        assert "✓" in shown(app, "#checks-list") and "#1" in shown(app, "#checks-list")
        await press(pilot, "2")
        await to(app, pilot, "peanuts")
        await press(pilot, "t", "text:zebra crossing", "enter")
        first = shown(app, "#checks-list").splitlines()[0]
        assert "✗" in first and "not found" in first
        assert "1 passed · 1 failed" in str(app.screen.query_one("#checks-head").render())
        await press(pilot, "r", "enter", "escape", "home", "f")
        assert [t.question for t in memory.recall_tests.list()] == ["which dashboards are built?"]


# -- in and out ----------------------------------------------------------------------------


async def test_an_export_comes_back_whole_in_another_workspace(
    memory: Memory, empty: Memory, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    async with browsing(memory) as (app, pilot):
        await press(pilot, "E", "ctrl+u", f"text:{target}", "enter")
        assert any(f"written: {target}" in said for said in app.toasts)
        assert target.stat().st_mode & 0o777 == 0o600
        await press(pilot, "E", "ctrl+u", f"text:{target}", "enter")
        assert any("exists already" in said for said in app.toasts)
        page = tmp_path / "out.md"
        await press(pilot, "E", "ctrl+u", f"text:{page}", "enter")
        assert "allergic to peanuts" in page.read_text()
    async with browsing(empty) as (app, pilot):
        await press(pilot, "I", f"text:{target}", "enter")
        assert any("an export of nosis" in said for said in app.toasts)
        assert {f.text for f in empty.list_memories()} == {f.text for f in memory.list_memories()}
        assert "lives in Turin, near the Po" in listed(app)
        assert not app.screen.query_one("#browser-progress").display


async def test_a_file_that_cannot_be_imported_changes_nothing(
    memory: Memory, tmp_path: Path
) -> None:
    before = len(list(memory.store.events()))
    async with browsing(memory) as (app, pilot):
        await press(pilot, "I", f"text:{tmp_path / 'none.jsonl'}", "enter")
        assert any("cannot read" in said for said in app.toasts)
        assert not app.screen.query_one("#browser-progress").display
    assert len(list(memory.store.events())) == before


async def test_f1_lists_the_keys_of_the_tab(memory: Memory) -> None:
    async with browsing(memory) as (app, pilot):
        await press(pilot, "f1")
        said = str(app.screen.query_one("Static").render())
        for word in ("add", "purge", "importance", "status", "export", "MEMORY.md"):
            assert word in said
        await press(pilot, "escape", "3", "question_mark")
        assert "accept" in str(app.screen.query_one("Static").render())


# -- sizes and scale -----------------------------------------------------------------------


async def test_every_tab_draws_at_every_size(memory: Memory) -> None:
    async with browsing(memory, size=(200, 60)) as (app, pilot):
        await press(pilot, *"13456")
        for size, key in (((40, 12), "5"), ((20, 5), "2"), ((80, 24), "e"), ((40, 12), "escape")):
            await pilot.resize_terminal(*size)
            await press(pilot, key)
        assert isinstance(app.screen, BrowserScreen)


async def test_facts_are_read_page_by_page(empty: Memory, clock: Clock) -> None:
    empty.import_records({"kind": "fact", "text": f"fact number {n}"} for n in range(1_200))
    async with browsing(empty) as (app, pilot):
        assert len(rows(app, "facts").items) == 200
        assert "1,200" in str(app.screen.query_one("#facts-state").render())
        await press(pilot, "pagedown", "pagedown", "end", "end")
        assert len(rows(app, "facts").items) == 1_200
        assert rows(app, "facts").index == 1_199
        assert isinstance(app.screen.query_one("#facts"), FactsPane)


async def test_a_change_made_elsewhere_is_seen_after_the_next_one(memory: Memory) -> None:
    with Memory(memory.home, embedder=None, agent="other", clock=memory.clock) as other:
        async with browsing(memory) as (app, pilot):
            other.remember("written by another process")
            await press(pilot, "p")
            assert "written by another process" in listed(app)
