from __future__ import annotations

import pytest

from harness_tui.formats.worker_verdict import last_verdict, read_verdict_line


@pytest.mark.parametrize(
    ("line", "word", "reason"),
    [
        ("DELIVERED", "delivered", ""),
        ("**DELIVERED**", "delivered", ""),
        ("## Verdict: DELIVERED v0.3 (all gates)", "delivered", "v0.3 (all gates)"),
        ("- **Outcome:** **DELIVERED**", "delivered", ""),
        ("verdict: delivered", "delivered", ""),
        ("FAILED: the kiln is cold", "failed", "the kiln is cold"),
        ("FAILED: expected DELIVERED", "failed", "expected DELIVERED"),
        ("BLOCKED — no clay", "blocked", "no clay"),
        ("BLOCKED: NEEDS-HUMAN — open the door — firing", "needs-human", "open the door"),
        ("> `BLOCKED: needs-human: sign it`", "needs-human", "sign it"),
        ("DELIVERED: no, half of it", "failed", "DELIVERED: no, half of it"),
        ("DELIVERED?", "failed", "DELIVERED?"),
    ],
)
def test_lines_that_state_a_verdict(line, word, reason):
    assert read_verdict_line(line)[:2] == (word, reason)


@pytest.mark.parametrize(
    "line",
    [
        "", "the task was DELIVERED", "NOT DELIVERED", "Delivered the parts", "DELIVERED-ish", "DELIVERED_X",
        "DELIVERED | FAILED | BLOCKED", "DELIVERED, FAILED or BLOCKED", "End with DELIVERED", "UNDELIVERED",
        "BLOCKED or FAILED: choose",
    ],
)  # fmt: skip
def test_lines_that_only_hold_the_words(line):
    assert read_verdict_line(line) is None


@pytest.mark.parametrize(
    ("line", "ask", "needed"),
    [
        ("BLOCKED: NEEDS-HUMAN — open the door — firing", "open the door", "firing"),
        ("BLOCKED: NEEDS-HUMAN -- a -- b -- all of it", "a — b", "all of it"),
        ("BLOCKED: NEEDS-HUMAN: sign it", "sign it", ""),
        ("BLOCKED: NEEDS-HUMAN", "", ""),
    ],
)
def test_what_is_asked_of_a_person_and_what_that_unblocks(line, ask, needed):
    assert read_verdict_line(line) == ("needs-human", ask, needed)


def test_the_last_verdict_counts():
    assert last_verdict(["FAILED: once", "again", "DELIVERED", "bye"]).word == "delivered"
    assert last_verdict(["DELIVERED", "FAILED"]).word == "failed"
    assert last_verdict(["nothing"]) is None


def test_hidden_characters_in_a_reason_are_shown():
    assert read_verdict_line("FAILED: a\x1b[2Jb").reason == "a␛[2Jb"
