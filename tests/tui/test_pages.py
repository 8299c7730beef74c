"""Pages of epics, the control loop and plans, and the overview of a workspace that has no pool."""

import os
import unicodedata

import pytest
from support import families as lighthouse

from harness_tui.tui.widgets.fact_list import FactList

SIZES = [(60, 16), (80, 24), (120, 40), (200, 60)]
FORGED = (
    "Erase the log?\r\n\x1b[2K\x1b[1A> Answer recorded: B. Press Enter.\n[B] keep" + " " * 400 + "[@click=app.quit]x[/]"
)
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@pytest.fixture
def house(bare_desk):
    for name, text in lighthouse.EVERY.items():
        bare_desk.write(name, text)
    return bare_desk


@pytest.fixture
def page(opened):
    """Opens the dashboard and goes to a page by its key."""
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def page(desk, key, size=(140, 60)):
        async with opened(desk, size=size) as session:
            await session.press(key)
            await session.until(lambda: session.app.screen.name and session.app.screen.name.startswith("page-"))
            await session.until(lambda: session.one("#page-list").size.width > 0)
            yield session

    return page


def title(session):
    return session.rows()[0]


def lines(session):
    return session.facts("#page-list")


def detail(session):
    return session.facts("#page-detail")


def line(session, start):
    """The one line of the list that begins so."""
    (found,) = [text for text in lines(session) if text.strip().startswith(start)]
    return " ".join(found.split())


def at(session):
    """The current line of the list that has the keys."""
    focused = session.app.screen.focused
    return (focused if isinstance(focused, FactList) else session.one("#page-list", FactList)).current


async def select(session, words):
    assert session.one("#page-list", FactList).find(words)
    await session.settle()


# Decisions


async def test_open_questions_come_first_each_with_its_state_as_sign_and_word(bare_desk, page):
    questions = [lighthouse.question(f"D-{n}", f"Question {n}?") for n in (1, 2, 3, 4)]
    bare_desk.write(lighthouse.PACKET, lighthouse.packet(*questions))
    bare_desk.write(lighthouse.BUNDLE, lighthouse.bundle(D_1="resolved", D_2="pending", D_3="assumed", D_4="deferred"))
    bare_desk.write(lighthouse.STATE, lighthouse.state())
    async with page(bare_desk, "5") as session:
        shown = [" ".join(text.split()[:3]) for text in lines(session)[:4]]
        assert shown == ["⚑ open D-2", "≈ assumed D-3", "… deferred D-4", "✓ answered D-1"]
        assert "1 open" in title(session)
        assert at(session).key.endswith("D-2")


async def test_the_default_is_named_beside_the_question_and_among_its_options(house, page):
    async with page(house, "5") as session:
        shown = detail(session)
        assert shown[0].startswith("D-1")
        assert shown[1].split() == ["default", "B", "=", "keep", "a", "spare", "lamp", "lit"]
        assert "  [B] keep a spare lamp lit  ← default" in shown
        assert "  [A] go dark" in shown


async def test_everything_that_the_packet_says_about_a_question_is_shown(house, page):
    async with page(house, "5") as session:
        text = "\n".join(" ".join(part.split()) for part in detail(session))
        for words in ("why now the lens is taken out today", "if wrong high", "deadline before next stage",
                      "source challenge-report:CHK-7", "packet DP-PLAN-001", "asked 3h ago"):  # fmt: skip
            assert words in text


async def test_an_answered_question_shows_its_answer(house, page):
    async with page(house, "5") as session:
        await select(session, "D-2")
        await session.until(lambda: detail(session)[0].startswith("D-2"))
        text = "\n".join(" ".join(part.split()) for part in detail(session))
        assert "✓ answered" in text
        assert "answer B" in text
        assert [part.split()[0] for part in detail(session)[1:3]] == ["answer", "default"]


