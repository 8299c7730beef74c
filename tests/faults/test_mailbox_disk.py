"""The intervention file when the disk, the file itself or other writers make trouble."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from contextlib import suppress

import pytest
from support.os_calls import LOOKS, NAMES, WRITES, Calls

from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.mailbox import append, new_signal
from harness_tui.model.refusal import Refused
from harness_tui.rules.sent import Sights, follow
from harness_tui.workspace import atomic, mailbox
from harness_tui.workspace.atomic import ANY, ChangedError, WriteError, append_line, remove_file, replace_file
from harness_tui.workspace.lock import LockedError, locked

NOTE = new_signal("NOTE", "", "ease the ramp")
STOP = new_signal("STOP", "", "red")
SENT = ".harness/harness-tui/sent.jsonl"
OLD = "# Intervention\n\nSTOP — by hand\n\nSKIP T-03 — no\n".encode()
ERRORS = [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS]


@pytest.fixture
def root(memory):
    found = memory / "orchard"
    (found / ".harness").mkdir(parents=True)
    (found / PATH).write_bytes(OLD)
    return found


def texts(root):
    return [signal.text for signal in parse_interventions((root / PATH).read_bytes()).signals]


def followed(root):
    data = (root / PATH).read_bytes() if (root / PATH).exists() else None
    return follow(mailbox.read_history(root), Sights(parse_interventions(data)))


def told(root):
    return [item.text for item in followed(root)]


def calls_of(action):
    names = []
    with Calls(lambda number, name, arguments: names.append(name), NAMES + LOOKS):
        action()
    return names


def failing_at(point, number):
    def before(count, name, arguments):
        if count == point:
            raise OSError(number, os.strerror(number))

    return before


@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_an_error_of_any_call_leaves_what_stood_there_and_names_the_file(number, root):
    names = calls_of(lambda: mailbox.send(root, NOTE))
    for point in range(1, len(names) + 1):
        (root / PATH).write_bytes(OLD)
        (root / SENT).unlink(missing_ok=True)
        try:
            with Calls(failing_at(point, number), NAMES + LOOKS):
                mailbox.send(root, NOTE)
            done, message = True, ""
        except WriteError as error:
            done, message = False, str(error)
        assert done or "/.harness/" in message, names[point - 1]
        found = (root / PATH).read_bytes()
        assert found in (OLD, append(OLD, NOTE)), names[point - 1]
        assert not done or found == append(OLD, NOTE), names[point - 1]
        assert [item.signal.text for item in mailbox.pending(root)] == texts(root)
        before = len(told(root))
        mailbox.recover(root)
        assert len(told(root)) >= before
        assert not list((root / ".harness").glob(".*.tmp"))


def test_several_at_once_are_all_there_or_none_whatever_call_fails_and_a_repeat_sends_them(root):
    parts = [new_signal("ADD", f"glaze-{name}", name) for name in ("csv", "mail", "print")]
    wanted = append(append(append(OLD, parts[0]), parts[1]), parts[2])
    names = calls_of(lambda: mailbox.send_all(root, parts))
    for point in range(1, len(names) + 1):
        (root / PATH).write_bytes(OLD)
        (root / SENT).unlink(missing_ok=True)
        with suppress(WriteError), Calls(failing_at(point, errno.EIO), NAMES + LOOKS):
            mailbox.send_all(root, parts)
        found = (root / PATH).read_bytes()
        assert found in (OLD, wanted), names[point - 1]
        mailbox.recover(root)
        assert told(root) == (["print", "mail", "csv"] if found == wanted else []), names[point - 1]
        if found == OLD:
            ids = [item.id for item in mailbox.send_all(root, parts)]
            assert (root / PATH).read_bytes() == wanted
            assert [item.id for item in followed(root)] == ids[::-1]


@pytest.mark.parametrize("most", [0, 1, 7])
def test_writes_that_take_little_at_a_time_end_whole_or_fail(most, root):
    def before(count, name, arguments):
        return most if name in WRITES else None

    if most:
        with Calls(before):
            mailbox.send(root, NOTE)
        assert (root / PATH).read_bytes() == append(OLD, NOTE)
        assert told(root) == ["ease the ramp"]
        return
    with Calls(before), pytest.raises(WriteError, match="the disk reports an error"):
        mailbox.send(root, NOTE)
    assert (root / PATH).read_bytes() == OLD


def test_a_history_that_can_not_be_written_after_the_signal_was_is_a_warning_and_made_up_for(root, monkeypatch):
    real, seen = mailbox._append, []

    def fail_second(where, item):
        seen.append(item.event)
        if item.event == "sent":
            raise WriteError(where / "sent.jsonl", "the disk is full")
        real(where, item)

    monkeypatch.setattr(mailbox, "_append", fail_second)
    written = mailbox.send(root, NOTE)
    assert "the disk is full" in written.warning
    assert told(root) == []
    monkeypatch.setattr(mailbox, "_append", real)
    mailbox.recover(root)
    assert told(root) == ["ease the ramp"]


def test_a_signal_that_is_interrupted_before_it_is_in_place_is_not_told_of(root, monkeypatch):
    monkeypatch.setattr(atomic.Stage, "commit", lambda self, expect: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        mailbox.send(root, NOTE)
    monkeypatch.undo()
    mailbox.recover(root)
    assert (told(root), texts(root)) == ([], ["by hand", "no"])


MANY = """
import sys
from pathlib import Path
from harness_tui.formats.mailbox import new_signal
from harness_tui.workspace.mailbox import send
import os
root, count = Path(sys.argv[1]), int(sys.argv[2])
children = []
go, ready = os.pipe()
for number in range(count):
    child = os.fork()
    if not child:
        os.close(ready)
        os.read(go, 1)
        keyword = "STOP" if number % 10 == 0 else "NOTE"
        try:
            for turn in range(2):
                send(root, new_signal(keyword, "", f"number {number} turn {turn}"), timeout=50)
        except BaseException as error:
            sys.stderr.write(repr(error))
            os._exit(1)
        os._exit(0)
    children.append(child)
