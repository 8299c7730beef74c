"""Answers, spent units, unlock signals and guards that write survive kill -9, broken disks and each other."""

from collections import Counter

import pytest
from support import epic_tree as tree
from support.children import run

SCENARIOS = (
    "choice", "free", "defer", "defaults", "second", "packet-alone", "exhausted", "old-shape", "consume",
    "unlock", "unlock-parts", "checkpoint", "normalize",
)  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_killed_at_any_call_every_file_is_whole_and_the_same_again_completes_it(tmp_path, scenario):
    assert run("support.crash_epics", "kill", scenario, tmp_path)["points"] > 40


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_any_call_that_fails_is_told_and_leaves_every_file_whole(tmp_path, scenario):
    assert run("support.crash_epics", "break", scenario, tmp_path)["points"] > 40


def test_forty_that_spend_at_once_spend_forty(tmp_path):
    tree.epic(tmp_path, state=tree.state(100))
    told = run("support.crowd", "consume", tmp_path, 40)
    assert sorted(told) == sorted(f"{left} left" for left in range(60, 100))
    assert (tree.budget(tmp_path)["consumed"], tree.budget(tmp_path)["remaining"]) == (40, 60)
    assert len(tree.budget(tmp_path)["history"]) == 40


def test_more_that_spend_than_there_is_are_refused(tmp_path):
    tree.epic(tmp_path, state=tree.state(3))
    told = Counter(line.partition(" ")[0] for line in run("support.crowd", "consume", tmp_path, 12))
    assert told == {"0": 1, "1": 1, "2": 1, "refused:": 9}
    assert tree.budget(tmp_path)["consumed"] == 3


def test_of_two_operators_one_wins_and_the_other_is_told(tmp_path):
    tree.epic(tmp_path)
    told = run("support.crowd", "answer", tmp_path, 2)
    (winner,) = {"A", "B"} & set(told)
    (refusal,) = (line for line in told if line.startswith("refused"))
    recorded = tree.decisions(tmp_path)["Q-1"]["resolution"]
    assert recorded == {"A": "A: turn it", "B": "B: leave it"}[winner]
    assert refusal == f"refused: already-answered: somebody answered first: {recorded}"
    assert tree.budget(tmp_path)["consumed"] == 1


def test_a_crowd_with_two_opinions_records_one_answer_once(tmp_path):
    tree.epic(tmp_path)
    told = Counter(line.partition(":")[0] for line in run("support.crowd", "answer", tmp_path, 20))
    assert told["refused"] == 10
    assert tree.budget(tmp_path)["consumed"] == 1
    assert len(tree.events(tmp_path)) == 2
