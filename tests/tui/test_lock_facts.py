"""What is said of the handback lock is true of it."""

import pytest

from harness_tui.model.handback import Handback
from harness_tui.tui.facts_control import lock_facts, open_lock_facts


@pytest.mark.parametrize(
    ("locked", "rounds", "threshold", "words"),
    [
        (True, 2, 2, "2 of 2, it is locked"),
        (True, 1, 3, "1 of 3, it is locked"),
        (True, None, 2, "? of 2, it is locked"),
        (False, 1, 2, "1 of 2 until it locks"),
        (False, 2, 2, "2 of 2, and still it is not locked"),
        (False, None, None, "? of ? until it locks"),
        (None, 2, 2, "2 of 2, not recorded whether it is locked"),
    ],
)
def test_rounds_are_told_as_the_lock_stands(locked, rounds, threshold, words):
    handback = Handback("state.md", locked, "waiting", rounds, threshold, None, None, None)
    lines = [fact.plain for fact in (*lock_facts(handback), *open_lock_facts(handback))]
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith("rounds")] == [words]
