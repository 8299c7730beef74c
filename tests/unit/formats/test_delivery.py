"""What a delivery document proves about its task."""

import pytest

from harness_tui.formats.delivery import parse_delivery

TITLE = "# Delivery Summary — T-01 ramp-curve\n\n"


def says(text: str) -> str:
    return parse_delivery((TITLE + text).encode(), "07_DELIVERY.md").says


@pytest.mark.parametrize(
    "text",
    [
        "## Verdict\n\nDELIVERED\n",
        "## 8. Verdict\n\n**DELIVERED**\n",
        "## §9 Verdict\n\n**DELIVERED**\n",
        "## Verdict\n\n# DELIVERED\n",
        "# DELIVERED\n",
        "> 状态：**DELIVERED**（pending archive）· 2026-01-02 · batch kiln\n",
        "> 日期：2026-01-02\n> 结果：**DELIVERED**\n",
        "- Status: **DELIVERED**\n",
        "- **Outcome / Verdict:** DELIVERED\n",
        "- Outcome: DELIVERED AS A DECLINE.\n",
        "Verdict: **DELIVERED** · v0.2.0 · 2026-01-02 · Mode: full\n",
        "> **Mode**: full · **Verdict**: DELIVERED (with one old flake)\n",
        "**Verdict**: v0.2.0 SHIP-READY. Archiving next.\n",
        "## Verdict\n\nGOAL ACHIEVED\n",
        "- 状态：已完成\n",
        "| Stage | Who | Verdict |\n|---|---|---|\n| 6 | QA | PASS |\n| 7 | PM | DELIVERED |\n",
        "- Stages traversed: 1 RA(READY) → 6 QA(PASS) → 7 PM(DELIVERED)。\n",
    ],
)
def test_an_own_statement_says_done(text):
    assert says(text) == "done"


@pytest.mark.parametrize(
    "text",
    [
        "- Final verify_all result: PASS\n",
        "- **Final verify_all result:** **PASS 32/0/0 (Bash)**, verify_all.ps1 operator-pending (PS denied).\n",
        "- Final `verify_all` result: **PASS 30 / WARN 0 / FAIL 0** in both shells.\n",
        "- 最终 verify_all 结果：PASS=31 / FAIL=0\n",
        "- **Final verify_all result**: PS 31/31 PASS / WARN 0 / FAIL 0 (3 runs)\n",
        "## Final verify_all result\n\n**PASS** 12/0/0\n",
        "## Final verify_all result\n\n```\n=== Summary ===\n  PASS: 30\n  WARN: 0\n  FAIL: 0\n```\n",
    ],
)
def test_a_real_final_pass_says_done(text):
    assert says(text) == "done"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "We say DELIVERED when `Final verify_all result: PASS` holds.\n",
        "- **Depends on:** T-00 (DELIVERED)\n",
        "- T-00 door-alarm · Status: DELIVERED\n",
        "## Related tasks\n\n- Status: DELIVERED\n",
        "### T-09 door-alarm\n\n- Verdict: DELIVERED\n",
        "## Notes\n\n> Verdict: DELIVERED\n",
        "## Parts\n\n- Status: DONE\n",
        "- hinge\n    - Status: DELIVERED\n",
        "| Stage | Verdict |\n|---|---|\n| 6 | DELIVERED |\n",
        "| Task | Verdict |\n|---|---|\n| 7 | DELIVERED |\n",
        "SHIP-READY\n",
        "```\nVerdict: DELIVERED\n```\n",
        "Verdict: DELIVERED?\n",
        "Verdict: DELIVERED once the gate is green\n",
        "Verdict: PARTIALLY DELIVERED\n",
        "- Final verify_all result: **PENDING（预期 PASS）**\n",
        "- Final verify_all result: deferred to the caller (predicted PASS 26 / FAIL 0)\n",
        "- Final verify_all result: PASS (expected)\n",
        "- Final verify_all result: PASS — 委托 batch 实跑\n",
        "- Final verify_all result: **未在本会话实跑**，预测 PASS\n",
        "- Final verify_all result: PASS 31 / FAIL 1\n",
        "- Final verify_all result: PASS 31, FAIL 1\n",
        "- Final verify_all result: FAIL 1/0/0\n",
        "This time: Final verify_all result: PASS\n",
        "- Final verify_all result: see below\n",
    ],
)
def test_a_mention_a_promise_or_a_failure_proves_nothing(text):
    assert says(text) == "unknown"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Verdict: BLOCKED ON UPSTREAM\n", "blocked"),
        ("## Verdict\n\nBLOCKED: NEEDS-HUMAN — which glaze? — a name\n", "needs-human"),
        ("## Verdict\n\n**FAILED**\n", "failed"),
        ("Verdict: BUDGET EXHAUSTED\n", "failed"),
        ("- **Outcome / Verdict:** **DECLINED (no build).** Seen twice.\n", "skipped"),
        ("Verdict: NOT DELIVERED, still rounded.\n", "unknown"),
        ("Verdict: NOT DELIVERED — blocked on T-00\n", "blocked"),
        ("Verdict: NOT DELIVERED\n\nThis time: Final verify_all result: FAIL (was to be PASS)\n", "failed"),
    ],
)
def test_an_adverse_verdict_is_told_as_it_is(text, status):
    assert says(text) == status


