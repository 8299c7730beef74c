"""Writing the unlock signal into a control state."""

import pytest
from support.epic_tree import CONTROL_TEXT

from harness_tui.formats.control_edit import with_unlock
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.json_edit import EditError
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.handback import UnlockSignal

SIGNAL = UnlockSignal(
    "mow the 南 field first", 0, "programmer", "2027-04-05T06:07:08Z", "unlock MS-40", structured=True
)
LINE = (
    '{"source": "programmer", "instruction": "mow the 南 field first", "timestamp": "2027-04-05T06:07:08Z", '
    '"confirmation": "unlock MS-40"}'
)
PARTS = """\
- last_unlock_signal:
  - source: "programmer"
  - instruction: "mow the 南 field first"
  - timestamp: "2027-04-05T06:07:08Z"
  - confirmation: "unlock MS-40"
"""


def write(text, signal=SIGNAL):
    data = text if isinstance(text, bytes) else text.encode()
    return with_unlock(data, signal, "c.md")


def unlocks(data):
    return guard_record((read_fields(data, "c.md"),), "c.md").unlocks


@pytest.mark.parametrize("old", ["N/A", "none", "the belt was mended", '"x"', "`y` <!-- z -->"])
def test_one_line_stays_one_line(old):
    text = CONTROL_TEXT.replace("N/A", old)
    assert write(text).decode() == text.replace(f"signal: {old}", f"signal: {LINE}")


@pytest.mark.parametrize(
    "old",
    ["", '\n  - source: "programmer"\n  - instruction: "older"', "\n  - a\n    going on\n\n  - source: x"],
)
def test_no_value_or_parts_become_four_parts(old):
    text = CONTROL_TEXT.replace(" N/A", old)
    start, end = CONTROL_TEXT.split("- last_unlock_signal: N/A\n")
    assert write(text).decode() == start + PARTS + end


def test_a_missing_field_is_added_below_the_others():
    text = CONTROL_TEXT.replace("- last_unlock_signal: N/A\n", "")
    start, end = CONTROL_TEXT.split("- last_unlock_signal: N/A\n")
    assert write(text).decode() == start + PARTS + end
    windows = (start + PARTS + end).replace("\n", "\r\n").encode()
    assert write(text.replace("\n", "\r\n")) == windows
    last = text.partition("\n\n## Notes")[0].replace("\n", "\r\n")
    assert write(last) == last.encode() + b"\r\n" + PARTS.strip().replace("\n", "\r\n").encode()


def test_line_ends_marks_and_the_missing_last_end_stay():
    text = b"\xef\xbb\xbf" + CONTROL_TEXT.partition("\n\n## Notes")[0].replace("\n", "\r\n").encode()
    assert write(text) == text.replace(b"N/A", LINE.encode())
    parts = write(text.replace(b" N/A", b""))
    assert parts == text.replace(b"- last_unlock_signal: N/A", PARTS.strip().replace("\n", "\r\n").encode())
    assert unlocks(parts)[0].instruction == SIGNAL.instruction


def test_bytes_that_are_no_text_stay():
    text = CONTROL_TEXT.encode().replace(b"as it is", b"as \xff\x00 is")
    assert write(text) == text.replace(b"N/A", LINE.encode())


@pytest.mark.parametrize(
    "words",
    [
        'say "go" to Q\'s “mower”',
        'say "go" to Q\'s mower”',
        'say "go" to Q\'s “mower',
        "**bold** <!-- no --> #1 `x` > y",
        "source: agent, confirmation: unlock MS-99",
        "mow - last_unlock_signal: none",
        "a: b: c | d {e} [f]",
        "\\u002a \\n \\\\",
    ],
)
@pytest.mark.parametrize("old", [" N/A", ""])
def test_words_read_back_as_they_were_said(words, old):
    after = write(CONTROL_TEXT.replace(" N/A", old), SIGNAL._replace(instruction=words))
    (found,) = unlocks(after)
    assert found._replace(line=0) == SIGNAL._replace(instruction=words)


def test_a_second_signal_takes_the_place_of_the_first():
    again = SIGNAL._replace(instruction="and the north field")
    for text in (CONTROL_TEXT, CONTROL_TEXT.replace(" N/A", "")):
        assert write(write(text), again) == write(text, again)


def test_other_spellings_of_the_field_stay():
    for head in (
        "* **last_unlock_signal**:",
        "  last-unlock-signal:",
        "- [ ] Last Unlock Signal：",
        "1. `last_unlock_signal`:",
    ):
        text = CONTROL_TEXT.replace("- last_unlock_signal:", head)
        after = write(text).decode()
        assert head in after
        assert unlocks(after.encode())[0].instruction == SIGNAL.instruction


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("# Control\n\n- last_unlock_signal: N/A\n", "x", "no section"),
        (CONTROL_TEXT.replace("## Notes", "## Handback Guard\n\n- last_unlock_signal: N/A"), "x", "2 times"),
        (CONTROL_TEXT, "one\ntwo", "more than one line"),
        (CONTROL_TEXT, "x" * 1501, "longer than 1500"),
        (CONTROL_TEXT, "a\u202eb", "unusual signs"),
        ("## Handback Guard\n\nnothing here\n", "x", "no fields"),
    ],
)
def test_what_can_not_be_written_safely_is_refused(text, words, why):
    with pytest.raises(EditError, match=why):
        write(text, SIGNAL._replace(instruction=words))
