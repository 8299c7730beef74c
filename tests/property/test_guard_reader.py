"""Files in any state never keep the guards from being asked, and nothing of them acts on a terminal."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from support import loop

from harness_tui.model.git import Git
from harness_tui.workspace.guard_reader import GuardReader
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.servo import ServoReader

NAMES = [*loop.STOPPED, ".servo/worktrack/contract.md", ".servo/control-state-repo.md"]
TEXTS = {name: text.encode() for name, text in loop.STOPPED.items()}
PIECES = st.sampled_from(
    [b"\xff", b"\0", b"\r", b"```yaml\n", b"## ", b"- ", b": ", "\u202e".encode(), b"\x1b[2J", b"|"]
)


@st.composite
def damaged(draw):
    """One file, cut and with a piece in it, or any bytes."""
    name = draw(st.sampled_from(NAMES))
    text = TEXTS.get(name, b"- worktrack_branch: wt/WT-LENS-1\n")
    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return name, draw(st.binary(max_size=80) | st.just(text[:start] + draw(PIECES) + text[end:]))


@settings(max_examples=40, deadline=None)
@given(st.lists(damaged(), min_size=1, max_size=4))
def test_every_guard_answers_whatever_the_files_hold(files):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name, data in {**TEXTS, **dict(files)}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        layout = Layout(root)
        guards = GuardReader(layout, ServoReader(layout)).refresh(Git(branch="main", head="0" * 40), None, 0.0).guards
    assert len([answer for answer in guards.answers if answer.stage != "decide"]) == 3
    assert len(guards.decide) == 8
    assert sum(answer.stops for answer in guards.decide) <= 1
    for answer in guards.answers:
        texts = (answer.reason, answer.action, answer.field, *answer.findings, *(item.text for item in answer.items))
        assert all(text.isprintable() for text in texts)
        assert answer.line is None or answer.line > 0
