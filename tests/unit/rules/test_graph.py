import time

from harness_tui.model.pool import PlanRow
from harness_tui.rules.graph import find_rings


def rows_of(*edges):
    return tuple(
        PlanRow(name, name.lower(), "", "full", tuple(needs), "", "pending", "", n)
        for n, (name, *needs) in enumerate(edges)
    )


def test_a_plan_in_order_has_no_ring():
    assert find_rings(rows_of(("A",), ("B", "A"), ("C", "A", "B"))) == ()


def test_a_plan_out_of_order_has_no_ring():
    assert find_rings(rows_of(("C", "A", "B"), ("B", "A"), ("A",))) == ()


def test_a_ring_is_named_along_its_dependencies_from_its_first_row():
    assert find_rings(rows_of(("A", "C"), ("B", "A"), ("C", "B"), ("D", "A"))) == (("A", "C", "B"),)


def test_a_row_that_needs_itself_is_a_ring():
    assert find_rings(rows_of(("A",), ("B", "B"))) == (("B",),)


def test_several_rings_come_in_the_order_of_the_plan():
    rows = rows_of(("X", "Y"), ("A", "B"), ("B", "A"), ("Y", "X"), ("S", "S"))
    assert find_rings(rows) == (("X", "Y"), ("A", "B"), ("S",))


def test_rings_that_share_a_row_are_one_group():
    (ring,) = find_rings(rows_of(("A", "B", "C"), ("B", "A"), ("C", "A")))
    assert ring[0] == "A"
    assert set(ring) == {"A", "B", "C"}


def test_what_hangs_on_a_ring_is_not_in_it():
    assert find_rings(rows_of(("A", "B"), ("B", "A"), ("C", "B"), ("D", "C"))) == (("A", "B"),)


def test_unknown_ids_make_no_ring():
    assert find_rings(rows_of(("A", "Z"), ("B", "A", "Y"))) == ()


def test_no_ring_leads_over_an_id_that_two_rows_have():
    assert find_rings(rows_of(("A", "B"), ("B", "A"), ("B",))) == ()


def test_a_chain_of_ten_thousand_upside_down_ends_at_once():
    size = 10_000
    chain = rows_of(*((f"T-{n}", f"T-{n + 1}") for n in range(size)))
    started = time.perf_counter()
    assert find_rings(chain) == ()
    closed = (*chain, PlanRow(f"T-{size}", "", "", "", ("T-0",), "", "pending", "", size))
    assert len(find_rings(closed)[0]) == size + 1
    assert time.perf_counter() - started < 5
