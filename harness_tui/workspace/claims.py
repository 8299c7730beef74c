"""The consumer's side of the intervention file: claimed by rename, kept, then acted on (CONTRACT rule 4).

Under the lock of all who write the file it is moved to the pool's folder in `.harness/harness-tui/claims/`, and a copy
of it is kept in `consumed/`. What was acted on is taken out of the claim, so that one which a dead run left behind is
taken up again by the next run of its pool, where that stopped. What was sent for another pool stays in the file, and so
does all of it while a part can't be understood. What nobody sent from here is for whoever reads it.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from harness_tui.formats import mailbox as edits
from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.intervention_text import signal_key
from harness_tui.model.frozen import frozen
from harness_tui.model.refusal import Refused
from harness_tui.rules import sent as rules
from harness_tui.workspace import claim_folder, mailbox
from harness_tui.workspace.atomic import (
    ANY,
    ChangedError,
    WriteError,
    move_file,
    read_target,
    remove_file,
    replace_file,
)
from harness_tui.workspace.claim_folder import CLAIM, CLAIMS
from harness_tui.workspace.lock import OWN_FOLDER, locked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from harness_tui.model.intervention import Interventions, Signal
    from harness_tui.model.sent import PendingSignal, SentEvent, SentRecord, Where
    from harness_tui.workspace.late_writes import LateWrites

CONSUMED: Final = f"{OWN_FOLDER}/consumed"
"""Everything that was ever claimed, each file as it was."""
_TRIES: Final = 20


@frozen
class Claimed:
    """One signal of a claim that was not acted on yet. `sent` is its record when it was sent from here.

    `claim` is the file that it is in, relative to `CLAIMS`.
    """

    claim: str
    signal: Signal
    sent: SentRecord | None = None


def unclear(found: Interventions) -> Signal | None:
    """The first signal that a careful reader can't understand: the file then counts as STOP and stays in place."""
    return next((signal for signal in found.signals if signal.state != "waiting"), None)


def claim(root: Path, pool_id: str, late: LateWrites) -> tuple[Claimed, ...]:
    """Take what is for a run of `pool_id`, in order; none when there is none or the file is unclear.

    `late` hears what is still written into it. Raises `WriteError`.
    """
    with locked(root, mailbox.LOCK):
        for _ in range(_TRIES):
            data = read_target(root / PATH, root=root)
            if data is None:
                return ()
            found = parse_interventions(data)
            if unclear(found) is not None:
                return ()
            history = mailbox.settle(root)
            others = [item.number for item in rules.pending(history, found) if not is_for(item, pool_id)]
            if len(others) == len(found.signals):
                return ()
            name = f"{pool_id}/{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(6)}{CLAIM}"
            with suppress(ChangedError):
                if others:
                    own = [number for number in range(1, len(found.signals) + 1) if number not in others]
                    parts = {"own": _without(data, others), "rest": _without(data, own)}
                    with late.kept(root / PATH, root, len(data)):
                        claim_folder.divide(root, root / CLAIMS / name, before=data, **parts)
                    data = _keep(root, name)
                else:
                    data = _moved(root, name, late)
                waiting = rules.pending(history, parse_interventions(data))
                return _signals(root, name, history.records, {item.number: item.id for item in waiting})
    raise WriteError(root / PATH, "somebody else keeps changing it")


def _moved(root: Path, name: str, late: LateWrites) -> bytes:
    """Make the whole file a claim; what it holds. Who still has it open writes into no claim."""
    path = root / CLAIMS / name
    move_file(root / PATH, path, root=root)
    data = _keep(root, name)
    with late.kept(path, root, len(data)):
        replace_file(path, data, root=root, expect=ANY)
    return data


def is_for(item: PendingSignal, pool_id: str) -> bool:
    """Whether a run of `pool_id` takes the signal: it was sent for that pool, for none, or not from here."""
    return item.pool_id in (None, pool_id)


def left_over(root: Path, pool_id: str) -> tuple[Claimed, ...]:
    """What a dead run of the pool has claimed and not acted on, oldest first. Raises `WriteError`."""
    found: list[Claimed] = []
    folder = root / CLAIMS / pool_id
    for place in (folder, root / CONSUMED):
        claim_folder.sweep(root, place)
    if claim_folder.names(folder, claim_folder.PREPARED):
        mailbox.recover(root)
    for file in claim_folder.names(folder, CLAIM):
        name = f"{pool_id}/{file}"
        with locked(root, mailbox.LOCK):
            if read_target(root / CONSUMED / file, root=root) is None:
                _keep(root, name)
        found += _signals(root, name)
    return tuple(found)


def settle(root: Path, item: Claimed) -> None:
    """The signal was acted on: it leaves its claim, which goes with its last one. Raises `WriteError`."""
    path = root / CLAIMS / item.claim
    for _ in range(3):
        data = read_target(path, root=root)
        if data is None:
            return
        signals = parse_interventions(data).signals
        wanted = signal_key(item.signal)
        number = next((at for at, signal in enumerate(signals, 1) if signal_key(signal) == wanted), 0)
        if not number:
            return
        try:
            rest = edits.withdraw(data, number)
        except Refused:  # the others would be read differently: they are written anew
            rest = _rendered(signal for at, signal in enumerate(signals, 1) if at != number)
        with suppress(ChangedError):
            if rest is None:
                remove_file(path, root=root, expect=data)
            else:
                replace_file(path, rest, root=root, expect=data)
            return
    raise WriteError(path, "somebody else keeps changing it")


def tell(root: Path, event: SentEvent, items: Iterable[tuple[Claimed, Where | None]]) -> None:
    """Set down in the operator's history what became of signals that were sent from here, each with its evidence.

    Raises `WriteError`.
    """
    at = datetime.now(UTC)
    found = [rules.record_of(item.sent, event, at, where) for item, where in items if item.sent is not None]
    mailbox.record(root, found)


def _without(data: bytes, numbers: Collection[int]) -> bytes:
    """The file without the signals of these numbers, which are not all of them; the others read as before."""
    kept = [signal for at, signal in enumerate(parse_interventions(data).signals, 1) if at not in numbers]
    rest: bytes | None = data
    try:
        for number in sorted(numbers, reverse=True):
            rest = edits.withdraw(rest or b"", number)
    except Refused:  # the others would be read differently: they are written anew
        rest = _rendered(kept)
    return rest or b""


def _keep(root: Path, name: str) -> bytes:
    data = read_target(root / CLAIMS / name, root=root) or b""
    replace_file(root / CONSUMED / PurePath(name).name, data, root=root, expect=ANY)
    return data


def _signals(
    root: Path, name: str, records: Iterable[SentRecord] = (), owners: Mapping[int, str | None] | None = None
) -> tuple[Claimed, ...]:
    """The signals of a claim; `owners` gives the id under which each was sent, by its number."""
    data = read_target(root / CLAIMS / name, root=root)
    if data is None:
        return ()
    sent = {record.id: record for record in records}
    ids = owners or {}
    signals = enumerate(parse_interventions(data).signals, 1)
    return tuple(Claimed(name, signal, sent.get(ids.get(number) or "")) for number, signal in signals)


def _rendered(signals: Iterable[Signal]) -> bytes | None:
    data: bytes | None = None
    for signal in signals:
        data = edits.append(data, signal)
    return data
