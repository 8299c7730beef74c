"""STOP takes effect before the next dispatch, always: whenever it becomes visible, nothing is dispatched any more."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from support.os_calls import Calls
from support.runs import Mill, Script, StepClock

from harness_tui.formats.intervention import PATH
from harness_tui.formats.mailbox import append, new_signal
from harness_tui.workspace import mailbox

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
STOP = new_signal("STOP", "", "the tree is red")
HOW = st.sampled_from(["sent", "by hand", "unclear", "behind a note"])


def visible(root, how):
    path = root / PATH
    if how == "sent":
        mailbox.send(root, STOP)
    elif how == "unclear":
        path.write_bytes(b"please stop\n")
        os.utime(path, (0, 0))
    else:
        data = append(None, new_signal("NOTE", "", "first")) if how == "behind a note" else None
        path.with_name("fresh").write_bytes(append(data, STOP))
        path.with_name("fresh").replace(path)


@settings(max_examples=60, deadline=None)
@given(at=st.integers(1, 14), how=HOW, follow=st.booleans())
def test_at_any_event(at, how, follow):
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        mill = Mill(Path(folder), *((f"T-{number:02}", "", "pending") for number in range(1, 5)))
        events = []

        def told(event):
            events.append(event.kind)
            if "STOP" not in events and (len(events) == at or event.kind == "waiting"):
                events.append("STOP")
                visible(mill.root, how)
            elif event.kind == "waiting":  # it holds until the operator decides
                (mill.root / PATH).write_bytes(b"STOP\n")

        script = Script()
        end = mill.run(script, on_event=told, clock=StepClock(), follow=follow)
        seen = events.index("STOP") if "STOP" in events else len(events)
        assert "dispatched" not in events[seen:]
        assert end.code == 5 or events[seen - 1] == "ended" or seen == len(events)
        assert mill.log.read_text("utf-8").count(" · dispatching ") == len(script.ids) == events.count("dispatched")


@settings(max_examples=60, deadline=None)
@given(at=st.integers(1, 900), how=st.sampled_from(["by hand", "behind a note"]))
def test_between_any_two_calls_of_the_system(at, how):
    """Written by hand, without our lock: only a line that is being written, after the last look, still goes out."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        mill = Mill(Path(folder), *((f"T-{number:02}", "", "pending") for number in range(1, 5)))
        lines = []

        def before(number, name, arguments):
            if number == at:
                visible(mill.root, how)
            elif name == "write" and number > at and b"dispatching" in bytes(arguments[1]):
                lines.append(number)

        with Calls(before):
            mill.run()
        assert len(lines) <= 1
        assert all(number <= at + 2 for number in lines)  # our own rename, and a look at the log
