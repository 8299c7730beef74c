"""The command palette: every action, every pool, and the tasks of the pool on view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import DiscoveryHit, Hit, Provider

from harness_tui.tui.actions import ACTIONS, signs
from harness_tui.tui.facts import Fact
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

_MOST_TASKS = 2000


class DashboardCommands(Provider):
    """What can be found by typing a part of its name."""

    async def discover(self) -> AsyncIterator[DiscoveryHit]:
        """Before anything is typed: the actions."""
        for name, about, run in self._actions():
            yield DiscoveryHit(literal(name), run, text=name, help=about)

    async def search(self, query: str) -> AsyncIterator[Hit]:
        """All that match `query`, best first."""
        matcher = self.matcher(query)
        for name, about, run in (*self._actions(), *self._pools(), *self._tasks()):
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, literal(name), run, text=name, help=about)

    def _actions(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        for action in ACTIONS:
            if action.area != "list" and action.id != "command_palette":
                yield f"{action.label} ({signs(action)})", action.help, partial(self._press, action.keys[0])

    def _pools(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        app: Any = self.app
        for pool in app.snapshot.pools if app.snapshot else ():
            yield (
                f"pool {pool.id}",
                f"{pool.kind} pool, {len(pool.tasks)} tasks",
                partial(app.action_open_pool, pool.id),
            )

    def _tasks(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        app: Any = self.app
        pool = app.main.pool
        for task in pool.tasks[:_MOST_TASKS] if pool is not None else ():
            run = partial(app.open_fact, Fact(literal(task.id), pool_id=pool.id, task_id=task.id))
            yield f"{task.id} {task.slug}", task.goal[:80], run

    def _press(self, key: str) -> None:
        self.app.simulate_key(key)