async def test_a_question_without_default_says_so(bare_desk, page):
    asked = lighthouse.question(options=[], default_action=None)
    bare_desk.write(lighthouse.PACKET, lighthouse.packet(asked))
    async with page(bare_desk, "5") as session:
        text = "\n".join(detail(session))
        assert "none: it can't be assumed" in text
        assert "a free answer is asked for" in text


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_text_is_framed_literal_and_pushes_nothing_away(bare_desk, page, size):
    options = [{"id": "A", "label": "Erase"}, {"id": "B", "label": "Keep\u202e ti esare"}, {"id": "C", "label": "B"}]
    asked = lighthouse.question("Q", FORGED, options=options, default_action="A")
    bare_desk.write(lighthouse.PACKET, lighthouse.packet(asked))
    bare_desk.write(lighthouse.STATE, lighthouse.state())
    async with page(bare_desk, "5", size) as session:
        framed = [text for text in detail(session) if "Answer recorded" in text]
        assert len(framed) == 1
        assert framed[0].startswith("│ Erase the log?␍␊␛[2K␛[1A> Answer recorded")
        assert "‹400 blanks›" in framed[0]
        assert "[@click=app.quit]x[/]" in framed[0]
        region = session.one("#page-detail").region
        drawn = [row[region.x : region.right] for row in session.rows()[region.y : region.bottom]]
        asked_at = next(n for n, row in enumerate(drawn) if "Question" in row)
        rows = drawn[asked_at + 1 :]
        frame = next((n for n, row in enumerate(rows) if "│" not in row[:4]), len(rows))
        assert all("Answer recorded" not in row and "[@click" not in row for row in rows[frame:])
        shown = "\n".join(drawn)
        assert "A = Erase" in shown
        if size != (60, 16):
            assert "[A] Erase" in shown
            assert "[C] B" in shown
        for segment in session.segments():
            assert not [char for char in segment.text if unicodedata.category(char) in HIDDEN]
        assert session.app.is_running


async def test_the_options_of_a_small_screen_are_reached_by_key(bare_desk, page):
    bare_desk.write(lighthouse.PACKET, lighthouse.packet(lighthouse.question("Q", "Long? " * 400)))
    async with page(bare_desk, "5", (60, 16)) as session:
        assert "← default" not in session.text()
        await session.press("tab")
        assert session.one("#page-detail").has_focus
        await session.press("end")
        await session.press("up", "up", "up", "up", "up", "up", "up")
        await session.until(lambda: "← default" in session.text())
        await session.press("tab")
        assert session.one("#page-list").has_focus
        assert session.app.screen.name == "page-decisions"


async def test_questions_with_the_same_id_show_their_own_details(bare_desk, page):
    bare_desk.write(
        lighthouse.PACKET, lighthouse.packet(lighthouse.question("Q", "First?"), lighthouse.question("Q", "Second?"))
    )
    async with page(bare_desk, "5") as session:
        assert "│ First?" in detail(session)
        await session.press("down")
        await session.until(lambda: "│ Second?" in detail(session))


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (lighthouse.state(), ["left ■■□ 2 of 3 left", "numbers total 3 · consumed 1 · remaining 2 (total by risk)"]),
        (lighthouse.state(2, 2, 2), ["left □□ 0 of 2 left, inconsistent", "because 2 of 2 used"]),
        (lighthouse.state(2, 2, 0), ["left □□ 0 of 2 left, exhausted"]),
        (lighthouse.state(2, 3, -1), ["left □□ 0 of 2 left"]),
        (lighthouse.state("2", 0, 2), ["left 0 left, unreadable", "because"]),
        ("{", ["left 0 left, unreadable", "because"]),
        (lighthouse.state(40, 4, 36), ["left ■■■■■■■■■□ 36 of 40 left"]),
        (lighthouse.state(10**9, 0, 10**9), ["left 0 left, unreadable", "more than any budget"]),
    ],
    ids=["ok", "inconsistent", "exhausted", "overspent", "words", "cut", "large", "implausible"],
)  # fmt: skip
async def test_a_budget_is_drawn_as_what_its_numbers_come_to(bare_desk, page, state, words):
    bare_desk.write(lighthouse.STATE, state)
    async with page(bare_desk, "5") as session:
        text = "\n".join(" ".join(part.split()) for part in lines(session))
        assert [part for part in words if part not in text] == []
        assert len(line(session, "left").split()[1]) <= 10


