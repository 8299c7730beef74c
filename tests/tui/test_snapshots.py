"""Pictures of the screens; look at them when one changes (`--snapshot-update` takes new ones)."""

import re

import pytest
from support import loop
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

WIDE, MIDDLE, SMALL = (200, 60), (120, 40), (80, 24)


class Picture(SingleFileSnapshotExtension):
    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def picture(snapshot):
    return snapshot.use_extension(Picture)


@pytest.fixture
def committed(desk):
    desk.commit()
    return desk


async def settled(session):
    """Everything has come in that comes by itself."""
    await session.until(lambda: "main@" in session.status and "● live" in session.status)
    await session.until(lambda: any("step 39" in line for line in session.facts("#task-list")))
    await session.until(lambda: any("changed since" in line for line in session.facts("#task-list")))
    await session.settle()
    await session.pilot.pause(0.1)


def taken(session):
    """The picture without what differs from run to run: the prefix of its names."""
    picture = session.app.export_screenshot(title="harness-tui")
    assert str(session.desk.root) not in picture
    return re.sub(r"terminal-\d+", "terminal", picture)


@pytest.mark.parametrize("size", [WIDE, MIDDLE, SMALL, (60, 16)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_main(committed, opened, picture, size):
    async with opened(committed, size=size) as session:
        await settled(session)
        assert taken(session) == picture


@pytest.mark.parametrize("theme", ["light", "contrast"])
async def test_main_in_another_theme(committed, opened, picture, theme):
    async with opened(committed, size=MIDDLE, theme=theme) as session:
        await settled(session)
        assert taken(session) == picture


@pytest.mark.parametrize("panel", ["task", "log", "inbox"])
async def test_panel_of_a_small_screen(committed, opened, picture, panel):
    async with opened(committed, size=SMALL) as session:
        await settled(session)
        session.main.go_to(panel)
        await session.settle()
        assert taken(session) == picture


@pytest.mark.parametrize(
    ("name", "key", "size"),
    [
        ("help", "question_mark", SMALL), ("help", "question_mark", MIDDLE), ("why", "c", SMALL), ("why", "c", MIDDLE),
        ("graph", "x", SMALL), ("broken", "b", SMALL), ("pools", "p", SMALL),
    ],
    ids=lambda value: f"{value[0]}x{value[1]}" if isinstance(value, tuple) else str(value),
)  # fmt: skip
async def test_window(committed, opened, picture, name, key, size):
    async with opened(committed, size=size) as session:
        await settled(session)
        session.table.select_task("T-12")
        await session.settle()
        await session.press(key)
        await session.until(lambda: session.app.screen is not session.main)
        await session.settle()
        assert taken(session) == picture


@pytest.mark.parametrize("size", [MIDDLE, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("rendered", [True, False], ids=["rendered", "written"])
async def test_reader(committed, opened, picture, size, rendered):
    async with opened(committed, size=size) as session:
        await settled(session)
        path = "docs/features/ramp-editor/03_GATE_REVIEW.md" if rendered else committed.plan_path
        session.app.open_source(path, None if rendered else 14, document=rendered)
        await session.shows("Verdict" if rendered else "T-06")
        await session.settle()
        assert taken(session) == picture


async def test_filter_line(committed, opened, picture):
    async with opened(committed, size=SMALL) as session:
        await settled(session)
        await session.press("slash", *"vent")
        await session.until(lambda: len(session.table.rows) == 1)
        session.one("#line-input Input").cursor_blink = False
        await session.settle()
        assert taken(session) == picture


@pytest.mark.parametrize("size", [MIDDLE, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_empty(bare_desk, opened, picture, size):
    bare_desk.write("README.md", "# kiln\n")
    bare_desk.commit()
    async with opened(bare_desk, size=size) as session:
        await session.until(lambda: "main@" in session.status and "● live" in session.status)
        await session.settle()
        assert taken(session) == picture


async def test_too_small(committed, opened, picture):
    async with opened(committed, size=(50, 12)) as session:
        await session.settle()
        assert taken(session) == picture


@pytest.mark.parametrize("size", [WIDE, MIDDLE, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_dialog_over_an_unread_stop(committed, opened, picture, size):
    committed.write(".harness/intervention.md", "# Intervention\n\nSTOP — the kiln smells\n")
    async with opened(committed, size=size) as session:
        await settled(session)
        await session.press("A", *"glaze", "enter", *"Glaze")
        await session.until(lambda: any("+ ADD glaze" in line for line in session.facts("#preview")))
        await session.pilot.pause(0.1)
        assert taken(session) == picture


@pytest.mark.parametrize("size", [MIDDLE, SMALL], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_signals(committed, opened, picture, size):
    committed.write(".harness/intervention.md", "# Intervention\n\nSTOP — the kiln smells\n\nSKIP T-04\n")
    async with opened(committed, size=size) as session:
        await settled(session)
        await session.press("8")
        await session.until(lambda: any("SKIP T-04" in line for line in session.facts("#page-list")))
        await session.pilot.pause(0.1)
        assert taken(session) == picture


@pytest.mark.parametrize("size", [MIDDLE, SMALL, WIDE], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_control(bare_desk, opened, picture, size):
    for name, text in loop.STOPPED.items():
        bare_desk.write(name, text)
    bare_desk.commit()
    async with opened(bare_desk, size=size) as session:
        await session.until(lambda: session.app.snapshot.git is not None and "● live" in session.status)
        await session.press("6")
        await session.until(lambda: session.app.screen.name == "page-control")
        await session.shows("BLOCKS HERE", "baseline")
        await session.settle()
        assert taken(session) == picture
