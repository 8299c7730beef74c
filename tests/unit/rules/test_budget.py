"""What a budget allows."""

import pytest

from harness_tui.model.budget import Numbers, Spend
from harness_tui.model.epic import EpicRecord, EpicState
from harness_tui.rules.budget import (
    budget_of,
    budget_problems,
    checked,
    judge,
    stage_limits,
)  # fmt: skip

PATH = ".harness/features/sh-4-mend-the-pump/state.json"


def budget(numbers: Numbers, risk: str = "medium", **more):
    state = EpicState(PATH, stage="SPEC", risk_level=risk, numbers=numbers)
    return budget_of("sh-4-mend-the-pump", PATH, state, **more)


def codes(*args, **more) -> list[str]:
    return [problem.code for problem in budget_problems(budget(*args, **more))]


@pytest.mark.parametrize(
    ("numbers", "left", "consistent", "state"),
    [
        (Numbers(2, 0, 2), 2, True, "ok"),
        (Numbers(3, 1), 2, True, "ok"),
        (Numbers(2, 2, 0), 0, True, "exhausted"),
        (Numbers(0, 0, 0), 0, True, "exhausted"),
        (Numbers(2, 2), 0, True, "exhausted"),
        (Numbers(2, 2, 2), 0, False, "inconsistent"),
        (Numbers(3, 2, 0), 0, False, "inconsistent"),
        (Numbers(3, 1, 1), 1, False, "inconsistent"),
        (Numbers(2, 0, 9), 2, False, "inconsistent"),
        (Numbers(2, 3, -1), 0, False, "inconsistent"),
        (Numbers(2, 3), 0, False, "inconsistent"),
        (Numbers(2, 1, -1), 0, False, "inconsistent"),
        (Numbers(2, None, 2), 0, False, "unreadable"),
        (Numbers(None, 0, 2), 0, False, "unreadable"),
        (Numbers(None, None, 1), 0, False, "unreadable"),
        (Numbers(), 0, False, "unreadable"),
        (Numbers(2, 0, 2, damage="total is odd"), 0, False, "unreadable"),
    ],
)
def test_the_smaller_number_counts_and_an_unreadable_one_is_nothing(numbers, left, consistent, state):
    found = judge(numbers)
    assert found[:3] == (left, consistent, state)
    assert found.why


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        (Numbers(2, 0, 2), (2, 0, 2)),
        (Numbers(3, 1), (3, 1, 2)),
        (Numbers(2, 2, 1), (2, 2, 0)),
        (Numbers(2, 3, -1), (2, 3, -1)),
        (Numbers(2, 1, -1), (2, 1, -1)),
        (Numbers(), (0, 0, 0)),
        (Numbers(None, None, 1), (0, 0, 0)),
        (Numbers(2), None),
        (Numbers(2, 0, damage="x"), None),
    ],
)
def test_a_check_tells_the_smaller_rest_and_0_of_0_for_nothing(numbers, told):
    assert checked(numbers) == told


def test_stages_show_what_was_spent_in_them():
    limits = stage_limits("high", (Spend(None, "CLARIFY", "a"), Spend(None, "CLARIFY", "b"), Spend(None, "E2E", "c")))
    assert [(limit.stage, limit.least, limit.most, limit.spent) for limit in limits] == [
        ("CLARIFY", 1, 2, 2),
        ("SPEC", 1, 1, 0),
        ("PLAN", 0, 1, 0),
        ("EXECUTE", 0, 0, 0),
        ("E2E", None, None, 1),
    ]
    assert stage_limits("odd", ()) == ()


def test_a_budget_says_where_its_total_comes_from():
    assert budget(Numbers(2, 0, 2)).total_source == "risk"
    assert budget(Numbers(2, 0, 2), "low", configured=2).total_source == "config"
    assert budget(Numbers(3, 0, 3), configured=2).total_source == "state"
    assert budget(Numbers()).total_source == ""


def test_an_epic_without_state_has_nothing_left():
    found = budget_of("e", PATH, None, EpicRecord("e.json", "Pump", "high", "PLAN"))
    assert (found.state, found.left, found.title, found.risk_level, found.stage) == (
        "unreadable",
        0,
        "Pump",
        "high",
        "PLAN",
    )
    assert found.why == "there is no state.json"


def test_a_damaged_state_gives_its_reason():
    found = budget_of("e", PATH, EpicState(PATH, unreadable="the file is empty"))
    assert (found.state, found.left, found.total) == ("unreadable", 0, None)
    assert "the file is empty" in found.why


def test_another_risk_in_the_epics_own_file_is_shown_and_changes_nothing():
    found = budget(Numbers(3, 1, 2), "low", record=EpicRecord("e.json", "Pump", "high"))
    assert (found.risk_level, found.epic_risk, found.total, found.left) == ("low", "high", 3, 2)
    assert [problem.code for problem in budget_problems(found)] == ["risk-total-mismatch", "risk-differs"]
    assert budget(Numbers(2, 0, 2), record=EpicRecord("e.json", "", "medium")).epic_risk == ""


def test_odd_budgets_are_named():
    assert codes(Numbers(2, 0, 2)) == []
    assert codes(Numbers(2, 2, 1)) == ["budget-mismatch"]
    assert codes(Numbers(2, 3, -1)) == ["budget-overrun"]
    assert codes(Numbers(2, 1, old_shape=True)) == ["legacy-budget-shape"]
    assert codes(Numbers(2, 0, 2), "low", configured=2) == []
    assert codes(Numbers(2, 0, 2, history=(Spend(None, "SPEC", "a"),))) == ["budget-history"]


def test_a_last_good_reading_says_so():
    found = budget(Numbers(2, 1, 1), stale=True)
    assert (found.stale, found.left) == (True, 1)
    assert "last good reading" in found.why
