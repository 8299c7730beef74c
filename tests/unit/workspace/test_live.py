"""The thread that keeps a reading up to date: it hears, looks, answers, survives, and ends when told."""

from __future__ import annotations

import shutil
import threading
import time
from datetime import UTC, datetime

import pytest

from harness_tui.workspace import cache, live
from harness_tui.workspace.live import Health, Live
from harness_tui.workspace.reader import Reader
from harness_tui.workspace.watcher import Watcher

PATIENCE = 20
NEVER = 600.0


class Seat:
    """A listener that remembers what it was told and can wait for it."""

    def __init__(self):
        self.news = threading.Condition()
        self.snapshots = []
        self.health = []
        self.fail = 0

    def publish(self, snapshot):
        with self.news:
            if self.fail:
                self.fail -= 1
                self.news.notify_all()
                raise RuntimeError("the \x1b[31m listener fell")
            self.snapshots.append(snapshot)
            self.news.notify_all()

    def tell(self, health):
        with self.news:
            self.health.append(health)
            self.news.notify_all()

    def until(self, wanted):
        """Wait until `wanted(self)`, asked after each piece of news."""
        with self.news:
            assert self.news.wait_for(lambda: wanted(self), PATIENCE), (self.health, len(self.snapshots))

    def until_status(self, task, status):
        def there(seat):
            pools = seat.snapshots[-1].pools if seat.snapshots else ()
            return any(t.id == task and t.effective_status == status for pool in pools for t in pool.tasks)

        self.until(there)

    def until_live(self):
        self.until(lambda seat: seat.health and seat.health[-1] == Health("live"))


@pytest.fixture
def seat():
    return Seat()


@pytest.fixture
def running(seat, files_open):
    """Start watching a folder; everything is ended afterwards, and no thread and no file may be left."""
    threads, files = set(threading.enumerate()), files_open()
    started = []

    def start(root, *, held=False):
        made = Live(root, seat.publish, seat.tell)
        if held:
            made.hold()
        made.start()
        started.append(made)
        return made

    yield start
    for made in started:
        made.stop()
    end = time.monotonic() + PATIENCE
    while (set(threading.enumerate()) - threads or files_open() > files) and time.monotonic() < end:
        threading.Event().wait(0.02)
    assert {thread.name for thread in set(threading.enumerate()) - threads} == set()
    assert files_open() <= files


@pytest.fixture
def deaf(monkeypatch):
    """Nothing is found by looking round: only events tell of a change."""
    monkeypatch.setattr(live, "POLL", NEVER)
    monkeypatch.setattr(live, "POLL_WITHOUT_EVENTS", NEVER)


def test_the_first_snapshot_comes_and_then_each_change(running, seat, workspace, deaf):
    running(workspace.root)
    seat.until_status("T-03", "pending")
    seat.until_live()
    workspace.set_status("T-03", "blocked")
    seat.until_status("T-03", "blocked")
    workspace.append(f"{workspace.pool}/STREAM_LOG.md", "2024-04-02T09:00:00Z · T-02 · note\n")
    seat.until(lambda s: s.snapshots[-1].logs[0].entries == 6)
    workspace.write("docs/features/press-cider/04_DEVELOPMENT.md", "# D\n")
    seat.until(lambda s: s.snapshots[-1].pools[0].tasks[1].stage == 4)
    text = workspace.plan.read_text("utf-8")
    workspace.plan.write_text(text.replace("| blocked |", "| skipped |"), "utf-8")
    seat.until_status("T-03", "skipped")
    assert [health.state for health in seat.health] == ["live"]


def test_watching_begins_at_once_when_nobody_asks_to_wait(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "FIRST_FRAME", NEVER)
    running(workspace.root)
    seat.until_live()


def test_held_it_rests_after_the_first_reading_until_it_is_released(running, seat, repository, monkeypatch):
    monkeypatch.setattr(live, "FIRST_FRAME", NEVER)
    made = running(repository.root, held=True)
    seat.until(lambda s: len(s.snapshots) == 1)
    done = threading.Event()
    made.ask(lambda _reader: done.set() or True)
    assert done.wait(PATIENCE), "questions are answered meanwhile"
    assert seat.health == []
    assert seat.snapshots[-1].git is None
    made.release()
    seat.until_live()
    seat.until(lambda s: s.snapshots[-1].git is not None and s.snapshots[-1].git.branch == "main")


def test_held_and_forgotten_it_begins_by_itself(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "FIRST_FRAME", 0.05)
    running(workspace.root, held=True)
    seat.until_live()