@pytest.mark.parametrize("verdict", ["BLOCKED", "DECLINED", "FAILED", "NOT DELIVERED", "SOMETHING ELSE"])
def test_the_own_verdict_outranks_the_verify_line(verdict):
    assert says(f"Verdict: {verdict}\n\n- Final verify_all result: PASS 32/0/0\n") != "done"


def test_a_verdict_outranks_a_stage_table_and_a_status_field():
    table = "| Stage | Verdict |\n|---|---|\n| 7 | DELIVERED |\n"
    assert says(f"- Status: DELIVERED\n\n## Verdict\n\nBLOCKED\n\n{table}") == "blocked"


def test_the_worse_of_two_fields_counts_where_there_is_no_verdict():
    assert says("- Status: BLOCKED\n- Outcome: DELIVERED\n") == "blocked"


def test_a_red_gate_does_not_undo_an_own_delivered():
    found = parse_delivery(
        (TITLE + "Verdict: DELIVERED\n\n- Final verify_all result: PASS 24 / FAIL 1\n").encode(), "x"
    )
    assert (found.says, found.verify) == ("done", "PASS 24 / FAIL 1")


def test_line_and_text_are_those_of_what_decided():
    found = parse_delivery(b"# D\n\n- Mode: goal\n- Final verify_all result: PASS 3/0/0\n", "x")
    assert (found.line, found.text, found.verdict) == (4, "- Final verify_all result: PASS 3/0/0", None)
    assert found.mode == "goal"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("- Rollbacks: 1 (the hinge)\n", 1),
        ("- **Rollbacks:** 0.\n", 0),
        ("- **Total rollbacks**: 3 (two at review)\n", 3),
        ("- 回退次数：**2**。\n", 2),
        ("- Rollbacks: 3+1 escalation\n", 3),
        ("- Rollbacks: none\n", 0),
        ("## Rollbacks\n\n**0 次。** fine\n", 0),
        ("Verdict: DELIVERED · Mode: full (7 stages, 1 rollback)\n", 1),
        ("- Rollbacks: some\n", None),
        ("It took 4 rollbacks in an older task.\n", None),
    ],
)
def test_rollbacks(text, count):
    assert parse_delivery((TITLE + text).encode(), "x").rollbacks == count


def test_statements_that_differ_are_named():
    found = parse_delivery((TITLE + "- Status: BLOCKED\n\n## Verdict\nDELIVERED\n").encode(), "x")
    assert [p.code for p in found.problems] == ["several-verdicts"]
