"""`c`: why what is selected is as it is, and what it says where nothing is selected."""

import pytest
from support import families as lighthouse


async def why(session, *keys):
    """The lines of the window that `c` opens."""
    before = session.app.screen
    await session.press(*keys, "c")
    await session.until(lambda: session.app.screen is not before and session.facts())
    return session.facts()


async def test_a_task_is_explained_with_its_stream(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-05")
        lines = await why(session)
        assert lines[0] == "T-05 door-interlock"
        assert any(line.startswith("stream of default") for line in lines)


async def test_witnesses_stand_beside_each_other(desk, opened):
    async with opened(desk) as session:
        await session.choose("T-01")
        lines = await why(session)
        said = [line for line in lines[1 : lines.index("")] if " says " in line]
        assert {line[0] for line in said[1:-1]} == {"├"}
        assert said[-1].startswith("└")


async def test_the_need_under_the_cursor_is_explained_with_its_task(desk, opened):
    async with opened(desk) as session:
        lines = await why(session, "full_stop")
        assert lines[0] == "needs-human needs you"
        assert "unblocks when: the part number" in "\n".join(lines)
        assert "T-05 door-interlock" in lines


async def test_an_overview_explains_the_most_urgent_need(bare_desk, opened):
    for name, text in lighthouse.SERVO.items():
        bare_desk.write(name, text)
    async with opened(bare_desk) as session:
        first = session.app.snapshot.inbox[0]
        lines = await why(session, "end")
        assert lines[0] == f"{first.kind} needs you"
        assert lines[1].startswith(first.title)


@pytest.mark.parametrize("key", ["6", "7"])
async def test_a_page_explains_its_current_line_or_the_most_urgent_need(bare_desk, opened, key):
    for name, text in lighthouse.EVERY.items():
        bare_desk.write(name, text)
    async with opened(bare_desk) as session:
        await session.press(key)
        await session.until(lambda: session.app.screen.name and session.app.screen.name.startswith("page-"))
        lines = await why(session)
        assert "needs you" in lines[0]


@pytest.mark.parametrize("keys", [(), ("tab",)], ids=["in the list", "in the details"])
async def test_the_page_of_decisions_explains_the_question_in_the_details(bare_desk, opened, keys):
    for name, text in lighthouse.EPICS.items():
        bare_desk.write(name, text)
    async with opened(bare_desk) as session:
        await session.press("5")
        await session.until(lambda: session.one("#page-detail").lines)
        lines = await why(session, *keys)
        assert lines[0] == f"D-1 of {lighthouse.EPIC}"
        assert lines[1].startswith("D-1 is open")
        assert any("budget of" in line and "left" in line for line in lines)


async def test_where_nothing_is_there_it_says_so(bare_desk, opened):
    async with opened(bare_desk) as session:
        await session.press("c")
        await session.until(lambda: session.toasts() == ["nothing is selected and nothing needs you"])
