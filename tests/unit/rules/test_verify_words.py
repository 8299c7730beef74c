"""The result of verify_all is told in words, not in a row of numbers."""

import pytest
from support.build import NOW

from harness_tui.model.verify import VerifyRun
from harness_tui.rules.verify_words import verify_words


@pytest.mark.parametrize(
    ("verdict", "counts", "words"),
    [
        ("pass", (4, 0, 0, 0), "pass, 4 ok"),
        ("pass", (4, 0, 0, 2), "pass, 4 ok, 2 skipped"),
        ("soft-fail", (3, 1, 0, None), "soft-fail, 3 ok, 1 warned"),
        ("hard-fail", (0, 0, 2, 0), "hard-fail, 2 failed"),
        ("unknown", (None, None, None, None), "unknown"),
    ],
)
def test_the_verdict_and_what_occurred_are_told(verdict, counts, words):
    assert verify_words(VerifyRun(verdict, *counts, None, NOW, "v.log")) == words
