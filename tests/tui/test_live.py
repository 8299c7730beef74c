"""What changes on disk is on the screen, however it was saved; what does not change is not drawn."""

import shutil
import time
from types import SimpleNamespace

import pytest

from harness_tui.tui.messages import LiveChanged


def status_of(session, task_id):
    return next((task.effective_status for task in session.table.rows if task.id == task_id), None)


ALARM = "| T-10 | alarm-sounds | Sound an alarm when a firing stalls. | full | — |"


def edited(desk):
    text = desk.read(desk.plan_path)
    return text.replace(f"{ALARM} pending |", f"{ALARM} failed |")


def in_place(desk, text):
    with desk.path(desk.plan_path).open("r+b") as file:
        file.write(text.encode())
        file.truncate()


def by_rename(desk, text):
    other = desk.path(f"{desk.plan_path}.tmp")
    other.write_text(text)
    other.replace(desk.path(desk.plan_path))


def by_truncation(desk, text):
    with desk.path(desk.plan_path).open("w") as file:
        file.flush()
        file.write(text)


def in_pieces(desk, text):
    with desk.path(desk.plan_path).open("wb", buffering=0) as file:
        data = text.encode()
        for start in range(0, len(data), 200):
            file.write(data[start : start + 200])


def by_another_folder(desk, text):
    folder = desk.path(desk.plan_path).parent
    aside = folder.with_name("default.new")
    shutil.copytree(folder, desk.path("aside"))
    desk.path("aside/BATCH_PLAN.md").write_text(text)
    folder.rename(desk.path("old"))
    desk.path("aside").rename(folder)
    assert not aside.exists()


@pytest.mark.parametrize("save", [in_place, by_rename, by_truncation, in_pieces, by_another_folder])
async def test_every_way_of_saving_the_plan_shows(desk, opened, save):
    async with opened(desk) as session:
        assert status_of(session, "T-10") == "pending"
        save(desk, edited(desk))
        await session.until(lambda: status_of(session, "T-10") == "failed")
        await session.shows("✗ 2 failed")
        assert session.table.current.id == "T-03"


