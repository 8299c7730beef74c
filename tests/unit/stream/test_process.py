"""One command run to its end, with children that do all they can to outlive it."""

from __future__ import annotations

import os
import sys
import threading
import uuid
from datetime import UTC, datetime

import pytest
from support.processes import living, wait_for

from harness_tui.formats.agent_lines import OutputLine
from harness_tui.stream.workers.process import Limits, run_process
from harness_tui.workspace.raw_runs import RawRun

QUICK = Limits(silence=20.0, total=20.0, grace=0.3)
pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self"), reason="needs /proc")  # noqa: PTH110 - at import


class Listener:
    def __init__(self, until=None):
        self.lines, self.turns, self.said = [], 0, []
        self.until = until

    def line(self, stream, line):
        self.lines.append((stream, line))
        return self.until is not None and self.until in line.data

    def turn(self, now):
        self.turns += 1

    def told(self, text):
        self.said.append(text)

    def texts(self, stream="out"):
        return [line.data.decode() for name, line in self.lines if name == stream]


class Runner:
    """Runs commands whose processes all carry a mark."""

    def __init__(self, root):
        self.root, self.mark = root, f"mark-{uuid.uuid4()}"
        self.cancel, self.born = threading.Event(), []
        self.listener = Listener()

    def __call__(self, *command, limits=QUICK, raw=None, born=None):
        environment = {**os.environ, "MARK": self.mark}
        return run_process(
            command, cwd=self.root, environment=environment, limits=limits, cancel=self.cancel,
            born=born or self.born.append, listener=self.listener, raw=raw,
        )  # fmt: skip

    def shell(self, text, **more):
        return self("sh", "-c", f": {self.mark}; {text}", **more)


@pytest.fixture
def runner(tmp_path):
    found = Runner(tmp_path)
    yield found
    assert living(found.mark) == [], "no process may be left"


def test_both_streams_the_status_the_folder_and_an_empty_input(runner):
    ended = runner.shell("echo out; echo err >&2; pwd; cat; exit 3")
    assert (ended.by, ended.status) == ("itself", 3)
    assert runner.listener.texts() == ["out", str(runner.root)]
    assert runner.listener.texts("err") == ["err"]
    assert len(runner.born) == 1


def test_a_process_group_of_its_own_is_told_before_anything_else(runner):
    runner.shell("ps -o pgid= -o sid= -p $$")
    assert runner.listener.texts()[0].split() == [str(runner.born[0])] * 2


def test_words_are_never_read_by_a_shell(runner):
    runner("printf", "%s\n", "$HOME; echo `id` $(id) && x")
    assert runner.listener.texts() == ["$HOME; echo `id` $(id) && x"]


def test_ten_megabytes_on_both_pipes_and_a_long_line(runner):
    code = "import os,sys\nfor _ in range(160):\n os.write(2,b'e'*65536)\n os.write(1,b'o'*65536)\nprint('\\nend')"
    ended = runner(sys.executable, "-I", "-S", "-c", code, limits=Limits(20.0, 20.0, 0.3, line=1 << 20))
    assert (ended.by, ended.status) == ("itself", 0)
    assert (
        runner.listener.lines[-1] == ("out", OutputLine(b"end")) or ("out", OutputLine(b"end")) in runner.listener.lines
    )
    assert [len(line.data) for _, line in runner.listener.lines if line.cut] == [1 << 20, 1 << 20]


def test_a_last_line_without_its_end_is_told(runner):
    runner.shell("printf 'a\\nb'")
    assert runner.listener.lines == [("out", OutputLine(b"a")), ("out", OutputLine(b"b", torn=True))]


@pytest.mark.parametrize(
    ("command", "why"),
    [(("/no/such/program",), "no such program"), (("/etc/passwd",), "ermission"), (("a\0b",), "null")],
)
def test_what_can_not_be_started_says_why(runner, command, why):
    ended = runner(*command)
    assert (ended.by, ended.status) == ("nothing", None)
    assert why in ended.why


def test_a_cancellation_that_came_first_starts_nothing(runner):
    runner.cancel.set()
    assert runner.shell("echo x").by == "cancel"
    assert runner.born == []


STUBBORN = {
    "a child": ("sleep 300 & sleep 300", 3),
    "one that ignores TERM": ("trap '' TERM; while :; do sleep 300; done", 2),
    "a child in a session of its own": ("setsid sleep 300 & sleep 300", 3),
    "a child that was forked twice": ("(setsid sh -c 'sleep 300 & exec sleep 300' &) ; sleep 300", 4),
    "one that hides its environment": ("env -i setsid sh -c ': MARK; sleep 300; :' & sleep 300", 3),
    "one that is stopped": ("sleep 300 & kill -STOP $$", 2),
}


@pytest.mark.parametrize("name", STUBBORN)
def test_a_cancellation_ends_the_whole_tree(runner, name):
    text, count = STUBBORN[name]

    def cancel_later():
        wait_for(lambda: len(living(runner.mark)) >= count)
        runner.cancel.set()

    threading.Thread(target=cancel_later).start()
    ended = runner.shell(text.replace("MARK", runner.mark))
    assert ended.by == "cancel"
    assert ended.status is not None
    assert ended.status < 0


@pytest.mark.parametrize(
    "text",
    [
        "sleep 300 & echo done",
        "setsid sleep 300 & echo done",
        "(setsid sh -c 'sleep 300 & exec sleep 300' &) ; echo done",
    ],
)
def test_what_a_command_leaves_behind_is_ended_though_it_holds_the_pipes(runner, text):
    ended = runner.shell(text)
    assert (ended.by, ended.status) == ("itself", 0)
    assert ended.left >= 1
    assert runner.listener.texts() == ["done"]


def test_silence_is_limited_and_any_output_breaks_it(runner):
    assert runner.shell("sleep 300", limits=Limits(silence=0.2, total=20.0, grace=0.3)).by == "silence"
    text = "for i in 1 2 3 4 5 6; do echo >&2; sleep 0.05; done"
    assert runner.shell(text, limits=Limits(silence=0.25, total=20.0, grace=0.3)).by == "itself"


def test_the_whole_time_is_limited_whatever_is_written(runner):
    text = "while :; do echo; sleep 0.02; done"
    assert runner.shell(text, limits=Limits(silence=20.0, total=0.3, grace=0.3)).by == "time"


def test_whoever_listens_can_ask_for_the_end(runner):
    runner.listener = Listener(until=b"stop")
    assert runner.shell("echo go; echo stop; sleep 300").by == "stop"
    runner.listener = Listener(until=b"stop")
    assert runner.shell("printf stop").by == "stop", "also by the last words"


def test_an_error_of_whoever_listens_leaves_nothing_behind(runner):
    def fail(_group):
        raise RuntimeError("no lease")

    with pytest.raises(RuntimeError, match="no lease"):
        runner.shell("sleep 300", born=fail)


def test_time_passes_while_nothing_is_written(runner):
    runner.shell("sleep 0.3")
    assert runner.listener.turns >= 3


def test_output_is_kept_as_it_came(runner):
    raw = RawRun(runner.root, "T-01", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "1")
    runner.shell("printf 'a\\r\\nb\\377'; printf e >&2", raw=raw)
    assert raw.path == ".harness/harness-tui/runs/20260102T030405Z-T-01-1"
    assert (runner.root / raw.path / "stdout").read_bytes() == b"a\r\nb\xff"
    assert (runner.root / raw.path / "stderr").read_bytes() == b"e"


def test_no_descriptor_is_left_open(runner, files_open):
    before = files_open()
    for _ in range(3):
        runner.shell("echo x")
    assert files_open() == before
