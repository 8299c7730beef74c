"""Does a question wait for an answer? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.decision import Decision


def judge(decisions: Iterable[Decision], unreadable: Sequence[tuple[str, str]] = ()) -> Verdict:
    """Go when no question is open. `unreadable` are packets that can't be read, and why: they may hold one."""
    questions = [
        {
            "epic_id": item.epic_id,
            "packet_id": item.packet_id,
            "question_id": item.question_id,
            "question": item.question,
            "state": item.state,
            "path": item.path,
        }
        for item in decisions
    ]
    opened = sum(question["state"] == "open" for question in questions)
    error = "; ".join(f"{path}: {why}" for path, why in unreadable)
    document = {"questions": questions, "open": opened, "error": error or None}
    return Verdict(document, go=not opened and not unreadable)
