"""Lines about the control loop: lock, state, gates (formats/servo)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.model.frozen import replace
from harness_tui.rules.decide import field_of
from harness_tui.rules.needs import acceptance_id, gate_id, lock_id
from harness_tui.tui.facts import Fact, heading, labelled, short_place
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.control import Control
    from harness_tui.model.gap import Gap
    from harness_tui.model.gates import AxisWord, MilestoneGate, WorktrackGate
    from harness_tui.model.handback import Handback
    from harness_tui.model.milestone import Index, IndexEntry, Milestone
    from harness_tui.model.verify import GateWord

GATE_SIGN: Final[dict[GateWord, tuple[str, str]]] = {
    "pass": ("✓", "$text-success"),
    "soft-fail": ("!", "$text-warning bold"),
    "hard-fail": ("✗", "$text-error bold"),
    "blocked": ("⊘", "$text-error bold"),
    "unknown": ("?", "$text-warning"),
}


STOPS: Final = 5
"""Reasons of stops that are shown, the newest."""


def lock_words(handback: Handback) -> tuple[str, str]:
    """The lock in one word with its sign, and its style. Not recorded is not unlocked."""
    if handback.locked:
        return "■ LOCKED", "$text-error bold reverse"
    if handback.locked is None:
        return "? lock not recorded", "$text-warning bold"
    return "○ unlocked", "$text-success"


def lock_facts(handback: Handback) -> list[Fact]:
    """The lock, and all that belongs to it while it is not open."""
    lock = replace(
        labelled("lock", literal(*lock_words(handback)), handback.path, handback.line), key=lock_id(handback)
    )
    return [heading("Handback lock"), lock, *([] if handback.locked is False else _handback(handback))]


def open_lock_facts(handback: Handback) -> list[Fact]:
    """What belongs to an open lock: it may wait."""
    return [heading("Last handback"), *_handback(handback)] if handback.locked is False else []


def _handback(handback: Handback) -> list[Fact]:
    """What led to the lock, and whether the last signal would lift it."""
    path, line = handback.path, handback.line
    facts = [
        labelled("state", literal(handback.state), path, line),
        labelled("rounds", literal(_rounds(handback)), path, line),
        labelled("signature", literal(handback.signature or "none"), path, line),
    ]
    if handback.last_unlock is None:
        facts.append(labelled("last signal", literal("none"), path, line))
    else:
        said, how = ("would unlock", "$text-success") if handback.unlock_valid else ("does not unlock", "$text-warning")
        text = Content.assemble(literal(f"“{handback.last_unlock}”  "), literal(said, how))
        at = handback.unlock.line if handback.unlock else line
        facts.append(labelled("last signal", text, path, at))
        facts.append(labelled("because", literal(handback.unlock_why), path, at))
    facts += [labelled("stopped", literal(reason.text), path, reason.line) for reason in handback.stop_reasons[-STOPS:]]
    return facts + gap_facts(handback.gaps, handback.path)


def _rounds(handback: Handback) -> str:
    """How often the handback was reaffirmed, of how many times that lock it, and whether they did."""
    rounds, threshold = handback.rounds, handback.threshold
    count = f"{'?' if rounds is None else rounds} of {'?' if threshold is None else threshold}"
    if handback.locked:
        return f"{count}, it is locked"
    if handback.locked is None:
        return f"{count}, not recorded whether it is locked"
    reached = rounds is not None and threshold is not None and rounds >= threshold
    return f"{count}, and still it is not locked" if reached else f"{count} until it locks"


def no_handback_facts() -> list[Fact]:
    """The lock of a loop that has no control state: nobody recorded it, so it is not taken for unlocked."""
    words = (
        "? lock not recorded: there is no control state (.servo/control-state.md), so nobody may take it for unlocked"
    )
    return [heading("Handback lock"), labelled("lock", literal(words, "$text-warning bold"))]


def stand_facts(control: Control) -> list[Fact]:
    """Where the loop stands."""
    status = f"  {control.milestone_status}" if control.milestone_status != control.active_milestone else ""
    return [
        heading("Control loop"),
        _field(control, "scope", f"{control.scope}  (repo {control.repo_scope}, worktrack {control.worktrack_scope})",
               "worktrack_scope" if control.scope == "WorktrackScope" else "repo_scope"),
        _field(control, "function", control.function, "current_function"),
        _field(control, "milestone", f"{control.active_milestone}{status}", "active_milestone"),
        _field(control, "worktrack", control.active_worktrack, "active_worktrack", "current_worktrack"),
    ]  # fmt: skip


def power_facts(control: Control) -> list[Fact]:
    """What the loop may do by itself."""
    ledger = control.ledger
    approval = "needed before the next step" if control.needs_approval else "not needed"
    autonomy = f"{control.autonomy}{', stops after each slice' if control.stop_after_slice else ''}"
    left = f"{ledger.budget_remaining} left, {ledger.opened} opened"
    worktracks = f"{ledger.max_new_worktracks} new ones at most"
    layout = f"{control.layout}: {', '.join(item.rsplit('/', 1)[-1] for item in control.paths)}"
    return [
        heading("What it may do by itself"),
        _field(control, "approval", approval, "needs_programmer_approval", "approval_required",
               style="$text-warning" if control.needs_approval else ""),
        _field(control, "autonomy", autonomy, "post_contract_autonomy", "autonomy_mode"),
        _field(control, "ledger", left, "autonomy_budget_remaining"),
        _field(control, "worktracks", worktracks, "max_auto_new_worktracks"),
        labelled("layout", literal(layout), control.paths[0] if control.paths else None),
    ]  # fmt: skip


def control_facts(control: Control) -> list[Fact]:
    """What is missing or doubled in the control state, and every field that was read."""
    facts = gap_facts(control.gaps, control.paths[0] if control.paths else None)
    if control.duplicates:
        facts.append(heading("Keys with several values"))
    for double in control.duplicates:
        lines = ", ".join(f"{short_place(place.path, place.line)} “{place.value[:40]}”" for place in double.places)
        first = double.places[0]
        facts.append(Fact(literal(f"  {double.key}: {lines}", "$text-warning"), first.path, first.line, hang=2))
    for section, fields in groupby(control.fields, key=lambda field: field.section):
        facts.append(heading(section or "(no section)"))
        facts += [
            labelled(f"  {field.key}", literal(field.value or "(empty)"), field.path, field.line, width=38)
            for field in fields
        ]
    return facts


def _field(control: Control, label: str, words: str, *keys: str, style: str = "") -> Fact:
    """A line that leads to the field with one of these keys."""
    found = field_of(control, *keys)
    place = (found.path, found.line) if found is not None else (control.paths[0] if control.paths else None, None)
    return labelled(label, literal(words, style), *place)


def gap_facts(gaps: Sequence[Gap], path: str | None) -> list[Fact]:
    """Fields that could not be taken at face value, with the value that is assumed in their place."""
    if not gaps:
        return []
    facts = [heading("Gaps, read conservatively")]
    for gap in gaps:
        default = f" → {gap.default}" if gap.default else ""
        text = Content.assemble(literal(f"  {gap.key}: ", "$text-warning"), literal(gap.why), literal(default, "bold"))
        facts.append(Fact(text, gap.path or path, gap.line, hang=2))
    return facts


def gate_facts(worktracks: Iterable[WorktrackGate], milestones: Iterable[Milestone], itemised: str = "") -> list[Fact]:
    """Worktrack gates, the current one first, then milestones: verdicts in the file's own words.

    The items of evidence in the file `itemised` are told elsewhere, one by one.
    """
    facts: list[Fact] = []
    for gate in worktracks:
        name = f"of {gate.id}" if gate.id else f"in {gate.path}"
        facts.append(heading(f"Worktrack gate {name}{'  (current)' if gate.current else ''}"))
        facts.append(_verdict(gate))
        axes = (
            ("implementation", gate.axes.implementation),
            ("validation", gate.axes.validation),
            ("policy", gate.axes.policy),
        )
        facts += [_axis(name, word, gate.axis_words, gate.path) for name, word in axes]
        done, total = len(gate.evidence.present), len(gate.evidence.present) + len(gate.evidence.missing)
        facts.append(labelled("evidence", literal(f"{done} of {total} items mentioned"), gate.path))
        rows = (
            ("  present", gate.evidence.present, "$text-muted"),
            ("  missing", gate.evidence.missing, "$text-warning"),
        )
        facts += [
            labelled(label, literal(", ".join(items), how), gate.path)
            for label, items, how in rows
            if items and gate.path != itemised
        ]
        facts += _beside(gate)
        if gate.closeout is not None:
            sign, style = GATE_SIGN[gate.closeout_verdict or "unknown"]
            said = literal(f"{sign} {gate.closeout_verdict or 'no verdict'}", style)
            facts.append(labelled("closeout", said, gate.closeout))
    for milestone in milestones:
        facts += _milestone(milestone.gate, milestone)
    return facts


def index_facts(indexes: Iterable[tuple[str, Index | None]]) -> list[Fact]:
    """Backlogs and histories, each under its name: entries with their status, and one that can't be read as such."""
    facts: list[Fact] = []
    for name, index in indexes:
        if index is None:
            continue
        facts.append(heading(f"{name}  {index.path}"))
        if not index.entries:
            words = (
                literal("empty") if index.readable else literal("can't be read: not taken for empty", "$text-warning")
            )
            facts.append(Fact(Content.assemble("  ", words), index.path))
        facts += [
            labelled(f"  {entry.id}", literal(_entry(entry)), index.path, entry.line, width=24)
            for entry in index.entries
        ]
    return facts


