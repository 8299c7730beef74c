"""The main screen: header, tally, table, pools, needs, and what happened since."""

import pytest

from harness_tui.tui.widgets.status_bar import stream_words

IDS = [f"T-{number:02}" for number in range(1, 13)]


def ids(session):
    return [task.id for task in session.table.rows]


async def test_the_header_says_where_we_are_what_runs_and_who_is_asked(desk, opened):
    desk.commit()
    async with opened(desk, size=(200, 50)) as session:
        await session.until(lambda: "main@" in session.status)
        first, second = session.rows()[0], session.rows()[1]
        for words in ("kiln-controller", "main@", "stream pool default 1/2", "newest file 10m", "● live"):
            assert words in first
        for words in ("▶ running T-03 for 30:00", "ambient off", "verify pass, 23 ok", "⚑ 2 need you"):
            assert words in second


async def test_the_header_is_drawn_with_the_first_frame_and_not_a_second_later(desk, opened, monkeypatch):
    from harness_tui.tui.app import Dashboard

    monkeypatch.setattr(Dashboard, "set_interval", lambda _self, *_words, **_more: None)
    async with opened(desk) as session:
        await session.pilot.pause()
        assert "running T-03" in session.status


async def test_the_header_says_that_a_file_changed_since_the_commit(desk, opened):
    desk.commit()
    async with opened(desk, size=(200, 50)) as session:
        desk.write("notes.txt", "more")
        desk.replace(desk.plan_path, "someday, maybe", "pending")
        await session.press("ctrl+r")
        await session.until(lambda: "dirty" in session.status)


async def test_the_header_tells_ambient_mode_and_an_unread_signal(desk, opened):
    desk.write(".harness/ambient.flag", "")
    desk.write(".harness/intervention.md", "# Intervention\n\nSTOP — the kiln smells\n")
    async with opened(desk, size=(200, 50)) as session:
        await session.shows("ambient on", "■ STOP waits to be read")


@pytest.mark.parametrize(
    ("statuses", "words", "style"),
    [
        (("done", "failed", "failed"), "✗ drained, 2 failed", "$text-error bold"),
        (("done", "blocked", "needs-human"), "⚑ drained, 1 needs-human, 1 blocked", "$text-error bold"),
        (("done", "skipped", "done"), "✓ drained", "$text-success"),
    ],
)
async def test_the_header_is_green_only_for_a_pool_that_left_nothing_open(bare_desk, opened, statuses, words, style):
    rows = [(f"T-0{n}", f"kiln-{n}", "Fire it.", "full", "—", status) for n, status in enumerate(statuses, 1)]
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, ()))
    async with opened(bare_desk, size=(200, 50)) as session:
        await session.shows(words)
        stream = session.app.snapshot.streams["default"]
        (pool,) = session.app.snapshot.pools
        assert stream_words(stream, pool) == (words, style)


