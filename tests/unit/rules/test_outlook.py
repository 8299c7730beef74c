"""What an epic does next: the operator first, then the stage, then its tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness_tui.model.decision import Decision
from harness_tui.model.outlook import EpicTask
from harness_tui.rules.outlook import outlook, outlook_words

Q1 = Decision("ep", "P", "Q-1", "Turn it?", (), None, "", "", "open", "packet.json")
Q2 = replace(Q1, question_id="Q-2")
ANSWERED = replace(Q1, state="answered")
TASKS = (
    EpicTask("a", "done"), EpicTask("b", "in_progress"), EpicTask("d", "pending", ("c",)),
    EpicTask("c", "pending", ("a",)), EpicTask("e", "pending", ("b",)), EpicTask("f", "blocked"),
    EpicTask("g", "pending", ("f",)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("stage", "following"),
    [
        ("CLARIFY", "run_clarify"), ("E2E", "run_e2e"), ("FIX", "run_verify"), ("DONE", "complete"),
        ("IDEA", "wait_user"), ("", "wait_user"),
    ],
)  # fmt: skip
def test_without_a_question_the_stage_decides(stage, following):
    assert outlook(stage, [ANSWERED], 2, ()).next_action == following


@pytest.mark.parametrize(("left", "following"), [(1, "wait_user"), (0, "run_spec")])
def test_an_open_question_is_waited_for_while_a_unit_is_left(left, following):
    found = outlook("SPEC", [Q1, ANSWERED], left, TASKS)
    assert (found.next_action, found.waits_for, found.order) == (following, ("Q-1",), ())


def test_tasks_run_in_the_order_of_their_dependencies():
    found = outlook("EXECUTE", [], 1, TASKS)
    assert (found.runnable, found.order, found.blocked) == (("c",), ("c", "d", "e"), ("f",))


def test_with_all_tasks_over_the_next_stage_is_due():
    assert outlook("EXECUTE", [], 1, (EpicTask("a", "done"), EpicTask("b", "cancelled"))).next_action == "run_verify"


def words(stage, before, after, left=1, tasks=TASKS):
    return outlook_words("ep", outlook(stage, before, left, tasks), outlook(stage, after, left, tasks))


def test_words_say_what_the_last_answer_sets_free():
    assert words("EXECUTE", [Q1], [ANSWERED]) == [
        "ep waits for you no more: run_execute comes next", "its tasks then: c → d → e",
        "f stays blocked until somebody lifts that",
    ]  # fmt: skip


def test_words_say_what_is_still_waited_for():
    assert words("SPEC", [Q1, Q2], [Q2], tasks=()) == ["ep still waits for you: Q-2 open"]


def test_words_say_when_nothing_hangs_on_it():
    assert words("SPEC", [Q1], [ANSWERED], 0, ()) == [
        "ep does not wait for it: run_spec comes next, with or without it"
    ]
    stuck = (EpicTask("a", "failed"),)
    assert words("EXECUTE", [Q1], [ANSWERED], tasks=stuck)[1:] == ["none of its tasks can run"]
