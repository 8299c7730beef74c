"""Pages that have nothing to show say what was looked for and where."""

import pytest

from harness_tui.tui.facts import Fact, heading, spaced
from harness_tui.tui.text import literal


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("5", ["No questions and no budgets here.", ".harness/features/<epic>/decision-packet.json"]),
        ("6", ["No control loop here.", ".servo/control-state.md"]),
        ("7", ["No plan here.", "docs/features/<slug>/PLAN.md", "plans/"]),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_an_empty_page_says_what_was_looked_for_and_where(desk, opened, key, words, size):
    async with opened(desk, size=size) as session:
        await session.press(key)
        await session.shows(*words, "Looked below the workspace for")


async def test_a_page_does_not_call_absent_what_was_not_read_yet(desk, opened):
    async with opened(desk) as session:
        snapshot, session.app.snapshot = session.app.snapshot, None
        await session.press("5")
        await session.shows("Nothing was read yet.")
        session.app.snapshot = snapshot
        session.app.screen.on_screen_resume()
        await session.shows("No questions and no budgets here.")


def test_groups_are_one_line_apart_however_often_they_are_laid_out():
    facts = [heading("Budget"), Fact(literal("left 2")), heading("Lock"), Fact(literal("open"))]
    once = spaced(facts)
    assert [fact.plain for fact in once] == ["Budget", "left 2", "", "Lock", "open"]
    assert spaced(once) == once
