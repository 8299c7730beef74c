"""What the guards of the loop say, on its page."""

import unicodedata

import pytest
from support import loop

from harness_tui.tui.widgets.fact_list import FactList

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
LABELS = [
    "milestone kind", "milestone intake", "entry gate", "milestone review", "backfill", "worktrack intake",
    "change of goal", "milestone brief",
]  # fmt: skip


@pytest.fixture
def beacon(bare_desk):
    """A loop that the second guard stops, in a repository whose hash is always the same."""
    for name, text in loop.STOPPED.items():
        bare_desk.write(name, text)
    bare_desk.commit()
    return bare_desk


@pytest.fixture
def page(opened):
    """Opens the dashboard and goes to the page once git has answered."""
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def page(desk, size=(120, 40)):
        async with opened(desk, size=size) as session:
            await session.until(lambda: session.app.snapshot.git is not None)
            await session.settle()
            await session.press("6")
            await session.until(lambda: session.app.screen.name == "page-control")
            await session.until(lambda: session.one("#page-list").size.width > 0)
            yield session

    return page


def lines(session, selector="#page-list"):
    return [" ".join(text.split()) for text in session.facts(selector)]


def line(session, start):
    (found,) = [text for text in lines(session) if text.startswith(start)]
    return found


async def go_to(session, words):
    assert session.one("#page-list", FactList).find(words)
    await session.settle()


async def test_the_eight_guards_stand_in_their_order_and_the_first_no_is_marked(beacon, page):
    async with page(beacon) as session:
        text = lines(session)
        first = text.index("Guards of Decide: stopped by guard 2")
        rows = [part for part in text[first + 1 :] if part[:1].isdigit()]
        assert [part[2:].startswith(label) for part, label in zip(rows, LABELS, strict=True)] == [True] * 8
        assert [part[:1] for part in rows] == list("12345678")
        assert rows[0] == "1 milestone kind ✓ ready goal-driven: handed back to the operator when achieved"
        assert rows[1] == ("2 milestone intake ⊘ BLOCKS HERE questions are open → return_to_pre_milestone_intake_skill")
        assert all("· not reached would say" in part for part in rows[2:])
        assert rows[2] == "3 entry gate · not reached would say ✓ ready"
        assert rows[5].startswith("6 worktrack intake · not reached would say ⊘ blocked")


async def test_what_the_file_says_instead_is_marked_by_sign_and_word(beacon, page):
    async with page(beacon) as session:
        text = lines(session)
        beside = text[text.index(line(session, "2 milestone intake")) + 1]
        assert beside == "└ ≠ the file says intake_status: ready pre-milestone-intake-MS-BEACON.md:3"


async def test_enter_opens_the_line_that_decided(beacon, page):
    decided = {
        "2 milestone intake": (loop.INTAKE, "intake_status: questions_required"),
        "≠ the file says intake_status": (loop.INTAKE, "- intake_status: ready"),
        "1 milestone kind": (loop.MILESTONE, "milestone_kind: goal-driven"),
        "baseline ": (loop.CONTROL, "- latest_observed_checkpoint:"),
        "function ": (loop.CONTROL, "- current_function: Decide"),
        "recommended ": (loop.CONTROL, "- recommended_next_route: WorktrackScope.Init"),
        "validation_evidence": (loop.GATE, "- test evidence: 12 of 12 lamps lit"),
        "latest_review_status": (loop.CONTROL, "- latest_review_status: effective_pass"),
    }
    async with page(beacon) as session:
        for words, (path, source) in decided.items():
            await go_to(session, words)
            fact = session.one("#page-list", FactList).current
            assert fact.path == path
            assert beacon.read(path).split("\n")[fact.line - 1].startswith(source)
        await go_to(session, "2 milestone intake")
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == "reader")
        await session.shows("intake_status: questions_required")


async def test_branch_baseline_and_routes_are_shown(beacon, page):
    async with page(beacon) as session:
        assert line(session, "branch ") == "branch ✓ right branch Decide only reads"
        assert line(session, "baseline ").startswith("baseline ≠ changed HEAD is ")
        text = lines(session)
        at = text.index("Next routes: 3 of 4 legal")
        assert text[at + 1] == "recommended WorktrackScope.Init ≠ not now"
        assert text[at + 2 : at + 6] == [
            "Observe ✓ legal", "Decide ✓ legal",
            "WorktrackScope.Init ⊘ not now guard 2, pre-milestone-intake-guard: questions are open",
            "Refresh ✓ legal",
        ]  # fmt: skip


async def test_files_that_disagree_are_named_with_the_recovery_and_nothing_is_repaired(beacon, page):
    before = {name: beacon.read(name) for name in loop.STOPPED}
    async with page(beacon) as session:
        text = lines(session)
        at = next(n for n, part in enumerate(text) if part.startswith("Files that disagree"))
        assert text[at] == "Files that disagree: 2, nothing is repaired by itself"
        assert text[at + 1] == "≠ MS-BEACON is active here, but .servo/repo/milestone-backlog.md lists it as planned"
        assert text[at + 2] == "└ recovery reconcile-active control-state.md, milestone-backlog.md"
    assert {name: beacon.read(name) for name in loop.STOPPED} == before


