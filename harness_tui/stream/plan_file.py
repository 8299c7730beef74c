"""The pool's plan while a run works on it: one cell at a time, beside other editors (CONTRACT rule 2).

The log says first what happened, and is brought to the disk; the plan follows. So that a long pool costs no more than a
short one, cells of tasks that come in quick succession are written together, never later than `LAG` seconds and never
after the run has rested or ended. What a person has changed meanwhile is respected.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.formats.plan_edit import NewRow, add_row, set_statuses
from harness_tui.formats.pool import PlanParser
from harness_tui.model.refusal import Refused
from harness_tui.rules.schedule import key_of
from harness_tui.workspace.atomic import ChangedError, WriteError, read_target, replace_file
from harness_tui.workspace.signature import signature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from harness_tui.model.pool import Plan, PlanRow, Status, Task
    from harness_tui.rules.schedule import Key
    from harness_tui.workspace.signature import Signature

LAG: Final = 0.25
"""Seconds for which a cell may wait for others."""
GRACE: Final = 1.0
"""Seconds for which a row that is not there may still appear: an editor may be in the middle of a save."""
_TRIES: Final = 50
_PAUSE: Final = 0.02


class _Wish(NamedTuple):
    """A cell that is to be changed: from what it was when we last knew it, to what."""

    was: Status
    status: Status


class PlanFile:
    """`BATCH_PLAN.md` of one pool. `say` is told in a sentence when a wish gives way to somebody else's change."""

    def __init__(self, path: Path, name: str, root: Path, say: Callable[[str], None]) -> None:
        self._path = path
        self._root = root
        self._say = say
        self._parser = PlanParser(name)
        self._seen: Signature | None = None
        self._known: dict[Key, Status] = {}
        self._wishes: dict[Key, _Wish] = {}
        self._written = -LAG
        self.name = name

    def changed(self) -> bool:
        """Whether somebody else may have changed the file since it was last taken note of."""
        return signature(self._path) != self._seen

    def look(self) -> None:
        """Take note of the file as it is now."""
        self._seen = signature(self._path)

    def put(self, task: Task, status: Status, *, now: float, at_once: bool = False) -> Status | None:
        """Have the cell of `task` say `status`; written now, or together with those that follow soon.

        Returns what it says then, as far as that is known: `status`, what somebody made it, None without a row.
        """
        key = key_of(task)
        was = self._wishes[key].was if key in self._wishes else self._known.get(key, task.status)
        self._wishes[key] = _Wish(was, status)
        if at_once or now - self._written >= LAG:
            self.flush(now)
            return self._known.get(key)
        return status

    @property
    def waiting(self) -> bool:
        """Whether a cell waits to be written."""
        return bool(self._wishes)

    def due(self, now: float) -> bool:
        """Whether a cell has waited long enough."""
        return bool(self._wishes) and now - self._written >= LAG

    def flush(self, now: float) -> None:
        """Write all cells that wait. Raises `WriteError`."""
        deadline = time.monotonic() + GRACE
        tries = 0
        while self._wishes and tries < _TRIES:
            data = read_target(self._path, root=self._root) or b""
            lines, missing = self._places(self._parser.parse(data))
            if missing and time.monotonic() < deadline and self.young(GRACE):
                time.sleep(_PAUSE)
                continue
            for key, why in missing.items():
                self._known.pop(key, None)
                self._give_up(key, why)
            tries += 1
            try:
                new = set_statuses(data, self._parser, {line: wish.status for line, (_, wish) in lines.items()})
            except Refused as error:
                raise WriteError(self._path, f"{error.what}: {error.why}") from error
            if self._replaced(data, new):
                for key, wish in lines.values():
                    self._known[key] = wish.status
                    self._wishes.pop(key, None)
        if self._wishes:
            raise WriteError(self._path, "somebody else keeps changing it")
        self._written = now

    def add(self, row: NewRow) -> int | None:
        """Put a row behind the last one; its line, None when it has gone again. Raises `Refused` and `WriteError`."""
        for _ in range(_TRIES):
            data = read_target(self._path, root=self._root) or b""
            self._parser.parse(data)
            if self._replaced(data, add_row(data, self._parser, row)):
                plan = self.plan()
                return next((item.line for item in plan.rows if (item.id, item.slug) == (row.id, row.slug)), None)
            time.sleep(_PAUSE)
        raise WriteError(self._path, "somebody else keeps changing it")

    def plan(self) -> Plan:
        """The plan as it is on the disk."""
        return self._parser.parse(read_target(self._path, root=self._root) or b"")

    def _replaced(self, data: bytes, new: bytes) -> bool:
        if new == data:
            return True
        known = signature(self._path) == self._seen
        try:
            replace_file(self._path, new, root=self._root, expect=data)
        except ChangedError:
            return False
        if known:  # else somebody else's change has still to be taken note of
            self.look()
        return True

    def _places(self, plan: Plan) -> tuple[Mapping[int, tuple[Key, _Wish]], dict[Key, str]]:
        """The line of each cell that may be written, and why others have none that is sure."""
        rows: dict[Key, list[PlanRow]] = {}
        for row in plan.rows:
            if (row.id, row.slug) in self._wishes:
                rows.setdefault((row.id, row.slug), []).append(row)
        lines: dict[int, tuple[Key, _Wish]] = {}
        missing: dict[Key, str] = {}
        for key, wish in list(self._wishes.items()):
            found = rows.get(key, [])
            if not found:
                missing[key] = "its row is gone"
            elif len(found) > 1:
                missing[key] = f"its row stands there {len(found)} times"
            elif found[0].malformed:
                missing[key] = "its row is damaged"
            elif found[0].status == wish.status:
                self._known[key] = wish.status
                del self._wishes[key]
            elif found[0].status != wish.was:
                self._known[key] = found[0].status
                self._give_up(key, f"somebody made it {found[0].status_text or 'empty'}")
            else:
                lines[found[0].line] = (key, wish)
        return lines, missing

    def young(self, seconds: float) -> bool:
        """Whether the file was changed so shortly before that its editor may not be through, or is not there."""
        found = signature(self._path)
        return found is None or abs(time.time_ns() - found.mtime_ns) < seconds * 1e9

    def _give_up(self, key: Key, why: str) -> None:
        wish = self._wishes.pop(key, None)
        if wish is not None:
            self._say(f"{key[0]} was to become {wish.status} in the plan, but {why}; that is respected")
