"""The table of a pool's tasks, in plan order, sorted or filtered."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from textual.message import Message

from harness_tui.model.pool import STATUSES, Task
from harness_tui.rules.interest import of_interest
from harness_tui.rules.span import age
from harness_tui.rules.stream import shown_status
from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts_task import stage_track, status_words
from harness_tui.tui.widgets.columns import Column
from harness_tui.tui.widgets.row_table import RowTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness_tui.model.pool import Pool, Status
    from harness_tui.model.stream import Stream

COLUMNS: Final = (
    Column("id", "ID", width=6, priority=10),
    Column("status", "Status", width=13, priority=9),
    Column("drift", "≠", width=1, priority=8, sortable=False),
    Column("slug", "Slug", min_width=24, weight=2, priority=7),
    Column("stage", "Stage", width=7, priority=6),
    Column("age", "Age", width=4, align="right", priority=5),
    Column("depends", "Depends on", width=11, priority=3),
    Column("mode", "Mode", width=4, priority=2),
    Column("goal", "Goal", min_width=20, weight=3, priority=1, sortable=False),
)
_ORDER: Final = ("plan", "status", "id", "slug", "stage", "age")
_AHEAD: Final = ">now"
"""Stands for `future`, which the column has no room for."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_URGENCY: Final[dict[Status, int]] = {
    "needs-human": 0, "failed": 1, "blocked": 2, "in-progress": 3, "unknown": 4, "pending": 5, "skipped": 6, "done": 7,
}  # fmt: skip
_SORT: Final[dict[str, Callable[[Task], Any]]] = {
    "status": lambda task: _URGENCY[task.effective_status],
    "id": lambda task: task.id,
    "slug": lambda task: task.slug,
    "stage": lambda task: -task.stage,
    "age": lambda task: -(task.touched_at or _NEVER).timestamp() if task.touched_at else float("inf"),
    "mode": lambda task: task.mode,
    "depends": lambda task: len(task.depends_on),
}


