import pytest

from harness_tui.formats.depends import read_depends, resolve_depends

KNOWN = frozenset({"T-01", "T-02", "T-03"})


@pytest.mark.parametrize("text", ["", "—", "-", "–", "none", "None", "n/a", "N/A"])
def test_an_empty_mark_means_none(text):
    assert read_depends(text) == ((), (), False)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("T-01", ("T-01",)),
        ("T-01, T-02", ("T-01", "T-02")),
        ("T-01, T-01", ("T-01",)),
        ("T-07 ,, T-09;", ("T-07", "T-09")),
        ("T-01 + T-02（together）", ("T-01", "T-02")),
        ("T-11a、T-12，T-13/T-14 & T-15", ("T-11a", "T-12", "T-13", "T-14", "T-15")),
        ("T-01 and T-02 (T-09 later)", ("T-01", "T-02")),
        ("((T-1) T-2) T-3", ("T-3",)),
        ("**T-01**, `T-02`.", ("T-01", "T-02")),
        ("[T-01](#t-01)", ("T-01",)),
        ("WP_3a", ("WP_3a",)),
        ("T-01<br>T-02", ("T-01", "T-02")),
        ("T-01?", ("T-01",)),
        ("_(none)_", ()),
        ("none (T-01 is welcome)", ()),
    ],
)
def test_ids_are_found_between_separators_and_remarks(text, ids):
    cell = read_depends(text)
    assert cell.ids == ids
    assert cell.prose == ()


def test_other_words_are_prose():
    assert read_depends("after T-01 ships").prose == ("after", "ships")


@pytest.mark.parametrize("text", ["all", "the rows above", "everything else (see below)"])
def test_words_alone_are_a_dependency_that_no_row_meets(text):
    assert resolve_depends(text, KNOWN) == ((text,), (), False)


@pytest.mark.parametrize("text", ["none, stands alone", "No dependencies", "— free to start"])
def test_words_behind_one_for_nothing_only_explain_it(text):
    assert resolve_depends(text, KNOWN).ids == ()


def test_a_bracket_without_partner_hides_no_id():
    assert read_depends("see (T-01").ids == ("T-01",)


def test_a_token_with_a_hidden_character_stays_one_token_and_matches_no_id():
    cell = resolve_depends("T‑‹U+200B›01", KNOWN)
    assert cell.ids == ("T‑‹U+200B›01",)


def test_a_range_is_expanded_when_all_its_ids_exist():
    assert resolve_depends("T-01..T-03", KNOWN).ids == ("T-01", "T-02", "T-03")
    assert resolve_depends("T-01…03", KNOWN).ids == ("T-01", "T-02", "T-03")


@pytest.mark.parametrize("text", ["T-01..T-04", "T-03..T-01", "T-01..X-03", "T-0..T-999999999"])
def test_any_other_range_stays_as_written(text):
    assert resolve_depends(text, KNOWN).ids == (text,)


def test_ids_of_another_kind_count_when_the_pool_has_them():
    assert resolve_depends("setup, 2", {"setup", "1", "2"}).ids == ("setup", "2")
    assert resolve_depends("3", {"1", "2"}, numbers=True).ids == ("3",)
    assert read_depends("setup").late


def test_a_cell_of_many_brackets_is_read_in_linear_time():
    assert read_depends("(" * 3000 + ")" * 900 + ", T-01").ids == ("T-01",)
