"""A scrollbar that is kept while it looks the same."""

import random

from textual.app import App

from harness_tui.tui.widgets.calm_scroll_bar import CalmScrollBar
from harness_tui.tui.widgets.line_source import ListSource
from harness_tui.tui.widgets.line_view import LineView


class ViewApp(App[None]):
    def compose(self):
        yield LineView(ListSource([f"line {n}" for n in range(5000)]), follow=True)


def drawn(bar):
    return [list(strip) for strip in bar.render_lines(bar.size.region)]


async def test_it_looks_as_the_bar_of_textual_wherever_it_stands():
    async with ViewApp().run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        bar = pilot.app.query_one(LineView).vertical_scrollbar
        assert bar.size.height == 12
        assert isinstance(bar, CalmScrollBar)
        chance = random.Random(5)
        for _ in range(200):
            bar.window_virtual_size = chance.choice((13, 40, 400, 5000))
            bar.position = chance.uniform(0, bar.window_virtual_size - bar.window_size)
            bar.grabbed = chance.choice((None, bar.size.region.offset))
            found = drawn(bar)
            bar._drawn = None
            bar._styles_cache.clear()
            assert drawn(bar) == found
        bar.grabbed = None


async def test_a_step_that_cant_be_seen_draws_nothing_and_a_new_theme_all():
    async with ViewApp().run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        view = pilot.app.query_one(LineView)
        bar = view.vertical_scrollbar
        view.put_scroll(1000)
        before = bar.render_lines(bar.size.region)
        view.put_scroll(1001)
        assert bar.render_lines(bar.size.region) is before
        view.put_scroll(2000)
        assert bar.render_lines(bar.size.region) is not before
        before = drawn(bar)
        pilot.app.theme = "textual-light"
        await pilot.pause()
        assert drawn(bar) != before
