"""`## Blocker` sections: four parts under free labels in any order, or free text (formats/hard-stop 1, 3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness_tui.formats.labels import read_labels
from harness_tui.model.blocker import Blocker
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.formats.markdown import Line
    from harness_tui.model.blocker import TriggerKind

_HEADING = regex(
    r"[\W_]*blockers?(?P<rest>$|\s*(?:#?\d+\s*)?(?:$|[(\[:：—–✅-].*|(?:for\s+)?task\b.*|resolved\b.*))", re.IGNORECASE
)
_RESOLVED = regex(
    r"[\s\d#(\[:：—–✅-]*resolved\b(?!\s*[?？]|\s*[:：=]?\s*(?:no|not|false|pending|partly|partially)\b)", re.IGNORECASE
)
_CODE = r"[A-Za-z]{0,4}-?\d+(?:\.\d+)*[a-z]?(?!\w)"
_TASK = regex(rf"\btask\s*#?(?P<id>{_CODE})", re.IGNORECASE)
_BARE_TASK = regex(rf"{_CODE}|[\w.-]+")
_NOTHING = regex(r"\W*(?:none|n/?a|nothing|no (?:open )?blockers?)?\W*", re.IGNORECASE)
_DID = r"(?:what )?(?:(?:was|has been|have been|i|we|i have|we have|i've|we've) )?(?:already )?(?:tried|attempted)"
_ASK = r"(?:permission|change|action|decision)s?"
_WANTED = r"(?:needed|needs?|required|requested|request)"
_LABELS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("trigger", re.compile(r"(?:hard[- ]stop )?trigger(?:ed by| rule| kind)?|hard[- ]stop|(?:stop )?reason")),
    (
        "error_signature",
        re.compile(r"(?:exact |full |the )?error(?:[ -]signature| message| output| line)?|(?:failure )?signature"),
    ),
    ("tried", re.compile(rf"{_DID}(?: so far| already)?|attempts?(?: so far| made)?")),
    (
        "needed",
        re.compile(
            rf"(?:what(?:'s| is| i| we)? )?{_WANTED}(?: to continue)?"
            rf"|(?:the )?(?:exact )?(?:{_WANTED} )?{_ASK}(?: ?(?:or|and|/) ?{_ASK})?(?: {_WANTED})?"
        ),
    ),
    ("task", re.compile(r"(?:blocked |current |affected )?task(?:[ -]id)?s?")),
)
_KINDS: tuple[tuple[TriggerKind, re.Pattern[str]], ...] = (
    ("doom_loop", re.compile(r"doom[ _-]?loop")),
    ("reviewer_deadlock", re.compile(r"deadlock|(?:iteration|reviewer).{0,3}limit|(?:3|three).strike")),
    ("step_budget", re.compile(r"step.{0,3}(?:budget|limit)|budget of steps")),
    (
        "repeated_failure",
        re.compile(r"repeat\w{0,5}.{0,20}(?:fail|error)|same (?:error|failure)|fail\w{0,4} (?:twice|2)"),
    ),
    ("permission_wall", re.compile(r"permission|denied|denial")),
    ("out_of_scope", re.compile(r"scope")),
)
_READ = 400


def is_blocker_heading(title: str) -> bool:
    """Whether a heading opens a Blocker section: the word, with a number, a remark, a task or `resolved` after it."""
    return _HEADING.fullmatch(title) is not None


def parse_blocker(
    path: str, heading: Line, lines: Sequence[Line], text: str, end_line: int
) -> tuple[Blocker | None, tuple[str, ...]]:
    """The section below `heading`, and the labels that it holds twice. `text` is all of it, for showing.

    None when it says in so many words that there is no blocker. A section without labels is taken for the error
    signature: that is what builders write down first.
    """
    if lines and all(_NOTHING.fullmatch(line.text) for line in lines):
        return None, ()
    labels, _ = read_labels(lines, _key_of)
    values: dict[str, str] = {}
    doubled: list[str] = []
    for label in labels:
        if label.key in values:
            doubled.append(label.name)
            values[label.key] = f"{values[label.key]}\n{label.value}".strip()
        elif label.key:
            values[label.key] = label.value
    if not values:
        values["error_signature"] = "\n".join(line.text for line in lines)
    rest = (_HEADING.fullmatch(heading.bare) or [""])[0]
    blocker = Blocker(
        path=path,
        line=heading.number,
        task=_task(values.get("task", ""), rest),
        trigger=values.get("trigger") or None,
        error_signature=values.get("error_signature") or None,
        tried=values.get("tried") or None,
        needed=values.get("needed") or None,
        resolved=_is_resolved(heading.bare),
        trigger_kind=_kind(values.get("trigger") or ("" if labels else text)),
        heading=heading.text,
        end_line=end_line,
        text=text,
        mentions=tuple(dict.fromkeys(match["id"] for match in _TASK.finditer(text))),
    )
    return blocker, tuple(doubled)


def _key_of(name: str) -> str:
    return next((key for key, pattern in _LABELS if pattern.fullmatch(name)), "")


def _is_resolved(title: str) -> bool:
    found = _HEADING.fullmatch(title)
    return found is not None and _RESOLVED.match(found["rest"]) is not None


def _task(label: str, rest: str) -> str | None:
    """The task that the section names: by its label, else in its heading."""
    named = _TASK.search(label) or _TASK.search(rest)
    if named is not None:
        return named["id"]
    bare = _BARE_TASK.search(label.replace("`", " "))
    return bare[0] if bare is not None else None


def _kind(text: str) -> TriggerKind | None:
    return next((kind for kind, pattern in _KINDS if pattern.search(text[:_READ].casefold())), None)
