"""Where a document states its verdict: each shape by itself, with words and keys of its own."""

import pytest

from harness_tui.formats.markdown import read_document
from harness_tui.formats.statements import grammar, statements

LANGUAGE = grammar(
    {"RIPE": "RIPE", "NOT RIPE": "NOT RIPE", "PICKED": "PICKED"},
    keys="verdict|state", firm="verdict", weak="PICKED", adverse="NOT",
)  # fmt: skip


def said(text):
    found = statements(read_document(text.encode()), LANGUAGE)
    return [(item.word, item.key, item.line.number, item.shape) for item in found]


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("## Verdict: RIPE", "RIPE", 1),
        ("## Verdict: v0.1 RIPE", "RIPE", 1),
        ("## Verdict\n\nRIPE", "RIPE", 3),
        ("## Verdict\n\nThe rows were looked at.\n\nRIPE with two dents", "RIPE", 5),
        ("## Verdict\n\n### RIPE", "RIPE", 3),
        ("## Verdict\n\n```\nRIPE\n```", "RIPE", 4),
        ("## Verdict: SOUR", "UNKNOWN", 1),
        ("## Verdict: SOUR — as told", "UNKNOWN", 1),
        ("## Verdict\n\nSOUR, as told", "UNKNOWN", 3),
    ],
)
def test_a_heading_states_the_word_beside_it_or_the_first_below(text, word, line):
    assert said(text) == [(word, "verdict", line, "heading")]


@pytest.mark.parametrize(
    "text",
    [
        "## Verdict\n\nThe pear is RIPE.",
        "## Verdict\n\nripe, they say",
        "## Verdict\n\nThey say that it is\nRIPE, more or less",
        "## Verdict\n\n## Next\n\nRIPE soon",
        "## State\n\nSOUR",
        "## Verdict\n\nSOUR is what it was",
        "## Verdict\n\nThe pear.\n\nSOUR",
        "## Verdict: SOUR is what it was",
        "The verdict of it all\nverdict was: RIPE",
        "They say it is\nverdict: RIPE",
        "| verdict | RIPE |\n|---|---|\n| RIPE | x |",
        "PICKED",
        "> RIPE",
        "Ripe",
        "RIPE again",
    ],
)
def test_other_words_and_running_text_state_nothing(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("verdict: RIPE", [("RIPE", "verdict", 1, "field")]),
        ("verdict: SOUR", [("UNKNOWN", "verdict", 1, "field")]),
        ("state: SOUR", []),
        ("**Verdict**: v2 RIPE", [("RIPE", "verdict", 1, "field")]),
        ("**pear**: green\n**verdict**: NOT RIPE", [("NOT RIPE", "verdict", 2, "field")]),
        ("pear: green\nverdict: NOT RIPE", [("NOT RIPE", "verdict", 2, "field")]),
        ("pear: green · state: RIPE · verdict: NOT RIPE", [("RIPE", "state", 1, "field")]),
        ("state: RIPE → NOT RIPE", [("NOT RIPE", "state", 1, "field")]),
        ("state: NOT RIPE → RIPE", [("NOT RIPE", "state", 1, "field")]),
        ("state: RIPE / NOT RIPE", []),
        ("state: RIPE: no", []),
        ("state: RIPE?", []),
    ],
)
def test_a_field_states_its_value(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize("text", ["RIPE", "RIPE.", "**PICKED**", "`PICKED`", "# PICKED"])
def test_a_block_that_is_only_the_word_states_it_and_a_weak_word_when_it_is_marked(text):
    assert [(word, shape) for word, _, _, shape in said(text)] == [(text.strip("*`#. "), "word")]


def test_a_verdict_too_far_below_its_heading_is_none():
    lines = "\n\n".join(["a line"] * 6)
    assert said(f"## Verdict\n\n{lines}\n\nRIPE with dents")[0][0] == "RIPE"
    assert said(f"## Verdict\n\n{lines}\n\nlast\n\nRIPE with dents") == []
