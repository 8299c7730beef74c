"""The header: how long a state has lasted."""

import pytest
from support import families


@pytest.fixture
def drained(bare_desk):
    """A pool with a row of each end, which was drained six days ago."""
    rows = [
        (f"T-0{at}", f"burner-{at}", "Switch the burner.", "full", "—", status)
        for at, status in enumerate(("done", "failed", "blocked", "needs-human"))
    ]
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", rows, ()))
    bare_desk.write(bare_desk.log_path, bare_desk.log_line("STREAM EXIT · drained · 1 done", 9000))
    return bare_desk


async def test_the_header_says_for_how_long_a_stream_has_been_as_it_is(bare_desk, opened):
    row = ("T-01", "burner-relay", "Switch the burner.", "full", "—", "done")
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", [row], ()))
    bare_desk.write(bare_desk.log_path, bare_desk.log_line("STREAM EXIT · drained · 1 done", 9000))
    async with opened(bare_desk) as session:
        assert "drained for 6d" in session.status


async def test_the_state_of_the_stream_is_cut_short_before_it_is_left_out(drained, opened):
    for name, text in families.EVERY.items():
        drained.write(name, text)
    for size in ((60, 18), (72, 20), (80, 24)):
        async with opened(drained, size=size) as session:
            await session.until(lambda: "LOCKED" in session.rows()[1])
            row = session.rows()[1]
            assert "drained" in row, size
            assert "need you" in row, size


async def test_the_time_of_a_state_is_left_out_rather_than_cut(drained, opened):
    async with opened(drained, size=(60, 18)) as session:
        for width in range(60, 90):
            await session.resize((width, 18))
            row = session.rows()[1]
            assert "…" not in row.partition(" for ")[2], (width, row)