os.close(ready)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""


def test_a_hundred_writers_at_once_lose_nothing_and_stop_stands_first(root):
    run = subprocess.run([sys.executable, "-c", MANY, str(root), "100"], capture_output=True, timeout=55, check=False)
    assert (run.returncode, run.stderr) == (0, b"")
    signals = parse_interventions((root / PATH).read_bytes()).signals
    wanted = [f"number {number} turn {turn}" for number in range(100) for turn in range(2)]
    assert sorted(signal.text for signal in signals) == sorted([*wanted, "by hand", "no"])
    assert [signal.keyword for signal in signals[:21]] == ["STOP"] * 21
    assert (root / PATH).read_bytes().endswith(b"\n")
    for number in range(100):
        own = [signal.text for signal in signals if signal.text.startswith(f"number {number} ")]
        assert own == [f"number {number} turn {turn}" for turn in ((1, 0) if number % 10 == 0 else (0, 1))]
    assert sorted(told(root)) == sorted(wanted)
    assert {item.id is None for item in mailbox.pending(root)} == {True, False}


def test_a_file_that_somebody_else_changes_meanwhile_is_read_again(root, monkeypatch):
    real = mailbox.read_target
    hand = iter([b"# Intervention\n\nNOTE \xe2\x80\x94 another hand\n", None])

    def read(path, *, root):
        data = real(path, root=root)
        late = next(hand, None)
        if late is not None:
            path.write_bytes(late)
        return data

    monkeypatch.setattr(mailbox, "read_target", read)
    mailbox.send(root, NOTE)
    monkeypatch.undo()
    assert texts(root) == ["another hand", "ease the ramp"]
    assert told(root) == ["ease the ramp"]


def test_a_file_that_never_rests_is_left_alone(root, monkeypatch):
    real = mailbox.read_target

    def read(path, *, root):
        data = real(path, root=root)
        path.write_bytes((data or b"") + b"x")
        return data

    monkeypatch.setattr(mailbox, "read_target", read)
    with pytest.raises(WriteError, match="keeps changing it"):
        mailbox.send(root, NOTE)
    monkeypatch.undo()
    mailbox.recover(root)
    assert told(root) == []


def test_a_file_that_appears_in_the_last_moment_is_not_replaced(root):
    (root / PATH).unlink()
    with atomic.staged(root / PATH, b"ours\n", root=root) as stage:
        (root / PATH).write_bytes(b"STOP\n")
        with pytest.raises(ChangedError):
            stage.commit(None)
    assert (root / PATH).read_bytes() == b"STOP\n"
    assert [path.name for path in (root / ".harness").iterdir()] == ["intervention.md"]


