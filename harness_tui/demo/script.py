"""The actor: a thread that plays the story in a sample workspace, again and again."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from harness_tui.demo import past, workspace
from harness_tui.demo.desk import Desk
from harness_tui.demo.story import Story
from harness_tui.workspace.process import own_claim

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FIRST_REST = 0.85
"""Seconds before the first change, so that a dashboard can show the workspace at rest."""
LAST_REST = 8.0
"""Seconds between the end of the story and its next beginning."""


class Actor(threading.Thread):
    """Plays the story in `folder`, which `workspace.build` made.

    `speed` divides all rests: at 1.0 the story takes about 100 seconds. `loop` plays it again from a rebuilt
    workspace until `stop`. `sleep` rests for some seconds and returns True when the actor shall end; `now` is the
    clock in UTC. `finished` is set when the actor has ended, whatever the reason; `errors` holds what went wrong.
    """

    def __init__(
        self,
        folder: Path,
        *,
        speed: float = 1.0,
        loop: bool = True,
        sleep: Callable[[float], bool] | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be greater than 0, not {speed}")
        super().__init__(name="harness-tui-demo", daemon=True)
        self.finished = threading.Event()
        self.errors: list[Exception] = []
        self._folder = folder
        self._speed = speed
        self._loop = loop
        self._stopping = threading.Event()
        self._sleep = sleep or self._stopping.wait
        self._now = now or (lambda: datetime.now(UTC))

    def run(self) -> None:
        """Play until the story is over or `stop` is called. Never raises and never prints."""
        try:
            self._play()
        except Exception as error:  # noqa: BLE001 - the dashboard goes on without its actor and can tell why
            self.errors.append(error)
        finally:
            self.finished.set()

    def stop(self, timeout: float = 5.0) -> None:
        """End the story where it stands and wait at most `timeout` seconds for the thread. May be called twice."""
        self._stopping.set()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(timeout)

    def _play(self) -> None:
        while not self._rest(FIRST_REST) and self._run_once() and self._loop and not self._rest(LAST_REST):
            workspace.rebuild(self._folder)

    def _run_once(self) -> bool:
        """Play the story once; False when it was ended early."""
        with closing(Story(Desk(self._folder, self._now), _lease()).play()) as steps:
            return not any(self._rest(pause) for pause in steps)

    def _rest(self, seconds: float) -> bool:
        return self._sleep(seconds / self._speed) or self._stopping.is_set()


def _lease() -> str:
    """Text of a run lock that names this process."""
    return json.dumps(own_claim(past.POOL), indent=2) + "\n"
