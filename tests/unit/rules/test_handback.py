"""The lock: locked by any value, unlocked only when every value says so plainly."""

import pytest

from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.servo_fields import read_fields
from harness_tui.rules.handback import judge_handback

GUARD = """# Control

## Handback Guard

- handoff_state: waiting
- last_stop_reason: the wick is too short
- last_handback_signature: MS-7/accept/noon
- handback_reaffirmed_rounds: 1
- stable_handback_threshold: 2
- handback_lock_active: false
- last_unlock_signal: N/A
"""


def judge(text: str, active: str = "MS-7"):
    document = read_fields(text.encode(), ".servo/control-state.md")
    return judge_handback(guard_record([document], document.path), active)


def gaps(handback, key: str):
    return [gap for gap in handback.gaps if gap.key == key]


def lock(value: str):
    return judge(GUARD.replace("lock_active: false", f"lock_active: {value}"))


def test_a_complete_guard_has_no_gap():
    found = judge(GUARD)
    assert (found.locked, found.state, found.rounds, found.threshold) == (False, "waiting", 1, 2)
    assert (found.signature, found.last_unlock, found.unlock_valid, found.gaps) == ("MS-7/accept/noon", None, None, ())
    assert (found.line, [reason.text for reason in found.stop_reasons]) == (10, ["the wick is too short"])


@pytest.mark.parametrize(
    "value", ["true", "Yes", "YES", "`true`", "**yes**", "Yes  <!-- by hand -->", '"true"', "true.", "是"]
)
def test_every_spelling_of_yes_locks(value):
    assert lock(value).locked is True


@pytest.mark.parametrize(
    "value", ["", "N/A", "maybe", "fals", "false; but true for MS-2", "no longer", "0", "null", "f\u200balse"]
)
def test_what_is_unreadable_is_not_unlocked_and_named_with_its_line(value):
    found = lock(value)
    assert found.locked is None
    assert [gap.line for gap in gaps(found, "handback_lock_active")] == [10]


@pytest.mark.parametrize("value", ["false", "no", "False", "`false`", "'no'"])
def test_a_plain_no_unlocks(value):
    assert lock(value).locked is False


def test_missing_is_another_gap_than_unreadable():
    found = judge(GUARD.replace("- handback_lock_active: false\n", ""))
    (gap,) = gaps(found, "handback_lock_active")
    assert (found.locked, gap.line, gap.why) == (None, None, "missing")
    found = judge("# Control\n")
    assert found.locked is None
    assert "no section" in gaps(found, "handback_lock_active")[0].why


@pytest.mark.parametrize("values", [("true", "false"), ("false", "true"), ("false", "yes", "no")])
def test_of_two_values_the_stricter_counts_and_both_lines_are_named(values):
    text = GUARD.replace("- handback_lock_active: false\n", "".join(f"- handback_lock_active: {v}\n" for v in values))
    found = judge(text)
    (gap,) = gaps(found, "handback_lock_active")
    assert found.locked is True
    assert all(f"line {10 + at}" in gap.why for at in range(len(values)))


def test_a_yes_in_a_list_below_the_key_locks_whatever_stands_beside_it():
    for below in ("false\n  - true", "\n  - true\n  - false", "\n  - by: hand\n  - true", "false\n  - was no\n  - Yes"):
        assert lock(below).locked is True, below
    assert lock("false\n  - lifted by the programmer").locked is False
    assert lock("false\n  - no").locked is False
    assert lock("\n  - no\n  - hm").locked is None


def test_false_beside_an_unreadable_value_is_not_unlocked():
    assert judge(GUARD + "- handback_lock_active: hm\n").locked is None


def test_the_same_key_outside_the_section_is_no_part_of_the_guard():
    assert judge(GUARD + "\n## Autonomy Ledger\n\n- handback_lock_active: true\n").locked is False
    assert judge("## Autonomy Ledger\n\n- handback_lock_active: false\n").locked is None
    assert judge("---\nhandback_guard:\n  handback_lock_active: false\n---\n").locked is None
    assert judge("## Handback Guard\n\n- last_unlock_signal:\n  - handback_lock_active: false\n").locked is None
    assert judge(GUARD.replace("Handback Guard", "交接守卫")).locked is False


def test_a_second_section_of_the_name_counts_too():
    assert judge(GUARD + "\n## Other\n\n- x: y\n\n## Handback Guard\n\n- handback_lock_active: true\n").locked is True


def test_both_names_of_the_lock_are_read_and_a_slip_is_not_passed_over():
    assert judge(GUARD.replace("handback_lock", "handoff_lock")).locked is False
    assert judge(GUARD + "- handoff_lock_active: yes\n").locked is True
    assert judge(GUARD + "- handback_lock_activ: true\n").locked is True
    assert judge(GUARD + "- handback_lock_actixe: false\n").locked is None


def test_remarks_and_code_do_not_lock():
    assert judge(GUARD + "> - handback_lock_active: true\n").locked is False


@pytest.mark.parametrize("shape", ["```yaml\nhandback_lock_active: true\n```\n", "- handback_lock_active：是\n",
                                   "handback_lock_active: true\n", "- handback_lock_active:\n  - true\n"])  # fmt: skip
