"""`07_DELIVERY.md`: what a delivery document proves about its own task (formats/harness-kit 1.6, 2.5; CONTRACT rule 2).

Its own verdict outranks its verify line; a promise is no PASS; the word in running text, or about another task, counts
for nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from harness_tui.formats.counts import counts
from harness_tui.formats.markdown import Line, bare_text, read_document, tables
from harness_tui.formats.statements import UNKNOWN, Grammar, Statement, grammar, statements
from harness_tui.formats.table import split_cells
from harness_tui.model.document import Delivery, Verdict
from harness_tui.model.frozen import frozen
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.model.pool import Status

_SAYS: dict[str, Status] = {
    "DELIVERED AS A DECLINE": "done",
    "DELIVERED AS DECLINE": "done",
    "DELIVERED": "done",
    "GOAL ACHIEVED": "done",
    "SHIP-READY": "done",
    "DONE": "done",
    "已交付": "done",
    "已完成": "done",
    "DECLINED": "skipped",
    "SKIPPED": "skipped",
    "BLOCKED: NEEDS-HUMAN": "needs-human",
    "NEEDS-HUMAN": "needs-human",
    "BLOCKED ON UPSTREAM": "blocked",
    "BLOCKED ON DESIGN": "blocked",
    "BLOCKED ON REQUIREMENT": "blocked",
    "BLOCKED ON USER": "blocked",
    "BLOCKED": "blocked",
    "FAILED": "failed",
    "FAIL": "failed",
    "BUDGET EXHAUSTED": "failed",
    "NOT DELIVERED": "unknown",
    UNKNOWN: "unknown",
}
_VERDICT_KEYS = frozenset({"verdict", "结论", "裁决"})
_KEYS = "verdict|status|outcome|result|状态|结果|结论|裁决"
_BAD_ORDER: tuple[Status, ...] = ("failed", "blocked", "needs-human", "unknown", "skipped", "done")
_TASK_ID = regex(r"\bT-\d+[a-z]?\b")
_FOREIGN_SECTION = regex(
    r"depend|upstream|related|other|previous|prior|follow|next step|background|history|insight"
    r"|依赖|上游|相关|后续|其他|其它|遗留|背景",
    re.IGNORECASE,
)
_RESULT_SECTION = regex(
    r"summary|outcome|status|(?<!verify_all )result|verdict|deliver|conclusion|摘要|总结|概要|结论|状态|结果|交付|裁决",
    re.IGNORECASE,
)
_VERIFY_LABEL = r"(?:final|最终)\s*verify_all\s*(?:result|结果)?"
_VERIFY = regex(rf"(?P<lead>[^:：]{{1,30}}[:：]\s*)?{_VERIFY_LABEL}\s*[:：]\s*(?P<value>.*)", re.IGNORECASE)
_VERIFY_HEADING = regex(
    rf"(?:[§\d.)、]+\s*)?{_VERIFY_LABEL}\s*(?:[（(][^()（）]{{0,60}}[)）])?\s*(?:[:：—–]\s*(?P<value>.*))?",
    re.IGNORECASE,
)
_PROMISE = regex(
    r"\bpending\b|\bdeferred?\b|\bexpect(?:ed|s)?\b|\bpredict\w*|\bto be\b|\btbd\b|\bnot (?:yet )?(?:been )?run\b"
    r"|\bunverified\b|\bassum\w+|\bshould\b|\bwill\b|预期|预测|委托|待|未[^，。]{0,12}跑|未验证",
    re.IGNORECASE,
)
_OPERATOR_PENDING = regex(r"operator[- ]pending", re.IGNORECASE)
_CLAUSE_END = regex(r"[;；。，]|,\s|\.\s")
_FAILS = regex(r"\bFAIL(?:ED)?\s{0,3}[:=]?\s{0,3}[1-9]|\b[1-9]\d{0,9}\s{0,3}FAIL", re.IGNORECASE)
_NO_FAILS = regex(r"\bFAIL(?:ED|S)?\s{0,3}[:=]?\s{0,3}0\b|\b0\s{0,3}FAIL", re.IGNORECASE)
_ROLLBACKS = regex(r"(?:total\s+)?(?:rollbacks?|回退次数|回退|回滚次数|回滚)\s*[:：]\s*(?P<value>.+)", re.IGNORECASE)
_ROLLBACK_HEADING = regex(r"(?:[§\d.)、]+\s*)?(?:rollbacks?|回退(?:次数)?|回滚(?:次数)?)", re.IGNORECASE)
_ROLLBACKS_IN_TEXT = regex(r"\b(\d{1,3}) rollbacks?\b", re.IGNORECASE)
_NONE = regex(r"(?:none|no|zero|无|零)(?![a-z])", re.IGNORECASE)
_MODE = regex(r"(?:mode|模式)\s*[:：]\s*(full|plan|goal|explore)\b", re.IGNORECASE)
_STAGES = regex(r"(?:stages traversed|stages|阶段历程|阶段)\s*[^:：]{0,20}[:：]\s*(?P<chain>.+)", re.IGNORECASE)
_LAST_STAGE = regex(r"(?:stage\s*)?7\b[\s\w.-]{0,30}?[(（:：—–\s]\s*(?P<word>DELIVERED)\b(?P<rest>.*)", re.IGNORECASE)
_LAST_ROW = regex(r"\W*(?:stage|s|阶段)?\s*0?7\b", re.IGNORECASE)
_VALUE_LINES = 12
_TOLD = 6


@frozen
class _Verify:
    """The final verify line: its value, where it stands, and what it proves."""

    value: str
    line: Line
    passed: bool
    failed: bool


def parse_delivery(data: bytes, path: str) -> Delivery:
    """What the document proves. `says` is `unknown` unless it states a result of its own or a real final PASS."""
    lines = read_document(data)
    own_ids = _own_ids(lines)
    own = [item for item in _own_statements(lines) if _is_own(item.line, item.before, own_ids) and _states_result(item)]
    decided = _deciding(own)
    verify = _verify(lines, own_ids)
    says, line, text = _reading(decided, verify)
    return Delivery(
        path=path,
        says=says,
        verdict=Verdict(decided.word, decided.line.text, path, decided.line.number) if decided else None,
        line=line,
        text=text,
        verify=verify.value if verify else "",
        rollbacks=_rollbacks(lines),
        mode=_mode(lines),
        problems=_remarks(own, path),
    )


def _reading(decided: Statement | None, verify: _Verify | None) -> tuple[Status, int | None, str]:
    if decided:
        says = _SAYS[decided.word]
        if decided.word == "NOT DELIVERED":
            says = _undelivered(decided.line.bare, verify)
        return says, decided.line.number, decided.line.text
    if verify:
        return "done" if verify.passed else "unknown", verify.line.number, verify.line.text
    return "unknown", None, ""


def _undelivered(text: str, verify: _Verify | None) -> Status:
    if re.search(r"\bNEEDS-HUMAN\b", text):
        return "needs-human"
    if re.search(r"\bblocked\b", text, re.IGNORECASE):
        return "blocked"
    return "failed" if verify and verify.failed else "unknown"


@lru_cache(maxsize=1)
def _grammar() -> Grammar:
    return grammar(
        {word: word for word in _SAYS if word != UNKNOWN}, keys=_KEYS, firm="verdict|裁决",
        weak="DONE|FAIL|FAILED|BLOCKED|已完成|SKIPPED|DECLINED",
        adverse="BLOCKED|NEEDS|FAIL|BUDGET|NOT|DECLINED|SKIPPED",
    )  # fmt: skip


def _own_statements(lines: list[Line]) -> list[Statement]:
    found = [item for item in statements(lines, _grammar()) if item.word != "SHIP-READY" or item.key in _VERDICT_KEYS]
    found += _from_stage_tables(lines)
    found += _from_chains(lines)
    return sorted(found, key=lambda item: item.line.number)


def _deciding(own: list[Statement]) -> Statement | None:
    """The last verdict; without one, the worst of the other statements (CONTRACT rule 1)."""
    verdicts = [item for item in own if item.key in _VERDICT_KEYS or item.shape == "word"]
    if verdicts:
        return verdicts[-1]
    return min(own, key=lambda item: (_BAD_ORDER.index(_SAYS[item.word]), -item.line.number), default=None)


def _states_result(item: Statement) -> bool:
    """Whether a field such as `Status: …` stands where the result of the whole task is told."""
    line = item.line
    if item.key in _VERDICT_KEYS or item.shape != "field" or item.key == "stage" or line.front or line.preamble:
        return True
    return any(_RESULT_SECTION.search(title) for title in line.section)


def _is_own(line: Line, before: str, own_ids: set[str]) -> bool:
    """Whether the line speaks about the document's own task: not nested, quoted or headed as something else's."""
    if line.indent > 1 or (line.quoted and not line.preamble):
        return False
    if any(_FOREIGN_SECTION.search(title) for title in line.section):
        return False
    named = set(_TASK_ID.findall(" ".join((before, *line.section))))
    return not (named - own_ids)


def _own_ids(lines: list[Line]) -> set[str]:
    title = next((line for line in lines if line.level == 1), None)
    field = next(
        (line for line in lines if re.match(r"(?:task|任务)(?:\s*id)?\s*[:：]", line.bare, re.IGNORECASE)), None
    )
    return {task for line in (title, field) if line for task in _TASK_ID.findall(line.bare)}


def _from_stage_tables(lines: list[Line]) -> list[Statement]:
    """The verdict in the last row of a stage table, when that row is stage 7's."""
    found = []
    for table in tables(lines):
        if not table.rows or not re.search(r"stage|阶段", " ".join(table.head), re.IGNORECASE):
            continue
        last = split_cells(table.rows[-1].body)
        if not _LAST_ROW.match(bare_text(last[0])):
            continue
        words = [word for cell in last[1:] if (word := _grammar().match(bare_text(cell)))]
        if words:
            worst = min(words, key=lambda word: _BAD_ORDER.index(_SAYS[word]))
            found.append(Statement(worst, "stage", table.rows[-1], "field"))
    return found


