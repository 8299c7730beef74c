import pytest

from harness_tui.formats.review_round import read_verdict
from harness_tui.formats.work_plan import parse_work_plan


def reviews(text, heading="## Final Status (Code Review)"):
    return parse_work_plan(f"{heading}\n\n{text}\n".encode(), "PLAN.md").code_reviews


@pytest.mark.parametrize(
    ("text", "verdict", "tasks"),
    [
        ("APPROVED", "APPROVED", ()),
        ("Approved", "APPROVED", ()),
        ("[Approved] The gate holds.", "APPROVED", ()),
        ("**Approved.**", "APPROVED", ()),
        ("✅ APPROVED — Task 9 (2026-03-01)", "APPROVED", ("9",)),
        ("Task 3 APPROVED. Good.", "APPROVED", ("3",)),
        ("Task 13a approved (2026-03-01). Fine.", "APPROVED", ("13a",)),
        ("Tasks 3 and 4 approved", "APPROVED", ("3", "4")),
        ("U2: Approved", "APPROVED", ("U2",)),
        ("APPROVED (commit 12ab34c). All four tasks checked.", "APPROVED", ()),
        ("Approved with notes (2026-03-01)", "APPROVED WITH NOTES", ()),
        ("CONDITIONAL APPROVAL (one gap in Task 6). Closed now. **APPROVED.**", "CONDITIONAL APPROVAL", ()),
        ("Approved once the bell rings", "CONDITIONAL APPROVAL", ()),
        ("Approved, but the bell is missing", "CONDITIONAL APPROVAL", ()),
        ("Task 3 NOT APPROVED — no test", "NOT APPROVED", ("3",)),
        ("Not approved. Gaps: many", "NOT APPROVED", ()),
        ("Not yet approved", "NOT APPROVED", ()),
        ("REJECTED — 6 things, all resolved now", "REJECTED", ()),
        ("CHANGES REQUESTED for Task 2", "CHANGES REQUESTED", ("2",)),
        ("[Needs Fixes] the hinge", "NEEDS FIXES", ()),
        ("APPROVED → REJECTED", "REJECTED", ()),
        ("Approved with notes\n\n**Status: Not approved**", "NOT APPROVED", ()),
        ("A long look at the hinge.\nStatus: Approved", "APPROVED", ()),
        ("We looked at all of it. Approved.", "APPROVED", ()),
        ("Pending", "PENDING", ()),
        ("[Pending]", "PENDING", ()),
        ("[Pending Builder Phase]", "PENDING", ()),
        ("Not started", "PENDING", ()),
        ("N/A", "N/A", ()),
        ("[N/A]", "N/A", ()),
        ('[Feedback or "N/A"]', "N/A", ()),
        ("", "N/A", ()),
        ("[APPROVED / NOT APPROVED]", "UNKNOWN", ()),
        ("Approved?", "UNKNOWN", ()),
        ("Approved: no", "UNKNOWN", ()),
        ("Accepted risks are listed below", "UNKNOWN", ()),
        ("None of the tests pass", "UNKNOWN", ()),
        ("The task is not approved.", "UNKNOWN", ()),
        ("Three issues were found; it was approved later on by nobody", "UNKNOWN", ()),
        ("Task 4 is looked at tomorrow", "UNKNOWN", ("4",)),
    ],
)
def test_verdict_and_tasks_of_an_entry(text, verdict, tasks):
    assert read_verdict(text) == (verdict, tasks)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- **Round 14:** Task 11 APPROVED", ("14", ("11",), "APPROVED")),
        ("- **Round 5 (Task 4):** NOT APPROVED", ("5", ("4",), "NOT APPROVED")),
        ("- **Round 2b**: Approved", ("2b", (), "APPROVED")),
        ("- Round 1: Approved", ("1", (), "APPROVED")),
        ("* **Round 6 — Tasks 1, 2:** REJECTED", ("6", ("1", "2"), "REJECTED")),
        ("### Round 3 (Task 2): Approved", ("3", ("2",), "APPROVED")),
        ("- **Task 1 — Round 1: APPROVED.** 0 blockers", ("1", ("1",), "APPROVED")),
        ("- **Task 13a, Round 2:** CHANGES REQUESTED — x", ("2", ("13a",), "CHANGES REQUESTED")),
        ("- **Tasks 2 and 3 (Round 4)**: Rejected", ("4", ("2", "3"), "REJECTED")),
        ("**Code Reviewer — 2026-03-01: Approved, nothing blocks.**", ("", (), "APPROVED")),
        ("- Not started", ("", (), "PENDING")),
    ],
)
def test_one_entry_of_the_log(line, expected):
    assert [(item.number, item.tasks, item.verdict) for item in reviews(line)] == [expected]


def test_text_that_goes_on_belongs_to_its_round():
    text = (
        "- **Round 1:** NOT APPROVED\n  see\nRound 1 of the plan: **APPROVED.**\n\n  1. hinge\n- **Round 2:** Approved"
    )
    assert [(item.number, item.verdict) for item in reviews(text)] == [("1", "NOT APPROVED"), ("2", "APPROVED")]
    assert reviews(text)[0].text.split("\n")[-1] == "1. hinge"


def test_a_subheading_ends_a_round_and_code_is_none():
    text = "- **Round 1:** Pending\n\n### Remarks\n\n- Status: REJECTED\n\n```\n- **Round 9:** REJECTED\n```"
    assert [(item.number, item.verdict) for item in reviews(text)] == [("1", "PENDING")]


@pytest.mark.parametrize(
    "heading",
    ["## Final Status (Code Review)", "## 🚦 Final Status (Mode 2: Code Review)", "## Review Log (Code Review)"],
)
def test_headings_of_the_code_review(heading):
    assert len(reviews("- **Round 1:** Approved", heading)) == 1


@pytest.mark.parametrize(
    "heading", ["## Review Log (Plan Review)", "## 📝 Review Log (Mode 1: Plan Review)", "## Review Log"]
)
def test_headings_of_the_plan_review(heading):
    found = parse_work_plan(f"{heading}\n\n- **Round 1:** REJECTED\n".encode(), "PLAN.md")
    assert [item.refused for item in found.plan_reviews] == [True]
    assert found.code_reviews == ()
