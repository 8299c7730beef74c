"""Lists of facts, and how the row of the cursor is drawn."""

import pytest
from textual.color import Color
from textual.events import Click

from harness_tui.tui.facts import Fact
from harness_tui.tui.messages import FactChosen
from harness_tui.tui.text import literal
from harness_tui.tui.widgets.legible import LEGIBLE, contrast


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
        await session.until(lambda: session.app.screen is not window)
        assert session.app.screen.path == desk.plan_path


async def test_a_click_on_a_line_that_is_gone_by_now_chooses_nothing(desk, opened):
    async with opened(desk) as session:
        session.app._window("Lamps", [Fact(literal(f"lamp {number}"), path=desk.plan_path) for number in range(9)])
        await session.shows("lamp 8")
        window = session.app.screen
        at = next(y for y, row in enumerate(session.rows()) if "lamp 8" in row)
        x, y = window.facts.region.x + 3, at
        click = Click(window.facts, 3, y - window.facts.region.y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)
        window.facts.post_message(click)
        window.facts.show([Fact(literal("the last lamp"), path=desk.log_path)])
        await session.settle()
        assert session.app.screen is window


def listed(session, facts):
    """A window that lists these facts, once they are on the screen."""
    session.app._window("Listed", facts)
    return session.shows(facts[-1].plain)


def many(count):
    return [Fact(literal("lamps"), heading=True)] + [Fact(literal(f"lamp {n:03}"), key=str(n)) for n in range(count)]


async def test_the_cursor_passes_over_headings_and_goes_around_the_end(desk, opened):
    async with opened(desk) as session:
        await listed(session, [*many(2), Fact(literal("horns"), heading=True), Fact(literal("horn"), key="h")])
        keys = []
        for key in ("down", "down", "down", "up", "home", "end"):
            await session.press(key)
            keys.append(session.app.screen.facts.current.key)
        assert keys == ["1", "h", "0", "h", "0", "h"]


async def test_pages_go_by_what_is_in_view_and_the_cursor_stays_in_sight(desk, opened):
    async with opened(desk, size=(80, 24)) as session:
        session.app._window("Listed", many(100))
        await session.shows("lamp 000")
        found = session.app.screen.facts
        page = found.view.height
        await session.press("pagedown")
        assert found.current.key == str(page)
        await session.shows(f"lamp {page:03}")
        await session.press("end")
        await session.shows("lamp 099")
        await session.press("pageup")
        assert found.current.key == str(99 - page)
        await session.press("home")
        await session.shows("lamp 000")
        assert found.current.key == "0"


async def test_a_click_chooses_the_fact_below_the_mouse_and_a_heading_is_none(desk, opened):
    async with opened(desk) as session:
        facts = [Fact(literal("headed"), heading=True), Fact(literal("word " * 60)), Fact(literal("goal"), pool_id="x")]
        await listed(session, facts)
        found, chosen = session.app.screen.facts, []
        post = found.post_message
        found.post_message = lambda message: (
            chosen.append(message.fact) if isinstance(message, FactChosen) else post(message)
        )
        rows = len(found._spots)
        for line in (0, rows - 1, rows - 2):
            await session.pilot.click(found, offset=(3, line))
        assert chosen == [facts[2], facts[1]]
        await session.pilot.hover(found, offset=(3, rows - 1))
        assert found._hover == 2
        await session.pilot.hover(found, offset=(3, 0))
        assert found._hover == 0
        assert [found._state(place) for place in (1, 2)] == ["fact-list--current", ""]


async def test_lines_wrap_anew_in_another_width(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        session.app._window("Listed", [Fact(literal("wrapped " * 30 + "end"))])
        await session.shows("wrapped wrapped")
        found = session.app.screen.facts
        wide = len(found._spots)
        await session.pilot.resize_terminal(80, 24)
        await session.until(lambda: len(found._spots) > wide)
        await session.shows(" end")
