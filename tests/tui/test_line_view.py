"""The viewer of lines that come from elsewhere, driven by keys, the mouse and its source."""

import re
import time
from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.binding import Binding
from textual.containers import Container
from textual.events import MouseScrollDown, MouseScrollUp
from textual.screen import Screen

from harness_tui.tui.widgets.line_source import BlockCache, Line, ListSource
from harness_tui.tui.widgets.line_view import LineView

KEYS = [
    ("down,j", "cursor_down"), ("up,k", "cursor_up"), ("pagedown", "page_down"), ("pageup", "page_up"),
    ("ctrl+d", "half_page_down"), ("ctrl+u", "half_page_up"), ("home,g", "first"), ("end,G", "last"),
    ("enter", "select"), ("f", "follow"), ("w", "wrap"), ("n", "next_match"), ("N", "previous_match"),
    ("h,left", "scroll_left"), ("l,right", "scroll_right"), ("number_sign", "numbers"),
]  # fmt: skip
HARD = [
    "[@click=app.quit]DELIVERED[/] and [/red]",
    "窗" * 60,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1f7 1\ufe0f\u20e3 ✔\ufe0f" * 9,
    "e\u0301" * 90,
    "a\tb\x1b[2J\u202e",
    "",
]


class View(LineView):
    BINDINGS = [Binding(keys, action) for keys, action in KEYS]  # noqa: RUF012 - as Textual declares it


class ViewApp(App[None]):
    def __init__(self, source, *, css="", view=View, **options):
        super().__init__()
        self.view = view(source, **options)
        self.seen = []
        self.boom = False
        self.stylesheet.add_source(css)

    def compose(self):
        with Container():
            yield self.view

    def on_mount(self):
        self.view.focus()

    def on_line_view_follow_changed(self, event):
        self.seen.append(("follow", event.following))

    def on_line_view_line_selected(self, event):
        self.seen.append(("selected", event.line))

    def on_line_view_find_requested(self, event):
        self.seen.append(("find", event.line, event.forward))

    def action_quit(self):
        self.boom = True


class Lazy:
    """A source whose lines have to be asked for."""

    def __init__(self, total):
        self.total = total
        self.cache = BlockCache(block=16, most=8)
        self.wanted = []

    def get(self, line):
        return self.cache.get(line)

    def want(self, start, stop):
        self.wanted.append((start, stop))

    def load(self, view, start, stop):
        self.cache.put(start, [Line(f"line {n}") for n in range(start, stop)])
        view.loaded(start, stop)


def texts(count):
    return [f"line {n}" for n in range(count)]


def lines(view):
    strips = [view.render_line(y) for y in range(view.size.height)]
    for strip in strips:
        assert strip.cell_length == view.size.width
        assert sum(cell_len(segment.text) for segment in strip) == view.size.width
        assert all(not segment.style.meta and not segment.style.link for segment in strip)
    return [strip.text.rstrip() for strip in strips]


async def test_keys_move_the_current_line_and_scroll():
    app = ViewApp(ListSource(texts(100)))
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.view
        for key, line in [
            ("j", 1),
            ("k", 0),
            ("pagedown", 10),
            ("ctrl+d", 15),
            ("ctrl+u", 10),
            ("pageup", 0),
            ("k", 0),
        ]:
            await pilot.press(key)
            assert view.cursor == line, key
            assert f"▌line {line}" in lines(view)
        await pilot.press("G", "enter")
        assert app.seen == [("follow", True), ("selected", 99)]
        assert lines(view)[-1] == "▌line 99"
        await pilot.press("g")
        assert (view.cursor, view.following, lines(view)[0]) == (0, False, "▌line 0")


