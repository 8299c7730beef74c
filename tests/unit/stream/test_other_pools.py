"""Signals that were sent for another pool wait for the run of that pool: never taken, never lost, acted on once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.runs import Mill, Script, StepClock, plan_text

from harness_tui.formats.mailbox import new_signal
from harness_tui.model.refusal import Refused
from harness_tui.workspace import claim_folder, claims, mailbox
from harness_tui.workspace.late_writes import LateWrites
from harness_tui.workspace.once import read_workspace
from harness_tui.workspace.outgoing import outgoing

CHANGES = ("write", "replace", "link", "unlink", "mkdir")
OTHER = "docs/batches/quay/BATCH_PLAN.md"


@pytest.fixture
def mill(tmp_path):
    """Two pools: `mill` and `quay`."""
    mill = Mill(tmp_path, ("T-01", "", "pending"), ("T-02", "", "pending"))
    path = tmp_path / OTHER
    path.parent.mkdir(parents=True)
    path.write_text(plan_text(("T-01", "", "pending")), "utf-8")
    return mill


CLAIMING = """
import os, sys
from pathlib import Path
from support.os_calls import Calls, die
from harness_tui.workspace import claims
from harness_tui.workspace.late_writes import LateWrites
for point in map(int, sys.stdin):
    child = os.fork()
    if not child:
        with Calls(lambda number, *_: die() if number == point else None, names=sys.argv[2:]):
            claims.claim(Path(sys.argv[1]), "mill", LateWrites())
        os._exit(0)
    print(int(os.WIFSIGNALED(os.waitpid(child, 0)[1])), flush=True)
"""


@pytest.fixture
def dies_at(mill):
    """Claim for `mill` in a process that is killed before its call `point`; whether it came to that.

    It is forked by one without threads, which this one may have.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    argv = [sys.executable, "-c", CLAIMING, mill.root, *CHANGES]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(argv, env=environment, text=True, bufsize=1, **pipes) as parent:

        def dies_at(point):
            parent.stdin.write(f"{point}\n")
            return parent.stdout.readline() == "1\n"

        yield dies_at


def send(mill, keyword, argument="", text="", *, pool):
    return mailbox.send(mill.root, new_signal(keyword, argument, text), pool_id=pool).id


def waiting(mill):
    return [(item.signal.keyword, item.signal.argument, item.pool_id) for item in mailbox.pending(mill.root)]


def states(mill):
    return {item.id: item.state for item in read_workspace(mill.root).sent}


def test_what_is_for_another_pool_stays_and_its_run_takes_it(mill):
    new = send(mill, "ADD", "crane", "lift it", pool="quay")
    skip = send(mill, "SKIP", "T-01", pool="quay")
    note = send(mill, "NOTE", "", "salt water", pool="quay")
    stop = send(mill, "STOP", "", "no tide", pool="quay")
    before = mill.mail.read_bytes()
    assert mill.run().code == 0
    assert (mill.worker.ids, mill.mail.read_bytes()) == (["T-01", "T-02"], before)
    assert set(states(mill).values()) == {"waiting"}
    assert any("4 signals wait for a run of pool quay" in event.text for event in mill.events)

    end = mill.run(pool="quay")
    assert (end.state, mill.worker.ids, mill.mail.exists()) == ("hard-stop", [], False)
    assert mill.run(pool="quay").code == 0
    assert [(work.slug, work.notes) for work in mill.worker.seen] == [("crane", ("salt water",))]
    assert [states(mill)[name] for name in (new, skip, stop)] == ["in-effect"] * 3
    assert states(mill)[note] == "in-effect"


def test_of_a_file_for_two_pools_each_run_takes_its_own(mill):
    send(mill, "NOTE", "", "for the quay", pool="quay")
    send(mill, "NOTE", "", "for the mill", pool="mill")
    send(mill, "NOTE", "", "for whoever reads", pool=None)
    mill.run()
    assert mill.worker.seen[0].notes == ("for the mill", "for whoever reads")
    assert waiting(mill) == [("NOTE", "", "quay")]
    mill.run(pool="quay")
    assert mill.worker.seen[0].notes == ("for the quay",)
    assert not mill.mail.exists()


