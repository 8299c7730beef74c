"""Edits of a JSON document that leave every byte alone that is not meant.

Key order, indentation, line ends, numbers and escapes as written, a byte-order mark and the final newline (or none)
stay. What is put in follows the layout around it; non-ASCII is written as it is. A document that `strict_json` refuses
is not edited.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.model.frozen import record
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Path = Sequence[str | int]

_BOM: Final = b"\xef\xbb\xbf"
_BLANKS: Final = regex(r"[ \t\r\n]*")
_STRING: Final = regex(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR: Final = regex(r"[^\s,:\]}]+")
_LINE_START: Final = regex(r"[ \t]*")
_INDENTED: Final = regex(r"\n([ \t]+)\S")


class EditError(ValueError):
    """The edit can't be made; its text says why."""


class _Member(NamedTuple):
    """One member of an object or array: `key` is None in an array, `start` is where the key or the value begins."""

    key: str | None
    start: int
    value: _Node


@record
class _Node:
    """A value and where it stands: `text[start:end]`. `kind` is `{`, `[` or empty."""

    start: int
    end: int
    kind: str = ""
    members: tuple[_Member, ...] = ()


def set_value(data: bytes, path: Path, value: Any) -> bytes:
    """`data` with `value` at `path` (keys and indices): replaced where it is, added as the last key where it is not.

    All but the last part of `path` must be there. Raises `EditError`.
    """
    if not path:
        raise EditError("no place is named")

    def change(text: str, root: _Node) -> str:
        inside = _find(root, path[:-1])
        last = path[-1]
        member = _member(inside, last)
        if member is not None:
            return _replace(text, member.value, value)
        if inside.kind != "{" or not isinstance(last, str):
            raise EditError(f"there is no place {last!r}")
        return _add(text, inside, json.dumps(last, ensure_ascii=False), value)

    return _edited(data, change)


def append(data: bytes, path: Path, value: Any) -> bytes:
    """`data` with `value` as the last item of the list at `path`. Raises `EditError`."""

    def change(text: str, root: _Node) -> str:
        inside = _find(root, path)
        if inside.kind != "[":
            raise EditError("there is no list to add to")
        return _add(text, inside, None, value)

    return _edited(data, change)


def remove(data: bytes, path: Path) -> bytes:
    """`data` without the item or key at `path`; nothing around it moves. Raises `EditError`."""
    if not path:
        raise EditError("no place is named")

    def change(text: str, root: _Node) -> str:
        inside = _find(root, path[:-1])
        member = _member(inside, path[-1])
        if member is None:
            raise EditError(f"there is no {path[-1]!r}")
        return _without(text, inside, inside.members.index(member))

    return _edited(data, change)


def _edited(data: bytes, change: Callable[[str, _Node], str]) -> bytes:
    try:
        loads(data)
    except BadJson as error:
        raise EditError(f"line {error.line}: {error.reason}") from None
    mark = _BOM if data.startswith(_BOM) else b""
    text = data[len(mark) :].decode("utf-8")
    try:
        return mark + change(text, _value(text, _skip(text, 0))).encode("utf-8")
    except UnicodeEncodeError:
        raise EditError("the text has no UTF-8 form") from None


def _find(node: _Node, path: Path) -> _Node:
    for part in path:
        member = _member(node, part)
        if member is None:
            raise EditError(f"there is no {part!r}")
        node = member.value
    return node


def _member(node: _Node, part: str | int) -> _Member | None:
    if isinstance(part, int):
        return node.members[part] if node.kind == "[" and 0 <= part < len(node.members) else None
    return next((member for member in node.members if member.key == part), None)


def _replace(text: str, old: _Node, value: Any) -> str:
    """A list or object takes several lines where the document does, unless the old one of some size took one."""
    short = bool(old.members) and "\n" not in text[old.start : old.end]
    return text[: old.start] + _rendered(text, old.start, value, inline=short) + text[old.end :]


def _add(text: str, inside: _Node, key: str | None, value: Any) -> str:
    if not inside.members:
        return _fill(text, inside, key, value)
    last = inside.members[-1]
    before = inside.members[-2].value.end if len(inside.members) > 1 else inside.start
    lead = text[before + (len(inside.members) == 1) : last.start]
    lead = lead.partition(",")[2] if len(inside.members) > 1 else lead
    if not lead and len(inside.members) == 1:
        lead = "" if _tight(text, inside) else " "
    said = "" if key is None else key + _colon(text, last)
    new = "," + lead + said + _rendered(text, last.start, value, inline="\n" not in lead)
    return text[: last.value.end] + new + text[last.value.end :]


def _fill(text: str, inside: _Node, key: str | None, value: Any) -> str:
    """The first member of an empty object or list."""
    said = "" if key is None else f"{key}: "
    if "\n" not in text.strip():
        body = said + _rendered(text, inside.start, value, inline=True)
    else:
        end, unit = _line_end(text), _unit(text)
        outer = _indent(text, inside.start)
        body = f"{end}{outer}{unit}{said}{_pretty(value, outer + unit, unit, end)}{end}{outer}"
    return text[: inside.start + 1] + body + text[inside.end - 1 :]


def _without(text: str, inside: _Node, index: int) -> str:
    members = inside.members
    if len(members) == 1:
        return text[: inside.start + 1] + text[inside.end - 1 :]
    if index == len(members) - 1:
        return text[: members[index - 1].value.end] + text[members[index].value.end :]
    return text[: members[index].start] + text[members[index + 1].start :]


def _rendered(text: str, at: int, value: Any, *, inline: bool) -> str:
    if inline or "\n" not in text.strip() or not isinstance(value, list | dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    return _pretty(value, _indent(text, at), _unit(text), _line_end(text))


def _pretty(value: Any, indent: str, unit: str, end: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", end + indent)


def _colon(text: str, member: _Member) -> str:
    """What stands between a key and its value."""
    key = _STRING.match(text, member.start)
    return text[key.end() : member.value.start] if key else ": "


def _tight(text: str, inside: _Node) -> bool:
    """Whether a one-line document has no blanks after its colons, and so none after its commas."""
    last = inside.members[-1]
    return last.key is not None and not _colon(text, last).endswith((" ", "\n", "\t"))


def _indent(text: str, at: int) -> str:
    """Blanks at the start of the line of `at`."""
    match = _LINE_START.match(text, text.rfind("\n", 0, at) + 1)
    return match[0] if match else ""


def _unit(text: str) -> str:
    """One step of indentation: that of the first indented line."""
    match = _INDENTED.search(text)
    return match[1] if match else "  "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> _Node:
    """The value that begins at `at`. The document is known to be well formed and not deeply nested."""
    if text[at] in "{[":
        return _container(text, at)
    match = (_STRING if text[at] == '"' else _SCALAR).match(text, at)
    return _Node(at, match.end() if match else at)


def _container(text: str, start: int) -> _Node:
    kind = text[start]
    members: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        first, key = at, None
        if kind == "{" and (match := _STRING.match(text, at)):
            key = json.loads(match[0])
            at = _skip(text, _skip(text, match.end()) + 1)
        value = _value(text, at)
        members.append(_Member(key, first, value))
        at = _skip(text, value.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return _Node(start, at + 1, kind, tuple(members))
