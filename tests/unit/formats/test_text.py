"""The one place where foreign bytes become text: decoding, lines, and the removal of all that acts or hides."""

import sys
import unicodedata

import pytest

from harness_tui.formats.text import clean, clean_block, counted, decode, has_hidden, split_lines

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "around", [("", ""), ("a", "b"), ("\U0001f468", "\U0001f469")], ids=["alone", "letters", "emoji"]
)
def test_no_code_point_of_a_hidden_category_passes(around):
    before, after = around
    kept = []
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in HIDDEN and char in clean(before + char + after):
            kept.append(code)
    assert kept == ([0x200D] if before == "\U0001f468" else [])


def test_every_visible_code_point_stays_as_it_is():
    tags = range(0xE0000, 0xE0080)  # a block that has unassigned places
    for start in range(0, sys.maxunicode + 1, 0x100):
        codes = [code for code in range(start, start + 0x100) if code not in tags]
        text = "".join(f"a{chr(code)}b" for code in codes if unicodedata.category(chr(code)) not in HIDDEN)
        assert clean(text) == text


def test_what_comes_out_is_never_hidden_itself():
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in HIDDEN:
            assert all(unicodedata.category(mark) not in HIDDEN for mark in clean(char))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"), ("a\tb", "a    b"), ("\x7f", "␡"), ("\x00", "␀"), ("\x00\x00\x00", "‹3 NUL›"),
        ("\x9b31m", "‹U+009B›31m"), ("\u202etxt", "‹U+202E›txt"), ("a\u200bb", "a‹U+200B›b"), ("\ue000", "‹U+E000›"),
        ("\udce9", "‹0xE9›"), ("\ud800", "‹U+D800›"), ("\U000e0041", "‹1 hidden character U+E00xx›"),
        ("\U000e0041\U000e0042", "‹2 hidden characters U+E00xx›"), ("a\nb", "a␊b"), ("a\rb", "a␍b"),
        ("\u2028", "‹U+2028›"),
        (FAMILY, FAMILY), ("a\u200db", "a‹U+200D›b"), ("\u00a0", "\u00a0"), ("[b]", "[b]"), ("", ""),
    ],
)  # fmt: skip
def test_marks(text, shown):
    assert clean(text) == shown
    assert clean(shown) == shown


def test_a_block_keeps_its_line_feeds_and_drops_the_cr_before_them():
    assert clean_block("a\r\nb\x1b\n\nc\r") == "a\nb␛\n\nc"
    assert clean_block("a\rb\r\nc") == "a␍b\nc"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a", "a"),
        (b"\xef\xbb\xbfa", "a"),
        ("é窗".encode(), "é窗"),
        (b"\xe9", "\udce9"),
        (b"\xc3", "\udcc3"),
        (b"", ""),
    ],
)
def test_decoding_drops_a_byte_order_mark_and_keeps_what_is_no_utf8(data, text):
    assert decode(data) == text


def test_bytes_that_are_no_utf8_can_be_told_from_text_that_looks_alike():
    assert clean(decode(b"caf\xe9")) == "caf‹0xE9›"
    assert decode(b"caf\xe9").encode("utf-8", "surrogateescape") == b"caf\xe9"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []), (b"a", [b"a"]), (b"a\n", [b"a"]), (b"a\nb", [b"a", b"b"]), (b"\n", [b""]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"a\rb", [b"a\rb"]), (b"a\r\r\n", [b"a\r"]),
        ("a\u2028b\x0bc\x85d\n".encode(), ["a\u2028b\x0bc\x85d".encode()]),
    ],
)  # fmt: skip
def test_only_a_line_feed_ends_a_line(data, lines):
    assert split_lines(data) == lines


@pytest.mark.parametrize(
    ("text", "hidden"),
    [("plain", False), ("a\tb", False), ("\u202e", True), ("\x1b", True), (FAMILY, False), ("", False)],
)
def test_hidden_characters_are_told(text, hidden):
    assert has_hidden(text) is hidden


def test_numbers_agree_with_their_words():
    assert [counted(number, "task") for number in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]
    assert [counted(number, "entry", "entries") for number in (1, 2)] == ["1 entry", "2 entries"]