def test_a_link_out_of_the_workspace_is_refused_and_its_end_untouched(root, tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine\n")
    layouts = {
        "file": lambda: (root / PATH).symlink_to(victim),
        "relative": lambda: (root / PATH).symlink_to("../../victim"),
        "dangling": lambda: (root / PATH).symlink_to(tmp_path / "nowhere"),
        "inner dangling": lambda: (root / PATH).symlink_to(root / "nowhere"),
        "loop": lambda: (root / PATH).symlink_to(root / PATH),
    }
    for name, make in layouts.items():
        (root / PATH).unlink()
        make()
        with pytest.raises(WriteError) as error:
            mailbox.send(root, STOP)
        assert error.value.path == root / PATH, name
        assert (root / PATH).is_symlink(), name
    assert victim.read_bytes() == b"mine\n"
    assert not (tmp_path / "nowhere").exists()
    assert not (root / "nowhere").exists()


def test_folders_that_are_links_out_of_the_workspace_are_refused(tmp_path):
    outside = tmp_path / "outside"
    (outside / "harness-tui").mkdir(parents=True)
    for link, target in ((".harness", outside), (".harness/harness-tui", outside / "harness-tui")):
        root = tmp_path / link.replace("/", "-").strip(".")
        (root / link).parent.mkdir(parents=True)
        (root / link).symlink_to(target)
        with pytest.raises(WriteError, match="a link that leaves the workspace"):
            mailbox.send(root, STOP)
    assert [path.name for path in outside.rglob("*")] == ["harness-tui"]


def test_the_history_and_the_lock_are_never_links(root, tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine\n")
    own = root / ".harness/harness-tui"
    own.mkdir()
    for name in ("sent.jsonl", "mailbox.lock", ".gitignore"):
        (own / name).unlink(missing_ok=True)
        (own / name).symlink_to(victim)
        with pytest.raises(WriteError):
            mailbox.send(root, STOP)
        (own / name).unlink()
    assert victim.read_bytes() == b"mine\n"
    assert (root / PATH).read_bytes() == OLD


def test_a_link_inside_the_workspace_stays_one(root):
    real = root / "docs" / "signals.md"
    real.parent.mkdir()
    (root / PATH).rename(real)
    (root / PATH).symlink_to("../docs/signals.md")
    mailbox.send(root, NOTE)
    assert (root / PATH).is_symlink()
    assert real.read_bytes() == append(OLD, NOTE)
    assert [path.name for path in real.parent.iterdir()] == ["signals.md"]


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket"])
def test_what_is_no_regular_file_is_refused_without_waiting(kind, root):
    (root / PATH).unlink()
    if kind == "pipe":
        os.mkfifo(root / PATH)
    elif kind == "folder":
        (root / PATH).mkdir()
    else:
        os.mknod(root / PATH, stat.S_IFSOCK | 0o600)
    with pytest.raises(WriteError, match=r"regular file|a folder") as error:
        mailbox.send(root, STOP)
    assert error.value.path == root / PATH


def test_a_read_only_file_is_refused(root):
    (root / PATH).chmod(0o440)
    with pytest.raises(WriteError, match="read-only"):
        mailbox.send(root, STOP)
    assert (root / PATH).read_bytes() == OLD


def test_modes_and_line_ends_stay(root):
    for mode in (0o600, 0o640, 0o664, 0o644):
        (root / PATH).chmod(mode)
        mailbox.send(root, NOTE)
        assert stat.S_IMODE((root / PATH).stat().st_mode) == mode
    (root / PATH).write_bytes(b"\xef\xbb\xbfSTOP\r\n")
    mailbox.send(root, NOTE)
    mailbox.send(root, STOP)
    assert (root / PATH).read_bytes().count(b"\n") == (root / PATH).read_bytes().count(b"\r\n")
    assert [item.signal.keyword for item in mailbox.pending(root)] == ["STOP", "STOP", "NOTE"]


def test_a_new_file_gets_the_mode_that_the_umask_gives(root):
    (root / PATH).unlink()
    old = os.umask(0o027)
    try:
        mailbox.send(root, NOTE)
    finally:
        os.umask(old)
    assert stat.S_IMODE((root / PATH).stat().st_mode) == 0o640


def test_leftovers_of_others_are_neither_read_nor_removed(tmp_path):
    (tmp_path / ".harness").mkdir()
    for name in ("intervention.md.tmp", ".intervention.md.7f3a.tmp"):
        (tmp_path / ".harness" / name).write_bytes("ADD glaze-export — wri".encode())
    assert mailbox.pending(tmp_path) == ()
    mailbox.send(tmp_path, STOP)
    assert texts(tmp_path) == ["red"]
    assert len(list((tmp_path / ".harness").glob("*.tmp"))) == 2


def test_git_ignores_our_own_folder(root):
    mailbox.send(root, NOTE)
    assert (root / ".harness/harness-tui/.gitignore").read_bytes() == b"*\n"


def test_a_lock_is_waited_for_and_no_longer_than_that(root):
    with locked(root, "mailbox"):
        with pytest.raises(LockedError, match=r"mailbox.lock: another program has held this lock for 0.05 seconds"):
            mailbox.send(root, STOP, timeout=0.05)
        with locked(root, "another"):
            pass
    mailbox.send(root, STOP, timeout=0.05)


def test_a_lock_whose_file_was_removed_excludes_all_the_same(root):
    inside = threading.Event()
    with locked(root, "x"):
        (root / ".harness/harness-tui/x.lock").unlink()

        def second():
            with locked(root, "x"):
                inside.set()

        other = threading.Thread(target=second)
        other.start()
        assert inside.wait(30)  # a new file is a new lock: whoever holds the old one is told by no one
        other.join()


def test_a_line_is_appended_behind_one_that_was_cut(root):
    path = root / "docs/log.jsonl"
    append_line(path, b"one", root=root)
    with path.open("ab") as file:
        file.write(b"tw")
    append_line(path, b"three", root=root)
    assert path.read_bytes() == b"one\ntw\nthree\n"
    with pytest.raises(WriteError, match="line feed"):
        append_line(path, b"a\nb", root=root)


def test_an_append_that_fails_is_taken_back(root):
    path = root / "log"
    append_line(path, b"one", root=root)

    def before(count, name, arguments):
        if name == "write":
            os.truncate(path, 4)
            with path.open("ab") as file:
                file.write(b"ha")
            raise OSError(errno.ENOSPC, "full")

    with Calls(before, ("write",)), pytest.raises(WriteError, match="the disk is full") as error:
        append_line(path, b"half a line", root=root)
    assert error.value.undone
    assert path.read_bytes() == b"one\n"


def test_a_file_is_replaced_or_removed_only_as_it_was_read(root):
    path = root / PATH
    with pytest.raises(ChangedError):
        replace_file(path, b"x", root=root, expect=b"other")
    with pytest.raises(ChangedError):
        replace_file(path, b"x", root=root, expect=None)
    with pytest.raises(ChangedError):
        remove_file(path, root=root, expect=b"other")
    assert path.read_bytes() == OLD
    replace_file(path, b"x", root=root, expect=OLD)
    replace_file(path, b"y", root=root, expect=ANY)
    remove_file(path, root=root, expect=b"y")
    with pytest.raises(ChangedError, match="gone"):
        replace_file(path, b"x", root=root, expect=b"y")
    replace_file(path, b"z", root=root, expect=None)
    assert path.read_bytes() == b"z"


def test_a_root_that_vanished_is_named(tmp_path):
    with pytest.raises(WriteError) as error:
        mailbox.send(tmp_path / "gone", STOP)
    assert str(tmp_path / "gone") in str(error.value)
    assert not (tmp_path / "gone").exists()


def test_an_unread_signal_is_taken_back_by_number_by_id_or_the_last_one(root):
    first = mailbox.send(root, NOTE)
    mailbox.send(root, new_signal("SKIP", "T-09", ""))
    assert mailbox.withdraw(root).signal.argument == "T-09"
    assert mailbox.withdraw(root, first.id).signal.text == "ease the ramp"
    assert mailbox.withdraw(root, 2, expect=mailbox.pending(root)[1].signal).signal.argument == "T-03"
    with pytest.raises(Refused, match="look again"):
        mailbox.withdraw(root, 1, expect=NOTE)
    with pytest.raises(Refused, match="none of the waiting signals was sent from here"):
        mailbox.withdraw(root)
    mailbox.withdraw(root, 1)
    assert not (root / PATH).exists()
    with pytest.raises(Refused, match="nothing waits"):
        mailbox.withdraw(root)
    states = [(item.keyword, item.state) for item in followed(root)]
    assert states == [("STOP", "withdrawn"), ("SKIP", "withdrawn"), ("SKIP", "withdrawn"), ("NOTE", "withdrawn")]


def test_a_signal_is_edited_in_its_place(root):
    sent = mailbox.send(root, NOTE)
    mailbox.send(root, new_signal("SKIP", "T-09", ""))
    mailbox.edit(root, sent.id, new_signal("NOTE", "", "ease it more"))
    assert texts(root) == ["by hand", "no", "ease it more", ""]
    assert [item.state for item in followed(root)] == ["waiting", "waiting", "withdrawn"]
