"""Reads the control loop's files in `.servo/`, each once per change, the current worktrack first."""

from __future__ import annotations

from harness_tui.formats.control_state import CONTROL, control_state
from harness_tui.formats.gate_evidence import parse_gate
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.milestone import parse_milestone
from harness_tui.formats.milestone_gate import parse_composite, with_composite
from harness_tui.formats.milestone_index import parse_milestone_index, parse_worktrack_index
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.frozen import replace
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex
from harness_tui.model.servo import Servo
from harness_tui.rules.handback import judge_handback
from harness_tui.rules.pipeline import as_problems, inconsistencies
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.servo_layout import HOME, ServoFiles, ServoLayout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from harness_tui.formats.servo_fields import ServoDocument
    from harness_tui.model.control import Control
    from harness_tui.model.gates import AxisWord, WorktrackGate
    from harness_tui.model.handback import Handback
    from harness_tui.model.milestone import Index, Milestone
    from harness_tui.model.typed import T
    from harness_tui.workspace.cache import Reading
    from harness_tui.workspace.layout import Layout
    from harness_tui.workspace.servo_layout import WorktrackFiles


_ABSENT = Servo()
_DIGITS = regex(r"(\d+)")


class ServoReader:
    """Reads `.servo/` of one workspace again and again, in one thread.

    `unsettled` is True while a file looks half written or `limit` kept files from being read: look again soon.
    """

    def __init__(self, layout: Layout) -> None:
        root = layout.root
        self._layout = layout
        self._places = ServoLayout(layout)
        self._controls: Cache[ServoDocument] = Cache(root, read_fields, whole=_whole)
        self._gates: Cache[WorktrackGate] = Cache(root, parse_gate, whole=_whole_gate)
        self._milestones: Cache[Milestone] = Cache(root, parse_milestone)
        self._composites: Cache[AxisWord | None] = Cache(root, parse_composite)
        self._backlogs: Cache[Index] = Cache(root, parse_milestone_index, whole=_whole_index)
        self._worktrack_lists: Cache[Index] = Cache(root, parse_worktrack_index, whole=_whole_index)
        self._caches = (
            self._controls, self._gates, self._milestones, self._composites, self._backlogs, self._worktrack_lists,
        )  # fmt: skip
        self._files = ServoFiles()
        self._known: set[str] = set()
        self._seen: set[str] = set()
        self._documents: tuple[ServoDocument, ...] = ()
        self._judged: tuple[Control | None, Handback | None] = (None, None)
        self._shown: dict[str, tuple[tuple[object, ...], WorktrackGate]] = {}
        self._dirty: frozenset[str] | None = None
        self._clock = 0.0
        self._left: int | None = None
        self._skipped = False
        self._stale: set[str] = set()
        self.family = _ABSENT

    @property
    def unsettled(self) -> bool:
        """Whether something should be looked at again soon."""
        return self._skipped or any(cache.unsettled for cache in self._caches)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong in the files, and with them."""
        return self.family.problems

    @property
    def files(self) -> ServoFiles:
        """The files as they were listed last."""
        return self._files

    def reading(self, path: str) -> Reading[Any] | None:
        """What was read last of a control file, a milestone or a gate, for who reads it in another way."""
        found = (cache.last(path) for cache in (self._controls, self._milestones, self._gates))
        return next((reading for reading in found if reading is not None), None)

    def knows(self, path: str) -> bool:
        """Whether `path` is a file that is read."""
        return path in self._known

    def folders(self) -> list[Path]:
        """Folders worth a watch, at most five."""
        if not self._places.exists():
            return []
        control = self.family.control
        return self._places.folders(control.active_worktrack if control is not None else "")

    def refresh(self, dirty: frozenset[str] | None, clock: float, limit: int | None = None) -> Servo:
        """The control loop now; the same object as before when nothing changed.

        With `dirty` (absolute paths) only those files are looked at, else all are listed anew. `clock` is monotonic,
        in seconds. At most `limit` gate and milestone files are read for the first time: None means all.
        """
        if not self._places.exists():
            if self.family is not _ABSENT:
                self.__dict__.update(ServoReader(self._layout).__dict__)  # what was known is gone
            return self.family
        self._dirty, self._clock, self._left, self._skipped = dirty, clock, limit, False
        self._stale = set()
        if dirty is None or not self._known:
            self._files = self._places.files()
            self._known = self._files.paths()
            self._seen &= self._known
            for cache in self._caches:
                cache.forget(self._known)
        family = self._read()
        if family != self.family:
            self.family = family
        return self.family

    def _read(self) -> Servo:
        files = self._files
        control, handback = self._control()
        worktracks = self._worktracks(control)
        milestones = self._milestone_files(control)
        backlog = self._get(self._backlogs, files.backlog)
        history = self._get(self._backlogs, files.history)
        worktrack_backlog = self._get(self._worktrack_lists, files.worktrack_backlog)
        found = inconsistencies(control, backlog, history, milestones, handback, worktrack_backlog)
        problems = [
            *(problem for cache in self._caches for problem in cache.stale_problems()),
            *_handback_problems(handback),
            *(problem for gate in worktracks for problem in gate.problems),
            *(problem for milestone in milestones for problem in milestone.problems),
            *(problem for index in (backlog, history, worktrack_backlog) if index for problem in index.problems),
            *as_problems(found),
        ]
        return Servo(
            present=True,
            handback=handback,
            control=control,
            worktracks=worktracks,
            milestones=milestones,
            backlog=backlog,
            history=history,
            worktrack_backlog=worktrack_backlog,
            problems=tuple(problems),
            stale=tuple(sorted(self._stale)),
            inconsistencies=found,
        )

    def _control(self) -> tuple[Control | None, Handback | None]:
        """Control state and lock, judged again only when one of their files changed."""
        found = [self._get(self._controls, path) for path in self._files.control]
        documents = tuple(document for document in found if document is not None)
        if len(documents) != len(self._documents) or any(
            new is not old for new, old in zip(documents, self._documents, strict=True)
        ):
            self._documents = documents
            self._judged = (None, None)
            if documents:
                control = control_state(documents)
                record = guard_record(documents, f"{HOME}/{CONTROL}")
                self._judged = (control, judge_handback(record, control.active_milestone))
        return self._judged

    def _worktracks(self, control: Control | None) -> tuple[WorktrackGate, ...]:
        """All gates, the current one first, then by id, the highest (newest) first."""
        active = control.active_worktrack if control is not None and control.active_worktrack != "none" else ""
        linked = _linked(control) if active else ""
        ordered = sorted(self._files.worktracks, key=lambda files: not _may_be(files, active))
        found = [gate for files in ordered if (gate := self._worktrack(files, active, linked)) is not None]
        self._shown = {gate.path: self._shown[gate.path] for gate in found}
        found.sort(key=lambda gate: _natural(gate.id or gate.path), reverse=True)
        return tuple(sorted(found, key=lambda gate: not gate.current))

    def _worktrack(self, files: WorktrackFiles, active: str, linked: str) -> WorktrackGate | None:
        closeout = self._get(self._gates, files.closeout, limited=True)  # first: without it a closed gate looks open
        gate = self._get(self._gates, files.gate, limited=True)
        if gate is None:
            return None
        if closeout is not None and gate.id and closeout.id not in {gate.id, None}:
            closeout = None
        own = gate.id or files.owner
        named = own.casefold() == active.casefold() if own else gate.path.endswith(linked)
        current = not self._documents or (bool(active) and named)
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

    def _milestone_files(self, control: Control | None) -> tuple[Milestone, ...]:
        """All milestones, the active one first, then by id, the highest first, each with its composite acceptance."""
        active = control.active_milestone if control is not None else ""
        composites = {path.name: path for path in self._files.composites}
        found = []
        for path in sorted(self._files.milestones, key=lambda path: path.stem != active):
            milestone = self._get(self._milestones, path, limited=True)
            if milestone is None:
                continue
            word = self._get(self._composites, composites.get(f"{path.stem}-composite-acceptance.md"), limited=True)
            if word is not None:
                milestone = replace(milestone, gate=with_composite(milestone.gate, word))
            found.append(milestone)
        found.sort(key=lambda milestone: _natural(milestone.id), reverse=True)
        return tuple(sorted(found, key=lambda milestone: milestone.id != active))

    def _get(self, cache: Cache[T], path: Path | None, *, limited: bool = False) -> T | None:
        """The value of a file; None when there is none, or when it must wait for the next pass."""
        if path is None:
            return None
        text = str(path)
        if limited and text not in self._seen and self._left is not None:
            if self._left <= 0:
                self._skipped = True
                return None
            self._left -= 1
        self._seen.add(text)
        look = self._dirty is None or text in self._dirty
        reading = cache.get(text, self._layout.rel(path), look=look, clock=self._clock)
        if reading is None:
            return None
        if reading.stale:
            self._stale.add(self._layout.rel(path))
        return reading.value


def _may_be(files: WorktrackFiles, active: str) -> bool:
    """Whether a file may be that of the active worktrack, by its name alone."""
    return not files.owner or (bool(active) and files.owner.casefold() == active.casefold())


def _linked(control: Control | None) -> str:
    """The gate evidence that the control state names, to be compared with paths that were listed."""
    found = [field.value for field in control.fields if field.key == "gate_evidence"] if control is not None else []
    return "/" + found[-1].removeprefix("./").removeprefix(f"{HOME}/") if found and found[-1] else ""


def _natural(text: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in _DIGITS.split(text))


def _handback_problems(handback: Handback | None) -> list[Problem]:
    """Gaps that a line is to blame for: what is only missing is told by the gaps themselves."""
    if handback is None:
        return []
    return [
        Problem(gap.path, gap.line, "warning", "handback-gap", f"{gap.key}: {gap.why}")
        for gap in handback.gaps
        if gap.line is not None
    ]


def _whole(old: ServoDocument, new: ServoDocument) -> bool:
    """Whether a control file may replace the last one at once: it did not lose its end."""
    lost = len(new.headings) < len(old.headings)
    return not (lost and all(a.title == b.title for a, b in zip(old.headings, new.headings, strict=False)))


def _whole_gate(old: WorktrackGate, new: WorktrackGate) -> bool:
    return bool(new.axis_words or new.text or not (old.axis_words or old.text))


def _whole_index(old: Index, new: Index) -> bool:
    return bool(new.entries) or not old.entries or new.readable
