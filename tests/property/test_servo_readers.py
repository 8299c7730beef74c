"""Whatever the bytes, the control loop's readers answer, and damage never makes a verdict better."""

from hypothesis import example, given
from hypothesis import strategies as st
from support.texts import texts_of

from harness_tui.formats.control_state import control_state
from harness_tui.formats.gate_evidence import parse_gate
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_gate import parse_composite
from harness_tui.formats.milestone_index import parse_milestone_index, parse_worktrack_index
from harness_tui.formats.servo_fields import read_fields
from harness_tui.formats.servo_values import flag, verdict_word, whole_number
from harness_tui.formats.text import clean_block
from harness_tui.model.handback import UnlockSignal
from harness_tui.rules.handback import judge_handback
from harness_tui.rules.pipeline import inconsistencies
from harness_tui.rules.unlock import unlock_refusal

PIECES = st.sampled_from(
    [
        "# ", "## ", "### ", "> ", "- ", "  - ", "    - ", "1. ", "| ", " | ", "|---|---|\n", "```yaml\n", "```\n",
        "---\n", "\n", "\n\n", "\r\n", "**", "`", '"', "{", "}", "[", "]", "<!--", "-->", ": ", "：", ":", " >\n", "=",
        "Handback Guard", "handback_lock_active", "last_unlock_signal", "source", "instruction", "confirmation",
        "stable_handback_threshold", "implementation-gate", "Verdict", "validation_surface", "policy_gate", "pass",
        "hard-fail", "blocked", "pass_with_residuals", "worktrack_gate_verdict", "milestone_gate_verdict", "black_box",
        "axis_verdict", "worktrack_list", "worktrack_id", "milestone_id", "status", "MS-1", "WT-2", "(done)", "true",
        "no", "2", "N/A", "manual_exception", "present", "Active", "active_milestone", "继续", " ", "\t", "\ufeff",
        "\u2028", "\x1b[2J", "\u200b", "pg://u:p@h",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)
DATA = st.binary(max_size=200) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))

FAILED = """---
worktrack_id: WT-9
---
## implementation-gate

- Verdict: pass

## validation-gate

- Verdict: {0}

## policy-gate

- Verdict: pass
"""
LOCKED = (
    "# Control\n\n## Handback Guard\n\n- handoff_state: x\n- handback_lock_active: true\n\n## Ledger\n\n- a: false\n"
)
OVERALL = (
    "- worktrack_gate_verdict: hard-fail\n- implementation_gate: pass\n- validation_gate: pass\n- policy_gate: pass\n"
)


def handback(data):
    document = read_fields(data, "x.md")
    return judge_handback(guard_record([document], "x.md"), control_state([document]).active_milestone)


@given(DATA)
@example(b"- \xff: \x00\n")
def test_no_reader_raises_and_all_texts_are_clean(data):
    document = read_fields(data, "x.md")
    control, lock = control_state([document]), handback(data)
    backlog, milestone = parse_milestone_index(data, "x.md"), parse_milestone(data, "MS-1.md")
    found = (
        document, control, lock, parse_gate(data, "x.md"), milestone, parse_composite(data, "x.md"), backlog,
        parse_worktrack_index(data, "x.md"), inconsistencies(control, backlog, backlog, (milestone,), lock),
    )  # fmt: skip
    for text in texts_of(found):
        assert clean_block(text) == text
        assert "u:p@h" not in text


@given(DATA)
def test_an_unlock_signal_of_any_text_is_judged(data):
    text = data.decode("utf-8", "replace")
    signal = UnlockSignal(text, 1, "programmer", "2031-01-01T00:00:00Z", text, structured=True)
    assert isinstance(unlock_refusal(signal, active_milestone=text, signature=text, repeats=[text]), str)


@given(st.sampled_from(["soft-fail", "hard-fail", "blocked", "pending"]), st.data())
def test_no_changed_byte_makes_a_failed_gate_pass(word, data):
    whole = FAILED.format(word).encode()
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = bytearray(whole)
    changed[at] = data.draw(st.integers(0, 255))
    assert parse_gate(bytes(changed), "x.md").verdict != "pass"


@given(st.integers(0, len(LOCKED.encode()) - 1), st.integers(0, 255))
def test_no_changed_byte_unlocks(at, byte):
    changed = bytearray(LOCKED.encode())
    changed[at] = byte
    assert handback(bytes(changed)).locked is not False


@given(st.integers(0, len(LOCKED.encode()) - 1))
def test_no_cut_unlocks_and_no_cut_passes(at):
    assert handback(LOCKED.encode()[:at]).locked is not False
    assert parse_gate(FAILED.format("blocked").encode()[:at], "x.md").verdict != "pass"


@given(st.integers(2, OVERALL.index(":") - 1), st.characters(categories=["L", "N"]))
def test_a_slip_in_the_key_of_an_overall_failure_does_not_pass(at, letter):
    changed = OVERALL[:at] + letter + OVERALL[at + 1 :]
    assert parse_gate(changed.encode(), "x.md").verdict != "pass"


SPACES = st.sampled_from(["", " ", "  ", "\t"])


@given(st.sampled_from(["pass", "soft-fail", "hard-fail", "blocked", "odd"]), st.booleans(), st.booleans(), SPACES)
def test_line_ends_byte_order_mark_and_blanks_change_no_verdict(word, crlf, bom, blank):
    text = FAILED.format(word)
    other = text.replace("\n", blank + "\n").replace(": ", ": " + blank)
    other = ("\ufeff" if bom else "") + (other.replace("\n", "\r\n") if crlf else other)
    same, changed = parse_gate(text.encode(), "x.md"), parse_gate(other.encode(), "x.md")
    assert (changed.verdict, changed.axes, changed.line) == (same.verdict, same.axes, same.line)
    for value in ("true", "false", "hm"):
        lock = LOCKED.replace("true", value)
        other = lock.replace("\n", blank + "\n").replace(": ", ": " + blank)
        other = ("\ufeff" if bom else "") + (other.replace("\n", "\r\n") if crlf else other)
        assert handback(other.encode()).locked is handback(lock.encode()).locked


KNOWN = ("pass", "passed", "validated", "通过", "accepted")


@given(st.text(max_size=30).filter(lambda text: not any(word in text.casefold() for word in KNOWN)))
def test_a_text_without_a_word_of_the_lists_never_passes(text):
    assert verdict_word(text)[0] != "pass"
    assert parse_gate(FAILED.format(text).encode("utf-8", "surrogatepass"), "x.md").verdict != "pass"


@given(st.text(max_size=12))
def test_only_three_words_mean_no(text):
    if flag(text) is False:
        assert any(word in text.casefold() for word in ("false", "no", "否"))
    number = whole_number(text)
    assert number is None or number >= 0
