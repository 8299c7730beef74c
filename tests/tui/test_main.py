"""The main screen as it is used: header, table, task, windows, documents, and the way back."""

import pytest

from harness_tui.tui import clipboard
from harness_tui.tui.facts import STAGES

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
        for words in ("▶ running T-03 for 30:00", "ambient off", "verify pass 23/0/0", "⚑ 1 needs you"):
            assert words in second


async def test_the_header_is_drawn_with_the_first_frame_and_not_a_second_later(desk, opened, monkeypatch):
    from harness_tui.tui.app import Dashboard

    monkeypatch.setattr(Dashboard, "_tick", lambda _self: None)
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
        await session.shows("ambient on", "unread signal: STOP")


async def test_the_tally_counts_every_status_once(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        line = session.rows()[2]
        for words in ("3/12 done", "○ 3 pending", "▶ 1 in-progress", "✗ 1 failed", "⊘ 1 blocked", "⚑ 1 needs-human",
                      "– 1 skipped", "? 1 unknown"):  # fmt: skip
            assert words in line


@pytest.mark.parametrize("width", [60, 80, 100, 120])
async def test_the_tally_leaves_no_status_out_in_a_narrow_screen(desk, opened, width):
    async with opened(desk, size=(width, 24)) as session:
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
        await session.until(lambda: "T-01" not in ids(session) and "T-09" not in ids(session) and "T-03" in ids(session))
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
        await session.shows("Batch pool glaze-archive · 3", "batch pool glaze-archive 2/2", "glaze-3", "BATCH_LOG.md · 1 entries")
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


async def test_the_task_panel_tells_everything_with_its_source(desk, opened):
    async with opened(desk, size=(200, 70)) as session:
        await session.choose("T-03")
        await session.until(lambda: any("step 39" in line for line in session.facts("#task-list")))
        lines = session.facts("#task-list")
        for words in (
            "Edit ramps of a firing on the panel.", "status      ▶ in-progress", "mode        full", "✓ T-01 burner-relay",
            "○ T-04 hold-timer", "→ plan      in-progress BATCH_PLAN.md:11", "  log       in-progress STREAM_LOG.md:24",
            "ramp-editor keeps the old file format until T-12.",
        ):  # fmt: skip
            assert words in lines, words
        for number, name in enumerate(STAGES, 1):
            sign = "■" if number <= 4 else "□"
            assert any(line.startswith(f"{sign} 0{number} {name}") for line in lines), name
        assert any(line.endswith("APPROVED WITH CONDITIONS") for line in lines)
        places = {fact.plain: (fact.path, fact.line) for fact in session.one("#task-list").facts}
        assert places["→ plan      in-progress BATCH_PLAN.md:11"] == (desk.plan_path, 11)
        assert places["■ 03 gate review  APPROVED WITH CONDITIONS"][0].endswith("ramp-editor/03_GATE_REVIEW.md")
        newest = next(line for line in lines if "step 39" in line)
        assert places[newest] == (desk.log_path, desk.read(desk.log_path).count("\n"))


async def test_files_that_git_saw_change_since_the_dispatch_are_listed(desk, opened):
    desk.commit()
    desk.write("notes.txt", "x = 1\n", minutes=0)
    async with opened(desk, size=(200, 90)) as session:
        await session.choose("T-03")
        await session.until(lambda: any(line.strip() == "notes.txt" for line in session.facts("#task-list")))


async def test_the_details_of_a_delivered_task_name_its_archived_documents(desk, opened):
    async with opened(desk, size=(200, 70)) as session:
        await session.choose("T-02")
        lines = session.facts("#task-list")
        assert "Stages  1 rollback" in lines
        assert any("07_DELIVERY.md" in line and "(archived)" in line for line in lines)
        assert any(line.startswith("■ 06 test") and line.endswith("APPROVED FOR DELIVERY") for line in lines)
        assert any(line.startswith("■ 07 delivery") and line.endswith("DELIVERED") for line in lines)


async def test_the_details_say_for_what_a_task_waits(desk, opened):
    async with opened(desk, size=(200, 70)) as session:
        await session.choose("T-12")
        lines = session.facts("#task-list")
        assert any(line.startswith("○ T-04 hold-timer") and "has not run yet" in line for line in lines)
        assert any(line.startswith("⊘ T-06 vent-damper") and "is blocked" in line for line in lines)


async def test_enter_on_a_row_goes_to_its_details_and_esc_back_to_the_row(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-07")
        await session.press("enter")
        await session.until(lambda: session.main.focused_panel == "task")
        await session.press("escape")
        await session.until(lambda: session.main.focused_panel == "pool")
        assert session.table.current.id == "T-07"


async def test_a_fact_opens_its_file_at_the_line_and_esc_comes_back_to_it(desk, opened):
    async with opened(desk, size=(120, 30)) as session:
        await session.choose("T-03")
        session.main.go_to("task")
        facts = session.one("#task-list")
        assert facts.find("→ plan")
        await session.pilot.pause()
        before = (facts.highlighted, facts.scroll_y)
        await session.press("enter")
        await session.until(lambda: session.app.screen.id == "reader")
        await session.shows(f"{desk.plan_path}:11", "T-03 | ramp-editor")
        await session.until(lambda: session.one("#source").cursor_line == 10)
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)
        assert session.main.focused_panel == "task"
        assert (facts.highlighted, facts.scroll_y) == before


async def test_a_stage_document_is_rendered_and_r_shows_it_as_written(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.choose("T-03")
        session.main.go_to("task")
        assert session.one("#task-list").find("■ 02 design")
        await session.press("enter")
        await session.shows("What was thought about ramp-editor, in two lines")
        assert "**two**" not in session.text()
        await session.press("r")
        await session.shows("**two**", "## Verdict")
        await session.press("r")
        await session.until(lambda: "**two**" not in session.text())
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)
        assert session.one("#task-list").current.plain.startswith("■ 02 design")


async def test_o_opens_the_newest_stage_document(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.choose("T-03")
        session.main.go_to("task")
        await session.press("o")
        await session.shows("04_DEVELOPMENT.md", "04 Development of ramp-editor")


async def test_o_says_when_there_is_no_document(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.choose("T-04")
        session.main.go_to("task")
        await session.press("o")
        await session.until(lambda: any("no stage document" in toast for toast in session.toasts()))


async def test_a_stage_that_has_no_document_says_so_instead_of_doing_nothing(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.choose("T-03")
        session.main.go_to("task")
        assert session.one("#task-list").find("□ 06 test")
        await session.press("enter")
        await session.until(lambda: session.toasts())
        assert session.app.screen is session.main


@pytest.mark.parametrize(
    ("task_id", "words", "place"),
    [
        ("T-12", ("T-12 waits for T-04, T-06", "T-03"), "BATCH_PLAN.md"),
        ("T-06", ("T-06 counts as blocked", "T-05", "Which door switch is wired?"), "STREAM_LOG.md"),
        ("T-01", ("T-01 counts as done because the delivery document says so",), "07_DELIVERY.md"),
        ("T-10", ("T-10 can run: it waits for nothing", "T-03 is under way"), "BATCH_PLAN.md"),
        ("T-11", ("someday, maybe",), "BATCH_PLAN.md:19"),
    ],
)
async def test_why_leads_down_to_a_line_of_a_file(desk, opened, task_id, words, place):
    async with opened(desk, size=(160, 40)) as session:
        await session.choose(task_id)
        await session.press("c")
        await session.until(lambda: session.app.screen is not session.main)
        text = "\n".join(session.facts())
        for word in (*words, place, "stream of default: ▶ running"):
            assert word in text, word
        reachable = [fact for fact in session.one("#facts").facts if fact.path]
        assert reachable
        await session.until(lambda: session.one("#facts").current is not None)


async def test_why_of_an_interrupted_stream_names_the_last_line_of_the_log(desk, opened):
    text = desk.read(desk.log_path)
    old = "".join(line + "\n" for line in text.split("\n")[:23])
    desk.write(desk.log_path, old + desk.log_line("T-03 · dispatching pm-orchestrator · slug=ramp-editor", 200), 200)
    for name in ("docs/features/ramp-editor/04_DEVELOPMENT.md", desk.plan_path):
        desk.date(desk.path(name), 190)
    for path in desk.path("docs/features/ramp-editor").iterdir():
        desk.date(path, 190)
    for path in desk.path("docs/batches/default").iterdir():
        desk.date(path, 190)
    async with opened(desk, size=(160, 40)) as session:
        await session.shows("! interrupted T-03")
        await session.press("c")
        await session.until(lambda: session.app.screen is not session.main)
        text = "\n".join(session.facts())
        assert "no run is alive" in text
        assert "STREAM_LOG.md:24" in text


async def test_enter_in_why_opens_the_source(desk, opened):
    async with opened(desk, size=(160, 40)) as session:
        await session.choose("T-07")
        await session.press("c")
        await session.until(lambda: session.app.screen is not session.main)
        facts = session.one("#facts")
        facts.highlighted = next(i for i, fact in enumerate(facts.facts) if fact.path and "BATCH_PLAN" in fact.path)
        await session.press("enter")
        await session.until(lambda: session.app.screen.id == "reader")
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)
        assert session.table.current.id == "T-07"


async def test_why_works_in_the_reader_too(desk, opened):
    async with opened(desk, size=(160, 40)) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.id == "reader")
        await session.press("c")
        await session.shows("Why?")
        await session.press("escape")
        await session.until(lambda: session.app.screen.id == "reader")


async def test_the_graph_shows_rows_below_what_they_need(desk, opened):
    async with opened(desk, size=(160, 40)) as session:
        await session.press("x")
        await session.until(lambda: session.app.screen is not session.main)
        lines = session.facts()
        first = next(index for index, line in enumerate(lines) if line.startswith("T-01"))
        assert any(line.strip().startswith("└─ T-03 ramp-editor") for line in lines[first:])
        assert any("also needs T-06" in line or "also needs T-04" in line for line in lines)
        assert {name for name in IDS if any(f"{name} " in line for line in lines)} == set(IDS)
        session.one("#facts").find("T-12 ")
        await session.press("enter")
        await session.until(lambda: session.app.screen is session.main and session.table.current.id == "T-12")


async def test_broken_lists_what_could_not_be_read_with_place_and_code(desk, opened):
    async with opened(desk, size=(160, 40)) as session:
        await session.press("b")
        await session.until(lambda: session.app.screen is not session.main)
        lines = session.facts()
        assert any("BATCH_PLAN.md:19" in line and "[" in line for line in lines), lines


async def test_a_second_start_tells_what_happened_since(desk, opened):
    async with opened(desk) as session:
        assert not any("done" in toast for toast in session.toasts())
    desk.replace(desk.plan_path, "in-progress |", "done |")
    desk.replace(desk.plan_path, "| pending |", "| needs-human |")
    async with opened(desk, size=(160, 40)) as session:
        await session.until(lambda: session.toasts())
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
        await session.shows("4 Needs you · 1", "T-05: Which door switch is wired?", "unblocks when: the part number")
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
        await session.until(lambda: session.app.screen.id == "reader")
        await session.shows("STREAM_LOG.md:", "Which door switch is wired?")


async def test_nothing_to_need_is_said_so(desk, opened):
    desk.path("docs/batches/default/STREAM_REPORT.md").unlink()
    desk.write(desk.plan_path, desk.plan_of("default", desk.rows[:2]))
    async with opened(desk, size=(160, 44)) as session:
        await session.press("full_stop")
        await session.until(lambda: "nothing needs you" in session.toasts())


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


@pytest.mark.parametrize("size", [(200, 60), (120, 40), (100, 30), (80, 24), (60, 16)])
async def test_no_word_of_header_tabs_and_footer_is_cut(desk, opened, size):
    desk.commit()
    async with opened(desk, size=size) as session:
        await session.shows("● live")
        lines = session.rows()
        top, tabs, last = lines[:3], lines[3], lines[-1]
        assert not any("…" in line for line in (*top, last.replace("only…", "")))
        assert "▶ running T-03 for 30:00" in lines[1]
        assert "⚑ 1 needs you" in lines[1]
        assert "● live" in lines[0]
        assert "? help" in last
        if size[0] < 110:
            for words in ("[1 default]", "2 T-03", "3 Log", "4 Needs you 1"):
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
        for index in range(40):
            await session.pilot.resize_terminal(1 + (index * 37) % 190, 1 + (index * 23) % 70)
        await session.press("c")
        for index in range(20):
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
        await session.press("m", "m")
        await session.until(lambda: told == ["off", "on"])
        assert any("terminal's" in toast for toast in session.toasts())


@pytest.mark.parametrize(
    ("panel", "key", "starts", "lines"),
    [
        ("pool", "y", "T-03  ramp-editor", 1), ("pool", "Y", "T-01  burner-relay", 12),
        ("log", "y", "2026-03-14T11:49:00Z · T-03", 1), ("log", "Y", "# Stream Log", 64),
        ("task", "y", "T-03  ramp-editor", 1), ("inbox", "y", "⚑ needs-human T-05", 1),
    ],
)  # fmt: skip
async def test_y_copies_the_line_and_upper_case_y_the_view(desk, opened, monkeypatch, panel, key, starts, lines):
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


async def test_the_editor_needs_a_variable_and_says_so(desk, opened):
    async with opened(desk) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.id == "reader")
        await session.press("ctrl+o")
        await session.until(lambda: any("$EDITOR" in toast for toast in session.toasts()))


@pytest.mark.parametrize("editor", ["/no/such/editor", "vi 'unclosed"])
async def test_an_editor_that_does_not_start_is_no_crash(desk, opened, monkeypatch, editor):
    monkeypatch.setenv("EDITOR", editor)
    async with opened(desk) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.id == "reader")
        await session.press("ctrl+o")
        await session.until(lambda: session.toasts())
        assert session.app.is_running