async def test_stage_risk_advice_and_history_are_shown(bare_desk, page):
    spent = {"total": 3, "consumed": 1, "remaining": 2,
             "history": [{"at": "2026-03-14T11:00:00Z", "stage": "SPEC", "packet_id": "DP-SPEC-001"}]}  # fmt: skip
    bare_desk.write(lighthouse.STATE, lighthouse.state(interrupt_budget=spent))
    async with page(bare_desk, "5") as session:
        assert line(session, "stage, risk") == "stage, risk PLAN, high"
        assert "CLARIFY 1-2 · SPEC 1 (spent 1) · PLAN 0-1 · EXECUTE 0" in line(session, "advice")
        assert line(session, "spent") == "spent in SPEC on DP-SPEC-001 1h"


async def test_a_half_written_budget_keeps_its_last_good_value_with_a_mark_that_goes_away(bare_desk, page):
    whole = lighthouse.state(2, 1, 1)
    bare_desk.write(lighthouse.STATE, whole)
    async with page(bare_desk, "5") as session:
        assert line(session, "left") == "left ■□ 1 of 2 left"
        bare_desk.write(lighthouse.STATE, whole[: len(whole) // 2])
        await session.until(lambda: "re-reading" in line(session, "left"))
        assert line(session, "left").startswith("left ■□ 1 of 2 left")
        assert "re-reading" in session.status
        bare_desk.write(lighthouse.STATE, lighthouse.state(2, 2, 0))
        await session.until(lambda: line(session, "left") == "left □□ 0 of 2 left, exhausted")


async def test_a_change_of_the_same_size_and_time_is_seen(bare_desk, page):
    path = bare_desk.write(lighthouse.STATE, lighthouse.state(2, 1, 1))
    async with page(bare_desk, "5") as session:
        before = path.stat()
        path.write_text(lighthouse.state(2, 2, 0))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        await session.until(lambda: "0 of 2 left" in line(session, "left"))


async def test_several_epics_are_told_apart_and_the_worst_budget_is_in_the_titles(house, page):
    other = ".harness/features/sh-4-horn"
    house.write(f"{other}/state.json", lighthouse.state(1, 1, 0, risk="low"))
    house.write(f"{other}/decision-packet.json", lighthouse.packet(lighthouse.question("D-1", "Which horn?")))
    house.write(".harness/features/sh-5-done/state.json", lighthouse.state(1, 1, 0, stage="DONE"))
    async with page(house, "5") as session:
        text = "\n".join(lines(session))
        assert "Which horn?  sh-4-horn" in text
        assert f"May the lamp go dark for an hour?  {lighthouse.EPIC}" in text
        assert [part for part in lines(session) if part.startswith("Budget of")] == [
            f"Budget of {lighthouse.EPIC}", "Budget of sh-4-horn", "Budget of sh-5-done",
        ]  # fmt: skip
        assert "□ 0 of 1 left, exhausted (lowest of 3 epics)" in title(session)
        assert "0 of 1 left, exhausted (lowest of 3 epics)" in session.status


async def test_the_ledger_begins_with_what_is_critical_and_marks_assumptions(house, page):
    async with page(house, "5") as session:
        text = lines(session)
        first = next(n for n, part in enumerate(text) if part == "Unknowns")
        assert text[first + 1].split()[:3] == ["U-1", "open", "CRITICAL-BLOCKED"]
        assert text[first + 2].split()[:2] == ["U-2", "open"]
        assumed = next(part for part in text if "sh-3.2" in part)
        assert assumed.count("ASSUMPTION") == 1
        assert "⚠ ASSUMPTION the oil is colza" in assumed
        assert "impact" not in assumed


async def test_a_packet_that_cannot_be_read_is_named_with_its_reason(house, page):
    house.write(lighthouse.PACKET, '{"questions": ' + "[" * 5000 + "]" * 5000 + "}")
    async with page(house, "5") as session:
        assert "can't be read: nested" in lines(session)[0]
        assert lighthouse.PACKET in lines(session)[0]
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == "reader")


# Control loop


async def test_a_lock_is_the_loudest_thing(house, page):
    async with page(house, "6") as session:
        assert "■ LOCKED" in title(session)
        assert lines(session)[:2] == ["Handback lock", "lock        ■ LOCKED"]
        loud = [segment for segment in session.segments() if "LOCKED" in segment.text]
        assert all(segment.style.reverse or segment.style.bgcolor for segment in loud)
        assert any(segment.style.reverse for segment in loud)
        await session.press("escape")
        assert "■ LOCKED" in session.status
        assert "■ LOCKED" in session.text()


async def test_the_lock_is_on_every_screen_of_every_size(house, opened):
    async with opened(house) as session:
        for size in SIZES:
            await session.resize(size)
            await session.shows("■ LOCKED")
        await session.press("6")
        for size in SIZES:
            await session.resize(size)
            await session.shows("■ LOCKED")


async def test_not_recorded_is_not_unlocked(bare_desk, page):
    text = lighthouse.control().replace("- handback_lock_active: true\n", "")
    bare_desk.write(lighthouse.CONTROL, text)
    async with page(bare_desk, "6") as session:
        assert "lock not recorded" in title(session)
        assert line(session, "lock ") == "lock ? lock not recorded"
        assert "unlocked" not in title(session)
        assert line(session, "handback_lock_active") == "handback_lock_active: missing → not unlocked"


async def test_an_open_lock_is_calm(bare_desk, page):
    bare_desk.write(lighthouse.CONTROL, lighthouse.control("false", handback_reaffirmed_rounds="0"))
    async with page(bare_desk, "6") as session:
        assert line(session, "lock ") == "lock ○ unlocked"
        assert line(session, "rounds") == "rounds 0 of 2 until it locks"
        assert line(session, "stopped") == "stopped the lens was not delivered"


@pytest.mark.parametrize(
    ("signal", "words"), [("continue", "does not unlock"), ("继续", "does not unlock"), ("retry", "does not unlock")]
)
async def test_the_last_signal_is_shown_with_whether_it_is_valid_and_why(bare_desk, page, signal, words):
    bare_desk.write(lighthouse.CONTROL, lighthouse.control(extra=f"- last_unlock_signal: {signal}\n"))
    async with page(bare_desk, "6") as session:
        assert line(session, "last signal") == f"last signal “{signal}” {words}"
        assert len(line(session, "because")) > len("because ")


async def test_doubled_keys_name_both_lines_and_the_worst_counts(bare_desk, page):
    text = lighthouse.control("true", extra="- handback_lock_active: false\n")
    bare_desk.write(lighthouse.CONTROL, text)
    numbers = [n for n, words in enumerate(text.split("\n"), 1) if "handback_lock_active" in words]
    async with page(bare_desk, "6") as session:
        assert "■ LOCKED" in title(session)
        told = next(part for part in lines(session) if "given 2 times" in part)
        assert all(f"line {number}" in told for number in numbers)


async def test_every_field_leads_to_its_line(house, page):
    source = lighthouse.control().split("\n")
    async with page(house, "6") as session:
        facts = session.one("#page-list", FactList).facts
        fields = [
            fact for fact in facts if fact.path == lighthouse.CONTROL and fact.line and fact.plain.startswith("  ")
        ]
        assert len(fields) > 10
        for fact in fields:
            assert fact.plain.split(":")[0].split()[0] in source[fact.line - 1]


async def test_gaps_are_shown_with_the_value_that_is_assumed(house, page):
    async with page(house, "6") as session:
        assert line(session, "branch_context_guard_status") == "branch_context_guard_status: missing → blocked"


async def test_where_the_loop_stands_and_what_it_may_do_is_shown(house, page):
    async with page(house, "6") as session:
        text = [" ".join(part.split()) for part in lines(session)]
        for words in ("function Judge", "worktrack WT-LENS-1", "recommended repo-refresh", "ledger 4 left, 2 opened"):
            assert words in text
        assert "approval needed before the next step" in text
        assert "layout single: control-state.md" in text


async def test_verdicts_are_in_the_words_of_the_file_with_exceptions_beside_them(bare_desk, page):
    extra = (
        "\n## Outcome\n\n- manual_exception: the keeper allows it\n- acceptance_verdict: accepted_with_residual_risk\n"
    )
    bare_desk.write(lighthouse.GATE, lighthouse.gate("pass", "pass-ish (two skipped)", "pass", extra))
    async with page(bare_desk, "6") as session:
        assert line(session, "verdict").startswith("verdict ? unknown")
        assert line(session, "validation") == "validation ? unknown “pass-ish (two skipped)”"
        assert line(session, "acceptance") == "acceptance accepted_with_residual_risk"
        assert line(session, "evidence") == "evidence 1 of 9 items mentioned"
        assert "route_decision" in line(session, "missing")
        assert line(session, "policy") == "policy ✓ pass"


async def test_a_failed_gate_shows_its_axis(house, page):
    async with page(house, "6") as session:
        assert "Worktrack gate of WT-LENS-1  (current)" in lines(session)
        assert line(session, "validation") == "validation ✗ hard-fail"


async def test_backlogs_and_histories_are_listed(house, page):
    house.write(
        ".servo/repo/milestone-backlog.md", "# Backlog\n\n## Active\n\n### MS-BEACON\n\n## Planned\n\n### MS-HORN\n"
    )
    house.write(".servo/repo/milestone-history.md", "torn \x00\n")
    async with page(house, "6") as session:
        text = "\n".join(" ".join(part.split()) for part in lines(session))
        assert "Milestone backlog .servo/repo/milestone-backlog.md" in text
        assert "MS-HORN planned" in text.replace("Planned", "planned")
        assert "not taken for empty" in text


async def test_gates_without_a_control_state_do_not_pass_for_an_open_lock(bare_desk, page):
    bare_desk.write(lighthouse.GATE, lighthouse.gate())
    async with page(bare_desk, "6") as session:
        assert "lock not recorded" in line(session, "lock ")
        assert any("Worktrack gate of WT-LENS-1" in part for part in lines(session))


# Plan


async def test_a_blocker_shows_its_four_parts_and_what_waits_behind_it(house, page):
    async with page(house, "7") as session:
        text = [" ".join(part.split()) for part in lines(session)]
        assert text[0] == "Blocker of task 2 (the task in progress; the section names none)"
        for words in ("state ⊘ waits for you", "behind 1 task waits behind it", "trigger permission wall",
                      "signature `apt install lens` denied", "tried a local copy, which is cracked",
                      "needed leave to install the lens package"):  # fmt: skip
            assert words in text
        assert "1 blocker waits for you" in title(session)


async def test_parts_that_are_not_named_are_missed(bare_desk, page):
    bare_desk.write(lighthouse.PLAN, lighthouse.plan("\n## Blocker\n\n- Trigger: doom loop\n"))
    async with page(bare_desk, "7") as session:
        assert line(session, "needed") == "needed not named"


async def test_hidden_text_in_a_blocker_is_a_mark(bare_desk, page):
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "yes")
    bare_desk.write(lighthouse.PLAN, lighthouse.plan(lighthouse.BLOCKER.replace("package", f"package{hidden}")))
    async with page(bare_desk, "7") as session:
        assert "package‹3 hidden characters U+E00xx›" in line(session, "needed")


