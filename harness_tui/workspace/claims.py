"""The consumer's side of the intervention file: claimed by rename, kept, then acted on (CONTRACT rule 4).

Under the lock of all who write the file it is moved to `.harness/harness-tui/claims/`, and a copy of it is kept in
`consumed/`. What was acted on is taken out of the claim, so that one which a dead run left behind is taken up again
where that stopped. What can't be understood stays where it is.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from harness_tui.formats import mailbox as edits
from harness_tui.formats.intervention import PATH, parse_interventions
from harness_tui.formats.intervention_text import signal_key
from harness_tui.model.frozen import frozen
from harness_tui.model.refusal import Refused
from harness_tui.rules import sent as rules
from harness_tui.workspace import mailbox
from harness_tui.workspace.atomic import (
    ANY,
    TEMPORARY,
    ChangedError,
    WriteError,
    move_file,
    read_target,
    remove_file,
    replace_file,
)
from harness_tui.workspace.lock import OWN_FOLDER, locked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from harness_tui.model.intervention import Interventions, Signal
    from harness_tui.model.sent import SentEvent, SentRecord, Where

CLAIMS: Final = f"{OWN_FOLDER}/claims"
CONSUMED: Final = f"{OWN_FOLDER}/consumed"
"""Everything that was ever claimed, each file as it was."""


@frozen
class Claimed:
    """One signal of a claim that was not acted on yet. `sent` is its record when it was sent from here."""

    claim: str
    signal: Signal
    sent: SentRecord | None = None


def unclear(found: Interventions) -> Signal | None:
    """The first signal that a careful reader can't understand: the file then counts as STOP and stays in place."""
    return next((signal for signal in found.signals if signal.state != "waiting"), None)


def claim(root: Path) -> tuple[Claimed, ...]:
    """Take the file; its signals in order, none when there is no file or it is unclear. Raises `WriteError`."""
    with locked(root, mailbox.LOCK):
        data = read_target(root / PATH, root=root)
        if data is None:
            return ()
        found = parse_interventions(data)
        if unclear(found) is not None:
            return ()
        mailbox.settle(root)
        waiting = mailbox.pending(root)
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}.md"
        move_file(root / PATH, root / CLAIMS / name, root=root)
        kept = _keep(root, name)
        history = {record.id: record for record in mailbox.read_history(root).records}
        owners = {item.signal.line: history.get(item.id or "") for item in waiting} if kept == data else {}
        return _signals(root, name, owners)


def left_over(root: Path) -> tuple[Claimed, ...]:
    """What a dead run has claimed and not acted on, oldest first. Raises `WriteError`."""
    found: list[Claimed] = []
    names: list[str] = []
    for folder in (CLAIMS, CONSUMED):
        _sweep(root, folder)
    with suppress(OSError):
        names = sorted(name for name in os.listdir(root / CLAIMS) if name.endswith(".md"))  # noqa: PTH208 - names
    for name in names:
        with locked(root, mailbox.LOCK):
            if read_target(root / CONSUMED / name, root=root) is None:
                _keep(root, name)
        found += _signals(root, name, {})
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


def tell(root: Path, item: Claimed, event: SentEvent, evidence: Where | None = None) -> None:
    """Set down in the operator's history what became of a signal that was sent from here. Raises `WriteError`."""
    if item.sent is not None:
        mailbox.record(root, [rules.record_of(item.sent, event, datetime.now(UTC), evidence)])


def _sweep(root: Path, folder: str) -> None:
    """Remove new content that a killed writer left in one of our own folders."""
    with suppress(OSError):
        for name in os.listdir(root / folder):  # noqa: PTH208 - names only
            if name.startswith(".") and name.endswith(TEMPORARY):
                (root / folder / name).unlink()


def _keep(root: Path, name: str) -> bytes:
    data = read_target(root / CLAIMS / name, root=root) or b""
    replace_file(root / CONSUMED / name, data, root=root, expect=ANY)
    return data


def _signals(root: Path, name: str, owners: dict[int, SentRecord | None]) -> tuple[Claimed, ...]:
    data = read_target(root / CLAIMS / name, root=root)
    if data is None:
        return ()
    return tuple(Claimed(name, signal, owners.get(signal.line)) for signal in parse_interventions(data).signals)


def _rendered(signals: Iterable[Signal]) -> bytes | None:
    data: bytes | None = None
    for signal in signals:
        data = edits.append(data, signal)
    return data
