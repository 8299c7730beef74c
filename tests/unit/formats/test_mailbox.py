"""The exact bytes of the intervention file after each change."""

import pytest

from harness_tui.formats.intervention import parse_interventions
from harness_tui.formats.intervention_text import TEXT_LIMIT
from harness_tui.formats.mailbox import append, edit, new_signal, withdraw
from harness_tui.model.refusal import Refused

NOTE = new_signal("NOTE", "", "ease the ramp")
STOP = new_signal("STOP", "", "")


def keywords(data):
    return [signal.keyword for signal in parse_interventions(data).signals]


def test_a_new_file_has_the_shape_of_the_norm():
    assert append(None, new_signal("ADD", "glaze-export", "write the table")) == (
        "# Intervention\n\nADD glaze-export — write the table\n".encode()
    )
    assert append(None, STOP) == b"# Intervention\n\nSTOP\n"


def test_a_note_behind_an_unread_stop_leaves_it_first_byte_for_byte():
    assert append(b"STOP\n", NOTE) == "STOP\n\nNOTE — ease the ramp\n".encode()


def test_a_stop_goes_before_what_stands_there_which_stays_as_it_is():
    assert append(b"NOTE use tabs", STOP) == b"# Intervention\n\nSTOP\n\n# Intervention\n\nNOTE use tabs"
    assert append(b"# Intervention\n\nNOTE use tabs\n", STOP) == (
        b"# Intervention\n\nSTOP\n\n# Intervention\n\nNOTE use tabs\n"
    )


def test_prose_stays_an_unclear_signal_of_its_own_behind_a_stop():
    found = parse_interventions(append(b"please stop before the horn\n", STOP)).signals
    assert [(signal.keyword, signal.text, signal.state) for signal in found] == [
        ("STOP", "", "waiting"), ("", "please stop before the horn", "unclear"),
    ]  # fmt: skip


def test_mark_and_line_ends_stay():
    assert append(b"\xef\xbb\xbfSTOP\r\n", NOTE) == "\ufeffSTOP\r\n\r\nNOTE — ease the ramp\r\n".encode()
    assert append(b"\xef\xbb\xbfNOTE x\r\n", STOP).startswith(b"\xef\xbb\xbf# Intervention\r\n\r\nSTOP\r\n\r\n")


def test_a_file_without_an_end_is_ended_first():
    assert append(b"ADD glaze-export", NOTE) == "ADD glaze-export\n\nNOTE — ease the ramp\n".encode()


def test_lines_that_look_like_signals_or_code_are_quoted_and_nothing_else():
    note = new_signal(
        "NOTE", "", "STOP is a word\nfine\nSTOP\n# Intervention\n```\nx = 1\n```\n  SKIP T-01\nADDing\n- STOP"
    )
    assert note.text == (
        "STOP is a word\nfine\n> STOP\n> # Intervention\n> ```\n> x = 1\n> ```\n>   SKIP T-01\nADDing\n- STOP"
    )


def test_an_open_code_block_hides_nothing_that_is_sent_later():
    data = append(append(append(None, new_signal("NOTE", "", "see\n```\nx")), new_signal("SKIP", "T-01", "")), NOTE)
    data = append(data, new_signal("NOTE", "", "a\n```"))
    assert keywords(data) == ["NOTE", "SKIP", "NOTE", "NOTE"]


@pytest.mark.parametrize("data", [b"", b"\n", b"# Intervention\n"])
def test_a_file_that_says_nothing_counts_as_stop_until_it_is_taken_out(data):
    with pytest.raises(Refused, match="says nothing, which counts as STOP"):
        append(data, NOTE)
    assert keywords(append(data, STOP)) == ["STOP"]
    assert withdraw(data, 1) is None


def test_a_signal_is_taken_out_with_its_own_heading_and_no_other():
    data = b"# Intervention\n\nSTOP\n\n# Intervention\n\nNOTE use tabs\n\nSKIP T-01\n"
    assert withdraw(data, 1) == b"# Intervention\n\nNOTE use tabs\n\nSKIP T-01\n"
    assert withdraw(data, 2) == b"# Intervention\n\nSTOP\n\nSKIP T-01\n"
    assert withdraw(data, 3) == b"# Intervention\n\nSTOP\n\n# Intervention\n\nNOTE use tabs\n\n"
    assert withdraw(b"# Intervention\n\nSTOP\n\nSKIP T-01\n", 1) == b"# Intervention\n\nSKIP T-01\n"
    assert withdraw(b"STOP\n", 1) is None


def test_what_would_change_the_reading_of_the_rest_is_refused():
    data = b"NOTE a\n```\n\nSKIP T-01\n\nSTOP\n"  # the block is never closed, so it hides nothing
    assert keywords(data) == ["NOTE", "SKIP", "STOP"]
    with pytest.raises(Refused, match="no signal 4 waits: there are 3"):
        withdraw(data, 4)
    lenient = b"STOP\n\nSKIP T-01 without a dash\nNOTE x"
    assert keywords(lenient) == ["STOP"]


def test_an_edited_signal_keeps_its_place():
    data = append(append(None, NOTE), new_signal("SKIP", "T-01", ""))
    assert edit(data, 1, new_signal("NOTE", "", "more")) == "# Intervention\n\nNOTE — more\n\nSKIP T-01\n".encode()
    assert keywords(edit(data, 2, STOP)) == ["STOP", "NOTE"]


@pytest.mark.parametrize(
    ("signal", "why"),
    [
        (("GO", "", ""), "no signal"), (("NOTE", "x", "y"), "no argument"), (("SKIP", "", ""), "can't be named"),
        (("SKIP", "T 1", ""), "can't be named"), (("SKIP", "Т-01", ""), "can't be named"),
        (("ADD", "A_b", "x"), "would not be read back"), (("REDIRECT", "9", "x"), "would not be read back"),
        (("NOTE", "", "\n \n"), "needs a text"), (("NOTE", "", "x" * (TEXT_LIMIT + 1)), "at most"),
        (("NOTE", "", "ok\na\u200b"), "‹U\\+200B› in line 2, column 2"),
    ],
)  # fmt: skip
def test_what_can_not_be_written_plainly_is_refused(signal, why):
    with pytest.raises(Refused, match=why):
        new_signal(*signal)


def test_joined_emoji_are_no_hidden_characters():
    assert new_signal("NOTE", "", "👩‍🔧 at work").text == "👩‍🔧 at work"
