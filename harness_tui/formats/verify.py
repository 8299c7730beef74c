"""The history of the project's own check, and gate results named elsewhere (formats/harness-kit 1.9, 2.3 L16)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from harness_tui.formats.counts import counts
from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.formats.text import clean, split_lines
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex
from harness_tui.model.verify import GateWord, VerifyRun

KEPT_RUNS = 200
"""How many of the newest runs are read; the file only ever grows."""

_LARGEST = 10**9
_SUMMARY = regex(r"^\s{0,8}(PASS|WARN|FAIL|SKIP)\s{0,3}[:=]\s{0,3}(\d{1,9})\b", re.MULTILINE)
_EXIT: dict[GateWord, int] = {"pass": 0, "soft-fail": 1, "hard-fail": 2}


def parse_history(data: bytes, path: str) -> tuple[tuple[VerifyRun, ...], tuple[Problem, ...]]:
    """Runs of `verification_history.log`, oldest first, and what could not be read.

    A damaged line becomes a run with verdict `unknown`; a last line without its end that is no JSON yet is held back.
    """
    lines = split_lines(data.removeprefix(b"\xef\xbb\xbf"))
    open_end = not data.endswith(b"\n")
    runs: list[VerifyRun] = []
    problems: list[Problem] = []
    first = max(0, len(lines) - KEPT_RUNS)
    for number, line in enumerate(lines[first:], first + 1):
        if not line.strip():
            continue
        run, why = _run(line, path, number)
        if why and open_end and number == len(lines):
            continue
        runs.append(run)
        if why:
            problems.append(
                Problem(path, number, "warning", "damaged-verify-run", f"this run counts as unknown: {why}")
            )
    return tuple(runs), tuple(problems)


def run_from_text(text: str, path: str, line: int | None, at: datetime | None) -> VerifyRun | None:
    """The run that a line of a log or report tells of; None when it names none. The word PASS alone proves nothing."""
    seen = counts(text)
    if seen is None:
        return None
    verdict = "hard-fail" if seen.red else _verdict(seen.passed, seen.warned, seen.failed)
    return VerifyRun(
        verdict, seen.passed, seen.warned, seen.failed, seen.skipped, _EXIT.get(verdict), at, path, line, clean(text)
    )


def run_from_output(code: int | None, text: str, path: str, at: datetime) -> VerifyRun:
    """The run that ended with exit code `code` (None: it did not end by itself) and printed `text`.

    The exit code counts, the summary may only make it worse; without a summary nothing has passed (section 6, 15).
    """
    tail = text.rpartition("=== Summary ===")[2]
    found = {match[1]: int(match[2]) for match in _SUMMARY.finditer(tail)}
    passed, warned, failed, skipped = (found.get(name) for name in ("PASS", "WARN", "FAIL", "SKIP"))
    verdict: GateWord = next((word for word, number in _EXIT.items() if number == code), "unknown")
    if failed or code == _EXIT["hard-fail"]:
        verdict = "hard-fail"
    elif passed is None or failed is None:
        verdict = "unknown"
    counted = " / ".join(f"{name} {found[name]}" for name in ("PASS", "WARN", "FAIL", "SKIP") if name in found)
    ended = f"exit {code}" if code is not None else "it did not end by itself"
    said = f"verify_all {counted}, {ended}" if counted else f"verify_all without a summary, {ended}"
    return VerifyRun(verdict, passed, warned, failed, skipped, code, at, path, None, said)


def why_unknown(run: VerifyRun) -> str:
    """What the script of `run_from_output` must do so that its result is known; empty when it is, or it was ended."""
    if run.verdict != "unknown" or run.exit is None:
        return ""
    if run.exit < 0:
        return f"it was killed by signal {-run.exit}"
    if run.passed is None or run.failed is None:
        return "its last lines must be a summary: `PASS: n`, `WARN: n` and `FAIL: n`, each on a line of its own"
    return "its exit code must be 0 (all pass), 1 (warnings) or 2 (failures)"


def _run(line: bytes, path: str, number: int) -> tuple[VerifyRun, str]:
    text = clean(line.decode("utf-8", "surrogateescape").strip())
    unknown = VerifyRun("unknown", None, None, None, None, None, None, path, number, text)
    try:
        value = loads(line)
    except BadJson as error:
        return unknown, error.reason
    if not isinstance(value, dict):
        return unknown, "it is no object"
    numbers = {key: _count(value.get(key)) for key in ("pass", "warn", "fail", "skip")}
    damaged = [key for key, count in numbers.items() if count is None and value.get(key) is not None]
    verdict: GateWord = "unknown" if damaged else _verdict(numbers["pass"], numbers["warn"], numbers["fail"])
    run = VerifyRun(
        verdict, numbers["pass"], numbers["warn"], numbers["fail"], numbers["skip"], _EXIT.get(verdict),
        _moment(value.get("timestamp")), path, number, text,
    )  # fmt: skip
    return run, f"no count in {', '.join(damaged)}" if damaged else ""


def _verdict(passed: int | None, warned: int | None, failed: int | None) -> GateWord:
    """A failure is one whatever else is missing; a pass needs some that passed and none that failed (section 6.15)."""
    if failed:
        return "hard-fail"
    if failed is None or not passed:
        return "unknown"
    return "soft-fail" if warned else "pass"


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST else None


def _moment(value: Any) -> datetime | None:
    """A time with its zone; anything else is no time."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else None
