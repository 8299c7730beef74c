"""A dashboard whose program was replaced on disk, as by an update: what it imports late is gone."""

import sys


async def test_a_key_that_needs_what_is_gone_says_so_and_ends_nothing(desk, opened, monkeypatch):
    monkeypatch.setitem(sys.modules, "harness_tui.tui.facts_why", None)
    async with opened(desk) as session:
        await session.press("c")
        await session.until(lambda: any("replaced" in toast for toast in session.toasts()))
        await session.press("question_mark")
        await session.until(lambda: type(session.app.screen).__name__ == "FactScreen")