def test_what_was_written_by_hand_is_for_whoever_reads(mill):
    send(mill, "ADD", "crane", "lift it", pool="quay")
    with mill.mail.open("a", encoding="utf-8") as file:
        file.write("\nADD hoist — by hand\n")
    mill.run()
    assert mill.worker.seen[-1].slug == "hoist"
    assert waiting(mill) == [("ADD", "crane", "quay")]


def test_a_stop_for_no_pool_is_one_for_every_run_and_leaves_what_is_for_others(mill):
    send(mill, "ADD", "crane", "lift it", pool="quay")
    send(mill, "STOP", "", "fire", pool=None)
    assert mill.run().code == 5
    assert mill.worker.ids == []
    assert waiting(mill) == [("ADD", "crane", "quay")]


def test_what_is_unclear_still_counts_as_stop_for_every_run(mill):
    send(mill, "ADD", "crane", "lift it", pool="quay")
    mill.mail.write_text("halt!\n\n" + mill.mail.read_text("utf-8"), "utf-8")
    assert mill.run().code == 5
    assert mill.worker.ids == []


def test_a_stop_that_comes_while_others_wait_is_heeded_before_the_next_dispatch(mill):
    send(mill, "ADD", "crane", "lift it", pool="quay")
    assert mill.run(Script({"T-01": lambda _work, **_: send(mill, "STOP", pool="mill")})).code == 5
    assert mill.worker.ids == ["T-01"]
    assert waiting(mill) == [("ADD", "crane", "quay")]


def test_a_run_that_waits_is_not_woken_for_ever_by_what_is_for_others(mill):
    send(mill, "ADD", "crane", "lift it", pool="quay")
    assert mill.run(clock=StepClock(), idle=2).code == 0
    assert [event.kind for event in mill.events].count("waiting") == 1


def test_what_waits_for_others_is_told_when_it_is_other_than_before(mill):
    send(mill, "ADD", "crane", "lift it", pool="quay")

    def more(pool):
        return lambda _work, **_: send(mill, "NOTE", "", f"for {pool}", pool=pool) and None

    mill.run(Script({"T-01": more("mill"), "T-02": more("quay")}), clock=StepClock(), idle=1)
    told = [event.text for event in mill.events if "for a run of pool" in event.text]
    assert told == ["1 signal waits for a run of pool quay", "2 signals wait for a run of pool quay"]


def test_what_a_dead_run_has_claimed_is_left_to_the_next_run_of_its_pool(mill):
    send(mill, "NOTE", "", "for the quay", pool="quay")
    claims.claim(mill.root, "quay", LateWrites())
    mill.run()
    assert mill.worker.seen[0].notes == ()
    mill.run(pool="quay")
    assert mill.worker.seen[0].notes == ("for the quay",)


def test_a_kill_before_any_change_of_a_divided_claim_loses_and_doubles_nothing(mill, dies_at):
    point, killed = 0, True
    while killed:
        point += 1
        send(mill, "NOTE", "", "for the quay", pool="quay")
        send(mill, "NOTE", "", "for the mill", pool="mill")
        killed = dies_at(point)
        mailbox.recover(mill.root)  # as whoever sends next does
        found = claims.left_over(mill.root, "mill") or claims.claim(mill.root, "mill", LateWrites())
        assert [item.signal.text for item in found] == ["for the mill"], point
        assert waiting(mill) == [("NOTE", "", "quay")], point
        for item in found:
            claims.settle(mill.root, item)
        mailbox.withdraw(mill.root)
        names = [path.name for path in (mill.root / ".harness").rglob("*")]
        assert not [name for name in names if "tmp" in name or name.endswith(claim_folder.PREPARED)], (point, names)
    assert point > 8


def test_what_waits_for_another_pool_keeps_nobody_from_sending_the_like_for_this_one(mill):
    send(mill, "SKIP", "T-01", pool="quay")
    send(mill, "ADD", "crane", "lift it", pool="quay")
    snapshot = read_workspace(mill.root)
    assert outgoing(snapshot, "SKIP", "T-01", "", pool_id="mill").pool_id == "mill"
    assert outgoing(snapshot, "ADD", "crane", "here, too", pool_id="mill").pool_id == "mill"
    for wish in (("SKIP", "T-01", ""), ("ADD", "crane", "twice")):
        with pytest.raises(Refused, match="waits in the file already"):
            outgoing(snapshot, *wish, pool_id="quay")
