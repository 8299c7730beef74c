"""Counts of a verify_all run as people and agents write them in one line (formats/harness-kit 2.3, L16 to L18)."""

from __future__ import annotations

import re
from typing import NamedTuple

from harness_tui.model.regex import regex


class Counts(NamedTuple):
    """How many checks passed, warned, failed and were skipped; None where the text gives no number.

    `word` is the verdict as written, `PASS` or `FAIL`, and empty where only numbers stand. A number is only what the
    text says: a bare `PASS` has no counts at all.
    """

    passed: int | None
    warned: int | None
    failed: int | None
    skipped: int | None
    word: str = ""

    @property
    def red(self) -> bool | None:
        """Whether the run failed; None when neither a number nor a word tells. The worse of the two wins."""
        if self.failed or self.word == "FAIL":
            return True
        if self.failed == 0 or self.word == "PASS":
            return False
        return None


_LABEL = r"(PASS|WARN|FAIL|SKIP)(?:ED|S|INGS?)?"
_GAP = r"[ \t]{0,3}"
_WORD_FIRST = regex(rf"\b{_LABEL}{_GAP}[=: ]{_GAP}(\d{{1,7}})\b(?!{_GAP}\\?/{_GAP}\d)")
_NUMBER_FIRST = regex(rf"(?<![\w.])(\d{{1,7}}) {{1,3}}{_LABEL}\b")
_SLASHES = regex(
    r"(?:\b(PASS|FAIL)(?:ED)?\**[ =:]{1,3}\**)?(?<![\w/.\\-])"
    r"(\d{1,7})\\?/(\d{1,7})\\?/(\d{1,7})(?:\\?/(\d{1,7}))?(?![\w/-])"
)
_ANCHOR = regex(r"verify_all|baseline|regression gate", re.IGNORECASE)
_BARE = regex(
    r"(?:\.sh|\.ps1)?(?: --?\w+)*[\s*`_]{0,4}(?:result|verdict)?[\s*`_=:]{0,6}(?P<word>PASS|FAIL)(?:ED)?(?![\w-])"
    r"(?:[*`_ ]{0,3}\((?P<number>\d{1,7}) checks?\b)?",
    re.IGNORECASE,
)
_NEAR = 3
_PIECE = 4000


def counts(text: str) -> Counts | None:
    """The counts that one line states, or None.

    `32/0/0` is PASS/WARN/FAIL and a fourth number SKIP, with or without a backslash before the slash; `PASS 31 /
    FAIL 1`, `PASS=31 / FAIL=1`, `23 PASS / 2 FAIL` name their numbers. Where a line speaks of `verify_all` or a
    baseline, what stands after that word counts first, the last time that it is followed by a result.
    """
    text = text[:_PIECE]
    anchors = list(_ANCHOR.finditer(text))
    end = len(text)
    for anchor in reversed(anchors):
        found = _read(text[anchor.end() : end], near=True)
        if found is not None:
            return found
        end = anchor.start()
    return _read(text[:end], near=False)


def _read(text: str, *, near: bool) -> Counts | None:
    """The first counts in `text`; a bare word only at its start, or close to it when `near`."""
    named = _first(_named(text, _WORD_FIRST, label=1), _named(text, _NUMBER_FIRST, label=2))
    slashes = next((match for match in _SLASHES.finditer(text) if _is_counts(match)), None)
    bare = _BARE.match(text)
    if slashes is not None and (named is None or slashes.start() <= named[0]):
        word = slashes[1] or (bare["word"].upper() if bare else "")
        fourth = int(slashes[5]) if slashes[5] else None
        return Counts(int(slashes[2]), int(slashes[3]), int(slashes[4]), fourth, word)
    if named is not None:
        return named[1]
    if bare is not None and (near or bare.start("word") <= _NEAR):
        number = int(bare["number"]) if bare["number"] else None
        word = bare["word"].upper()
        return Counts(None, None, number if word == "FAIL" else None, None, word)
    return None


def _first(*found: tuple[int, Counts] | None) -> tuple[int, Counts] | None:
    return min((item for item in found if item is not None), key=lambda item: item[0], default=None)


def _named(text: str, pattern: re.Pattern[str], *, label: int) -> tuple[int, Counts] | None:
    """Numbers with their names, the first of each name; None when neither PASS nor FAIL is among them."""
    numbers: dict[str, int] = {}
    start = -1
    for match in pattern.finditer(text):
        if match[label] not in numbers:
            numbers[match[label]] = int(match[3 - label])
        if start < 0:
            start = match.start()
    if "PASS" not in numbers and "FAIL" not in numbers:
        return None
    return start, Counts(numbers.get("PASS"), numbers.get("WARN"), numbers.get("FAIL"), numbers.get("SKIP"))


def _is_counts(match: re.Match[str]) -> bool:
    """Whether numbers between slashes are counts and not a date such as 2026/05/30."""
    return all(len(number) == 1 or number[0] != "0" for number in match.groups()[1:] if number)