async def test_resolved_and_older_blockers_are_kept_apart_from_the_one_that_waits(bare_desk, page):
    resolved = lighthouse.BLOCKER.replace("## Blocker", "## Blocker (resolved)")
    older = lighthouse.BLOCKER.replace("permission wall", "doom loop")
    bare_desk.write(lighthouse.PLAN, lighthouse.plan(resolved + older + lighthouse.BLOCKER))
    async with page(bare_desk, "7") as session:
        states = [" ".join(part.split()) for part in lines(session) if part.startswith("state")]
        assert states[0] == "state ⊘ waits for you"
        assert states[1:] == [
            "state ✓ resolved", "state ⊘ not resolved, but not what the plan waits for now",
        ]  # fmt: skip


async def test_tasks_have_their_markers_rounds_and_contradictions(house, page):
    async with page(house, "7") as session:
        text = [" ".join(part.split()) for part in lines(session)]
        assert "[x] done 1 Clean the lens 2 review rounds, last NEEDS FIXES" in text
        assert any(part.startswith("[/] in progress 2 Mount the lens") for part in text)
        assert any(part.startswith("[ ] open 3 Trim the wick") for part in text)
        assert any(part.startswith("round 1 task 1 CHANGES REQUESTED") for part in text)
        assert any("this task is [x], but its last review" in part for part in text)
        assert "tasks 1 of 3 done" in text
        assert "commands make lamp" in text
        assert "files lamp/" in text


