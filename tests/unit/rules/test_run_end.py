from __future__ import annotations

import pytest
from support.build import LOG, REPORT, ago, entry, log_of_entries

from harness_tui.model.pool import PoolReport
from harness_tui.rules.run_end import run_end, says_stop


@pytest.mark.parametrize(
    "text",
    [
        "STREAM EXIT: hard stop",
        "STREAM EXIT — Hard-stop after T-04",
        "STREAM EXIT: hard stop (verify_all FAIL=2)",
        "batch end · stopped by the operator",
        "STREAM EXIT: STOP taken from the intervention file",
        "STREAM EXIT · 3 failed, 0 blocked, hard stop",
        "STREAM EXIT · not drained: hard stop",
        "STREAM EXIT: the guard saw a destructive command and it was blocked",
        "batch end · stop reason: gate went red",
        "batch end · stop reason: none · hard stop",
        "STREAM EXIT: verify_all FAIL",
        "STREAM EXIT: verify_all 30/0/2",
    ],
)
def test_exit_lines_that_tell_of_a_stop(text):
    assert says_stop(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "STREAM EXIT: normal — drained. No hard stop fired.",
        "STREAM EXIT: pool drained, no hard stop",
        "STREAM EXIT · without a hard stop",
        "STREAM EXIT · hard stop: none",
        "STREAM EXIT · hard stops 0",
        "STREAM EXIT · no STOP signal was found",
        "batch end · stop reason: none",
        "batch end · stop reason: 计划完成",
        "batch end · 停批原因：无",
        "batch end · stop reason: (clean completion)",
    ],
)
def test_exit_lines_that_deny_a_stop(text):
    assert says_stop(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "STREAM EXIT",
        "STREAM EXIT · report written",
        "batch complete · final verify_all PASS 32/0/0",
        "batch end · verify_all FAIL=0, PASS=12",
        "batch end · verify_all PASS 9 / WARN 1 / FAIL 0",
        "batch end · 0 FAIL · 2 failed rows",
        "batch end · nothing destructive was tried",
    ],
)
def test_exit_lines_that_say_nothing_about_a_stop(text):
    assert says_stop(text) is None


def test_a_run_that_told_no_end_has_none():
    assert run_end(None) is None
    assert run_end(log_of_entries()) is None
    assert run_end(log_of_entries(entry(1, "dispatch", "T-01"), entry(2, "delivered", "T-01"))) is None


def test_what_was_started_since_has_not_ended():
    ended = [entry(1, "dispatch", "T-01"), entry(2, "stop", text="STOP")]
    assert run_end(log_of_entries(*ended)).stopped
    assert run_end(log_of_entries(*ended, entry(3, "dispatch", "T-02"))) is None
    assert run_end(log_of_entries(*ended, entry(3, "run", text="## Second run"))) is None


def test_a_stop_is_told_down_to_the_gate_that_caused_it():
    log = log_of_entries(
        entry(1, "dispatch", "T-02"), entry(3, "regression-gate", "T-02", text="verify_all FAIL (3 checks)"),
        entry(6, "exit", text="STREAM EXIT: hard stop", at=ago(hours=1)),
    )  # fmt: skip
    end = run_end(log)
    assert (end.stopped, end.entry.line) == (True, 6)
    assert [(cause.path, cause.line) for cause in end.causes] == [(LOG, 6), (LOG, 6), (LOG, 3)]
    assert end.causes[1].text == "STREAM EXIT: hard stop"


@pytest.mark.parametrize(
    ("exit_text", "words"),
    [
        ("STREAM EXIT · hard stop · stop reason: verify_all FAIL after T-02", "ended with a hard stop"),
        ("STREAM EXIT · hard stop · stop reason: STOP signal: enough", "was stopped by a STOP signal"),
        ("STREAM EXIT · stopped · stop reason: the run was ended by the operator", "was ended by the operator"),
        ("STREAM EXIT · stopped · stop reason: the run was ended by SIGTERM", "was ended by a signal"),
        ("STREAM EXIT · stopped · stop reason: interrupted", "was interrupted"),
        ("batch end · stopped · stop reason: PM_LOG.md: no space left on device", "was stopped"),
    ],
)
def test_a_stop_is_called_what_the_log_calls_it(exit_text, words):
    end = run_end(log_of_entries(entry(1, "dispatch", "T-02"), entry(3, "exit", text=exit_text)))
    assert end.stopped
    assert end.causes[0].text == f"the log's last run {words}"


@pytest.mark.parametrize(
    ("gate", "exit_text"),
    [
        ("verify_all PASS 31 / FAIL 0", "STREAM EXIT: hard stop"),
        ("verify_all 31/0/0 PASS", "STREAM EXIT: hard stop"),
        ("verify_all FAIL 2 (tolerated)", "STREAM EXIT: STOP signal from the operator"),
    ],
)
def test_a_gate_that_did_not_cause_the_stop_is_not_blamed(gate, exit_text):
    log = log_of_entries(
        entry(1, "dispatch", "T-02"), entry(2, "regression-gate", text=gate), entry(3, "exit", text=exit_text)
    )
    assert run_end(log).causes[-1].line == 3


def test_a_red_gate_of_an_earlier_task_is_not_blamed():
    log = log_of_entries(
        entry(1, "regression-gate", text="verify_all FAIL 1"), entry(2, "dispatch", "T-02"),
        entry(3, "exit", text="STREAM EXIT: hard stop"),
    )  # fmt: skip
    assert run_end(log).causes[-1].line == 3


def test_a_stop_inside_a_task_ends_the_run():
    log = log_of_entries(entry(1, "dispatch", "T-04"), entry(2, "stop", "T-04", text="T-04 HARD STOP: rm was blocked"))
    end = run_end(log)
    assert end.stopped
    assert end.causes[-1].text == "T-04 HARD STOP: rm was blocked"


def test_an_exit_after_a_stop_does_not_hide_it():
    log = log_of_entries(
        entry(1, "dispatch", "T-04"), entry(2, "stop", "T-04", text="HARD STOP"), entry(3, "exit", text="STREAM EXIT")
    )
    end = run_end(log)
    assert (end.stopped, end.entry.line, end.causes[-1].line) == (True, 3, 2)


def test_the_report_is_asked_where_the_exit_is_silent():
    told = PoolReport(REPORT, stop_reason="the gate went red")
    silent = log_of_entries(entry(1, "exit", text="STREAM EXIT · report written"))
    end = run_end(silent, told)
    assert end.stopped
    assert (end.causes[-1].text, end.causes[-1].path) == ("the gate went red", REPORT)
    assert not run_end(silent, PoolReport(REPORT)).stopped
    assert not run_end(silent).stopped
    denied = log_of_entries(entry(1, "exit", text="STREAM EXIT: drained, no hard stop"))
    assert not run_end(denied, told).stopped
