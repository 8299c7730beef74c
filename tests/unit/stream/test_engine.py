"""What a run does with its rows: order, outcomes, what hangs on them, what it refuses, what it leaves behind."""

from __future__ import annotations

import os
import re
import threading
import time

import pytest
from support.runs import Mill, Script, StepClock, plan_text

from harness_tui.formats.report import parse_report
from harness_tui.model.lease import OWN
from harness_tui.model.refusal import NotThere, Refused
from harness_tui.model.work import Doing, Result
from harness_tui.workspace.once import read_workspace


def test_rows_are_dispatched_by_need_and_order_and_marked_in_plan_log_and_report(tmp_path):
    mill = Mill(tmp_path, ("T-01", "T-03", "pending"), ("T-02", "", "pending"), ("T-03", "", "pending"))
    end = mill.run()
    assert mill.worker.ids == ["T-02", "T-03", "T-01"]
    assert mill.statuses() == {"T-01": "done", "T-02": "done", "T-03": "done"}
    assert (end.state, end.code, end.open) == ("drained", 0, 0)
    assert mill.lines()[1:3] == [
        "T-02 · dispatching pm-orchestrator · slug=slug-t-02 · mode=full",
        "T-02 · DELIVERED · slug=slug-t-02 · 0 s · as scripted",
    ]
    assert mill.lines()[-1].startswith("STREAM EXIT · drained · stop reason: none")


def test_the_plan_says_in_progress_while_a_task_that_came_at_once_is_worked_on(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))

    def long(*_, **__):
        end = time.monotonic() + 20
        while mill.statuses() != {"T-01": "done", "T-02": "in-progress"}:
            assert time.monotonic() < end, mill.statuses()
            time.sleep(0.01)

    assert mill.run(Script({"T-02": long})).code == 0
    assert mill.statuses() == {"T-01": "done", "T-02": "done"}


def test_rows_that_only_a_change_of_the_plan_can_set_free_are_named_at_the_start(tmp_path):
    rows = [("T-01", "T-99", "pending"), ("T-02", "T-03", "pending"), ("T-03", "", "skipped"), ("T-04", "", "pending")]
    mill = Mill(tmp_path, *rows, ("T-05", "T-04", "pending"), ("T-06", "", "pending"), ("T-06", "", "pending"))
    assert mill.run().code == 1
    assert mill.worker.ids == ["T-04", "T-05"]
    (told,) = [line for line in mill.lines() if "until the plan is mended" in line]
    named = [part.split()[0] for part in told.split("mended: ")[1].split("; ")]
    assert named == ["T-01", "T-02", "T-06", "T-06"]
    assert "T-99 is no row of this pool" in told


def test_a_failure_blocks_what_hangs_on_it_and_nothing_else(tmp_path):
    rows = [("T-01", "", "pending"), ("T-02", "T-01", "pending"), ("T-03", "T-02", "pending"), ("T-04", "", "pending")]
    mill = Mill(tmp_path, *rows)
    end = mill.run(Script({"T-01": "failed"}))
    assert mill.worker.ids == ["T-01", "T-04"]
    assert mill.statuses() == {"T-01": "failed", "T-02": "blocked", "T-03": "blocked", "T-04": "done"}
    assert end.code == 1


def test_the_next_run_tries_again_what_was_left_open_once(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "T-01", "pending"))
    mill.run(Script({"T-01": "failed"}))
    assert mill.run().code == 0
    assert mill.worker.ids == ["T-01", "T-02"]
    assert mill.run().dispatched == 0


def test_without_retry_what_an_earlier_run_closed_stays(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "failed"), ("T-02", "", "pending"))
    assert mill.run(retry=False).code == 1
    assert mill.worker.ids == ["T-02"]


