"""STOP counts before the next dispatch whatever else goes wrong at that moment."""

from __future__ import annotations

import threading

import pytest
from support.runs import Mill, Script

from harness_tui.formats.mailbox import new_signal
from harness_tui.stream.asking import Asking
from harness_tui.stream.rest import Rest
from harness_tui.workspace import claims, mailbox
from harness_tui.workspace.lock import LockedError


@pytest.fixture
def history_is_held(monkeypatch):
    """Somebody holds the mailbox for long, just when the run wants to set down what it has claimed."""

    def busy(root, _event, items):
        if items:
            raise LockedError(root / mailbox.LOCK, "held just when it was to be told of")

    monkeypatch.setattr(claims, "tell", busy)


@pytest.mark.usefixtures("history_is_held")
def test_a_stop_that_was_claimed_counts_though_the_history_of_signals_can_not_be_written(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mailbox.send(tmp_path, new_signal("STOP", "", "the tree is red"))
    end = mill.run()
    assert (end.code, mill.worker.ids) == (5, [])


@pytest.mark.usefixtures("history_is_held")
def test_all_that_was_claimed_is_acted_on_once_though_the_history_of_signals_can_not_be_written(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    for signal in (new_signal("ADD", "new-row", "a goal"), new_signal("SKIP", "T-02", ""), new_signal("NOTE", "", "x")):
        mailbox.send(tmp_path, signal)
    assert mill.run().code == 0
    assert mill.worker.ids == ["T-01", "T-03"]
    assert mill.worker.seen[0].notes == ("x",)
    said = [event.text for event in mill.events if "which could not be set down" in event.text]
    assert [text.partition(": ")[0] for text in said] == [
        "picked-up, which could not be set down", "in-effect, which could not be set down",
        "in-effect, which could not be set down",
    ]  # fmt: skip
    assert ["ADD, SKIP, NOTE" in text for text in said] == [True, False, False]
    assert list((tmp_path / claims.CLAIMS).rglob("*.md")) == []


def test_a_note_goes_out_beside_a_log_that_is_too_big_to_be_read_whole(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    line = b"- 2027-03-09 11:00 \xc2\xb7 T-90 \xc2\xb7 note \xc2\xb7 " + b"x" * 60_000 + b"\n"
    with mill.log.open("wb") as log:
        for _ in range(600):
            log.write(line)
    mailbox.send(tmp_path, new_signal("NOTE", "", "mind the gap"), pool_id="mill")
    end = mill.run()
    assert (end.state, mill.worker.seen[0].notes) == ("drained", ("mind the gap",))
    proof = [item for item in mailbox.read_history(tmp_path).records if item.event == "in-effect"]
    assert [item.evidence.line for item in proof] == [602]


def test_a_file_that_was_mended_while_the_run_made_up_its_mind_to_hold_is_read(tmp_path, monkeypatch):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    mill.send("hold on\n", age=10)
    hold = Rest.hold

    def mended(*arguments):
        mill.send("STOP\n")
        hold(*arguments)

    monkeypatch.setattr(Rest, "hold", mended)
    cancel = threading.Event()
    late = threading.Timer(8.0, cancel.set)
    late.start()
    try:
        assert mill.run(follow=True, cancel=cancel).state == "hard-stop"
    finally:
        late.cancel()


def test_a_stop_that_is_sent_before_the_entropy_sweep_keeps_its_worker_from_being_started(tmp_path, monkeypatch):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    (tmp_path / ".harness/entropy-watch.state").write_text("delivered_since_sweep=99\n")
    line = Asking.line

    def sent_meanwhile(asking):
        if mill.worker.ids:
            mailbox.send(tmp_path, new_signal("STOP", "", ""))
        return line(asking)

    monkeypatch.setattr(Asking, "line", sent_meanwhile)
    mill.run()
    assert mill.worker.ids == ["T-01"]


@pytest.mark.parametrize("others", [False, True], ids=["all of it", "a part of it"])
def test_a_stop_that_is_written_by_who_has_the_claimed_file_open_counts_before_the_next_dispatch(tmp_path, others):
    """`cat >> .harness/intervention.md`: the file is claimed after the first line, the second goes where it went."""
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    if others:
        mailbox.send(tmp_path, new_signal("NOTE", "", "for another one"), pool_id="quay")
    with mill.mail.open("a") as typed:
        typed.write("\nNOTE — mind the gap\n")
        typed.flush()

        def go_on(*_arguments, **_more):
            typed.write("\nSTOP — the tree is red\n")
            typed.flush()

        end = mill.run(Script({"T-01": go_on}))
    assert (end.code, end.reason, mill.worker.ids) == (5, "STOP signal: the tree is red", ["T-01"])
    assert mill.worker.seen[0].notes == ("mind the gap",)
    assert mill.run().code == 0


def test_what_is_written_late_when_the_run_is_over_waits_for_the_next_one_and_no_file_stays_open(tmp_path, files_open):
    mill = Mill(tmp_path, ("T-01", "", "pending"))
    before = files_open()
    with mill.mail.open("a") as typed:
        typed.write("NOTE — mind the gap\n")
        typed.flush()

        def go_on(event):
            if event.kind == "ended":
                typed.write("STOP — the tree is red\n")
                typed.flush()

        assert mill.run(on_event=go_on).code == 0
    assert mill.mail.read_text("utf-8").endswith("STOP — the tree is red\n")
    assert files_open() == before


def test_what_is_written_late_is_never_taken_for_the_text_of_another_signal(tmp_path):
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    with mill.mail.open("a") as typed:
        typed.write("NOTE — mind\n")
        typed.flush()

        def go_on(*_arguments, **_more):
            mailbox.send(tmp_path, new_signal("NOTE", "", "another one"))
            typed.write("please stop\n")
            typed.flush()

        end = mill.run(Script({"T-01": go_on}))
    assert (end.code, mill.worker.ids) == (5, ["T-01"])
    assert "can't be understood (please stop)" in end.reason
