"""verify_all before the first task and after each: red keeps a run from starting, or ends it; unknown never passes."""

from __future__ import annotations

import os
import re
import threading

import pytest
from support.runs import Mill, Script

from harness_tui.model.refusal import Refused
from harness_tui.workspace.once import read_workspace

GREEN = "echo '=== Summary ==='; echo '  PASS: 9'; echo '  WARN: 0'; echo '  FAIL: 0'; exit 0\n"
WARN = GREEN.replace("WARN: 0", "WARN: 2").replace("exit 0", "exit 1")
RED = GREEN.replace("FAIL: 0", "FAIL: 2").replace("exit 0", "exit 2")
SILENT = "echo all good; exit 0\n"


def with_script(mill, text, folder=".harness/scripts"):
    path = mill.root / folder / "verify_all.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("folder", [".harness/scripts", "scripts"])
def test_each_task_is_followed_by_the_gate_and_the_run_begins_with_a_baseline(tmp_path, folder):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    with_script(mill, GREEN, folder)
    assert mill.run().code == 0
    gates = [line for line in mill.lines() if "PASS 9 / WARN 0 / FAIL 0, exit 0" in line]
    assert [line.split(" · ")[0] for line in gates] == [
        "baseline verify_all PASS 9 / WARN 0 / FAIL 0, exit 0",
        "T-01",
        "T-02",
    ]
    said = [event.text for event in mill.events if event.kind.startswith("gate")]
    assert said[:2] == ["verify_all (baseline)", "verify_all PASS 9 / WARN 0 / FAIL 0, exit 0"]
    assert said[2::2] == ["verify_all (T-01)", "verify_all (T-02)"]
    assert b"Final verify_all: PASS 9 / WARN 0 / FAIL 0, exit 0" in mill.report.read_bytes()
    assert read_workspace(tmp_path).verify_baseline.verdict == "pass"


@pytest.mark.parametrize("end", [".py", ".ps1"])
def test_a_script_of_another_language_is_run_by_its_program_and_may_print_any_bytes(tmp_path, monkeypatch, end):
    mill = Mill(tmp_path / "w", ("T-01", "", "pending"))
    script = with_script(mill, GREEN).rename(mill.root / f".harness/scripts/verify_all{end}")
    if end == ".py":
        script.write_text("import sys\nsys.stdout.buffer.write(b'\\xff\\nPASS: 9\\nWARN: 0\\nFAIL: 0\\n')\n")
    else:
        shell = tmp_path / "pwsh"
        shell.write_text(f'#!/bin/sh\ntest "$*" = "-NoProfile -File {script}" || exit 2\n' + GREEN)
        shell.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert mill.run().code == 0
    assert mill.worker.ids == ["T-01"]


def test_warnings_alone_go_on(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, WARN)
    assert mill.run().code == 0


@pytest.mark.parametrize("text", [RED, SILENT, "exit 3\n", "kill -9 $$\n", GREEN.replace("exit 0", "exit 2")])
def test_a_tree_that_is_not_green_keeps_the_run_from_starting(tmp_path, text):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, text)
    mill.send("STOP\n")
    with pytest.raises(Refused, match="not green") as refused:
        mill.run()
    _, printed, place = refused.value.why.partition("; its output is in ")
    assert (bool(printed), place.startswith(".harness/harness-tui/runs/")) == ("echo" in text, "echo" in text)
    assert printed or refused.value.why.endswith(("each on a line of its own", "it was killed by signal 9"))
    assert (mill.worker.ids, mill.log.exists(), mill.mail.exists()) == ([], False, True)


def test_a_run_that_is_ended_during_its_baseline_does_not_call_the_tree_red(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, "sleep 60\n")
    cancel = threading.Event()
    with pytest.raises(Refused) as refused:
        mill.run(cancel=cancel, on_event=lambda event: cancel.set() if event.kind == "gate-started" else None)
    assert (refused.value.code, mill.worker.ids) == ("cancelled", [])


def test_a_gate_that_turns_red_is_a_hard_stop(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    path = with_script(mill, GREEN)
    end = mill.run(Script({"T-01": lambda _work, **_: path.write_text(RED) and None}))
    assert (end.state, end.code, mill.worker.ids) == ("hard-stop", 5, ["T-01"])
    stream = read_workspace(tmp_path).stream
    assert stream.state == "stopped"
    assert any("FAIL 2" in cause.text for cause in stream.causes)
    assert b"verify_all FAIL after T-01" in mill.report.read_bytes()


@pytest.mark.parametrize(
    ("says", "row"), [("delivered", "failed"), ("needs-human", "needs-human"), ("failed", "failed")]
)
def test_after_a_red_gate_plan_log_and_report_tell_the_same_of_the_row(tmp_path, says, row):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "T-01", "pending"))
    path = with_script(mill, GREEN)

    def work(_work, **_):
        path.write_text(RED)
        return says

    assert mill.run(Script({"T-01": work})).code == 5
    assert mill.statuses() == {"T-01": row, "T-02": "blocked"}
    first, second = read_workspace(tmp_path).pools[0].tasks
    assert (first.effective_status, first.drift, second.effective_status) == (row, False, "blocked")
    assert f"| T-01 | slug-t-01 | {row.upper()} |".encode() in mill.report.read_bytes()
    assert [event.status for event in mill.events if event.kind == "result"] == [row]
    path.write_text(GREEN)
    assert mill.run().code == 0
    assert mill.worker.ids == ["T-01", "T-02"]


def test_a_gate_that_the_operator_ends_leaves_no_row_open(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    path = with_script(mill, GREEN)
    cancel = threading.Event()

    def ended(event):
        if event.kind == "gate-started" and "T-01" in event.text:
            cancel.set()

    end = mill.run(
        Script({"T-01": lambda _work, **_: path.write_text("sleep 60\n") and None}), cancel=cancel, on_event=ended
    )
    assert (end.state, mill.statuses()["T-01"]) == ("cancelled", "done")
    assert b"| T-01 | slug-t-01 | DELIVERED |" in mill.report.read_bytes()


@pytest.mark.parametrize(
    ("text", "must"),
    [
        (SILENT, "its last lines must be a summary: `PASS: n`, `WARN: n` and `FAIL: n`"),
        (GREEN.replace("exit 0", "exit 3"), "its exit code must be 0"),
        ("kill -9 $$\n", "it was killed by signal 9"),
    ],
)
def test_a_check_that_does_not_say_how_it_went_is_told_what_it_must_say(tmp_path, text, must):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    path = with_script(mill, text)
    with pytest.raises(Refused, match=re.escape(must)):
        mill.run()
    path.write_text(GREEN)
    assert must in mill.run(Script({"T-01": lambda _work, **_: path.write_text(text) and None})).reason


def test_as_many_fails_are_borne_as_the_operator_says(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, RED)
    with pytest.raises(Refused):
        mill.run(tolerate=1)
    assert mill.run(tolerate=2).code == 0
    with_script(mill, "exit 2\n")
    with pytest.raises(Refused):  # nobody knows how many
        mill.run(tolerate=2)


def test_a_gate_that_hangs_is_ended_and_counts_as_unknown(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, "sleep 60 & sleep 60\n")
    with pytest.raises(Refused, match="did not end by itself"):
        mill.run(gate_limit=0.2)


def test_without_the_gate_it_is_never_run(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, RED)
    assert mill.run(gate=False).code == 0