async def test_the_tally_counts_every_status_once(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        line = session.rows()[2]
        for words in ("3/12 done", "○ 3 pending", "▶ 1 in-progress", "✗ 1 failed", "⊘ 1 blocked", "⚑ 1 needs-human",
                      "– 1 skipped", "? 1 unknown"):  # fmt: skip
            assert words in line


async def test_the_tally_leaves_no_status_out_in_a_narrow_screen(desk, opened):
    async with opened(desk) as session:
        for width in (60, 80, 100, 120):
            await session.resize((width, 24))
            line = session.rows()[2]
            for sign in ("▶ 1", "✗ 1", "⊘ 1", "⚑ 1", "? 1", "○ 3", "– 1"):
                assert sign in line


async def test_rows_stand_in_the_order_of_the_plan_with_sign_word_and_stage(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        assert ids(session) == IDS
        lines = [line for line in session.rows() if "T-03 ▶" in line]
        assert "T-03 ▶ in-progress   ramp-editor" in lines[0]
        assert "■■■■□□□" in lines[0]
        assert "T-01       full Edit ramps of a firing" in lines[0]


async def test_a_row_whose_plan_disagrees_is_marked(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        marked = [line for line in session.rows() if "≠ cone-table" in line]
        assert len(marked) == 1
        assert "✓ done" in marked[0]
        assert not any("≠ ramp-editor" in line for line in session.rows())
        await session.choose("T-09")
        assert "status      ✓ done  ≠ plan says pending" in session.facts("#task-list")


async def test_the_cursor_starts_on_what_runs(desk, opened):
    async with opened(desk) as session:
        assert session.table.current.id == "T-03"


async def test_s_sorts_by_the_next_column_and_keeps_the_selected_task(desk, opened):
    async with opened(desk) as session:
        await session.press("s")
        assert ids(session)[:3] == ["T-05", "T-07", "T-06"]
        assert session.table.current.id == "T-03"
        assert "by status" in session.text()
        await session.press("s", "s")
        assert [task.slug for task in session.table.rows] == sorted(task.slug for task in session.table.rows)
        for _ in range(3):
            await session.press("s")
        assert ids(session) == IDS


async def test_a_click_on_a_label_sorts_turns_round_and_goes_back(desk, opened):
    async with opened(desk) as session:
        row = next(index for index, line in enumerate(session.rows()) if " ID " in line)
        column = session.rows()[row].index("Slug")
        slugs = [task.slug for task in session.table.rows]
        for wanted in (sorted(slugs), sorted(slugs, reverse=True), slugs):
            await session.pilot.click(offset=(column, row))
            await session.until(lambda wanted=wanted: [task.slug for task in session.table.rows] == wanted)


async def test_a_filter_narrows_while_it_is_typed_and_esc_shows_all_again(desk, opened):
    async with opened(desk) as session:
        await session.press("slash", *"ramp")
        await session.until(lambda: ids(session) == ["T-03"])
        await session.press("enter")
        assert session.main.focused_panel == "pool"
        await session.shows("1 of 12", "“ramp”")
        await session.press("escape")
        await session.until(lambda: ids(session) == IDS)


async def test_esc_in_the_line_drops_what_was_typed(desk, opened):
    async with opened(desk) as session:
        await session.press("slash", *"ramp", "escape")
        await session.until(lambda: ids(session) == IDS)
        assert session.main.focused_panel == "pool"


async def test_an_exclamation_mark_turns_the_filter_round(desk, opened):
    async with opened(desk) as session:
        await session.press("slash", *"!done", "enter")
        await session.until(
            lambda: "T-01" not in ids(session) and "T-09" not in ids(session) and "T-03" in ids(session)
        )
        assert "without “done”" in session.text()


async def test_the_filter_line_opens_with_what_is_filtered_and_can_be_emptied(desk, opened):
    async with opened(desk) as session:
        await session.press("slash", *"ra", "enter", "slash")
        assert session.one("#line-input Input").value == "ra"
        await session.press("backspace", "backspace", "enter")
        await session.until(lambda: ids(session) == IDS)


async def test_v_shows_one_status_after_the_other_and_then_all(desk, opened):
    async with opened(desk) as session:
        seen = []
        for _ in range(8):
            await session.press("v")
            seen.append((session.table.status_only, ids(session)))
        assert ("pending", ["T-04", "T-10", "T-12"]) in seen
        assert ("needs-human", ["T-05"]) in seen
        assert [status for status, _ in seen].count(None) == 0
        await session.press("v")
        assert session.table.status_only is None


async def test_a_filter_that_hides_everything_says_so_and_how_to_get_out(desk, opened):
    async with opened(desk) as session:
        await session.press("slash", *"zzzz", "enter")
        await session.shows("No row matches “zzzz”.", "Esc shows all 12 again.")
        assert session.one("#task-list").facts == ()


async def test_brackets_and_minus_walk_the_pools(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        await session.press("right_square_bracket")
        await session.until(lambda: session.main.pool_id == "glaze-archive")
        await session.shows(
            "Batch pool glaze-archive · 3", "batch pool glaze-archive 2/2", "glaze-3", "BATCH_LOG.md · 1 entry"
        )
        await session.press("minus")
        await session.until(lambda: session.main.pool_id == "default")
        await session.press("left_square_bracket")
        await session.until(lambda: session.main.pool_id == "glaze-archive")
        assert session.table.current.id == "T-01"


async def test_p_lists_the_pools_and_enter_opens_one(desk, opened):
    async with opened(desk) as session:
        await session.press("p")
        await session.until(lambda: session.app.screen is not session.main)
        lines = session.facts()
        assert [line.split()[1] for line in lines] == ["default", "glaze-archive"]
        assert "3/12 done" in lines[0]
        assert "stream" in lines[0]
        assert "batch" in lines[1]
        await session.press("down", "enter")
        await session.until(lambda: session.main.pool_id == "glaze-archive")
        assert session.app.screen is session.main


async def test_the_pool_that_was_asked_for_is_opened_first(desk, opened):
    async with opened(desk, pool="glaze-archive") as session:
        assert session.main.pool_id == "glaze-archive"


async def test_a_pool_that_is_not_there_is_said_so(desk, opened):
    async with opened(desk, pool="glaze-archiv") as session:
        await session.until(lambda: any("glaze-archiv" in toast for toast in session.toasts()))
        assert session.main.pool_id == "default"


async def test_a_second_start_tells_what_happened_since(desk, opened):
    async with opened(desk) as session:
        assert not any("done" in toast for toast in session.toasts())
    desk.replace(desk.plan_path, "in-progress |", "done |")
    desk.replace(desk.plan_path, "| pending |", "| needs-human |")
    async with opened(desk, size=(160, 40)) as session:
        await session.until(session.toasts)
        toast = session.toasts()[0]
        assert "✓ 1 done  T-03" in toast
        assert "⚑ 1 waiting for you  T-04" in toast
        await session.press("a")
        await session.until(lambda: session.app.screen is not session.main)
        text = "\n".join(session.facts())
        assert "T-03 ramp-editor" in text
        assert "T-04" in text


async def test_the_first_look_is_no_absence(desk, opened):
    async with opened(desk) as session:
        assert session.toasts() == []
        await session.press("a")
        await session.shows("first look")


async def test_needs_are_listed_with_their_question_and_what_ends_it(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        await session.shows("4 Needs you · 2", "T-05: Which door switch is wired?", "unblocks when: the part number")
        lines = session.facts("#inbox-list")
        assert any(line.startswith("now") and "pass" in line and "23 pass" in line for line in lines)
        assert any(line.startswith("at start") and "pass 22 → 23" in line for line in lines)


async def test_a_dot_goes_to_the_most_urgent_need_then_to_the_next(desk, opened):
    desk.replace(desk.plan_path, "| pending |", "| needs-human |")
    async with opened(desk, size=(160, 44)) as session:
        chosen = []
        for _ in range(3):
            await session.press("full_stop")
            await session.pilot.pause()
            chosen.append(session.one("#inbox-list").current.task_id)
        assert set(chosen) >= {"T-05", "T-04"}
        assert chosen[0] != chosen[1]
        assert session.main.focused_panel == "inbox"


async def test_enter_on_a_need_opens_its_source(desk, opened):
    async with opened(desk, size=(160, 44)) as session:
        await session.press("full_stop", "enter")
        await session.until(lambda: session.app.screen.name == "reader")
        await session.shows("STREAM_LOG.md:", "Which door switch is wired?")


async def test_nothing_to_need_is_said_so(desk, opened):
    desk.path("docs/batches/default/STREAM_REPORT.md").unlink()
    desk.write(desk.plan_path, desk.plan_of("default", desk.rows[:2]))
    async with opened(desk, size=(160, 44)) as session:
        await session.press("full_stop")
        await session.until(lambda: "nothing needs you" in session.toasts())


async def test_a_row_whose_run_is_over_is_counted_and_filtered_as_interrupted(bare_desk, opened):
    rows = (
        ("T-01", "flue", "Sweep it.", "full", "—", "in-progress"),
        ("T-02", "grate", "Cast it.", "full", "—", "pending"),
    )
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, ()))
    async with opened(bare_desk, size=(120, 40)) as session:
        assert session.app.snapshot.stream.state == "interrupted"
        assert "! 1 interrupted" in session.rows()[2]
        assert not any("in-progress" in line for line in session.rows()[:2])
        await session.press("v", "v")
        assert ids(session) == ["T-01"]
        assert session.table.filter_words == "only interrupted"
