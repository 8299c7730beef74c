"""Screens that are left twice, while another lies over them, or before all that was typed for them is handled."""

import pytest

from harness_tui.tui.facts import Fact
from harness_tui.tui.messages import LiveChanged, SnapshotArrived
from harness_tui.tui.text import literal


def names(session):
    """The screens from the lowest to the one on top."""
    return [type(screen).__name__ for screen in session.app.screen_stack]


async def test_a_button_that_is_pressed_twice_leaves_once(desk, opened):
    async with opened(desk) as session:
        await session.press("X")
        button = await session.until(lambda: session.app.screen.query("#cancel"))
        button.only_one().press()
        button.only_one().press()
        await session.until(lambda: names(session) == ["MainScreen"])
        await session.settle()
        assert names(session) == ["MainScreen"]


async def test_a_line_that_is_chosen_twice_leads_there_and_leaves_the_page_below(desk, opened):
    async with opened(desk) as session:
        await session.press("5")
        session.app._window("Lamps", [Fact(literal("a lamp"), path=desk.plan_path, line=1)])
        await session.shows("a lamp")
        window = session.app.screen
        await session.until(lambda: window.facts.highlighted == 0)
        window.facts.action_select()
        window.facts.action_select()
        await session.until(lambda: "FactScreen" not in names(session))
        await session.settle()
        assert names(session) == ["MainScreen", "DecisionPage", "ReaderScreen"]


async def test_a_dialog_that_is_done_under_another_window_takes_itself_away(desk, opened):
    async with opened(desk) as session:
        await session.press("X")
        await session.until(lambda: any("STOP" in line for line in session.facts("#preview")))
        dialog = session.app.screen
        dialog.action_send()
        session.app.action_help()
        assert names(session)[1:] == ["ActDialog", "FactScreen"]
        await session.until(lambda: "ActDialog" not in names(session))
        await session.until(lambda: any("sent: STOP" in toast for toast in session.toasts()))


@pytest.mark.parametrize("action", ["add", "help", "problems", "graph", "page('decisions')", "page('control')"])
async def test_what_is_left_before_it_is_there_is_gone(desk, opened, action):
    async with opened(desk) as session:
        await session.app.run_action(action)
        session.app.pop_screen()
        await session.settle()
        assert names(session) == ["MainScreen"]


async def test_what_is_typed_while_a_dialog_is_left_is_not_looked_at(desk, opened):
    async with opened(desk) as session:
        await session.press("A")
        await session.until(lambda: session.app.screen.query("#field-slug"))
        slug = session.one("#field-slug")
        slug.value = "lamp"
        session.app.screen.action_leave()
        slug.value = "lamps"
        await session.until(lambda: names(session) == ["MainScreen"])
        await session.settle()


async def test_a_command_that_is_chosen_twice_is_run_once(desk, opened):
    async with opened(desk) as session:
        await session.press("colon")
        commands = session.app.screen.query("CommandList")
        await session.until(lambda: commands and commands.first().option_count)
        commands.first().highlighted = 0
        commands.first().action_select()
        commands.first().action_select()
        await session.until(lambda: "FactScreen" in names(session))
        await session.settle()
        assert names(session) == ["MainScreen", "FactScreen"]


async def test_what_is_read_while_the_dashboard_ends_is_not_drawn(desk, opened, monkeypatch):
    async with opened(desk) as session:
        app, close = session.app, session.app._close_all

        async def close_late():
            await close()
            app.on_snapshot_arrived(SnapshotArrived(app.snapshot, ()))
            app.on_live_changed(LiveChanged("polling", "no watches left"))

        monkeypatch.setattr(app, "_close_all", close_late)
