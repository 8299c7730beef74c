"""The header: how long a state has lasted."""


async def test_the_header_says_for_how_long_a_stream_has_been_as_it_is(bare_desk, opened):
    row = ("T-01", "burner-relay", "Switch the burner.", "full", "—", "done")
    bare_desk.write(bare_desk.plan_path, bare_desk.plan_of("default", [row], ()))
    bare_desk.write(bare_desk.log_path, bare_desk.log_line("STREAM EXIT · drained · 1 done", 9000))
    async with opened(bare_desk) as session:
        assert "drained for 6d" in session.status
