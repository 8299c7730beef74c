"""Whether the loop is locked (formats/servo 3): the worst reading of the guard section, and why.

Locked is what any value says; unlocked only what every value says plainly. No script of the loop checks this.
"""

from __future__ import annotations

from harness_tui.model.gap import Gap
from harness_tui.model.handback import Handback, StopReason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.model.handback import GuardRecord, Said

_LOCK = "handback_lock_active"
_NOT_UNLOCKED = "not unlocked"


def judge_handback(record: GuardRecord, active_milestone: str = "none") -> Handback:
    """The lock that `record` stands for. `active_milestone` is `none` where there is none."""
    gaps: list[Gap] = []
    locked, lock = _lock(record, gaps)
    rounds = _number(record, "handback_reaffirmed_rounds", record.rounds, gaps)
    threshold = _number(record, "stable_handback_threshold", record.threshold, gaps, smallest=True)
    state = _text(record, "handoff_state", record.state, gaps)
    signature = _text(record, "last_handback_signature", record.signature, gaps)
    if locked is False and rounds is not None and threshold and rounds >= threshold and lock:
        why = f"recorded as unlocked although {rounds} rounds reach the threshold of {threshold}"
        gaps.append(Gap(_LOCK, lock.line, why, "", record.path))
    if record.present and not record.stop_reasons:
        gaps.append(Gap("last_stop_reason", None, "missing", "", record.path))
    reasons = tuple(StopReason(said.text, said.line) for said in record.stop_reasons if not said.empty)
    valid, why = _unlock(record, active_milestone, signature or "")
    return Handback(
        path=record.path,
        locked=locked,
        state=state or "unknown",
        rounds=rounds,
        threshold=threshold,
        signature=signature or None,
        last_unlock=record.unlocks[-1].instruction if record.unlocks else None,
        unlock_valid=valid,
        gaps=tuple(gaps),
        unlock_why=why,
        stop_reasons=reasons,
        line=lock.line if lock else record.line,
        unlock=record.unlocks[-1] if record.unlocks else None,
    )


def _lock(record: GuardRecord, gaps: list[Gap]) -> tuple[bool | None, Said | None]:
    """Locked or not, and the value that decided it."""
    values = [*record.lock, *(said for _, said in record.misspelt)]
    for key, said in record.misspelt:
        gaps.append(Gap(_LOCK, said.line, f"misspelt key {key}: taken for the lock", _NOT_UNLOCKED, record.path))
    if not values:
        why = "missing" if record.present else "missing: there is no section Handback Guard"
        gaps.append(Gap(_LOCK, None, why, _NOT_UNLOCKED, record.path))
        return None, None
    _doubled(record, _LOCK, values, gaps, "the stricter one counts")
    unreadable = [said for said in values if said.flag is None]
    for said in unreadable:
        why = "empty" if said.empty else f"neither a plain yes nor a plain no: {said.text}"
        gaps.append(Gap(_LOCK, said.line, why, _NOT_UNLOCKED, record.path))
    locked = [said for said in values if said.flag]
    if locked:
        return True, locked[0]
    if unreadable or record.misspelt:
        return None, (unreadable or values)[0]
    return False, values[-1]


def _number(
    record: GuardRecord, key: str, values: Sequence[Said], gaps: list[Gap], *, smallest: bool = False
) -> int | None:
    """The stricter of the numbers; None with a gap as soon as one is unreadable: no default takes its place."""
    if not values:
        gaps.append(Gap(key, None, "missing", "", record.path))
        return None
    _doubled(record, key, values, gaps, "the stricter one counts")
    unreadable = [said for said in values if said.number is None]
    if unreadable:
        said = unreadable[0]
        gaps.append(Gap(key, said.line, f"no number: {said.text or 'empty'}", "", record.path))
        return None
    numbers = [said.number for said in values if said.number is not None]
    return min(numbers) if smallest else max(numbers)


def _text(record: GuardRecord, key: str, values: Sequence[Said], gaps: list[Gap]) -> str | None:
    """The last text; None when the field is missing, empty where it stands for nothing (`none` for the state)."""
    if not values:
        gaps.append(Gap(key, None, "missing", "unknown" if key == "handoff_state" else "", record.path))
        return None
    _doubled(record, key, values, gaps, "the last one is shown")
    last = values[-1]
    if last.empty:
        return "none" if key == "handoff_state" else ""
    return last.text


def _doubled(record: GuardRecord, key: str, values: Sequence[Said], gaps: list[Gap], rule: str) -> None:
    if len(values) < 2:  # noqa: PLR2004 - one value is no duplicate
        return
    places = ", ".join(f"{said.text or 'empty'} in line {said.line}" for said in values)
    gaps.append(Gap(key, values[-1].line, f"given {len(values)} times: {places}; {rule}", "", record.path))


def _unlock(record: GuardRecord, active: str, signature: str) -> tuple[bool | None, str]:
    """Whether every recorded signal would unlock, and why (not)."""
    if not record.unlocks:
        return None, "no unlock signal is recorded"
    from harness_tui.rules.unlock import unlock_refusal  # noqa: PLC0415 - most control states record no signal

    said_before = [said.text for said in record.stop_reasons if not said.empty]
    for index, signal in enumerate(record.unlocks):
        earlier = [other.instruction for other in record.unlocks[:index]]
        refusal = unlock_refusal(
            signal, active_milestone=active, signature=signature, repeats=(*said_before, signature, *earlier)
        )
        if refusal:
            return False, refusal
    last = record.unlocks[-1]
    return True, "it brings something new" + ("" if last.structured else "; it does not say who gave it and when")
