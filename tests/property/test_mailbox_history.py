"""Two dashboards, hands and a consumer at one intervention file, also in the last moment before a write."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.mailbox import append, new_signal
from harness_tui.model.refusal import Refused
from harness_tui.workspace import mailbox

OTHERS = st.sampled_from(["nothing", "nothing", "hand", "hand-stop", "consume"])
STEPS = st.lists(
    st.tuples(st.sampled_from(["stop", "note", "add", "withdraw"]), OTHERS, OTHERS), min_size=1, max_size=8
)


class Bench:
    """The file and what was told of it: sent by us, written by hand, read by the consumer."""

    def __init__(self, root):
        self.root = root
        self.file = root / PATH
        self.file.parent.mkdir()
        self.confirmed = Counter()
        self.read = Counter()
        self.number = 0

    def text(self):
        self.number += 1
        return f"number {self.number}"

    def waiting(self):
        data = self.file.read_bytes() if self.file.exists() else None
        return [(item.keyword, item.text) for item in parse_interventions(data).signals]

    def other(self, what):
        """What somebody else does, without asking for our lock."""
        if what == "consume" and self.file.exists():
            self.read.update(self.waiting())
            self.file.unlink()
        elif what.startswith("hand"):
            signal = new_signal("STOP" if what.endswith("stop") else "NOTE", "", self.text())
            data = self.file.read_bytes() if self.file.exists() else None
            self.file.write_bytes(append(data, signal))
            self.confirmed[signal.keyword, signal.text] += 1

    def step(self, what):
        if what == "withdraw":
            try:
                taken = mailbox.withdraw(self.root).signal
            except Refused:
                return
            self.confirmed[taken.keyword, taken.text] -= 1
            return
        signal = new_signal(what.upper(), "a-b" if what == "add" else "", self.text())
        mailbox.send(self.root, signal)
        self.confirmed[signal.keyword, signal.text] += 1


@given(STEPS)
def test_what_was_confirmed_is_read_once_or_still_there_and_stop_is_first(steps):
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        bench = Bench(Path(folder))
        real = mailbox.read_target
        late = []

        def read(path, *, root):
            data = real(path, root=root)
            if late:
                bench.other(late.pop())
            return data

        for what, before, between in steps:
            bench.other(before)
            late[:] = [between]
            mailbox.read_target = read
            try:
                bench.step(what)
            finally:
                mailbox.read_target = real
            assert +(bench.read + Counter(bench.waiting())) == +bench.confirmed
            keywords = [keyword for keyword, _ in bench.waiting()]
            assert keywords == sorted(keywords, key=lambda word: word != "STOP")