def _from_chains(lines: list[Line]) -> list[Statement]:
    """The end of a `Stages traversed: 1 … → 7 PM(DELIVERED)` chain."""
    found = []
    for line in lines:
        chain = _STAGES.match(line.bare) if line.prose and not line.level else None
        last = _LAST_STAGE.match(re.split(r"→|->", chain["chain"])[-1].strip()) if chain else None
        if last and _grammar().match(last["word"] + last["rest"].lstrip(")） ")):
            found.append(Statement("DELIVERED", "stage", line, "field"))
    return found


def _verify(lines: list[Line], own_ids: set[str]) -> _Verify | None:
    """The last final verify line; one that follows other words on its line can only count against the task."""
    found: _Verify | None = None
    for index, line in enumerate(lines):
        if not line.prose or not _is_own(line, "", own_ids):
            continue
        if line.level:
            heading = _VERIFY_HEADING.fullmatch(line.bare)
            if heading:
                value = heading["value"] or _value_below(lines, index)
                found = _judge(value, value, line, led=False)
        elif match := _VERIFY.match(line.bare):
            whole = " ".join([match["value"], *_wrapped(lines, index)])
            found = _judge(match["value"], whole, line, led=bool(match["lead"]))
    return found


def _judge(value: str, whole: str, line: Line, *, led: bool) -> _Verify:
    failed = value.upper().startswith("FAIL") or bool(_FAILS.search(whole))
    return _Verify(value, line, not failed and not led and _proves_pass(whole), failed)