async def test_a_row_that_is_added_or_taken_away_shows_and_the_cursor_stays_on_its_task(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-07")
        text = desk.read(desk.plan_path)
        row = "| T-13 | kiln-lamp | Light the kiln. | full | — | pending |\n"
        by_rename(desk, text.replace("| T-01 |", f"{row}| T-01 |"))
        await session.until(lambda: status_of(session, "T-13") == "pending")
        assert session.table.current.id == "T-07"
        by_rename(desk, text)
        await session.until(lambda: status_of(session, "T-13") is None)
        assert session.table.current.id == "T-07"


async def test_an_appended_line_of_the_log_reaches_table_task_and_log(desk, opened):
    async with opened(desk, size=(200, 60)) as session:
        desk.append(desk.log_path, desk.log_line("T-03 · FAILED · slug=ramp-editor · rollbacks=3"))
        await session.until(lambda: status_of(session, "T-03") == "failed")
        await session.until(lambda: any("T-03 · FAILED" in line for line in session.facts("#task-list")))
        assert "T-03 · FAILED" in "\n".join(session.rows())


async def test_stage_documents_show_one_by_one(desk, opened):
    async with opened(desk, size=(200, 60)) as session:
        for number, name, words in (
            (5, "05_CODE_REVIEW", "CHANGES REQUIRED"),
            (6, "06_TEST_REPORT", "APPROVED FOR DELIVERY"),
        ):
            path = f"docs/features/ramp-editor/{name}.md"
            desk.write(path, f"# {name}\n\n## Verdict\n\n{words}\n")
            await session.until(lambda number=number: session.table.current.stage == number)
            await session.until(lambda words=words: any(words in line for line in session.facts("#task-list")))


async def test_a_delivery_that_is_archived_at_once_shows_as_done(desk, opened):
    async with opened(desk, size=(200, 60)) as session:
        delivered = desk.read("docs/features/_archived/burner-relay/07_DELIVERY.md")
        desk.write("docs/features/ramp-editor/07_DELIVERY.md", delivered.replace("burner-relay", "ramp-editor"))
        desk.path("docs/features/ramp-editor").rename(desk.path("docs/features/_archived/ramp-editor"))
        by_rename(desk, desk.read(desk.plan_path).replace("in-progress |", "done |"))
        await session.until(lambda: status_of(session, "T-03") == "done")
        await session.until(lambda: any("(archived)" in line for line in session.facts("#task-list")))
        await session.shows("4/12 done")


async def test_a_pool_whose_folder_goes_and_comes_back(desk, opened):
    async with opened(desk) as session:
        desk.path("docs/batches/default").rename(desk.path("gone"))
        await session.until(lambda: session.main.pool_id == "glaze-archive")
        desk.path("gone").rename(desk.path("docs/batches/default"))
        await session.until(lambda: len(session.app.snapshot.pools) == 2)
        await session.press("left_square_bracket")
        await session.until(lambda: status_of(session, "T-03") == "in-progress")
        by_rename(desk, edited(desk))
        await session.until(lambda: status_of(session, "T-10") == "failed")


async def test_all_of_docs_removed_and_made_again(desk, opened):
    async with opened(desk) as session:
        desk.path("docs").rename(desk.path("away"))
        await session.shows("Nothing to watch here yet.")
        desk.path("away").rename(desk.path("docs"))
        await session.until(lambda: status_of(session, "T-03") == "in-progress")
        by_rename(desk, edited(desk))
        await session.until(lambda: status_of(session, "T-10") == "failed")


async def test_a_half_written_plan_keeps_the_last_good_rows_with_a_mark(desk, opened):
    async with opened(desk) as session:
        text = desk.read(desk.plan_path)
        desk.path(desk.plan_path).write_text("# Batch Plan — default\n")
        await session.shows("last good reading")
        assert status_of(session, "T-12") == "pending"
        assert len(session.table.rows) == 12
        desk.path(desk.plan_path).write_text(text)
        await session.until(lambda: "last good reading" not in session.text())
        assert len(session.table.rows) == 12


async def test_a_new_pool_is_found(desk, opened):
    async with opened(desk) as session:
        desk.write("docs/batches/new-one/BATCH_PLAN.md", desk.plan_of("new-one"))
        await session.until(lambda: len(session.app.snapshot.pools) == 3)
        await session.shows("1/3")


async def test_signals_ambient_and_verify_show(desk, opened):
    async with opened(desk, size=(200, 60)) as session:
        desk.write(".harness/intervention.md", "# Intervention\n\nNOTE — look at the lid\n")
        await session.shows("unread: NOTE")
        desk.path(".harness/intervention.md").unlink()
        await session.until(lambda: "unread: NOTE" not in session.text())
        desk.write(".harness/ambient.flag", "")
        await session.shows("ambient on")
        line = '{"timestamp": "2026-03-14T11:58:00Z", "pass": 20, "warn": 0, "fail": 3, "skip": 0}\n'
        desk.append(".harness/scripts/verification_history.log", line)
        await session.shows("verify hard-fail, 20 ok, 3 failed", "verify_all fails")


async def test_a_new_question_shows_its_panel_and_its_last_answer_hides_it(desk, opened):
    desk.path("docs/batches/default/STREAM_REPORT.md").unlink()
    desk.path(desk.log_path).unlink()
    desk.path(".harness/scripts/verification_history.log").unlink()
    desk.write(desk.plan_path, desk.plan_of("default", desk.rows[:2]))
    async with opened(desk, size=(160, 44)) as session:
        assert not session.main.query_one("#inbox").display
        by_rename(desk, desk.plan_of("default", (*desk.rows[:2], desk.rows[4])))
        await session.until(lambda: session.main.query_one("#inbox").display)
        await session.shows("4 Needs you · 1")
        by_rename(desk, desk.plan_of("default", desk.rows[:2]))
        await session.until(lambda: not session.main.query_one("#inbox").display)


async def test_the_panel_of_needs_stays_while_it_has_the_keys(desk, opened):
    async with opened(desk, size=(160, 44)) as session:
        session.main.go_to("inbox")
        desk.path("docs/batches/default/STREAM_REPORT.md").unlink()
        desk.path(desk.log_path).unlink()
        by_rename(desk, desk.plan_of("default", desk.rows[:2]))
        await session.until(
            lambda: not session.main.query_one("#inbox-list").facts[:1] or session.app.snapshot.inbox == ()
        )
        await session.press("1")
        await session.until(lambda: session.main.focused_panel == "pool")


@pytest.mark.parametrize(("state", "words"), [("polling", "◌ polling (no events)"), ("stale", "■ stale (no events)")])
async def test_the_header_says_when_changes_are_not_heard_of(desk, opened, state, words):
    async with opened(desk, size=(160, 44)) as session:
        session.app.post_message(LiveChanged(state, "no events"))
        await session.shows(words)
        session.app.post_message(LiveChanged("live", ""))
        await session.shows("● live")


async def test_a_reader_that_does_not_come_back_is_called_stale(desk, opened, monkeypatch):
    async with opened(desk, size=(160, 44)) as session:
        later = time.monotonic() + 60
        monkeypatch.setattr("harness_tui.tui.app.time", SimpleNamespace(monotonic=lambda: later))
        session.app._tick()
        await session.shows("■ stale (nothing read for")


async def test_nothing_is_drawn_when_nothing_changed(desk, opened):
    async with opened(desk) as session:
        await session.until(lambda: "● live" in session.status and session.app.snapshot.git is not None)
        session.live.refresh()
        await session.settle()
        await session.pilot.pause(0.1)
        drawn = []
        for widget in (
            session.table,
            session.log_view,
            *session.main.query("StatusBar, TallyBar, ActionBar, PanelTabs"),
        ):
            original = widget.refresh
            widget.refresh = lambda *words, _o=original, _w=widget, **more: drawn.append(_w) or _o(*words, **more)
        listed = session.main.query_one("#task-list")
        options = []
        original_put = listed.put
        listed.put = lambda *words: options.append(words) or original_put(*words)
        for _ in range(3):
            session.live.refresh()
            await session.settle()
            session.app._tick()
            session.main.show(session.app.snapshot, desk.now)
            await session.pilot.pause()
        assert drawn == []
        assert options == []


async def test_one_changed_row_draws_one_line_of_the_table(desk, opened):
    async with opened(desk) as session:
        await session.pilot.pause()
        drawn = []
        table = session.table
        original = table._draw
        table._draw = lambda row, state: drawn.append(row.id) or original(row, state)
        by_rename(desk, edited(desk))
        await session.until(lambda: status_of(session, "T-10") == "failed")
        await session.until(lambda: "T-10" in drawn)
        assert set(drawn) == {"T-10"}


async def test_the_main_screen_takes_changes_in_while_a_reader_covers_it(desk, opened):
    async with opened(desk) as session:
        session.app.open_source(desk.plan_path, 1)
        await session.until(lambda: session.app.screen.name == "reader")
        by_rename(desk, edited(desk))
        await session.until(lambda: status_of(session, "T-10") == "failed")
        await session.press("escape")
        await session.shows("T-10 ✗ failed")


async def test_a_return_after_a_long_absence_is_greeted(desk, opened, monkeypatch):
    async with opened(desk, size=(160, 44)) as session:
        clock = [time.monotonic()]
        monkeypatch.setattr("harness_tui.tui.app.time", SimpleNamespace(monotonic=lambda: clock[0]))
        session.app.on_app_blur()
        by_rename(desk, edited(desk))
        await session.until(lambda: status_of(session, "T-10") == "failed")
        clock[0] += 10
        session.app.on_app_focus()
        assert session.toasts() == []
        session.app.on_app_blur()
        by_rename(desk, edited(desk).replace("someday, maybe", "done"))
        await session.until(lambda: status_of(session, "T-11") == "done")
        clock[0] += 3000
        session.app.on_app_focus()
        await session.until(lambda: any("✓ 1 done  T-11" in toast for toast in session.toasts()))
