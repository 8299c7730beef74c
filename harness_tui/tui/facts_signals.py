"""Words about the operator's signals: the strip that stands over every screen, and the page of all of them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.rules.span import age
from harness_tui.tui.facts import Fact, heading, in_sight, place
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from datetime import datetime

    from harness_tui.model.sent import PendingSignal, SentSignal, SentState
    from harness_tui.model.snapshot import Snapshot

SENT_SIGN: Final[dict[SentState, tuple[str, str]]] = {
    "waiting": ("○", "$text-accent"),
    "picked-up": ("◐", "$text-accent"),
    "in-effect": ("✓", "$text-success"),
    "no-effect-seen": ("⚠", "$text-warning bold"),
    "withdrawn": ("–", "$text-muted"),
}
_STOPS: Final = "$text-error bold reverse"
_UNCLEAR: Final = "$text-error bold"
LOUD: Final = frozenset({_STOPS, _UNCLEAR})
"""Styles of what must be seen from everywhere."""
RECENT: Final = timedelta(hours=24)
"""For so long the strip tells of a signal without effect."""
EMPTY: Final = """No signals.

Nothing waits in .harness/intervention.md, and none was sent from here.

A adds a task, S skips one, X stops the stream, M leaves a note."""


def strip_words(snapshot: Snapshot, me: str, now: datetime) -> list[tuple[str, str]]:
    """What is written and unread, and what has no effect yet, as (words, style), the loudest first; often nothing."""
    found: list[tuple[str, str]] = []
    stops = [item for item in snapshot.pending if item.signal.keyword == "STOP" and item.signal.state == "waiting"]
    if stops:
        found.append((f"■ STOP waits to be read, sent {_since(stops[0], me, now)}", _STOPS))
    else:
        read = [item for item in snapshot.sent if item.keyword == "STOP" and item.state == "picked-up"]
        if read:
            found.append((f"■ STOP was read, not in effect yet {age(read[0].at, now)}", _STOPS))
    unclear = [item for item in snapshot.pending if item.signal.state != "waiting"]
    if unclear:
        signal = unclear[0].signal
        words = f"⚠ an unread signal is {signal.state}: it counts as {snapshot.interventions.safest or 'STOP'}"
        found.append((words, _UNCLEAR))
    others = [item for item in snapshot.pending if item not in stops and item not in unclear]
    if others:
        names = ", ".join(name_of(item.signal.keyword, item.signal.argument) for item in others[:3])
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""  # noqa: PLR2004 - as above
        alike = len({item.by for item in others}) == 1
        since = f" {_since(others[0], me, now)}" if alike else ""
        found.append((f"○ unread: {names}{more}{since}", "$text-accent bold"))
    lost = [item for item in snapshot.sent if item.state == "no-effect-seen" and now - item.at < RECENT]
    lost = [item for item in lost if not _sent_again(item, snapshot.sent)]
    if lost:
        what = "refused" if _refused(lost[0]) else "no effect seen"
        found.append((f"⚠ {what}: {name_of(lost[0].keyword, lost[0].argument)}", "$text-warning bold"))
    return found


def loud_words(snapshot: Snapshot, me: str, now: datetime) -> list[tuple[str, str]]:
    """What must be seen from everywhere: a STOP without effect yet, and a signal that counts as one."""
    return [(words, style) for words, style in strip_words(snapshot, me, now) if style in LOUD]


def signal_facts(snapshot: Snapshot, me: str, now: datetime) -> list[Fact]:
    """What waits in the file, then the history, newest first."""
    facts = [heading("Unread")] if snapshot.pending else []
    facts += [_waiting(item, snapshot, me, now) for item in snapshot.pending]
    if snapshot.sent:
        facts.append(heading("Sent from here, newest first"))
    facts += [_sent(item, me, now) for item in snapshot.sent]
    return facts


def name_of(keyword: str, argument: str) -> str:
    """A signal in a few words."""
    return f"{keyword} {argument}".strip() or "an unclear signal"


def waiting_key(item: PendingSignal) -> str:
    """Names a line of a waiting signal."""
    return f"waiting/{item.number}"


def sent_key(item: SentSignal) -> str:
    """Names a line of the history."""
    return f"sent/{item.id}"


def _waiting(item: PendingSignal, snapshot: Snapshot, me: str, now: datetime) -> Fact:
    signal = item.signal
    clear = signal.state == "waiting"
    sign, style = SENT_SIGN["waiting"] if clear else ("⚠", "$text-error bold")
    counts = "" if clear else f"  {signal.state}: counts as {snapshot.interventions.safest or 'STOP'}"
    text = Content.assemble(
        literal(f"{sign} {name_of(signal.keyword, signal.argument)}", style),
        literal(counts, "$text-error bold"),
        literal(f" — {in_sight(signal.text)}" if signal.text else ""),
        literal(f"  {_since(item, me, now)}", "$text-muted"),
    )
    return Fact(text, snapshot.interventions.path, signal.line, hang=2, key=waiting_key(item))


def _sent(item: SentSignal, me: str, now: datetime) -> Fact:
    sign, style = SENT_SIGN[item.state]
    state = "refused" if _refused(item) else item.state
    path, line = item.evidence or (None, None)
    tail = [item.why, place(path, line), age(item.at, now), _whose(item.by, me), item.pool_id or ""]
    text = Content.assemble(
        literal(f"{sign} {state} ", style),
        literal(name_of(item.keyword, item.argument), "bold"),
        literal(f" — {in_sight(item.text)}" if item.text else ""),
        literal("  " + " · ".join(part for part in tail if part), "$text-muted"),
    )
    return Fact(text, path, line, hang=2, key=sent_key(item))


def _since(item: PendingSignal, me: str, now: datetime) -> str:
    if item.id is None:
        return "by somebody else"
    return f"{age(item.at, now)} {_whose(item.by or '', me)}".strip()


def _whose(by: str, me: str) -> str:
    return "" if not by else "by you" if by == me else f"by {by}"


def _refused(item: SentSignal) -> bool:
    """Whether a signal has no effect because it was refused: only then does a line show it."""
    return item.state == "no-effect-seen" and item.evidence is not None


def _sent_again(item: SentSignal, sent: tuple[SentSignal, ...]) -> bool:
    same = (item.keyword, item.argument, item.text)
    return any(other.at > item.at and (other.keyword, other.argument, other.text) == same for other in sent)
