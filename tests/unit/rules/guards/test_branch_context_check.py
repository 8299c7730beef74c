"""Which branch is right for which function."""

import pytest

from harness_tui.rules.guards.branch_context_check import FUNCTIONS, SCOPES, judge

STATE = "## Branches\n\n- baseline_branch: trunk\n- active_milestone_branch: ms/MS-8\n"
PLAIN = "- baseline_branch: trunk\n- active_milestone_branch: none\n"
CONTRACT = "- worktrack_branch: wt/WT-3\n- closeout_target_ref: ms/MS-8\n"
OPEN_CONTRACT = "- worktrack_branch: wt/WT-3\n- closeout_target_ref:\n"
REPO, WORKTRACK = SCOPES


def ask(branch, scope, function, *, control=STATE, contract=CONTRACT, origin="", worktrack_id=None):
    return judge(
        control, contract, scope, function, branch=branch, head="c0ffee", origin=lambda: origin,
        worktrack_id=worktrack_id,
    )  # fmt: skip


def row(branch, scope, function, **more):
    found = ask(branch, scope, function, **more).document
    return (
        found["branch_context"], found["expected_contexts"], found["expected_branches"],
        "blocked" if found["blocked"] else "warning" if found["warning"] else "legal", found["target_branch"],
    )  # fmt: skip


BOTH = ["baseline", "milestone"]
WT = ["worktrack"]


@pytest.mark.parametrize(
    ("branch", "scope", "function", "expected"),
    [
        ("trunk", REPO, "Observe", ("baseline", BOTH, [], "legal", None)),
        ("ms/MS-8", REPO, "Decide", ("milestone", BOTH, [], "legal", None)),
        ("wt/WT-3", REPO, "Observe", ("worktrack", BOTH, [], "warning", "trunk")),
        ("x", REPO, "Decide", ("unknown", BOTH, [], "warning", "trunk")),
        ("trunk", REPO, "Init", ("baseline", ["baseline"], [], "legal", None)),
        ("ms/MS-8", REPO, "Init", ("milestone", ["baseline"], [], "blocked", "trunk")),
        ("ms/MS-8", REPO, "Refresh", ("milestone", [], ["ms/MS-8"], "legal", None)),
        ("trunk", REPO, "Refresh", ("baseline", [], ["ms/MS-8"], "blocked", "ms/MS-8")),
        ("ms/MS-8", WORKTRACK, "Init", ("milestone", ["milestone"], [], "legal", None)),
        ("trunk", WORKTRACK, "Init", ("baseline", ["milestone"], [], "blocked", "milestone")),
        ("wt/WT-3", WORKTRACK, "Dispatch", ("worktrack", WT, [], "legal", None)),
        ("trunk", WORKTRACK, "Dispatch", ("baseline", WT, [], "blocked", "wt/WT-3")),
        ("x", WORKTRACK, "Judge", ("unknown", WT, [], "blocked", "wt/WT-3")),
        ("wt/WT-3", WORKTRACK, "Verify", ("worktrack", WT, [], "legal", None)),
        ("trunk", WORKTRACK, "Verify", ("baseline", WT, [], "warning", None)),
        ("wt/WT-3", WORKTRACK, "Close", ("worktrack", WT, ["wt/WT-3", "ms/MS-8"], "legal", None)),
        ("ms/MS-8", WORKTRACK, "Close", ("milestone", WT, ["wt/WT-3", "ms/MS-8"], "legal", None)),
        ("trunk", WORKTRACK, "Close", ("baseline", WT, ["wt/WT-3", "ms/MS-8"], "blocked", "ms/MS-8")),
        ("trunk", WORKTRACK, "Observe", ("baseline", WT, [], "warning", None)),
        ("wt/WT-3", WORKTRACK, "Decide", ("worktrack", WT, [], "legal", None)),
        ("x", WORKTRACK, "Recover", ("unknown", WT, [], "warning", None)),
        ("x", WORKTRACK, "Refresh", ("unknown", [], [], "legal", None)),
        ("x", REPO, "Dispatch", ("unknown", [], [], "legal", None)),
        ("x", REPO, "Verify", ("unknown", [], [], "legal", None)),
        ("x", REPO, "Close", ("unknown", [], [], "legal", None)),
    ],
)
def test_each_function_has_its_branch(branch, scope, function, expected):
    assert row(branch, scope, function) == expected


