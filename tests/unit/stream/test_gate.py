"""verify_all before the first task and after each: red keeps a run from starting, or ends it; unknown never passes."""

from __future__ import annotations

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
    assert b"Final verify_all: PASS 9 / WARN 0 / FAIL 0, exit 0" in mill.report.read_bytes()
    assert read_workspace(tmp_path).verify_baseline.verdict == "pass"


def test_warnings_alone_go_on(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, WARN)
    assert mill.run().code == 0


@pytest.mark.parametrize("text", [RED, SILENT, "exit 3\n", "kill -9 $$\n", GREEN.replace("exit 0", "exit 2")])
def test_a_tree_that_is_not_green_keeps_the_run_from_starting(tmp_path, text):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, text)
    mill.send("STOP\n")
    with pytest.raises(Refused, match="not green"):
        mill.run()
    assert (mill.worker.ids, mill.log.exists(), mill.mail.exists()) == ([], False, True)


def test_a_gate_that_turns_red_is_a_hard_stop(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    path = with_script(mill, GREEN)
    end = mill.run(Script({"T-01": lambda _work, **_: path.write_text(RED)}))
    assert (end.state, end.code, mill.worker.ids) == ("hard-stop", 5, ["T-01"])
    stream = read_workspace(tmp_path).stream
    assert stream.state == "stopped"
    assert any("FAIL 2" in cause.text for cause in stream.causes)
    assert b"verify_all FAIL after T-01" in mill.report.read_bytes()


def test_as_many_fails_are_borne_as_the_operator_says(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, RED)
    with pytest.raises(Refused):
        mill.run(tolerate=1)
    assert mill.run(tolerate=2).code == 0


def test_a_gate_that_hangs_is_ended_and_counts_as_unknown(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, "sleep 60 & sleep 60\n")
    with pytest.raises(Refused, match="did not end by itself"):
        mill.run(gate_limit=0.2)


def test_without_the_gate_it_is_never_run(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    with_script(mill, RED)
    assert mill.run(gate=False).code == 0
