"""Gate evidence of a worktrack and its verdict (formats/servo 1.7).

The verdict is the worst of what the file states: its own overall word, the three axes, and any adverse word in a weaker
place. An axis that is missing is unknown, and an unknown word never passes. Acceptance and exceptions are shown beside.
"""

from __future__ import annotations

import re

from harness_tui.formats.evidence_items import evidence_items
from harness_tui.formats.gate_words import Statement, axis_word, overridden
from harness_tui.formats.servo_fields import canonical, read_fields
from harness_tui.formats.servo_values import almost, is_empty, verdict_word, worst
from harness_tui.model.gates import WorktrackAxes, WorktrackGate
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import Field, Row, ServoDocument

AXES = ("implementation", "validation", "policy")
_KEYS: dict[str, tuple[str, ...]] = {
    "implementation": ("implementation_gate", "implementation_surface", "review_gate"),
    "validation": ("validation_gate", "validation_surface"),
    "policy": ("policy_gate", "policy_surface"),
}
_HEADINGS: dict[str, tuple[str, ...]] = {
    "implementation": (*_KEYS["implementation"], "review_lane", "implementation_lane"),
    "validation": (*_KEYS["validation"], "validation_lane"),
    "policy": (*_KEYS["policy"], "policy_lane"),
}
_UNDER_HEADING = (
    "verdict", "gate_verdict", "axis_verdict", "surface_verdict", "裁决", "review_result", "validation_result",
    "policy_result",
)  # fmt: skip
_LANES = {"review": "implementation", "review_lane": "implementation"}
_OTHER_LANES = frozenset({"validation", "validation_lane", "policy", "policy_lane"})
_VERDICT_COLUMNS = ("verdict", "surface_verdict", "gate_verdict")
_LANE_COLUMNS = (*_VERDICT_COLUMNS, "status", "result", "reception")
_OVERALL = ("worktrack_gate_verdict", "gate_verdict", "overall_verdict", "final_verdict", "verdict", "裁决")
_WEAK = ("gate_verdict", "status", "gate_status")
_ACCEPTANCE = ("acceptance_verdict", "milestone_acceptance_verdict", "worktrack_gate_residual_acceptance_ref")
_NUMBERING = regex(r"^[\d._]+")
_ID = regex(r"\bWT-[A-Za-z0-9][\w-]*")


def parse_gate(data: bytes, path: str) -> WorktrackGate:
    """The gate that `data`, the file shown as `path`, records. A damaged file gives what is there, never a pass."""
    document = read_fields(data, path)
    words = tuple(word for axis in AXES if (word := axis_word(axis, _axis(document, axis))) is not None)
    by_axis = {word.axis: word.verdict for word in words}
    missing = tuple(axis for axis in AXES if axis not in by_axis)
    overall = _overall(document)
    weak = [item for item in _weak(document) if item.adverse]
    stated = [*overall, *(Statement(word.verdict, word.text, word.line) for word in words)]
    verdict = worst([*(item.verdict for item in (*stated, *weak)), *(by_axis.get(axis, "unknown") for axis in AXES)])
    shown = next(iter(_by_weight([*stated, *weak]) or _proposals(document)), None)
    return WorktrackGate(
        id=_worktrack_id(document, path),
        path=path,
        verdict=verdict,
        text=shown.text if shown else "",
        axes=WorktrackAxes(**by_axis),
        evidence=evidence_items(data),
        override=overridden(document),
        remarks=verdict == "pass" and any(item.remarks for item in stated),
        line=shown.line if shown else None,
        axis_words=words,
        missing_axes=missing,
        acceptance=_acceptance(document),
        problems=_problems(path, stated, missing if words else ()),
    )


def _by_weight(stated: list[Statement]) -> list[Statement]:
    """The statements whose words are the verdict's: the worst ones, of passes those with remarks, the overall first."""
    bad = worst(item.verdict for item in stated)
    return sorted((item for item in stated if item.verdict == bad), key=lambda item: not item.remarks)


