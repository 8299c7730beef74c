"""Words, numbers and truths of the control loop: what is no known spelling is never the better reading."""

import pytest

from harness_tui.formats.servo_values import almost, as_list, counts, flag, is_empty, verdict_word, whole_number, worst

PASSES = [
    "pass", "PASSED", "`pass`", "**pass**", '"pass"', "pass.", "pass, 3 notes", "validated", "pass for docs only",
    "**pass** (all green)", "通过", "通过（附注）",
]  # fmt: skip


@pytest.mark.parametrize("text", PASSES)
def test_a_pass_is_a_whole_word_at_the_start(text):
    assert verdict_word(text) == ("pass", False)


@pytest.mark.parametrize("text", ["pass_with_residuals", "pass-with-caveat", "**pass_with_accepted_residuals**",
                                  "accepted_with_notes", "pass_with_retained_repo_warning"])  # fmt: skip
def test_a_pass_with_remarks_is_marked(text):
    assert verdict_word(text) == ("pass", True)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("soft_fail", "soft-fail"), ("软失败", "soft-fail"), ("needs_followup_worktrack", "soft-fail"),
        ("hard-fail", "hard-fail"), ("FAIL", "hard-fail"), ("failed: two tests", "hard-fail"), ("失败。", "hard-fail"),
        ("blocked pending the horn repair.", "blocked"), ("gate-blocked", "blocked"), ("阻塞", "blocked"),
    ],
)  # fmt: skip
def test_adverse_words_are_ranked(text, word):
    assert verdict_word(text) == (word, False)


@pytest.mark.parametrize(
    "text",
    [
        "", "N/A", "none", "pending", "proposed", "pass-ish", "pass_with_remarks", "passable", "not pass", "不通过",
        "pass_pending_programmer_final_acceptance", "pass pending the last run", "pass (if the horn holds)", "skipped",
        "not-applicable", "ｐａｓｓ", "pas s", "accepted", "p‹U+200B›ass", "pass | soft-fail", "pass or fail",
        "pass / fail", "pass: yes",
    ],
)  # fmt: skip
def test_an_unknown_or_undecided_word_never_passes(text):
    assert verdict_word(text) == ("unknown", False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("Yes", True), ("`yes`", True), ("是", True), ("yes for docs; no for code", True), ("on", True),
        ("false", False), ("No.", False), ('"false"', False), ("否", False), ("false  # since noon", False),
        ("false; but true for MS-2", None), ("no for closing; yes for code", None), ("", None), ("N/A", None),
        ("falsy", None), ("0", None), ("nope", None), ("maybe", None), ("fal‹U+200B›se", None),
    ],
)  # fmt: skip
def test_a_no_is_only_what_says_no_and_nothing_else(text, value):
    assert flag(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [("2", 2), ("02", 2), ("`7`", 7), ("26; cap 6", 26), ("3 (three)", 3), ("two", None), ("2x", None), ("-1", None),
     ("", None), ("1.5", None), ("9" * 40, None), ("2 of 3", None)],
)  # fmt: skip
def test_a_number_is_read_whole_or_not_at_all(text, value):
    assert whole_number(text) == value


@pytest.mark.parametrize("text", ["", "N/A", "none", "None.", "[]", "-", "—", "null", "N/A; not yet", "无"])
def test_nothing_is_written_in_many_ways(text):
    assert is_empty(text)


@pytest.mark.parametrize("text", ["[a, b]", "(see below)", "nonesuch", "0", "false"])
def test_what_says_something_is_not_empty(text):
    assert not is_empty(text)


def test_lists_and_counts_are_read_in_every_inline_shape():
    assert as_list("[MS-1, `MS-2`]") == as_list("MS-1、MS-2") == ("MS-1", "MS-2")
    assert as_list("none") == ()
    wanted = (("planned", 0), ("active", 1), ("completed", 4))
    assert counts(["planned=0 / active=1 / completed=4"]) == wanted
    assert counts(["active_count: 1", "planned_count: 0", "completed_count: 4; more text"]) == wanted


def test_a_known_hard_failure_outweighs_the_unknown_and_the_unknown_a_soft_one():
    assert worst(["pass", "unknown", "hard-fail"]) == "hard-fail"
    assert worst(["pass", "unknown", "soft-fail"]) == "unknown"
    assert worst(["hard-fail", "blocked"]) == "blocked"
    assert worst([]) == "unknown"


@pytest.mark.parametrize(
    ("name", "same"),
    [("verdict", False), ("verdikt", True), ("verdit", True), ("verdictt", True), ("erdict", True), ("vertikt", False)],
)
def test_a_slip_is_one_character(name, same):
    assert almost(name, "verdict") is same
