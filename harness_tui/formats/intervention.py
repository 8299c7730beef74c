"""Unread operator signals, `.harness/intervention.md` (formats/harness-kit 1.4; CONTRACT rules 1 and 4).

The first line after the heading must start with a keyword in capitals; any other beginning is unclear and counts as
STOP until the operator decides. A later line is a further signal when it has the exact shape in which signals are
written, at the start of a line, outside a closed code block and after a blank line. A later STOP of that shape needs no
blank line: a stop that is overlooked is worse than one too many. After a further `# Intervention`, as when whole files
were joined, everything is read as at the beginning. Only LF or CRLF ends a line.
"""

from __future__ import annotations

import re

from harness_tui.formats.text import text_lines
from harness_tui.model.intervention import Interventions, Signal
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.model.intervention import SignalState

PATH = ".harness/intervention.md"
KEYWORDS = ("STOP", "REDIRECT", "SKIP", "NOTE", "ADD")

BOM = b"\xef\xbb\xbf"

HEADING = regex(r"#{1,6}\s*intervention\s*#*", re.IGNORECASE)
FENCE = regex(r"\s{0,3}(`{3,}|~{3,})")
_FIRST = regex(rf"(?P<keyword>{'|'.join(KEYWORDS)})(?![\w-])(?P<rest>.*)", re.DOTALL)
_EXACT = regex(
    r"(?:STOP(?: —.*)?|NOTE —.*|(?:SKIP|REDIRECT|ADD) [^\s—]+(?: —.*)?)",
    re.DOTALL,
)
_ARGUMENT = regex(r"[\s:：]*(?P<argument>[A-Za-z0-9][\w./-]*)(?P<rest>(?:\s.*)?)", re.DOTALL)
_DASH = regex(r"\s*(?:[—–:：]\s*|--?(?:\s+|$))")
_SLUG = regex(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_STAGE = regex(r"0?[1-7]")


def parse_interventions(data: bytes | None, path: str = PATH) -> Interventions:
    """The signals that wait in the file, in order; `data` is None when there is no file."""
    if data is None:
        return Interventions(path)
    lines = text_lines(data)
    signals = tuple(_signal(lines, start, end) for start, end in signal_spans(lines))
    return Interventions(path, present=True, signals=signals, safest=_safest(signals))


def _safest(signals: tuple[Signal, ...]) -> str:
    """How a careful reader must take the file: STOP when any signal is one, or can't be understood."""
    if any(signal.state != "waiting" or signal.keyword == "STOP" for signal in signals):
        return "STOP"
    return signals[0].keyword


def signal_spans(lines: list[str]) -> list[tuple[int, int]]:
    """First and end index of each signal. A file without any text is one unclear signal."""
    fenced = _fenced(lines)
    starts: list[int] = []
    fresh = True
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        if index not in fenced and HEADING.fullmatch(line.strip()):
            fresh = True
        elif fresh or (index not in fenced and _EXACT.fullmatch(line.rstrip()) and _set_apart(lines, index)):
            starts.append(index)
            fresh = False
    starts = starts or [0]
    return list(zip(starts, [*starts[1:], len(lines)], strict=True))


def _set_apart(lines: list[str], index: int) -> bool:
    return not lines[index - 1].strip() or lines[index].startswith("STOP")


def _fenced(lines: list[str]) -> set[int]:
    """Indexes inside closed code blocks. A block that is never closed hides nothing."""
    inside: set[int] = set()
    opened, mark = -1, ""
    for index, line in enumerate(lines):
        fence = FENCE.match(line)
        if not fence:
            continue
        if opened < 0:
            opened, mark = index, fence[1]
        elif fence[1][0] == mark[0] and len(fence[1]) >= len(mark):
            inside.update(range(opened, index + 1))
            opened = -1
    return inside


def _signal(lines: list[str], start: int, end: int) -> Signal:
    head = lines[start].strip() if lines else ""
    more = [line.rstrip() for line in lines[start + 1 : end] if not HEADING.fullmatch(line.strip())]
    match = _FIRST.fullmatch(head)
    if match is None:
        text = "" if HEADING.fullmatch(head) else head
        return Signal("", "", _joined(text, more), start + 1, "unclear")
    keyword, rest = match["keyword"], match["rest"]
    argument, message, state = "", _DASH.sub("", rest, count=1) if _DASH.match(rest) else rest.strip(), "waiting"
    if keyword not in {"STOP", "NOTE"}:
        argument, message, state = _with_argument(keyword, rest)
    return Signal(keyword, argument, _joined(message.strip(), more), start + 1, _state(state))


def _with_argument(keyword: str, rest: str) -> tuple[str, str, str]:
    """Argument, message and state. Without a dash the message may only follow an argument that can't be a word."""
    match = _ARGUMENT.fullmatch(rest)
    if match is None:
        return "", rest.strip(), "malformed"
    argument, message = match["argument"], match["rest"]
    dash = _DASH.match(message)
    fits = {
        "ADD": bool(_SLUG.fullmatch(argument)) and (bool(dash) or not message.strip()),
        "SKIP": bool(dash) or not message.strip() or any(char.isdigit() for char in argument),
        "REDIRECT": bool(_STAGE.fullmatch(argument)),
    }[keyword]
    return argument, message[dash.end() :] if dash else message, "waiting" if fits else "malformed"


def _state(state: str) -> SignalState:
    return "waiting" if state == "waiting" else "malformed"


def _joined(head: str, more: list[str]) -> str:
    return "\n".join([head, *more]).strip()
