from hypothesis import example, given
from hypothesis import strategies as st

from harness_tui.formats.pool import PlanParser, parse_plan
from harness_tui.formats.table import cell_spans, split_cells

HEADER = "| ID | Slug | Goal | Mode | Depends on | Status |"
SEPARATOR = "|---|---|---|---|---|---|"
LINES = st.sampled_from(
    [
        HEADER, SEPARATOR, "", "  ", "text", "## Notes", "- a note", "```", "<!--", "-->", "| a | b |", "|---|---|",
        "\ufeff",
        "| T-01 | a | goal | full | — | pending |", "| T-02 | b | goal | full | T-01 | done |",
        "| T-03 | c | x \\| y | full | T-01..T-02 | wip |", "| T-04 | d | x | y | full | — | done |", "| T-05 | e",
        "T-06 | f | goal | full | — | failed", "  | T-07 | g | goal | slow | later | ✅ done |",
        "| T-08 | h\u200b | goal\udcff | full | — | done |\r",
        "| T-09 | i | go\0al | full | — | done |", "> Created: today",
    ]
)  # fmt: skip
ROWS = st.builds(
    "| T-{:02d} | s{} | g | full | {} | {} |".format,
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from(["—", "T-01", "T-01, T-02"]),
    st.sampled_from(["pending", "done", "wip"]),
)
DOCUMENTS = st.lists(LINES | ROWS, max_size=14)
TABLES = st.builds(lambda rows: [HEADER, SEPARATOR, *rows], st.lists(ROWS | ROWS | LINES, max_size=14))
ENDS = st.sampled_from(["", "\n"])


def _bytes(lines, end="\n"):
    return ("\n".join(lines) + end).encode("utf-8", "surrogateescape")


@given(st.binary(max_size=400))
@example(b"| ID | Slug | Goal | Status |\n|-|-|-|-|\n|\xff\x00|\\\\||")
def test_a_plan_of_any_bytes_is_read_without_an_error(data):
    plan = parse_plan(data, "p")
    assert plan.table or not plan.rows


@given(DOCUMENTS | TABLES)
def test_rows_are_in_the_order_of_their_lines_and_clean(lines):
    plan = parse_plan(_bytes(lines), "p")
    numbers = [row.line for row in plan.rows]
    assert numbers == sorted(set(numbers))
    assert all(text.isprintable() for row in plan.rows for text in (row.id, row.slug, row.goal, row.status_text))
    assert all(row.status == "unknown" for row in plan.rows if row.malformed)


@given(st.lists(st.tuples(DOCUMENTS | TABLES, ENDS), min_size=2, max_size=4))
def test_after_any_change_the_plan_is_that_of_a_fresh_parse(documents):
    parser = PlanParser("p")
    for lines, end in documents:
        data = _bytes(lines, end)
        assert parser.parse(data) == parse_plan(data, "p")


@given(st.data(), st.lists(ROWS, min_size=1, max_size=12), LINES | ROWS, LINES)
def test_after_an_edit_of_some_lines_the_plan_is_that_of_a_fresh_parse(data, rows, new, below):
    lines = [HEADER, SEPARATOR, *rows, below, "## Notes", "- n"]
    parser = PlanParser("p")
    old = parser.parse(_bytes(lines))
    start = data.draw(st.integers(2, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    changed = [*lines[:start], *[new] * data.draw(st.integers(0, 3)), *lines[end:]]
    plan = parser.parse(_bytes(changed))
    assert plan == parse_plan(_bytes(changed), "p")
    if len(changed) == len(lines):
        same = {row.line: row for row in old.rows}
        kept = [row for row in plan.rows if same.get(row.line) == row]
        assert all(row is same[row.line] for row in kept)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\n\r\\|", exclude_categories=["C", "Z"]), max_size=8), min_size=2
    )
)
def test_cells_that_are_joined_are_split_again(cells):
    assert split_cells("| " + " | ".join(cells) + " |") == cells


@given(st.text(alphabet="|\\ ab`\t", max_size=20), st.integers(0, 6))
def test_spans_of_cells_are_where_the_cells_are(line, width):
    spans = cell_spans(line, width)
    assert [line[start:end].replace("\\|", "|") for start, end in spans] == split_cells(line, width)
