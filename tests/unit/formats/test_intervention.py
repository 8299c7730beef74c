"""Signals in the intervention file."""

import pytest

from harness_tui.formats.intervention import parse_interventions


def signals(text: str | bytes):
    data = text if isinstance(text, bytes) else text.encode()
    return [(s.keyword, s.argument, s.text, s.state) for s in parse_interventions(data).signals]


def safest(text: str) -> str | None:
    return parse_interventions(text.encode()).safest


def test_no_file_is_no_signal():
    found = parse_interventions(None)
    assert (found.path, found.present, found.signals, found.safest) == (".harness/intervention.md", False, (), None)


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("STOP", ("STOP", "", "", "waiting")),
        ("STOP\n", ("STOP", "", "", "waiting")),
        ("\ufeffSTOP\r\n", ("STOP", "", "", "waiting")),
        ("STOP — the tree is red\n", ("STOP", "", "the tree is red", "waiting")),
        ("STOP the tree is red\n", ("STOP", "", "the tree is red", "waiting")),
        ("# Intervention\n\nNOTE — use tabs\n\nand more\n", ("NOTE", "", "use tabs\n\nand more", "waiting")),
        ("NOTE use tabs\n", ("NOTE", "", "use tabs", "waiting")),
        ("NOTE -5 degrees\n", ("NOTE", "", "-5 degrees", "waiting")),
        ("SKIP T-02 — not now\n", ("SKIP", "T-02", "not now", "waiting")),
        ("SKIP T-02 it is late\n", ("SKIP", "T-02", "it is late", "waiting")),
        ("SKIP door-alarm\n", ("SKIP", "door-alarm", "", "waiting")),
        ("REDIRECT 02 — simpler\n", ("REDIRECT", "02", "simpler", "waiting")),
        ("ADD glaze-export — write the table\n", ("ADD", "glaze-export", "write the table", "waiting")),
        ("ADD glaze-export", ("ADD", "glaze-export", "", "waiting")),
    ],
)
def test_a_signal_is_read(text, signal):
    assert signals(text) == [signal]


@pytest.mark.parametrize(
    "text",
    [
        "SKIP\n",
        "SKIP — not now\n",
        "SKIP the horn task\n",
        "ADD — a table\n",
        "ADD please write the table\n",
        "ADD glaze-export now — the table\n",
        "ADD ../../etc — x\n",
        "ADD Glaze_Export — x\n",
        "REDIRECT 09 — x\n",
        "REDIRECT back\n",
    ],
)
def test_a_keyword_without_its_argument_is_malformed_and_stops(text):
    (signal,) = signals(text)
    assert signal[3] == "malformed"
    assert safest(text) == "STOP"


@pytest.mark.parametrize(
    "text",
    [
        "please stop before the horn\n",
        "stop\n",
        "Stop\n",
        "STOPPED\n",
        "STOP-GAP first\n",
        "**STOP**\n",
        "",
        "\n\n",
        "# Intervention\n",
    ],
)
def test_any_other_beginning_is_unclear_and_counts_as_stop(text):
    ((keyword, _, said, state),) = signals(text)
    assert parse_interventions(f"# Intervention\n\n{text}".encode()).signals[0].line == (3 if said else 1)
    assert (keyword, state) == ("", "unclear")
    assert said == ("" if text.startswith("#") else text.strip())
    assert safest(text) == "STOP"
    assert parse_interventions(text.encode()).present


def test_bytes_of_another_encoding_are_unclear():
    found = parse_interventions("STOP\n".encode("utf-16"))
    assert (found.signals[0].state, found.safest) == ("unclear", "STOP")


def test_a_note_that_speaks_of_stopping_does_not_stop():
    text = "NOTE — do not\nstop, and never write STOP in prose\n\nSTOPPING is bad\n\n```\nSTOP\n```\n"
    assert len(signals(text)) == 1
    assert safest(text) == "NOTE"


def test_only_a_line_feed_ends_a_line():
    text = "NOTE keep it\u2028STOP\u2029SKIP T-02\u0085ADD x — y\x0bSTOP\x0cSTOP\rSTOP\n"
    assert [signal[0] for signal in signals(text)] == ["NOTE"]
    assert safest(text) == "NOTE"


def test_signals_are_kept_in_order():
    text = "# Intervention\n\nSTOP — red\n\nNOTE — one\n\nmore\n\nADD glaze-export — write it\n"
    assert signals(text) == [
        ("STOP", "", "red", "waiting"),
        ("NOTE", "", "one\n\nmore", "waiting"),
        ("ADD", "glaze-export", "write it", "waiting"),
    ]
    assert [signal.line for signal in parse_interventions(text.encode()).signals] == [3, 5, 9]


def test_a_later_keyword_needs_its_exact_shape_and_a_blank_line():
    assert len(signals("NOTE — a\nSKIP T-02 — b\n")) == 1
    assert len(signals("NOTE — a\n\nSKIP the horn\n")) == 1
    assert len(signals("NOTE — a\n\n> SKIP T-02 — b\n")) == 1
    assert len(signals("NOTE — a\n\nSKIP T-02 — b\n")) == 2


def test_a_stop_appended_without_a_blank_line_is_not_overlooked():
    assert safest("NOTE — a\nSTOP\n") == "STOP"
    assert safest("NOTE — a\nSTOP — red\n") == "STOP"


def test_a_code_block_that_is_never_closed_hides_nothing():
    assert safest("NOTE — a\n\n```\nsome code\n\nSTOP\n") == "STOP"


def test_a_whole_file_that_was_appended_is_read():
    text = "# Intervention\n\nNOTE — a\n\n# Intervention\n\nSKIP T-02 — b\n"
    assert signals(text) == [("NOTE", "", "a", "waiting"), ("SKIP", "T-02", "b", "waiting")]


def test_after_a_further_heading_everything_is_read_as_at_the_beginning():
    text = "STOP\n\n# Intervention\n\nNOTE use tabs\n\n# Intervention\nplease look\n"
    assert signals(text) == [
        ("STOP", "", "", "waiting"),
        ("NOTE", "", "use tabs", "waiting"),
        ("", "", "please look", "unclear"),
    ]


def test_a_heading_in_a_closed_code_block_begins_nothing():
    assert len(signals("NOTE — a\n\n```\n# Intervention\n\nlook\n```\n")) == 1


def test_the_first_signal_is_safest_when_none_stops():
    assert safest("SKIP T-02 — a\n\nNOTE — b\n") == "SKIP"
