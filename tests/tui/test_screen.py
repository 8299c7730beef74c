"""Panels, sizes, themes, mouse, copying, and what an empty screen says."""

import pytest

from harness_tui.tui import clipboard


def ids(session):
    return [task.id for task in session.table.rows]


async def test_zoom_gives_one_panel_everything_and_esc_takes_it_back(desk, opened):
    async with opened(desk, size=(160, 44)) as session:
        session.main.go_to("log")
        await session.press("z")
        await session.until(lambda: session.log_view.size.width > 140 and not session.main.query_one("#pool").display)
        await session.press("escape")
        await session.until(lambda: session.main.query_one("#pool").display)
        assert session.main.focused_panel == "log"


async def test_tab_walks_all_panels_also_those_out_of_sight(desk, opened):
    for size in ((160, 44), (100, 30), (60, 16)):
        async with opened(desk, size=size) as session:
            walked = []
            for _ in range(4):
                await session.press("tab")
                walked.append(session.main.focused_panel)
            assert walked == ["task", "log", "inbox", "pool"], size
            await session.press("shift+tab")
            assert session.main.focused_panel == "inbox"


async def test_digits_go_to_a_panel_and_show_it(desk, opened):
    async with opened(desk, size=(60, 16)) as session:
        for digit, panel in (("2", "task"), ("3", "log"), ("4", "inbox"), ("1", "pool")):
            await session.press(digit)
            await session.until(lambda panel=panel: session.main.focused_panel == panel)
            assert session.main.query_one(f"#{panel}").region.height > 3


async def test_leaving_the_search_line_with_tab_or_the_mouse_keeps_the_text(desk, opened):
    async with opened(desk, size=(160, 44)) as session:
        await session.press("slash", *"ramp", "tab")
        await session.until(lambda: not session.one("#line-input").is_open)
        assert ids(session) == ["T-03"]
        await session.press("1", "slash", "e")
        await session.pilot.click("#task-list")
        await session.until(lambda: not session.one("#line-input").is_open)
        assert session.main.focused_panel == "task"
        assert session.main.query_one("#pool-table").text_filter == "rampe"


async def test_no_word_of_header_tabs_and_footer_is_cut(desk, opened):
    desk.commit()
    async with opened(desk) as session:
        for size in ((200, 60), (120, 40), (100, 30), (80, 24), (60, 16)):
            await session.resize(size)
            await session.shows("● live")
            lines = session.rows()
            top, tabs, last = lines[:3], lines[3], lines[-1]
            assert not any("…" in line for line in (*top, last.replace("only…", "")))
            assert "▶ running T-03 for 30:00" in lines[1]
            assert "⚑ 2 need you" in lines[1]
            assert "● live" in lines[0]
            assert "? help" in last
            if size[0] >= 110:
                continue
            for words in ("[1 default]", "2 T-03", "3 Log", "4 Needs you 2"):
                assert words in tabs


async def test_a_screen_that_is_too_small_says_what_is_needed(desk, opened):
    async with opened(desk, size=(59, 15)) as session:
        assert "59×15: at least 60×16 is needed" in session.text()
        assert "T-03" not in session.text()
        await session.pilot.resize_terminal(60, 16)
        await session.until(lambda: "T-03" in session.text())


async def test_resizing_keeps_selection_filter_and_panel(desk, opened):
    async with opened(desk, size=(160, 44)) as session:
        await session.choose("T-12")
        session.main.go_to("log")
        for size in ((80, 24), (60, 16), (20, 5), (1, 1), (300, 90), (160, 44)):
            await session.pilot.resize_terminal(*size)
            await session.pilot.pause()
        assert session.table.current.id == "T-12"
        assert session.main.focused_panel == "log"
        assert "T-12 ○ pending" in session.text()


async def test_odd_sizes_are_drawn_without_an_error(desk, opened):
    async with opened(desk, size=(80, 24)) as session:
        for index in range(10):
            await session.pilot.resize_terminal(1 + (index * 37) % 190, 1 + (index * 23) % 70)
        await session.press("c")
        for index in range(6):
            await session.pilot.resize_terminal(1 + (index * 53) % 190, 1 + (index * 29) % 70)
        await session.press("escape")
        await session.pilot.resize_terminal(80, 24)
        await session.shows("T-03 ▶ in-progress")


