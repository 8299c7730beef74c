"""Signals that are taken back or edited: what the file and the history say when that breaks off at any point."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

import pytest
from support.os_calls import LOOKS, NAMES, Calls

from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.mailbox import new_signal
from harness_tui.model.refusal import Refused
from harness_tui.rules.sent import Sights, follow
from harness_tui.workspace import mailbox
from harness_tui.workspace.atomic import Stage, WriteError
from harness_tui.workspace.mailbox import operator

NOTE = new_signal("NOTE", "", "ease the ramp")
OTHER = new_signal("NOTE", "", "ease it more")
SENT = ".harness/harness-tui/sent.jsonl"
CHANGES = {
    "the only one taken back": ((), mailbox.withdraw),
    "one of two taken back": (("STOP — by hand\n\n",), mailbox.withdraw),
    "edited": ((), lambda root, name: mailbox.edit(root, name, OTHER)),
}


@pytest.fixture
def root(memory):
    (memory / ".harness").mkdir()
    return memory


def read(root):
    data = (root / PATH).read_bytes() if (root / PATH).exists() else None
    return parse_interventions(data)


def states(root):
    return [(item.text, item.state) for item in follow(mailbox.read_history(root), Sights(read(root)))]


def expected(root):
    """What the history must say of the note and what it was edited to, by what the file holds."""
    texts = [signal.text for signal in read(root).signals]
    if NOTE.text in texts:
        return [(NOTE.text, "waiting")]
    new = [(OTHER.text, "waiting")] if OTHER.text in texts else []
    return [*new, (NOTE.text, "withdrawn")]


def sent(root, before):
    (root / PATH).unlink(missing_ok=True)
    (root / SENT).unlink(missing_ok=True)
    for text in before:
        (root / PATH).write_text(f"# Intervention\n\n{text}")
    return mailbox.send(root, NOTE).id


@pytest.mark.parametrize("kind", CHANGES)
def test_history_and_file_agree_whatever_call_of_a_change_fails(root, kind):
    before, change = CHANGES[kind]
    calls = []
    name = sent(root, before)
    with Calls(lambda _number, call, _arguments: calls.append(call), NAMES + LOOKS):
        change(root, name)
    assert states(root) == expected(root)
    outcomes = set()
    for point in range(1, len(calls) + 1):

        def broken(number, _name, _arguments, point=point):
            if number == point:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

        name = sent(root, before)
        with suppress(WriteError), Calls(broken, NAMES + LOOKS):
            change(root, name)
        mailbox.recover(root)
        assert states(root) == expected(root), (point, calls[point - 1])
        assert not list((root / ".harness").glob(".*.tmp"))
        outcomes.add(states(root)[-1][1])
    assert outcomes == {"waiting", "withdrawn"}


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("kind", CHANGES)
def test_history_and_file_agree_after_a_change_that_was_interrupted_in_the_middle(root, monkeypatch, kind, late):
    before, change = CHANGES[kind]
    name = sent(root, before)
    for change_of_file in (Stage, mailbox._Removal):

        def interrupted(self, expect, real=change_of_file.commit):
            if late:
                real(self, expect)
            raise KeyboardInterrupt

        monkeypatch.setattr(change_of_file, "commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        change(root, name)
    monkeypatch.undo()
    mailbox.recover(root)
    assert states(root) == expected(root)
    assert states(root)[-1] == (NOTE.text, "withdrawn" if late else "waiting")


def test_a_signal_whose_beginning_may_stand_in_the_history_or_not_was_not_sent(root, monkeypatch):
    real, fail = mailbox._append, [True]

    def fail_once(where, item):
        if fail.pop() if fail else False:
            raise WriteError(where / SENT, "the disk reports an error", undone=False)
        real(where, item)

    monkeypatch.setattr(mailbox, "_append", fail_once)
    with pytest.raises(WriteError):
        mailbox.send(root, NOTE)
    assert ((root / PATH).exists(), states(root)) == (False, [])


@pytest.mark.parametrize("told", [False, True])
def test_a_signal_that_could_not_take_its_place_was_not_sent_though_its_history_breaks_off(root, told):
    """What was to take its place stays beside the file until the history tells what became of it."""
    (root / PATH).write_bytes(b"SKIP T-01\n")
    seen = []

    def before(_number, name, _arguments):
        seen.append(name)
        if name == "replace" or ("replace" in seen and name == "write" and not told):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Calls(before, NAMES), pytest.raises(WriteError):
        mailbox.send(root, NOTE)
    assert len(list((root / ".harness").glob(".*.tmp"))) == (0 if told else 1)
    mailbox.recover(root)
    assert (states(root), list((root / ".harness").glob(".*.tmp"))) == ([], [])


def test_where_the_history_can_not_be_written_nothing_is_begun_and_nothing_left(root):
    mailbox.send(root, NOTE)
    (root / SENT).chmod(0o444)
    before = (root / PATH).read_bytes(), (root / SENT).read_bytes()
    for change in (mailbox.send, lambda root, signal: mailbox.edit(root, 1, signal)):
        with pytest.raises(WriteError, match="read-only"):
            change(root, OTHER)
    assert before == ((root / PATH).read_bytes(), (root / SENT).read_bytes())
    assert not list((root / ".harness").glob(".*.tmp"))


def test_which_signal_is_meant_must_be_clear(root):
    first, second = mailbox.send(root, NOTE).id, mailbox.send(root, OTHER).id
    for which in (3, "3", "0", "nobody"):
        with pytest.raises(Refused, match=f"no signal {which} waits: there are 2"):
            mailbox.withdraw(root, which)
    assert mailbox.preview_withdraw(root, "1")[0].id == first
    assert mailbox.preview_withdraw(root, second)[0].number == 2
    with pytest.raises(Refused, match="another signal stands there now"):
        mailbox.edit(root, 1, NOTE, expect=OTHER)
    assert [signal.text for signal in read(root).signals] == [NOTE.text, OTHER.text]


def test_where_nothing_waits_no_folder_is_made(root):
    for change in (lambda: mailbox.withdraw(root), lambda: mailbox.edit(root, None, NOTE)):
        with pytest.raises(Refused, match="nothing waits"):
            change()
    assert list((root / ".harness").iterdir()) == []


def test_a_preview_of_several_is_what_is_written(root):
    (root / PATH).write_bytes(b"SKIP T-01\r\n")
    stop = new_signal("STOP", "", "red")
    seen = mailbox.preview(root, (NOTE, stop))
    assert (root / PATH).read_bytes() == b"SKIP T-01\r\n"
    done = mailbox.send_all(root, (NOTE, stop))
    assert [(item.data, item.text, item.signal) for item in seen] == [
        (item.data, item.text, item.signal) for item in done
    ]
    assert (root / PATH).read_bytes() == done[0].data == done[1].data
    assert [(item.id, item.warning) for item in seen] == [("", "")] * 2
    assert seen[0].text.endswith(b"ease the ramp\r\n")


def test_of_a_very_long_history_the_last_part_is_read_from_a_line_start_on(root, monkeypatch):
    mailbox.send(root, NOTE)
    size = (root / SENT).stat().st_size
    mailbox.send(root, OTHER)
    whole = len(mailbox.read_history(root).records)
    monkeypatch.setattr(mailbox, "HISTORY", (root / SENT).stat().st_size)
    assert len(mailbox.read_history(root).records) == whole == 4
    monkeypatch.setattr(mailbox, "HISTORY", (root / SENT).stat().st_size - size + 5)
    assert {item.text for item in mailbox.read_history(root).records} == {OTHER.text}


@pytest.mark.parametrize(
    ("names", "who"), [({"USER": "ann", "LOGNAME": "bob"}, "ann"), ({"LOGNAME": "bob"}, "bob"), ({}, str(os.getuid()))]
)
def test_who_sends_is_known_as_well_as_the_environment_tells(root, monkeypatch, names, who):
    for name in ("USER", "LOGNAME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    mailbox.send(root, NOTE)
    assert operator() == f"{who}@{os.uname().nodename}" == mailbox.read_history(root).records[0].by
