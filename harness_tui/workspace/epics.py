"""Reads the epics of a `.harness` folder: budgets, questions, unknowns (formats/interrupt-budget 1).

Epics are the folders below `.harness/features` and the files of `.harness/epics`, by their names on disk. Their writers
are not atomic: a file that turns unreadable keeps its last good reading, marked stale, for `HOLD` seconds.
"""

from __future__ import annotations

import os
from itertools import islice

from harness_tui.formats.decision_bundle import parse_bundle
from harness_tui.formats.decision_packet import parse_packet
from harness_tui.formats.epic_state import NOT_RECORDED, parse_epic_config, parse_epic_record, parse_epic_state
from harness_tui.formats.text import clean
from harness_tui.formats.unknowns import parse_assumption, parse_ledger
from harness_tui.model.epic import Epics
from harness_tui.model.frozen import frozen, replace
from harness_tui.model.problem import Problem
from harness_tui.model.typed import Generic, NamedTuple
from harness_tui.rules.budget import budget_of, budget_problems
from harness_tui.rules.decisions import decide
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.listing import Listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import Final, Protocol, TypeVar

    from harness_tui.model.budget import Budget
    from harness_tui.model.decision import Bundle, Decision, Packet
    from harness_tui.model.epic import EpicConfig, EpicRecord, EpicState
    from harness_tui.model.problem import Severity
    from harness_tui.model.unknown import Ledger, Unknown

    class _Parsed(Protocol):
        """What a parser gives: `unreadable` says why it could read nothing."""

        @property
        def unreadable(self) -> str: ...
        @property
        def problems(self) -> tuple[Problem, ...]: ...

    T = TypeVar("T", bound=_Parsed)
else:
    T = None

HOLD: Final = 10.0
"""Seconds for which an unreadable file keeps its last good reading; then it counts as what it is."""
WATCHED: Final = 12
"""Feature folders that are worth a watch, at most."""

_FEATURES: Final = ".harness/features"
_EPICS: Final = ".harness/epics"
_TASKS: Final = ".harness/tasks"
_CONFIG: Final = ".harness/config.json"
_STATE: Final = "state.json"
_OLD_BUDGET: Final = "interrupt-budget.json"


@frozen
class _Held(Generic[T]):
    """A reading; `stale` when it is the last good one of a file that can't be read now."""

    value: T
    stale: bool


class _Place(NamedTuple):
    """Where an epic is on disk."""

    folder: str | None
    record: str | None


@frozen
class _Files:
    """Readings of one epic's files; None where there is no such file."""

    state: _Held[EpicState] | None = None
    packet: _Held[Packet] | None = None
    bundle: _Held[Bundle] | None = None
    ledger: _Held[Ledger] | None = None
    record: _Held[EpicRecord] | None = None


@frozen
class _Epic:
    """What one epic comes to."""

    budget: Budget
    packet: Packet | None
    decisions: tuple[Decision, ...]
    unknowns: tuple[Unknown, ...]
    problems: tuple[Problem, ...]


