"""The played run: valid files at every step, the told ending, and a prompt end that leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from harness_tui.demo import documents, past, plan, signals, workspace
from harness_tui.demo.script import FIRST_REST, LAST_REST, Actor
from harness_tui.workspace.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path

STATUSES = {"pending", "in-progress", "done", "failed", "blocked", "needs-human", "skipped"}
ENDING = {
    "T-01": "done",
    "T-02": "done",
    "T-03": "done",
    "T-04": "done",
    "T-05": "needs-human",
    "T-06": "blocked",
    "T-07": "done",
    "T-08": "failed",
    "T-09": "blocked",
    "T-10": "done",
    "T-11": "done",
}
LOG_LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ · (T-\d\d|pre-flight|intervention consumed|STOP|STREAM EXIT) · \S.*"
)
WORDS = "READY|APPROVED|CHANGES REQUIRED|DELIVERED|GOAL ACHIEVED|FAILED"
PLAN, LOG = "docs/batches/default/BATCH_PLAN.md", "docs/batches/default/STREAM_LOG.md"


class Clock:
    """Time that passes only while the actor rests; `watch` is called at each rest."""

    def __init__(self, watch=None):
        self.at = datetime(2030, 5, 4, 9, 0, tzinfo=UTC)
        self.rests = []
        self.watch = watch

    def sleep(self, seconds):
        self.rests.append(seconds)
        self.at += timedelta(seconds=seconds)
        return bool(self.watch and self.watch())

    def now(self):
        return self.at


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "wheelhouse"
    workspace.build(folder)
    return folder


def play(root: Path, watch=None, **options) -> Clock:
    clock = Clock(watch)
    actor = Actor(root, loop=False, sleep=clock.sleep, now=clock.now, **options)
    actor.start()
    actor.join(30)
    assert actor.finished.is_set()
    assert actor.errors == []
    return clock


def statuses(root: Path) -> dict[str, str]:
    return {row.id: row.status for row in plan.rows((root / PLAN).read_text("utf-8"))}


def text_of(root: Path, name: str) -> str:
    return (root / name).read_text("utf-8")


def check(root: Path) -> None:
    """Everything that a strict reader may ask of the files between two changes."""
    rows = [line for line in text_of(root, PLAN).split("\n") if line.startswith("| T-")]
    assert all(line.count("|") == 7 for line in rows)
    assert set(statuses(root).values()) <= STATUSES
    assert Counter(statuses(root).values())["in-progress"] <= 1
    *whole, last = text_of(root, LOG).split("\n")
    assert all(LOG_LINE.fullmatch(line) for line in whole[2:])
    assert not last or LOG_LINE.fullmatch(last), "an unfinished last line is the beginning of a whole one"
    for path in (root / ".harness").rglob("*.json"):
        json.loads(path.read_text("utf-8"))
    for line in text_of(root, ".harness/scripts/verification_history.log").splitlines():
        assert set(json.loads(line)) == {"timestamp", "pass", "warn", "fail", "skip"}
    board = text_of(root, "docs/tasks.md").split("## Completed")
    assert {line.count("|") for line in board[0].splitlines() if line.startswith("|")} == {7}
    assert {line.count("|") for line in board[1].splitlines() if line.startswith("|")} == {6}


def test_every_file_is_valid_between_any_two_changes(root):
    seen = set()

    def watch():
        check(root)
        seen.update(statuses(root).items())

    play(root, watch)
    assert {(name, "in-progress") for name in ("T-04", "T-05", "T-07", "T-08", "T-10", "T-11")} <= seen


def test_the_story_ends_as_told(root):
    play(root)
    assert statuses(root) == ENDING
    log = text_of(root, LOG)
    assert (
        log.rstrip()
        .split("\n")[-1]
        .endswith("STREAM EXIT · drained · 7 done · 1 failed · 2 blocked · 1 needs-human · no hard stop")
    )
    assert re.search(r'T-05 · NEEDS-HUMAN · slug=pickup-payment · stage=04 · ask=".+" · unblock=".+"\n', log)
    assert "T-04 · gate review CHANGES REQUIRED · rollback to 02 · rollbacks=1\n" in log
    report = text_of(root, "docs/batches/default/STREAM_REPORT.md")
    assert re.findall(r"^## (.+)$", report, re.MULTILINE)[0] == "Needs your input"
    assert "- T-05 `pickup-payment` raised by 04\n  - Ask: " in report


def test_the_programs_own_reader_sees_the_told_story_and_nothing_to_complain_about(root):
    complaints, states = set(), []
    reader = Reader(root)  # one for the whole run, as the dashboard has it

    def look():
        snapshot = reader.read_all()
        found = [*snapshot.problems, *(problem for pool in snapshot.pools for problem in pool.problems)]
        complaints.update((problem.code, problem.path) for problem in found if problem.severity != "info")
        if snapshot.stream.state not in states:
            states.append(snapshot.stream.state)
        return snapshot

    look()
    play(root, lambda: look() is None)
    pool = next(pool for pool in look().pools if pool.id == "default")
    assert {task.id: task.effective_status for task in pool.tasks} == ENDING
    assert not any(task.drift for task in pool.tasks)
    assert {task.id: task.rollbacks for task in pool.tasks if task.rollbacks} == {"T-02": 1, "T-04": 1, "T-08": 2}
    assert pool.report is not None
    assert [ask.task_id for ask in pool.report.needs_input] == ["T-05"]
    reader.close()
    assert complaints == set()
    assert states == ["idle", "running", "drained"]


def test_delivered_work_lies_in_the_archive_with_all_its_documents(root):
    play(root)
    archived = {path.name for path in (root / past.ARCHIVE / "pickup-notice").iterdir()}
    assert archived == {*documents.NAMES.values(), "PM_LOG.md"}
    assert not (root / "docs/features/pickup-notice").exists()
    assert (root / "docs/features/parts-reorder/07_DELIVERY.md").read_text("utf-8").endswith("## Verdict\n\nFAILED\n")
    assert {path.name for path in (root / "docs/features").iterdir()} == {
        "_archived",
        "_supervision",
        "parts-reorder",
        "parts-reservation-plan",
        "pickup-payment",
    }


def test_the_gate_review_holds_both_verdicts_and_the_approval_is_last(root):
    play(root)
    review = text_of(root, f"{past.ARCHIVE}/pickup-notice/03_GATE_REVIEW.md")
    assert re.findall(r"^## Verdict\n\n(.+)$", review, re.MULTILINE) == ["CHANGES REQUIRED", "APPROVED"]


def test_some_documents_are_half_written_for_a_while(root):
    halves = set()

    def watch():
        for path in (root / "docs/features").glob("[a-z]*/0*.md"):
            if not re.search(rf"^({WORDS})", path.read_text("utf-8"), re.MULTILINE):
                halves.add(path.name)

    play(root, watch)
    assert {"01_REQUIREMENT_ANALYSIS.md", "02_SOLUTION_DESIGN.md"} <= halves
    assert all(
        re.search(rf"## Verdict\n\n({WORDS}).*\n$", path.read_text("utf-8"))
        for path in (root / "docs/features").rglob("0*.md")
    )


def test_a_status_edit_keeps_every_other_byte(root):
    before = (root / PLAN).read_bytes()
    odd = before.replace(b"| T-04 | pickup-notice |", b"|T-04  |  pickup-notice\t|").replace(b"\n", b"\r\n")
    after = plan.with_status(odd.decode(), "T-04", "in-progress").encode()
    rows = [line for line in odd.split(b"\r\n") if b"T-04  |" in line]
    assert after == odd.replace(rows[0], rows[0].replace(b"| pending |", b"| in-progress |"))


def test_an_added_signal_waits_until_the_next_task_and_becomes_a_row(root):
    waits = []
    play(root, lambda: waits.append((root / ".harness/intervention.md").exists()))
    assert waits.count(True) >= 5
    assert not (root / ".harness/intervention.md").exists()
    row = next(row for row in plan.rows(text_of(root, PLAN)) if row.id == "T-11")
    assert row == ("T-11", "opening-hours-banner", row.goal, "full", "—", "done")


@pytest.mark.parametrize(
    ("signal", "line", "ending"),
    [
        ("SKIP T-10 — no printer", "T-10 · SKIPPED", {"T-10": "skipped"}),
        ("ADD bell-test — Ring the bell | twice", "ADD bell-test · queued as T-11", {"T-11": "done", "T-12": "done"}),
        ("ADD ../../away — Out of the folder", "refused", {"T-11": "done"}),
        ("STOP — enough for today", "STOP", {"T-04": "pending", "T-10": "pending"}),
    ],
)
def test_the_run_obeys_what_the_operator_writes(root, signal, line, ending):
    signals.leave(root, signal)
    play(root)
    assert line in text_of(root, LOG)
    assert statuses(root).items() >= ending.items()


def test_a_note_reaches_the_next_task(root):
    signals.leave(root, "NOTE — mind the gap")
    play(root)
    notes = text_of(root, f"{past.ARCHIVE}/pickup-notice/PM_LOG.md")
    assert re.search(r"## Intervention consumed at \S+Z\n\nmind the gap", notes)


def test_the_run_lock_names_this_process_while_the_run_lives(root):
    held = []

    def watch():
        path = root / ".harness/stream.lock"
        held.append(json.loads(path.read_text("utf-8"))["pid"] if path.exists() else None)

    play(root, watch)
    assert held[0] is None, "the first rest shows the workspace at rest"
    assert set(held[1:]) == {os.getpid()}
    assert not (root / ".harness/stream.lock").exists()


def test_the_story_takes_about_100_seconds_and_begins_within_one_and_a_half(root):
    clock = play(root)
    assert 85 <= sum(clock.rests) <= 120
    assert clock.rests[0] <= 1.5
    assert max(clock.rests) <= 2


def test_speed_divides_every_rest(root, tmp_path):
    workspace.build(tmp_path / "other")
    usual, fast = play(root), play(tmp_path / "other", speed=4.0)
    assert fast.rests == pytest.approx([rest / 4 for rest in usual.rests])


def test_looping_starts_over_from_the_first_state_and_keeps_the_operators_files(root):
    kept = root / ".harness/harness-tui/sent.jsonl"
    kept.parent.mkdir()
    kept.write_text("{}\n", "utf-8")
    first = statuses(root)
    at_each_start = []

    def watch():
        if clock.rests[-1] == FIRST_REST:
            at_each_start.append(statuses(root))
        return len(at_each_start) == 3

    clock = Clock(watch)
    actor = Actor(root, sleep=clock.sleep, now=clock.now)
    actor.start()
    actor.join(30)
    assert actor.errors == []
    assert at_each_start == [first] * 3
    assert clock.rests.count(LAST_REST) == 2
    assert kept.exists()
    assert not (root / "docs/features/parts-reorder").exists()
    check(root)


def test_stop_ends_a_resting_actor_at_once_and_gives_the_lock_back(root):
    actor = Actor(root, speed=0.02)
    actor.start()
    started = time.monotonic()
    actor.stop()
    assert time.monotonic() - started < 10, "the first rest takes 40 s at this speed"
    assert not actor.is_alive()
    assert actor.finished.is_set()
    assert not (root / ".harness/stream.lock").exists()


def test_stop_in_the_middle_leaves_valid_files_and_no_lock(root):
    middle = threading.Event()
    actor = Actor(root, speed=1000.0, sleep=lambda _: middle.is_set() or (statuses(root)["T-07"] == "in-progress"))
    actor.start()
    actor.join(30)
    actor.stop()
    check(root)
    assert statuses(root)["T-07"] == "in-progress", "a run that broke off looks like one"
    assert not (root / ".harness/stream.lock").exists()


def test_a_broken_workspace_ends_the_actor_with_its_error_and_without_a_word(root, capfd):
    (root / PLAN).unlink()
    actor = Actor(root, loop=False, sleep=lambda _: False)
    actor.start()
    actor.join(30)
    assert [type(error) for error in actor.errors] == [FileNotFoundError]
    assert actor.finished.is_set()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_a_speed_that_is_not_positive_is_refused(root, speed):
    with pytest.raises(ValueError, match="speed"):
        Actor(root, speed=speed)