def _proves_pass(value: str) -> bool:
    """Whether the value is a PASS that happened: it starts with PASS, or counts no failure, and promises nothing."""
    head = _CLAUSE_END.split(value, maxsplit=1)[0]
    seen = counts(head)
    if seen and seen.red:
        return False
    green = seen is not None and bool(seen.passed) and (seen.failed == 0 or bool(_NO_FAILS.search(head)))
    if not green and not re.match(r"PASS(?:ED)?\b", value):
        return False
    counted = seen is not None and seen.passed is not None
    return not _PROMISE.search(_OPERATOR_PENDING.sub("", head if counted else value))


def _wrapped(lines: list[Line], index: int) -> list[str]:
    """Lines that go on with the paragraph at `index`."""
    rest: list[str] = []
    for line in lines[index + 1 : index + 4]:
        if not line.prose or line.level or line.opens or line.number != lines[index].number + len(rest) + 1:
            break
        rest.append(line.bare)
    return rest


def _value_below(lines: list[Line], index: int) -> str:
    """The first block under the heading at `index`: a paragraph, or the whole of a code block."""
    block: list[Line] = []
    for line in lines[index + 1 : index + 1 + _VALUE_LINES]:
        if line.level or line.table or line.number > lines[index].number + _VALUE_LINES:
            break
        if block and (line.fenced != block[-1].fenced or (line.opens and not line.fenced)):
            break
        block.append(line)
    return " ".join(line.bare for line in block if not line.bare.startswith("==="))


def _rollbacks(lines: list[Line]) -> int | None:
    for index, line in enumerate(lines):
        if not line.prose or line.indent > 1:
            continue
        if line.level:
            if _ROLLBACK_HEADING.fullmatch(line.bare):
                return _number(_value_below(lines, index))
        elif match := _ROLLBACKS.match(line.bare):
            return _number(match["value"])
    told = next((m for line in lines if _MODE.search(line.bare) and (m := _ROLLBACKS_IN_TEXT.search(line.bare))), None)
    return int(told[1]) if told else None


def _number(text: str) -> int | None:
    if digits := re.match(r"\d{1,3}(?!\d)", text):
        return int(digits[0])
    return 0 if _NONE.match(text) else None


def _mode(lines: list[Line]) -> str:
    match = next((m for line in lines if not (line.fenced or line.table) and (m := _MODE.search(line.bare))), None)
    return match[1].lower() if match else ""


def _remarks(own: list[Statement], path: str) -> tuple[Problem, ...]:
    said = {_SAYS[item.word] for item in own}
    if len(said) < 2:  # noqa: PLR2004 - two statements can differ
        return ()
    places = ", ".join(f"{item.word} in line {item.line.number}" for item in own[-_TOLD:])
    return (Problem(path, own[-1].line.number, "info", "several-verdicts", f"the document states {places}"),)
