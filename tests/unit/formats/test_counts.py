import pytest

from harness_tui.formats.counts import Counts, counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("32/0/0", (32, 0, 0, None)),
        (r"32\/0\/0", (32, 0, 0, None)),
        ("17/0/0/1", (17, 0, 0, 1)),
        ("PASS 31 / FAIL 1", (31, None, 1, None)),
        ("PASS=31 / FAIL=1", (31, None, 1, None)),
        ("PASS: 3, WARN: 1, FAIL: 0", (3, 1, 0, None)),
        ("23 PASS / 2 FAIL / 0 WARN", (23, 0, 2, None)),
        ("PASS 17 / WARN 0 / FAIL 0 / SKIP 1", (17, 0, 0, 1)),
        ("verify_all.sh --quick PASS 30 / FAIL 1 (as before)", (30, None, 1, None)),
        ("9 agents, 16/8/32 stay. verify_all.sh 32/0/0.", (32, 0, 0, None)),
        ("verify_all = 25 PASS / 2 FAIL (both from the baseline)", (25, None, 2, None)),
        ("verify_all=PASS 32/0/0 (first tsc FAIL, mended, PASS again)", (32, 0, 0, None)),
        ("verify_all FAIL (3 checks)", (None, None, 3, None)),
    ],
)
def test_each_shape_of_counts_is_read(text, expected):
    assert counts(text)[:4] == expected


@pytest.mark.parametrize(
    "text", ["", "nothing here", "2026/05/30", "6/6 DELIVERED", "a/1/2/3", "the tests PASS", "verify_all was not run"]
)
def test_a_text_without_counts_gives_none(text):
    assert counts(text) is None


def test_a_bare_word_has_no_numbers():
    assert counts("PASS") == Counts(None, None, None, None, "PASS")
    assert counts("final verify_all: FAIL") == Counts(None, None, None, None, "FAIL")


@pytest.mark.parametrize(
    ("text", "red"), [("PASS", False), ("FAIL", True), ("32/0/0", False), ("31/0/1", True), ("FAIL 32/0/0", True)]
)
def test_the_worse_of_word_and_number_wins(text, red):
    assert counts(text).red is red
    assert Counts(3, None, None, None).red is None


def test_a_number_of_thousands_of_digits_is_no_count():
    assert counts("PASS " + "9" * 5000) is None or counts("PASS " + "9" * 5000).passed is None
