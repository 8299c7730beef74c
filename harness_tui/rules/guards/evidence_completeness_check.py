"""Is all evidence there that a gate needs? (formats/servo 2.11)."""

from __future__ import annotations

from harness_tui.rules.guards.policy import EVIDENCE
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


def judge(mentioned: Collection[str] | None, affirmed: Collection[str] = ()) -> Verdict:
    """Whether all nine items are mentioned; None when there is no file.

    `affirmed` are those with a mention that denies nothing: a script counts a denial, too.
    """
    present = [name for name in EVIDENCE if name in (mentioned or ())]
    missing = [name for name in EVIDENCE if name not in present]
    go = not missing
    if mentioned is None:
        reason = "there is no evidence file"
    else:
        reason = f"{len(missing)} are missing: {', '.join(missing)}" if missing else "all nine items are mentioned"
    items = {name: {"label": label, "present": name in present} for name, label in EVIDENCE.items()}
    denied = [f"{name} is mentioned only to say that it is not there" for name in present if name not in affirmed]
    document = {
        "complete": go,
        "missing": missing,
        "present": present,
        "checked_items": {} if mentioned is None else items,
        "reason": reason,
        "strict": strict(go=go, findings=denied),
    }
    return Verdict(document, go=go)