async def test_an_unknown_marker_is_shown_as_written_and_none_as_missing(bare_desk, page):
    bare_desk.write(lighthouse.PLAN, lighthouse.plan("").replace("[ ] Task 3", "[~] Task 3"))
    async with page(bare_desk, "7") as session:
        assert any(" ".join(part.split()).startswith("[~] unknown 3") for part in lines(session))
        bare_desk.write(lighthouse.PLAN, "# Plan\n\n## Tasks\n\n### Task 1: Horn\n\nSound it.\n")
        await session.until(lambda: any(" ".join(part.split()) == "no marker 1 Horn" for part in lines(session)))


# Every page


@pytest.mark.parametrize(
    ("key", "names"),
    [("5", ["state.json", "decision-packet.json"]), ("6", ["control-state.md"]), ("7", ["PLAN.md", "plans/"])],
)
async def test_the_page_of_an_absent_family_says_what_was_looked_for(bare_desk, page, key, names):
    async with page(bare_desk, key) as session:
        await session.shows(*names)
        await session.press("enter", "down", "y", "/")
        await session.press("escape", "escape")
        assert session.app.screen is session.main


@pytest.mark.parametrize(("key", "name", "text"), [
    ("5", lighthouse.STATE, lighthouse.state()), ("6", lighthouse.CONTROL, lighthouse.control()),
    ("7", lighthouse.PLAN, lighthouse.plan()),
])  # fmt: skip
async def test_a_family_that_appears_fills_its_open_page(bare_desk, page, key, name, text):
    async with page(bare_desk, key) as session:
        assert lines(session) == []
        bare_desk.write(name, text)
        await session.until(lambda: lines(session))


