"""Writing the unlock signal of the control state, and nothing else in it (formats/servo 3; CONTRACT rule 9).

The value of `last_unlock_signal` in the section Handback Guard is replaced with its children; where the field is
missing it is added below the other fields of the section. Every other byte stays. The result is read back before it is
given out: what would read otherwise than it was meant is no result.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, Literal

from harness_tui.formats.handback_guard import guard_record, in_guard
from harness_tui.formats.json_edit import EditError
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import Field, ServoDocument
    from harness_tui.model.handback import UnlockSignal

Form = Literal["line", "parts"]

MAX_PART: Final = 1500
"""Characters of the longest part of a signal: all of them together must fit into one value that is read."""

_FIELD: Final = "last_unlock_signal"
_PARTS: Final = ("source", "instruction", "timestamp", "confirmation")
_HEAD: Final = regex(
    r"(?P<start>\s*(?P<dash>(?:[-*+•]|\d{1,3}[.)、])\s+(?:\[[ xX✓✔]\]\s+)?)?)[`*\"']*last[_ -]unlock[_ -]signal"
    r"[`*\"']*\s*[:：]\**",
    re.IGNORECASE,
)
_QUOTES: Final = (('"', '"'), ("'", "'"), ("“", "”"), ("「", "」"))
_ACTING: Final = regex(r"[*<>#`]")
"""What a reader of Markdown or YAML might take for its own."""


def with_unlock(data: bytes, signal: UnlockSignal, path: str) -> bytes:
    """`data` with `signal` as the last one: in one line where the value is one now, else in its four parts.

    The one line holds a JSON object, so that no word of the instruction can pass for another part. Raises `EditError`
    when there is no guard section, more than one signal, or a text that can't be written so that it reads as it is.
    """
    document = read_fields(data, path)
    if not guard_record((document,), path).present:
        raise EditError("it has no section Handback Guard")
    found = [item for item in document.fields if item.name == _FIELD and in_guard(item)]
    if len(found) > 1:
        places = ", ".join(str(item.line) for item in found)
        raise EditError(f"it holds {_FIELD} {len(found)} times (lines {places}); mend the file first")
    wanted = signal._replace(structured=True)
    if any("\n" in getattr(wanted, name) or "\r" in getattr(wanted, name) for name in _PARTS):
        raise EditError("a part of the signal has more than one line")
    if any(len(getattr(wanted, name)) > MAX_PART for name in _PARTS):
        raise EditError(f"a part of the signal is longer than {MAX_PART} characters")
    forms: tuple[Form, ...] = ("line",) if found and _is_one_line(document, found[0]) else ("parts", "line")
    for form in forms:
        after = _written(data, document, found[0] if found else None, wanted, form)
        if _reads_as(after, path, document, wanted):
            return after
    raise EditError("the text can't be written so that it reads as it is: leave out unusual signs")


def _is_one_line(document: ServoDocument, item: Field) -> bool:
    return bool(item.value) and not document.children(item)


def _written(data: bytes, document: ServoDocument, item: Field | None, signal: UnlockSignal, form: Form) -> bytes:
    lines = data.split(b"\n")
    if item is None:
        return _added(lines, document, signal, form)
    first = item.line - 1
    old = lines[first].decode("utf-8", "surrogateescape")
    head = _HEAD.match(old)
    if head is None:
        raise EditError(f"line {item.line} is written in a way that is not changed; mend it by hand")
    last = _last_line(document, item, lines)
    new = _lines(head[0], head["start"], bool(head["dash"]), signal, form)
    lines[first : last + 1] = _with_ends(new, lines, first, last)
    return b"\n".join(lines)


def _added(lines: list[bytes], document: ServoDocument, signal: UnlockSignal, form: Form) -> bytes:
    """The field below the last one of the section that stands at its edge."""
    fields = [item for item in document.fields if in_guard(item) and not item.parent and item.place != "heading"]
    if not fields:
        raise EditError("its section Handback Guard has no fields to add one to")
    above = fields[-1]
    old = lines[above.line - 1].decode("utf-8", "surrogateescape")
    body = old.lstrip()
    start = old[: len(old) - len(body)] + (body[:2] if body[:1] in "-*+•" and body[1:2] == " " else "")
    last = _last_line(document, above, lines)
    new = _lines(f"{start}{_FIELD}:", start, bool(start.strip()), signal, form)
    ended = _with_ends(new, lines, last, last)
    if last == len(lines) - 1:  # the file ends without a line feed
        lines[last] += b"\r" if _has_cr(lines, last) else b""
    lines[last + 1 : last + 1] = ended
    return b"\n".join(lines)


def _last_line(document: ServoDocument, item: Field, lines: list[bytes]) -> int:
    """Index of the last line that belongs to the value of `item`: its children and what goes on with them."""
    below = {item.line}
    for other in document.fields:
        if other.parent in below:
            below.add(other.line)
    last = max(below) - 1
    others = {other.line for other in document.fields} | {heading.line for heading in document.headings}
    indent = _indent(lines[item.line - 1])
    for at in range(item.line, last):
        if at + 1 not in below and lines[at].strip() and _indent(lines[at]) <= indent:
            raise EditError(f"line {at + 1} stands between the parts of the old signal; mend the file first")
    while last + 1 < len(lines) and last + 2 not in others:
        following = lines[last + 1]
        if not following.strip() or _indent(following) <= indent:
            break
        last += 1
    return last


def _lines(head: str, start: str, dash: bool, signal: UnlockSignal, form: Form) -> list[str]:  # noqa: FBT001 - a flag of the line
    if form == "line":
        return [f"{head} {_json(signal)}"]
    blank = start[: len(start) - len(start.lstrip())]
    inner = f"{blank}  - " if dash else f"{blank}  "
    return [head, *(f"{inner}{name}: {_quoted(getattr(signal, name))}" for name in _PARTS)]


def _json(signal: UnlockSignal) -> str:
    """The four parts as a JSON object without a sign that could act on a reader of Markdown or YAML."""
    text = json.dumps({name: getattr(signal, name) for name in _PARTS}, ensure_ascii=False)
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _quoted(text: str) -> str:
    for left, right in _QUOTES:
        if left not in text and right not in text:
            return f"{left}{text}{right}"
    return text


def _with_ends(new: list[str], lines: list[bytes], first: int, last: int) -> list[bytes]:
    """New lines with the line end of the old one; the last of the file keeps what it had."""
    end = b"\r" if _has_cr(lines, first) else b""
    found = [line.encode("utf-8", "surrogateescape") + end for line in new]
    if last == len(lines) - 1:
        found[-1] = found[-1].removesuffix(b"\r")
    return found


def _has_cr(lines: list[bytes], at: int) -> bool:
    """Whether lines end in CR LF there; the last line of a file tells nothing about itself."""
    return lines[at if at < len(lines) - 1 else max(0, at - 1)].endswith(b"\r")


def _indent(line: bytes) -> int:
    text = line.decode("utf-8", "surrogateescape")
    return len(text) - len(text.lstrip())


def _reads_as(data: bytes, path: str, before: ServoDocument, signal: UnlockSignal) -> bool:
    """Whether all fields read as before, but for the signal, which reads as `signal`."""
    after = read_fields(data, path)
    found = guard_record((after,), path).unlocks
    return [said._replace(line=0) for said in found] == [signal._replace(line=0)] and _others(after) == _others(before)


def _others(document: ServoDocument) -> list[tuple[object, ...]]:
    """What all fields but the signal say, wherever they stand."""
    return [
        (item.name, item.key, item.value, item.headings, item.place, item.trail)
        for item in document.fields
        if not (in_guard(item) and item.name == _FIELD) and _FIELD not in item.trail
    ]
