"""The run of the demo: valid files at every step, steered by what the operator sends, ended at once when it is left."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from harness_tui.demo import documents, epic, past, repository, workspace
from harness_tui.demo.features import feature_for
from harness_tui.demo.run import FIRST_REST, LOOK, Run
from harness_tui.demo.worker import ScriptedWorker
from harness_tui.model.answer import Answer
from harness_tui.model.intervention import Signal
from harness_tui.model.work import Assignment
from harness_tui.stream.clock import Clock
from harness_tui.workspace import mailbox
from harness_tui.workspace.answers import record_answer
from harness_tui.workspace.once import read_workspace
from harness_tui.workspace.reader import Reader
from harness_tui.workspace.unlocks import give_unlock

PLAN, LOG = "docs/batches/default/BATCH_PLAN.md", "docs/batches/default/STREAM_LOG.md"
LEASE = ".harness/harness-tui/lease.json"
GREEN = "#!/bin/sh\nprintf '=== Summary ===\\n  PASS: 1\\n  WARN: 0\\n  FAIL: 0\\n  SKIP: 0\\n'\n"
DONE = {f"T-{number:02}": "done" for number in range(1, 12)}
ENDING = DONE | {"T-05": "needs-human", "T-06": "blocked", "T-08": "failed", "T-09": "blocked"}
WORDS = "READY|APPROVED|CHANGES REQUIRED|DELIVERED|GOAL ACHIEVED|FAILED"


class StoryClock(Clock):
    """Time that passes only while somebody rests; `watch` is called at each rest of the run."""

    def __init__(self, watch=None):
        self.at = datetime(2025, 5, 4, 9, 0, tzinfo=UTC)
        self.rests = []
        self.watch = watch

    def now(self):
        return self.at

    def monotonic(self):
        return self.at.timestamp()

    def wait(self, event, seconds):
        self.at += timedelta(seconds=seconds)
        if seconds == LOOK:
            return event.wait(0.005)
        self.rests.append(seconds)
        if self.watch is not None:
            self.watch()
        return event.is_set()


class Demo:
    """A run in a fresh workspace; not `whole` means without git, and with a check that costs nothing."""

    def __init__(self, folder, *, whole=False, **options):
        self.root = folder / "wheelhouse"
        if whole:
            workspace.build(self.root)
        else:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(repository, "init", lambda _folder: None)
                workspace.build(self.root)
            (self.root / ".harness/scripts/verify_all.sh").write_text(GREEN, "utf-8")
        self.clock = StoryClock()
        self.thread = Run(self.root, **{"clock": self.clock, **options})

    def go(self):
        """Run until it has come to rest."""
        self.thread.start()
        return self.rest()

    def rest(self):
        assert self.thread.rested.wait(30)
        assert self.thread.errors == []
        return self

    def then(self, act):
        """Act while nothing runs, and wait for the end of the run that begins."""
        self.thread.rested.clear()
        act()
        return self.rest()

    def send(self, keyword, argument="", text=""):
        mailbox.send(self.root, Signal(keyword, argument, text, 0, "waiting"))

    def answer(self, text="A"):
        record_answer(self.root, Answer(epic.EPIC, epic.QUESTION, "choice", text), self.clock.now())

    def text(self, name):
        return (self.root / name).read_text("utf-8")

    @property
    def pool(self):
        return next(pool for pool in read_workspace(self.root).pools if pool.id == "default")

    @property
    def statuses(self):
        return {task.id: task.effective_status for task in self.pool.tasks}


@pytest.fixture
def demo(tmp_path):
    made = []

    def make(**options):
        made.append(Demo(tmp_path / str(len(made)), **options))
        return made[-1]

    yield make
    for item in made:
        item.thread.stop()


def check(root):
    """Everything that a strict reader may ask of the worker's files between two changes."""
    for path in (root / ".harness").rglob("*.json"):
        json.loads(path.read_text("utf-8"))
    board = (root / "docs/tasks.md").read_text("utf-8").split("## Completed")
    assert {line.count("|") for line in board[0].splitlines() if line.startswith("|")} == {7}
    assert {line.count("|") for line in board[1].splitlines() if line.startswith("|")} == {6}


class Seen:
    """What was seen of a run at each of its rests."""

    def __init__(self, root):
        self.root = root
        self.reader = Reader(root)
        self.statuses, self.complaints, self.halves = set(), set(), set()
        self.states, self.holders, self.signals, self.doing = [], [], 0, 0
        self.look()

    def look(self):
        check(self.root)
        snapshot = self.reader.read_all()
        pool = next(pool for pool in snapshot.pools if pool.id == "default")
        assert Counter(task.effective_status for task in pool.tasks)["in-progress"] <= 1
        self.statuses |= {(task.id, task.effective_status) for task in pool.tasks}
        problems = [*snapshot.problems, *pool.problems]
        self.complaints |= {(problem.code, problem.path) for problem in problems if problem.severity != "info"}
        stream = snapshot.stream
        self.states += [stream.state] if stream.state not in self.states else []
        self.holders.append(stream.owner.pid if stream.owner else None)
        self.doing += stream.doing is not None
        self.signals += bool(snapshot.interventions.signals)
        for path in (self.root / "docs/features").glob("[a-z]*/0*.md"):
            if not re.search(rf"^({WORDS})", path.read_text("utf-8"), re.MULTILINE):
                self.halves.add(path.name)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A whole run with the project's real check, and what was seen of it."""
    made = Demo(tmp_path_factory.mktemp("played"), whole=True)
    seen = Seen(made.root)
    made.clock.watch = seen.look
    made.go().thread.stop()
    seen.look()
    seen.reader.close()
    return made, seen


