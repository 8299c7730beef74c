"""From a plan and its witnesses to a judged pool, doing again only what a change touches."""

from __future__ import annotations

from collections import Counter, defaultdict
from operator import attrgetter
from typing import TYPE_CHECKING

from harness_tui.model.differing import differing
from harness_tui.model.document import TaskGates
from harness_tui.model.frozen import field, frozen, record
from harness_tui.model.pool import Pool, PoolReport, Task
from harness_tui.rules.frontier import BLOCKING_CODES, waits
from harness_tui.rules.graph import find_rings
from harness_tui.rules.pool_check import check
from harness_tui.rules.status import Judgement, Witnesses, judge, speaks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from harness_tui.model.board import Board, BoardRow
    from harness_tui.model.document import Delivery, StageDoc, Verdict
    from harness_tui.model.feature import Feature
    from harness_tui.model.log import Log
    from harness_tui.model.pool import Plan, PlanRow, PoolKind, Status
    from harness_tui.model.problem import Problem
    from harness_tui.model.report import Report, ReportRow
    from harness_tui.model.task_state import TaskState

_NAMED = 8
_GATE_STAGE = {3: "gate_review", 5: "code_review", 6: "qa"}


@frozen
class PoolInputs:
    """Everything that speaks about the rows of one pool. Mappings are keyed by slug."""

    features: Mapping[str, Feature]
    log: Log | None
    boards: Sequence[Board]
    report: Report | None
    states: Mapping[str, TaskState]


@record
class _Structure:
    """What depends on ids, slugs and dependencies alone: it stays while only other cells change."""

    index: dict[str, list[int]] = field(default_factory=dict)
    slugs: Counter[str] = field(default_factory=Counter)
    dependents: dict[str, list[int]] = field(default_factory=dict)
    rings: tuple[tuple[str, ...], ...] = ()
    ring_of: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


