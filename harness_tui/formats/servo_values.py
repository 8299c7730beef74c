"""Values of the control loop's files: free text far more often than a word of a list (formats/servo 0, 1.2, 1.7).

What is none of the known spellings is unreadable (None, or `unknown`), never the better of two readings.
"""

from __future__ import annotations

import re
from functools import lru_cache

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.verify import GateWord

_WRAP = "*`\"'“”‘’「」 "
_CUTS = str.maketrans(dict.fromkeys(",;()[]{}.，；。、！？（）【】《》：", " "))
_COMMENT = regex(r"\s#.*")
_EMPTY = frozenset({"", "n/a", "na", "none", "null", "nil", "-", "—", "–", "_", "~", "无", "空"})
_TRUE = frozenset({"true", "yes", "on", "y", "1", "locked", "active", "是", "真", "已锁定"})
_FALSE = frozenset({"false", "no", "否"})
_DIGITS = 9
_NUMBER = regex(r"(\d{1,9})\.?(?:\s*[;；,，(（].*)?", re.DOTALL)
_PASS = frozenset({"pass", "passed", "validated", "通过"})
_REMARKS = frozenset(
    {
        "pass-with-residuals", "pass-with-accepted-residuals", "pass-with-residual-risk",
        "pass-with-retained-repo-warning", "pass-with-caveat", "accepted-with-residual-risk", "accepted-with-notes",
        "accepted-with-manual-exception",
    }
)  # fmt: skip
_ADVERSE: dict[str, GateWord] = {
    "soft-fail": "soft-fail", "软失败": "soft-fail", "needs-followup-worktrack": "soft-fail",
    "hard-fail": "hard-fail", "fail": "hard-fail", "failed": "hard-fail", "硬失败": "hard-fail", "失败": "hard-fail",
    "blocked": "blocked", "gate-blocked": "blocked", "阻塞": "blocked", "阻断": "blocked",
}  # fmt: skip
_PROVISO = regex(
    r"[\s,，;；(（:：]*(?:待|但|[|/]"
    r"|(?:pending|proposed|provisional|conditional|subject to|awaiting|if|unless|except|but|once|or|until)\b)"
)
_COUNT = regex(r"\b(total|planned|active|completed|superseded)(?:_count)?\s*[=:：]\s*(\d{1,6})\b")
_STATUSES = ("total", "planned", "active", "completed", "superseded")
_RANK: dict[GateWord, int] = {"pass": 0, "soft-fail": 1, "unknown": 2, "hard-fail": 3, "blocked": 4}


def first_word(value: str) -> str:
    """The first word of `value` without quotes and emphasis, lower case; cut at a blank, bracket or punctuation."""
    plain = value.replace("*", "").strip(_WRAP).casefold()
    cut = plain.translate(_CUTS)
    return cut.split(None, 1)[0].strip(_WRAP) if cut and not cut[0].isspace() else ""


def is_empty(value: str) -> bool:
    """Whether `value` stands for nothing: no text, `N/A`, `none`, `[]` or a dash, with or without a reason behind."""
    word = first_word(value)
    return word in _EMPTY if word else not value.strip(_WRAP + "[]{}")


def flag(value: str) -> bool | None:
    """`value` as a truth, None when it is unreadable: no is only what says no and nothing else.

    A yes with a remark is a yes; a no with a remark may take back what it says.
    """
    plain = _without_comment(value).casefold()
    if plain.strip(_WRAP + ".。") in _FALSE:
        return False
    return True if first_word(plain) in _TRUE else None


def whole_number(value: str) -> int | None:
    """`value` as a number from 0 up, None when it is none."""
    plain = _without_comment(value)
    if plain.isdecimal() and len(plain) <= _DIGITS:
        return int(plain)
    match = _NUMBER.fullmatch(plain)
    return int(match[1]) if match else None


def _without_comment(value: str) -> str:
    return (_COMMENT.sub("", value) if "#" in value else value).strip(_WRAP)


def as_list(value: str) -> tuple[str, ...]:
    """Items of an inline list, with or without brackets: `[a, b]`, `a, b`, `a`; nothing for an empty value."""
    plain = value.strip().removeprefix("[").removesuffix("]")
    return tuple(item for part in re.split(r"[,，、]", plain) if not is_empty(item := part.strip(_WRAP)))


def verdict_word(value: str) -> tuple[GateWord, bool]:
    """The verdict that `value` begins with, and whether it is a pass with remarks (formats/servo 1.7).

    A word counts only as a whole: `pass-ish` is unknown, and so is a pass that a proviso or another word of a template
    follows.
    """
    word = first_word(value).replace("_", "-")
    if (adverse := word.rstrip(":!")) in _ADVERSE:
        return _ADVERSE[adverse], False
    if word not in _PASS and word not in _REMARKS:
        return "unknown", False
    rest = value.replace("*", "").strip(_WRAP).casefold()[len(word) :].lstrip(_WRAP)
    if rest and _PROVISO.match(rest):
        return "unknown", False
    return "pass", word in _REMARKS


def worst(words: Iterable[GateWord]) -> GateWord:
    """The worst of several verdicts; `unknown` when there is none. A known hard failure outweighs what is unknown."""
    return max(words, key=_RANK.__getitem__, default="unknown")


@lru_cache(maxsize=4096)
def almost(name: str, known: str) -> bool:
    """Whether `name` is `known` with one character wrong, missing or too many: a slip that must not hide a value."""
    shorter = min(len(name), len(known))
    head = next((at for at in range(shorter) if name[at] != known[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if name[-1 - at] != known[-1 - at]), rest)
    # one capital letter may become two small ones, so two characters may stand in place of one
    return name != known and len(known) - head - tail <= 1 and len(name) - head - tail <= 2  # noqa: PLR2004


def counts(texts: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Counts by status that `texts` give (`planned=0 / active=1`, `active_count: 2`); the first one of each counts."""
    found: dict[str, int] = {}
    for text in texts:
        for match in _COUNT.finditer(text.casefold()):
            found.setdefault(match[1], int(match[2]))
    return tuple((word, found[word]) for word in _STATUSES if word in found)
