"""`harness-tui stream` as an operator runs it: real commands as workers, real signals, real exit codes."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest
from support.processes import is_alive
from support.runs import Mill

from harness_tui.workspace.once import read_workspace

AGENT = """\
#!/bin/sh
echo "working on $HARNESS_SLUG"
case "$1" in
  *02) echo "BLOCKED: NEEDS-HUMAN — which colour? — the sample is signed" ;;
  *03) echo FAILED ;;
  *) echo DELIVERED ;;
esac
"""
SLOW = """\
import os, signal, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open("alive", "a") as file:
    file.write(f"{os.getpid()}\\n")
time.sleep(60)
"""


@pytest.fixture
def mill(tmp_path):
    root = tmp_path / "mill"
    (root / ".git").mkdir(parents=True)
    found = Mill(root, ("T-01", "", "pending"), ("T-02", "", "pending"), ("T-03", "", "pending"))
    script(root / "agent.sh", AGENT)
    return found


def script(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_it_drains_says_what_it_asks_last_and_ends_with_1(call, mill):
    answer = call("stream", "mill", "--worker", "./agent.sh {slug}", "--path", mill.root)
    assert (answer.code, answer.err) == (1, "")
    assert mill.statuses() == {"T-01": "done", "T-02": "needs-human", "T-03": "failed"}
    tail = answer.out.split("1 question for you:\n")[1].split("\n")
    assert tail[:2] == ["  T-02 slug-t-02: which colour?", "    unblocks when: the sample is signed"]
    assert "drained" in tail[2]


def test_json_is_one_object_per_event_with_the_end_last(call, mill):
    answer = call("stream", "mill", "--worker", "./agent.sh {slug}", "--json", "--path", mill.root)
    found = [json.loads(line) for line in answer.out.strip().split("\n")]
    kinds = [item["kind"] for item in found]
    assert kinds[0] == "started"
    assert kinds[-2:] == ["ended", "end"]
    assert kinds.count("dispatched") == 3
    assert {"at", "kind", "text", "task_id", "slug", "queue", "elapsed", "doing"} <= found[0].keys()
    assert (found[-1]["code"], found[-1]["tally"]) == (1, {"done": 1, "needs-human": 1, "failed": 1})


def test_a_second_run_with_everything_done_ends_with_0(call, mill):
    script(mill.root / "agent.sh", "#!/bin/sh\necho DELIVERED\n")
    assert call("stream", "mill", "--worker", "./agent.sh", "--path", mill.root).code == 0
    assert call("stream", "mill", "--worker", "./agent.sh", "--path", mill.root).code == 0


def test_stop_is_a_hard_stop(call, mill):
    assert call("stop", "enough", "--path", mill.root).code == 0
    answer = call("stream", "mill", "--worker", "./agent.sh", "--path", mill.root)
    assert answer.code == 5
    assert "hard stop: STOP signal: enough" in answer.out


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        ((), 2, "a worker is needed"), (("--worker", "nosuch-program"), 3, "there is no such program"),
        (("--worker", "'"), 2, "--worker"), (("--worker", "true", "--idle", "1", "--follow"), 2, "not allowed"),
        (("--worker", "true", "--tick", "0"), 2, "no number of seconds"),
        (("--worker", "true", "--epic", "x"), 3, "epic"),
    ],
)  # fmt: skip
def test_what_can_not_be_run_is_said_in_one_line(call, mill, arguments, code, why):
    answer = call("stream", "mill", "--path", mill.root, *arguments)
    assert (answer.code, answer.out) == (code, "")
    assert why in answer.err
    assert answer.err.count("\n") == 1
    assert not mill.log.exists()


def test_a_batch_without_a_pool_is_a_usage_error(call, mill):
    answer = call("stream", "--batch", "--worker", "true", "--path", mill.root)
    assert (answer.code, "a batch needs the name of its pool" in answer.err) == (2, True)


def test_defaults_come_from_the_settings_file_and_the_command_line_wins(call, mill, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "config/harness-tui/settings.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[stream]\nworker = "./agent.sh {slug}"\nlimit = 60\n')
    assert call("stream", "mill", "--path", mill.root).code == 1
    assert mill.statuses()["T-01"] == "done"
    path.write_text('[stream]\nworker = "nosuch-program"\n')
    assert call("stream", "mill", "--worker", "true", "--path", mill.root).code == 1
    path.write_text("[stream]\nsilence = 'long'\n")
    answer = call("stream", "mill", "--path", mill.root)
    assert (answer.code, "silence must be a number" in answer.err) == (4, True)
    path.write_text("[stream\n")
    assert call("stream", "mill", "--path", mill.root).code == 4
    path.unlink()
    os.mkfifo(path)  # which nobody writes to
    assert call("stream", "mill", "--path", mill.root).code == 4


def begin(mill, environment, command, kind="", *more):
    script(mill.root / "slow.py", SLOW)
    worker = f"{sys.executable} slow.py {kind}"
    return subprocess.Popen(
        [*command, "stream", "mill", "--worker", worker, "--path", str(mill.root), *more],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def pid_of_worker(mill):
    """Number of the worker, once it has set it down."""
    path = mill.root / "alive"
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text().split("\n")[-2])
        time.sleep(0.02)
    raise AssertionError("no worker was started")


SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)]


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_signal_ends_the_worker_and_then_the_run(mill, environment, command, number, code, tmp_path):
    config = tmp_path / "home/.config/harness-tui"
    config.mkdir(parents=True)
    run = begin(mill, environment, command)
    pid = pid_of_worker(mill)
    assert read_workspace(mill.root).stream.owner.pid == run.pid
    run.send_signal(number)
    out, err = run.communicate(timeout=30)
    assert (run.returncode, err) == (code, b"")
    assert b"ending the worker" in out
    assert b"1 interrupted, 2 pending" in out
    assert not is_alive(pid)
    assert mill.statuses()["T-01"] == "in-progress"
    stream = read_workspace(mill.root).stream
    how = "was ended by the operator" if number == signal.SIGINT else "was ended by a signal"
    assert (stream.state, stream.why) == ("stopped", f"the log's last run {how}")


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_the_last_event_gives_the_exit_code_of_a_signal(mill, environment, command, number, code):
    run = begin(mill, environment, command, "", "--json")
    pid_of_worker(mill)
    run.send_signal(number)
    out, _ = run.communicate(timeout=30)
    end = json.loads(out.strip().split(b"\n")[-1])
    assert (run.returncode, end["code"], end["state"]) == (code, code, "cancelled")


def test_a_hard_stop_is_told_with_its_blocker_at_the_end_and_in_the_report(call, mill):
    failed = '{"k":"cmd","cmd":"make","exit":2,"out":"error: cold"}'
    script(mill.root / "agent.sh", f"#!/bin/sh\necho '{failed}'\necho '{failed}'\nsleep 60\n")
    answer = call("stream", "mill", "--worker", "./agent.sh", "--path", mill.root)
    assert answer.code == 1
    tail = answer.out.split("3 hard stops for you:\n")[1].split("\n")
    said = "repeated_failure: `make` / error: cold / exit 2; `make` failed 2 times in a row in the same way"
    place = "docs/features/slug-t-01/PLAN.md:3"
    assert tail[0] == f"  T-01 slug-t-01: {said} ({place})"
    assert tail[1].startswith("    unblocks when: a change that makes `make` pass")
    report = mill.report.read_text("utf-8").split("## Tasks")[0]
    assert f"- T-01 `slug-t-01`, raised by hard stop\n  - Ask: {said} ({place})\n" in report
    assert (mill.root / "docs/features/slug-t-01/PLAN.md").read_text("utf-8").split("\n")[2].startswith("## Blocker")
    kinds = [item.kind for item in read_workspace(mill.root).inbox]
    assert kinds.count("blocker") == 3
    assert "clarification" not in kinds, "each is asked once"


def test_a_file_that_can_not_be_written_ends_the_run_with_4_and_a_report(call, mill):
    log = mill.log.relative_to(mill.root)
    script(mill.root / "agent.sh", f"#!/bin/sh\necho $$ >> alive\nrm {log}\nmkdir {log}\necho DELIVERED\n")
    answer = call("stream", "mill", "--worker", "./agent.sh", "--path", mill.root)
    assert answer.code == 4
    assert answer.err == f"harness-tui: the run can't go on: {log}: it is a folder\n"
    assert f"broken off: {log}: it is a folder\n" in answer.out
    assert f"{log}: it is a folder" in mill.report.read_text("utf-8").split("## Stop reason")[1]
    assert (mill.root / "alive").read_text().count("\n") == 1


def test_without_a_report_the_end_says_so(call, mill):
    folder = mill.plan.parent.relative_to(mill.root)
    script(mill.root / "agent.sh", f"#!/bin/sh\nmv {folder} away\nln -s /dev/null {folder}\necho DELIVERED\n")
    answer = call("stream", "mill", "--worker", "./agent.sh", "--json", "--path", mill.root)
    end = json.loads(answer.out.strip().split("\n")[-1])
    assert (answer.code, end["code"], end["state"], end["report"]) == (4, 4, "write-error", "")
    assert str(folder) in end["reason"]
    assert answer.err.count("\n") == 1


def test_after_kill_9_the_worker_is_ended_before_the_row_is_dispatched_once_more(mill, environment, command, call):
    run = begin(mill, environment, command, "stubborn")
    pid = pid_of_worker(mill)
    run.kill()
    run.communicate(timeout=30)
    assert is_alive(pid)
    assert read_workspace(mill.root).stream.state == "interrupted"
    script(mill.root / "check.sh", f"#!/bin/sh\ngrep '^State:[^Z]*$' /proc/{pid}/status || echo DELIVERED\n")
    answer = call("stream", "mill", "--worker", "./check.sh", "--path", mill.root)
    assert "was still alive and was ended" in answer.out
    assert (answer.code, mill.statuses()["T-01"]) == (0, "done")
    assert mill.log.read_text("utf-8").count("T-01 · dispatching") == 2


FLEES = """\
import os, sys, time
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
os.execve(sys.executable, [sys.executable, "-c", {program!r}], {{}})
"""
STAYS = "import os, time; open('fled', 'w').write(str(os.getpid())); time.sleep(300)"
ENDS = "import os; open('fled', 'w').write(str(os.getpid()))"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted on Linux")
@pytest.mark.parametrize("program", [STAYS, ENDS])
def test_an_orphan_that_cleared_its_environment_and_left_its_session_is_ended_and_reaped(
    mill, environment, command, program
):
    """It is gone when the second task looks, while the run goes on: neither alive nor a zombie."""
    (mill.root / "flee.py").write_text(FLEES.format(program=program))
    script(
        mill.root / "agent.sh",
        "#!/bin/sh\n"
        'if [ "$1" = slug-t-01 ]; then\n'
        f"  {sys.executable} flee.py; while [ ! -s fled ]; do sleep 0.01; done\n"
        "elif [ -e /proc/$(cat fled) ]; then echo FAILED; exit 0; fi\n"
        "echo DELIVERED\n",
    )
    words = [*command, "stream", "mill", "--worker", "./agent.sh {slug}", "--path", str(mill.root)]
    run = subprocess.run(words, env=environment, capture_output=True, timeout=60, check=False)
    assert (run.returncode, mill.statuses()["T-02"]) == (0, "done"), run.stdout.decode()


def test_a_second_run_says_who_holds_the_lease(mill, environment, command, call):
    run = begin(mill, environment, command)
    try:
        pid_of_worker(mill)
        answer = call("stream", "mill", "--worker", "true", "--path", mill.root)
        assert (answer.code, answer.out) == (1, "")
        assert f"process {run.pid} on" in answer.err
    finally:
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=30)


def test_a_signal_while_the_tree_is_checked_begins_no_run(mill, environment, command):
    scripts = mill.root / "scripts"
    scripts.mkdir()
    (scripts / "verify_all.sh").write_text("echo $$ >> alive\nsleep 60\n")
    run = begin(mill, environment, command)
    pid = pid_of_worker(mill)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=30)
    assert (run.returncode, err) == (130, b"")
    assert not is_alive(pid)
    assert not mill.log.exists()


def test_on_a_terminal_a_live_line_says_what_is_done(mill, environment, command):
    script(mill.root / "agent.sh", "#!/bin/sh\necho reading the manual\nsleep 0.4\necho DELIVERED\n")
    ours, theirs = os.openpty()
    run = subprocess.Popen(
        [*command, "stream", "mill", "--worker", "./agent.sh", "--path", str(mill.root)],
        env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    text = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        try:
            while chunk := terminal.read(4096):
                text += chunk
        except OSError:  # the other end was closed
            pass
    assert run.wait(30) == 0
    lines = text.decode().split("\r\x1b[K")
    assert any("T-01 slug-t-01 · reading the manual · 00:00 · 1 in-progress, 2 pending" in line for line in lines)
    assert text.decode().endswith("mill: 3 done · report: docs/batches/mill/STREAM_REPORT.md\r\n")


def test_an_output_that_is_a_file_is_begun_anew_at_its_limit(mill, environment, command):
    script(mill.root / "agent.sh", "#!/bin/sh\necho DELIVERED\n")
    words = [*command, "stream", "mill", "--worker", "./agent.sh", "--output-limit", "150", "--path", str(mill.root)]
    with (mill.root / "out").open("wb") as out:
        run = subprocess.run(words, env=environment, stdout=out, check=False)
    text = (mill.root / "out").read_text("utf-8")
    assert run.returncode == 0
    assert text.endswith("mill: 3 done · report: docs/batches/mill/STREAM_REPORT.md\n")
    assert text.startswith("… ")
    assert len(text.encode()) < 400
    assert "draining" not in text


def test_status_says_who_runs_it_and_what_the_worker_is_at(mill, environment, command, call):
    script(mill.root / "agent.sh", "#!/bin/sh\necho turning the stone\necho $$ >> alive\nexec sleep 60\n")
    words = [*command, "stream", "mill", "--worker", "./agent.sh", "--path", str(mill.root)]
    run = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    try:
        pid_of_worker(mill)
        deadline = time.monotonic() + 20
        while "worker: turning the stone" not in (text := call("status", mill.root).out):
            assert time.monotonic() < deadline, text
        assert f"run by process {run.pid} on {os.uname().nodename}" in text
    finally:
        run.send_signal(signal.SIGINT)
        run.wait(30)