def test_what_happens_in_a_folder_that_is_new_is_heard(running, seat, workspace, deaf):
    running(workspace.root)
    seat.until_live()
    plan = workspace.plan.read_text("utf-8")
    workspace.write("docs/batches/later/BATCH_PLAN.md", plan)
    seat.until(lambda s: len(s.snapshots[-1].pools) == 2 and s.snapshots[-1].pools[0].tasks)
    end = time.monotonic() + PATIENCE
    statuses = ["failed", "blocked"]
    while seat.snapshots[-1].pools[0].tasks[2].effective_status == "pending" and time.monotonic() < end:
        workspace.replace(
            "docs/batches/later/BATCH_PLAN.md", plan.replace("| T-02 | pending", f"| T-02 | {statuses[0]}")
        )
        statuses.reverse()
        with seat.news:
            seat.news.wait(0.5)
    assert seat.snapshots[-1].pools[0].tasks[2].effective_status in ("failed", "blocked")


def test_a_pool_that_vanishes_and_comes_back_is_followed(running, seat, workspace):
    running(workspace.root)
    seat.until_live()
    aside = workspace.root / "aside"
    (workspace / "docs/batches").rename(aside)
    seat.until(lambda s: s.snapshots[-1].pools == ())
    aside.rename(workspace / "docs/batches")
    seat.until_status("T-03", "pending")
    workspace.set_status("T-03", "failed")
    seat.until_status("T-03", "failed")


def test_the_whole_workspace_may_go_and_come_back(running, seat, workspace, tmp_path):
    running(workspace.root)
    seat.until_live()
    shutil.copytree(workspace.root, tmp_path / "copy")
    shutil.rmtree(workspace.root)
    seat.until(lambda s: s.snapshots[-1].pools == ())
    (tmp_path / "copy").rename(workspace.root)
    seat.until_status("T-03", "pending")


def test_without_events_it_looks_round_and_says_so(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "POLL", 0.05)
    monkeypatch.setattr(live, "POLL_WITHOUT_EVENTS", 0.05)
    monkeypatch.setattr(Watcher, "arm", lambda self, folders: None)
    monkeypatch.setattr(Watcher, "healthy", lambda self: "inotify limit reached")
    running(workspace.root)
    seat.until(lambda s: s.health and s.health[-1] == Health("polling", "inotify limit reached"))
    workspace.set_status("T-03", "blocked")
    seat.until_status("T-03", "blocked")


def test_changes_that_come_without_events_are_noticed(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "POLL", 0.05)
    monkeypatch.setattr(Watcher, "arm", lambda self, folders: None)
    running(workspace.root)
    seat.until_live()
    for status in ("blocked", "failed", "skipped"):
        workspace.set_status("T-03", status)
        seat.until_status("T-03", status)
    seat.until(lambda s: s.health[-1] == Health("polling", "changes arrive without events"))


def test_a_half_written_plan_is_completed_or_taken_without_further_events(running, seat, workspace, deaf, monkeypatch):
    monkeypatch.setattr(cache, "GRACE", 0.3)
    running(workspace.root)
    seat.until_live()
    whole = workspace.plan.read_bytes()
    workspace.plan.write_bytes(whole[: whole.index(b"| T-03")])
    seat.until(lambda s: any(snapshot.pools[0].stale for snapshot in s.snapshots))
    assert all(len(snapshot.pools[0].tasks) in (2, 5) for snapshot in seat.snapshots)
    seat.until(lambda s: len(s.snapshots[-1].pools[0].tasks) == 2 and not s.snapshots[-1].pools[0].stale)


def test_jobs_run_in_the_thread_of_the_reader_until_they_are_done(running, seat, workspace):
    made = running(workspace.root)
    calls, done = [], threading.Event()

    def job(reader):
        calls.append((threading.current_thread().name, reader.layout.root))
        if len(calls) == 3:
            done.set()
            return True
        return False

    made.ask(job)
    assert done.wait(PATIENCE)
    seat.until_live()
    assert calls == [("harness-tui reader", workspace.root)] * 3


