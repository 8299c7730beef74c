"""Did the gate of the current worktrack pass? (CONTRACT, Guards)."""

from __future__ import annotations

from harness_tui.rules.guards.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from harness_tui.model.gates import WorktrackGate

_WORST: Final = ("blocked", "hard-fail", "unknown", "soft-fail", "pass")


def judge(gates: Sequence[WorktrackGate]) -> Verdict:
    """Go when the verdict is a pass and all three axes are given; of several gates the worst is told.

    An override never changes the verdict.
    """
    gate = min(gates, key=lambda item: (_WORST.index(item.verdict), not item.missing_axes))
    axes = {name: getattr(gate.axes, name) for name in ("implementation", "validation", "policy")}
    document = {
        "verdict": gate.verdict,
        "axes": axes,
        "missing": list(gate.missing_axes),
        "worktrack": gate.id,
        "text": gate.text,
        "override": gate.override,
        "path": gate.path,
        "line": gate.line,
    }
    return Verdict(document, go=gate.verdict == "pass" and not gate.missing_axes)
