"""An unlock signal is the only thing that changes, whatever the control state looks like."""

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.formats.control_edit import with_unlock
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.json_edit import EditError
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.handback import UnlockSignal

LINES = st.sampled_from(
    [
        "", "", "## Handback Guard", "## Notes", "- handback_lock_active: true", "- last_unlock_signal: N/A",
        "- last_unlock_signal:", "  - source: x", '  - instruction: "y"', "    more words", "last_unlock_signal: z",
        "### last_unlock_signal", "> remark", "| a | b |", "|---|---|", "```yaml", "```", "<!-- a", "-->", "---",
        "handoff_state: none", "* last_unlock_signal: >", "  folded", "\t- deep: 1", "- 交接: 是", "\x00\x1b[2J",
    ]
)  # fmt: skip
WORDS = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x9FFF, exclude_categories=["Cs", "Cc", "Cf"]), max_size=40
)


@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans(), WORDS)
def test_the_signal_reads_back_and_every_other_line_stays(lines, end, last, words):
    lines = ["## Handback Guard", "- handoff_state: none", *lines]
    data = (end.join(lines) + (end if last else "")).encode()
    signal = UnlockSignal(words.strip() or "x", 0, "programmer", "2027-04-05T06:07:08Z", "unlock", structured=True)
    try:
        after = with_unlock(data, signal, "c.md")
    except EditError:
        return
    (found,) = guard_record((read_fields(after, "c.md"),), "c.md").unlocks
    assert found._replace(line=0) == signal
    old, new = data.split(b"\n"), after.split(b"\n")
    most = min(len(old), len(new))
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a.rstrip(b"\r") != b.rstrip(b"\r")), most)
    pairs = list(zip(reversed(old), reversed(new), strict=False))[: most - head]
    tail = next((n for n, (a, b) in enumerate(pairs) if a.rstrip(b"\r") != b.rstrip(b"\r")), len(pairs))
    gone = old[head : len(old) - tail]
    assert all(line[:1] in b" \t\r" or b"signal" in line for line in gone)
    assert after.endswith(b"\n") == data.endswith(b"\n")
