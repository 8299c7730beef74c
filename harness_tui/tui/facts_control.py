"""Lines about the control loop: lock, state, gates (formats/servo)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from textual.content import Content

from harness_tui.tui.facts import Fact, heading, line_of, short_place
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.control import Control
    from harness_tui.model.gap import Gap
    from harness_tui.model.gates import AxisWord, MilestoneGate, WorktrackGate
    from harness_tui.model.handback import Handback
    from harness_tui.model.milestone import Milestone
    from harness_tui.model.verify import GateWord

GATE_SIGN: Final[dict[GateWord, tuple[str, str]]] = {
    "pass": ("✓", "$text-success"),
    "soft-fail": ("!", "$text-warning bold"),
    "hard-fail": ("✗", "$text-error bold"),
    "blocked": ("⊘", "$text-error bold"),
    "unknown": ("?", "$text-warning"),
}


def lock_words(handback: Handback) -> tuple[str, str]:
    """The lock in one word with its sign, and its style. Not recorded is not unlocked."""
    if handback.locked:
        return "■ LOCKED", "$text-error bold reverse"
    if handback.locked is None:
        return "? lock not recorded", "$text-warning bold"
    return "○ unlocked", "$text-success"


def handback_facts(handback: Handback) -> list[Fact]:
    """The lock, what led to it, and whether the last signal would lift it."""
    words, style = lock_words(handback)
    path, line = handback.path, handback.line
    rounds = "?" if handback.rounds is None else handback.rounds
    threshold = "?" if handback.threshold is None else handback.threshold
    facts = [
        heading("Handback lock"),
        Fact(line_of("lock", literal(words, style)), path, line),
        Fact(line_of("state", literal(handback.state)), path, line),
        Fact(line_of("rounds", literal(f"{rounds} of {threshold} until it locks")), path, line),
        Fact(line_of("signature", literal(handback.signature or "none")), path, line),
    ]
    if handback.last_unlock is None:
        facts.append(Fact(line_of("last signal", literal("none")), path, line))
    else:
        verdict = {True: ("would unlock", "$text-success"), False: ("does not unlock", "$text-warning")}
        said, how = verdict.get(bool(handback.unlock_valid), verdict[False])
        text = Content.assemble(literal(f"“{handback.last_unlock}”  "), literal(said, how))
        at = handback.unlock.line if handback.unlock else line
        facts.append(Fact(line_of("last signal", text), path, at))
        facts.append(Fact(line_of("because", literal(handback.unlock_why)), path, at))
    facts += [
        Fact(line_of("stopped", literal(reason.text)), path, reason.line) for reason in handback.stop_reasons[-5:]
    ]
    return facts + gap_facts(handback.gaps, handback.path)


def control_facts(control: Control) -> list[Fact]:
    """Where the loop stands, what it may do by itself, what is missing, and every field that was read."""
    path = control.paths[0] if control.paths else None
    approval = ("needed before the next step", "$text-warning") if control.needs_approval else ("not needed", "")
    ledger = control.ledger
    rows = (
        ("scope", literal(f"{control.scope}  (repo {control.repo_scope}, worktrack {control.worktrack_scope})")),
        ("function", literal(control.function)),
        ("milestone", literal(f"{control.active_milestone}  {control.milestone_status}")),
        ("worktrack", literal(control.active_worktrack)),
        ("next route", literal(control.next_route)),
        ("approval", literal(*approval)),
        ("autonomy", literal(f"{control.autonomy}{', stops after each slice' if control.stop_after_slice else ''}")),
        ("ledger", literal(f"{ledger.budget_remaining} left, {ledger.opened} opened")),
        ("worktracks", literal(f"{ledger.max_new_worktracks} new ones at most")),
        ("layout", literal(f"{control.layout}: {', '.join(item.rsplit('/', 1)[-1] for item in control.paths)}")),
    )  # fmt: skip
    facts = [
        heading("Control loop"),
        *(
            Fact(line_of(label, value), path, control.milestone_line if label == "milestone" else None)
            for label, value in rows
        ),
    ]
    facts += gap_facts(control.gaps, path)
    if control.duplicates:
        facts.append(heading("Keys with several values"))
    for double in control.duplicates:
        lines = ", ".join(f"{short_place(place.path, place.line)} “{place.value[:40]}”" for place in double.places)
        first = double.places[0]
        facts.append(Fact(literal(f"  {double.key}: {lines}", "$text-warning"), first.path, first.line))
    for section, fields in groupby(control.fields, key=lambda field: field.section):
        facts.append(heading(section or "(no section)"))
        facts += [
            Fact(line_of(f"  {field.key}", literal(field.value or "(empty)"), 40), field.path, field.line)
            for field in fields
        ]
    return facts


def gap_facts(gaps: Sequence[Gap], path: str | None) -> list[Fact]:
    """Fields that could not be taken at face value, with the value that is assumed in their place."""
    if not gaps:
        return []
    facts = [heading("Gaps, read conservatively")]
    for gap in gaps:
        default = f" → {gap.default}" if gap.default else ""
        text = Content.assemble(literal(f"  {gap.key}: ", "$text-warning"), literal(gap.why), literal(default, "bold"))
        facts.append(Fact(text, gap.path or path, gap.line))
    return facts


def gate_facts(worktracks: Iterable[WorktrackGate], milestones: Iterable[Milestone]) -> list[Fact]:
    """Worktrack gates, the current one first, then milestones: verdicts in the file's own words."""
    facts: list[Fact] = []
    for gate in worktracks:
        name = gate.id or "current worktrack"
        facts.append(heading(f"Worktrack gate {name}{'  (current)' if gate.current else ''}"))
        facts.append(_verdict(gate.verdict, gate.text, gate.path, gate.line, remarks=gate.remarks))
        axes = (
            ("implementation", gate.axes.implementation),
            ("validation", gate.axes.validation),
            ("policy", gate.axes.policy),
        )
        facts += [_axis(name, word, gate.axis_words, gate.path) for name, word in axes]
        done, total = len(gate.evidence.present), len(gate.evidence.present) + len(gate.evidence.missing)
        missing = f"; missing: {', '.join(gate.evidence.missing)}" if gate.evidence.missing else ""
        facts.append(Fact(line_of("evidence", literal(f"{done} of {total}{missing}")), gate.path))
        facts += _beside(gate.override, gate.acceptance, gate.path)
        if gate.closeout is not None:
            facts.append(Fact(line_of("closeout", literal(gate.closeout_verdict or "no verdict")), gate.closeout))
    for milestone in milestones:
        facts += _milestone(milestone.gate, milestone)
    return facts