class PoolTable(RowTable[Task]):
    """One pool. Filter and sort are view state: the plan's own order is the order of dispatch."""

    BINDINGS = bindings("list", "pool")

    class ViewChanged(Message):
        """Sort or filter changed; the panel's title tells them."""

    def __init__(self) -> None:
        super().__init__(
            COLUMNS, key=lambda task: (task.id, task.slug), cells=self._task_cells, id="pool-table",
            empty="No pool yet.\n\nLooked for docs/batches/<pool>/BATCH_PLAN.md",
        )  # fmt: skip
        self.pool: Pool | None = None
        self._stream: Stream | None = None
        self.sort_key = "plan"
        self.descending = False
        self.text_filter = ""
        self.status_only: Status | None = None
        self._now = datetime.now(UTC)

    def show(self, pool: Pool | None, now: datetime, stream: Stream | None = None) -> None:
        """Show `pool`, or that there is none; `stream` says whether what is in progress is being worked on."""
        same = pool is not None and self.pool is not None and pool.id == self.pool.id
        older = now.replace(second=0, microsecond=0) != self._now.replace(second=0, microsecond=0)
        self.pool, self._now = pool, now
        state = (self._stream.state if self._stream is not None else None) if same else None
        self._stream = stream
        if stream is not None and state not in (None, stream.state):
            self.redraw()
        elif older:
            self.redraw_rows(lambda task: task.touched_at is not None)
        if not same:
            self.set_columns(_columns(pool))
        self._say_empty()
        self.set_rows(self._view())
        if not same:
            self.move_to(of_interest(self.rows))

    def set_filter(self, text: str) -> None:
        """Show only rows in which `text` stands in any column; with `!` in front those in which it does not."""
        self.text_filter = text
        self.set_highlight(text if text and not text.startswith("!") else None)
        self._say_empty()
        self.set_rows(self._view())

    def show_only(self, status: Status | None) -> None:
        """Show only rows of one effective status; None shows all."""
        self.status_only = status
        self._say_empty()
        self.set_rows(self._view())

    def select_task(self, task_id: str) -> bool:
        """Put the cursor on a task; a filter that hides it is cleared."""
        if self._go(task_id):
            return True
        if self.pool is not None and any(task.id == task_id for task in self.pool.tasks):
            self.status_only = None
            self.set_filter("")
            return self._go(task_id)
        return False

    @property
    def filter_words(self) -> str:
        """What is filtered, in words; empty when nothing is."""
        parts = [f"only {shown_status(self.status_only, self._stream)}"] if self.status_only else []
        if self.text_filter:
            parts.append(
                f"without “{self.text_filter[1:]}”" if self.text_filter.startswith("!") else f"“{self.text_filter}”"
            )
        return ", ".join(parts)

    @property
    def current_line(self) -> str:
        """The current row as text; empty without one."""
        return self._line(self.current) if self.current is not None else ""

    @property
    def lines(self) -> list[str]:
        """The rows in view as text."""
        return [self._line(task) for task in self.rows]

    def action_sort(self) -> None:
        """Sort by the next column."""
        place = _ORDER.index(self.sort_key) if self.sort_key in _ORDER else 0
        self.sort_by(_ORDER[(place + 1) % len(_ORDER)])

    def action_status_filter(self) -> None:
        """Show only the next status that occurs, then all."""
        if self.pool is None:
            return
        present: list[Status | None] = [None, *(word for word in STATUSES if self.pool.tally.get(word))]
        place = present.index(self.status_only) if self.status_only in present else 0
        self.show_only(present[(place + 1) % len(present)])
        self.post_message(self.ViewChanged())

    def sort_by(self, key: str, *, descending: bool = False) -> None:
        """Sort by a column; `plan` is the order of the file."""
        self.sort_key, self.descending = key, descending
        self.set_sort(None if key == "plan" else key, descending=descending)
        self.set_rows(self._view())
        self.post_message(self.ViewChanged())

    def on_row_table_header_selected(self, event: RowTable.HeaderSelected) -> None:
        """A click on a label sorts by it, the next one turns it round, the third goes back to plan order."""
        event.stop()
        if self.sort_key != event.key:
            self.sort_by(event.key)
        elif not self.descending:
            self.sort_by(event.key, descending=True)
        else:
            self.sort_by("plan")

    def _go(self, task_id: str) -> bool:
        for index, task in enumerate(self.rows):
            if task.id == task_id:
                self.move_to(index)
                return True
        return False

    def _view(self) -> Sequence[Task]:
        if self.pool is None:
            return ()
        rows: Sequence[Task] = self.pool.tasks
        if self.status_only is not None:
            rows = [task for task in rows if task.effective_status == self.status_only]
        if self.text_filter.strip("!"):
            wanted = self.text_filter.removeprefix("!").casefold()
            inverse = self.text_filter.startswith("!")
            rows = [task for task in rows if (wanted in self._line(task).casefold()) is not inverse]
        if self.sort_key != "plan":
            rows = sorted(rows, key=_SORT[self.sort_key], reverse=self.descending)
        return rows

    def _line(self, task: Task) -> str:
        """A row as text: what filter and clipboard see."""
        words = f"{task.id}  {task.slug}  {shown_status(task.effective_status, self._stream)}  {task.status_text}"
        return f"{words}  {task.mode}  {task.depends_text}  {task.goal}"

    def _say_empty(self) -> None:
        pool = self.pool
        if pool is None:
            self.set_empty(
                "No pool here yet.\n\nLooked for docs/batches/<pool>/BATCH_PLAN.md below the workspace.\n"
                "Create one, or press : and look at another pool; harness-tui demo shows what it would look like."
            )
        elif not pool.readable:
            problem = next((item for item in pool.problems if item.severity == "error"), None)
            why = f"{problem.path}:{problem.line or 1}\n{problem.message}" if problem else "its plan has no task table"
            self.set_empty(f"This pool can't be read.\n\n{why}")
        elif pool.tasks:
            self.set_empty(f"No row matches {self.filter_words}.\n\nEsc shows all {len(pool.tasks)} again.")
        else:
            self.set_empty(f"This pool has no tasks yet.\n\nA adds one, and so does a row in\n{pool.path}")

    def _task_cells(self, task: Task) -> tuple[tuple[str, str], ...]:
        status = task.effective_status
        words, style = status_words(task, self._stream)
        depends = ", ".join(task.depends_on) if task.depends_on else task.depends_text.strip("—–- ")
        return (
            (task.id, style if status in ("in-progress", "needs-human", "failed") else ""),
            (words, style),
            (
                "≠" if task.drift else "!" if any(p.severity == "error" for p in task.problems) else "",
                "$text-warning bold",
            ),
            (task.slug, "$text-muted" if status in ("done", "skipped") else ""),
            (stage_track(task), "$text-muted" if status in ("done", "skipped") else "$text-accent"),
            (age(task.touched_at, self._now).replace("future", _AHEAD), "$text-muted"),
            (depends, "$text-warning" if task.waiting_on else "$text-muted"),
            (task.mode, "$text-muted"),
            (task.goal, "$text-muted" if status in ("done", "skipped") else ""),
        )


def _columns(pool: Pool | None) -> tuple[Column, ...]:
    """The columns with the width of the ids that this pool has (a sample of its first rows)."""
    if pool is None:
        return COLUMNS
    sample = pool.tasks[:200]
    ids = max((len(task.id) for task in sample), default=4)
    depends = max((len(", ".join(task.depends_on)) for task in sample), default=4)
    widths = {"id": max(4, min(ids, 12)), "depends": max(10, min(depends, 14))}
    return tuple(
        Column(c.key, c.label, width=widths.get(c.key, c.width), min_width=c.min_width, align=c.align,
               priority=c.priority, sortable=c.sortable, weight=c.weight)
        for c in COLUMNS
    )  # fmt: skip