class EpicReader:
    """Reads all epics again and again, in one thread. `epics` stays the same object as long as nothing changed."""

    def __init__(self, root: Path | str) -> None:
        self._layout = _EpicLayout(root)
        self._states = _LastGood(root, parse_epic_state)
        self._packets = _LastGood(root, parse_packet)
        self._bundles = _LastGood(root, parse_bundle)
        self._ledgers = _LastGood(root, parse_ledger)
        self._records = _LastGood(root, parse_epic_record)
        self._configs = _LastGood(root, parse_epic_config)
        self._tasks: Cache[Unknown | None] = Cache(root, _parse_task)
        self._places: dict[str, _Place] = {}
        self._judged: dict[str, tuple[tuple[_Files, int | None], _Epic]] = {}
        self._task_paths: list[str] = []
        self._old_budgets: tuple[Problem, ...] = ()
        self._known: set[str] = set()
        self._passes = 0
        self.epics = Epics()

    @property
    def unsettled(self) -> bool:
        """Whether a file looks half written and should be looked at again soon."""
        return any(files.holding for files in self._kinds())

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the files themselves report, what they say differently, and those that can't be read."""
        return self.epics.problems

    def knows(self, path: str) -> bool:
        """Whether `path` is a file that has been read."""
        return path in self._known

    def folders(self) -> list[Path]:
        """Existing folders in which a change matters, at most `WATCHED` of epics: those with open questions first."""
        from pathlib import Path  # noqa: PLC0415 - a guard watches nothing

        fixed = self._layout.fixed_folders()
        asking = {decision.epic_id for decision in self.epics.decisions if decision.state == "open"}
        done = {budget.epic_id for budget in self.epics.budgets if budget.stage == "DONE"}
        names = sorted((name for name in self._places if name not in done), key=lambda name: name not in asking)
        homes = (folder for name in names if (folder := self._places[name].folder) is not None)
        return [Path(folder) for folder in (*fixed, *islice(homes, WATCHED))]

    def refresh(self, dirty: frozenset[str] | None, clock: float) -> Epics:
        """All epics now. With `dirty` (absolute paths) only those files are looked at; `clock` is monotonic seconds."""
        if dirty is None or not self._passes:
            dirty = None
            self._list()
        elif not self.unsettled and self._known.isdisjoint(dirty):
            return self.epics
        self._passes += 1
        look = _Look(self._layout, dirty, clock)
        config = look.at(self._configs, self._layout.config) if self._places else None
        every = [self._epic(name, place, look, config) for name, place in self._places.items()]
        found = [epic for epic in every if epic is not None]
        assumptions = tuple(item for path in self._task_paths if (item := self._task(path, look)) is not None)
        problems = [*self._layout.problems, *self._old_budgets, *self._stale_problems()]
        problems += config.value.problems if config is not None else ()
        epics = Epics(
            budgets=tuple(epic.budget for epic in found),
            packets=tuple(epic.packet for epic in found if epic.packet is not None),
            decisions=tuple(item for epic in found for item in epic.decisions),
            unknowns=tuple(item for epic in found for item in epic.unknowns),
            assumptions=assumptions,
            problems=tuple(dict.fromkeys((*problems, *(item for epic in found for item in epic.problems)))),
        )
        if dirty is None:
            self._known = look.seen
            self._forget()
        if epics != self.epics:
            self.epics = epics
        return self.epics

    def _kinds(self) -> tuple[_LastGood[EpicState], ...]:
        return (self._states, self._packets, self._bundles, self._ledgers, self._records, self._configs)  # type: ignore[return-value]

    def _list(self) -> None:
        self._places = self._layout.places()
        self._task_paths = self._layout.tasks() if self._places else []
        old = [f"{place.folder}/{_OLD_BUDGET}" for place in self._places.values() if place.folder is not None]
        self._old_budgets = tuple(
            Problem(self._layout.rel(path), None, "info", "second-budget-file", "not read: state.json holds the budget")
            for path in old
            if os.path.lexists(path)
        )

    def _forget(self) -> None:
        for files in self._kinds():
            files.forget(self._known)
        self._judged = {name: known for name, known in self._judged.items() if name in self._places}
        self._tasks.forget(self._known)

    def _stale_problems(self) -> Iterator[Problem]:
        for files in self._kinds():
            yield from files.stale_problems()
        yield from self._tasks.stale_problems()

    def _task(self, path: str, look: _Look) -> Unknown | None:
        look.seen.add(path)
        reading = self._tasks.get(path, self._layout.rel(path), look=look.wants(path), clock=look.clock)
        return reading.value if reading is not None else None

    def _epic(self, name: str, place: _Place, look: _Look, config: _Held[EpicConfig] | None) -> _Epic | None:
        folder = place.folder
        files = _Files(
            state=look.at(self._states, folder and f"{folder}/{_STATE}"),
            packet=look.at(self._packets, folder and f"{folder}/decision-packet.json"),
            bundle=look.at(self._bundles, folder and f"{folder}/decision-bundle.json"),
            ledger=look.at(self._ledgers, folder and f"{folder}/unknowns-ledger.json"),
            record=look.at(self._records, place.record),
        )
        if files == _Files():
            return None
        key = (files, config.value.interrupt_budget if config is not None else None)
        known = self._judged.get(name)
        if known is None or known[0] != key:
            self._judged[name] = known = (key, _judge(name, f"{_FEATURES}/{name}/{_STATE}", *key))
        return known[1]


