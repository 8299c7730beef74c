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
        assert not any(hint in footer(session) for hint in ("X stop", "S skip", "M note", "L start"))


async def test_a_workspace_without_anything_offers_no_key_that_finds_nothing(bare_desk, opened):
    async with opened(bare_desk, size=(200, 50)) as session:
        await session.shows("Nothing to watch here yet.", "start a run (L)")
        await session.until(lambda: "L start" in footer(session))
        idle = ("c why?", "/ search", "Enter open", ". next need", "A add", "S skip", "p pools")
        assert not any(hint in footer(session) for hint in idle)
        bare_desk.write(families.CONTROL, families.control("true"))
        told = ("c why?", "Enter open", ". next need", "U unlock")
        await session.until(lambda: all(hint in footer(session) for hint in told))


async def test_a_start_is_offered_before_a_stop_while_nothing_runs(desk, opened):
    async with opened(desk, size=(200, 50)) as session:
        await session.until(lambda: "running" in session.status)
        assert footer(session).index("X stop") < footer(session).index("A add") < footer(session).index("L start")
    desk.path(f"{desk.plan_path.removesuffix('BATCH_PLAN.md')}STREAM_LOG.md").unlink()
    desk.replace(desk.plan_path, "in-progress |", "done |")
    async with opened(desk, size=(200, 50)) as session:
        await session.until(lambda: "idle" in session.status)
        assert footer(session).index("L start") < footer(session).index("A add") < footer(session).index("X stop")


@pytest.mark.parametrize(("key", "words"), [
    ("x", "no pool was found"), ("p", "no pool was found"), ("2", "no pool was found"), ("3", "no pool was found"),
    ("right_square_bracket", "no pool was found"), ("minus", "no other pool was shown before"),
    ("U", "nothing to unlock"),
])  # fmt: skip
async def test_a_key_that_finds_nothing_says_so(bare_desk, opened, key, words):
    async with opened(bare_desk) as session:
        await session.press(key)
        await session.until(lambda: any(words in toast for toast in session.toasts()))
        assert session.app.screen is session.main


async def test_the_only_pool_has_no_next_one_and_says_so(bare_desk, opened):
    head = "# Batch Plan — default\n\n## Tasks\n\n| ID | Slug | Goal | Mode | Depends on | Status |\n"
    head += "|---|---|---|---|---|---|\n"
    bare_desk.write(bare_desk.plan_path, head + "| T-01 | ramp | Edit ramps. | full | — | pending |\n")
    async with opened(bare_desk) as session:
        await session.press("left_square_bracket")
        await session.until(lambda: any("this is the only pool" in toast for toast in session.toasts()))


async def test_a_window_offers_to_open_and_to_search_only_what_is_there(bare_desk, opened):
    def hints(session):
        return next((line for line in session.rows() if "Esc back" in line), "")

    async with opened(bare_desk) as session:
        await session.press("b")
        await session.shows("Everything could be read.")
        assert not any(hint in hints(session) for hint in ("Enter open", "/ search"))
        await session.press("escape", "question_mark")
        await session.shows("What every key does")
        assert "/ search" in hints(session)
        assert "Enter open" not in hints(session)
        bare_desk.write(bare_desk.plan_path, "# Batch Plan\n")
        await session.press("escape")
        await session.until(lambda: session.app.snapshot.pools)
        await session.press("p")
        await session.until(lambda: "Enter open" in hints(session))


async def test_a_document_names_its_own_keys_alone_and_says_what_is_missing(desk, opened):
    async with opened(desk, size=(60, 20)) as session:
        session.app.open_source(desk.plan_path, 11)
        await session.until(lambda: session.app.screen.name == "reader" and session.app.focused)
        await session.until(lambda: "Esc back" in footer(session))
        await session.press("n")
        await session.until(lambda: any("/ asks for a text" in toast for toast in session.toasts()))
        await session.press("question_mark")
        await session.until(session.facts)
        lines = session.facts()
        here = lines[: lines.index("In any list")]
        assert any("Wrap long lines" in line for line in here)
        assert not any("selected task" in line or "reports a failure" in line for line in here)
