"""The history of verify_all."""

import json
from datetime import UTC, datetime

import pytest

from harness_tui.formats.verify import KEPT_RUNS, parse_history, run_from_text


def history(*records: object, end: str = "\n"):
    text = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in records) + end
    return parse_history(text.encode(), "v.log")


@pytest.mark.parametrize(
    ("record", "verdict", "code"),
    [
        ({"pass": 32, "warn": 0, "fail": 0}, "pass", 0),
        ({"pass": 31, "warn": 1, "fail": 0}, "soft-fail", 1),
        ({"pass": 30, "warn": 1, "fail": 1, "skip": 2}, "hard-fail", 2),
        ({"fail": 1}, "hard-fail", 2),
        ({"pass": 32}, "unknown", None),
        ({"pass": 0, "warn": 0, "fail": 0}, "unknown", None),
        ({}, "unknown", None),
        ({"pass": True, "warn": 0, "fail": 0}, "unknown", None),
        ({"pass": 32, "warn": 0, "fail": 0.0}, "unknown", None),
        ({"pass": 32, "warn": -1, "fail": 0}, "unknown", None),
        ({"pass": "32", "warn": 0, "fail": 0}, "unknown", None),
    ],
)
def test_counts_give_the_verdict(record, verdict, code):
    ((run,), _) = history(record)
    assert (run.verdict, run.exit, run.line) == (verdict, code, 1)


def test_a_count_that_is_no_number_is_told():
    ((run,), (problem,)) = history({"pass": 32, "warn": True, "fail": 0})
    assert (run.passed, run.warned) == (32, None)
    assert (problem.code, problem.line) == ("damaged-verify-run", 1)
    assert "warn" in problem.message


def test_times_need_a_zone():
    good, naive, bad = (
        {"pass": 1, "warn": 0, "fail": 0, "timestamp": t} for t in ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05", 7)
    )
    runs, _ = history(good, naive, bad)
    assert [run.at for run in runs] == [datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), None, None]


@pytest.mark.parametrize("line", ['{"pass": 32, "pass": 31, "warn": 0, "fail": 0}', "[1]", "PASS 32", '{"pass": NaN}'])
def test_a_damaged_line_is_a_run_that_is_unknown(line):
    (runs, problems) = history({"pass": 1, "warn": 0, "fail": 0}, line, {"pass": 2, "warn": 0, "fail": 0})
    assert [run.verdict for run in runs] == ["pass", "unknown", "pass"]
    assert [problem.line for problem in problems] == [2]


def test_a_half_written_last_line_is_held_back():
    runs, problems = history({"pass": 1, "warn": 0, "fail": 0}, '{"pass": 3', end="")
    assert ([run.passed for run in runs], problems) == ([1], ())


def test_a_whole_last_line_without_its_end_counts():
    runs, _ = history({"pass": 1, "warn": 0, "fail": 0}, end="")
    assert [run.passed for run in runs] == [1]


def test_the_newest_runs_are_kept_with_their_lines():
    runs, _ = history(*({"pass": n + 1, "warn": 0, "fail": 0} for n in range(KEPT_RUNS + 5)))
    assert (len(runs), runs[0].line, runs[0].passed, runs[-1].passed) == (KEPT_RUNS, 6, 6, KEPT_RUNS + 5)


def test_no_history_is_no_run():
    assert parse_history(b"", "v.log") == ((), ())


def test_a_gate_line_gives_a_run():
    at = datetime(2026, 1, 2, tzinfo=UTC)
    run = run_from_text("T-01 regression gate: PASS 31 / WARN 0 / FAIL 1", "L.md", 9, at)
    assert (run.verdict, run.passed, run.failed, run.exit, run.at, run.line) == ("hard-fail", 31, 1, 2, at, 9)
    assert run_from_text("verify_all 32/0/0", "L.md", 9, None).verdict == "pass"
    assert run_from_text("nothing was run", "L.md", 9, None) is None


def test_a_word_alone_is_no_pass_but_may_be_a_failure():
    assert run_from_text("verify_all: FAIL", "L.md", 1, None).verdict == "hard-fail"
    assert run_from_text("verify_all: PASS", "L.md", 1, None).verdict == "unknown"