async def test_following_stays_at_the_end_until_somebody_goes_up():
    source = texts(30)
    app = ViewApp(ListSource(source), follow=True)
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.view
        assert lines(view)[-1] == "▌line 29"
        source += ["more", "and more"]
        view.grew(len(source))
        await pilot.pause()
        assert lines(view)[-2:] == [" more", "▌and more"]
        assert view.new_lines == 0
        await pilot.press("k")
        assert (view.following, app.seen) == (False, [("follow", False)])
        source += texts(3)
        view.grew(len(source))
        await pilot.pause()
        assert (view.new_lines, view.cursor, lines(view)[-1]) == (3, 30, " and more")
        await pilot.press("f")
        assert (view.following, view.new_lines, lines(view)[-1]) == (True, 0, "▌line 2")


@pytest.mark.parametrize("act", ["wheel", "pageup", "home", "goto"])
async def test_any_way_up_ends_following(act):
    app = ViewApp(ListSource(texts(100)), follow=True)
    async with app.run_test(size=(40, 10)) as pilot:
        if act == "wheel":
            await pilot._post_mouse_events([MouseScrollUp], app.view, offset=(5, 5))
        elif act == "goto":
            app.view.goto(50)
        else:
            await pilot.press(act)
        await pilot.pause()
        assert not app.view.following
        assert app.seen == [("follow", False)]
        assert round(app.view.scroll_y) < 90
        if act == "pageup":
            assert round(app.view.scroll_y) == 80