class _EpicLayout(Listing):
    """Lists the folders of epics."""

    @property
    def config(self) -> str:
        return self.place(_CONFIG)

    def fixed_folders(self) -> list[str]:
        folders = (self.place(name) for name in (_FEATURES, _EPICS, _TASKS))
        return [folder for folder in folders if os.path.isdir(folder)]  # noqa: PTH112 - answers no

    def places(self) -> dict[str, _Place]:
        """Epics by their cleaned names, sorted."""
        if not any(os.path.lexists(self.place(name)) for name in (_FEATURES, _EPICS)):
            self._problems.clear()
            return {}
        folders = {clean(item.name): item.path for item in self.entries(self.place(_FEATURES)) if item.kind == "folder"}
        records = {clean(item.name.removesuffix(".json")): item.path for item in self.json_files(_EPICS)}
        names = sorted({name for name in folders if not name.startswith(".")} | records.keys())
        return {name: _Place(folders.get(name), records.get(name)) for name in names}

    def tasks(self) -> list[str]:
        return [item.path for item in self.json_files(_TASKS)]


class _LastGood(Generic[T]):
    """Readings of one kind of file that keep the last good one while the file can't be read."""

    def __init__(self, root: Path | str, parse: Callable[[bytes, str], T]) -> None:
        self._parse = parse
        self._cache: Cache[T] = Cache(root, parse)
        self._good: dict[str, T] = {}
        self._since: dict[str, float] = {}

    @property
    def holding(self) -> bool:
        return bool(self._since)

    def get(self, path: str, name: str, *, look: bool, clock: float) -> _Held[T] | None:
        reading = self._cache.get(path, name, look=look or path in self._since, clock=clock)
        if reading is None:
            self._drop(path)
            return None
        broken = reading.stale or bool(reading.value.unreadable)
        if not broken:
            self._since.pop(path, None)
            self._good[path] = reading.value
            return _Held(reading.value, stale=False)
        good = self._good.get(path)
        if good is not None and clock - self._since.setdefault(path, clock) < HOLD:
            return _Held(good, stale=True)
        self._drop(path)
        return _Held(self._closed(name) if reading.stale else reading.value, stale=False)

    def forget(self, keep: Iterable[str]) -> None:
        kept = set(keep)
        self._cache.forget(kept)
        for path in [path for path in self._good if path not in kept]:
            self._drop(path)

    def stale_problems(self) -> tuple[Problem, ...]:
        return self._cache.stale_problems()

    def _closed(self, name: str) -> T:
        """The value of a file that can't be opened; why is told by `stale_problems`."""
        return replace(self._parse(b"", name), unreadable="it can't be opened", problems=())  # type: ignore[type-var]

    def _drop(self, path: str) -> None:
        self._good.pop(path, None)
        self._since.pop(path, None)


class _Look:
    """One pass: which files are looked at, and which were seen."""

    def __init__(self, layout: Listing, dirty: frozenset[str] | None, clock: float) -> None:
        self._layout = layout
        self._dirty = dirty
        self.clock = clock
        self.seen: set[str] = set()

    def wants(self, path: str) -> bool:
        return self._dirty is None or path in self._dirty

    def at(self, files: _LastGood[T], path: str | None) -> _Held[T] | None:
        if path is None:
            return None
        self.seen.add(path)
        return files.get(path, self._layout.rel(path), look=self.wants(path), clock=self.clock)


def _judge(name: str, path: str, files: _Files, configured: int | None) -> _Epic:
    state, record = files.state, files.record
    budget = budget_of(
        name,
        path,
        state.value if state is not None else None,
        record.value if record is not None else None,
        configured=configured,
        stale=state is not None and state.stale,
    )
    packet = files.packet
    decisions, differences = decide(
        name,
        packet.value if packet is not None else None,
        files.bundle.value if files.bundle is not None else None,
        state.value if state is not None else None,
    )
    problems = [*budget_problems(budget), *differences]
    for held in (state, packet, files.bundle, files.ledger, record):
        if held is not None:
            problems += held.value.problems
    if state is None:
        message = "this epic has no state.json: nothing is known of its stage and budget"
        problems.append(Problem(path, None, "warning", "no-epic-state", message))
    elif budget.state == "unreadable" and not state.value.unreadable:
        message = f"the interrupt budget can't be read: {budget.why}; it counts as 0 left until a person mends it"
        severity: Severity = "warning" if state.value.numbers.damage == NOT_RECORDED else "error"
        problems.append(Problem(path, None, severity, "unreadable-budget", message))
    shown = None if packet is None else replace(packet.value, stale=True) if packet.stale else packet.value
    unknowns = files.ledger.value.entries if files.ledger is not None else ()
    return _Epic(budget, shown, decisions, unknowns, tuple(problems))


def _parse_task(data: bytes, name: str) -> Unknown | None:
    """The task's assumption; its epic is what its file name says before the last number."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".json")
    return parse_assumption(data, name, stem.rpartition(".")[0] or stem)