async def test_an_open_page_follows_its_files_and_the_cursor_stays(house, page):
    async with page(house, "5") as session:
        await select(session, "D-2")
        house.write(lighthouse.BUNDLE, lighthouse.bundle(D_1="resolved", D_2="pending"))
        await session.until(lambda: lines(session)[0].startswith("⚑ open     D-2"))
        assert at(session).key.endswith("D-2")
        await session.until(lambda: any("⚑ open" in part for part in detail(session)[:1]))
        house.replace(lighthouse.PACKET, "Which oil is burned?", "Which oil burns?")
        await session.until(lambda: "│ Which oil burns?" in detail(session))


@pytest.mark.parametrize(("key", "words"), [("5", "Which oil"), ("6", "function"), ("7", "Mount the lens")])
async def test_enter_opens_the_source_at_its_line_and_escape_returns(house, page, key, words):
    async with page(house, key) as session:
        await select(session, words)
        fact = at(session)
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == "reader")
        await session.shows(fact.path.rsplit("/", 1)[-1])
        await session.press("escape")
        await session.until(lambda: session.app.screen.name and session.app.screen.name.startswith("page-"))
        assert at(session) == fact
        await session.press("escape")
        assert session.app.screen is session.main


async def test_a_page_catches_up_with_what_changed_while_a_file_lay_above(house, page):
    async with page(house, "7") as session:
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == "reader")
        house.write(lighthouse.PLAN, lighthouse.plan("").replace("[/] Task 2", "[x] Task 2"))
        await session.until(lambda: not session.app.snapshot.plans.waiting)
        await session.press("escape")
        await session.until(lambda: session.app.screen.name == "page-plan")
        await session.until(lambda: "tasks       2 of 3 done" in lines(session))