def test_a_job_that_fails_is_told_and_the_rest_goes_on(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "RETRY", 0.01)
    made = running(workspace.root)
    seat.until_live()
    made.ask(lambda _reader: 1 // 0)
    seat.until(lambda s: any(health.state == "stale" and "ZeroDivisionError" in health.why for health in s.health))
    seat.until_live()
    workspace.set_status("T-03", "blocked")
    seat.until_status("T-03", "blocked")


@pytest.mark.parametrize("failures", [1, 3])
def test_a_listener_that_fails_is_told_and_survived(running, seat, workspace, monkeypatch, failures):
    monkeypatch.setattr(live, "RETRY", 0.01)
    seat.fail = failures
    running(workspace.root)
    seat.until(lambda s: s.health and s.health[0].state == "stale")
    assert seat.health[0].why == "RuntimeError: the ␛[31m listener fell"
    seat.until_live()
    seat.until_status("T-03", "pending")


def test_a_first_reading_that_fails_is_told_and_tried_again(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "RETRY", 0.01)
    real, left = live.Reader.read, [2]

    def read(self, *arguments, **options):
        if left[0]:
            left[0] -= 1
            raise OSError("the disk is away")
        return real(self, *arguments, **options)

    monkeypatch.setattr(live.Reader, "read", read)
    running(workspace.root)
    seat.until(lambda s: s.health and s.health[0] == Health("stale", "OSError: the disk is away"))
    seat.until_status("T-03", "pending")
    seat.until_live()


def test_a_later_pass_that_fails_keeps_what_was_heard(running, seat, workspace, monkeypatch, deaf):
    monkeypatch.setattr(live, "RETRY", 0.01)
    running(workspace.root)
    seat.until_live()
    seat.fail = 1
    workspace.set_status("T-03", "blocked")
    seat.until(lambda s: s.fail == 0)
    seat.until_status("T-03", "blocked")
    seat.until_live()


def test_git_is_asked_and_a_commit_is_heard_of(running, seat, repository, monkeypatch):
    monkeypatch.setattr(live, "GIT_EVERY", NEVER)
    running(repository.root)
    seat.until(lambda s: s.snapshots and s.snapshots[-1].git is not None)
    seat.until_live()
    repository.write("new.txt", "x")
    head = repository.commit()
    seat.until(lambda s: s.snapshots[-1].git.head == head)


def test_a_question_to_git_is_answered_and_one_that_fails_harms_no_other(running, seat, repository):
    made = running(repository.root)
    seat.until_live()
    answers, done = [], threading.Event()
    repository.write("new.txt", "x")

    def fail(_found):
        raise RuntimeError("whoever asked is gone")

    made.ask_changed_files(datetime(2001, 1, 1, tzinfo=UTC), fail)
    made.ask_changed_files(datetime(2001, 1, 1, tzinfo=UTC), lambda found: answers.append(found) or done.set())
    assert done.wait(PATIENCE)
    assert "new.txt" in answers[0]


def test_a_refresh_looks_at_everything(running, seat, workspace, monkeypatch, deaf):
    monkeypatch.setattr(Watcher, "arm", lambda self, folders: None)
    made = running(workspace.root)
    seat.until_live()
    workspace.set_status("T-03", "blocked")
    made.refresh()
    seat.until_status("T-03", "blocked")


def test_followers_see_each_reading_before_it_is_published(running, seat, workspace):
    made = running(workspace.root)
    seat.until_live()
    order = []
    leave = made.follow(lambda reader: bool(order.append(len(seat.snapshots))))
    workspace.set_status("T-03", "blocked")
    seat.until_status("T-03", "blocked")
    assert order
    leave()
    leave()
    seen = len(order)
    workspace.set_status("T-03", "failed")
    seat.until_status("T-03", "failed")
    assert len(order) <= seen + 1


def test_a_new_line_of_a_log_is_told_before_anything_is_judged(running, seat, workspace, monkeypatch, deaf):
    made = running(workspace.root)
    seat.until_live()
    name, order, read = f"{workspace.pool}/STREAM_LOG.md", [], Reader.read
    log = workspace.root / name
    monkeypatch.setattr(Reader, "read", lambda self, *args: order.append("judged") or read(self, *args))
    made.follow(lambda reader: bool(order.append(reader.logs.text(str(log)).size)))
    workspace.append(name, "2024-04-02T09:00:00Z · T-02 · note\n")
    size = log.stat().st_size
    seat.until(lambda s: s.snapshots[-1].logs[0].size == size)
    told = order[: order.index("judged")]
    assert told
    assert told[-1] == size


def test_the_beat_tells_of_completed_passes(running, seat, workspace, monkeypatch):
    monkeypatch.setattr(live, "POLL", 0.02)
    made = running(workspace.root)
    seat.until_live()
    before, end = made.beat, time.monotonic() + PATIENCE
    while made.beat == before and time.monotonic() < end:
        threading.Event().wait(0.01)
    assert made.beat > before


@pytest.mark.parametrize("moment", ["unstarted", "at once", "held"])
def test_it_can_be_stopped_at_any_moment(running, seat, workspace, moment):
    if moment == "unstarted":
        Live(workspace.root, seat.publish).stop()
        return
    made = running(workspace.root, held=moment == "held")
    if moment == "held":
        seat.until(lambda s: s.snapshots)
    made.stop()
    made.stop()
    assert not made._thread.is_alive()


def test_it_can_be_stopped_from_within(workspace):
    done = threading.Event()
    made = Live(workspace.root, lambda _snapshot: made.stop() or done.set())
    made.start()
    assert done.wait(PATIENCE)
    made._thread.join(PATIENCE)
    assert not made._thread.is_alive()


def test_a_storm_of_changes_is_read_in_few_passes(running, seat, workspace, deaf):
    running(workspace.root)
    seat.until_live()
    before = len(seat.snapshots)
    for number in range(300):
        workspace.append(f"{workspace.pool}/STREAM_LOG.md", f"2024-04-02T09:00:00Z · T-02 · note {number}\n")
    seat.until(lambda s: s.snapshots[-1].logs[0].entries == 305)
    assert len(seat.snapshots) - before < 60
