"""Literal text, cut and measured in cells."""

import re
import time

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, get_character_cell_size

from harness_tui.tui import text
from harness_tui.tui.text import cut, fit, graphemes, literal, literal_block, pin_widths, window, wrap

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAG = "\U0001f1eb\U0001f1f7"
KEYCAP = "1\ufe0f\u20e3"
CHECK = "\u2714\ufe0f"
THUMB = "\U0001f44d\U0001f3fd"
JOINED = [FAMILY, FLAG, KEYCAP, CHECK, THUMB, "窗", "e\u0301"]
MIXED = st.lists(st.sampled_from([*JOINED, *FLAG, "a", " ", "—", "[", "\x1b", "\t", "\u0301", "\u200d"])).map("".join)


@pytest.mark.parametrize("words", ["[red]x[/]", "[@click=app.quit]x[/]", "[/", "readings[0]", "\\[", "[$accent]"])
def test_markup_stays_as_written(words):
    content = literal(words, "bold")
    assert content.plain == words
    assert all("@click" not in str(span.style) for span in content.spans)


def test_literal_text_shows_control_characters_as_marks():
    assert literal("a\x1b[2Jb\nc").plain == "a␛[2Jb␊c"
    assert literal_block("a\x1b\nb").plain == "a␛\nb"


def test_characters_taken_for_narrow_are_one_cell_wide():
    narrow = [chr(code) for code in range(0x20, 0x3000) if text.is_narrow(chr(code)) and code != 0x7F and code >= 0x80]
    assert len(narrow) > 1000
    assert [char for char in narrow if get_character_cell_size(char) != 1] == []


@pytest.mark.parametrize("joined", JOINED)
def test_joined_characters_are_one_grapheme_and_never_cut(joined):
    assert [joined[a:b] for a, b, _ in graphemes(joined)] == [joined]
    size = cell_len(joined)
    line = f"ab{joined}cd"
    for width in range(cell_len(line) + 2):
        got = cut(line, width)
        assert cell_len(got) <= width
        assert got in {"", "…", "a…", "ab…", f"ab{joined}…", line}
    assert cut(line, 2 + size + 1) == f"ab{joined}…"


def test_flags_pair_from_the_left():
    assert [b - a for a, b, _ in graphemes(f"x{FLAG}{FLAG}{FLAG[0]}y")] == [1, 2, 2, 1, 1]


@pytest.mark.parametrize(
    ("align", "want"), [("left", "ab  "), ("right", "  ab"), ("center", " ab ")]
)  # fmt: skip
def test_fit_aligns(align, want):
    assert fit("ab", 4, align) == want


@given(MIXED, st.integers(0, 30), st.sampled_from(["left", "right", "center"]))
def test_fit_gives_exactly_the_width(words, width, align):
    assert cell_len(fit(words, width, align)) == width


@given(MIXED, st.integers(0, 12), st.integers(0, 12))
def test_a_window_holds_whole_graphemes_and_no_more_cells_than_asked(words, start, width):
    words = text.shown(words)
    part = window(words, start, width)
    edges = {0, len(words), *(a for a, _, _ in graphemes(words))}
    assert part.begin in edges
    assert part.end in edges
    assert part.cells == cell_len(words[part.begin : part.end])
    assert part.pad + part.cells <= width


@given(MIXED, st.integers(2, 12))
def test_wrapped_rows_are_the_whole_line_and_fit(words, width):
    words = text.shown(words)
    rows = wrap(words, width, 1000)
    assert "".join(words[a:b] for a, b in rows) == words
    assert all(cell_len(words[a:b]) <= width for a, b in rows)


@pytest.mark.parametrize("piece", ["a", "—", "窗", "e\u0301", "\u0301", f"{FAMILY}", "\x1b", "\0"])
def test_a_megabyte_is_cut_without_reading_it(piece):
    big = piece * (1_000_000 // len(piece))
    started = time.process_time()
    for _ in range(10):
        assert cell_len(fit(big, 80)) == 80
    assert time.process_time() - started < 0.2


UNSURE = [
    "\U0001f525\ufe0f",
    FLAG[0],
    "⚠\ufe0f",
    f"{FLAG} {KEYCAP} {FAMILY}",
    "हि",
    "กำ",
    "กั",
    "\u0301",
    "\u0939 \u093f",
    "ᄒ\u1161",
]


@pytest.mark.parametrize("joined", [*JOINED, *UNSURE])
def test_pinned_output_keeps_the_columns_in_an_emulator(joined):
    screen = pyte.Screen(40, 3)
    pyte.Stream(screen).feed(pin_widths(f"\x1b[1m{joined}|end\x1b[0m"))
    width = cell_len(joined)
    assert [screen.buffer[0][column].data for column in range(width, width + 4)] == list("|end")
    assert screen.cursor.x == width + 4
    assert screen.buffer[0][width].bold


def test_pinning_leaves_other_output_alone():
    plain = "\x1b[1;2Ha — b 窗 │ ▌\x1b[0m"
    assert pin_widths(plain) is plain


@pytest.mark.parametrize(
    "sequence", ["\x1b[38;2;1;2;3m", "\x1b[2;3H", f"\x1b]0;title {FLAG}\x07", f"\x1b]2;{FLAG}\x1b\\", "\x1b7", "\n"]
)
def test_pinning_leaves_control_sequences_whole(sequence):
    assert pin_widths(f"{sequence}\u0301{sequence}") == f"{sequence}\x1b7\u0301\x1b8{sequence}"


def test_every_character_without_a_cell_is_pinned():
    marks = [chr(code) for code in range(0xA0, 0x110000) if get_character_cell_size(chr(code)) == 0]
    assert [
        mark for mark in marks if mark.isprintable() and pin_widths(f"a{mark}") != f"\x1b7a{mark}\x1b8\x1b[1C"
    ] == []


@given(MIXED)
def test_pinning_only_adds(words):
    words = text.shown(words)
    assert re.sub("\x1b7|\x1b8|\x1b\\[\\dC", "", pin_widths(words)) == words
