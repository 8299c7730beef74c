"""From what the operator typed to a signal that may be sent: checked, with what would follow. Nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.formats.mailbox import new_signal
from harness_tui.model.frozen import frozen, replace
from harness_tui.rules.consequences import as_if_read, consequences, unaddressed
from harness_tui.rules.signals import (
    Checked,
    check_add,
    check_redirect,
    check_skip,
    check_stage_skip,
    check_stop,
    choose_pool,
    is_stage,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from harness_tui.model.consequences import Consequences
    from harness_tui.model.intervention import Signal
    from harness_tui.model.pool import Pool
    from harness_tui.model.snapshot import Snapshot


@frozen
class Outgoing:
    """A signal that may be sent. `pool_id` is the pool that it is for, as far as that is known.

    `seen` gives the lines of each log now, for `workspace.mailbox.send`. `consequences` is None where no pool is meant;
    `then` says in words what follows, with a pool or without.
    """

    signal: Signal
    pool_id: str | None
    warnings: tuple[str, ...]
    consequences: Consequences | None
    seen: dict[str, int]
    then: str = ""


def outgoing(
    snapshot: Snapshot,
    keyword: str,
    argument: str,
    text: str,
    *,
    pool_id: str | None = None,
    folders: Collection[str] = (),
) -> Outgoing:
    """The signal as it would be written, after all checks. Raises `Refused`, or `NotThere` for a row or pool.

    `folders` are the slugs of all feature folders, live and archived (`Layout.features`).
    """
    pool = choose_pool(snapshot.pools, pool_id, snapshot.streams)
    checked = _checked(snapshot, (keyword, argument, text), pool, folders)
    signal = new_signal(keyword, argument, text)
    meant = pool
    if checked.pool_id is not None:
        meant = next((item for item in snapshot.pools if item.id == checked.pool_id), pool)
    found, then = None, unaddressed(keyword, snapshot.streams)
    if meant is not None:
        stream = snapshot.streams.get(meant.id)
        running = stream is not None and stream.state == "running"
        meant = as_if_read(meant, _waiting_for(snapshot, meant), running=running)
        found = consequences(meant, signal, running=running)
        then = found.text
    seen = {log.path: log.lines for log in snapshot.logs}
    return Outgoing(signal, meant.id if meant is not None else None, checked.warnings, found, seen, then)


def outgoing_all(
    snapshot: Snapshot,
    keyword: str,
    wanted: Iterable[tuple[str, str]],
    *,
    pool_id: str | None = None,
    folders: Collection[str] = (),
) -> tuple[Outgoing, ...]:
    """The same for several of one kind, each (argument, text) checked as if those before it waited already."""
    found: list[Outgoing] = []
    for argument, text in wanted:
        found.append(outgoing(snapshot, keyword, argument, text, pool_id=pool_id, folders=folders))
        standing = replace(found[-1].signal, line=0)  # on no line yet: not to be taken for another one
        signals = (*snapshot.interventions.signals, standing)
        snapshot = replace(snapshot, interventions=replace(snapshot.interventions, signals=signals))
    return tuple(found)


def _checked(snapshot: Snapshot, wish: tuple[str, str, str], pool: Pool | None, folders: Collection[str]) -> Checked:
    keyword, argument, text = wish
    waiting = _waiting_for(snapshot, pool)
    if keyword == "ADD":
        return check_add(argument, text, pool, snapshot.pools, folders=folders, pending=waiting)
    if keyword == "SKIP":
        ids = {task.id for item in snapshot.pools for task in item.tasks}
        if is_stage(argument) and argument not in ids:
            return check_stage_skip(argument, snapshot.streams)
        running = [name for name, stream in snapshot.streams.items() if stream.state == "running"]
        return check_skip(argument, pool, snapshot.pools, pending=waiting, running=running)
    if keyword == "REDIRECT":
        return check_redirect(argument, text, snapshot.streams)
    if keyword == "STOP":
        return check_stop(pool, snapshot.streams)
    return Checked()


def _waiting_for(snapshot: Snapshot, pool: Pool | None) -> tuple[Signal, ...]:
    """The unread signals that a run of `pool` would take; all of them when no pool is meant."""
    others = {
        item.evidence.line
        for item in snapshot.sent
        if item.state == "waiting" and item.evidence is not None and pool is not None
        if item.pool_id not in (None, pool.id)
    }
    return tuple(signal for signal in snapshot.interventions.signals if signal.line not in others)