@pytest.mark.parametrize("wrap", [False, True])
async def test_resizing_does_not_end_following(wrap):
    app = ViewApp(ListSource([f"{n} " + "x" * (n % 70) for n in range(100)]), follow=True, wrap=wrap)
    async with app.run_test(size=(40, 10)) as pilot:
        for size in [(40, 30), (15, 4), (100, 9), (40, 10)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.view.following
            assert app.view.cursor == 99
            shown = lines(app.view)
            assert shown[-1].startswith("▌")
            assert "".join(line[1:] for line in shown).endswith("99 " + "x" * 29) or not wrap


async def test_missing_lines_are_asked_for_once_and_drawn_when_they_come():
    source = Lazy(1000)
    app = ViewApp(source)
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.view
        await pilot.pause()
        assert source.wanted == [(0, 10)]
        assert lines(view)[0] == "▌…"
        view.refresh()
        await pilot.pause()
        assert source.wanted == [(0, 10)]
        source.load(view, 0, 16)
        await pilot.pause()
        assert lines(view)[:2] == ["▌line 0", " line 1"]
        view.goto(500)
        await pilot.pause()
        begin, end = source.wanted[-1]
        assert begin <= 496
        assert end >= 505
        source.load(view, 480, 528)
        await pilot.pause()
        assert "▌line 500" in lines(view)
        assert lines(view).index("▌line 500") in {4, 5}


async def test_a_filter_shows_only_its_lines_and_asks_only_for_them():
    source = Lazy(1_000_000)
    app = ViewApp(source)
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.view
        view.move_to(5)
        view.set_mapping([3, 7, 400_000])
        await pilot.pause()
        assert (view.cursor, view.cursor_line, view.count) == (1, 7, 3)
        assert source.wanted == [(0, 10), (400_000, 400_001)]
        source.load(view, 0, 16)
        source.load(view, 400_000, 400_001)
        await pilot.pause()
        assert lines(view)[:4] == [" line 3", "▌line 7", " line 400000", ""]
        view.goto(8)
        assert view.cursor_line == 400_000
        view.set_mapping(None)
        assert (view.cursor, view.cursor_line) == (400_000, 400_000)


async def test_a_growing_filter_is_followed():
    source, passed = texts(100), [1, 2]
    app = ViewApp(ListSource(source), follow=True)
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.set_mapping(passed)
        passed.append(77)
        app.view.grew(100)
        await pilot.pause()
        assert lines(app.view)[:3] == [" line 1", " line 2", "▌line 77"]


async def test_a_source_that_begins_anew_is_shown_from_memory_of_nothing():
    source = texts(100)
    app = ViewApp(ListSource(source))
    async with app.run_test(size=(40, 10)) as pilot:
        app.view.move_to(80)
        source[:] = ["first", "second"]
        app.view.restarted()
        await pilot.pause()
        assert lines(app.view)[:3] == [" first", "▌second", ""]


async def test_a_line_that_changes_is_drawn_again():
    source = ["begun", "half a li"]
    app = ViewApp(ListSource(source))
    async with app.run_test(size=(40, 5)) as pilot:
        await pilot.pause()
        source[1] = "half a line, now whole"
        app.view.loaded(1, 2)
        await pilot.pause()
        assert lines(app.view)[1] == " half a line, now whole"


async def test_nothing_is_done_for_a_view_that_nobody_sees():
    source = texts(50)
    app = ViewApp(ListSource(source), follow=True)
    async with app.run_test(size=(40, 10)) as pilot:
        view, done = app.view, []
        await pilot.pause()
        for hide, show in [
            (lambda: app.push_screen(Screen()), app.pop_screen),
            (lambda: setattr(view, "display", False), lambda: setattr(view, "display", True)),
            (lambda: setattr(view.parent, "display", False), lambda: setattr(view.parent, "display", True)),
        ]:
            hide()
            await pilot.pause()
            done = []
            view.refresh, refresh = lambda *args, log=done, **_: log.append(args), view.refresh
            source += ["hidden"] * 40 + [f"seen {len(source)}"]
            view.grew(len(source))
            await pilot.pause()
            assert done == []
            view.refresh = refresh
            show()
            await pilot.pause()
            await pilot.pause()
            assert lines(view)[-1] == f"▌{source[-1]}"


async def test_wrapped_lines_take_the_rows_they_need_and_the_end_can_be_reached():
    source = [f"{n:02}" + "abcdefghij" * (n % 4) for n in range(40)]
    app = ViewApp(ListSource(source), wrap=True)
    async with app.run_test(size=(23, 10)) as pilot:
        view = app.view
        await pilot.pause()
        width = view.text_width
        rows = ["▌00", f" {source[1]}", f" {source[2][:width]}", f" {source[2][width:]}", f" {source[3][:width]}"]
        assert lines(view)[:5] == rows
        await pilot.press("end")
        assert lines(view)[-1][0] == "▌"
        assert "".join(line[1:] for line in lines(view)).endswith(source[39])
        await pilot.press("f")
        for index in range(38, -1, -1):
            await pilot.press("k")
            assert view.cursor == index
            current = "".join(line[1:] for line in lines(view) if line.startswith("▌"))
            assert current == source[index]
        for _ in range(39):
            await pilot.press("j")
            current = "".join(line[1:] for line in lines(view) if line.startswith("▌"))
            assert current == source[view.cursor]
        assert view.cursor == 39


async def test_clicks_find_the_line_of_a_wrapped_row():
    app = ViewApp(ListSource(["x" * 100, "second", "third"]), wrap=True)
    async with app.run_test(size=(30, 10)) as pilot:
        row = lines(app.view).index(" second")
        await pilot.click(app.view, offset=(3, row))
        assert app.view.cursor == 1
        await pilot.click(app.view, offset=(3, row - 1))
        assert app.view.cursor == 0
        assert app.seen == []
        await pilot.click(app.view, offset=(3, row + 1), times=2)
        assert app.seen == [("selected", 2)]


async def test_clicks_map_to_lines_after_scrolling():
    app = ViewApp(ListSource(texts(100)))
    async with app.run_test(size=(30, 10)) as pilot:
        for _ in range(4):
            await pilot._post_mouse_events([MouseScrollDown], app.view, offset=(5, 5))
        top = app.view.scroll_offset.y
        assert top > 0
        await pilot.click(app.view, offset=(3, 4))
        assert app.view.cursor == top + 4
        await pilot.press("j")
        assert app.view.cursor == top + 5


async def test_keys_go_on_from_what_is_in_view():
    app = ViewApp(ListSource(texts(100)))
    async with app.run_test(size=(30, 10)) as pilot:
        for _ in range(10):
            await pilot._post_mouse_events([MouseScrollDown], app.view, offset=(5, 5))
        top = app.view.scroll_offset.y
        await pilot.press("j")
        assert app.view.cursor == top + 1
        assert app.view.scroll_offset.y == top


async def test_long_lines_are_clipped_with_a_mark_and_scrolled_sideways():
    app = ViewApp(ListSource(["0123456789" * 8, "short", "窗" * 40]))
    async with app.run_test(size=(31, 5)) as pilot:
        view = app.view
        first = lines(view)
        assert first[0] == "▌" + ("0123456789" * 3)[:29] + "…"
        assert first[1] == " short"
        await pilot.press("l")
        assert lines(view)[0] == "▌" + ("89" + "0123456789" * 3)[:29] + "…"
        assert lines(view)[1] == ""
        await pilot.press(*["l"] * 20)
        assert lines(view)[0].endswith("789")
        await pilot.press(*["h"] * 20)
        assert lines(view) == first
        await pilot._post_mouse_events([MouseScrollDown], view, offset=(5, 1), shift=True)
        assert lines(view)[0] != first[0]
        assert view.cursor == 0


async def test_what_was_dropped_is_said_where_it_can_be_seen():
    class Long(ListSource):
        def get(self, line, /):
            text = super().get(line)
            return text and replace(text, dropped=191_808, marks="‹control characters shown›")

    app = ViewApp(Long(["x" * 500, "end"]))
    async with app.run_test(size=(60, 5)) as pilot:
        assert lines(app.view)[0].endswith("x… +192k")
        assert lines(app.view)[1] == " end … +191k ‹control characters shown›"
        await pilot.press("w")
        assert lines(app.view)[4].endswith("x… +192k")
        await pilot.resize_terminal(60, 12)
        await pilot.pause()
        assert "x … +191k ‹control characters shown›end" in "".join(line[1:] for line in lines(app.view)[:11])


async def test_a_line_of_a_megabyte_is_drawn_quickly():
    for piece in ("x", "窗", "e\u0301", "\U0001f468\u200d\U0001f469 "):
        big = piece * (1_000_000 // len(piece))
        app = ViewApp(ListSource(["a", big, "b"]))
        async with app.run_test(size=(80, 24)) as pilot:
            started = time.process_time()
            lines(app.view)
            await pilot.press("l", "w")
            lines(app.view)
            await pilot.press("j", "w")
            assert lines(app.view)[2] == " b"
            assert time.process_time() - started < 2


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 5), (3, 2), (7, 3), (20, 5), (200, 60)])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("css", ["", "View { border: round red; padding: 1 2; }"])
async def test_any_size_is_drawn(size, wrap, css):
    app = ViewApp(ListSource(HARD * 5), wrap=wrap, numbers=True, css=css)
    async with app.run_test(size=size) as pilot:
        assert bool(app.view.styles.gutter) == bool(css)
        for key in ["j", "G", "ctrl+u", "l", "pageup", "w", "number_sign", "f"]:
            await pilot.press(key)
            lines(app.view)
        app.view.goto(3)
        lines(app.view)
        app.view.set_source(ListSource([]))
        await pilot.pause()
        lines(app.view)
        await pilot.press("j", "k", "G", "pageup", "enter")


