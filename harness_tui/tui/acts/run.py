"""Starting a run of the pool, and ending one at once (CONTRACT rule 3)."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from harness_tui.model.refusal import Refused
from harness_tui.rules.activity import activity_words
from harness_tui.rules.schedule import order
from harness_tui.stream.ending import end_run, run_to_end
from harness_tui.stream.launch import FOLDER, Launch, check, command, start
from harness_tui.stream.workers.choose import ADAPTERS
from harness_tui.tui.acts.form import Field, Look
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.settings import SettingsError, stream_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness_tui.model.pool import Pool
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.acts.form import Scene, Values

_NAMED: Final = 12
_ASKS: Final = 3
_WORDS: Final = {
    "command": "any command", "claude": "Claude Code, as `claude` or as named above",
    "opencode": "OpenCode, as `opencode` or as named above",
}  # fmt: skip


class LaunchAct:
    """Start `harness-tui stream` as a process of its own."""

    title = "Start a run"
    verb = "Start"
    prompt = ""
    key = "launch"

    def __init__(
        self, pool_id: str | None, last: dict[str, str], ended: Callable[[str], None], epics: tuple[str, ...] = ()
    ) -> None:
        """`last` are the values of the last start and takes those of this one; `ended` hears how the run ended."""
        self._pool_id = pool_id
        self._last = last
        self._ended = ended
        found = {**_text_of(_settings()[0])} or last
        self.title += f" · pool {pool_id}" if pool_id else " · the default pool"
        named = f"the epic whose interrupt budget counts: {', '.join(epics)}" if epics else "there is none here"
        self.fields: tuple[Field, ...] = (
            Field("worker", "Worker", value=found.get("worker", ""), required=False, hint="my-agent --task {slug}",
                  asked=found.get("adapter", "command") == "command"),
            Field("adapter", "Talked to as", "choice", found.get("adapter", "command"),
                  choices=tuple((name, _WORDS[name]) for name in ADAPTERS)),
            Field("follow", "At the end", "choice", last.get("follow", "no"),
                  choices=(("no", "end when no row can run"), ("yes", "wait for more work without end"))),
            Field("epic", "Epic", value=last.get("epic", ""), required=False, hint=named),
        )  # fmt: skip

    def look(self, scene: Scene, values: Values) -> Look:
        """What would be run, in which order, and what stands in its way."""
        settings, trouble = _settings()
        if trouble:
            raise Refused("settings", "settings file", trouble)
        wish = self._wish(values)
        check(scene.root, wish)
        snapshot = scene.snapshot()
        pool = next((pool for pool in snapshot.pools if pool.id == self._pool_id), None)
        says = _order(pool, snapshot)
        script = Layout(scene.root).verify_script()
        says.append(("verify_all", f"{script.relative_to(scene.root)} first, and after each task" if script else
                     "there is none: nothing is checked before and after tasks"))  # fmt: skip
        others = {name: value for name, value in settings.items() if name not in ("worker", "adapter")}
        if others:
            says.append(("settings", ", ".join(f"{name} = {value}" for name, value in others.items())))
        says.append(("runs", shlex.join(command(scene.root, wish))))
        says.append(("then", "it goes on when you leave; X ends it before its next task, K at once"))
        says.append(("output", f"{FOLDER}/"))
        return Look(tuple(says), (), tuple(_warnings(pool, snapshot, wish)), (wish, dict(values)))

    def do(self, scene: Scene, look: Look) -> str:
        """Start it; a start that fails at once says why."""
        wish, values = look.plan
        words = start(scene.root, wish, self._ended)
        self._last.clear()
        self._last.update(values)
        return words

    def _wish(self, values: Values) -> Launch:
        return Launch(
            self._pool_id, values.get("adapter") or "command", values.get("worker", "").strip(),
            values.get("follow") == "yes", values.get("epic", "").strip(),
        )  # fmt: skip


class EndRunAct:
    """End the run of our own engine at once."""

    title = "End the run now"
    verb = "End it now"
    prompt = ""
    key = "end-run"
    fields: tuple[Field, ...] = ()

    def look(self, scene: Scene, values: Values) -> Look:  # noqa: ARG002 - nothing is asked for
        """Which process would be ended, since when it runs, and at what it is."""
        claim = run_to_end(scene.root)
        stream = scene.snapshot().streams.get(claim.pool)
        task = stream.task_id if stream is not None and stream.task_id else "none just now"
        doing = claim.doing
        says = [
            ("process", f"{claim.pid} on {claim.host}, since {claim.started_at}"),
            ("pool", claim.pool),
            ("task", task + (f" · {' · '.join(activity_words(doing))}" if doing is not None else "")),
            ("then", "the worker and all it started are ended, then the run; the next run dispatches the row first"),
            ("better", "X stops it before its next task: the worker may finish this one"),
        ]  # fmt: skip
        return Look(tuple(says), (), (), claim)

    def do(self, scene: Scene, look: Look) -> str:
        """End it, if it is still the one that was shown."""
        return end_run(scene.root, look.plan)


def _settings() -> tuple[Mapping[str, Any], str]:
    """The settings of `stream`, and why they can't be had."""
    try:
        return stream_settings(), ""
    except SettingsError as error:
        return {}, f"{error.path}: {error}"


def _text_of(settings: Mapping[str, Any]) -> dict[str, str]:
    """Worker and adapter of the settings file; nothing when it names neither."""
    return {name: settings[name] for name in ("worker", "adapter") if name in settings}


def _order(pool: Pool | None, snapshot: Snapshot) -> list[tuple[str, str]]:
    if pool is None:
        return [("pool", "the default one is made of a template, with no rows in it")]
    rows = order(pool)
    names = " → ".join(task.id for task in rows[:_NAMED]) + (f" and {len(rows) - _NAMED} more" * (len(rows) > _NAMED))
    says = [("order", names or "no row can run")]
    again = [task.id for task in rows if task.effective_status not in ("pending", "in-progress")]
    if again:
        more = f" and {len(again) - _NAMED} more" * (len(again) > _NAMED)
        says.append(("once more", f"{', '.join(again[:_NAMED])}{more}: an earlier run left them open"))
    asks = [item.title for item in snapshot.inbox if item.pool_id == pool.id and item.urgency]
    says += [("asks you" if at == 0 else "", words) for at, words in enumerate(asks[:_ASKS])]
    if len(asks) > _ASKS:
        says.append(("", f"and {len(asks) - _ASKS} more: key 4"))
    return says


def _warnings(pool: Pool | None, snapshot: Snapshot, wish: Launch) -> list[str]:
    found: list[str] = []
    if snapshot.interventions.present and snapshot.interventions.safest == "STOP":
        found.append("STOP waits unread: the run would heed it before its first task")
    if pool is None:
        return found
    stream = snapshot.streams.get(pool.id)
    if stream is not None and stream.state == "running":
        found.append(f"somebody seems to drain this pool already: {stream.why}")
    if pool.cycles:
        found.append(f"rows wait for each other in a ring ({' → '.join(pool.cycles[0][:_NAMED])}): it would not begin")
    elif not order(pool) and not wish.follow:
        found.append("no row can run: it would end at once")
    return found
