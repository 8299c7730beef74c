"""The durable counters of a task."""

import json
import subprocess
import sys

import pytest

from harness_tui.formats.task_state import parse_task_state

STATE = {
    "slug": "ramp-curve",
    "mode": "full",
    "stage": 4,
    "rounds": {"3": 1, "4": 3, "5": 2},
    "verdicts": [
        {"stage": 3, "round": 1, "verdict": "APPROVED"},
        {"stage": 5, "round": 2, "verdict": "CHANGES REQUIRED"},
        {"stage": 4, "round": 2, "verdict": "BLOCKED"},
        {"stage": 4, "round": 3, "verdict": "BLOCKED"},
    ],
    "blocked": None,
}


def read(value: object):
    return parse_task_state(json.dumps(value).encode(), ".harness/state/ramp-curve.json")


def test_the_counters_are_read():
    state, problems = read(STATE)
    assert problems == ()
    assert (state.slug, state.mode, state.stage, state.rollbacks, state.streak) == ("ramp-curve", "full", 4, 3, 2)
    assert (state.blocked, state.path) == (None, ".harness/state/ramp-curve.json")


def test_a_blocker_is_kept_and_further_fields_are_ignored():
    state, _ = read(STATE | {"blocked": "which\x1b[2J horn?", "later": 1})
    assert state.blocked == "which␛[2J horn?"


def test_a_fresh_state_has_no_rollbacks():
    state, _ = read({"slug": "a", "mode": "full", "stage": 1, "rounds": {}, "verdicts": [], "blocked": None})
    assert (state.rollbacks, state.streak) == (0, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"stage": 8},
        {"stage": 0},
        {"stage": "4"},
        {"stage": True},
        {"stage": 4.0},
        {"slug": ""},
        {"rounds": {"9": 1}},
        {"rounds": {"4": -1}},
        {"rounds": [1]},
        {"verdicts": [{"stage": 4}]},
        {"blocked": 1},
    ],
)
def test_a_state_of_another_shape_is_refused(change):
    state, (problem,) = read(STATE | change)
    assert state is None
    assert problem.code == "unreadable-task-state"
    assert next(iter(change)) in problem.message


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"stage": 1, "stage": 2}', b"\xff"])
def test_a_damaged_file_is_refused(data):
    state, problems = parse_task_state(data, "x.json")
    assert state is None
    assert len(problems) == 1


def test_importing_the_module_does_not_import_pydantic():
    code = "import sys, harness_tui.formats.task_state as m; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