async def test_foreign_text_stays_literal():
    app = ViewApp(ListSource(HARD))
    async with app.run_test(size=(60, 8)) as pilot:
        shown = lines(app.view)
        assert shown[0] == "▌" + HARD[0]
        assert shown[4] == " a    b␛[2J‹U+202E›"
        for column in range(0, 40, 3):
            await pilot.click(app.view, offset=(column, 0), times=1)
        assert not app.boom


async def test_line_numbers_come_and_go():
    app = ViewApp(ListSource(texts(120)), numbers=True)
    async with app.run_test(size=(40, 5)) as pilot:
        assert lines(app.view)[:2] == ["▌  1 line 0", "   2 line 1"]
        await pilot.press("number_sign")
        assert lines(app.view)[0] == "▌line 0"


async def test_numbers_get_room_as_lines_come():
    source = texts(9)
    app = ViewApp(ListSource(source), numbers=True)
    async with app.run_test(size=(40, 20)) as pilot:
        assert lines(app.view)[1] == " 2 line 1"
        source.append("tenth")
        app.view.grew(10)
        await pilot.pause()
        assert lines(app.view)[1] == "  2 line 1"
        assert lines(app.view)[9] == " 10 tenth"


async def test_matches_are_marked_in_what_is_seen():
    app = ViewApp(ListSource(["say [x] and [X]", "nothing", "e\u0301x"]))
    async with app.run_test(size=(40, 5)) as pilot:
        app.view.search("[x]")
        marked = [[s.text for s in app.view.render_line(y) if s.style.underline] for y in range(3)]
        assert marked == [["[x]", "[X]"], [], []]
        app.view.search(re.compile("e"))
        assert [s.text for s in app.view.render_line(2) if s.style.underline] == ["e\u0301"]
        lines(app.view)
        await pilot.press("n", "N")
        assert app.seen == [("find", 0, True), ("find", 0, False)]


