"""The table that draws only what is in view, driven by keys and the mouse."""

from typing import NamedTuple

import pyte
import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.app import App
from textual.binding import Binding
from textual.containers import Container
from textual.events import MouseScrollDown

from harness_tui.tui.text import pin_widths
from harness_tui.tui.widgets.columns import Column, place
from harness_tui.tui.widgets.row_table import RowTable

HARD = [
    "Replace `[@click=app.quit]close[/]` now",
    "a lone [/red] and [red]x[/] and [$accent]",
    "窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗窗",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1eb\U0001f1f7 1\ufe0f\u20e3 ✔\ufe0f",
    "e\u0301 n\u0303 marks",
    "ﾌｰﾅｽ half, ＦＵＬＬ full",
    "a\tb\x1b[2J\u202e",
]
KEYS = [
    ("down,j", "cursor_down"), ("up,k", "cursor_up"), ("pagedown", "page_down"), ("pageup", "page_up"),
    ("ctrl+d", "half_page_down"), ("ctrl+u", "half_page_up"), ("home,g", "first"), ("end,G", "last"),
    ("enter", "select"),
]  # fmt: skip


class Task(NamedTuple):
    key: str
    goal: str
    status: str = "done"


class Table(RowTable[Task]):
    BINDINGS = [Binding(keys, action) for keys, action in KEYS]  # noqa: RUF012 - as Textual declares it

    def __init__(self, rows=(), **options):
        columns = (
            Column("id", "ID", 6, priority=3),
            Column("goal", "Goal", min_width=8, priority=2),
            Column("status", "Status", 8, align="right", priority=1),
        )
        cells = lambda task: ((task.key, "bold"), (task.goal, ""), (task.status, "$text-error"))  # noqa: E731
        super().__init__(columns, key=lambda task: task.key, cells=cells, rows=rows, **options)
        self.drawn = []

    def _draw(self, row, state):
        self.drawn.append(row)
        return super()._draw(row, state)


class TableApp(App[None]):
    def __init__(self, rows=(), *, css="", **options):
        super().__init__()
        self.table = Table(rows, **options)
        self.seen = []
        self.boom = False
        self.stylesheet.add_source(css)

    def compose(self):
        with Container():
            yield self.table

    def on_mount(self):
        self.table.focus()

    def on_row_table_row_highlighted(self, event):
        self.seen.append(("highlighted", event.index, event.row.key))

    def on_row_table_row_selected(self, event):
        self.seen.append(("selected", event.index, event.row.key))

    def on_row_table_header_selected(self, event):
        self.seen.append(("header", event.key))

    def action_quit(self):
        self.boom = True


def tasks(count):
    return [Task(f"T-{n}", f"goal {n}") for n in range(count)]


def lines(table):
    strips = [table.render_line(y) for y in range(table.size.height)]
    for strip in strips:
        assert strip.cell_length == table.size.width
        assert sum(cell_len(segment.text) for segment in strip) == table.size.width
        assert all(not segment.style.meta and not segment.style.link for segment in strip)
    return [strip.text.rstrip() for strip in strips]


def of_kind(app, kind):
    return [event[1:] for event in app.seen if event[0] == kind]


async def test_keys_move_the_cursor_and_scroll():
    app = TableApp(tasks(100))
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.table
        assert table.page == 11
        moves = [("j", 1), ("j", 2), ("k", 1), ("pagedown", 12), ("ctrl+d", 17), ("ctrl+u", 12), ("pageup", 1)]
        for key, index in [*moves, ("G", 99), ("down", 99), ("g", 0), ("up", 0)]:
            await pilot.press(key)
            assert table.cursor == index, key
            assert next(line for line in lines(table) if line.startswith("▌")).split()[0].endswith(f"T-{index}")
        assert of_kind(app, "highlighted")[0] == (0, "T-0")
        assert (99, "T-99") in of_kind(app, "highlighted")
        await pilot.press("enter")
        assert of_kind(app, "selected") == [(0, "T-0")]