async def test_the_key_of_a_page_goes_there_and_back_and_from_page_to_page(house, opened):
    async with opened(house) as session:
        for key, name in (("5", "page-decisions"), ("6", "page-control"), ("7", "page-plan"), ("5", "page-decisions")):
            await session.press(key)
            await session.until(lambda name=name: session.app.screen.name == name)
            assert len(session.app.screen_stack) <= 3
        await session.press("5")
        assert session.app.screen is session.main


async def test_dot_jumps_to_the_most_urgent_item_from_a_page_and_then_to_the_next(house, page):
    async with page(house, "5") as session:
        await session.press("full_stop")
        await session.until(lambda: session.app.screen is session.main)
        needs = session.main.query_one("#inbox-list", FactList)
        await session.until(lambda: needs.current is not None and "lock" in needs.current.plain)
        await session.press("full_stop")
        await session.until(lambda: "lock" not in needs.current.plain)


async def test_the_needs_say_what_where_since_when_and_what_happens_if_nobody_acts(house, opened):
    async with opened(house, size=(160, 60)) as session:
        text = session.facts("#inbox-list")
        first, second = text[:2]
        assert first.startswith("! lock the control loop is locked after 3 rounds")
        assert ".servo/control-state.md:42" in first
        assert "unblocks when: a valid unlock signal" in second
        assert "till then: the loop does nothing" in second
        asked = next(n for n, part in enumerate(text) if "decision D-1" in part)
        assert f"{lighthouse.EPIC}/decision-packet.json" in text[asked]
        assert text[asked].endswith("3h")
        assert "till then: the default: B" in text[asked + 1]
        assert any("1 task waits behind it" in part for part in text)


@pytest.mark.parametrize(
    ("words", "screen", "shown"),
    [
        ("lock the control", "page-control", "■ LOCKED"), ("decision D-1", "page-decisions", "D-1"),
        ("blocker task 2", "page-plan", "waits for you"), ("gate gate of", "page-control", "hard-fail"),
        ("critical-blocked", "page-decisions", "U-1"),
    ],
    ids=["lock", "decision", "blocker", "gate", "unknown"],
)  # fmt: skip
async def test_enter_on_a_need_goes_to_the_page_that_settles_it(house, opened, words, screen, shown):
    async with opened(house, size=(160, 60)) as session:
        await session.press("4")
        assert session.main.query_one("#inbox-list", FactList).find(words)
        await session.press("enter")
        await session.until(lambda: session.app.screen.name == screen)
        await session.until(lambda: at(session) is not None and shown in at(session).plain)


@pytest.mark.parametrize("key", ["5", "6", "7"])
async def test_pages_fit_every_size(house, page, key):
    async with page(house, key, SIZES[0]) as session:
        for size in SIZES:
            await session.resize(size)
            rows = session.rows()
            assert len(rows) == size[1]
            assert rows[-1].strip().startswith("? help")
            assert "Esc back" in rows[-1]
            assert len(rows[0]) <= size[0]
            assert not [segment for segment in session.segments() if "Traceback" in segment.text]
            before = at(session)
            await session.press("end", "home", "pagedown", "G", "g")
            assert at(session) == before


async def test_continuation_rows_stand_below_the_value(bare_desk, page):
    words = "the lens " * 30
    bare_desk.write(lighthouse.PLAN, lighthouse.plan(lighthouse.BLOCKER.replace("permission wall", words)))
    async with page(bare_desk, "7", (80, 40)) as session:
        rows = session.rows()
        first = next(n for n, row in enumerate(rows) if row.lstrip().startswith("trigger"))
        assert rows[first].index("the lens") == rows[first + 1].index(
            "lens" if "the" not in rows[first + 1][:16] else "the"
        )
        assert rows[first + 1][:12].strip() == ""


async def test_a_line_can_be_searched_and_copied(house, page):
    async with page(house, "7") as session:
        await session.press("slash", *"wick", "enter")
        assert "Trim the wick" in at(session).plain
        assert "Trim the wick" in session.app.screen.line_to_copy()
        assert "permission wall" in session.app.screen.view_to_copy()


# Overview


