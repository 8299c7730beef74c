"""Stages of a task: the table and the details show the same boxes."""

import pytest

HOME = "docs/features/hold-timer"


def row_of(session):
    """The row of T-04 in the table."""
    return next(line for line in session.rows() if "○ pending" in line and "hold-timer" in line)


@pytest.mark.parametrize(
    ("names", "boxes"),
    [
        (["04_DEVELOPMENT", "06_TEST_REPORT", "07_DELIVERY"], "□□□■□■■"),
        (["01_REQUIREMENT_ANALYSIS", "07_DELIVERY"], "■□□□□□■"),
        (["01_REQUIREMENT_ANALYSIS", "02_SOLUTION_DESIGN"], "■■□□□□□"),
        ([], "□□□□□□□"),
    ],
)
async def test_a_box_is_filled_where_the_document_of_its_stage_exists(desk, opened, names, boxes):
    for name in names:
        desk.write(f"{HOME}/{name}.md", f"# {name}\n\n## Verdict\n\nREADY\n")
    async with opened(desk) as session:
        await session.choose("T-04")
        details = [line[0] for line in session.facts("#task-list") if line[1:3] == " 0" and line[0] in "■□"]
        assert boxes in row_of(session)
        assert "".join(details) == boxes


async def test_a_time_that_lies_ahead_is_not_cut(desk, opened):
    desk.write(f"{HOME}/01_REQUIREMENT_ANALYSIS.md", "# Hold\n", minutes=-500)
    async with opened(desk) as session:
        await session.choose("T-04")
        assert ">now" in row_of(session)
        assert "last change in the future" in session.facts("#task-list")