def _milestone(gate: MilestoneGate, milestone: Milestone) -> list[Fact]:
    facts = [
        heading(f"Milestone {gate.id}  {milestone.title}"),
        Fact(line_of("status, kind", literal(f"{gate.status}, {gate.kind}")), gate.path),
        _verdict(gate.verdict, gate.text, gate.path, gate.line, remarks=gate.remarks),
    ]
    axes = (
        ("blackbox", gate.axes.blackbox), ("whitebox", gate.axes.whitebox),
        ("anticheat", gate.axes.anticheat), ("composite", gate.axes.composite),
    )  # fmt: skip
    facts += [_axis(name, word, gate.axis_words, gate.path) for name, word in axes]
    facts += _beside(gate.override, gate.acceptance, gate.path)
    done = sum(row.completed for row in milestone.worktracks)
    if milestone.worktracks:
        facts.append(
            Fact(line_of("worktracks", literal(f"{done} of {len(milestone.worktracks)} completed")), gate.path)
        )
    return facts


def _verdict(word: GateWord, text: str, path: str, line: int | None, *, remarks: bool) -> Fact:
    sign, style = GATE_SIGN[word]
    note = " with remarks" if remarks else ""
    said = f"  as written: “{text}”" if text and text != word else ""
    style = "$text-warning" if remarks and word == "pass" else style
    return Fact(
        line_of("verdict", Content.assemble(literal(f"{sign} {word}{note}", style), literal(said, "$text-muted"))),
        path,
        line,
    )


def _axis(name: str, word: GateWord, words: Sequence[AxisWord], path: str) -> Fact:
    sign, style = GATE_SIGN[word]
    found = next((item for item in words if item.axis == name), None)
    said = f"  “{found.text}”" if found is not None and found.text != word else "" if found else "  not given"
    text = Content.assemble(literal(f"{sign} {word}", style), literal(said, "$text-muted"))
    return Fact(line_of(f"  {name}", text, 18), path, found.line if found else None)


def _beside(override: str | None, acceptance: str | None, path: str) -> list[Fact]:
    """Manual exception and acceptance: beside the verdict, never in its place."""
    rows = (("exception", override), ("acceptance", acceptance))
    return [Fact(line_of(label, literal(text, "$text-warning")), path) for label, text in rows if text]
