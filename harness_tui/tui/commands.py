"""The command palette: every action, every pool, and the tasks of the pool on view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import DiscoveryHit, Hit, Provider

from harness_tui.formats.text import counted
from harness_tui.tui.actions import ACTIONS, signs
from harness_tui.tui.facts import Fact
from harness_tui.tui.messages import READER_NAME
from harness_tui.tui.screens.main import PANELS
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from harness_tui.tui.actions import Action

_MOST_TASKS = 2000
_SCREENS = ("reader", "decisions", "signals")
"""Areas whose keys work on one screen only."""


def _words(text: str) -> Any:
    """A help text. Declared as a str, which the palette would read as markup; content it takes as it is."""
    return literal(text)


class DashboardCommands(Provider):
    """What can be found by typing a part of its name."""

    async def discover(self) -> AsyncIterator[DiscoveryHit]:
        """Before anything is typed: the actions."""
        for name, about, run in self._actions():
            yield DiscoveryHit(literal(name), run, text=name, help=_words(about))

    async def search(self, query: str) -> AsyncIterator[Hit]:
        """All that match `query`, best first."""
        matcher = self.matcher(query)
        for name, about, run in (*self._actions(), *self._pools(), *self._tasks()):
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, literal(name), run, text=name, help=_words(about))

    def _actions(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        here = {READER_NAME: "reader", "page-decisions": "decisions", "page-signals": "signals"}.get(
            self.screen.name or ""
        )
        for action in ACTIONS:
            elsewhere = action.area in ("list", "inbox", "dialog") or (action.area in _SCREENS and action.area != here)
            if elsewhere or action.id == "command_palette":
                continue
            yield f"{action.label} ({signs(action)})", action.help, partial(self._press, action)

    def _pools(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        app: Any = self.app
        for pool in app.snapshot.pools if app.snapshot else ():
            yield (
                f"pool {pool.id}",
                f"{pool.kind} pool, {counted(len(pool.tasks), 'task')}",
                partial(app.action_open_pool, pool.id),
            )

    def _tasks(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        app: Any = self.app
        pool = app.main.pool
        for task in pool.tasks[:_MOST_TASKS] if pool is not None else ():
            run = partial(app.open_fact, Fact(literal(task.id), pool_id=pool.id, task_id=task.id))
            yield f"{task.id} {task.slug}", task.goal[:80], run

    def _press(self, action: Action) -> None:
        """Press its key, in the panel whose action it is."""
        app: Any = self.app
        if app.screen is app.main and action.area in PANELS:
            app.main.go_to(action.area)
        app.call_later(app.simulate_key, action.keys[0])
