"""Reads the gates of the control loop's worktracks, each once per change, the current worktrack first."""

from __future__ import annotations

from harness_tui.formats.gate_evidence import parse_gate
from harness_tui.model.frozen import replace
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.servo_layout import HOME, by_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from harness_tui.model.control import Control
    from harness_tui.model.gates import WorktrackGate
    from harness_tui.workspace.reads import Reads
    from harness_tui.workspace.servo_layout import WorktrackFiles


class WorktrackReader:
    """Reads the gates of one workspace again and again. A gate that did not change is the same object as before."""

    def __init__(self, root: Path | str) -> None:
        self.cache: Cache[WorktrackGate] = Cache(root, parse_gate, whole=_whole)
        self._shown: dict[str, tuple[tuple[object, ...], WorktrackGate]] = {}

    def read(
        self, reads: Reads, listed: Iterable[WorktrackFiles], control: Control | None
    ) -> tuple[WorktrackGate, ...]:
        """All gates, the current one first, then by id, the highest (newest) first."""
        active = control.active_worktrack if control is not None and control.active_worktrack != "none" else ""
        linked = _linked(control) if active else ""
        ordered = sorted(listed, key=lambda files: not _may_be(files, active))
        found = [gate for files in ordered if (gate := self._gate(reads, files, control, active, linked)) is not None]
        self._shown = {gate.path: self._shown[gate.path] for gate in found}
        found.sort(key=lambda gate: by_number(gate.id or gate.path), reverse=True)
        return tuple(sorted(found, key=lambda gate: not gate.current))

    def _gate(
        self, reads: Reads, files: WorktrackFiles, control: Control | None, active: str, linked: str
    ) -> WorktrackGate | None:
        closeout = reads.get(self.cache, files.closeout, limited=True)  # first: without it a closed gate looks open
        gate = reads.get(self.cache, files.gate, limited=True)
        if gate is None:
            return None
        if closeout is not None and gate.id and closeout.id not in {gate.id, None}:
            closeout = None
        own = gate.id or files.owner
        named = own.casefold() == active.casefold() if own else gate.path.endswith(linked)
        current = control is None or (bool(active) and named)
        key = (gate, current, closeout)
        known = self._shown.get(gate.path)
        if known is not None and all(new is old for new, old in zip(key, known[0], strict=True)):
            return known[1]
        shown = replace(
            gate,
            current=current,
            closeout=closeout.path if closeout is not None else None,
            closeout_verdict=closeout.verdict if closeout is not None else None,
        )
        self._shown[gate.path] = (key, shown)
        return shown


def _may_be(files: WorktrackFiles, active: str) -> bool:
    """Whether a file may be that of the active worktrack, by its name alone."""
    return not files.owner or (bool(active) and files.owner.casefold() == active.casefold())


def _linked(control: Control | None) -> str:
    """The gate evidence that the control state names, to be compared with paths that were listed."""
    found = [field.value for field in control.fields if field.key == "gate_evidence"] if control is not None else []
    return "/" + found[-1].removeprefix("./").removeprefix(f"{HOME}/") if found and found[-1] else ""


def _whole(old: WorktrackGate, new: WorktrackGate) -> bool:
    return bool(new.axis_words or new.text or not (old.axis_words or old.text))
