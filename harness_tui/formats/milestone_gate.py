"""The gate layer of a milestone: verdict, axes, exception and acceptance, each kept apart (formats/servo 1.8)."""

from __future__ import annotations

from harness_tui.formats.gate_words import Statement, axis_word, overridden
from harness_tui.formats.servo_fields import canonical, read_fields
from harness_tui.formats.servo_values import first_word, is_empty, verdict_word, worst
from harness_tui.model.frozen import replace
from harness_tui.model.gates import AxisWord, MilestoneAxes, MilestoneGate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import Field, ServoDocument
    from harness_tui.model.verify import GateWord

AXES = ("blackbox", "whitebox", "anticheat", "composite")
_VETO = AXES[:3]
_ENDINGS = ("", "_verdict", "_axis_verdict", "_axis", "_gate", "_gate_verdict", "_acceptance_verdict")
_SPELLINGS = {
    "blackbox": ("blackbox", "black_box"),
    "whitebox": ("whitebox", "white_box"),
    "anticheat": ("anticheat", "anti_cheat"),
    "composite": ("composite",),
}
_KEYS = {axis: tuple(name + end for name in names for end in _ENDINGS) for axis, names in _SPELLINGS.items()}
_INNER = ("axis_verdict", "verdict")
_GATE = ("milestone_gate_verdict",)
_GATE_SECTION = ("milestone_gate",)
_ACCEPTED = ("milestone_acceptance_verdict", "acceptance_verdict")
_PLANNED = ("design", "设计")
_ASIDE = ("manual_exception", "history", "historical_gap_preserved")
_LANES = (
    "code_review", "feature_completeness", "related_influence", "intent_completeness", "operator_simulation",
    "professional_review",
)  # fmt: skip
_COMPOSITE = (
    "composite_verdict", "composite_acceptance_verdict", "overall_verdict", "final_verdict", "lane_verdict", "verdict",
    "acceptance_verdict",
)  # fmt: skip


def parse_milestone_gate(
    document: ServoDocument, identity: str, status: str, kind: str, status_line: int | None
) -> MilestoneGate:
    """The gate that a milestone file records: unknown unless the verdict is stated and no veto axis is missing."""
    stated = [Statement.of(document, item) for item in _verdicts(document)]
    words = tuple(word for axis in AXES if (word := axis_word(axis, _axis(document, axis))) is not None)
    gate = MilestoneGate(
        id=identity,
        path=document.path,
        status=status,
        kind=kind,
        verdict="unknown",
        override=overridden(document),
        acceptance=_acceptance(document),
        line=status_line,
    )
    return _judged(gate, stated, words)


def parse_composite(data: bytes, path: str) -> AxisWord | None:
    """The verdict of a composite acceptance report: the worst of its own and those of its lanes; None without any."""
    document = read_fields(data, path)
    items = [f for f in document.named(*_COMPOSITE, *_LANES) if not f.within(*_ASIDE) and f.place != "heading"]
    found = [_accepted(Statement.of(document, item)) for item in items if item.value or document.children(item)]
    for row in document.rows:
        text = row.cell("verdict", "lane_verdict")
        if text and row.cells and canonical(row.cells[0]) in _LANES:
            found.append(_accepted(Statement(verdict_word(text)[0], text, row.line)))
    return axis_word("composite", found)


def with_composite(gate: MilestoneGate, word: AxisWord) -> MilestoneGate:
    """`gate` with the verdict of its composite acceptance report; the worse of two verdicts for that axis counts."""
    own = [Statement(known.verdict, known.text, known.line) for known in gate.axis_words if known.axis == "composite"]
    merged = axis_word("composite", [*own, Statement(word.verdict, word.text, word.line)]) or word
    words = (*(known for known in gate.axis_words if known.axis != "composite"), merged)
    stated = [Statement(gate.verdict, gate.text, gate.line or 1)] if gate.text else []
    return _judged(gate, stated, words)


def _judged(gate: MilestoneGate, stated: list[Statement], words: tuple[AxisWord, ...]) -> MilestoneGate:
    by_axis: dict[str, GateWord] = {word.axis: word.verdict for word in words}
    missing = tuple(axis for axis in AXES if axis not in by_axis)
    judged = [word for word in words if not _not_applicable(word)]
    verdicts = [item.verdict for item in stated] + [word.verdict for word in judged]
    if not stated or any(axis in missing for axis in _VETO):
        verdicts.append("unknown")
    bad = worst(item.verdict for item in stated)
    shown = next((item for item in stated if item.verdict == bad), None)
    verdict = worst(verdicts)
    return replace(
        gate,
        verdict=verdict,
        axes=MilestoneAxes(**by_axis),
        text=shown.text if shown else "",
        line=shown.line if shown else gate.line,
        remarks=verdict == "pass" and any(item.remarks for item in stated),
        axis_words=words,
        missing_axes=missing,
    )


def _not_applicable(word: AxisWord) -> bool:
    return first_word(word.text).replace("-", "_") == "not_applicable"


def _verdicts(document: ServoDocument) -> list[Field]:
    found = [f for f in document.named(*_GATE) if not f.within(*_ASIDE)]
    inside = [f for f in document.named("gate_verdict", "verdict") if f.within(*_GATE_SECTION) and not f.trail]
    return found or inside


def _axis(document: ServoDocument, axis: str) -> list[Statement]:
    """Statements about one axis: by key, inside its mapping or section, as one of a list, in a table."""
    names = _SPELLINGS[axis]
    items = [f for f in document.named(*_KEYS[axis]) if f.place != "heading" and (f.value or document.children(f))]
    items = [f for f in items if f.value or any(child.name in _INNER for child in document.children(f))]
    inner = [f for f in document.named(*_INNER) if f.within(*_KEYS[axis]) and f.parent not in {i.line for i in items}]
    told = [(item, _of_axis(axis, Statement.of(document, item))) for item in (*items, *inner)]
    found = [word for item, word in told if not item.within(*_ASIDE) and not (_planned(item) and not word.adverse)]
    for named in document.named("axis", "axis_name"):
        if canonical(named.value) in names:
            found += [
                _of_axis(axis, Statement.of(document, child))
                for child in (*document.children(named), *document.below.get(named.parent, ()))
                if child.name in _INNER and (child.parent == named.line or child.line == named.line + 1)
            ]
    for row in document.rows:
        text = row.cell(*_INNER)
        if text and row.cells and canonical(row.cells[0]) in _KEYS[axis]:
            found.append(_of_axis(axis, Statement(verdict_word(text)[0], text, row.line)))
    return found


def _planned(item: Field) -> bool:
    """Whether the field says what the gate shall ask, not what it found."""
    return any(word in canonical(title) for title in (item.section, *item.headings[1:]) for word in _PLANNED)


def _of_axis(axis: str, item: Statement) -> Statement:
    return _accepted(item) if axis == "composite" else item


def _accepted(item: Statement) -> Statement:
    """In composite acceptance `accepted` is the word for a pass."""
    return item._replace(verdict="pass") if first_word(item.text) == "accepted" else item


def _acceptance(document: ServoDocument) -> str | None:
    inside = [f for f in document.named("verdict") if f.within("acceptance", "final_acceptance")]
    residuals = [f for f in document.named("residual_confirmation_status") if first_word(f.value) != "confirmed"]
    found = [f.value for f in (*inside, *document.named(*_ACCEPTED), *residuals) if not is_empty(f.value)]
    return found[0] if found else None
