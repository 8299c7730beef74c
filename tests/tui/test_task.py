"""Details of a task, the windows that explain, documents, and the way back."""

from datetime import UTC, datetime

import pytest
from support import build

from harness_tui.model.stream import Stream
from harness_tui.tui.facts_task import STAGES, task_facts

IDS = [f"T-{number:02}" for number in range(1, 13)]


async def test_the_task_panel_tells_everything_with_its_source(desk, opened):
    async with opened(desk, size=(200, 70)) as session:
        await session.choose("T-03")
        await session.until(lambda: any("step 39" in line for line in session.facts("#task-list")))
        lines = session.facts("#task-list")
        for words in (
            "Edit ramps of a firing on the panel.", "status      ▶ in-progress", "mode        full",
            "✓ T-01 burner-relay",
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
        await session.until(lambda: session.app.screen.name == "reader")
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
        await session.until(session.toasts)
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
        await session.until(lambda: session.app.screen.name == "reader")
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)
        assert session.table.current.id == "T-07"


async def test_why_works_in_the_reader_too(desk, opened):
    async with opened(desk, size=(160, 40)) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.name == "reader")
        await session.press("c")
        await session.shows("Why?")
        await session.press("escape")
        await session.until(lambda: session.app.screen.name == "reader")


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


async def test_the_editor_needs_a_variable_and_says_so(desk, opened):
    async with opened(desk) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.name == "reader")
        await session.press("ctrl+o")
        await session.until(lambda: any("$EDITOR" in toast for toast in session.toasts()))


@pytest.mark.parametrize("editor", ["/no/such/editor", "vi 'unclosed"])
async def test_an_editor_that_does_not_start_is_no_crash(desk, opened, monkeypatch, editor):
    monkeypatch.setenv("EDITOR", editor)
    async with opened(desk) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.name == "reader")
        await session.press("ctrl+o")
        await session.until(session.toasts)
        assert session.app.is_running


async def test_a_log_is_shown_line_by_line_also_where_no_line_is_meant(desk, opened):
    async with opened(desk) as session:
        session.app.open_source(desk.plan_path.replace("BATCH_PLAN", "STREAM_LOG"), None)
        await session.until(lambda: session.app.screen.name == "reader")
        assert session.one("#source").display
        assert not session.one("#document").display


async def test_the_reader_searches_with_n_and_upper_case_n(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        session.app.open_source(desk.plan_path, 1)
        await session.until(lambda: session.app.screen.name == "reader")
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
        await session.until(lambda: session.app.screen.name == "reader")
        await session.press("slash", "x", "escape")
        await session.pilot.pause()
        assert session.app.screen.name == "reader"
        assert not session.one("LineInput").is_open


async def test_a_window_finds_a_line(desk, opened):
    async with opened(desk, size=(120, 40)) as session:
        await session.press("question_mark")
        await session.until(lambda: session.app.screen is not session.main)
        await session.press("slash", *"high contrast", "enter")
        assert "high contrast" in session.one("#facts").current.plain
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)


@pytest.mark.parametrize("key", ["question_mark", "5", "4"])
async def test_a_search_in_a_list_says_when_nothing_matches_and_stops_saying_so(desk, opened, key):
    async with opened(desk, size=(120, 40)) as session:
        await session.press(key)
        await session.settle()
        await session.press("slash", *"zzqq")
        await session.shows("nothing matches · Esc closes")
        await session.press(*["backspace"] * 4)
        await session.until(lambda: "nothing matches" not in session.text())


async def test_a_reader_of_a_file_that_is_gone_says_so(desk, opened):
    async with opened(desk) as session:
        session.app.open_source("docs/nothing.txt", 3)
        await session.shows("empty or no longer there")
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)


async def test_opening_one_file_after_the_other_at_once_shows_the_last(desk, opened):
    async with opened(desk) as session:
        for line in (1, 2, 3):
            session.app.open_source(desk.plan_path, line)
        await session.until(lambda: session.app.screen.name == "reader" and f"{desk.plan_path}:3" in session.text())
        await session.press("escape")
        await session.until(lambda: session.app.screen is session.main)


def test_a_long_list_of_changed_files_says_how_many_it_leaves_out():
    pool = build.pool_of(build.row("T-01", "in-progress"))
    names = tuple(f"lens/{number}.py" for number in range(53))
    lines = [
        fact.plain
        for fact in task_facts(pool, pool.tasks[0], Stream(), datetime.now(UTC), entries=(), log_path="", changed=names)
    ]
    assert "Files changed since dispatch: 53" in lines
    assert lines[-1] == "  and 3 more: git status names them"
