"""The nine items of evidence that a gate file is searched for (formats/servo 2.11)."""

from __future__ import annotations

from harness_tui.formats.text import decode
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.gates import EvidenceItems

_PATTERNS = {
    "route_decision": regex(r"route.?decision|dispatch.?decision|路由决策"),
    "worktrack_contract_scope": regex(r"contract|scope.?bound|范围|boundary"),
    "selected_task_dispatch_packet": regex(r"dispatch.?packet|分派包|任务简报"),
    "runtime_dispatch_profile": regex(r"runtime.?dispatch.?profile|dispatch_profile|backend_runtime"),
    "validation_evidence": regex(r"test.?evidence|validation.?evidence|验证证据"),
    "governance_policy_evidence": regex(r"rule.?check|governance|policy.?evidence|策略证据"),
    "gate_verdict": regex(r"gate.?verdict|verdict|gate.?result|裁决"),
    "closeout_record": regex(r"closeout.?record|收尾|closeout"),
    "repo_refresh_checkpoint": regex(r"repo.?refresh|checkpoint|latest_observed"),
}
_CLAUSE = regex(r"[\n;；。]|\. ")
_DENIAL = regex(
    r"\W*(?:no|not|without|missing|lacks?)\b|.*(?:\b(?:missing|pending|tbd|absent|none|n/a|no|yet)\W*$|缺|暂无|没有|尚未)"
)
_SAME_LINE = {"selected_task_dispatch_packet": ("task", "packet"), "validation_evidence": ("test", "result")}
ITEMS = tuple(_PATTERNS)


def evidence_items(data: bytes) -> EvidenceItems:
    """Which items `data` mentions anywhere; a mention is enough, even a denial."""
    from harness_tui.model.gates import EvidenceItems  # noqa: PLC0415 - a guard asks for the mentions alone

    present = mentioned(decode(data))
    missing = tuple(item for item in ITEMS if item not in present)
    return EvidenceItems(complete=not missing, missing=missing, present=present)


def mentioned(text: str) -> tuple[str, ...]:
    """The items that `text` mentions, in the order of the list."""
    return tuple(first_lines(text))


def affirmed(text: str) -> tuple[str, ...]:
    """The items that `text` mentions in a clause that does not say that they are missing."""
    clauses = _CLAUSE.split(text.lower())
    return mentioned("\n".join(clause for clause in clauses if not _DENIAL.match(clause)))


def first_lines(text: str) -> dict[str, int]:
    """By item, in the order of the list, a line that mentions it; items that no line mentions are left out."""
    text = text.lower()
    found: dict[str, int] = {}
    for item, pattern in _PATTERNS.items():
        if match := pattern.search(text):
            found[item] = 1 + text.count("\n", 0, match.start())
        elif number := _in_one_line(text, item):
            found[item] = number
    return found


def _in_one_line(text: str, item: str) -> int:
    """The first line that holds the first word of the item and behind it the second one; 0 when there is none."""
    first, second = _SAME_LINE.get(item, ("", ""))
    for number, line in enumerate(text.split("\n") if first else (), 1):
        at = line.find(first)
        if at >= 0 and line.find(second, at + len(first)) >= 0:
            return number
    return 0
