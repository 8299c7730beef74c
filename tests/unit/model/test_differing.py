"""Which members of two sequences are not the same object."""

from harness_tui.model.differing import differing


def test_positions_of_other_objects_even_where_they_are_equal():
    one, two, three = [1], [2], [3]
    assert differing((one, two, three), (one, [2], three)) == [1]
    assert differing((one, two), (two, one)) == [0, 1]
    assert differing((one,), (one,)) == []


def test_what_one_has_more_is_not_looked_at():
    one, two = [1], [2]
    assert differing((one, two), (one,)) == []
    assert differing((), (one,)) == []
