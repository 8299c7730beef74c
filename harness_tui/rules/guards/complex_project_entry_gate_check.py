"""Does the entry gate of a complex project let work begin? (formats/servo 2.5)."""

from __future__ import annotations

from harness_tui.model.regex import regex
from harness_tui.rules.guards.fields import Fields, heading_end, yaml_block
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_NAME: Final = "complex_project_entry_gate"
_DECISIONS: Final = frozenset({"block_create", "block_upsert", "block_activate", "block_derive_worktrack"})
_PLACEHOLDERS: Final = frozenset({"placeholder", "pending", "tbd", "pending_programmer_confirmation"})
_RECOMMENDED: Final = frozenset({"recommended", "required", "pending_operator_review"})
_VERDICTS: Final = frozenset({"clear", "needs_reinforcement_milestone", "blocked", "not_applicable"})
_LIST: Final = "milestone_blocking_decision"
_BARE: Final = regex(rf"{_NAME}:\s*\n")
_ENDS: Final = regex(r"\n```|\n\n##")
_BLOCKING_WORD: Final = regex(r"\bblock_(?:create|upsert|activate|derive_worktrack)\b")


def judge(text: str | None, not_applicable_reason: str | None = None) -> Verdict:
    """Whether the gate in `text` (None: no file) is open. With a reason, a gate that is not there is none."""
    if text is None or _NAME not in text.lower():
        why = "there is no such file" if text is None else f"it holds no {_NAME}"
        return _absent(why, not_applicable_reason)
    part, first, doubt = _gate(text)
    fields = Fields(part, first)
    verdict, status = fields.value("entry_verdict"), fields.value("recommendation_status")
    needed, blocks = fields.flag("needed"), fields.flag("blocks_implementation_until_resolved")
    found = sorted({_item(line) for line in fields.items(_LIST) or ()} & _DECISIONS)
    reasons: list[tuple[str, str]] = []
    vague = not verdict or verdict.lower() in _PLACEHOLDERS
    if vague:
        reasons.append(("entry_verdict", "entry_verdict is empty or a placeholder"))
    if verdict == "blocked":
        reasons.append(("entry_verdict", "entry_verdict=blocked"))
    if found:
        reasons.append((_LIST, f"{_LIST} holds {', '.join(found)}"))
    if verdict == "needs_reinforcement_milestone":
        reasons.append(("entry_verdict", "entry_verdict=needs_reinforcement_milestone"))
    if needed and status in _RECOMMENDED:
        reasons.append(("needed", f"a reinforcement milestone is needed: {status}"))
    if blocks:
        reasons.append(("blocks_implementation_until_resolved", "blocks_implementation_until_resolved=true"))
    if not verdict and not found:
        reasons.append(("entry_verdict", "the gate is there, but all of it is empty"))
    go = not reasons
    document = {
        "ready": go,
        "blocked": not go,
        "reason": "; ".join(words for _, words in reasons) or "the entry gate is open",
        "needs_llm_review": vague,
        "checked_fields": {
            "entry_verdict": verdict,
            "blocking_decisions_found": found,
            "reinforcement_needed": needed,
            "recommendation_status": status,
            "blocks_implementation": blocks,
        },
        "decided_by": fields.place(reasons[0][0] if reasons else "entry_verdict"),
        "strict": strict(go=go, findings=[*doubt, *_findings(fields, verdict, needed=needed is True)] if go else []),
    }
    return Verdict(document, go=go)


def _absent(why: str, excuse: str | None) -> Verdict:
    go = bool(excuse)
    document: dict[str, Any] = {"ready": go, "blocked": not go}
    if go:
        document |= {"not_applicable": True, "not_applicable_reason": excuse}
    document |= {
        "reason": f"{why}; declared as not applicable" if go else f"{why}: a gate that is not there is not passed",
        "needs_llm_review": not go,
        "checked_fields": {},
        "decided_by": None,
        "strict": strict(go=go, findings=[]),
    }
    return Verdict(document, go=go)


def _gate(text: str) -> tuple[str, int, list[str]]:
    """The part that is read, the line on which it begins, and why it may be another one's."""
    below = heading_end(text, "Complex Project Entry Gate", any_case=True)
    block = yaml_block(text, below, any_case=True) if below is not None else None
    if below is not None and block is not None:
        between = text[below:].split("\n")[: block[1] - 1 - text.count("\n", 0, below)]
        far = any(line.startswith("## ") for line in between)
        return *block, ["the section of the gate has no block: that of a later section was read"] if far else []
    bare = _BARE.search(text)
    if bare is None:
        return text, 1, [f"there is no block of {_NAME}: the whole file was read"]
    end = _ENDS.search(text, bare.end())
    return text[bare.end() : end.start() if end else len(text)], 1 + text.count("\n", 0, bare.end()), []


def _item(line: str) -> str:
    """What a line of the list names: what follows a dash or star, when that is one word up to the line's end."""
    *before, last = line.rsplit(None, 1)
    if before and before[0].endswith(("-", "*")):
        return last.strip("\"'")
    marks = [at for at in (last.find("-"), last.find("*")) if at >= 0]
    return last[min(marks) + 1 :].strip("\"'") if marks else ""


def _findings(fields: Fields, verdict: str, *, needed: bool) -> list[str]:
    found = fields.doubts("entry_verdict", "needed", "blocks_implementation_until_resolved")
    if verdict not in _VERDICTS:
        found.append(f"entry_verdict is none of the known words: {verdict}")
    if needed:
        found.append("a reinforcement milestone is needed")
    whole = Fields(f"{fields.text}\n")  # a list whose last line has no end is not read to its end
    items = whole.items(_LIST)
    words = sorted(set(_BLOCKING_WORD.findall(whole.value(_LIST) if items is None else " ".join(items))))
    if words:
        found.append(f"{_LIST} names {', '.join(words)} in a form that the script does not read")
    return found
