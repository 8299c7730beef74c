"""Verdicts over what the readers found: budget, gate, lock, packet, pipeline, intervention."""

import pytest

from harness_tui.model.budget import Budget
from harness_tui.model.decision import Decision
from harness_tui.model.gap import Gap
from harness_tui.model.gates import EvidenceItems, WorktrackAxes, WorktrackGate
from harness_tui.model.handback import Handback
from harness_tui.model.inconsistency import Inconsistency
from harness_tui.model.intervention import Interventions, Signal
from harness_tui.rules.guards import budget, gate, intervention, lock, packet, pipeline


def epic(name, left, *, consistent=True, state="ok"):
    return Budget(name, f"{name}/state.json", "low", "SPEC", 3, 3 - left, left, left, consistent, state, "counted")


def test_the_budget_with_least_left_comes_first_and_one_that_is_not_ok_says_no():
    found = budget.judge([epic("hay", 2), epic("rye", 1), epic("oats", 1, consistent=False, state="inconsistent")])
    assert not found.go
    oats, rye, hay = found.document.pop("epics")
    assert found.document == oats == {
        "epic_id": "oats", "total": 3, "consumed": 2, "remaining": 1, "left": 1, "consistent": False,
        "state": "inconsistent", "why": "counted", "path": "oats/state.json",
    }  # fmt: skip
    assert [rye["epic_id"], hay["epic_id"]] == ["rye", "hay"]
    assert budget.judge([epic("hay", 2), epic("rye", 1)]).go


def worktrack(name, verdict, missing=()):
    return WorktrackGate(
        name, f"{name}/gate.md", verdict, f"it says {verdict}", WorktrackAxes("pass", "soft-fail", "blocked"),
        EvidenceItems(), override="by hand", line=7, missing_axes=missing,
    )  # fmt: skip


def test_a_pass_without_all_axes_is_no_go_and_every_word_of_the_gate_is_told():
    found = gate.judge([worktrack("WT-1", "pass", ("policy",))])
    assert not found.go
    assert found.document == {
        "verdict": "pass", "axes": {"implementation": "pass", "validation": "soft-fail", "policy": "blocked"},
        "missing": ["policy"], "worktrack": "WT-1", "text": "it says pass", "override": "by hand",
        "path": "WT-1/gate.md", "line": 7,
    }  # fmt: skip
    assert gate.judge([worktrack("WT-1", "pass")]).go


@pytest.mark.parametrize(
    ("better", "worse"),
    [("hard-fail", "blocked"), ("unknown", "hard-fail"), ("soft-fail", "unknown"), ("pass", "soft-fail")],
)
def test_of_several_gates_the_worst_counts(better, worse):
    for gates in ([better, worse], [worse, better]):
        found = gate.judge([worktrack(verdict, verdict) for verdict in gates])
        assert (found.document["verdict"], found.go) == (worse, False)


def test_of_two_passes_the_one_without_all_axes_counts():
    assert gate.judge([worktrack("WT-1", "pass"), worktrack("WT-2", "pass", ("policy",))]).document["missing"]


@pytest.mark.parametrize("locked", [True, False, None])
def test_only_a_lock_that_is_plainly_open_lets_go(locked):
    handback = Handback(
        "control.md", locked, "none", 0, 2, None, None, unlock_valid=False, gaps=(Gap("handoff_state", 4, "two"),),
        unlock_why="a repeat", line=3,
    )  # fmt: skip
    found = lock.judge(handback)
    assert found.go is (locked is False)
    assert found.document == {
        "locked": locked, "unlock_valid": False, "unlock_why": "a repeat",
        "gaps": [{"key": "handoff_state", "line": 4, "why": "two"}], "path": "control.md", "line": 3,
    }  # fmt: skip


def question(name, state):
    return Decision("hay", "DP-1", name, "Turn it?", ("yes",), None, "", "low", state, "hay/packet.json")


def test_open_questions_and_packets_that_nobody_can_read_say_no():
    found = packet.judge([question("Q-1", "answered"), question("Q-2", "open")], [("rye", "cut"), ("oats", "gone")])
    assert not found.go
    assert (found.document["open"], found.document["error"]) == (1, "rye: cut; oats: gone")
    assert found.document["questions"][1] == {
        "epic_id": "hay", "packet_id": "DP-1", "question_id": "Q-2", "question": "Turn it?", "state": "open",
        "path": "hay/packet.json",
    }  # fmt: skip
    assert not packet.judge([question("Q-2", "open")]).go
    assert not packet.judge([], [("rye", "cut")]).go
    assert packet.judge([question("Q-1", "answered"), question("Q-3", "deferred")]).go


def differs(severity, recovery):
    return Inconsistency("control.md", 5, severity, "two-active", "they differ", recovery, ("a.md", "b.md"))


def test_what_disagrees_says_no_and_a_remark_does_not():
    found = pipeline.judge(
        differs(*words)
        for words in [("info", "repair-binding"), ("error", "reconcile-active"), ("warning", "reconcile-active")]
    )
    assert not found.go
    assert (found.document["consistent"], found.document["recoveries"]) == (False, ["reconcile-active"])
    assert found.document["findings"][1] == {
        "recovery": "reconcile-active", "code": "two-active", "severity": "error", "message": "they differ",
        "files": ["a.md", "b.md"], "path": "control.md", "line": 5,
    }  # fmt: skip
    remark = pipeline.judge([differs("info", "repair-binding")])
    assert remark.go
    assert (remark.document["consistent"], remark.document["recoveries"]) == (True, [])


def test_each_signal_is_told_and_a_file_that_says_nothing_is_no_go_either():
    signals = (Signal("", "", "hurry", 3, "unclear"), Signal("ADD", "mow-hay", "Mow.", 5, "waiting"))
    found = intervention.judge(Interventions(present=True, signals=signals, safest="STOP"))
    assert not found.go
    assert found.document == {
        "kind": None, "count": 2, "safest": "STOP", "path": ".harness/intervention.md",
        "signals": [
            {"keyword": "", "argument": "", "state": "unclear", "line": 3},
            {"keyword": "ADD", "argument": "mow-hay", "state": "waiting", "line": 5},
        ],
    }  # fmt: skip
    assert not intervention.judge(Interventions(present=True)).go
    assert not intervention.judge(Interventions(), unreadable=True).go
    assert intervention.judge(Interventions()).go
