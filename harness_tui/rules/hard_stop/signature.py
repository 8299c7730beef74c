"""The error signature of a failed command: its text, its status, its first error line (formats/hard-stop 3)."""

from __future__ import annotations

import re

from harness_tui.model.hard_stop import Signature
from harness_tui.model.regex import regex
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


_ESCAPES: Final = regex(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[PX^_][^\x1b]*\x1b\\\\|[ -/]*[0-~])"
)
_OVERWRITTEN: Final = regex(r"^.*\r(?=[^\r])")
_DECORATION: Final = "=-_*#~─━═│┃|> \t"
_HEADLINE: Final = regex(
    r"traceback \(most recent call last\):?"
    r"|(?:errors?|failures?|failed(?: tests?)?|failure details|summary|short test summary info|exceptions?)\s*:?"
    r"|test session starts|tests? (?:run )?(?:failed|results?)\s*:?"
    r"|failure: build failed with an exception\.?|\* what went wrong:|build failed\s*:?|build failure"
    r"|> \S+@\S+ \S+.*|> task :\S+.*|\$ .*|\+ .*"
    r"|yarn run v.*|(?:make|gmake)(?:\[\d+\])?: (?:entering|leaving) directory.*"
    r"|npm (?:err!|error) (?:code|errno|syscall|path|command|a complete log).*|npm (?:err!|error)"
    r"|(?:fail|failed|running|run|rerun)\s+\S+\.(?:test|spec)\.\w+(?:\s*\(.*\))?"
    r"|running \d+ tests?|collected \d+ items?.*"
    r"|exit code \d+|\[error\]\s*|error: recipe .*",
    re.IGNORECASE,
)
_PASSED: Final = regex(
    r"^\s*(?:[✓✔√]|ok\b|pass(?:ed)?\b|npm warn|warn(?:ing)?\b|info\b|debug\b)|\bPASS(?:ED)?\b|\.\.\.\s*ok$",
    re.IGNORECASE,
)
_NONE_FAILED: Final = regex(
    r"\b(?:0|no)\s+(?:errors?|failures?|failed|failing|tests? failed|problems?)\b", re.IGNORECASE
)
_ERROR: Final = regex(
    r"error|exception|\bfail|fatal|panic|cannot\b|can['’]t\b|could ?n[o'’]t\b|could not\b|unable to"
    r"|undefined\b|unresolved|not found|no such|denied|refused|timed out|timeout\b"
    r"|missing\b|invalid|unexpected|assert|not ok\b|expected\b|\babort|segmentation fault|core dumped|killed\b"
    r"|unknown\b|mismatch|conflict|illegal|violation|rejected"
    r"|not (?:defined|exist|installed|supported|permitted|allowed|assignable)|does(?:n['’]t| not) exist"
    r"|^\s*E\s{2,}|[✗✖×✘]",
    re.IGNORECASE,
)
_READ: Final = 1 << 20
_LINES: Final = 20_000
_LONGEST: Final = 2000

_UNIT: Final = r"(?:ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b"
_VARYING: Final = (
    (regex(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"), "<time>"),
    (regex(r"(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?![\d:])"), "<time>"),
    (regex(rf"(?<![\w.])\d+(?:[.,]\d+)?\s?{_UNIT}(?:\s?\d+(?:\.\d+)?\s?{_UNIT})*"), "<duration>"),
    (regex(r"/(?:var/)?tmp/(?:tmp[\w.-]*|[^/\s'\":;,)\]]+(?=/))"), "<folder>"),
    (regex(r"/var/folders/[^/\s]+/[^/\s]+/T/[^/\s'\":;,)\]]+"), "<folder>"),
    (regex(r"\b0x[0-9a-fA-F]{4,}\b"), "<address>"),
    (regex(r"\b(pid|process|thread|tid)(\s*[=:#]?\s*)\d+", re.IGNORECASE), r"\1\2<number>"),
)


class Failure(NamedTuple):
    """A failed command as it is compared. `key` is its error line without what differs from run to run."""

    shown: Signature
    key: str | None

    def same(self, other: Failure) -> bool:
        """Whether both failed alike: a status that is not known agrees with any, the lines must be equal."""
        statuses = {self.shown.exit, other.shown.exit} - {None}
        return self.shown.cmd == other.shown.cmd and self.key == other.key and len(statuses) <= 1


def failure(command: str, status: int | None, output: str) -> Failure:
    """The signature of `command` (white space squeezed), which ended with `status` and wrote `output`."""
    line = first_error_line(output)
    return Failure(Signature(command, status, line), None if line is None else comparable(line))


def first_error_line(output: str) -> str | None:
    """The first line that looks like an error; else the first one that says anything; None without output.

    Colour codes are removed, headlines of known tools passed over.
    """
    first = None
    for line in _meaningful(output):
        if first is None:
            first = line
        if looks_like_error(line):
            return line
    return first


def looks_like_error(line: str) -> bool:
    """Whether a line tells of an error, not of a test that passed or of no errors at all."""
    if _ERROR.search(line) is None or _PASSED.search(line):
        return False
    none = _NONE_FAILED.search(line)
    return none is None or _ERROR.search(_NONE_FAILED.sub("", line)) is not None


def says_failed(output: str) -> bool:
    """Whether any line of `output` looks like an error."""
    return any(looks_like_error(line) for line in _meaningful(output))


def comparable(line: str) -> str:
    """`line` without times, durations, temporary folders, addresses and process numbers."""
    for pattern, mark in _VARYING:
        line = pattern.sub(mark, line)
    return " ".join(line.split())


def _meaningful(output: str) -> list[str]:
    lines = []
    for raw in output[:_READ].split("\n", _LINES)[:_LINES]:
        line = _OVERWRITTEN.sub("", _ESCAPES.sub("", raw[: 4 * _LONGEST]).rstrip("\r"))[:_LONGEST].strip()
        if line and (bare := line.strip(_DECORATION)) and _HEADLINE.fullmatch(line) is None:
            if bare != line and _HEADLINE.fullmatch(bare) is not None:
                continue
            lines.append(" ".join(line.split()))
    return lines