def test_the_run_ends_as_told_and_the_programs_own_reader_has_nothing_to_complain_about(played):
    made, seen = played
    assert made.statuses == ENDING
    assert not any(task.drift for task in made.pool.tasks)
    assert {task.id: task.rollbacks for task in made.pool.tasks if task.rollbacks} == {"T-02": 1, "T-04": 1, "T-08": 2}
    assert seen.complaints == set()
    assert seen.states == ["idle", "running", "drained"]
    assert {(name, "in-progress") for name in ("T-04", "T-05", "T-07", "T-08", "T-10", "T-11")} <= seen.statuses


def test_the_engine_itself_writes_log_and_report_and_asks_the_check_after_each_task(played):
    made, _ = played
    log = made.text(LOG)
    assert re.search(r'T-05 · NEEDS-HUMAN · slug=pickup-payment · stage=\S+ · ask=".+" · unblock=".+"\n', log)
    assert re.search(r"STREAM EXIT · drained · .* 1 failed / 2 blocked / 1 needs-human / 7 done\n", log)
    assert log.count("regression gate · verify_all PASS 4 / WARN 0 / FAIL 0 / SKIP 0, exit 0\n") == 6
    assert "entropy sweep: FINDINGS-PRESENT" in log
    report = made.text("docs/batches/default/STREAM_REPORT.md")
    assert re.findall(r"^## (.+)$", report, re.MULTILINE)[0] == "Needs your input"
    assert epic.ASK in report
    history = made.text(".harness/scripts/verification_history.log").splitlines()[len(past.DELIVERED) :]
    assert [json.loads(line)["pass"] for line in history] == [4] * 7


def test_the_lease_names_this_process_while_the_run_lives_and_tells_what_the_worker_does(played):
    made, seen = played
    assert seen.holders[0] is None, "the first rest shows the workspace at rest"
    assert set(seen.holders[2:-1]) == {os.getpid()}
    assert seen.holders[-1] is None
    assert not (made.root / LEASE).exists()
    assert seen.doing


@pytest.mark.parametrize("slug", ["pickup-notice", "parts-reorder", "shelf-labels-i18n", "something-else"])
def test_the_worker_tells_tool_file_step_and_cost(demo, slug):
    made, heard = demo(), []
    worker = ScriptedWorker(made.root, clock=made.clock)
    mode = feature_for(slug, "").mode
    work = Assignment("default", "T-77", slug, "A goal.", mode)
    result = worker.run(work, root=made.root, cancel=threading.Event(), heard=heard.append, born=lambda _group: None)
    assert result.outcome == ("failed" if slug == "parts-reorder" else "delivered")
    assert heard[0].kind == "started"
    assert {"Edit", "Write", "Bash"} <= {item.tool for item in heard}
    steps = [item for item in heard if item.kind == "step"]
    assert [item.step for item in steps] == list(range(1, steps[-1].step + 1))
    assert {item.steps for item in steps} == {len(steps)}
    assert steps[-1].cost_usd > steps[0].cost_usd > 0


def test_delivered_work_lies_in_the_archive_with_all_its_documents(played):
    made, _ = played
    archived = {path.name for path in (made.root / past.ARCHIVE / "pickup-notice").iterdir()}
    assert archived == {*documents.NAMES.values(), "PM_LOG.md"}
    assert made.text("docs/features/parts-reorder/07_DELIVERY.md").endswith("## Verdict\n\nFAILED\n")
    assert {path.name for path in (made.root / "docs/features").iterdir()} == {
        "_archived", "_supervision", "parts-reorder", "parts-reservation-plan", "pickup-payment",
    }  # fmt: skip
    review = made.text(f"{past.ARCHIVE}/pickup-notice/03_GATE_REVIEW.md")
    assert re.findall(r"^## Verdict\n\n(.+)$", review, re.MULTILINE) == ["CHANGES REQUIRED", "APPROVED"]


def test_some_documents_are_half_written_for_a_while(played):
    made, seen = played
    assert {"01_REQUIREMENT_ANALYSIS.md", "02_SOLUTION_DESIGN.md"} <= seen.halves
    assert all(
        re.search(rf"## Verdict\n\n({WORDS}).*\n$", path.read_text("utf-8"))
        for path in (made.root / "docs/features").rglob("0*.md")
    )


def test_a_colleagues_signal_waits_until_the_next_task_and_becomes_a_row(played):
    made, seen = played
    assert seen.signals >= 5
    assert made.pool.tasks[-1].slug == "opening-hours-banner"