async def test_keys_that_nobody_bound_do_nothing():
    class Bare(App[None]):
        def compose(self):
            yield RowTable([Column("a", "A")], key=str, cells=lambda row: ((str(row), ""),), rows=list(range(99)))

    app = Bare()
    async with app.run_test(size=(20, 9)) as pilot:
        await pilot.press("down", "pagedown", "end")
        assert (app.query_one(RowTable).cursor, app.query_one(RowTable).scroll_y) == (0, 0)


async def test_foreign_text_stays_literal_and_columns_stand_under_each_other():
    app = TableApp([Task(f"T-{n}", words, "[b]x[/b]") for n, words in enumerate(HARD)])
    async with app.run_test(size=(80, 12)) as pilot:
        first = lines(app.table)
        assert "Replace `[@click=app.quit]close[/]` now" in first[1]
        assert "a lone [/red] and [red]x[/] and [$accent]" in first[2]
        assert "a    b␛[2J‹U+202E›" in first[7]
        assert all(line.endswith("[b]x[/b]") for line in first[1:8])
        for column in range(0, 80, 4):
            await pilot.click(app.table, offset=(column, 1), times=1)
        assert not app.boom
        await pilot.resize_terminal(20, 12)
        assert all(cell_len(line) <= 20 for line in lines(app.table))
        await pilot.resize_terminal(80, 12)
        await pilot.pause()
        assert lines(app.table) == first


async def test_column_edges_stand_under_each_other_in_a_terminal():
    rows = [Task(f"T-{n}", words, "|edge") for n, words in enumerate([*HARD, "กำ हि combine", "1\ufe0f\u20e3" * 40])]
    app = TableApp(rows)
    async with app.run_test(size=(80, 12)):
        screen = pyte.Screen(80, 12)
        strips = [app.table.render_line(y) for y in range(12)]
        pyte.Stream(screen).feed("\r\n".join(pin_widths(strip.render(app.console)) for strip in strips[:-1]))
        edges = [[x for x in range(80) if screen.buffer[y][x].data == "|"] for y in range(1, len(rows) + 1)]
        assert edges == [[75]] * len(rows)


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 5), (3, 2), (7, 3), (20, 5), (200, 60)])
@pytest.mark.parametrize("css", ["", "Table { border: round red; padding: 1 2; }"])
async def test_any_size_is_drawn(size, css):
    rows = [Task(f"T-{n}", HARD[n % len(HARD)]) for n in range(50)]
    app = TableApp(rows, css=css)
    async with app.run_test(size=size) as pilot:
        assert bool(app.table.styles.gutter) == bool(css)
        await pilot.press("j", "G", "ctrl+u")
        lines(app.table)
        app.table.set_rows([])
        await pilot.pause()
        lines(app.table)


