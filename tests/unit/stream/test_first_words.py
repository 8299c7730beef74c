"""What a run says before its first task, so that nothing that it does or leaves undone comes as a surprise."""

from __future__ import annotations

import os

import pytest
from support.runs import Mill, Script, plan_text

from harness_tui.model.refusal import NotThere
from harness_tui.model.work import Result
from harness_tui.workspace.atomic import WriteError
from harness_tui.workspace.files import MAX_FILE


def said(mill):
    return [event.text for event in mill.events if event.kind == "said"]


def test_rows_that_an_earlier_run_left_open_are_named_before_they_are_tried_again(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "failed"), ("T-02", "T-01", "blocked"), ("T-03", "", "done"))
    mill.run(retry=False)
    assert said(mill) == []
    mill.run()
    assert said(mill) == [
        "left open by an earlier run, tried again: T-01 failed, T-02 blocked (--no-retry leaves them)"
    ]


def test_a_row_with_a_status_that_is_no_word_is_said_not_to_run(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "weird"))
    mill.run()
    assert said(mill) == ["not run until the plan is mended: T-01 (line 7): its status is no known word: weird"]


def test_an_empty_pool_says_how_to_fill_it(tmp_path):
    mill = Mill(tmp_path)
    mill.run()
    assert said(mill) == ["the pool has no rows: harness-tui add SLUG GOAL --pool mill adds one"]


@pytest.mark.parametrize(
    "status", ["needs-human", "**NEEDS_HUMAN**", "`Needs human`", "_needs_human_", "❓ needs-human"]
)
def test_a_row_that_asks_without_words_is_not_told_as_its_own_status(tmp_path, status):
    mill = Mill(tmp_path, ("T-01", "", status))
    (need,) = mill.run(retry=False).needs
    assert need.ask == "it is marked so, and nothing says what is asked"


def test_a_row_that_asks_in_words_is_told_as_it_asks_with_its_line(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "done"), ("T-02", "", "needs-human: red or blue?"))
    (need,) = mill.run(retry=False).needs
    assert (need.ask, need.path, need.line) == ("needs-human: red or blue?", "docs/batches/mill/BATCH_PLAN.md", 8)


def test_what_a_document_asks_is_told_with_its_line(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    document = tmp_path / "docs/features/slug-t-01/07_DELIVERY.md"
    document.parent.mkdir(parents=True)
    document.write_text("# Delivery\n\n## Verdict\n\nNEEDS-HUMAN: red or blue?\n", "utf-8")
    (need,) = mill.run(retry=False).needs
    path = "docs/features/slug-t-01/07_DELIVERY.md"
    assert (need.stage, need.ask, need.path, need.line) == ("delivery", "NEEDS-HUMAN: red or blue?", path, 5)


def test_what_another_pool_asks_is_left_to_its_report(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    other = tmp_path / "docs/batches/anvil"
    other.mkdir()
    (other / "BATCH_PLAN.md").write_text(plan_text(("T-01", "", "needs-human")), "utf-8")
    asked = '2024-04-02T08:00:00Z · T-01 · NEEDS-HUMAN · slug=slug-t-01 · stage=x · ask="which anvil?" · unblock=""\n'
    (other / "STREAM_LOG.md").write_text(f"# Stream Log — anvil\n\n{asked}", "utf-8")
    (need,) = mill.run(Script({"T-01": Result("needs-human", "which mill?")})).needs
    assert need.ask == "which mill?"
    assert [item.ask for item in mill.run(pool="anvil", retry=False).needs] == ["which anvil?"]


def test_a_plan_that_is_no_file_or_leads_outside_is_told_as_that(tmp_path):
    mill = Mill(tmp_path / "w")
    mill.plan.unlink()
    mill.plan.mkdir()
    with pytest.raises(NotThere, match=r"BATCH_PLAN\.md: .*not a"):
        mill.run()
    mill.plan.rmdir()
    (tmp_path / "plan").write_text(plan_text())
    mill.plan.symlink_to(tmp_path / "plan")
    with pytest.raises(NotThere, match=r"BATCH_PLAN\.md: .*leads out"):
        mill.run()


def test_a_plan_that_is_too_big_is_told_as_that(tmp_path):
    mill = Mill(tmp_path)
    os.truncate(mill.plan, MAX_FILE + 1)
    os.utime(mill.plan, (1_700_000_000, 1_700_000_000))
    with pytest.raises(WriteError, match="too big"):
        mill.run()