def test_a_question_is_asked_first_in_the_report_and_its_row_waits(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    ask = 'which "colour" · red or blue?'
    end = mill.run(Script({"T-01": Result("needs-human", ask, needed="the sample is signed")}))
    text = mill.report.read_bytes()
    assert text.index(b"## Needs your input") < text.index(b"## Tasks")
    (need,) = parse_report(text, "r").needs_input
    assert (need.task_id, need.slug, need.unblock) == ("T-01", "slug-t-01", "the sample is signed")
    assert need.ask == end.needs[0].ask == 'which "colour" - red or blue?'
    assert end.code == 1
    assert mill.statuses()["T-01"] == "needs-human"
    kinds = [item.kind for item in read_workspace(tmp_path).inbox if "T-01" in item.id]
    assert kinds == ["needs-human"]


def test_log_and_report_tell_each_row_by_its_word_and_what_is_asked_of_you(tmp_path):
    rows = [(f"T-0{n}", "", "pending") for n in range(1, 7)]
    rows += [("T-07", "", "skipped"), ("T-08", "T-07", "pending"), ("T-09", "", "whenever")]
    mill = Mill(tmp_path, *rows)
    answers = {
        "T-02": Result("failed", "no rope"),
        "T-03": Result("needs-human", "red or blue? — the sample is signed"),
        "T-04": Result("blocked", "no key"),
        "T-05": Result("hard-stop", "it went on", trigger="step_budget", signature="40 steps"),
        "T-06": Result("hard-stop", trigger="doom_loop"),
    }
    mill.run(Script(answers), clock=StepClock())
    told = [
        line.partition(" · slug=")[::2] for line in mill.lines() if " · slug=" in line and "dispatching" not in line
    ]
    assert [(who, rest.partition(" · ")[2]) for who, rest in told] == [
        ("T-01 · DELIVERED", "0 s · as scripted"),
        ("T-02 · FAILED", "0 s · no rope"),
        ("T-03 · NEEDS-HUMAN", 'stage=pm-orchestrator · ask="red or blue?" · unblock="the sample is signed"'),
        ("T-04 · BLOCKED", "0 s · no key"),
        ("T-05 · BLOCKED", "0 s · hard stop step_budget: 40 steps; it went on"),
        ("T-06 · BLOCKED", "0 s · hard stop doom_loop"),
    ]
    tally = "1 pending / 1 failed / 3 blocked / 1 needs-human / 1 done / 1 skipped / 1 unknown"
    assert mill.lines()[-1] == f"STREAM EXIT · drained · stop reason: none · {tally}"
    told = [event.text.partition(" · ")[0] for event in mill.events if event.kind == "result"]
    assert told == ["T-01 DELIVERED", "T-02 FAILED", "T-03 NEEDS-HUMAN", *(f"T-0{n} BLOCKED" for n in (4, 5, 6))]
    text = mill.report.read_text("utf-8")
    assert text.startswith("# Stream Report — mill\n\n> Written: 2027-03-09T12:00:")
    needs = text.partition("## Needs your input\n\n")[2].partition("\n## Tasks")[0]
    assert [line.strip() for line in needs.split("\n") if line] == [
        "- T-05 `slug-t-05`, raised by hard stop",
        "- Ask: step_budget: 40 steps; it went on (docs/features/slug-t-05/PLAN.md:3)", "- Unblocks when: not known",
        "- T-06 `slug-t-06`, raised by hard stop",
        "- Ask: doom_loop (docs/features/slug-t-06/PLAN.md:3)", "- Unblocks when: not known",
        "- T-03 `slug-t-03`, raised by pm-orchestrator",
        "- Ask: red or blue?", "- Unblocks when: the sample is signed",
    ]  # fmt: skip
    table = [line.split(" | ")[2:] for line in text.split("\n") if line.startswith("| T-")]
    assert table == [
        ["DELIVERED", "— |"], ["FAILED", "— |"], ["NEEDS-HUMAN", "— |"], ["BLOCKED", "— |"],
        ["BLOCKED", "docs/features/slug-t-05 |"], ["BLOCKED", "docs/features/slug-t-06 |"], ["SKIPPED", "— |"],
        ["UNKNOWN", "— |"],
    ]  # fmt: skip
    assert text.endswith("- Passes: 7\n- Final verify_all: not run\n\n## Stop reason\n\nnone\n")


@pytest.mark.parametrize(
    ("result", "ask", "unblock"),
    [
        (Result("needs-human"), "the worker needs a person and did not say what for", ""),
        (
            Result("needs-human", " — the ink is dry"),
            "the worker needs a person and did not say what for",
            "the ink is dry",
        ),
        (Result("needs-human", "red? — the ink is dry", needed="a key"), "red?", "a key"),
        (Result("hard-stop"), "of no known kind", "not known"),
        (Result("hard-stop", "it gave up", needed="a key"), "of no known kind; it gave up", "a key"),
        (Result("hard-stop", "it gave up", signature="E 7"), "of no known kind: E 7; it gave up", "not known"),
    ],
)
def test_what_a_worker_leaves_unsaid_is_told_as_unsaid(tmp_path, result, ask, unblock):
    (need,) = Mill(tmp_path, ("T-01", "", "pending")).run(Script({"T-01": result})).needs
    assert (need.ask.partition(" (docs/")[0], need.unblock) == (ask, unblock)


def test_a_hard_stop_whose_blocker_can_not_be_written_is_told_with_the_line_of_the_log(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    (tmp_path / "docs/features/slug-t-01/PLAN.md").mkdir(parents=True)
    (need,) = mill.run(Script({"T-01": Result("hard-stop", trigger="doom_loop", needed="a key")})).needs
    line = mill.log.read_text("utf-8").split("\n")[need.line - 1]
    assert (need.path, need.unblock) == ("docs/batches/mill/STREAM_LOG.md", "")
    assert line.endswith("hard stop doom_loop")
    assert any("the Blocker of T-01 could not be written" in event.text for event in mill.events)


def test_in_progress_without_a_run_is_dispatched_first_and_once(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "in-progress"), ("T-03", "T-02", "pending"))
    mill.run()
    assert mill.worker.ids == ["T-02", "T-01", "T-03"]


def test_a_ring_keeps_the_run_from_starting_and_is_named(tmp_path):
    mill = Mill(tmp_path, ("T-01", "T-02", "pending"), ("T-02", "T-01", "pending"), ("T-03", "", "pending"))
    with pytest.raises(Refused, match="T-01 → T-02 → T-01"):
        mill.run()
    assert not mill.log.exists()
    assert not (tmp_path / OWN).exists()


def test_a_plan_with_both_sides_of_a_merge_starts_no_run(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    first, second = mill.plan.read_text("utf-8").split("| T-02")
    mill.plan.write_text(f"{first}<<<<<<< HEAD\n| T-02{second.rstrip()}\n=======\n>>>>>>> noon\n", "utf-8")
    with pytest.raises(Refused, match="both sides of a merge"):
        mill.run()
    assert mill.worker.ids == []


def test_a_plan_of_which_a_block_that_never_ends_hides_rows_starts_no_run(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    first, second = mill.plan.read_text("utf-8").split("| T-02")
    mill.plan.write_text(f"{first}\n<!-- later\n| T-02{second}", "utf-8")
    with pytest.raises(Refused, match="never ends: it hides 1 line that looks like a row"):
        mill.run()
    assert mill.worker.ids == []


def test_a_named_pool_that_is_missing_is_an_error_and_the_default_one_is_made(tmp_path):
    mill = Mill(tmp_path)
    with pytest.raises(NotThere):
        mill.run(pool="nosuch")
    assert mill.run(pool=None).pool_id == "default"
    made = (tmp_path / "docs/batches/default/BATCH_PLAN.md").read_text("utf-8")
    assert made.startswith("# Batch Plan — default\n")


def test_the_default_pool_is_made_of_the_template_without_its_examples(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    template = tmp_path / "docs/batches/_template/BATCH_PLAN.md"
    template.parent.mkdir()
    text = mill.plan.read_text("utf-8").replace("mill", "<pool-id>")
    template.write_bytes(text.replace("\n", "\r\n").encode())
    mill.run(pool=None)
    wanted = text.replace("<pool-id>", "default").replace(text.split("\n")[6] + "\n", "").replace("\n", "\r\n")
    assert (tmp_path / "docs/batches/default/BATCH_PLAN.md").read_bytes() == wanted.encode()


def test_unknown_words_and_doubled_rows_are_not_dispatched(tmp_path):
    rows = [
        ("T-01", "", "wip"),
        ("T-02", "", ""),
        ("T-03", "", "pending"),
        ("T-03", "", "pending"),
        ("T-04", "", "pending"),
    ]
    mill = Mill(tmp_path, *rows, ("T-05", "T-03", "pending"))
    assert mill.run().code == 1
    assert mill.worker.ids == ["T-04"]


def test_a_document_that_states_no_success_outweighs_the_worker(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "T-01", "pending"))

    def deliver(assignment, *, root, **_):
        folder = root / "docs/features" / assignment.slug
        folder.mkdir(parents=True)
        (folder / "07_DELIVERY.md").write_text(
            "# Delivery\n\n- Final verify_all result: PASS\n\n## Verdict\n\nBLOCKED\n"
        )

    mill.run(Script({"T-01": deliver}))
    assert mill.statuses() == {"T-01": "blocked", "T-02": "blocked"}
    assert "| T-01 | slug-t-01 | BLOCKED | docs/features/slug-t-01/07_DELIVERY.md |" in mill.report.read_text("utf-8")


@pytest.mark.parametrize("report", [False, True])
def test_a_plan_that_can_not_be_written_ends_the_run_and_a_report_that_can_not_is_missed(tmp_path, report):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    mill.report.write_bytes(b"old")
    mill.report.chmod(0o644 if report else 0o444)
    end = mill.run(Script({"T-01": lambda _work, **_: mill.plan.chmod(0o444)}))
    assert (end.state, end.code, mill.worker.ids) == ("write-error", 4, ["T-01"])
    assert end.reason == "docs/batches/mill/BATCH_PLAN.md: it is read-only"
    assert (end.report, mill.report.read_bytes() == b"old") == (
        ("docs/batches/mill/STREAM_REPORT.md", False) if report else ("", True)
    )


def test_a_report_that_can_not_be_written_is_told_as_the_end_of_a_run_that_was_well(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.report.write_bytes(b"old")
    mill.report.chmod(0o444)
    end = mill.run()
    assert (end.state, end.reason, end.report) == (
        "write-error", "docs/batches/mill/STREAM_REPORT.md: it is read-only", "",
    )  # fmt: skip
    assert mill.statuses() == {"T-01": "done"}


def test_what_was_delivered_before_its_turn_is_not_dispatched(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"), ("T-03", "T-02", "pending"))

    def elsewhere(_assignment, *, root, **_):
        folder = root / "docs/features/_archived/slug-t-02"
        folder.mkdir(parents=True)
        (folder / "07_DELIVERY.md").write_text("# Delivery\n\n## Verdict\n\nDELIVERED\n")

    mill.run(Script({"T-01": elsewhere}))
    assert mill.worker.ids == ["T-01", "T-03"]


def test_a_row_that_somebody_adds_meanwhile_is_done_and_one_that_vanishes_is_respected(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))

    def edit(_assignment, **_):
        lines = mill.plan.read_text("utf-8").replace("| T-02 | slug-t-02", "| T-09 | hand-made").split("\n")
        mill.plan.write_text("\n".join(line for line in lines if "slug-t-01" not in line), "utf-8")
        os.utime(mill.plan, (0, 0))

    mill.run(Script({"T-01": edit}))
    assert mill.worker.ids == ["T-01", "T-09"]
    assert mill.statuses() == {"T-09": "done"}
    assert any("T-01 was to become done" in line and "gone" in line for line in mill.lines())


def test_a_status_that_somebody_sets_meanwhile_is_respected_and_said(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))

    def skip(_assignment, **_):
        text = mill.plan.read_text("utf-8")
        mill.plan.write_text(text.replace("in-progress", "skipped (I did it by hand)"), "utf-8")

    mill.run(Script({"T-01": skip}))
    assert mill.statuses() == {"T-01": "skipped (I did it by hand)"}
    assert any("that is respected" in line for line in mill.lines())


@pytest.mark.parametrize(("result", "rest"), [("delivered", "done"), ("failed", "blocked")])
@pytest.mark.parametrize("batch", [False, True])
def test_an_editor_that_saves_the_row_as_it_was_before_changes_nothing_of_what_hangs_on_it(
    tmp_path, result, rest, batch
):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "T-01", "pending"))
    before = mill.plan.read_text("utf-8")

    def save(_assignment, **_):
        mill.plan.write_text(before, "utf-8")
        return result

    mill.run(Script({"T-01": save}), batch=batch)
    if batch and result == "failed":
        assert mill.worker.ids == ["T-01"]
    else:
        assert mill.statuses()["T-02"] == rest
        assert mill.worker.ids == (["T-01", "T-02"] if result == "delivered" else ["T-01"])


def test_a_row_that_somebody_doubles_meanwhile_is_said_to_be_double_and_never_called_skipped(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "T-01", "pending"))

    def double(_assignment, **_):
        text = plan_text(("T-01", "", "in-progress"), ("T-02", "T-01", "pending"), ("T-01", "", "pending"))
        mill.plan.write_text(text, "utf-8")
        os.utime(mill.plan, (0, 0))

    mill.run(Script({"T-01": double}))
    assert mill.worker.ids == ["T-01"]
    assert any("its row stands there 2 times" in line for line in mill.lines())
    assert "skipped" not in mill.lines()[-1]