@pytest.mark.parametrize(
    ("files", "there", "absent"),
    [
        (lighthouse.EPICS, ["D-1", "Budget of", "CRITICAL-BLOCKED"], ["Handback", "Blocker of", "Worktrack"]),
        (lighthouse.SERVO, ["Handback lock", "■ LOCKED", "Worktrack gate"], ["Budget of", "Blocker of"]),
        (lighthouse.PLANS, ["Blocker of task 2", "Mount the lens"], ["Budget of", "Handback"]),
    ],
    ids=["epics", "control loop", "plan"],
)  # fmt: skip
async def test_a_workspace_of_one_family_shows_only_what_concerns_it(bare_desk, opened, files, there, absent):
    for name, text in files.items():
        bare_desk.write(name, text)
    async with opened(bare_desk) as session:
        for size in SIZES:
            await session.resize(size)
            shown = "\n".join(session.facts("#overview-list"))
            assert [words for words in there if words not in shown] == []
            assert [words for words in absent if words in shown] == []
            assert session.main.query_one("#overview").display
            assert not session.main.query_one("#pool").display
        await session.press("down", "down", "enter")
        await session.until(lambda: session.app.screen is not session.main)


async def test_a_lock_stands_before_all_else_in_the_overview(house, opened):
    async with opened(house) as session:
        assert session.facts("#overview-list")[:2] == ["Handback lock", "lock        ■ LOCKED"]


async def test_a_workspace_of_none_explains_what_is_looked_for(bare_desk, opened):
    async with opened(bare_desk) as session:
        for size in SIZES[1:]:
            await session.resize(size)
            await session.shows("BATCH_PLAN.md", "state.json", "control-state.md", "PLAN.md")


async def test_an_unread_signal_is_shown_where_nothing_else_is(bare_desk, opened):
    bare_desk.write(".harness/intervention.md", "\ufeffSTOP\r\nthe fog is [b]thick[/b]\r\n")
    async with opened(bare_desk) as session:
        for size in SIZES:
            await session.resize(size)
            await session.shows("Unread signals", "STOP", "the fog is [b]thick[/b]")
            assert "Nothing to watch" not in session.text()
            assert "■ STOP waits to be read" in session.text()
        await session.press("enter")
        await session.until(lambda: session.app.screen is not session.main)


async def test_every_unread_signal_stands_before_the_families_and_goes_once_it_is_read(house, opened):
    house.write(".harness/intervention.md", "STOP — the fog\n\nSKIP T-2 — no lens\n")
    async with opened(house) as session:
        first = session.facts("#overview-list")
        shown = ["waiting     STOP — the fog", "waiting     SKIP T-2 — no lens", "counts as   STOP"]
        assert first[:4] == ["Unread signals", *shown]
        assert "Handback lock" in first
        (house.root / ".harness/intervention.md").unlink()
        await session.until(lambda: "Unread signals" not in session.facts("#overview-list"))


@pytest.mark.parametrize("end", ["escape", "enter"])
async def test_a_search_in_the_overview_gives_the_keys_back_to_it(house, opened, end):
    async with opened(house, size=(120, 40)) as session:
        await session.press("slash", *"lock", end)
        await session.until(lambda: session.main.focused is not None and session.main.focused.id == "overview-list")
        await session.press("enter")
        await session.until(lambda: type(session.app.screen).__name__ == "ReaderScreen")


async def test_the_overview_gives_way_to_a_pool_that_appears(house, opened):
    async with opened(house) as session:
        house.write(house.plan_path, house.plan_of("default", house.rows, ()))
        await session.until(lambda: session.main.query_one("#pool").display)
        assert not session.main.query_one("#overview").display


async def test_the_needs_have_the_whole_column_where_no_task_is(house, opened):
    async with opened(house, size=(120, 40)) as session:
        await session.until(lambda: session.main.query_one("#inbox").size.height > 16)
        assert session.main.query_one("#inbox").region.bottom <= 39


async def test_pages_may_follow_each_other_without_a_pause(desk, opened):
    async with opened(desk) as session:
        for name in ("decisions", "control", "decisions", "signals", "decisions"):
            session.app.action_page(name)
        await session.until(lambda: session.app.screen.name == "page-decisions")