async def test_evidence_and_fields_are_there_or_missing_in_words(beacon, page):
    async with page(beacon) as session:
        text = lines(session)
        assert "Evidence of the worktrack: 3 of 9 there" in text
        assert "✗ missing route_decision decision about the route" in text
        assert "! denied closeout_record record of the closeout" in text
        assert "✓ there validation_evidence results of tests" in text
        assert "Fields that are filled in where they are missing: 7 of 14 there" in text
        assert "✗ missing intake_skipped counts as false" in text
        assert "✓ there milestone_review_count 2" in text
        assert sum(part.startswith(("✓ there", "✗ missing", "! denied")) for part in text) == 23


async def test_a_change_of_one_file_is_shown_at_once_and_the_cursor_stays(beacon, page):
    async with page(beacon) as session:
        await go_to(session, "2 milestone intake")
        beacon.write(loop.INTAKE, loop.intake())
        await session.until(lambda: "✓ ready" in line(session, "2 milestone intake"))
        assert session.one("#page-list", FactList).current.plain.startswith("2 milestone intake")
        assert any(part == "Guards of Decide: stopped by guard 6" for part in lines(session))
        assert "⊘ BLOCKS HERE" in line(session, "6 worktrack intake")
        beacon.write(loop.WORKTRACK, loop.worktrack())
        await session.until(lambda: "Guards of Decide: nothing stops it" in lines(session))
        assert "WorktrackScope.Init ✓ legal" in lines(session)
        assert "recommended WorktrackScope.Init" in lines(session)


async def test_a_commit_is_seen_by_the_guards_of_git(beacon, page):
    async with page(beacon) as session:
        before = line(session, "baseline ")
        beacon.write("lamp.txt", "lit\n")
        beacon.git("add", "-A")
        beacon.git("commit", "-q", "-m", "Light the lamp")
        await session.until(lambda: line(session, "baseline ") != before)
        await session.until(lambda: beacon.read(".git/refs/heads/main")[:12] in line(session, "baseline "))


async def test_the_lock_stays_first_and_holds_every_route(beacon, page):
    beacon.write(loop.CONTROL, loop.control(lock="true"))
    async with page(beacon) as session:
        assert lines(session)[:2] == ["Handback lock", "lock ■ LOCKED"]
        assert "Next routes: 0 of 4 legal" in lines(session)
        why = "⊘ not now Observe, Decide, WorktrackScope.Init, Refresh held by the handback lock"
        assert line(session, "4 routes") == f"4 routes {why}"
        assert sum("held by the handback lock" in part for part in lines(session)) == 1


async def test_a_guard_that_holds_the_function_is_a_need_that_leads_to_its_line(beacon, opened):
    async with opened(beacon, size=(120, 40)) as session:
        await session.until(lambda: any("pre-milestone-intake-guard" in part for part in session.facts("#inbox-list")))
        await session.press("4")
        assert session.main.query_one("#inbox-list", FactList).find("guard pre-milestone")
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == "page-control")
        await session.until(lambda: "⊘ BLOCKS HERE" in session.one("#page-list", FactList).current.plain)


async def test_where_there_is_room_the_records_stand_beside_what_holds_now(beacon, page):
    async with page(beacon, (200, 60)) as session:
        detail = session.one("#page-detail", FactList)
        assert detail.display
        assert "Evidence of the worktrack: 3 of 9 there" in lines(session, "#page-detail")
        assert "Evidence of the worktrack: 3 of 9 there" not in lines(session)
        await session.press("tab")
        assert detail.has_focus
        await session.pilot.resize_terminal(120, 40)
        await session.until(lambda: "Evidence of the worktrack: 3 of 9 there" in lines(session))
        assert not detail.display
        assert session.one("#page-list").has_focus


async def test_a_search_finds_a_line_of_the_second_list(beacon, page):
    async with page(beacon, (200, 60)) as session:
        await session.press("slash", *"dispatch_profile", "enter")
        await session.until(lambda: session.one("#page-detail").has_focus)
        assert "runtime_dispatch_profile" in session.one("#page-detail", FactList).current.plain


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40), (200, 60)])
async def test_hostile_values_are_literal_and_push_nothing_away(bare_desk, page, size):
    ugly = "\x1b[2J\u202eready [@click=app.quit]x[/] " + "word " * 300
    files = loop.READY | {
        loop.INTAKE: loop.intake(ugly, entry="[bold]\x07"), loop.WORKTRACK: loop.worktrack(ugly),
        loop.CONTROL: loop.control(route=ugly, extra=f"- milestone_brief: {ugly}\n"),
    }  # fmt: skip
    for name, text in files.items():
        bare_desk.write(name, text)
    bare_desk.commit()
    async with page(bare_desk, size) as session:
        await go_to(session, "2 milestone intake")
        assert "‹U+202E›" in line(session, "2 milestone intake")
        assert "[@click=app.quit]x[/]" in line(session, "2 milestone intake")
        assert not [s for s in session.segments() if any(unicodedata.category(char) in HIDDEN for char in s.text)]
        await session.press("end", "home")
        assert session.app.is_running


async def test_a_loop_without_a_state_or_a_scope_says_what_is_not_known(bare_desk, page):
    bare_desk.write(loop.GATE, loop.GATE_TEXT)
    bare_desk.commit()
    async with page(bare_desk) as session:
        assert "lock not recorded" in line(session, "lock ")
        assert lines(session)[3:5] == ["Guards of Decide", "? not asked there is no control state"]
        bare_desk.write(loop.CONTROL, "# Control State\n")
        await session.until(lambda: "legal ? not known: the scope is unknown" in lines(session))