async def test_themes_follow_each_other_and_the_last_one_is_remembered(desk, opened):
    async with opened(desk) as session:
        names = [session.app.theme]
        for _ in range(3):
            await session.press("ctrl+t")
            names.append(session.app.theme)
        assert names == ["harness-dark", "harness-light", "harness-contrast", "harness-dark"]
        await session.press("ctrl+t")
    async with opened(desk) as session:
        assert session.app.theme == "harness-light"
    async with opened(desk, theme="contrast") as session:
        assert session.app.theme == "harness-contrast"


async def test_the_pool_on_view_is_remembered(desk, opened):
    async with opened(desk) as session:
        await session.press("right_square_bracket")
        await session.until(lambda: session.main.pool_id == "glaze-archive")
    async with opened(desk) as session:
        assert session.main.pool_id == "glaze-archive"


async def test_m_gives_the_mouse_away_and_takes_it_back(desk, opened):
    async with opened(desk) as session:
        told = []
        session.app._driver._disable_mouse_support = lambda: told.append("off")
        session.app._driver._enable_mouse_support = lambda: told.append("on")
        await session.press("m")
        await session.until(lambda: any("terminal's" in toast for toast in session.toasts()))
        await session.press("m")
        await session.until(lambda: told == ["off", "on"])


@pytest.mark.parametrize(
    "case",
    [
        ("pool", "y", "T-03  ramp-editor", 1), ("pool", "Y", "T-01  burner-relay", 12),
        ("log", "y", "2026-03-14T11:49:00Z · T-03", 1), ("log", "Y", "# Stream Log", 64),
        ("task", "y", "T-03  ramp-editor", 1), ("inbox", "y", "⚑ needs-human T-05", 1),
    ],
)  # fmt: skip
async def test_y_copies_the_line_and_upper_case_y_the_view(desk, opened, monkeypatch, case):
    panel, key, starts, lines = case
    copied = []
    monkeypatch.setattr(clipboard, "copy_native", lambda text: bool(copied.append(text)) or True)
    async with opened(desk) as session:
        session.main.go_to(panel)
        await session.settle()
        await session.press(key)
        await session.until(lambda: copied)
        assert copied[0].startswith(starts)
        assert len(copied[0].split("\n")) == lines or panel == "task"


async def test_copying_in_a_window_tells_how_much(desk, opened, monkeypatch):
    copied = []
    monkeypatch.setattr(clipboard, "copy_native", lambda text: bool(copied.append(text)) or True)
    async with opened(desk) as session:
        await session.press("x")
        await session.until(lambda: session.app.screen is not session.main)
        await session.press("Y")
        await session.until(lambda: copied)
        assert copied[0].count("\n") >= 11
        await session.until(lambda: any("characters copied" in toast for toast in session.toasts()))


async def test_suspending_where_it_is_impossible_is_no_crash(desk, opened):
    async with opened(desk) as session:
        await session.press("ctrl+z")
        await session.pilot.pause()
        assert session.app.is_running


async def test_a_folder_without_a_pool_says_what_was_looked_for_and_what_to_do(bare_desk, opened):
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.shows("Nothing to watch here yet.", "docs/batches/<pool>/BATCH_PLAN.md", "harness-tui demo")
        for key in ("c", "x", "p", "full_stop", "a", "b", "enter", "v", "s", "y", "o", "i", "e", "z", "slash"):
            await session.press(key, "escape")
        assert session.app.is_running


async def test_a_pool_without_a_plan_says_so(bare_desk, opened):
    bare_desk.write(bare_desk.log_path, "2026-03-14T11:00:00Z · T-01 · dispatching pm-orchestrator\n")
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.shows("This pool can't be read.", "no plan")


async def test_a_plan_without_a_table_says_so_with_its_place(bare_desk, opened):
    bare_desk.write(bare_desk.plan_path, "# Batch Plan — default\n\nnothing yet\n")
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.shows("This pool can't be read.", "docs/batches/default/BATCH_PLAN.md:")


async def test_an_empty_table_says_where_to_add_a_row(bare_desk, opened):
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", (), ()))
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.shows("This pool has no tasks yet.", "A adds one", "docs/batches/default/BATCH_PLAN.md")
