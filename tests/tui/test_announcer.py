"""Bell and desktop notification: only when asked for, once for each new thing, never for a file that was rewritten."""

import re

import pytest
from support import families as lighthouse

from harness_tui.model.inbox import InboxItem
from harness_tui.rules.settling import SETTLE
from harness_tui.tui.announcer import Announcer

BELL = "\x07"


def item(name="sh-1/D-1", kind="decision", urgency=2, **more):
    return InboxItem(kind, name, f"title of {name}", "a.json", 3, None, urgency, **more)


def test_what_is_there_at_the_start_is_not_new():
    announcer = Announcer(bell=True, notify=True)
    assert announcer.sequence([item()]) == ""
    assert announcer.sequence([item()]) == ""


def test_an_empty_start_is_a_start():
    announcer = Announcer(bell=True)
    assert announcer.sequence([]) == ""
    assert announcer.sequence([item()]) == BELL


def test_each_new_item_is_announced_once():
    announcer = Announcer(bell=True)
    announcer.sequence([])
    assert [announcer.sequence([item()]) for _ in range(3)] == [BELL, "", ""]
    assert announcer.sequence([item(), item("sh-1/D-2")]) == BELL


def test_several_new_items_at_once_ring_once():
    announcer = Announcer(bell=True)
    announcer.sequence([])
    assert announcer.sequence([item(str(n)) for n in range(9)]) == BELL


def test_a_rewrite_changes_title_line_and_time_and_announces_nothing():
    announcer = Announcer(bell=True, notify=True)
    announcer.sequence([])
    announcer.sequence([item()])
    assert announcer.sequence([InboxItem("decision", "sh-1/D-1", "reworded", "a.json", 90, None, 1)]) == ""


def test_an_item_that_goes_and_comes_back_is_not_new():
    announcer = Announcer(bell=True)
    announcer.sequence([])
    announcer.sequence([item()])
    assert [announcer.sequence([]), announcer.sequence([item()])] == ["", ""]


def test_a_file_that_is_half_written_for_a_moment_is_not_announced():
    announcer = Announcer(bell=True)
    broken = item("a.json:1:cut", "problem")
    assert [announcer.sequence(*call) for call in (([], 0.0), ([broken], 1.0), ([], 2.0), ([broken], 5.0))] == [""] * 4
    assert announcer.sequence([broken], 5.0 + SETTLE) == BELL
    assert announcer.sequence([broken], 99.0) == ""


def test_what_is_sure_is_announced_at_once_beside_what_is_doubtful():
    announcer = Announcer(bell=True)
    announcer.sequence([], 0.0)
    assert announcer.sequence([item("x", "budget"), item()], 1.0) == BELL
    assert announcer.sequence([item("x", "budget"), item()], 1.5) == ""
    assert announcer.sequence([item("x", "budget"), item()], 1.0 + SETTLE) == BELL


def test_what_may_wait_is_silent_until_it_is_urgent():
    announcer = Announcer(bell=True)
    announcer.sequence([])
    assert announcer.sequence([item(urgency=0)]) == ""
    assert announcer.sequence([item(urgency=1)]) == BELL


@pytest.mark.parametrize(
    ("options", "parts"),
    [({}, ()), ({"bell": True}, (BELL,)), ({"notify": True}, ("\x1b]9;", "\x1b]777;notify;"))],
    ids=["nothing", "bell", "notify"],
)  # fmt: skip
def test_only_what_was_asked_for_is_written(options, parts):
    announcer = Announcer(**options)
    announcer.sequence([])
    sequence = announcer.sequence([item()])
    assert bool(sequence) == bool(parts)
    assert all(part in sequence for part in parts)
    assert (BELL in sequence) == ("bell" in options)


def test_a_notification_is_two_closed_sequences_of_our_own_words():
    announcer = Announcer(notify=True)
    announcer.sequence([])
    name = "T-01;\x1b]0;x\x07\x9c\u202e"
    sequence = announcer.sequence([item(str(n), "needs-human", task_id=name) for n in range(5)])
    nine, seven = re.fullmatch(
        r"\x1b\]9;([^\x1b]*)\x1b\\\x1b\]777;notify;harness-tui;([^\x1b;]*)\x1b\\", sequence
    ).groups()
    for text in (nine, seven):
        assert text.isprintable()
        assert "needs you: needs-human" in text
        assert text.endswith("and 2 more")
        assert "title" not in text


def test_a_notification_has_a_length_that_terminals_take():
    announcer = Announcer(notify=True)
    announcer.sequence([])
    assert len(announcer.sequence([item("x", "blocker", task_id="9" * 10**6)])) < 600


def test_items_without_number_do_not_fill_the_memory():
    announcer = Announcer(bell=True)
    announcer.sequence([])
    for start in range(0, 20_000, 1000):
        announcer.sequence([item(str(n)) for n in range(start, start + 1000)])
    assert len(announcer._known) <= 5000


@pytest.fixture
def written(monkeypatch):
    """What the dashboard writes to the terminal besides its screen."""
    from textual.drivers.headless_driver import HeadlessDriver

    found = []

    def write(_driver, data):
        if not data.startswith("\x1b]22;"):  # the shape of the mouse pointer
            found.append(data)

    monkeypatch.setattr(HeadlessDriver, "write", write)
    return found


async def test_the_dashboard_rings_for_a_new_question_and_not_for_a_rewritten_file(bare_desk, opened, written):
    bare_desk.write(lighthouse.STATE, lighthouse.state())
    async with opened(bare_desk, announcer=Announcer(bell=True, notify=True)) as session:
        assert BELL not in "".join(written)
        bare_desk.write(lighthouse.PACKET, lighthouse.packet(lighthouse.question()))
        await session.until(lambda: session.app.snapshot.inbox)
        await session.until(lambda: BELL in "".join(written))
        assert "".join(written).count("\x1b]777;") == 1
        reworded = lighthouse.question(words="May the lamp go dark for one hour?", risk_if_wrong="low")
        bare_desk.write(lighthouse.PACKET, "\n\n" + lighthouse.packet(reworded))
        await session.until(lambda: "one hour" in session.app.snapshot.inbox[0].title)
        await session.settle()
        assert "".join(written).count(BELL) == 1
        bare_desk.write(lighthouse.PLAN, lighthouse.plan())
        await session.until(lambda: "".join(written).count(BELL) == 2)


async def test_what_waits_when_the_dashboard_opens_is_silent(bare_desk, opened, written):
    for name, text in lighthouse.EVERY.items():
        bare_desk.write(name, text)
    async with opened(bare_desk, announcer=Announcer(bell=True, notify=True)) as session:
        assert session.app.snapshot.inbox
        session.app._tick()
        assert written == []


async def test_without_being_asked_for_the_dashboard_is_silent(bare_desk, opened, written):
    bare_desk.write(lighthouse.STATE, lighthouse.state())
    async with opened(bare_desk) as session:
        bare_desk.write(lighthouse.PLAN, lighthouse.plan())
        await session.until(lambda: session.app.snapshot.inbox)
        await session.settle()
        assert not {BELL, "\x1b"} & set("".join(written))