async def test_resizing_keeps_the_current_row_in_view():
    app = TableApp(tasks(100))
    async with app.run_test(size=(60, 20)) as pilot:
        app.table.move_to(60)
        for size in [(60, 5), (30, 3), (60, 30)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.table.cursor == 60
            assert any(line.startswith("▌T-60") for line in lines(app.table))


async def test_the_cursor_stays_on_its_row_and_its_line_of_the_screen():
    rows = tasks(100)
    app = TableApp(rows)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.table
        table.move_to(50)
        await pilot.pause()
        line = next(y for y, text in enumerate(lines(table)) if text.startswith("▌"))
        table.set_rows([Task(f"N-{n}", "new") for n in range(7)] + rows)
        await pilot.pause()
        assert (table.cursor, table.current.key) == (57, "T-50")
        assert lines(table)[line].startswith("▌T-50")
        table.set_rows([Task(task.key, "other objects") for task in reversed(rows)])
        await pilot.pause()
        assert (table.cursor, table.current.key) == (49, "T-50")
        assert lines(table)[line].startswith("▌T-50")
        table.set_rows(rows[:50])
        await pilot.pause()
        assert table.cursor == 49
        table.set_rows([])
        assert (table.cursor, table.current) == (0, None)
        table.set_rows(rows)
        assert table.cursor == 0


async def test_of_rows_with_one_key_the_cursor_stays_on_the_same_one():
    app = TableApp([Task("T-1", "a"), Task("T-2", "first"), Task("T-2", "second"), Task("T-3", "z")])
    async with app.run_test(size=(60, 12)):
        app.table.move_to(2)
        app.table.set_rows([Task("T-0", "new"), *(Task(*row) for row in app.table.rows)])
        assert (app.table.cursor, app.table.current.goal) == (3, "second")
        app.table.set_rows([Task("T-2", "only")])
        assert app.table.current.goal == "only"


async def test_only_what_changed_is_drawn_again():
    rows = tasks(100_000)
    app = TableApp(rows)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.table
        await pilot.pause()
        table.drawn.clear()
        regions = []
        refresh = table.refresh
        table.refresh = lambda *args, **options: (regions.extend(args or ["all"]), refresh(*args, **options))[1]
        changed = list(rows)
        changed[3] = Task("T-3", "changed")
        changed[50_000] = Task("T-50000", "changed out of sight")
        table.set_rows(changed)
        await pilot.pause()
        assert table.drawn == [changed[3]]
        assert [region.y for region in regions] == [4]
        assert "changed" in lines(table)[4]
        table.set_rows(changed)
        assert len(regions) == 1


async def test_a_newer_row_under_the_cursor_is_told():
    rows = tasks(5)
    app = TableApp(rows)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        app.table.set_rows([Task("T-0", "newer"), *rows[1:]])
        await pilot.pause()
        assert of_kind(app, "highlighted") == [(0, "T-0"), (0, "T-0")]


async def test_the_mouse_finds_rows_after_scrolling():
    app = TableApp(tasks(100))
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.table
        for _ in range(3):
            await pilot._post_mouse_events([MouseScrollDown], table, offset=(5, 5))
        top = table.scroll_offset.y
        assert top > 0
        await pilot.click(table, offset=(5, 4))
        assert table.cursor == top + 3
        assert of_kind(app, "selected") == []
        app.CLICK_CHAIN_TIME_THRESHOLD = -1.0  # the next click is one by itself, however soon it comes
        await pilot.click(table, offset=(5, 4))
        app.CLICK_CHAIN_TIME_THRESHOLD = 60.0
        assert of_kind(app, "selected") == [(top + 3, f"T-{top + 3}")]
        await pilot.click(table, offset=(5, 7), times=2)
        assert of_kind(app, "selected")[1:] == [(top + 6, f"T-{top + 6}")]


async def test_a_click_that_brings_the_focus_does_not_select():
    app = TableApp(tasks(3))
    async with app.run_test(size=(60, 12)) as pilot:
        app.set_focus(None)
        await pilot.click(app.table, offset=(5, 1))
        assert app.focused is app.table
        assert of_kind(app, "selected") == []


async def test_a_click_on_a_label_names_its_column_unless_it_is_not_sortable():
    app = TableApp(tasks(3))
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.click(app.table, offset=(1, 0))
        await pilot.click(app.table, offset=(9, 0))
        assert of_kind(app, "header") == [("id",), ("goal",)]
        app.table.set_columns([Column("id", "ID", 6, sortable=False)])
        await pilot.click(app.table, offset=(1, 0))
        assert len(of_kind(app, "header")) == 2


async def test_the_sorted_column_has_an_arrow():
    app = TableApp(tasks(3))
    async with app.run_test(size=(60, 12)):
        assert "▲" not in lines(app.table)[0]
        app.table.set_sort("status")
        assert "Status▲" in lines(app.table)[0]
        app.table.set_sort("id", descending=True)
        assert lines(app.table)[0].startswith(" ID▼")


async def test_an_empty_table_says_so_in_its_middle():
    app = TableApp(empty="No tasks yet.\nPress [A] to add one.")
    async with app.run_test(size=(40, 11)):
        shown = lines(app.table)
        assert shown[5].strip() == "No tasks yet."
        assert shown[6].strip() == "Press [A] to add one."
        assert shown[5].index("N") == 13


def style_of(table, y, words):
    return next(segment.style for segment in table.render_line(y) if words in segment.text)


async def test_a_theme_changes_the_styles():
    app = TableApp(tasks(3))
    async with app.run_test(size=(60, 12)) as pilot:
        before = style_of(app.table, 2, "done"), style_of(app.table, 1, "goal")
        app.theme = "textual-light"
        await pilot.pause()
        after = style_of(app.table, 2, "done"), style_of(app.table, 1, "goal")
        assert before[0].color != after[0].color
        assert before[1].bgcolor != after[1].bgcolor


async def test_the_cursor_is_dimmer_without_focus_and_keeps_its_mark():
    app = TableApp(tasks(3))
    async with app.run_test(size=(60, 12)) as pilot:
        focused = style_of(app.table, 1, "goal").bgcolor
        app.set_focus(None)
        await pilot.pause()
        blurred = style_of(app.table, 1, "goal").bgcolor
        plain = style_of(app.table, 2, "goal").bgcolor
        assert len({focused, blurred, plain}) == 3
        assert lines(app.table)[1].startswith("▌")


async def test_the_row_under_the_mouse_is_shown():
    app = TableApp(tasks(3))
    async with app.run_test(size=(60, 12)) as pilot:
        plain = style_of(app.table, 3, "goal").bgcolor
        await pilot.hover(app.table, offset=(4, 3))
        assert style_of(app.table, 3, "goal").bgcolor != plain


async def test_matches_are_underlined_literally():
    app = TableApp([Task("T-1", "Fix readings[0] and READINGS[0]"), Task("T-2", "readings 0")])
    async with app.run_test(size=(60, 12)):
        app.table.set_highlight("readings[0]")
        marked = [[s.text for s in app.table.render_line(y) if s.style.underline] for y in (1, 2)]
        assert marked == [["readings[0]", "READINGS[0]"], []]
        lines(app.table)
        app.table.set_highlight(None)
        assert not any(segment.style.underline for segment in app.table.render_line(1))


async def test_each_style_is_read_once(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "harness_tui.tui.widgets.strip_view.named_style", lambda name, *_: asked.append(name) or Style(italic=True)
    )
    app = TableApp(tasks(50))
    async with app.run_test(size=(60, 12)):
        assert style_of(app.table, 2, "done").italic
        assert set(asked) == {"$text-error", "bold"}
        asked.clear()
        app.table.redraw()
        lines(app.table)
        assert not asked


def test_narrow_tables_leave_out_columns_of_low_priority():
    columns = [
        Column("a", "A", 6, priority=3),
        Column("b", "B", min_width=8, priority=1),
        Column("c", "C", 5, priority=2),
    ]
    assert [(p.column, p.width) for p in place(columns, 40)] == [(0, 6), (1, 27), (2, 5)]
    assert [p.column for p in place(columns, 20)] == [0, 2]
    assert [(p.column, p.width) for p in place(columns, 8)] == [(0, 6)]
    assert [(p.column, p.width) for p in place(columns, 3)] == [(0, 3)]
    assert place(columns, 0) == ()


def test_flexible_columns_share_by_weight():
    columns = [Column("a", "A", min_width=4), Column("b", "B", min_width=4, weight=3), Column("c", "C", 5)]
    places = place(columns, 35)
    assert [p.width for p in places] == [9, 19, 5]
    assert [p.x for p in places] == [0, 10, 30]


async def test_rows_of_which_other_text_came_are_drawn_anew_and_no_others(monkeypatch):
    app = TableApp(tasks(50))
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.pause()
        table, regions = app.table, []
        before = table.render_line(3)
        monkeypatch.setattr(type(table), "refresh", lambda self, *found, **_: regions.extend(found) or self)
        table.redraw_rows(lambda task: task.key in ("T-2", "T-49"))
        monkeypatch.undo()
        assert [region.y for region in regions] == [3]
        assert table.render_line(3) is not before