@pytest.mark.parametrize(
    ("branch", "function", "more", "expected"),
    [
        ("trunk", "Refresh", {"contract": None}, ("baseline", [], ["ms/MS-8", "trunk"], "legal", None)),
        ("x", "Refresh", {"contract": OPEN_CONTRACT}, ("unknown", [], ["ms/MS-8", "trunk"], "blocked", "ms/MS-8")),
        ("x", "Refresh", {"contract": "", "control": PLAIN}, ("unknown", [], ["trunk"], "blocked", "trunk")),
    ],
)
def test_a_refresh_without_closeout_target_goes_by_milestone_and_baseline(branch, function, more, expected):
    assert row(branch, REPO, function, **more) == expected


@pytest.mark.parametrize(
    ("branch", "function", "more", "expected"),
    [
        ("trunk", "Init", {"control": PLAIN}, ("baseline", ["baseline"], [], "legal", None)),
        ("x", "Init", {"control": PLAIN}, ("unknown", ["baseline"], [], "blocked", "baseline")),
        ("x", "Judge", {"contract": None}, ("unknown", WT, [], "blocked", "unknown")),
        ("trunk", "Close", {"contract": OPEN_CONTRACT},
         ("baseline", WT, ["wt/WT-3", "ms/MS-8", "trunk"], "legal", None)),
        ("x", "Close", {"contract": None}, ("unknown", WT, ["ms/MS-8", "trunk"], "blocked", "ms/MS-8")),
        ("x", "Close", {"contract": None, "control": PLAIN}, ("unknown", WT, ["trunk"], "blocked", "trunk")),
    ],
)  # fmt: skip
def test_what_is_not_named_has_a_stand_in(branch, function, more, expected):
    assert row(branch, WORKTRACK, function, **more) == expected


def test_no_branch_is_none_of_the_branches_that_nobody_names():
    for control in (PLAIN, "- active_milestone_branch: none\n"):
        for contract in (None, "- worktrack_branch:\n- closeout_target_ref:\n"):
            assert row("", WORKTRACK, "Observe", control=control, contract=contract)[::4] == ("unknown", None)
            assert row("", REPO, "Refresh", control=control, contract=contract)[3] == "blocked"


def test_a_closeout_target_of_its_own_comes_first():
    contract = CONTRACT.replace("ms/MS-8", "release")
    assert row("x", WORKTRACK, "Close", contract=contract) == (
        "unknown",
        WT,
        ["wt/WT-3", "release"],
        "blocked",
        "release",
    )
    assert row("release", WORKTRACK, "Close", contract=contract)[3] == "legal"
    assert row("x", REPO, "Refresh", contract=contract) == ("unknown", [], ["release"], "blocked", "release")


ID = {"worktrack_id": "WT-3"}


@pytest.mark.parametrize(
    ("branch", "scope", "function", "expected"),
    [
        ("ms/MS-8", WORKTRACK, "Init", ("milestone", ["milestone"], ["ms/MS-8"], "legal", None)),
        ("trunk", WORKTRACK, "Init", ("baseline", ["milestone"], ["ms/MS-8"], "blocked", "ms/MS-8")),
        ("trunk", WORKTRACK, "Verify", ("baseline", WT, [], "blocked", "wt/WT-3")),
        ("wt/WT-3", WORKTRACK, "Verify", ("worktrack", WT, [], "legal", None)),
        ("trunk", WORKTRACK, "Close", ("baseline", WT, ["wt/WT-3", "ms/MS-8"], "blocked", "ms/MS-8")),
        ("ms/MS-8", REPO, "Refresh", ("milestone", [], ["ms/MS-8"], "legal", None)),
        ("trunk", REPO, "Refresh", ("baseline", [], ["ms/MS-8"], "blocked", "ms/MS-8")),
    ],
)
def test_with_an_id_the_branch_is_derived_from_it(branch, scope, function, expected):
    assert row(branch, scope, function, **ID) == expected
    found = ask(branch, scope, function, **ID).document
    assert (found["derived_worktrack_branch"], found["worktrack_id"]) == ("wt/WT-3", "WT-3")


@pytest.mark.parametrize(
    ("branch", "scope", "function", "more", "expected"),
    [
        ("x", WORKTRACK, "Init", {}, ("unknown", ["baseline"], ["trunk"], "blocked", "trunk")),
        ("x", WORKTRACK, "Close", {}, ("unknown", WT, ["wt/WT-3"], "blocked", "trunk")),
        ("x", REPO, "Refresh", {}, ("unknown", [], ["trunk"], "blocked", "trunk")),
        ("trunk", REPO, "Refresh", {"control": STATE, "worktrack_id": ""},
         ("baseline", [], ["ms/MS-8", "trunk"], "legal", None)),
    ],
)  # fmt: skip
def test_with_an_id_and_no_milestone_the_baseline_stands_in(branch, scope, function, more, expected):
    assert row(branch, scope, function, **{"control": PLAIN, **ID, **more}) == expected