def _entry(entry: IndexEntry) -> str:
    parts = (entry.status or "no status", entry.verdict, entry.title, entry.milestone_id)
    return "  ".join(part for part in parts if part)


def _milestone(gate: MilestoneGate, milestone: Milestone) -> list[Fact]:
    facts = [
        heading(f"Milestone {gate.id}  {milestone.title}"),
        labelled("status", literal(f"{gate.status}, {gate.kind}"), gate.path),
        _verdict(gate),
    ]
    axes = (
        ("blackbox", gate.axes.blackbox), ("whitebox", gate.axes.whitebox),
        ("anticheat", gate.axes.anticheat), ("composite", gate.axes.composite),
    )  # fmt: skip
    facts += [_axis(name, word, gate.axis_words, gate.path) for name, word in axes]
    facts += _beside(gate, key=acceptance_id(gate))
    done = sum(row.completed for row in milestone.worktracks)
    if milestone.worktracks:
        facts.append(labelled("worktracks", literal(f"{done} of {len(milestone.worktracks)} completed"), gate.path))
    facts += [
        labelled(f"  {row.id}", literal(f"{row.status or 'no status'}  {row.title}".rstrip()), gate.path, row.line)
        for row in milestone.worktracks
    ]
    return facts


def _verdict(gate: WorktrackGate | MilestoneGate) -> Fact:
    sign, style = GATE_SIGN[gate.verdict]
    note = " with remarks" if gate.remarks else ""
    said = f"  as written: “{gate.text}”" if gate.text and gate.text != gate.verdict else ""
    style = "$text-warning" if gate.remarks and gate.verdict == "pass" else style
    text = Content.assemble(literal(f"{sign} {gate.verdict}{note}", style), literal(said, "$text-muted"))
    return replace(labelled("verdict", text, gate.path, gate.line), key=gate_id(gate))


def _axis(name: str, word: GateWord, words: Sequence[AxisWord], path: str) -> Fact:
    sign, style = GATE_SIGN[word]
    found = next((item for item in words if item.axis == name), None)
    said = f"  “{found.text}”" if found is not None and found.text != word else "" if found else "  not given"
    text = Content.assemble(literal(f"{sign} {word}", style), literal(said, "$text-muted"))
    return labelled(f"  {name}", text, path, found.line if found else None, width=18)


def _beside(gate: WorktrackGate | MilestoneGate, *, key: str = "") -> list[Fact]:
    """Manual exception and acceptance: beside the verdict, never in its place."""
    rows = (("exception", gate.override, ""), ("acceptance", gate.acceptance, key))
    return [
        replace(labelled(label, literal(text, "$text-warning"), gate.path), key=key)
        for label, text, key in rows
        if text
    ]