def _axis(document: ServoDocument, axis: str) -> list[Statement]:
    """Every statement about one axis: by key, as the verdict under its heading, in a table."""
    names = _KEYS[axis]
    found = [
        Statement.of(document, item) for item in document.named(*names) if item.place != "heading" and _states(item)
    ]
    found += [
        Statement.of(document, item)
        for item in document.named(*_UNDER_HEADING)
        if not item.trail and any(_is_axis_heading(title, axis) for title in item.headings)
    ]
    for row in document.rows:
        name = canonical(row.cells[0]) if row.cells else ""
        if name in (*names, axis):
            text = row.cell(*_VERDICT_COLUMNS) or "".join(row.cells[1:2])
            found.append(Statement(verdict_word(text)[0], text, row.line))
        elif _LANES.get(name) == axis and (text := row.cell(*_LANE_COLUMNS)):
            word = verdict_word(text)[0]
            if word != "unknown" or _has_other_lanes(document, row):
                found.append(Statement(word, text, row.line))
    if not found:
        headings = [item for item in document.fields if item.place == "heading" and _is_axis_heading(item.key, axis)]
        found = [Statement.of(document, item) for item in headings]
        found = [item for item in found if item.verdict != "unknown"]
    return found


def _states(item: Field) -> bool:
    """Whether an axis key carries a verdict of this gate, not one inside a list of something else."""
    return not item.within("required_evidence_lanes", "acceptance", "history")


def _has_other_lanes(document: ServoDocument, row: Row) -> bool:
    """Whether the table of `row` is one of axes: a table of phases or open points may name a review, too."""
    table = (other for other in document.rows if (other.names, other.headings) == (row.names, row.headings))
    return any(other.cells and canonical(other.cells[0]) in _OTHER_LANES for other in table)


def _is_axis_heading(title: str, axis: str) -> bool:
    name = _NUMBERING.sub("", canonical(title))
    return any(re.match(re.escape(known) + r"(?![a-z])", name) for known in _HEADINGS[axis])


def _overall(document: ServoDocument) -> list[Statement]:
    """The statements of the best place that has any, front matter last, with those of others that are adverse.

    A key that is wrong in one character is taken for the key, unless it says pass.
    """
    items = [item for name in _OVERALL for item in document.named(name) if _is_overall(item)]
    body = [item for item in items if item.place != "front"]
    stated = body or [item for item in items if not is_empty(item.value)]
    found = [Statement.of(document, item) for item in stated if item.name == stated[0].name]
    weaker = [item for item in (Statement.of(document, one) for one in items) if item.adverse]
    slips = (item for item in document.fields if any(almost(item.name, known) for known in _OVERALL[:4]) and item.value)
    damaged = [item for item in (Statement.of(document, one) for one in slips) if item.verdict != "pass"]
    return found + [item for item in (*weaker, *damaged) if item not in found]


def _is_overall(item: Field) -> bool:
    """A verdict of the whole: neither that of an axis nor that of an acceptance."""
    if item.trail or any(_is_axis_heading(title, axis) for title in item.headings for axis in AXES):
        return False
    inner = [canonical(title) for title in item.headings[1:]]
    return not any("acceptance" in title or title.startswith("milestone") for title in inner)


def _weak(document: ServoDocument) -> list[Statement]:
    return [
        Statement.of(document, item)
        for item in document.named(*_WEAK)
        if (item.place == "front" or item.name == "gate_status") and not item.trail and not is_empty(item.value)
    ]


def _proposals(document: ServoDocument) -> list[Statement]:
    """What is shown when nothing is stated: a proposal, or the weak word of the front matter."""
    proposed = [Statement.of(document, item) for item in document.named("proposed_verdict")]
    return [*_weak(document), *proposed]


def _worktrack_id(document: ServoDocument, path: str) -> str | None:
    for item in document.named("worktrack_id"):
        if not item.trail and not is_empty(item.value):
            return item.value
    folder, _, name = path.rpartition("/")
    for text in (name, folder.rpartition("/")[2]):
        match = _ID.match(text)
        if match:
            return re.sub(r"[-_]?gate[-_]evidence$", "", match[0].removesuffix(".md"), flags=re.IGNORECASE)
    return None


def _acceptance(document: ServoDocument) -> str | None:
    return next((item.value for item in document.named(*_ACCEPTANCE) if not is_empty(item.value)), None)


def _problems(path: str, stated: list[Statement], missing: tuple[str, ...]) -> tuple[Problem, ...]:
    found = [
        Problem(path, item.line, "warning", "gate-unknown-word", f"“{item.text}” is no verdict and counts as unknown")
        for item in stated
        if item.verdict == "unknown"
    ]
    if not stated:
        message = "no verdict was found in this gate evidence: it counts as unknown"
        found.append(Problem(path, None, "info", "gate-no-verdict", message))
    if missing:
        message = f"no verdict for {', '.join(missing)}: the gate cannot pass without"
        found.append(Problem(path, None, "warning", "gate-axis-missing", message))
    return tuple(found)
