"""The two lines at the top: where we are, what runs, what waits for the operator, how fresh all this is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.widget import Widget

from harness_tui.model.frozen import frozen, replace
from harness_tui.rules.activity import activity_words, owner_words
from harness_tui.rules.inbox import asking
from harness_tui.rules.span import age, clock
from harness_tui.rules.stream import left_open
from harness_tui.rules.verify_words import verify_words
from harness_tui.tui.gauge import budget_words, gauge, least_left, whose
from harness_tui.tui.signs import STATUS_SIGN
from harness_tui.tui.text import cells, cut, literal
from harness_tui.tui.theme import STATUS_STYLE, STREAM_SIGN, STREAM_STYLE

if TYPE_CHECKING:
    from datetime import datetime

    from textual import events

    from harness_tui.model.git import Git
    from harness_tui.model.pool import Pool
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.stream import Stream
    from harness_tui.model.verify import VerifyRun

_LIVE = {"live": ("● live", "$text-success"), "polling": ("◌ polling", "$text-warning")}
_GAP = "  "
_MINOR: Final = 4
_MAIN: Final = 10
"""Ranks up to which pieces go without more ado, and from which they stay as long as there is room for their least."""
_ACTIVITY: Final = 24
"""Cells that what a worker is at gets at least: a tool and the most of a path."""


@frozen
class Part:
    """A piece of a line. Pieces of low `rank` are left out first when the line is too narrow.

    A piece with a `least` number of cells is cut down to that before one of a rank above `_MINOR` is left out, to its
    `brief` text first where that says enough.
    """

    text: str
    style: str = ""
    rank: int = 5
    least: int = 0
    brief: str = ""


class StatusBar(Widget):
    """Shows one snapshot. It is drawn again only when one of its texts changes."""

    DEFAULT_CSS = "StatusBar { height: 2; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._lines: tuple[tuple[tuple[Part, ...], tuple[Part, ...]], ...] = ()

    def show(self, snapshot: Snapshot, pool_id: str | None, live: tuple[str, str], now: datetime) -> None:
        """Show the state of `snapshot` with the pool `pool_id` open; `live` is (state, why) of the watch."""
        lines = (
            (_place(snapshot, pool_id) + self._read_only(), _fresh(snapshot, pool_id, live, now)),
            (_stream(snapshot, pool_id, now), _needs(snapshot)),
        )
        if lines != self._lines:
            self._lines = lines
            self.refresh()

    def _read_only(self) -> tuple[Part, ...]:
        return (Part("read-only", "$text-warning", 9),) if getattr(self.app, "read_only", "") else ()

    def render(self) -> Content:
        """Both lines, the right parts at the right edge."""
        rows = [_row(left, right, self.size.width) for left, right in self._lines]
        return Content("\n").join(rows)

    @property
    def plain(self) -> str:
        """Both lines as text, for tests and for the clipboard."""
        return "\n".join(_GAP.join(part.text for part in (*left, *right) if part.text) for left, right in self._lines)

    def on_click(self, event: events.Click) -> None:
        """A click on the line opens what it speaks of: pools above; the reason or the needs below."""
        if event.y == 0:
            self.app.simulate_key("p")
        else:
            self.app.simulate_key("full_stop" if event.x > self.size.width * 2 // 3 else "c")


def _place(snapshot: Snapshot, pool_id: str | None) -> tuple[Part, ...]:
    name = snapshot.root.rstrip("/").rsplit("/", 1)[-1] or "/"
    parts = [Part(name, "bold", 9)]
    if snapshot.git is not None:
        parts.append(Part(*_git(snapshot.git), rank=6))
    ids = [pool.id for pool in snapshot.pools]
    if pool_id in ids:
        count = f" {ids.index(pool_id) + 1}/{len(ids)}" if len(ids) > 1 else ""
        kind = next(pool.kind for pool in snapshot.pools if pool.id == pool_id)
        parts.append(Part(f"{kind} pool {pool_id}{count}", "$text-accent", 8))
    return tuple(parts)


def _git(git: Git) -> tuple[str, str]:
    if git.error:
        return f"git: {git.error}", "$text-warning"
    head = (git.head or "")[:7]
    if git.unborn:
        return f"{git.branch or '?'}, no commits yet", "$text-muted"
    where = f"detached at {head}" if git.detached else f"{git.branch}@{head}"
    return f"{where}{' dirty' if git.dirty else ''}", "$text-muted"


def _fresh(snapshot: Snapshot, pool_id: str | None, live: tuple[str, str], now: datetime) -> tuple[Part, ...]:
    sign, style = _LIVE.get(live[0], (f"■ {live[0]}", "$text-error bold"))
    why = f" ({live[1]})" if live[1] and live[0] != "live" else ""
    stream = _of(snapshot, pool_id)
    newest = age(stream.evidence_at, now)
    return (Part(f"newest file {newest}" if newest else "", "$text-muted", 4), Part(sign + why, style, 9))


def _of(snapshot: Snapshot, pool_id: str | None) -> Stream:
    return snapshot.streams.get(pool_id or "", snapshot.stream)


def stream_words(stream: Stream, pool: Pool | None) -> tuple[str, str]:
    """State of a stream with its sign, and its style; one that drained `pool` but left rows open is not green."""
    left = left_open(pool) if pool is not None and stream.state == "drained" else {}
    if not left:
        return f"{STREAM_SIGN[stream.state]} {stream.state}", STREAM_STYLE[stream.state]
    worst = next(iter(left))
    counts = ", ".join(f"{count} {status}" for status, count in left.items())
    return f"{STATUS_SIGN[worst]} {stream.state}, {counts}", STATUS_STYLE[worst]


def _stream(snapshot: Snapshot, pool_id: str | None, now: datetime) -> tuple[Part, ...]:
    if not snapshot.pools:
        return tuple(_families(snapshot))
    stream = _of(snapshot, pool_id)
    pool = next((pool for pool in snapshot.pools if pool.id == stream.pool_id), None)
    words, style = stream_words(stream, pool)
    if stream.task_id:
        words += f" {stream.task_id}"
    brief = words
    if stream.state == "running" and stream.since is not None and stream.since <= now:
        words += f" for {clock(now - stream.since)}"
    elif stream.since is not None and stream.since <= now:
        words += f" for {age(stream.since, now)}"
    parts = [Part(words, style, 12, cells(words.partition(",")[0].partition(" for ")[0]) + 1, brief)]
    if stream.doing is not None:
        quiet = stream.doing.kind == "quiet"
        parts.append(Part(" · ".join(activity_words(stream.doing)), "$text-warning" if quiet else "", 8, _ACTIVITY))
    if stream.owner is not None:
        parts.append(Part(owner_words(stream.owner), "$text-muted", 2))
    others = [item for name, item in snapshot.streams.items() if name != pool_id and item.state == "running"]
    if others:
        parts.append(Part(f"also running: {others[0].pool_id} {others[0].task_id or ''}".rstrip(), "$text-accent", 7))
    parts += _families(snapshot)
    parts.append(Part(f"ambient {'on' if snapshot.stream.ambient else 'off'}", "$text-muted", 3))
    if snapshot.verify_runs:
        parts.append(Part(*_verify(snapshot.verify_runs[-1]), rank=5))
    return tuple(parts)


def _families(snapshot: Snapshot) -> list[Part]:
    """The lock, loudest of all, and the budget of the epic that has least left."""
    parts: list[Part] = []
    handback = snapshot.servo.handback if snapshot.servo is not None else None
    if handback is not None and handback.locked:
        parts.append(Part("■ LOCKED", "$text-error bold reverse", 11))
    budgets = snapshot.epics.budgets if snapshot.epics is not None else ()
    if budgets:
        least = least_left(budgets)
        style = "$text-muted" if least.state == "ok" else "$text-error bold"
        mark = ", re-reading" if least.stale else ""
        words = f"budget {gauge(least)} {budget_words(least)}{mark}{whose(len(budgets))}".replace("  ", " ")
        parts.append(Part(words, style, 6))
    return parts


def _verify(run: VerifyRun) -> tuple[str, str]:
    style = {"pass": "$text-success", "hard-fail": "$text-error bold"}.get(run.verdict, "$text-warning")
    return f"verify {verify_words(run)}", style


def needs_words(snapshot: Snapshot) -> tuple[str, str]:
    """How many things need the operator, in words, and their style; no words when none does."""
    found = asking(snapshot.inbox)
    urgent = any(item.urgency > 1 for item in found)
    words = f"⚑ {len(found)} need{'s' if len(found) == 1 else ''} you" if found else ""
    return words, "$text-error bold reverse" if urgent else "$text-warning bold"


def _needs(snapshot: Snapshot) -> tuple[Part, ...]:
    words, style = needs_words(snapshot)
    return (Part(words, style, 10) if words else Part("nothing needs you", "$text-muted", 6),)


def _floor(part: Part, lowest: Part) -> int:
    may_be_cut = part.least and (part.rank < _MAIN or lowest.rank >= _MAIN)
    return min(cells(part.text), part.least) if may_be_cut else cells(part.text)


def _cut(part: Part, room: int) -> Part:
    text = part.brief if part.brief and cells(part.text) > room else part.text
    return replace(part, text=cut(text, max(room, min(part.least, cells(text)))))


def _row(left: tuple[Part, ...], right: tuple[Part, ...], width: int) -> Content:
    """Left and right parts in `width` cells, the least important left out until they fit."""
    kept = [part for part in (*left, *right) if part.text]

    def least(lowest: Part) -> int:
        """Cells needed when all is cut that may be: one of the main pieces only once the others are gone."""
        return sum(_floor(part, lowest) + len(_GAP) for part in kept)

    def needed() -> int:
        return sum(cells(part.text) + len(_GAP) for part in kept)

    while len(kept) > 1:
        lowest = min(kept, key=lambda part: part.rank)
        if (needed() if lowest.rank <= _MINOR else least(lowest)) <= width:
            break
        kept.remove(lowest)
    for part in sorted((part for part in kept if part.least), key=lambda part: part.rank):
        if needed() > width:
            kept[kept.index(part)] = _cut(part, cells(part.text) - (needed() - width))
    left = tuple(part for part in kept if part not in right)
    if len(kept) == 1:
        return literal(cut(kept[0].text, max(0, width - 1)), kept[0].style)
    space = max(1, width - needed() + len(_GAP))
    last_left = max((index for index, part in enumerate(kept) if part in left), default=-1)
    pieces: list[Content] = []
    for index, part in enumerate(kept):
        pieces.append(literal(part.text, part.style))
        if index < len(kept) - 1:
            pieces.append(Content(" " * space if index == last_left else _GAP))
    return Content.assemble(*pieces)
