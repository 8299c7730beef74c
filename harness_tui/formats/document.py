"""Stage documents of a feature folder and their verdicts (formats/harness-kit 1.6, 2.6).

The last statement counts: later rounds are appended. A word that no vocabulary knows is `UNKNOWN`, never an approval.
"""

from __future__ import annotations

import re
from functools import lru_cache

from harness_tui.formats.delivery import parse_delivery
from harness_tui.formats.markdown import read_document
from harness_tui.formats.statements import Grammar, Statement, grammar, statements
from harness_tui.model.document import StageDoc, Verdict
from harness_tui.model.problem import Problem

_STAGE_NAMES = {
    1: r"REQUIREMENTS?(?:_ANALYSIS)?",
    2: r"(?:SOLUTION_)?DESIGN",
    3: r"GATE_REVIEW",
    4: r"(?:DEVELOPMENT|IMPLEMENTATION)",
    5: r"CODE_REVIEW",
    6: r"(?:TEST|QA)_REPORT",
    7: r"DELIVERY",
}
_ADVERSE = (
    "BLOCKED ON REQUIREMENT", "BLOCKED ON DESIGN", "BLOCKED ON MODE UNCLEAR", "BLOCKED ON PARTITION",
    "BLOCKED ON UPSTREAM", "BLOCKED ON USER", "BLOCKED: NEEDS-HUMAN", "BLOCKED", "NEEDS-HUMAN", "CHANGES REQUIRED",
    "CHANGES REQUESTED", "REJECTED", "REWORK", "NOT APPROVED", "NO-GO", "FAILED", "FAIL",
)  # fmt: skip
_APPROVED = ("APPROVED WITH CONDITIONS", "APPROVED WITH NOTES", "APPROVED WITH NITS", "APPROVED")
_PASSED = ("PASS-WITH-NOTES", "PASSED", "PASS")
_READY = ("READY FOR DESIGN", "READY FOR GATE REVIEW", "READY FOR GATE", "READY")
_VOCABULARY: dict[int, tuple[str, ...]] = {
    1: _READY,
    2: _READY,
    3: ("APPROVED FOR DEVELOPMENT", *_APPROVED, "GO-WITH-CONDITIONS", "GO"),
    4: ("READY FOR REVIEW", "READY FOR CODE REVIEW", "READY"),
    5: ("APPROVED FOR QA", *_APPROVED, *_PASSED),
    6: ("APPROVED FOR DELIVERY", "READY FOR DELIVERY", *_APPROVED, *_PASSED),
}
_KEYS = "verdict|裁决|裁定|审核结论|评审结论|结论|决策|decision|status"
_DELIVERY = 7
_TOLD = 6
_WEAK = "READY|PASS|PASSED|GO|FAIL|FAILED|BLOCKED"


def stage_of(name: str) -> int:
    """Stage of a document by its file name, 1 to 7; 0 for rationale files, logs and anything else."""
    for stage, title in _STAGE_NAMES.items():
        if re.fullmatch(rf"0{stage}[a-z]?_{title}(?:_\w+)?\.md", name, re.IGNORECASE):
            return stage
    return 0


def parse_document(data: bytes, path: str, stage: int) -> StageDoc:
    """Verdicts that the document states, in order. A cut or damaged document gives what is there."""
    if stage == _DELIVERY:
        return _delivery(data, path)
    if stage not in _VOCABULARY:
        return StageDoc(path, stage)
    found = [
        item for item in statements(read_document(data), _grammar(stage)) if item.key != "status" or item.line.front
    ]
    verdicts = tuple(Verdict(item.word, item.line.text, path, item.line.number) for item in found)
    return StageDoc(path, stage, verdicts[-1] if verdicts else None, verdicts, _remarks(found, path))


@lru_cache(maxsize=8)
def _grammar(stage: int) -> Grammar:
    aliases = {"APPROVE": "APPROVED"} if "APPROVED" in _VOCABULARY[stage] else {}
    return grammar(
        {word: word for word in _VOCABULARY[stage] + _ADVERSE} | aliases,
        keys=_KEYS,
        firm="verdict|裁决|裁定",
        weak=_WEAK,
        adverse="BLOCKED|NEEDS|CHANGES|REJECTED|REWORK|NO|FAIL",
    )


def _delivery(data: bytes, path: str) -> StageDoc:
    delivery = parse_delivery(data, path)
    if delivery.verdict is None:
        return StageDoc(path, _DELIVERY, problems=(_no_verdict(path),))
    return StageDoc(path, _DELIVERY, delivery.verdict, (delivery.verdict,), delivery.problems)


def _no_verdict(path: str) -> Problem:
    return Problem(path, None, "info", "no-verdict", "no verdict line was found in this document")


def _remarks(found: list[Statement], path: str) -> tuple[Problem, ...]:
    if not found:
        return (_no_verdict(path),)
    words = {item.word for item in found}
    if len(words) == 1:
        return ()
    places = ", ".join(f"{item.word} in line {item.line.number}" for item in found[-_TOLD:])
    return (Problem(path, found[-1].line.number, "info", "several-verdicts", f"the last of these counts: {places}"),)
