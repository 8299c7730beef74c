"""What is painted of a part of the screen is what Textual would paint, from fewer widgets."""

import random

import pyte
import pytest
from textual._compositor import Compositor
from textual.geometry import Region

from harness_tui.tui.compositor import NarrowCompositor
from harness_tui.tui.widgets.log_view import LogView

SIZE = (120, 40)


def painted(app, update):
    """The cells of an empty terminal after `update`."""
    terminal = pyte.Screen(*SIZE)
    stream = pyte.Stream(terminal)
    terminal.set_mode(pyte.modes.LNM)
    stream.feed(update.render_segments(app.console))
    return {(x, y): cell for y, line in terminal.buffer.items() for x, cell in line.items()}


def anywhere(chance):
    x, y = chance.randrange(SIZE[0] - 1), chance.randrange(SIZE[1] - 1)
    return Region(x, y, chance.randint(1, SIZE[0] - x), chance.randint(1, min(9, SIZE[1] - y)))


@pytest.mark.parametrize("keys", [[], ["m"], ["question_mark"], ["3", "z"]], ids=["bare", "toast", "window", "zoom"])
async def test_any_parts_are_painted_as_the_base_paints_them(desk, opened, monkeypatch, keys):
    async with opened(desk, size=SIZE) as session:
        await session.press(*keys)
        compositor = session.app.main._compositor
        chance = random.Random(f"{keys}")
        for _ in range(25):
            regions = {anywhere(chance) for _ in range(chance.randint(1, 4))}
            compositor._dirty_regions = set(regions)
            narrow = painted(session.app, compositor.render_partial_update())
            compositor._dirty_regions = set(regions)
            with monkeypatch.context() as patch:
                patch.setattr(NarrowCompositor, "_get_renders", Compositor._get_renders)
                wide = painted(session.app, Compositor.render_partial_update(compositor))
            assert narrow == wide
        narrow = painted(session.app, compositor.render_full_update())
        monkeypatch.setattr(NarrowCompositor, "_get_renders", Compositor._get_renders)
        assert narrow == painted(session.app, compositor.render_full_update())


def listen(monkeypatch, compositor, asked):
    for kind in {type(widget) for widget in compositor.visible_widgets}:
        drawn = kind.render_lines
        monkeypatch.setattr(
            kind, "render_lines", lambda self, crop, drawn=drawn: asked.append((self, crop)) or drawn(self, crop)
        )


async def test_only_what_is_in_front_is_asked(desk, opened, monkeypatch):
    async with opened(desk, size=SIZE) as session:
        compositor = session.app.main._compositor
        view = session.app.main.query_one(LogView)
        asked = []
        listen(monkeypatch, compositor, asked)
        compositor._dirty_regions = {Region(view.region.x, view.region.y + 2, 5, 2)}
        compositor.render_partial_update()
        assert {widget for widget, _ in asked} == {view}
        assert {(crop.y, crop.height) for _, crop in asked} == {(2, 2)}


async def test_what_others_cover_is_not_drawn_in_a_whole_frame_either(desk, opened, monkeypatch):
    async with opened(desk, size=SIZE) as session:
        compositor = session.app.main._compositor
        asked = []
        listen(monkeypatch, compositor, asked)
        compositor.render_full_update()
        assert {widget.id for widget, _ in asked} >= {"status", "pool-table", "log-view", "actions"}
        assert not {widget.id for widget, _ in asked} & {"main", "body", "left", "right"}