class PoolJudge:
    """Judges one pool again and again; rows, witnesses and answers of the last time are kept.

    The result is the same as that of a fresh judge (a property test holds that); only its cost is less.
    """

    def __init__(self, pool_id: str, kind: PoolKind) -> None:
        self._id = pool_id
        self._kind: PoolKind = kind
        self._plan: Plan | None = None
        self._witnesses: list[Witnesses] = []
        self._judgements: list[Judgement] = []
        self._tasks: list[Task] = []
        self._structure = _Structure()
        self._row_problems: dict[int, tuple[Problem, ...]] = {}
        self._inputs: PoolInputs | None = None
        self._reported: dict[tuple[str, str], ReportRow] = {}
        self._last: Pool | None = None

    def judge(self, plan: Plan, inputs: PoolInputs) -> Pool:
        """The pool without its frontier, which depends on whether a run is alive (`rules.frontier`)."""
        old = self._plan
        new_rows = differing(old.rows, plan.rows) if old is not None else []
        structure_stays = old is not None and _same_structure(old.rows, plan.rows, new_rows)
        if not structure_stays:
            self._structure = _structure(plan)
        problems_stay = structure_stays and old is not None and old.problems == plan.problems
        if not problems_stay:
            self._row_problems = _by_line(plan.problems + self._structure.problems)
        if self._inputs is None or self._inputs.report is not inputs.report:
            self._reported = _report_rows(inputs.report)
        changed = self._judge_rows(plan, inputs, old if structure_stays else None, new_rows)
        same = plan is old and problems_stay and not changed and self._inputs is not None
        same = same and self._inputs is not None and self._inputs.report is inputs.report
        self._plan, self._inputs = plan, inputs
        if same and self._last is not None:
            return self._last
        self._build_tasks(plan, changed if problems_stay else range(len(plan.rows)))
        self._last = self._pool(plan, inputs)
        return self._last

    def _judge_rows(self, plan: Plan, inputs: PoolInputs, old: Plan | None, new_rows: list[int]) -> list[int]:
        """Judge the rows that may have changed; returns the positions whose judgement or row is new.

        `new_rows` are those that are not the objects that they were in `old`.
        """
        rows = plan.rows
        if old is None or self._inputs is None:
            self._witnesses = [self._witness(row, inputs) for row in rows]
            self._judgements = [
                judge(row, plan.path, witness) for row, witness in zip(rows, self._witnesses, strict=True)
            ]
            self._tasks = []
            return list(range(len(rows)))
        asked = self._asked(self._inputs, inputs, len(rows))
        changed: list[int] = []
        for place in asked:
            witness = self._witness(rows[place], inputs)
            if witness != self._witnesses[place]:
                self._witnesses[place] = witness
                changed.append(place)
        changed += [place for place in new_rows if rows[place] != old.rows[place]]
        for place in changed:
            self._judgements[place] = judge(rows[place], plan.path, self._witnesses[place])
        return changed

    def _asked(self, old: PoolInputs, new: PoolInputs, count: int) -> Iterable[int]:
        """Positions of the rows whose witnesses may differ: those of the log's changed tasks, or all."""
        others = (old.features, old.boards, old.report, old.states), (new.features, new.boards, new.report, new.states)
        same_others = all(a is b for a, b in zip(*others, strict=True))
        if not same_others or old.log is None or new.log is None or old.log.path != new.log.path:
            return () if same_others and old.log is new.log else range(count)
        if old.log.tasks is new.log.tasks:
            return ()
        known = old.log.tasks
        names = [name for name, item in new.log.tasks.items() if known.get(name) is not item]
        names += [name for name in known if name not in new.log.tasks]
        return [place for name in names for place in self._structure.index.get(name, ())]

    def _witness(self, row: PlanRow, inputs: PoolInputs) -> Witnesses:
        """What speaks about `row`. What goes by a doubled slug or id speaks about none of its rows."""
        own_id = len(self._structure.index[row.id]) == 1
        own_slug = self._structure.slugs[row.slug] == 1
        log, report = inputs.log, inputs.report
        task_log = log.tasks.get(row.id) if log is not None and own_id else None
        board = _board_row(inputs.boards, row.slug) if own_slug else None
        told = self._reported.get((row.id, row.slug)) if own_id or own_slug else None
        return Witnesses(
            feature=inputs.features.get(row.slug) if own_slug else None,
            log=task_log if task_log is not None and speaks_of(task_log, row.slug) else None,
            log_path=log.path if log is not None else "",
            board=board[1] if board else None,
            board_path=board[0] if board else "",
            report=told,
            report_path=report.path if report is not None and told is not None else "",
            state=inputs.states.get(row.slug) if own_slug else None,
        )

    def _build_tasks(self, plan: Plan, changed: Iterable[int]) -> None:
        rows, structure = plan.rows, self._structure
        again = set(changed)
        for place in tuple(again):
            again.update(structure.dependents.get(rows[place].id, ()))
        if len(self._tasks) != len(rows):
            self._tasks = [self._task(place, rows[place]) for place in range(len(rows))]
            return
        for place in again:
            self._tasks[place] = self._task(place, rows[place])

    def _task(self, place: int, row: PlanRow) -> Task:
        judgement, witness = self._judgements[place], self._witnesses[place]
        problems = self._row_problems.get(row.line, ())
        waiting = waits(row, self._structure.index, self._status, self._structure.ring_of)
        barred = row.malformed or any(problem.code in BLOCKING_CODES for problem in problems)
        feature = witness.feature
        documents, delivery = _own_documents(feature), _own_delivery(feature)
        return Task(
            id=row.id, slug=row.slug, goal=row.goal, mode=row.mode,
            depends_on=row.depends_on, depends_text=row.depends_text,
            status=row.status, status_text=row.status_text,
            effective_status=judgement.status, decided_by=judgement.source,
            drift=judgement.drift, evidence=judgement.evidence,
            runnable=judgement.status == "pending" and not waiting and not barred,
            waiting_on=waiting if judgement.status not in ("done", "skipped") else (),
            stage=_stage(documents, delivery, witness.state), rollbacks=_rollbacks(witness, delivery),
            gates=_gates(documents, delivery),
            line=row.line, problems=problems, touched_at=_touched(witness, judgement.status),
            folder=feature.folder if feature else None,
            documents=tuple(document.path for document in documents),
            attempts=witness.log.attempts if witness.log else 0,
        )  # fmt: skip

    def _status(self, place: int) -> Status:
        return self._judgements[place].status

    def _pool(self, plan: Plan, inputs: PoolInputs) -> Pool:
        report = inputs.report
        return Pool(
            id=self._id,
            path=plan.path,
            kind=self._kind,
            title=plan.title,
            tasks=tuple(self._tasks),
            tally=dict(Counter(map(attrgetter("status"), self._judgements))),
            cycles=self._structure.rings,
            notes=plan.notes,
            problems=plan.problems + self._structure.problems,
            report=PoolReport(report.path, report.needs_input, report.verify, report.stop_reason) if report else None,
            readable=plan.table,
        )


