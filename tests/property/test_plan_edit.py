"""An edit of the plan touches one cell; a row that is added stands alone; all other bytes stay, whatever they are."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness_tui.formats.plan_edit import NewRow, add_row, set_statuses
from harness_tui.formats.pool import PlanParser
from harness_tui.model.pool import STATUSES
from harness_tui.model.refusal import Refused

WORDS = [word for word in STATUSES if word != "unknown"]
ODD = ["", "—", "a \\| b", "`x\\|y`", "\\\\", "標籤", "**bold**", "T-01, T-02", "\t", "\x0b", "\xff"]
CELL = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(codec="utf-8", exclude_characters="|\n\\", max_codepoint=0x2FFF), max_size=12),
)
STATUS = st.one_of(
    st.sampled_from([*WORDS, "done (docs \\| later)", "**pending**", "✅ done", "In-Progress", "", "wip"]),
    CELL,
)
PAD = st.sampled_from(["", " ", "  ", "\t"])
END = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def plans(draw):
    """Bytes of a plan with odd cells, line ends and columns in another order."""
    more = draw(st.sampled_from([[], ["Owner"]]))
    order = draw(st.permutations(["ID", "Slug", "Goal", "Mode", "Depends on", "Status", *more]))
    rows = draw(st.integers(1, 6))
    head = ["# Plan", "", f"| {' | '.join(order)} |", "|" + "---|" * len(order)]
    lines = [line + draw(END) for line in head]
    for number in range(rows):
        cells = {
            "ID": f"T-{number:02}", "Slug": f"slug-{number}", "Goal": draw(CELL), "Mode": "full",
            "Depends on": draw(CELL), "Status": draw(STATUS), "Owner": draw(CELL),
        }  # fmt: skip
        inner = "|".join(draw(PAD) + cells[name] + draw(PAD) for name in order)
        bare = draw(st.integers(0, 5)) == 0 and cells[order[0]].strip() and cells[order[-1]].strip()
        lines.append((inner if bare else f"|{inner}|") + draw(END))
    lines.append(draw(st.sampled_from(["", "\n", "\n## Notes\n\n- | no | row |\n", "\n\n\n"])))
    data = "".join(lines).encode("utf-8", "surrogateescape")
    return data.rstrip(b"\r\n") if draw(st.integers(0, 4)) == 0 else data


@settings(max_examples=200, deadline=None)
@given(plans(), st.sampled_from(WORDS), st.data())
def test_an_edit_touches_one_cell(data, status, draw):
    parser = PlanParser("p")
    plan = parser.parse(data)
    rows = [row for row in plan.rows if not row.malformed]
    assume(rows)
    row = draw.draw(st.sampled_from(rows))
    try:
        new = set_statuses(data, parser, {row.line: status})
    except Refused:
        assert parser.parse(data) == plan
        return
    before, after = data.split(b"\n"), new.split(b"\n")
    assert [line for number, line in enumerate(before, 1) if number != row.line] == [
        line for number, line in enumerate(after, 1) if number != row.line
    ]
    found = PlanParser("p").parse(new)
    changed = next(item for item in found.rows if item.line == row.line)
    assert changed.status == status
    assert changed._replace(status=row.status, status_text=row.status_text) == row
    head, tail = common(before[row.line - 1], after[row.line - 1])
    assert len(after[row.line - 1]) - head - tail <= len(changed.status_text.encode()) + 2


@settings(max_examples=150, deadline=None)
@given(plans(), CELL)
def test_a_row_that_is_added_stands_behind_the_last_and_changes_no_other_byte(data, goal):
    parser = PlanParser("p")
    before = parser.parse(data)
    try:
        new = add_row(data, parser, NewRow("T-77", "new-row", goal))
    except Refused:
        return
    head, tail = common(data, new)
    assert head + tail >= len(data)
    after = PlanParser("p").parse(new)
    assert [row._replace(line=0) for row in after.rows[:-1]] == [row._replace(line=0) for row in before.rows]
    added = after.rows[-1]
    assert (added.id, added.slug, added.status, added.depends_on) == ("T-77", "new-row", "pending", ())


def common(old, new):
    """How many bytes both begin and end with, those at the beginning counted first."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-tail - 1] == new[-tail - 1]:
        tail += 1
    return head, tail
