"""Short messages in the corner: never several, as they lie over the log."""


async def test_a_message_takes_the_place_of_the_one_before(bare_desk, opened):
    async with opened(bare_desk) as session:
        for _ in range(3):
            await session.press("full_stop")
        await session.press("m")
        await session.until(lambda: any("the mouse" in toast for toast in session.toasts()))
        assert len(session.toasts()) == 1
        await session.until(lambda: len(session.app.screen.query("Toast")) == 1)


async def test_what_happened_since_also_tells_of_a_pool_that_is_not_there(desk, opened):
    async with opened(desk):
        pass
    desk.replace(desk.plan_path, "in-progress |", "done |")
    async with opened(desk, pool="glaze-archiv") as session:
        await session.until(lambda: any("✓ 1 done" in toast for toast in session.toasts()))
        (toast,) = session.toasts()
        assert "there is no pool glaze-archiv" in toast


async def test_a_message_leaves_the_newest_lines_of_the_log_in_sight_and_goes_when_a_dialog_opens(desk, opened):
    async with opened(desk) as session:
        for size in ((80, 24), (140, 44)):
            await session.resize(size)
            session.app.notify("sent: NOTE; it waits until the stream reads it", markup=False)
            await session.until(lambda: len(session.app.screen.query("Toast")) == 1)
            await session.settle()
            toast = session.app.screen.query_one("Toast")
            assert 0 < toast.region.bottom <= session.log_view.region.bottom - 2
            assert toast.region.y > session.log_view.region.y
        await session.press("M")
        await session.until(lambda: type(session.app.screen).__name__ == "ActDialog")
        await session.until(lambda: not session.toasts())
