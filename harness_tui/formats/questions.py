"""Rows that ask something, in all the shapes in which packets, bundles and pending lists hold them.

Known are the shape of the packet program, that of its documents (`type`, `description`, `resolved_value`), the one of
the predecessor (`default`, `impact`, `evidence`) and options as texts, objects, or an object by key.
"""

from __future__ import annotations

import re

from harness_tui.formats.json_fields import first, moment, rows, text, text_or_none, word
from harness_tui.model.decision import Choice, Question
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from harness_tui.model.decision import DecisionState, Level

_LEVELS: Final[tuple[Level, ...]] = ("critical", "high", "medium", "low")
_STATES: Final[dict[str, DecisionState]] = {
    "resolved": "answered",
    "answered": "answered",
    "assumed": "assumed",
    "deferred": "deferred",
}
_BLOCKED: Final = "critical_blocked"
_KEY: Final = regex(r"([A-Za-z]|\d{1,2})\s*[:.)：）、]\s*(\S.*)", re.DOTALL)
_OPTION_KEYS: Final = ("id", "key", "value")
_OPTION_LABELS: Final = ("label", "text", "title", "description", "option")


def read_questions(value: Any, lines: dict[str, list[int]] | None = None) -> tuple[Question, ...]:
    """Questions of a list or of an object by id, with the lines on which their ids stand. Never raises."""
    left = {name: list(found) for name, found in (lines or {}).items()}
    found: list[Question] = []
    for row in rows(value):
        name = text(row.get("id"))
        places = left.get(name)
        found.append(_question(row, name, places.pop(0) if places else None))
    return tuple(found)


def _question(row: dict[str, Any], name: str, line: int | None) -> Question:
    status = word(row.get("status"))
    default = text_or_none(first(row, "default_action", "proposed_default", "default", "defaultAction"))
    options, choices = _options(row.get("options"), default)
    return Question(
        id=name,
        question=text(first(row, "question", "description")),
        options=options,
        choices=choices,
        default=default,
        why_now=text(first(row, "why_now", "whyNow")),
        risk=text(first(row, "risk_if_wrong", "riskIfWrong", "impact", "severity")),
        level=_level(row),
        category=word(first(row, "category", "type")),
        status=text(row.get("status")),
        state=_STATES.get(status, "open") if status else None,
        critical_blocked=status == _BLOCKED or row.get(_BLOCKED) not in (None, False),
        context=text(row.get("context")),
        source_ref=text(first(row, "source_ref", "sourceRef", "evidence")),
        deadline=text(row.get("deadline")),
        resolution=text_or_none(first(row, "resolution", "resolved_value")),
        resolved_at=moment(row.get("resolved_at")),
        linked_unknown=text_or_none(row.get("linked_unk")),
        line=line,
    )


def _level(row: dict[str, Any]) -> Level | None:
    """The worse of what a row gives as risk and as severity; an unknown word is high."""
    given = [word(value) for name in ("risk_if_wrong", "severity") if (value := row.get(name)) not in (None, "")]
    known = {name if name in _LEVELS else "high" for name in given}
    return next((level for level in _LEVELS if level in known), None)


def _options(value: Any, default: str | None) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
    pairs = _pairs(value)
    shown = tuple(f"{key}: {label}" if key else label for key, label in pairs)
    if not all(key for key, _ in pairs) and not any(key for key, _ in pairs):
        matches = [_KEY.fullmatch(label) for _, label in pairs]
        pairs = [
            (match[1], match[2]) if match else ("", label) for match, (_, label) in zip(matches, pairs, strict=True)
        ]
    keys = [key.lower() for key, _ in pairs]
    own = all(keys) and len(set(keys)) == len(keys)
    if not own:
        pairs = [(str(number), label) for number, label in enumerate(shown, 1)]
    meant = _meant(default, pairs, shown, own_keys=own)
    return shown, tuple(Choice(key, label, index == meant) for index, (key, label) in enumerate(pairs))


def _pairs(value: Any) -> list[tuple[str, str]]:
    """Key and label of each option; the key is empty where the option has none."""
    if isinstance(value, dict):
        return [(text(key), text(value[key])) for key in sorted(value)]
    if not isinstance(value, list):
        return [("", text(value))] if value not in (None, "") else []
    return [_pair(item) for item in value]


def _pair(item: Any) -> tuple[str, str]:
    if not isinstance(item, dict):
        return "", text(item)
    key, label = text(first(item, *_OPTION_KEYS)), text(first(item, *_OPTION_LABELS))
    return ("", key) if not label and key else (key, label) if label else ("", text(item))


def _meant(default: str | None, pairs: list[tuple[str, str]], shown: tuple[str, ...], *, own_keys: bool) -> int | None:
    """Which option a default means: by the file's own key, by its whole text, its label, its label without remark."""
    if default is None:
        return None
    keys = [key for key, _ in pairs] if own_keys else []
    labels = [label for _, label in pairs]
    for names in (keys, list(shown), labels, [label.partition("(")[0].rstrip() for label in labels]):
        if names.count(default) == 1:
            return names.index(default)
    return None