def test_every_shape_of_the_field_locks(shape):
    assert judge(GUARD + shape).locked is True


@pytest.mark.parametrize(
    ("key", "attribute"), [("stable_handback_threshold", "threshold"), ("handback_reaffirmed_rounds", "rounds")]
)
def test_a_number_that_is_none_is_a_gap_with_its_line_and_no_default(key, attribute):
    old = next(line for line in GUARD.splitlines() if key in line)
    found = judge(GUARD.replace(old, f"- {key}: two"))
    assert getattr(found, attribute) is None
    assert gaps(found, key)[0].line == GUARD.splitlines().index(old) + 1
    assert getattr(judge(GUARD.replace(old, f"- {key}: 02")), attribute) == 2


def test_of_doubled_numbers_the_stricter_counts():
    found = judge(GUARD + "- stable_handback_threshold: 9\n- handback_reaffirmed_rounds: 5\n")
    assert (found.threshold, found.rounds) == (2, 5)


def test_a_reached_threshold_without_a_lock_is_named():
    found = judge(GUARD.replace("rounds: 1", "rounds: 2"))
    assert "reach the threshold" in gaps(found, "handback_lock_active")[0].why


def test_repeated_stop_reasons_are_a_history():
    found = judge(GUARD + "- last_stop_reason: slice done\n")
    assert [reason.line for reason in found.stop_reasons] == [6, 12]
    assert found.gaps == ()
    found = judge(GUARD.replace("last_stop_reason: the wick is too short", "stop_reason_history:\n  - a\n  - b"))
    assert [reason.text for reason in found.stop_reasons] == ["a", "b"]


def test_free_states_are_shown_as_written():
    assert judge(GUARD.replace("waiting", "lamp_trimmed")).state == "lamp_trimmed"
    assert judge(GUARD.replace("waiting", "N/A")).state == "none"
    assert judge(GUARD.replace("- handoff_state: waiting\n", "")).state == "unknown"


STRUCTURED = """- last_unlock_signal:
  - source: "programmer"
  - instruction: "take the brass lamp, raise the cap to 3"
  - timestamp: "2031-07-01T09:00:00Z"
  - confirmation: "unlock MS-7"
"""


def unlock(signal: str, active: str = "MS-7"):
    return judge(GUARD.replace("- last_unlock_signal: N/A\n", signal), active)


def test_a_structured_signal_is_valid_when_all_parts_are_right():
    found = unlock(STRUCTURED)
    assert (found.unlock_valid, found.last_unlock) == (True, "take the brass lamp, raise the cap to 3")
    assert found.unlock.confirmation == "unlock MS-7"


def test_a_signal_as_json_is_structured_too():
    signal = (
        '- last_unlock_signal: {"source": "agent", "instruction": "take it", "timestamp": "x", "confirmation": "y"}\n'
    )
    assert "agent" in unlock(signal).unlock_why


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"programmer"', "harness-skill", "harness-skill"),
        ('"programmer"', "", "no source"),
        ('"2031-07-01T09:00:00Z"', "yesterday", "timestamp"),
        ('  - timestamp: "2031-07-01T09:00:00Z"\n', "", "no timestamp"),
        ('"take the brass lamp, raise the cap to 3"', "继续。", "bare"),
        ('"take the brass lamp, raise the cap to 3"', "N/A", "no instruction"),
        ('"take the brass lamp, raise the cap to 3"', "The wick is too short!", "repeats"),
        ("unlock MS-7", "unlock MS-8", "MS-8"),
        ("unlock MS-7", "fine", "does not say unlock"),
        ("unlock MS-7", "", "no confirmation"),
    ],
)
def test_each_fault_of_a_structured_signal_is_named(old, new, why):
    assert old in STRUCTURED
    found = unlock(STRUCTURED.replace(old, new))
    assert found.unlock_valid is False
    assert why in found.unlock_why


@pytest.mark.parametrize(
    "line", ['source: "agent"', 'timestamp: "soon"', 'confirmation: "unlock MS-8"', 'confirmation: "do not unlock"']
)
def test_a_part_of_a_signal_that_is_given_twice_is_not_taken_from_the_better_line(line):
    first = STRUCTURED.replace("  - source", f"  - {line}\n  - source")
    assert unlock(first).unlock_valid is False
    assert unlock(f"{STRUCTURED}  - {line}\n").unlock_valid is False
    assert unlock(f'{STRUCTURED}  - source: "programmer"\n').unlock_valid is True


def test_an_invalid_signal_among_several_spoils_them_and_a_repeat_is_one():
    assert unlock(STRUCTURED + STRUCTURED).unlock_valid is False
    assert "repeats" in unlock(STRUCTURED + STRUCTURED).unlock_why


def test_an_unlock_without_an_active_milestone_may_name_the_one_of_the_signature():
    assert unlock(STRUCTURED, "none").unlock_valid is True
    assert unlock(STRUCTURED.replace("unlock MS-7", "unlock MS-6"), "none").unlock_valid is False


def test_a_valid_signal_does_not_lift_the_lock():
    assert unlock(STRUCTURED.replace("- last_unlock", "- handback_lock_active: true\n- last_unlock")).locked is True
