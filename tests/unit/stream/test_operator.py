"""Signals that reach a run: STOP before the next dispatch, ADD and SKIP as ruled, notes handed over and quoted."""

from __future__ import annotations

import time

import pytest
from support.runs import HEAD, Mill, Script, StepClock

from harness_tui.formats.mailbox import new_signal
from harness_tui.rules.sent import Sights, follow
from harness_tui.stream import operator
from harness_tui.workspace import claims, mailbox
from harness_tui.workspace.late_writes import LateWrites
from harness_tui.workspace.once import read_workspace


class Ticks:
    """The clock of the mailbox: its pauses take no time, and `paused` is called in each."""

    def __init__(self, monkeypatch, paused):
        self.now, self.pauses, self.paused = 0.0, 0, paused
        monkeypatch.setattr(operator, "time", self)

    def monotonic(self):
        return self.now

    def time(self):
        return time.time()

    def time_ns(self):
        return time.time_ns()

    def sleep(self, seconds):
        self.now += seconds
        self.pauses += 1
        self.paused(self.pauses)


def test_stop_ends_the_run_before_the_next_dispatch(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    end = mill.run(Script({"T-01": lambda _work, **_: mill.send("\ufeffSTOP — the tree is red\r\n")}))
    assert (end.state, end.code, end.reason) == ("hard-stop", 5, "STOP signal: the tree is red")
    assert mill.worker.ids == ["T-01"]
    assert not mill.mail.exists()
    assert read_workspace(tmp_path).stream.state == "stopped"


def test_the_line_that_proves_a_stop_is_told(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mailbox.send(tmp_path, new_signal("STOP", "", "the tree is red"), pool_id="mill")
    mill.run()
    (sent,) = follow(mailbox.read_history(tmp_path), Sights(read_workspace(tmp_path).interventions))
    line = (tmp_path / sent.evidence.path).read_text("utf-8").split("\n")[sent.evidence.line - 1]
    assert line.endswith("intervention STOP · the tree is red")


def test_a_stop_that_waits_keeps_the_run_from_its_first_task(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("STOP\n")
    end = mill.run()
    assert (end.code, end.reason) == (5, "STOP signal")
    assert mill.worker.ids == []
    assert mill.run().code == 0


def test_what_comes_with_a_stop_is_not_lost(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("# Intervention\n\nSTOP — now\n\nNOTE — mind the gap\n\nADD more-work — later\n")
    mill.run()
    assert mill.statuses() == {"T-01": "pending", "T-02": "pending"}
    mill.run()
    assert [work.notes for work in mill.worker.seen] == [("mind the gap",), ()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "please stop before the horn task\nor else\n",
            "line 1 can't be understood (please stop before the horn task)",
        ),
        ("", "line 1 can't be understood (nothing)"),
        ("ADD \n", "line 1 can't be understood (ADD)"),
        ("\n\nhalt\n", "line 3 can't be understood (halt)"),
        ("x" * 200, f"line 1 can't be understood ({'x' * 120})"),
    ],
)
def test_what_can_not_be_understood_counts_as_stop_and_stays(tmp_path, monkeypatch, text, said):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send(text, age=10)
    clock = Ticks(monkeypatch, lambda _: None)
    end = mill.run()
    assert clock.pauses == 0  # it has been at rest for long
    assert (end.code, mill.worker.ids) == (5, [])
    assert mill.mail.read_text("utf-8") == text
    assert end.reason.startswith(f".harness/intervention.md {said}, which counts as STOP; ")


def test_a_file_that_makes_no_sense_yet_is_given_a_moment(tmp_path, monkeypatch):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("NOT")
    clock = Ticks(monkeypatch, lambda pauses: mill.send("NOTE — ease the ramp\n" if pauses == 3 else "NOT"))
    assert mill.run().code == 0
    assert (mill.worker.seen[0].notes, clock.pauses) == (("ease the ramp",), 3)


def test_a_file_that_makes_no_sense_for_a_second_counts_however_often_it_is_written(tmp_path, monkeypatch):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("NOT")
    clock = Ticks(monkeypatch, lambda _: mill.send("NOT"))
    assert (mill.run().code, mill.worker.ids) == (5, [])
    assert clock.now == pytest.approx(operator.SETTLE, abs=0.06)


def test_a_file_that_makes_no_sense_and_goes_at_once_stops_nothing(tmp_path, monkeypatch):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("NOT", age=10)
    real = claims.unclear

    def withdrawn(found):
        mill.mail.unlink(missing_ok=True)
        return real(found)

    monkeypatch.setattr(claims, "unclear", withdrawn)
    assert (mill.run().code, mill.worker.ids) == (0, ["T-01"])


def test_a_run_that_follows_holds_until_the_operator_decides(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("hold on\n", age=10)

    def decide(event):
        if event.kind == "waiting":
            assert mill.worker.ids == []
            mill.send("STOP\n")

    assert mill.run(follow=True, clock=StepClock(), on_event=decide).code == 5
    assert mill.worker.ids == []


def test_a_note_goes_with_the_next_dispatch_and_its_line(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    mailbox.send(tmp_path, new_signal("NOTE", "", "use tabs\nnot blanks"), pool_id="mill")
    mill.run()
    assert [work.notes for work in mill.worker.seen] == [("use tabs\nnot blanks",), ()]
    assert mill.lines()[1].endswith('mode=full · note="use tabs not blanks"')
    (sent,) = follow(mailbox.read_history(tmp_path), Sights(read_workspace(tmp_path).interventions))
    assert (sent.state, sent.evidence.line) == ("in-effect", 4)


def test_add_takes_the_next_free_id_and_an_open_slug_is_refused_with_its_id(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-07", "T-09", "pending"))
    mailbox.send(tmp_path, new_signal("ADD", "new-row", "a | b"))
    mailbox.send(tmp_path, new_signal("ADD", "slug-t-01", "once more"))
    mill.run()
    assert mill.worker.ids == ["T-01", "T-08"]
    assert mill.worker.seen[1].goal == "a | b"
    assert any("ADD slug-t-01 is refused: it is open already: T-01" in line for line in mill.lines())
    workspace = read_workspace(tmp_path)
    sights = Sights(workspace.interventions, workspace.pools, workspace.logs)
    sent = {item.argument: item for item in follow(mailbox.read_history(tmp_path), sights)}
    assert sent["new-row"].state == "in-effect"
    assert "T-08 new-row was added" in [event.text for event in mill.events if event.kind == "signal"]
    refused = sent["slug-t-01"]
    assert refused.state == "no-effect-seen"
    assert "it was refused" in refused.why
    said = (tmp_path / refused.evidence.path).read_text().split("\n")[refused.evidence.line - 1]
    assert "ADD slug-t-01 is refused" in said


def test_an_added_row_gets_no_id_that_a_need_or_the_log_names(tmp_path):
    mill = Mill(tmp_path, ("T-01", "T-02", "pending"))
    mill.log.write_text("# Stream Log — mill\n\n2024-04-02T08:00:00Z · T-03 · DELIVERED · slug=gone\n")
    mill.send("ADD new-row — a goal\n")
    mill.run()
    assert mill.worker.ids == ["T-04"]


def test_a_row_that_is_added_keeps_odd_line_ends_and_tight_cells(tmp_path):
    mill = Mill(tmp_path)
    head = HEAD.replace("\n", "\r\n").encode()
    rows = "| T-01 | one | One | full | — | done |\r\n|T-02|two|Two   cells|full|T-01|done|\n".encode()
    last = b"| T-03 | three | No end | full | T-02 | skipped |"
    mill.plan.write_bytes(head + rows + last)
    mill.send("ADD new-row — write it\n")
    mill.run()
    added = "\r\n| T-04 | new-row | write it | full | — | done |\r\n".encode()
    assert mill.plan.read_bytes() == head + rows + last + added


def test_skip_closes_one_row_and_is_refused_where_it_is_not_clear_which(tmp_path):
    rows = [("T-01", "", "pending"), ("T-02", "", "pending"), ("T-02", "", "pending"), ("T-03", "T-01", "pending")]
    mill = Mill(tmp_path, *rows, ("T-04", "", "done"), ("T-05", "", "pending"))
    mill.send("# Intervention\n\nSKIP T-01 — no\n\nSKIP T-02\n\nSKIP T-99\n\nSKIP T-04\n\nSKIP T-05\n")
    mill.run()
    assert mill.worker.ids == []
    assert (mill.statuses()["T-01"], mill.statuses()["T-03"]) == ("skipped", "pending")
    said = [line for line in mill.lines() if line.startswith("intervention")]
    assert "stands in 2 rows (lines 8, 9)" in said[0]
    assert "no row has that id" in said[1]
    assert "SKIP T-04 is refused: it is done already" in said[2]
    assert (len(said), mill.statuses()["T-04"]) == (3, "done")
    skipped = [line.partition(" · SKIPPED · ")[2] for line in mill.lines() if " · SKIPPED · " in line]
    assert skipped == ["slug=slug-t-01 · by the operator: no", "slug=slug-t-05 · by the operator"]
    told = [event.text for event in mill.events if event.kind == "signal"]
    assert [told[0], told[4]] == ["T-01 slug-t-01 is skipped", "T-05 slug-t-05 is skipped"]
    assert [f"intervention · {text}" for text in told[1:4]] == said


def test_a_redirect_is_rejected_by_a_stream_and_ends_a_batch(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("REDIRECT 04 — do it otherwise\n")
    assert mill.run(batch=True).code == 5
    mill.send("REDIRECT 04 — do it otherwise\n")
    assert mill.run().code == 0


def test_every_claimed_file_is_kept(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    text = "# Intervention\n\nNOTE — one\n\nSKIP T-99\n"
    mill.send(text)
    mill.run()
    assert [path.read_text("utf-8") for path in (tmp_path / claims.CONSUMED).iterdir()] == [text]
    assert list((tmp_path / claims.CLAIMS).rglob("*.md")) == []


def test_a_note_that_a_dead_run_claimed_goes_with_the_next_dispatch(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("NOTE — from before\n")
    claims.claim(tmp_path, "mill", LateWrites())
    mill.run()
    assert mill.worker.seen[0].notes == ("from before",)


def test_only_line_feeds_end_a_note(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("NOTE keep it\u2028STOP\u2029SKIP T-01\x85ADD x — y\x0bSTOP\x0cSTOP\n")
    assert mill.run().code == 0
    assert mill.worker.ids == ["T-01"]


def test_while_somebody_is_about_to_send_something_nothing_is_dispatched(tmp_path, monkeypatch):
    from harness_tui.workspace import lock

    monkeypatch.setattr(lock.KeptLock.held.__wrapped__, "__defaults__", (0.05,))
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    holding = lock.locked(tmp_path, mailbox.LOCK)
    holding.__enter__()

    def free(event):
        if event.kind == "waiting":
            assert mill.worker.ids == []
            holding.__exit__(None, None, None)

    assert mill.run(on_event=free).code == 0
    assert mill.worker.ids == ["T-01"]
    assert [event.kind for event in mill.events].count("waiting") == 1


@pytest.mark.parametrize(("keyword", "argument", "row"), [("ADD", "new-row", "new-row"), ("SKIP", "T-02", "T-02")])
def test_what_was_done_is_proved_by_the_line_of_its_row(tmp_path, keyword, argument, row):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    mailbox.send(tmp_path, new_signal(keyword, argument, "a goal"), pool_id="mill")
    mill.run()
    (sent,) = follow(mailbox.read_history(tmp_path), Sights(read_workspace(tmp_path).interventions))
    assert sent.state == "in-effect"
    assert row in (tmp_path / sent.evidence.path).read_text("utf-8").split("\n")[sent.evidence.line - 1]
