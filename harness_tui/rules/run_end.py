"""How the last run of a log ended, by the log's own words (formats/harness-kit 1.11, 2.3, 2.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.model.frozen import frozen
from harness_tui.model.regex import regex
from harness_tui.model.stream import Cause

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.log import Log, LogEntry
    from harness_tui.model.pool import PoolReport

_REASON = regex(r"(?:stop reason|停止原因|停批原因)\s{0,3}[:：=](?P<value>[^·]*)", re.IGNORECASE)
_NO_REASON = regex(
    r"[\W_]*(?:none|no|nothing|n/a|normal|clean\w*|drained|complete\w*|done|finished|plan complete\w*|pool drained"
    r"|all (?:tasks|rows|done|delivered))(?![\w-])|[\W_]*(?:无|未|正常|计划完成|完成|$)",
    re.IGNORECASE,
)
_STOP = regex(r"(?i:\bhard[ -]stop(?:s|ped)?\b|\bdestructive\b[^·]{0,40}\bblocked\b)|\bSTOP(?:PED)?\b|\bstopped\b")
_WAYS = (
    (regex(r"\bSTOP signal\b"), "was stopped by a STOP signal"),
    (regex(r"\bhard[ -]stop", re.IGNORECASE), "ended with a hard stop"),
    (regex(r"\bended by (?:the )?operator\b|\bctrl[ +-]?c\b|\bSIGINT\b", re.IGNORECASE), "was ended by the operator"),
    (regex(r"\bSIG(?:TERM|HUP|QUIT|KILL)\b|\bsignal \d{1,2}\b", re.IGNORECASE), "was ended by a signal"),
    (regex(r"\binterrupted\b|\bcancel", re.IGNORECASE), "was interrupted"),
    (regex(r"stream exit\W{1,5}stopped\b|batch end\W{1,5}stopped\b", re.IGNORECASE), "was stopped"),
)
"""What is told of the end of a run, and the words for it; the first that occurs counts."""
_DENIED_BEFORE = regex(r"(?:\b(?:no|not|never|without|zero|0|nor)\b|无|未)[^·;；。,，.:：(—–→]{0,24}$", re.IGNORECASE)
_DENIED_AFTER = regex(r"(?: signals?| fired)?\s{0,3}[:：=]?\s{0,3}(?:(?:none|no|0)(?![\w-])|无)", re.IGNORECASE)
_OTHER_REASON = regex(r"(?<!HARD[ -])\bSTOP\b|(?i:destructive)")
_FAILS = regex(
    r"\bFAIL(?:ED|S)?\s{0,3}[:=]?\s{0,3}[1-9]|\b[1-9]\d{0,5}\s{0,3}FAIL|\b\d{1,5}\\?/\d{1,5}\\?/[1-9]"
    r"|\bverify_all[^\w·]{0,6}FAIL(?:ED)?\b(?!\s{0,3}[:=]?\s{0,3}0)"
)


@frozen
class RunEnd:
    """The event that closed the last run, whether a hard stop did it, and the words that say so."""

    entry: LogEntry
    stopped: bool
    causes: tuple[Cause, ...]


def run_end(log: Log | None, report: PoolReport | None = None) -> RunEnd | None:
    """The end of the log's last run; None when none is told, or something was started since.

    `report` is asked where the log's exit does not say why the run ended.
    """
    if log is None:
        return None
    started = _last_start(log)
    told = sorted((entry for entry in _endings(log) if entry.line > started), key=lambda entry: entry.line)
    if not told:
        return None
    last = told[-1]
    exit_line = Cause(last.text, log.path, last.line)
    stop = next((entry for entry in reversed(told) if entry.kind == "stop"), last)
    told_by_log = True if stop.kind == "stop" else says_stop(stop.text)
    if told_by_log is None and report is not None and report.stop_reason:
        head = Cause("the last report says that a stop ended its run", report.path)
        return RunEnd(last, stopped=True, causes=(head, exit_line, Cause(report.stop_reason, report.path)))
    if not told_by_log:
        return RunEnd(last, stopped=False, causes=(exit_line,))
    causes = [Cause(f"the log's last run {_how(stop.text)}", log.path, last.line), exit_line]
    if stop is not last:
        causes.append(Cause(stop.text, log.path, stop.line))
    if log.gate is not None and started < log.gate.line < last.line and not _OTHER_REASON.search(stop.text):
        causes += [Cause(log.gate.text, log.path, log.gate.line)] if _FAILS.search(log.gate.text) else []
    return RunEnd(last, stopped=True, causes=tuple(causes))


def _how(text: str) -> str:
    """How a line that tells of a stop says that the run ended."""
    return next((words for pattern, words in _WAYS if pattern.search(text)), "ended with a hard stop")


def says_stop(text: str) -> bool | None:
    """Whether an exit line tells of a hard stop (`No hard stop fired` does not); None when it says nothing about it."""
    reason = _REASON.search(text)
    if reason is not None and _NO_REASON.match(reason["value"]) is None:
        return True
    rest = f"{text[: reason.start()]}·{text[reason.end() :]}" if reason is not None else text
    denied = [_is_denied(rest, match) for match in _STOP.finditer(rest)]
    if denied or reason is not None:
        return not all(denied)
    return True if "verify_all" in rest and _FAILS.search(rest) else None


def _is_denied(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 60) : match.start()]
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(text, match.end()))


def _last_start(log: Log) -> int:
    """Line of the last dispatch, or of the run that was opened after it."""
    lines = [task.dispatch.line for task in log.tasks.values() if task.dispatch is not None]
    if log.run is not None and log.run.kind == "run":
        lines.append(log.run.line)
    return max(lines, default=0)


def _endings(log: Log) -> Iterable[LogEntry]:
    """Events that may close a run: its exit or stop, and a stop that a task met."""
    if log.run is not None and log.run.kind in ("exit", "stop"):
        yield log.run
    for task in log.tasks.values():
        if task.last is not None and task.last.kind == "stop":
            yield task.last
