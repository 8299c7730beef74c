"""Sending signals and taking them back, so that none is lost and none is told of that was not written.

Each change is a small transaction under one lock: the new content is put beside the file, a record says what is about
to happen, the content takes its place, a second record says that it did. Whoever comes next finds out from the records
and from the content that was left over how far a writer got that was killed. Only the file counts for the stream; the
records in `.harness/harness-tui/sent.jsonl` are the operator's history.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats import mailbox
from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.intervention_text import line_end, render_signal, signal_key
from harness_tui.formats.sent import PATH as SENT_PATH
from harness_tui.formats.sent import parse_sent, render_record
from harness_tui.model.frozen import frozen, replace
from harness_tui.model.refusal import Refused
from harness_tui.model.sent import SentHistory, SentRecord
from harness_tui.rules import sent as rules
from harness_tui.workspace import claim_folder
from harness_tui.workspace.atomic import (
    ChangedError,
    WriteError,
    append_line,
    leftovers,
    opened_place,
    read_target,
    remove_file,
    remove_leftover,
    staged,
)
from harness_tui.workspace.files import FileError, file_error, open_regular
from harness_tui.workspace.lock import TIMEOUT, locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from harness_tui.model.intervention import Interventions, Signal
    from harness_tui.model.sent import PendingSignal, SentEvent
    from harness_tui.workspace.atomic import Stage

LOCK: Final = "mailbox"
"""Name of the lock that all who change the intervention file hold."""
HISTORY: Final = 8 << 20
"""Bytes of the history that are looked at, from its end."""

_TRIES: Final = 20


@frozen
class Written:
    """What was written, or would be: `data` is the file's whole new content, None when it goes; `text` the signal's.

    `id` is that of the sent signal, empty in a preview. `warning` tells what did not matter enough to fail.
    """

    path: Path
    signal: Signal
    data: bytes | None
    text: bytes
    id: str = ""
    warning: str = ""


class _Step(NamedTuple):
    """One change: the new content, the name of its stage, records for its beginning, its end, and its failure."""

    data: bytes | None
    token: str
    begin: tuple[SentRecord, ...]
    done: tuple[SentRecord, ...]
    undone: tuple[SentRecord, ...]


def preview(root: Path, signals: Sequence[Signal]) -> tuple[Written, ...]:
    """What `send_all` would write now. Nothing is written. Raises `Refused` and `WriteError`."""
    existing = read_target(root / PATH, root=root)
    data = _appended(existing, signals)
    return tuple(Written(root / PATH, signal, data, _text(existing, signal)) for signal in signals)


def send(
    root: Path, signal: Signal, *, pool_id: str | None = None, seen: Mapping[str, int] | None = None,
    timeout: float = TIMEOUT,
) -> Written:  # fmt: skip
    """Put `signal` into the intervention file; when this returns, it is on the disk. Otherwise as `send_all`."""
    return send_all(root, (signal,), pool_id=pool_id, seen=seen, timeout=timeout)[0]


def send_all(
    root: Path, signals: Sequence[Signal], *, pool_id: str | None = None, seen: Mapping[str, int] | None = None,
    timeout: float = TIMEOUT,
) -> tuple[Written, ...]:  # fmt: skip
    """Put `signals`, of which there is one at least, into the intervention file in one write: all of them, or none.

    `seen` gives the number of lines of each log as they are now, so that what comes later can be told. Raises
    `Refused` when the file must not be changed so, `WriteError` when it can't be written: then it is as it was, unless
    the error says otherwise.
    """
    path = root / PATH
    with locked(root, LOCK, timeout):
        settle(root)
        for _ in range(_TRIES):
            existing = read_target(path, root=root)
            data = _appended(existing, signals)
            records = _new_records(signals, pool_id, seen)
            with suppress(ChangedError):
                warning = _carry_out(root, existing, _sending(records, data))
                return tuple(
                    Written(path, signal, data, _text(existing, signal), item.id, warning)
                    for signal, item in zip(signals, records, strict=True)
                )
    raise WriteError(path, "somebody else keeps changing it; try again")


def withdraw(root: Path, which: int | str | None = None, *, expect: Signal | None = None) -> PendingSignal:
    """Take a signal back that was not read yet; what it was.

    `which` is its number in the file, from 1, or the id under which it was sent; None means the one that was sent
    last from here. With `expect`, it must still say what the operator saw. Raises `Refused` and `WriteError`.
    """
    path = root / PATH
    _waiting(root, SentHistory())  # where nothing waits, no folder is made
    with locked(root, LOCK):
        history = settle(root)
        for _ in range(_TRIES):
            existing, found = _waiting(root, history)
            chosen = choose(found, which, expect)
            data = mailbox.withdraw(existing, chosen.number)
            old = _record_of(history, chosen)
            step = _Step(data, os.urandom(6).hex(), *_events(old, "withdrawing", "withdrawn", "kept"))
            with suppress(ChangedError):
                _carry_out(root, existing, step)
                return chosen
    raise WriteError(path, "somebody else keeps changing it; try again")


def edit(root: Path, which: int | str | None, signal: Signal, *, expect: Signal | None = None) -> Written:
    """Replace a signal that was not read yet by `signal`, in one write. Otherwise like `withdraw` and `send`."""
    path = root / PATH
    _waiting(root, SentHistory())  # where nothing waits, no folder is made
    with locked(root, LOCK):
        history = settle(root)
        for _ in range(_TRIES):
            existing, found = _waiting(root, history)
            chosen = choose(found, which, expect)
            data = mailbox.edit(existing, chosen.number, signal)
            old = _record_of(history, chosen)
            record = _new_record(signal, old.pool_id, dict(old.seen))
            new = _sending((record,), data)
            back = _events(old, "withdrawing", "withdrawn", "kept")
            step = _Step(
                data, new.token, new.begin + back[0], new.done + back[1], new.undone + back[2],
            )  # fmt: skip
            with suppress(ChangedError):
                warning = _carry_out(root, existing, step)
                return Written(path, signal, data, _text(existing, signal), record.id, warning)
    raise WriteError(path, "somebody else keeps changing it; try again")


def preview_withdraw(root: Path, which: int | str | None = None) -> tuple[PendingSignal, bytes | None]:
    """What `withdraw` would take out now, and what the file would hold then. Nothing is written."""
    existing, found = _waiting(root, read_history(root))
    chosen = choose(found, which)
    return chosen, mailbox.withdraw(existing, chosen.number)


def pending(root: Path) -> tuple[PendingSignal, ...]:
    """What stands in the file unread. Reads only. Raises `WriteError` when the file can't be read."""
    return rules.pending(read_history(root), read_waiting(root))


