"""Everything about the selected task."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from harness_tui.model.stream import Stream
from harness_tui.tui.bindings import bindings
from harness_tui.tui.facts_task import task_facts
from harness_tui.tui.messages import Answered, OpenSource
from harness_tui.tui.widgets.fact_list import FactList
from harness_tui.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from harness_tui.model.log import Log, LogEntry
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.workspace.live import Live
    from harness_tui.workspace.reader import Reader


class TaskList(FactList, inherit_bindings=False):
    """The facts of one task."""

    BINDINGS = bindings("list", "task")

    def __init__(self) -> None:
        super().__init__(id="task-list", empty="Select a task to see everything about it.")
        self.newest_document: str | None = None

    def action_open_document(self) -> None:
        """Open the newest stage document of the task."""
        if self.newest_document is None:
            self.notify("this task has no stage document yet", markup=False)
        else:
            self.post_message(OpenSource(self.newest_document, None))


class TaskPanel(Panel):
    """Shows the task that is selected in the table; asks the reader for its log lines and git for changed files."""

    def __init__(self) -> None:
        super().__init__(2, "Task", id="task")
        self.list = TaskList()
        self.list.add_class("keys", update=False)
        self._live: Live | None = None
        self._key: tuple[str, str] | None = None
        self._entries: tuple[LogEntry, ...] = ()
        self._changed: tuple[str, ...] | None = None
        self._asked_at = -1
        self._shown: tuple[Snapshot, Pool, Task] | None = None
        self._state: tuple[object, ...] = ()
        self._now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def compose(self) -> ComposeResult:
        """The list."""
        yield self.list

    def follow(self, live: Live, now: Callable[[], datetime]) -> None:
        """Whom to ask for what is not in the snapshot, and for the time."""
        self._live, self._now = live, now

    def show(self, snapshot: Snapshot, pool: Pool | None, task: Task | None, now: datetime) -> None:
        """Show `task` of `pool`; nothing is drawn while the panel is hidden."""
        facts = self.list
        if pool is None or task is None:
            self._key, self._shown = None, None
            facts.show(())
            self.name_panel("Task")
            return
        key = (pool.id, task.id)
        fresh = key != self._key
        if fresh:
            self._key, self._entries, self._changed, self._asked_at = key, (), None, -1
        stream = snapshot.streams.get(pool.id, Stream())
        state = (pool, task, stream, self._entries, self._changed, now.replace(second=0, microsecond=0))
        self._shown = (snapshot, pool, task)
        log = next((log for log in snapshot.logs if log.pool_id == pool.id), None)
        self._ask(log, task)
        facts.newest_document = max(task.documents, key=_stage_first, default=None)
        if state == self._state and not fresh:
            return
        self._state = state
        path = log.path if log is not None else ""
        found = task_facts(pool, task, stream, now, entries=self._entries, log_path=path, changed=self._changed)
        facts.show(found, top=fresh)
        self.name_panel(f"Task {task.id}")

    def _ask(self, log: Log | None, task: Task) -> None:
        """Ask again for the task's log lines when the log has grown."""
        if log is None or self._live is None or log.size == self._asked_at or not log.complete:
            return
        self._asked_at = log.size
        path, key = f"{self._root}/{log.path}", self._key

        def job(reader: Reader) -> bool:
            entries = tuple(reader.logs.last_entries(path, task.id))
            self.post_message(Answered(lambda: self._have_entries(key, entries)))
            return True

        self._live.ask(job)
        entry = log.tasks.get(task.id)
        began = entry.dispatch.at if entry is not None and entry.dispatch is not None else None
        if began is not None and task.effective_status == "in-progress":

            def reply(names: tuple[str, ...] | None) -> None:
                self.post_message(Answered(lambda: self._have_changed(key, names)))

            self._live.ask_changed_files(began, reply)

    @property
    def _root(self) -> str:
        return self._shown[0].root if self._shown else ""

    def _have_entries(self, key: tuple[str, str] | None, entries: tuple[LogEntry, ...]) -> None:
        if key == self._key and entries != self._entries:
            self._entries = entries
            self._again()

    def _have_changed(self, key: tuple[str, str] | None, names: tuple[str, ...] | None) -> None:
        if key == self._key and names != self._changed:
            self._changed = names
            self._again()

    def _again(self) -> None:
        if self._shown is not None:
            snapshot, pool, task = self._shown
            self.show(snapshot, pool, task, self._now())

    def on_answered(self, event: Answered) -> None:
        """An answer came back."""
        event.stop()
        event.use()


def _stage_first(path: str) -> tuple[bool, str]:
    """Order of documents by stage; those of no stage come before all others."""
    name = path.rsplit("/", 1)[-1]
    return name[:2].isdigit(), name