async def test_a_subclass_decorates_lines_and_names_numbers():
    class Timed(View):
        def decorate(self, line_no, line):
            return [("12:00 ", "$text-muted"), (line.text, line.kind)]

        def label(self, line_no):
            return f"~{line_no}"

    app = ViewApp(ListSource(texts(120), "$text-error"), view=Timed, numbers=True)
    async with app.run_test(size=(40, 5)):
        assert lines(app.view)[1] == "  ~1 12:00 line 1"
        strip = app.view.render_line(1)
        colors = {s.text.strip(): s.style.color for s in strip}
        assert colors["12:00"] != colors["line 1"]


async def test_a_theme_changes_the_styles():
    app = ViewApp(ListSource(texts(3), "$text-error"))
    async with app.run_test(size=(40, 5)) as pilot:
        before = [segment.style for segment in app.view.render_line(1)]
        app.theme = "textual-light"
        await pilot.pause()
        after = [segment.style for segment in app.view.render_line(1)]
        assert before[1].color != after[1].color
        assert before[1].bgcolor != after[1].bgcolor


async def test_an_empty_view_says_so():
    app = ViewApp(ListSource([]), empty="Nothing was written yet.")
    async with app.run_test(size=(40, 5)):
        assert lines(app.view)[2].strip() == "Nothing was written yet."


async def test_growing_repaints_no_more_than_the_new_lines_while_there_is_room():
    source = texts(3)
    app = ViewApp(ListSource(source))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        regions = []
        refresh = app.view.refresh
        app.view.refresh = lambda *args, **options: (regions.extend(args or ["all"]), refresh(*args, **options))[1]
        source.append("new")
        app.view.grew(4)
        await pilot.pause()
        assert {region.y for region in regions} == {0, 3}
        assert lines(app.view)[3] == " new"
        source += texts(100)
        app.view.grew(104)
        regions.clear()
        source += texts(10)
        app.view.grew(114)
        assert {region.y for region in regions} <= {0}


def test_block_cache_is_bounded_and_drops_what_was_not_used():
    cache = BlockCache(block=4, most=2)
    cache.put(2, [Line(str(n)) for n in range(2, 7)])
    assert [cache.get(n) and cache.get(n).text for n in range(9)] == [None, None, "2", "3", "4", "5", "6", None, None]
    assert cache.missing(0, 8) == (0, 8)
    assert cache.missing(2, 7) is None
    assert cache.around(5, 9) == (4, 12)
    cache.get(2)
    cache.put(8, [Line("8")])
    assert len(cache) == 2
    assert cache.get(4) is None
    assert cache.get(2) is not None
    cache.put(8, [Line("newer")])
    assert cache.get(8) == Line("newer")
    cache.clear()
    assert cache.get(8) is None
