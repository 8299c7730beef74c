from harness_tui.formats.pool import parse_plan
from harness_tui.rules.pool_check import check

HEAD = "| ID | Slug | Goal | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"


def found(*rows):
    text = HEAD + "".join(f"| {name} | {slug} | g | full | {needs} | pending |\n" for name, slug, needs in rows)
    return check(parse_plan(text.encode(), "plan.md"))


def codes(*rows):
    return [(problem.line, problem.code, problem.severity) for problem in found(*rows)]


def test_a_sound_plan_has_no_problems():
    assert found(("T-01", "a", "—"), ("T-02", "b", "T-01"), ("T-11a", "c", "T-01, T-02")) == ()
    assert found() == ()


def test_an_id_of_two_rows_is_an_error_at_both():
    problems = found(("T-01", "a", "—"), ("T-02", "b", "—"), ("T-01", "c", "—"))
    assert [(p.line, p.code, p.severity) for p in problems] == [
        (3, "duplicate-id", "error"),
        (5, "duplicate-id", "error"),
    ]
    assert "lines 3, 5" in problems[0].message


def test_a_slug_of_two_rows_is_an_error_at_both():
    assert codes(("T-01", "a", "—"), ("T-02", "a", "—")) == [
        (3, "duplicate-slug", "error"),
        (4, "duplicate-slug", "error"),
    ]


def test_ids_that_differ_in_case_or_padding_are_near():
    assert codes(("T-01", "a", "—"), ("t-01", "b", "—")) == [(3, "near-id", "warning"), (4, "near-id", "warning")]
    assert codes(("T-3", "a", "—"), ("T-003", "b", "—")) == [(3, "near-id", "warning"), (4, "near-id", "warning")]
    assert codes(("T-10", "a", "—"), ("T-1", "b", "—"), ("T-100", "c", "—")) == []


def test_slugs_that_look_alike_are_confusable():
    expected = [(3, "confusable-slug", "warning"), (4, "confusable-slug", "warning")]
    assert codes(("T-1", "ab-c", "—"), ("T-2", "a-bc", "—")) == expected
    assert codes(("T-1", "ab", "—"), ("T-2", "AB", "—")) == expected
    assert codes(("T-1", "ab", "—"), ("T-2", "a\u200bb", "—")) == expected
    assert codes(("T-1", "ab", "—"), ("T-2", "ａb", "—")) == expected


def test_a_duplicate_next_to_a_near_twin_keeps_both_reports():
    assert codes(("T-1", "a", "—"), ("T-1", "b", "—"), ("t-1", "c", "—")) == [
        (3, "duplicate-id", "error"), (3, "near-id", "warning"), (4, "duplicate-id", "error"),
        (4, "near-id", "warning"),
        (5, "near-id", "warning"),
    ]  # fmt: skip


def test_a_dependency_without_a_row_is_an_error():
    (problem,) = found(("T-1", "a", "T-9"))
    assert (problem.line, problem.code, problem.severity) == (3, "unknown-dependency", "error")
    assert "T-9" in problem.message


def test_an_id_with_a_hidden_character_is_no_known_id():
    assert codes(("T-1", "a", "—"), ("T-2", "b", "T\u200b-1")) == [(4, "unknown-dependency", "error")]


def test_a_ring_is_named_at_each_of_its_rows():
    problems = found(("T-1", "a", "T-3"), ("T-2", "b", "T-1"), ("T-3", "c", "T-2"), ("T-4", "d", "T-4"))
    assert [(p.line, p.code) for p in problems] == [(line, "dependency-ring") for line in (3, 4, 5, 6)]
    assert "T-1 → T-3 → T-2 → T-1" in problems[1].message
    assert "itself: T-4" in problems[3].message


def test_rows_that_wait_for_each_other_over_several_ways_are_listed():
    problems = found(("T-1", "a", "T-2, T-3"), ("T-2", "b", "T-1"), ("T-3", "c", "T-1"))
    assert "T-1, T-2, T-3" in problems[0].message


def test_malformed_rows_without_an_id_are_no_duplicates():
    plan = parse_plan((HEAD + "|  | \n|  |\n").encode(), "p")
    assert len(plan.rows) == 2
    assert check(plan) == ()


def test_a_huge_ring_is_named_in_short_once():
    count = 3000
    rows = "".join(f"| T-{n} | s-{n} | Goal | full | T-{n % count + 1} | pending |\n" for n in range(1, count + 1))
    head = "| ID | Slug | Goal | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"

    found = [item for item in check(parse_plan((head + rows).encode(), "p.md")) if item.code == "dependency-ring"]

    assert len(found) == count
    assert max(len(item.message) for item in found) < 200
    assert f"and {count - 8} more" in found[0].message
