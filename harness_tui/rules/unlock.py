"""Whether an unlock signal would unlock (formats/servo 3): it must bring something new, from the right person.

A bare retry or continue, in English or Chinese, repeated, with punctuation or emoji, brings nothing new.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness_tui.model.handback import UnlockSignal

_BARE = (
    "retry", "re-try", "try again", "try it again", "once more", "one more time", "again", "continue", "go on",
    "go ahead", "carry on", "proceed", "keep going", "keep on", "keep working", "resume", "restart", "start", "run",
    "run it", "do it", "go", "ok", "okay", "k", "yes", "yep", "yeah", "y", "sure", "fine", "next", "next step",
    "approved", "approve", "lgtm", "done", "working", "work", "the work", "please", "pls", "now", "just", "then", "and",
    "thanks", "thank you", "unlock", "the", "it", "lock", "handback", "milestone", "with", "on",
    "重试", "再试", "再试一次", "再来一次", "继续", "继续工作", "继续执行", "继续吧", "请继续", "开始工作",
    "开始", "好的", "好", "可以", "行", "是", "是的", "对", "下一步", "同意", "批准", "解锁", "确认", "请", "吧", "了",
    "啊", "呢", "工作", "谢谢", "然后", "里程碑", "重新", "再次", "接着", "往下走", "没问题", "嗯", "试试",
    "繼續", "重試", "再試", "請", "開始", "確認", "解鎖", "嗎", "謝謝", "沒問題",
)  # fmt: skip
_FILLING = (
    "try", "another", "more", "one", "once", "let", "lets", "us", "you", "i", "we", "can", "could", "may", "would",
    "want", "need", "should", "to", "as", "before", "move", "forward", "ahead", "at", "keep", "give", "that", "this",
    "all", "right", "alright", "good", "great", "step",
    "你", "我", "并", "并且", "就", "那", "要", "想", "让", "讓", "去", "做", "麻烦", "麻煩", "一下", "一次", "再",
    "试", "直接", "进行", "執行", "执行",
)  # fmt: skip
"""Words that bring nothing new around those above: you can continue, 麻烦继续一下."""
_NEGATED = regex(r"\b(?:not|never)\b|n['’]t\b|不|别|別|勿|未", re.IGNORECASE)
_NOT_UNLOCK = regex(
    r"(?:\b(?:not|never)|n['’]t)(?!\s+(?:hesitate|forget)\b)(?:\s+\w+){0,2}\s+unlock"
    r"|(?:[不勿未]|(?<![分特级級个個区區类類])[别別])(?!要?忘)[^，,。；;：:\n]{0,3}解[锁鎖]",
    re.IGNORECASE,
)
_STILL_LOCKED = regex(
    r"\b(?:is|was|are|were|has|have|had)(?:\s+still)?(?:\s+(?:not|never)|n['’]t)(?:\s+(?:yet|been)){0,2}\s+unlocked\b"
    r"(?!\s+(?:until|till|before|unless|by this)\b)|未解[锁鎖]",
    re.IGNORECASE,
)
"""Says how it is, not how it is to be: it is an unlock if another word beside it is one."""
_ID = regex(r"\bms-[a-z0-9]+(?:-[a-z0-9]+)*", re.IGNORECASE)
_SAYS_UNLOCK = regex(r"\bunlock|解[锁鎖]", re.IGNORECASE)
_ADDRESSED = regex(
    r"(?:\bunlock\w*|解[锁鎖])\s*(?:the\s+)?(?:milestone|handback|里程碑)?\s*(ms-[a-z0-9]+(?:-[a-z0-9]+)*)",
    re.IGNORECASE,
)
_SOURCE = regex(r"\bsource\s*[=:：]\s*[\"'`]*([\w-]+)", re.IGNORECASE)
_OPERATOR = frozenset({"programmer", "程序员"})
_LEAST_LETTERS = 4
_LEAST_IDEOGRAPHS = 2
_PARTS = ("source", "instruction", "timestamp", "confirmation")


def unlock_refusal(
    signal: UnlockSignal, *, active_milestone: str, signature: str = "", repeats: Iterable[str] = ()
) -> str:
    """Why `signal` does not unlock, in words; empty when it does.

    `active_milestone` is empty or `none` where there is none; a milestone that `signature` (the boundary at which the
    loop stopped) names may be unlocked, too. `repeats` are earlier signals and reasons for stopping.
    """
    return (
        _source_refusal(signal)
        or _parts_refusal(signal)
        or _substance_refusal(signal.instruction, repeats)
        or _milestone_refusal(signal, active_milestone, signature)
    )


def is_bare(text: str) -> bool:
    """Whether `text` says no more than retry, continue, yes or unlock, in any number, order and decoration."""
    return not _remainder(text)


def _source_refusal(signal: UnlockSignal) -> str:
    source = signal.source
    if not signal.structured:
        match = _SOURCE.search(signal.instruction)
        source = match[1] if match else "programmer"
    if source and source.strip().casefold() not in _OPERATOR:
        return f"its source is {source}, not the programmer: an agent cannot unlock"
    return ""


def _parts_refusal(signal: UnlockSignal) -> str:
    if not signal.structured:
        return ""
    missing = [name for name in _PARTS if not getattr(signal, name).strip()]
    if missing:
        return f"it has no {' and no '.join(missing)}"
    try:
        datetime.fromisoformat(signal.timestamp.strip())
    except ValueError:
        return f"its timestamp is no ISO 8601 time: {signal.timestamp}"
    return ""


def _substance_refusal(instruction: str, repeats: Iterable[str]) -> str:
    if not _letters(instruction):
        return "it says nothing"
    if is_bare(instruction):
        return f"a bare “{instruction.strip()}” brings nothing new: it needs a new goal, fact, permission or task"
    same = _letters(instruction)
    if any(_letters(text) == same for text in repeats):
        return "it repeats what was said before"
    rest = _remainder(_ID.sub(" ", instruction))
    latin = sum(char.isascii() for char in rest)
    if latin < _LEAST_LETTERS and len(rest) - latin < _LEAST_IDEOGRAPHS:
        return "it says nothing beside the unlock itself: it needs a new goal, fact, permission or task"
    return ""


def _milestone_refusal(signal: UnlockSignal, active: str, signature: str) -> str:
    if signal.structured and not _SAYS_UNLOCK.search(signal.confirmation):
        return f"its confirmation does not say unlock: {signal.confirmation}"
    if _says_not_to_unlock(signal.instruction):
        return f"it says not to unlock: {signal.instruction.strip()}"
    if signal.structured and _NEGATED.search(signal.confirmation):
        return f"its confirmation says not to: {signal.confirmation}"
    text = signal.confirmation if signal.structured else " ".join(_ADDRESSED.findall(signal.instruction))
    allowed = named(active) | named(signature)
    wrong = sorted(named(text) - allowed)
    if wrong:
        current = active if allowed and active else "none"
        return f"it names {', '.join(found.upper() for found in wrong)}, but the active milestone is {current}"
    return ""


def _says_not_to_unlock(text: str) -> bool:
    rest = _STILL_LOCKED.sub(" ", text)
    return _NOT_UNLOCK.search(text if rest == text or not _SAYS_UNLOCK.search(rest) else rest) is not None


def named(text: str) -> frozenset[str]:
    """The ids of milestones in `text`, in lower case."""
    return frozenset(found.casefold() for found in _ID.findall(text))


def _letters(text: str) -> str:
    """Letters and digits of `text`, lower case, full-width forms as plain ones; marks, blanks and emoji left out."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


_PHRASES = regex("|".join(sorted({_letters(text) for text in (*_BARE, *_FILLING)}, key=len, reverse=True)) + r"|\d+")


def _remainder(text: str) -> str:
    """What is left of `text` without the bare phrases.

    Phrases are taken as whole words only: a run of words that are all bare is taken out, one with another word is not.
    """
    words = [word for part in re.split(r"[\s,，;；.。:：!！?？、\-—_/]+", text) if (word := _letters(part))]
    joined = "".join(words)
    if not _PHRASES.sub("", joined):
        return ""
    return "".join(word for word in words if _PHRASES.sub("", word))
