"""Does a question wait for an answer? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.model.decision import Decision


def judge(decisions: Iterable[Decision], unreadable: Sequence[str] = ()) -> Verdict:
    """Go when no question is open; a packet that can't be read may hold one."""
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
    document = {"questions": questions, "open": opened, "unreadable": list(unreadable)}
    return Verdict(document, go=not opened and not unreadable)