def record(root: Path, records: Iterable[SentRecord]) -> None:
    """Add `rules.sent.news` to the history, but for signals that do stand in the file or were taken back.

    Whoever saw the news may have read the file and the history while they were being written. Raises `WriteError`.
    """
    fresh = tuple(records)
    if not fresh:
        return
    with locked(root, LOCK):
        history = settle(root)
        known = {(item.id, item.event) for item in history.records}
        closed = {item.id for item in history.records if item.event in ("withdrawn", "dropped")}
        standing = {item.id for item in rules.pending(history, read_waiting(root))}
        for item in fresh:
            if (item.id, item.event) not in known and item.id not in closed | standing:
                _append(root, item)


def recover(root: Path) -> None:
    """Settle what a killed writer left behind; done by each change, and worth doing when a dashboard starts."""
    with locked(root, LOCK):
        settle(root)


def read_history(root: Path) -> SentHistory:
    """The records of `sent.jsonl`; of a very long one its last part. Raises `WriteError` when it can't be read."""
    path = root / SENT_PATH
    try:
        data = _end_of(path, root)
    except FileError as error:
        if error.gone:
            return parse_sent(None)
        raise WriteError(path, error.reason) from error
    return parse_sent(data)


def _end_of(path: Path, root: Path) -> bytes:
    """The last `HISTORY` bytes of the file, from a line start on."""
    try:
        descriptor = open_regular(path, root=root)
        try:
            size = os.fstat(descriptor).st_size
            data = os.pread(descriptor, HISTORY, max(0, size - HISTORY))
        finally:
            os.close(descriptor)
    except OSError as error:
        raise file_error(error) from error
    return data if size <= HISTORY else data.partition(b"\n")[2]


def choose(found: tuple[PendingSignal, ...], which: int | str | None, expect: Signal | None = None) -> PendingSignal:
    """The one of `found` that is meant; see `withdraw`. Raises `Refused`."""
    if not found:
        raise Refused("not-waiting", PATH, "nothing waits: it was read, or taken back already")
    if which is None:
        own = [item for item in found if item.id is not None and item.at is not None]
        if not own:
            raise Refused("not-waiting", PATH, "none of the waiting signals was sent from here; give its number")
        chosen = max(own, key=lambda item: (item.at or datetime.min.replace(tzinfo=UTC), item.number))
    else:
        matching = [item for item in found if item.id == which] or [
            item for item in found if str(item.number) == str(which)
        ]
        if not matching:
            raise Refused("not-waiting", PATH, f"no signal {which} waits: there are {len(found)}")
        chosen = matching[0]
    if expect is not None and signal_key(chosen.signal) != signal_key(expect):
        raise Refused("changed", PATH, "another signal stands there now; look again")
    return chosen


def settle(root: Path) -> SentHistory:
    """Find out what became of changes whose writer was killed, and clean up after it. The caller holds `LOCK`."""
    history = read_history(root)
    with opened_place(root / PATH, root=root, make=True) as place:
        left = leftovers(place)
        claim_folder.finish(root, left)
        torn = rules.unsettled(history)
        if torn:
            standing = {signal_key(signal)[:3] for signal in read_waiting(root).signals}
            for item in torn:
                _append(root, _verdict(item, left, standing))
            history = read_history(root)
        for token in left:
            remove_leftover(place, token)
    return history