@pytest.mark.parametrize("name", ["", "../up", "a/b", "a..b", "-x", "a b", "x.lock", "x.", ".x", "w\n"])
def test_an_id_that_can_be_no_branch_blocks(name):
    found = ask("trunk", WORKTRACK, "Observe", worktrack_id=name)
    assert not found.go
    assert found.document["derived_worktrack_branch"] == ""
    assert found.document["target_branch"] == "ms/MS-8"


def test_a_repository_question_needs_no_id():
    assert ask("trunk", REPO, "Observe", worktrack_id="").go
    assert not ask("trunk", REPO, "Observe", worktrack_id="..").go


def test_with_an_id_quotes_are_no_part_of_a_branch():
    quoted = "- baseline_branch: `trunk`\n"
    assert row("trunk", REPO, "Init", control=quoted, worktrack_id="")[3] == "legal"
    assert row("trunk", REPO, "Init", control=quoted)[3] == "blocked"


@pytest.mark.parametrize(
    ("control", "origin", "branch", "gaps"),
    [
        ("- baseline_branch:\n", "", "develop", ["baseline_branch_missing_resolved_to_develop"]),
        ("", "main", "main", ["baseline_branch_missing_resolved_to_main"]),
        ("- baseline_branch: trunk\n- baseline_branch:\n", "", "develop",
         ["baseline_branch_missing_resolved_to_develop"]),
        ("- develop\n", "main", "main", ["baseline_branch_missing_resolved_to_main"]),
        (PLAIN, "main", "trunk", []),
    ],
)  # fmt: skip
def test_the_last_baseline_counts_and_a_missing_one_is_told(control, origin, branch, gaps):
    found = ask(branch, REPO, "Init", control=control, origin=origin)
    assert (found.go, found.document["config_hydration_gaps"]) == (True, gaps)


def test_the_last_milestone_counts_but_an_empty_one_does_not():
    control = "- active_milestone_branch: ms/MS-1\n- active_milestone_branch: ms/MS-2\n- active_milestone_branch:\n"
    assert ask("ms/MS-2", REPO, "Observe", control=control).document["branch_context"] == "milestone"


def test_without_a_control_state_only_the_gap_is_told_and_the_strict_reading_says_no():
    found = ask("", REPO, "Init", control=None)
    assert (found.go, found.document["config_hydration_gaps"]) == (True, ["control_state_missing"])
    assert not found.document["strict"]["ready"]
    assert len(found.document["strict"]["findings"]) == 2


@pytest.mark.parametrize(
    ("branch", "scope", "function", "control"),
    [
        ("x", REPO, "Observe", STATE),
        ("x", WORKTRACK, "Refresh", STATE),
        ("trunk", REPO, "Init", "- baseline_branch: dev\n" + STATE),
    ],
)
def test_what_only_the_script_lets_through_is_a_finding(branch, scope, function, control):
    found = ask(branch, scope, function, control=control)
    assert found.go
    assert found.document["strict"] == {"ready": False, "findings": found.document["strict"]["findings"]}
    assert found.document["strict"]["findings"]


def test_the_line_that_decided_is_named():
    assert ask("ms/MS-8", REPO, "Init").document["decided_by"] == {"field": "active_milestone_branch", "line": 4}
    assert ask("trunk", WORKTRACK, "Judge").document["decided_by"] == {"field": "baseline_branch", "line": 3}
    assert ask("wt/WT-3", WORKTRACK, "Judge").document["decided_by"] == {"field": "worktrack_branch", "line": 1}
    assert ask("x", WORKTRACK, "Init").document["decided_by"] == {"field": "baseline_branch", "line": 3}
    assert ask("x", REPO, "Init").document["decided_by"] == {"field": "baseline_branch", "line": 3}


def test_no_pair_and_no_branch_raises():
    for scope in SCOPES:
        for function in FUNCTIONS:
            for control in (None, "", STATE, PLAIN):
                for contract in (None, "", CONTRACT):
                    found = ask("", scope, function, control=control, contract=contract)
                    assert found.go is not found.document["blocked"]
