"""Every hint of a footer does something where it is shown."""

import pytest
from support import families

from harness_tui.formats.mailbox import new_signal
from harness_tui.workspace import mailbox


def footer(session):
    return session.rows()[-1]


@pytest.mark.parametrize(("lock", "shown"), [("true", True), ("false", False)])
async def test_the_control_page_offers_the_signal_that_a_lock_waits_for(bare_desk, opened, lock, shown):
    bare_desk.write(families.CONTROL, families.control(lock))
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.press("6")
        await session.shows("Control loop", "LOCKED" if shown else "unlocked")
        assert ("U unlock" in footer(session)) is shown


async def test_the_signal_page_offers_what_can_be_done_with_the_chosen_signal(bare_desk, opened):
    async with opened(bare_desk, size=(120, 40)) as session:
        await session.press("8")
        await session.shows("No signals.")
        assert "take back" not in footer(session)
        mailbox.send(bare_desk.root, new_signal("NOTE", "", "ease the ramp"), pool_id=None)
        session.app.live.refresh()
        await session.shows("ease the ramp")
        await session.until(lambda: "W take back" in footer(session))


async def test_a_dashboard_that_only_shows_offers_nothing_that_writes(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        assert "A add" in footer(session)
        session.app.read_only = "asked for"
        await session.press("3", "1")
        await session.until(lambda: "A add" not in footer(session))
        assert not any(hint in footer(session) for hint in ("X stop", "S skip", "M note", "L launch"))
