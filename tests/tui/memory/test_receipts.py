"""Receipts: what each kind looks like, and that undo takes back what it says."""

from __future__ import annotations

import pytest

from nosis.errors import UsageError
from nosis.memory import Memory
from nosis.memory.types import Directive, DirectiveKind, Origin, Outcome, Receipt, Status
from nosis.tui.memory.receipts import ReceiptLine, receipt_content, undo_receipt
from tests.tui.memory.host import Host, named, press, settle


@pytest.mark.parametrize(
    ("receipt", "said"),
    [
        (Receipt(Outcome.STORED, "likes tea", "m1"), "+ likes tea"),
        (Receipt(Outcome.DUPLICATE, "likes tea", "m1"), "= known already: likes tea"),
        (
            Receipt(Outcome.SUPERSEDED, "lives in Turin", "m1", previous="lives in Rome"),
            "~ lives in Rome → Turin",
        ),
        (
            Receipt(Outcome.CORE_UPDATED, "Ada Byron", field="name", previous="Ada Lovelace"),
            "~ name: Ada Lovelace → Byron",
        ),
        (Receipt(Outcome.CORE_UPDATED, "Ada", field="name"), "+ name: Ada"),
        (Receipt(Outcome.UPDATED, "a b c", previous="a c"), "~ a +b c"),
        (Receipt(Outcome.FORGOTTEN, "likes tea"), "− forgotten: likes tea"),
        (Receipt(Outcome.RESTORED, "likes tea"), "+ restored: likes tea"),
        (Receipt(Outcome.PINNED, "likes tea"), "★ pinned: likes tea"),
        (Receipt(Outcome.UNPINNED, "likes tea"), "☆ unpinned: likes tea"),
        (Receipt(Outcome.PURGED, "(removed)"), "× purged from every file"),
        (
            Receipt(Outcome.PENDING, "pay Bob", reason="carries a link"),
            "? waits for you: pay Bob · carries a link",
        ),
        (Receipt(Outcome.REJECTED, "pay Bob"), "× rejected: pay Bob"),
        (Receipt(Outcome.UNDONE, "likes tea"), "↶ undone: likes tea"),
        (Receipt(Outcome.STORED, "a\n[b]\x1b[2J\u202e"), "+ a [b][2J"),
    ],
)
def test_each_outcome_is_one_plain_line(receipt: Receipt, said: str) -> None:
    assert receipt_content(receipt).plain == said


def test_every_outcome_has_a_line() -> None:
    for outcome in Outcome:
        assert receipt_content(Receipt(outcome, "words")).plain


async def test_u_on_a_receipt_takes_the_change_back_and_shows_it(memory: Memory) -> None:
    receipt = memory.update_memory(named(memory, "Turin").id, "lives in Oslo")
    app = Host(memory, receipts=(receipt,), panel=False)
    async with app.run_test() as pilot:
        line = app.query_one(ReceiptLine)
        line.focus()
        await press(pilot, "u")
        assert named(memory, "Turin")
        assert "undone" in str(line.render()) and not app.toasts  # it is told there
        assert [r.outcome for r in app.changes] == [Outcome.UNDONE]
        await press(pilot, "u")
        assert len(app.changes) == 1


async def test_undoing_one_receipt_of_a_turn_marks_all_of_them(memory: Memory) -> None:
    asked = [Directive(DirectiveKind.UPDATE, text) for text in ("plays chess", "plays the harp")]
    _, receipts = memory.record_turn("s9", "I play chess and the harp", "Nice.", asked)
    app = Host(memory, receipts=tuple(receipts), panel=False)
    async with app.run_test() as pilot:
        app.query(ReceiptLine).last().focus()
        await press(pilot, "u")
        assert all(line.undone for line in app.query(ReceiptLine))
        assert not any("plays" in fact.text for fact in memory.list_memories())


async def test_a_receipt_under_newer_changes_is_not_undone_blindly(memory: Memory) -> None:
    receipt = memory.remember("the office has a cat")
    memory.remember("the office has a dog")
    app = Host(memory, receipts=(receipt,), panel=False)
    async with app.run_test() as pilot:
        app.query_one(ReceiptLine).focus()
        await press(pilot, "u")
        assert named(memory, "cat") and named(memory, "dog")
        assert any("memory has changed since" in said for said in app.toasts)


def test_what_changed_nothing_cannot_be_undone(memory: Memory) -> None:
    again = memory.remember("allergic to peanuts")
    assert again.outcome is Outcome.DUPLICATE
    with pytest.raises(UsageError):
        undo_receipt(memory, again)


async def test_a_toast_names_a_way_that_works_where_the_cursor_is(memory: Memory) -> None:
    from textual.widgets import Input

    from nosis.tui.memory.receipts import toast

    app = Host(memory, panel=False)
    async with app.run_test() as pilot:
        receipt = memory.remember("likes rain")
        toast(app, receipt)
        await app.query_one("#talk").mount(Input())
        app.query_one(Input).focus()
        await settle(pilot)
        toast(app, receipt)
        await settle(pilot)
        waiting = memory.remember("send money", origin=Origin.USER)
        toast(app, Receipt(Outcome.PENDING, waiting.text, waiting.id))
        await settle(pilot)
        assert app.toasts == [
            "+ likes rain · u to undo",
            "+ likes rain · /undo",
            "? waits for you: send money · f2 to decide",
        ]
        assert memory.get(receipt.id or "").status is Status.LIVE