@pytest.mark.parametrize("gone", [False, True])
def test_a_run_that_waits_looks_once_at_a_log_that_somebody_else_wrote_to_or_removed(tmp_path, gone):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    cancel = threading.Event()
    waits = []

    def touch(event):
        if event.kind != "waiting":
            return
        waits.append(event)
        if len(waits) == 1:
            if gone:
                mill.log.unlink()
            else:
                mill.log.write_bytes(mill.log.read_bytes() + b"somebody was here\n")
        elif len(waits) > 9:
            cancel.set()

    end = mill.run(clock=StepClock(), cancel=cancel, on_event=touch, idle=2, tick=10.0)
    assert (end.state, len(waits)) == ("drained", 2)


def test_what_somebody_else_logs_during_a_task_is_heeded_before_the_next_dispatch(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))

    def log(_assignment, **_):
        with mill.log.open("a", encoding="utf-8") as file:
            file.write("2027-03-09T12:30:00Z · T-02 · DELIVERED · slug=slug-t-02\n")

    mill.run(Script({"T-01": log}))
    assert mill.worker.ids == ["T-01"]
    assert mill.statuses()["T-01"] == "done"


def test_a_batch_keeps_its_plan_and_ends_with_its_first_failure(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"), ("T-03", "", "pending"))
    mill.send("# Intervention\n\nADD more-work — something\n")
    end = mill.run(Script({"T-02": "failed"}), batch=True)
    assert (mill.worker.ids, end.state, end.code) == (["T-01", "T-02"], "first-failure", 1)
    log = (mill.log.parent / "BATCH_LOG.md").read_text("utf-8")
    assert "ADD more-work is refused" in log
    assert "batch end · first failure" in log
    report = (mill.log.parent / "BATCH_REPORT.md").read_bytes()
    assert report.startswith(b"# Batch Report \xe2\x80\x94 mill\n")
    assert re.search(rb"^- Elapsed: \d+ s$", report, re.MULTILINE)
    assert b"## Stop reason\n\nT-02" in report
    assert mill.statuses() == {"T-01": "done", "T-02": "failed", "T-03": "pending"}


def test_ending_from_outside_keeps_the_row_to_be_dispatched_first(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    cancel = threading.Event()

    def ended(_assignment, *, cancel, **_):
        cancel.set()
        return Result("cancelled")

    end = mill.run(Script({"T-01": ended}), cancel=cancel)
    assert (end.state, end.code) == ("cancelled", 130)
    assert mill.statuses() == {"T-01": "in-progress", "T-02": "pending"}
    assert read_workspace(tmp_path).stream.state == "stopped"
    mill.run()
    assert mill.worker.ids == ["T-01", "T-02"]


def test_a_blocked_destructive_command_halts_the_run(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    halt = Result("hard-stop", trigger="permission_wall", signature="rm -rf", guard_blocked=True)
    end = mill.run(Script({"T-01": halt}))
    assert (end.state, end.code, mill.worker.ids) == ("hard-stop", 5, ["T-01"])
    assert mill.statuses() == {"T-01": "blocked", "T-02": "pending"}
    assert b"destructive command" in mill.report.read_bytes()


def test_a_hard_stop_of_one_task_leaves_the_others(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    end = mill.run(Script({"T-01": Result("hard-stop", trigger="step_budget", signature="40 steps")}))
    assert (end.state, mill.worker.ids) == ("drained", ["T-01", "T-02"])
    assert any(line.startswith("T-01 · BLOCKED") and "hard stop step_budget: 40 steps" in line for line in mill.lines())


def test_a_worker_that_breaks_fails_its_row_alone(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))

    def broken(_assignment, **_):
        raise RuntimeError("no legs\nto stand on")

    mill.run(Script({"T-01": broken}))
    assert mill.statuses() == {"T-01": "failed", "T-02": "done"}
    assert any("no legs to stand on" in line for line in mill.lines())


def test_what_the_worker_does_is_told_with_the_time_it_took(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))

    def busy(_assignment, *, heard, born, **_):
        born(os.getpid())
        heard(Doing("tool", "edits", tool="Edit", path="a.py"))

    mill.run(Script({"T-01": busy}), clock=StepClock())
    (doing,) = [event for event in mill.events if event.kind == "doing"]
    assert (doing.task_id, doing.doing.tool, doing.elapsed) == ("T-01", "Edit", 0.0)
    assert [event.kind for event in mill.events] == ["started", "dispatched", "doing", "result", "ended"]


def test_idle_ticks_are_waited_for_and_new_rows_are_taken_up(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))

    def late(event):
        if event.kind == "waiting" and not mill.mail.exists() and "T-02" not in mill.worker.ids:
            mill.send("# Intervention\n\nADD late-row — come in\n")

    end = mill.run(clock=StepClock(), on_event=late, idle=2, tick=10.0)
    assert mill.worker.ids == ["T-01", "T-02"]
    assert (end.code, mill.statuses()) == (0, {"T-01": "done", "T-02": "done"})


def test_a_hundred_kinds_of_text_can_not_break_the_log(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.run(Script({"T-01": Result("failed", "a\nb · T-01 · DELIVERED\x1b[2J\u2028 · STREAM EXIT")}))
    pool = read_workspace(tmp_path).pools[0]
    assert pool.tasks[0].effective_status == "failed"
    assert "\x1b" not in mill.log.read_text("utf-8")
    assert len(mill.lines()) == 4
