"""The log panel: following, pausing, filtering, searching, and a log that is rewritten under it."""

import pytest

from harness_tui.tui.file_source import reports_trouble
from harness_tui.tui.widgets.line_source import BlockCache


async def in_log(session):
    session.main.go_to("log")
    await session.settle()


def shown(session):
    """The lines of the log on the screen, without frame and scrollbar."""
    region = session.log_view.region
    return [line[region.x : region.right - 1].strip("▌ ") for line in session.rows()[region.y : region.bottom]]


def numbered(desk, count, start=0):
    return "".join(desk.log_line(f"T-03 · note · tick {number:06}", 1) for number in range(start, start + count))


async def test_the_log_opens_at_its_end_and_follows_what_is_appended(desk, opened):
    async with opened(desk) as session:
        assert "step 39" in shown(session)[-1]
        assert "following" in session.text()
        for number in range(3):
            desk.append(desk.log_path, desk.log_line(f"T-03 · note · new line {number}"))
            await session.until(lambda number=number: f"new line {number}" in shown(session)[-1])
        await session.shows("60 entries")


async def test_moving_up_pauses_and_end_resumes(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("k", "k")
        assert not session.log_view.following
        before = shown(session)
        desk.append(desk.log_path, numbered(desk, 5))
        await session.shows("paused · 5 new")
        assert shown(session) == before
        await session.press("end")
        await session.until(lambda: "tick 000004" in shown(session)[-1])
        await session.shows("following")


async def test_f_stops_and_starts_following(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("f")
        await session.shows("paused")
        await session.press("f")
        await session.shows("following")


async def test_the_mouse_wheel_pauses(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        session.log_view.scroll_up(animate=False)
        await session.shows("paused")


async def test_i_shows_only_the_lines_of_the_task_and_follows_the_selection(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-05")
        await in_log(session)
        await session.press("i")
        await session.until(
            lambda: [line for line in shown(session) if line] and all("T-05" in x for x in shown(session) if x)
        )
        assert len([line for line in shown(session) if line]) == 3
        await session.shows("only T-05")
        session.table.select_task("T-07")
        await session.until(lambda: all("T-07" in line for line in shown(session) if line))
        await session.press("i")
        await session.until(lambda: "step 39" in shown(session)[-1])


async def test_new_lines_of_another_task_stay_out_of_an_isolated_log(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-05")
        await in_log(session)
        await session.press("i")
        await session.shows("only T-05")
        desk.append(
            desk.log_path, desk.log_line("T-03 · note · not mine") + desk.log_line("T-05 · note · mine at last")
        )
        await session.until(lambda: any("mine at last" in line for line in shown(session)))
        assert not any("not mine" in line for line in shown(session))


async def test_only_what_came_since_the_pause_is_called_new_whatever_is_filtered(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-05")
        await in_log(session)
        await session.press("k", "i")
        await session.shows("only T-05")
        await session.settle()
        assert "new" not in session.one("#log").border_subtitle
        desk.append(
            desk.log_path, desk.log_line("T-03 · note · not mine") + desk.log_line("T-05 · note · mine at last")
        )
        await session.shows("paused · 1 new")
        await session.press("i")
        await session.shows("paused · 2 new")


async def test_a_task_without_a_line_says_so(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-08")
        await in_log(session)
        await session.press("i")
        await session.shows("No line names T-08.", "i shows all lines again.")


async def test_an_ampersand_filters_and_an_exclamation_mark_turns_it_round(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("ampersand", *"dispatching", "enter")
        await session.until(lambda: len([line for line in shown(session) if line]) == 6)
        assert all("dispatching" in line for line in shown(session) if line)
        await session.press("ampersand", *"!step", "enter")
        await session.until(
            lambda: (
                not any("step" in line for line in shown(session)) and "· T-03 · dispatching" in "".join(shown(session))
            )
        )
        await session.shows("without “step”")
        await session.press("escape")
        await session.until(lambda: "step 39" in shown(session)[-1])


async def test_a_filter_that_nothing_passes_says_so(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("ampersand", *"zzzz", "enter")
        await session.shows("No line passes this filter.")


async def test_esc_in_the_filter_line_leaves_the_log_as_it_was(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("ampersand", *"dispatching", "enter")
        await session.shows("only “dispatching”")
        await session.press("ampersand", *"zz", "escape")
        await session.pilot.pause()
        await session.shows("only “dispatching”")


async def test_a_search_goes_to_matches_with_n_and_back(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        lines = desk.read(desk.log_path).split("\n")
        places = [number for number, line in enumerate(lines) if "dispatching" in line]
        await session.press("slash", *"dispatching", "enter")
        await session.until(lambda: session.log_view.cursor_line == places[-1])
        await session.press("N")
        await session.until(lambda: session.log_view.cursor_line == places[-2])
        await session.press("n")
        await session.until(lambda: session.log_view.cursor_line == places[-1])
        await session.press("n")
        await session.until(lambda: any("no further match of “dispatching”" in toast for toast in session.toasts()))
        assert session.log_view.cursor_line == places[-1]


async def test_n_without_a_search_says_what_to_do(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("n")
        await session.until(lambda: any("/ asks for a text" in toast for toast in session.toasts()))


async def test_e_goes_only_to_real_failures(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        lines = desk.read(desk.log_path).split("\n")
        wanted = [
            number
            for number, line in enumerate(lines)
            if " FAILED " in line or "NEEDS-HUMAN" in line or "BLOCKED" in line
        ]
        mended = next(number for number, line in enumerate(lines) if "first check FAIL, fixed" in line)
        visited = []
        for _ in wanted:
            await session.press("E")
            before = visited[-1] if visited else len(lines)
            await session.until(lambda before=before: session.log_view.cursor_line < before)
            await session.settle()
            visited.append(session.log_view.cursor_line)
        assert visited == wanted[::-1]
        assert mended not in visited
        await session.press("E")
        await session.until(lambda: "no further line reports trouble: e looks below, E above" in session.toasts())
        await session.press("e")
        await session.until(lambda: session.log_view.cursor_line == wanted[1])


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ("2026-03-14T11:00:00Z · T-01 · FAILED · rollbacks=3", True),
        ("2026-03-14T11:00:00Z · T-01 · BLOCKED · waits", True),
        ("2026-03-14T11:00:00Z · T-01 · regression gate · verify_all FAIL 20/0/2/0", True),
        ("2026-03-14T11:00:00Z · T-01 · regression gate · verify_all PASS 22/0/0/0", False),
        ("2026-03-14T11:00:00Z · T-01 · DELIVERED · FAIL: 0", False),
        ("2026-03-14T11:00:00Z · T-01 · note · the error was mended", False),
        ("# FAILED", False),
    ],
)
def test_trouble_is_judged_by_what_the_entry_says(line, trouble):
    assert reports_trouble(line.encode()) is trouble


async def test_w_t_and_hash_change_how_lines_are_shown(desk, opened):
    desk.append(desk.log_path, desk.log_line("T-03 · note · " + "long " * 60))
    async with opened(desk, size=(100, 40)) as session:
        await in_log(session)
        await session.press("t")
        await session.until(lambda: not any("2026-03-14T" in line for line in shown(session)))
        assert any(line.startswith("T-03 · note · step 39") for line in shown(session))
        await session.press("t", "number_sign")
        await session.until(lambda: any(line.startswith("63 2026-03-14T11:49:00Z") for line in shown(session)))
        await session.press("w")
        await session.until(lambda: sum("long long" in line for line in shown(session)) >= 3)


async def test_l_and_h_scroll_a_long_line_sideways(desk, opened):
    desk.append(desk.log_path, desk.log_line("T-03 · note · " + "x" * 200 + "THE END"))
    async with opened(desk, size=(100, 40)) as session:
        await in_log(session)
        await session.press(*["l"] * 20)
        await session.until(lambda: any("THE END" in line for line in shown(session)))
        await session.press(*["h"] * 30)
        await session.until(lambda: any(line.startswith("2026-03-14T11:49") for line in shown(session)))


async def test_enter_opens_the_log_itself_at_that_line_and_esc_comes_back(desk, opened):
    async with opened(desk) as session:
        await in_log(session)
        await session.press("k", "k")
        line = session.log_view.cursor_line
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == "reader")
        await session.shows(f"STREAM_LOG.md:{line + 1}")
        await session.until(lambda: session.one("#source").cursor_line == line)
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)
        assert session.main.focused_panel == "log"
        assert session.log_view.cursor_line == line


async def test_a_log_cut_and_grown_again_shows_all_its_new_lines_and_says_so(desk, opened):
    async with opened(desk) as session:
        desk.path(desk.log_path).write_text(numbered(desk, 8))
        await session.until(lambda: "tick 000007" in "".join(shown(session)))
        assert "tick 000000" in "".join(shown(session))
        await session.shows("log was restarted", "8 entries")
        assert not any("step" in line for line in shown(session))


async def test_a_log_that_outgrew_its_old_size_while_it_was_rewritten_is_noticed(desk, opened):
    async with opened(desk) as session:
        size = desk.path(desk.log_path).stat().st_size
        text = numbered(desk, 200)
        assert len(text) > size
        desk.path(desk.log_path).write_text(text)
        await session.until(lambda: "tick 000199" in shown(session)[-1])
        await session.shows("log was restarted", "200 entries")
        await in_log(session)
        await session.press("g")
        await session.until(lambda: "tick 000000" in shown(session)[0])


async def test_a_line_that_is_not_finished_is_completed_in_place(desk, opened):
    async with opened(desk) as session:
        desk.append(desk.log_path, desk.log_line("T-03 · note · half a li").rstrip("\n"))
        await session.until(lambda: shown(session)[-1].endswith("half a li"))
        desk.append(desk.log_path, "ne, now whole\n")
        await session.until(lambda: shown(session)[-1].endswith("half a line, now whole"))
        assert sum("half a li" in line for line in shown(session)) == 1


async def test_an_earlier_line_that_is_completed_in_place_is_drawn_anew(desk, opened):
    async with opened(desk) as session:
        desk.replace(desk.log_path, "step 38 of the ramp editor", "step 38 of the ramp editor, mended")
        await session.until(lambda: any("step 38 of the ramp editor, mended" in line for line in shown(session)))


async def test_a_log_that_vanishes_and_comes_back_is_shown_again(desk, opened):
    async with opened(desk) as session:
        text = desk.read(desk.log_path)
        desk.path(desk.log_path).unlink()
        await session.shows("No log yet.")
        desk.write(desk.log_path, text + desk.log_line("T-03 · note · back again"))
        await session.until(lambda: "back again" in shown(session)[-1])


async def test_a_hidden_log_draws_nothing_and_is_up_to_date_when_it_is_shown(desk, opened):
    async with opened(desk, size=(60, 16)) as session:
        view = session.log_view
        drawn = []
        original = view.render_line
        view.render_line = lambda y: drawn.append(y) or original(y)
        for number in range(5):
            desk.append(desk.log_path, desk.log_line(f"T-03 · note · unseen {number}"))
            await session.until(lambda number=number: session.app.snapshot.logs[0].entries == 58 + number)
            await session.settle()
        assert drawn == []
        session.main.go_to("log")
        await session.until(lambda: any("unseen 4" in line for line in shown(session)))


async def test_a_pool_with_another_log_shows_that_one(desk, opened):
    async with opened(desk) as session:
        await session.press("right_square_bracket")
        await session.shows("BATCH_LOG.md · 1 entry", "T-03 · DELIVERED")
        await session.press("minus")
        await session.until(lambda: "step 39" in shown(session)[-1])


async def test_of_a_log_of_200000_lines_only_what_is_looked_at_is_loaded(desk, opened):
    desk.write(desk.log_path, numbered(desk, 200_000))
    async with opened(desk) as session:
        await session.until(lambda: session.app.snapshot.logs[0].complete, within=30)
        await session.until(lambda: "tick 199999" in shown(session)[-1])
        await in_log(session)
        await session.press("g")
        await session.until(lambda: "tick 000000" in shown(session)[0])
        await session.press("pagedown", "pagedown", "end")
        await session.until(lambda: "tick 199999" in shown(session)[-1])
        cache = session.log._source._cache
        assert isinstance(cache, BlockCache)
        assert len(cache) <= 8
        desk.append(desk.log_path, numbered(desk, 1, 200_000))
        await session.until(lambda: "tick 200000" in shown(session)[-1])
        assert len(cache) <= 8


async def test_a_search_in_a_long_log_stays_bounded_and_keys_go_on_working(desk, opened):
    desk.write(desk.log_path, desk.log_line("T-01 · note · the needle") + numbered(desk, 100_000))
    async with opened(desk) as session:
        await session.until(lambda: session.app.snapshot.logs[0].complete, within=30)
        await in_log(session)
        await session.press("slash", *"needle", "enter")
        await session.until(lambda: session.log_view.cursor_line == 0, within=20)
        assert len(session.log._source._cache) <= 8


async def test_lines_that_the_scrollbar_makes_too_long_end_on_a_mark(desk, opened):
    desk.write(desk.log_path, desk.log_line("T-03 · note · short"))
    async with opened(desk, size=(120, 40)) as session:
        stamp, width = len(desk.log_line("", 1)) - 1, session.log_view.text_width
        desk.append(desk.log_path, desk.log_line("x" * (width - stamp - 1) + "!"))
        await session.until(lambda: session.text().count("xx!") == 1)
        for number in range(session.log_view.size.height - 2):
            desk.append(desk.log_path, desk.log_line(f"T-03 · note · tick {number}"))
            await session.until(lambda number=number: f"tick {number}" in session.text())
        desk.append(desk.log_path, desk.log_line("T-03 · note · last"))
        await session.until(lambda: session.log_view.text_width == width - 1)
        await session.settle()
        assert [line[-3:] for line in shown(session) if "xxx" in line] == ["xx…"]


async def test_a_log_that_is_no_file_is_said_to_be_unreadable_and_not_absent(desk, opened):
    import os

    desk.path(desk.log_path).unlink()
    os.mkfifo(desk.path(desk.log_path))
    async with opened(desk) as session:
        await session.shows("The log can't be read.", desk.log_path, "not a regular file")
        assert "No log yet" not in session.text()


async def test_a_log_of_which_nothing_was_read_yet_is_not_called_empty(desk, opened):
    async with opened(desk) as session:
        session.log.follow(None)
        session.log.show(session.app.snapshot, session.main.pool_id, None)
        await session.settle()
        assert not session.log.lines
        assert "is empty" not in session.text()


async def test_an_empty_log_is_called_empty(desk, opened):
    desk.write(desk.log_path, "")
    async with opened(desk) as session:
        await session.shows("The log is empty.")
