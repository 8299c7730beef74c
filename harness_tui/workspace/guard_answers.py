"""What a guard said, as it is shown: made of its verdict, the texts that it read and what their fields claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from harness_tui.formats.evidence_items import affirmed, first_lines
from harness_tui.formats.mask import mask_credentials
from harness_tui.formats.servo_fields import read_fields
from harness_tui.formats.servo_values import first_word
from harness_tui.formats.text import clean, decode
from harness_tui.model.guard import Claim, GuardAnswer, GuardItem
from harness_tui.rules.decide import BACKFILL, BRANCH, EVIDENCE, JUDGE, OBSERVE, field_of
from harness_tui.rules.guards import milestone_kind_routing, policy, runtime_backfill_detect
from harness_tui.rules.guards.fields import Fields

if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import ServoDocument
    from harness_tui.model.guard import GuardStage, GuardState
    from harness_tui.model.servo import Servo
    from harness_tui.rules.guards.verdict import Verdict

MOST: Final = 300
"""Characters of one reason, value or finding that are kept."""
MOST_FINDINGS: Final = 12

_GO: Final = frozenset({"true", "yes", "effective_pass"})
_CLAIMS: Final[dict[str, tuple[tuple[str, ...], frozenset[str]]]] = {
    BRANCH: (("branch_context_guard_status",), frozenset({"pass", "pass_with_caveat"})),
    "milestone-kind-routing": (("milestone_kind",), frozenset(milestone_kind_routing.KINDS)),
    "pre-milestone-intake-guard": (("intake_status",), frozenset({"ready", "skipped"})),
    "complex-project-entry-gate-check": (("entry_verdict",), frozenset({"clear", "not_applicable"})),
    "milestone-review-gate-check": (
        ("milestone_review_gate_ready", "latest_review_status", "active_milestone_review_gate_status"), _GO,
    ),
    "worktrack-intake-review-check": (("intake_review_verdict",), frozenset({"ready_for_worktrack_init"})),
}  # fmt: skip
"""The fields in which a file says itself what a guard decides, the first that is there, and the words for a go."""
_CONTRACT: Final = frozenset({"worktrack_branch", "closeout_target_ref"})
_ACTIONS: Final = ("required_action", "target_branch")
_IN_CONTROL: Final = frozenset({BRANCH, "milestone-review-gate-check"})


def stage_of(name: str) -> GuardStage:
    """When the loop asks a guard."""
    return "observe" if name in OBSERVE else "judge" if name in JUDGE else "decide"


def witness(name: str, servo: Servo) -> object:
    """What was read besides the files of a guard that its answer depends on, as it is what they claim."""
    if name == EVIDENCE:
        return next((gate for gate in servo.worktracks if gate.current), None)
    return servo.control if name in _IN_CONTROL else None


def no_answer(name: str, state: GuardState, reason: str, path: str = "") -> GuardAnswer:
    """A guard that is not, or can't be, asked."""
    return GuardAnswer(name, stage_of(name), state, words_of(reason), path=path)


class GuardInput:
    """A file as guards read it (`text`, None when it is not there) and as its fields are read with care.

    `trouble` says why it can't be read.
    """

    __slots__ = ("_document", "data", "path", "text", "trouble")

    def __init__(self, data: bytes | None, path: str, trouble: str = "") -> None:
        self.path, self.trouble = path, trouble
        self.text = None if data is None else decode(data).replace("\r\n", "\n").replace("\r", "\n")
        self.data = data
        self._document: ServoDocument | None = None

    @property
    def document(self) -> ServoDocument:
        """Its fields, read when they are asked for: few guards need them."""
        if self._document is None:
            self._document = read_fields(self.data or b"", self.path)
        return self._document


def answer(name: str, verdict: Verdict, inputs: tuple[GuardInput, ...], servo: Servo) -> GuardAnswer:
    """What `verdict` comes to. `inputs` are the files that were asked, in their order."""
    said = verdict.document
    strict = said.get("strict", {"ready": verdict.go, "findings": []})
    place = said.get("decided_by") or {}
    field = str(place.get("field", ""))
    path = inputs[1 if field in _CONTRACT and len(inputs) > 1 else 0].path
    state: GuardState = "blocked" if not verdict.go else "ready" if strict["ready"] else "doubtful"
    action = next((str(said[key]) for key in _ACTIONS if said.get(key)), "")
    items = _items(name, inputs[0].text)
    return GuardAnswer(
        name=name,
        stage=stage_of(name),
        state=state,
        reason=words_of(str(said.get("reason", ""))),
        path=path,
        line=place.get("line"),
        field=words_of(field),
        action=words_of("" if state == "ready" else action),
        findings=_findings(strict["findings"]) if not items else (),
        items=items,
        claim=_claim(name, inputs, servo, go=verdict.go),
    )


def _findings(found: list[Any]) -> tuple[str, ...]:
    shown = tuple(words_of(str(item)) for item in found[:MOST_FINDINGS])
    more = len(found) - len(shown)
    return (*shown, f"and {more} more") if more > 0 else shown


def _items(name: str, text: str | None) -> tuple[GuardItem, ...]:
    """The fourteen fields, or the nine items of evidence, each with its line; none of a file that is not there."""
    if text is None or name not in {BACKFILL, EVIDENCE}:
        return ()
    if name == BACKFILL:
        return tuple(_field(Fields(text), key, default) for key, default in runtime_backfill_detect.DEFAULTS.items())
    lines, sound = first_lines(text), affirmed(text)
    return tuple(
        GuardItem(key, key in lines, label, lines.get(key), denied=key in lines and key not in sound)
        for key, label in policy.EVIDENCE.items()
    )


def _field(fields: Fields, key: str, default: object) -> GuardItem:
    value = fields.value(key)
    place = fields.place(key) if value else None
    shown = value or f"counts as {str(default).lower() if isinstance(default, bool) else default}"
    return GuardItem(key, bool(value), words_of(shown), place["line"] if place else None)


def _claim(name: str, inputs: tuple[GuardInput, ...], servo: Servo, *, go: bool) -> Claim | None:
    """What the files say themselves about it; where they say several things, what the guard does not say.

    The verdict of a gate claims no more than that all evidence is there.
    """
    if name == EVIDENCE:
        gate = next((gate for gate in servo.worktracks if gate.current), None)
        if gate is None or not gate.text:
            return None
        return Claim(words_of(f"verdict: {gate.text}"), gate.path, gate.line, differs=gate.verdict == "pass" and not go)
    if name not in _CLAIMS:
        return None
    names, words = _CLAIMS[name]
    if name in _IN_CONTROL:
        field = field_of(servo.control, *names) if servo.control is not None else None
        found = [(field.key, field.value, field.path, field.line)] if field is not None else []
    else:
        found = [
            (item.key, item.value, file.path, item.line)
            for file in inputs
            for item in reversed(file.document.named(*names))
            if item.value
        ]
    claims = [
        Claim(words_of(f"{key}: {value}"), path, line, differs=(first_word(value) in words) != go)
        for key, value, path, line in found
    ]
    return next((claim for claim in claims if claim.differs), claims[0] if claims else None)


def words_of(text: str) -> str:
    """Text of a file as it may be shown: one line, cut where it is long."""
    text = mask_credentials(text)
    return clean(text if len(text) <= MOST else f"{text[:MOST]}…")
