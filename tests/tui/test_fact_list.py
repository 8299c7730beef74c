"""Lists of facts, and how the row of the cursor is drawn."""

import pytest
from textual.color import Color
from textual.events import Click

from harness_tui.tui.facts import Fact
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.fact_list import LEGIBLE, contrast


def colours(session, words):
    """The colours in which these words stand on the screen."""
    return {segment.style.color for segment in session.segments() if words in segment.text and segment.style}


async def test_muted_text_has_the_normal_colour_under_the_cursor_only(desk, opened):
    async with opened(desk) as session:
        facts = [Fact(literal(words, "$text-muted")) for words in ("faint lamp", "faint horn")]
        session.app._window("Faint", facts)
        await session.shows("faint lamp", "faint horn")
        muted = Color.parse(session.app.theme_variables["text-muted"]).rich_color
        assert colours(session, "faint horn") == {muted}
        assert muted not in colours(session, "faint lamp")
        await session.press("down")
        await session.until(lambda: colours(session, "faint lamp") == {muted})
        assert muted not in colours(session, "faint horn")


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
async def test_coloured_text_is_legible_under_the_cursor_in_each_theme(desk, opened, theme):
    async with opened(desk, theme=theme) as session:
        styles = ("$text-error", "$text-warning", "$text-success", "$text-accent", "$text-muted", "$text-error reverse")
        session.app._window("Lamps", [Fact(literal(f"lamp {number}", style)) for number, style in enumerate(styles)])
        await session.shows("lamp 0")
        for number in range(len(styles)):
            await session.until(lambda: session.one("#facts").highlighted == number)  # noqa: B023 - at once
            (segment,) = [segment for segment in session.segments() if f"lamp {number}" in segment.text]
            assert contrast(segment.style.color, segment.style.bgcolor) >= LEGIBLE, styles[number]
            await session.press("down")


async def test_muted_cells_of_a_table_are_readable_under_a_resting_cursor(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-01")
        await session.press("3")
        await session.settle()
        muted = Color.parse(session.app.theme_variables["text-muted"]).rich_color
        row = session.table.region.y + 1
        found = [segment for segment in session.table.render_line(1) if "burner-relay" in segment.text]
        assert "burner-relay" in session.rows()[row]
        assert [segment.style.color for segment in found] != [muted]
        below = [segment for segment in session.table.render_line(2) if "thermocouple" in segment.text]
        assert [segment.style.color for segment in below] == [muted]


@pytest.mark.parametrize("key", ["pagedown", "pageup", "ctrl+d", "ctrl+u", "home", "end", "down", "up", "enter"])
async def test_a_list_without_room_moves_its_cursor_or_leaves_it(desk, opened, key):
    async with opened(desk, size=(80, 24)) as session:
        facts = session.main.query_one("#inbox-list")
        await session.resize((30, 4))
        await session.press("4")
        facts.show([Fact(literal(f"lamp {number}")) for number in range(9)])
        facts.highlighted = 5
        await session.press(key)
        await session.settle()
        assert facts.highlighted in range(9)


async def test_what_is_chosen_while_the_list_changes_leads_nowhere_else(desk, opened):
    async with opened(desk) as session:
        session.app._window("Lamps", [Fact(literal(f"lamp {number}"), path=desk.plan_path) for number in range(9)])
        await session.shows("lamp 8")
        window = session.app.screen
        window.facts.highlighted = 8
        window.facts.action_select()
        window.facts.show([Fact(literal("the last lamp"), path=desk.log_path)])
        await session.settle()
        assert session.app.screen is window


async def test_a_click_on_a_line_that_is_gone_by_now_chooses_nothing(desk, opened):
    async with opened(desk) as session:
        session.app._window("Lamps", [Fact(literal(f"lamp {number}"), path=desk.plan_path) for number in range(9)])
        await session.shows("lamp 8")
        window = session.app.screen
        at = next(y for y, row in enumerate(session.rows()) if "lamp 8" in row)
        style = session.app.screen.get_style_at(window.facts.region.x + 3, at)
        assert style.meta["option"] == 8
        click = Click(window.facts, 3, 8, 0, 0, 1, False, False, False, style=style)
        window.facts.post_message(click)
        window.facts.show([Fact(literal("the last lamp"), path=desk.log_path)])
        await session.settle()
        assert session.app.screen is window