async def test_the_reader_searches_with_n_and_upper_case_n(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        session.app.open_source(desk.plan_path, 1)
        await session.until(lambda: session.app.screen.id == "reader")
        await session.settle()
        text = desk.read(desk.plan_path).split("\n")
        await session.press("slash", *"pending", "enter")
        places = [number for number, line in enumerate(text) if "pending" in line]
        await session.until(lambda: session.one("#source").cursor_line == places[0])
        await session.press("n")
        await session.until(lambda: session.one("#source").cursor_line == places[1])
        await session.press("N")
        await session.until(lambda: session.one("#source").cursor_line == places[0])


async def test_esc_in_the_search_line_of_the_reader_does_not_close_it(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        session.app.open_source(desk.plan_path, 1)
        await session.until(lambda: session.app.screen.id == "reader")
        await session.press("slash", "x", "escape")
        await session.pilot.pause()
        assert session.app.screen.id == "reader"
        assert not session.one("LineInput").is_open


async def test_a_window_finds_a_line(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("question_mark")
        await session.until(lambda: session.app.screen is not session.main)
        await session.press("slash", *"high contrast", "enter")
        assert "high contrast" in session.one("#facts").current.plain
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)


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
        await session.shows("This pool has no tasks yet.", "Add a row to the table in docs/batches/default/BATCH_PLAN.md")


async def test_a_reader_of_a_file_that_is_gone_says_so(desk, opened):
    async with opened(desk) as session:
        session.app.open_source("docs/nothing.txt", 3)
        await session.shows("empty or no longer there")
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)
