"""`clean` on any text: idempotent, complete, and it never loses what was visible."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from harness_tui.formats.text import clean, clean_block, decode, has_hidden, split_lines

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
TRICKY = st.sampled_from(
    [
        *"ab [](/)\\|\t\n\r\x00\x1b\x7f\x9b",
        "\u200d",
        "\u202e",
        "\ufeff",
        "\U000e0041",
        "\U0001f468",
        "\ufe0f",
        "\udce9",
        "窗",
    ]
)
TEXTS = st.one_of(st.text(st.characters(codec=None)), st.lists(TRICKY).map("".join))


@given(TEXTS)
def test_clean_is_idempotent(text):
    assert clean(clean(text)) == clean(text)


@given(TEXTS)
def test_nothing_hidden_is_left_but_joiners_inside_emoji(text):
    shown = clean(text)
    for index, char in enumerate(shown):
        if unicodedata.category(char) in HIDDEN:
            assert char == "\u200d"
            assert 0 < index < len(shown) - 1
            assert not shown[index - 1].isalnum()


@given(TEXTS)
def test_visible_characters_stay_in_their_order(text):
    left = iter(clean(text))
    assert all(char in left for char in text if unicodedata.category(char) not in HIDDEN)


@given(TEXTS)
def test_a_text_is_hidden_when_cleaning_changes_more_than_tabs(text):
    assert has_hidden(text) is (clean(text) != text.replace("\t", "    "))


@given(TEXTS)
def test_a_block_is_its_lines(text):
    assert clean_block(text).count("\n") == text.count("\n")
    assert clean_block(clean_block(text)) == clean_block(text)


@given(st.binary())
def test_bytes_come_back_from_their_text(data):
    text = decode(data)
    back = text.encode("utf-8", "surrogateescape")
    assert back == data.removeprefix(b"\xef\xbb\xbf")


@given(
    st.lists(st.binary().map(lambda data: data.replace(b"\n", b" ").rstrip(b"\r")), min_size=1),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_lines_are_split_and_joined_again(lines, end):
    assert split_lines(b"".join(line + end for line in lines)) == lines


@given(st.integers(1, 2000), TRICKY)
def test_a_long_run_of_one_character_is_no_problem(count, char):
    """A mark for a whole run is a few words, one for each character at most a dozen characters."""
    assert len(clean(char * count)) <= max(40, 12 * count)