def _verdict(item: SentRecord, left: Mapping[str, bool], standing: set[tuple[str, str, str]]) -> SentRecord:
    """How a broken change ended. A signal was written if its content is not left over, or has its name already."""
    now = datetime.now(UTC)
    if item.event == "writing":
        return rules.record_of(item, "sent" if left.get(item.batch or item.id, True) else "dropped", item.at)
    stays = (item.keyword, item.argument, item.text) in standing
    return rules.record_of(item, "kept" if stays else "withdrawn", now)


def _carry_out(root: Path, existing: bytes | None, step: _Step) -> str:
    """Do one change; returns what went wrong afterwards, when it no longer matters. Raises `WriteError`."""
    begun = False
    with _prepared(root, existing, step) as stage:
        try:
            for item in step.begin:
                _append(root, item)
                begun = True
            stage.commit(existing)
        except WriteError as error:
            if begun or not error.undone:
                _broken(root, stage, step, error)
            raise
        except BaseException:
            stage.keep()  # the records may say that it was begun: what is left over tells the next one that it was not
            raise
    return _told(root, step.done)


def _broken(root: Path, stage: Stage | _Removal, step: _Step, error: WriteError) -> None:
    """Set down how a change failed; what can't be set down is found out by the next one."""
    written = not error.undone and error.path == root / PATH
    failed = _told(root, step.done if written else step.undone)
    if failed:
        stage.keep()


def _told(root: Path, records: Iterable[SentRecord]) -> str:
    try:
        for item in records:
            _append(root, item)
    except WriteError as error:
        return f"the history could not be written: {error}"
    return ""


class _Removal:
    """A change that removes the file."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def commit(self, expect: bytes | None) -> None:
        """Remove the file while it holds `expect`."""
        remove_file(self._root / PATH, root=self._root, expect=expect or b"")

    def keep(self) -> None:
        """Nothing is left over."""


@contextmanager
def _prepared(root: Path, existing: bytes | None, step: _Step) -> Iterator[Stage | _Removal]:
    if step.data is None and existing is not None:
        yield _Removal(root)
        return
    with staged(root / PATH, step.data or b"", root=root, token=step.token) as stage:
        yield stage


def _append(root: Path, item: SentRecord) -> None:
    append_line(root / SENT_PATH, render_record(item), root=root, links=False)


def _sending(items: Sequence[SentRecord], data: bytes) -> _Step:
    events = zip(*(_events(item, "writing", "sent", "dropped") for item in items), strict=True)
    begin, done, undone = (tuple(record for (record,) in found) for found in events)
    return _Step(data, items[0].id, begin, done, undone)


def _events(item: SentRecord, *events: SentEvent) -> tuple[tuple[SentRecord], tuple[SentRecord], tuple[SentRecord]]:
    begin, done, undone = (rules.record_of(item, event, datetime.now(UTC)) for event in events)
    return (begin,), (done,), (undone,)


def _new_record(signal: Signal, pool_id: str | None, seen: Mapping[str, int] | None) -> SentRecord:
    return SentRecord(
        os.urandom(6).hex(), datetime.now(UTC), "writing", signal.keyword, signal.argument, signal.text, pool_id,
        tuple((seen or {}).items()), by=operator(),
    )  # fmt: skip


def _new_records(
    signals: Sequence[Signal], pool_id: str | None, seen: Mapping[str, int] | None
) -> tuple[SentRecord, ...]:
    """A record for each signal; whether the first one was written tells it of all."""
    first, *others = (_new_record(signal, pool_id, seen) for signal in signals)
    return (first, *(replace(item, batch=first.id) for item in others))


def _appended(existing: bytes | None, signals: Sequence[Signal]) -> bytes:
    data = existing
    for signal in signals:
        data = mailbox.append(data, signal)
    return data or b""


def _record_of(history: SentHistory, chosen: PendingSignal) -> SentRecord:
    """The first record of a waiting signal; a fresh one when somebody else wrote it."""
    known = next((item for item in history.records if item.id == chosen.id), None)
    return known or _new_record(chosen.signal, None, None)


def _waiting(root: Path, history: SentHistory) -> tuple[bytes, tuple[PendingSignal, ...]]:
    existing = read_target(root / PATH, root=root)
    if existing is None:
        raise Refused("not-waiting", PATH, "nothing waits: it was read, or taken back already")
    return existing, rules.pending(history, parse_interventions(existing))


def read_waiting(root: Path) -> Interventions:
    """The signals of the file as it is now. Reads only. Raises `WriteError` when it can't be read."""
    return parse_interventions(read_target(root / PATH, root=root))


def _text(existing: bytes | None, signal: Signal) -> bytes:
    return render_signal(signal.keyword, signal.argument, signal.text, end=line_end(existing or b""))


def operator() -> str:
    """Who sends from here: user and host, as far as they are known."""
    return f"{os.environ.get('USER') or os.environ.get('LOGNAME') or os.getuid()}@{os.uname().nodename}"