def _same_structure(old: tuple[PlanRow, ...], new: tuple[PlanRow, ...], places: list[int]) -> bool:
    """`places` are those of the rows that are not the same object."""
    if len(old) != len(new):
        return False
    return all(
        a.id == b.id and a.slug == b.slug and a.depends_on == b.depends_on and a.line == b.line
        and a.mode == b.mode and a.malformed == b.malformed
        for a, b in ((old[place], new[place]) for place in places)
    )  # fmt: skip


def _structure(plan: Plan) -> _Structure:
    index: defaultdict[str, list[int]] = defaultdict(list)
    dependents: defaultdict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(plan.rows):
        index[row.id].append(place)
        for name in row.depends_on:
            dependents[name].append(place)
    rings = find_rings(plan.rows)
    ring_of = {name: text for ring in rings for text in (_ring_text(ring),) for name in ring}
    return _Structure(
        dict(index), Counter(row.slug for row in plan.rows), dict(dependents), rings, ring_of, check(plan)
    )


def _ring_text(ring: tuple[str, ...]) -> str:
    return ", ".join(ring[:_NAMED]) + (f" and {len(ring) - _NAMED} more" if len(ring) > _NAMED else "")


def _by_line(problems: tuple[Problem, ...]) -> dict[int, tuple[Problem, ...]]:
    found: defaultdict[int, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.line is not None:
            found[problem.line].append(problem)
    return {line: tuple(items) for line, items in found.items()}


def _board_row(boards: Sequence[Board], slug: str) -> tuple[str, BoardRow] | None:
    """The board's row of `slug`: an active row counts before a completed one (ids there are another number space)."""
    found = [(board.path, row) for board in boards for row in board.by_slug(slug)]
    return next((item for item in found if item[1].active), found[0] if found else None)


def _report_rows(report: Report | None) -> dict[tuple[str, str], ReportRow]:
    """The report's rows by id and slug; where it tells of a task twice, the first."""
    rows = report.rows if report is not None else ()
    return {(row.task_id, row.slug): row for row in reversed(rows)}


def _own_documents(feature: Feature | None) -> tuple[StageDoc, ...]:
    """The documents of this task: with stage documents in the live folder, archived ones are an earlier task's."""
    if feature is None or feature.archived:
        return feature.documents if feature else ()
    live = tuple(document for document in feature.documents if document.path.startswith(f"{feature.folder}/"))
    return live if any(document.stage for document in live) else feature.documents


def _own_delivery(feature: Feature | None) -> Delivery | None:
    return feature.delivery if feature is not None and not feature.superseded else None


def _stage(documents: Sequence[StageDoc], delivery: Delivery | None, state: TaskState | None) -> int:
    stages = [document.stage for document in documents]
    if delivery is not None:
        stages.append(7)
    if state is not None:
        stages.append(state.stage)
    return max(stages, default=0)


def _rollbacks(witness: Witnesses, delivery: Delivery | None) -> int | None:
    """As the delivery document states it; before there is one, the worst of log and counters."""
    if delivery is not None and delivery.rollbacks is not None:
        return delivery.rollbacks
    found = [witness.log.rollbacks if witness.log else None, witness.state.rollbacks if witness.state else None]
    return max((value for value in found if value is not None), default=None)


def _gates(documents: Sequence[StageDoc], delivery: Delivery | None) -> TaskGates:
    found: dict[str, Verdict] = {}
    for document in documents:
        name = _GATE_STAGE.get(document.stage)
        if name and document.verdict:
            found[name] = document.verdict
    if delivery is not None and delivery.verdict is not None:
        found["delivery"] = delivery.verdict
    return TaskGates(**found) if found else _NO_GATES


def _touched(witness: Witnesses, status: Status) -> datetime | None:
    logged = witness.log.last.at if witness.log and witness.log.last else None
    changed = witness.feature.modified_at if witness.feature else None
    if logged is None or (changed is not None and status == "in-progress" and changed > logged):
        return changed
    return logged


_NO_GATES = TaskGates()