def test_the_run_takes_about_100_seconds_and_begins_within_one(played):
    made, _ = played
    assert 90 <= sum(made.clock.rests) <= 105
    assert made.clock.rests[0] == FIRST_REST < 1
    assert max(made.clock.rests) <= 2


def test_an_answer_after_the_run_begins_the_next_one_which_delivers_what_waited_for_it(demo):
    made = demo().go()
    assert "demo: whatever you send now begins the next run" in made.text(LOG)
    made.then(made.answer)
    assert made.statuses == DONE
    assert "Decided by the operator: register the terminal anew" in made.text(
        f"{past.ARCHIVE}/pickup-payment/04_DEVELOPMENT.md"
    )
    snapshot = read_workspace(made.root)
    assert [(budget.consumed, budget.left) for budget in snapshot.epics.budgets] == [(1, 1)]
    assert snapshot.stream.state == "drained"


@pytest.fixture(scope="module")
def steered(tmp_path_factory):
    """A run that found an answer, an unlock and three signals."""
    made = Demo(tmp_path_factory.mktemp("steered"))
    made.answer("B")
    give_unlock(made.root, "The cellar is counted, too.", "unlock MS-STOCKTAKE", made.clock.now())
    made.send("SKIP", "T-10", "no printer")
    made.send("ADD", "pickup-notice", "Once more")
    made.send("NOTE", text="mind the gap")
    made.go().thread.stop()
    return made


def test_an_answer_before_its_task_spares_the_question(steered):
    assert "NEEDS-HUMAN" not in steered.text(LOG)
    assert "cash only" in steered.text(f"{past.ARCHIVE}/pickup-payment/04_DEVELOPMENT.md")
    assert steered.statuses == DONE | {"T-10": "skipped", "T-08": "failed", "T-09": "blocked"}


def test_a_note_goes_with_the_next_task(steered):
    assert 'T-04 · dispatching pm-orchestrator · slug=pickup-notice · mode=full · note="mind the gap"' in steered.text(
        LOG
    )
    notes = steered.text(f"{past.ARCHIVE}/pickup-notice/PM_LOG.md")
    assert re.search(r"## Intervention consumed at \S+Z\n\nmind the gap", notes)


def test_a_slug_that_is_there_already_is_refused(steered):
    assert "ADD pickup-notice is refused" in steered.text(LOG)


def test_a_valid_unlock_lifts_the_lock_of_the_control_loop(steered, played):
    before, after = (read_workspace(made.root).servo.handback for made in (played[0], steered))
    assert (before.locked, after.locked, after.rounds) == (True, False, 0)
    assert after.last_unlock == "The cellar is counted, too."


def test_stop_ends_the_run_before_its_next_task_and_an_add_begins_another(demo):
    made = demo()
    made.clock.watch = lambda: len(made.clock.rests) == 9 and made.send("STOP", text="enough for today")
    made.go()
    snapshot = read_workspace(made.root)
    assert (snapshot.stream.state, made.statuses["T-04"], made.statuses["T-05"]) == ("stopped", "done", "pending")
    time.sleep(0.05)
    assert made.text(LOG).count("run start") == 1, "it does not begin again by itself"
    made.then(lambda: made.send("ADD", "bell-test", "Ring the bell | \"twice\" '''\\"))
    assert made.statuses["T-11"] == "done"
    assert (made.root / past.ARCHIVE / "bell-test/07_DELIVERY.md").is_file()


def test_a_pool_that_cannot_be_drained_is_said_and_waited_for(demo):
    made = demo()
    plan = made.root / PLAN
    data = plan.read_bytes()
    plan.write_bytes(data.replace(b"| full | T-02 | pending", b"| full | T-06 | pending"))
    made.go()
    assert "demo: no run begins" in made.text(LOG)
    made.then(lambda: plan.write_bytes(data))
    assert made.statuses["T-04"] == "done"


def test_speed_divides_every_rest(played, demo):
    fast = demo(speed=3.0).go()
    assert fast.clock.rests == pytest.approx([rest / 3 for rest in played[0].clock.rests])


def test_stop_ends_a_resting_run_at_once_and_leaves_valid_files_and_no_lease(demo):
    made = demo(speed=0.5, clock=Clock())
    made.thread.start()
    while not (made.root / LEASE).exists() or made.statuses["T-04"] != "in-progress":
        time.sleep(0.02)
    started = time.monotonic()
    made.thread.stop()
    assert time.monotonic() - started < 1
    assert not made.thread.is_alive()
    check(made.root)
    assert not (made.root / LEASE).exists()
    assert made.statuses["T-04"] == "in-progress", "a run that broke off looks like one"
    assert read_workspace(made.root).stream.state == "stopped"


def test_a_workspace_that_cannot_be_written_ends_the_run_with_its_error_and_without_a_word(demo, capfd):
    made = demo()
    (made.root / LOG).unlink()
    (made.root / LOG).mkdir()
    made.thread.start()
    assert made.thread.finished.wait(30)
    assert [type(error).__name__ for error in made.thread.errors] == ["WriteError"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_a_speed_that_is_not_positive_is_refused(tmp_path, speed):
    with pytest.raises(ValueError, match="speed"):
        Run(tmp_path, speed=speed)
