"""What all workers share: a command is run, its output becomes events, a monitor watches them, a verdict comes out."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from harness_tui.formats.assignment_text import environment, filled
from harness_tui.formats.text import clean
from harness_tui.formats.worker_verdict import read_verdict_line
from harness_tui.model.hard_stop import StopRules
from harness_tui.model.work import Doing
from harness_tui.rules.activity import LAST, doing
from harness_tui.rules.hard_stop.monitor import Monitor
from harness_tui.rules.rhythm import FLOOR, Rhythm
from harness_tui.stream.workers.judging import fresh_blocker, judge
from harness_tui.stream.workers.once_more import halted, sound_session, technical_failure, ways
from harness_tui.stream.workers.process import Limits, run_process
from harness_tui.workspace.blocker_file import read_plan
from harness_tui.workspace.raw_runs import RawRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from threading import Event

    from harness_tui.formats.agent_lines import OutputLine
    from harness_tui.formats.worker_verdict import Verdict
    from harness_tui.model.agent_event import AgentEvent
    from harness_tui.model.hard_stop import Variant
    from harness_tui.model.work import Assignment, Result
    from harness_tui.model.work_plan import WorkPlan
    from harness_tui.stream.workers.process import Ended

_NUMBERS: Final = count(1)
_PAUSE: Final = 0.1
"""Seconds between two lines that are told; of many in a row only some are worth a look."""


class _Began(NamedTuple):
    """What all attempts at one assignment have in common."""

    assignment: Assignment
    root: Path
    cancel: Event
    heard: Callable[[Doing], None]
    born: Callable[[int], None]
    plan: WorkPlan | None


class EventReader(Protocol):
    """Turns the lines of one run into events."""

    session: str
    """The name by which the agent can take this run up again, empty as long as it has told none."""

    def read(self, line: bytes) -> tuple[AgentEvent, ...]:
        """The events on a line."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How workers are run. `steps` is the agent's own limit, None when it has none or it is not known.

    `quiet` is the silence in seconds that is never remarkable.
    """

    limits: Limits = field(default_factory=Limits)
    steps: int | None = None
    variant: Variant = "pr108"
    quiet: float = FLOOR


class AgentWorker:
    """Runs `command` for each assignment. What differs from agent to agent is in the subclasses."""

    whole: bool = True
    """Whether the output is a stream of events, whose end must be there."""

    def __init__(self, command: tuple[str, ...], settings: Settings | None = None) -> None:
        self.command = command
        self.settings = settings or Settings()

    def words(self, assignment: Assignment, session: str = "") -> list[str]:  # noqa: ARG002 - for agents that have some
        """The command for `assignment`; with `session`, that one goes on."""
        return filled(self.command, assignment)

    def reader(self) -> EventReader:
        """A reader for one run."""
        raise NotImplementedError

    def later_verdict(self, assignment: Assignment, root: Path, since: int) -> Verdict | None:  # noqa: ARG002 - for those that have one
        """A verdict that was left elsewhere than in the output, after `since` nanoseconds of the wall clock."""
        return None

    def run(
        self,
        assignment: Assignment,
        *,
        root: Path,
        cancel: Event,
        heard: Callable[[Doing], None],
        born: Callable[[int], None],
    ) -> Result:
        """Do the assignment (`stream.workers.base.Worker`)."""
        plan = read_plan(root, assignment.slug)
        rules = stop_rules(plan, root, self.settings)
        began = _Began(assignment, root, cancel, heard, born, plan)
        monitor, session = Monitor(rules), ""
        failures: list[str] = []
        for way in ways(self.settings.variant):
            if way == "same session" and not session:
                continue
            if way == "fresh session":
                monitor, session = Monitor(rules), ""
            if failures:
                heard(Doing("said", clean(f"{failures[-1]}; next attempt: {way}")))
            listener, ended, result = self._attempt(began, monitor, session)
            why = technical_failure(listener, ended, result, whole=self.whole)
            if not why or self.settings.variant != "orchestrated" or cancel.is_set():
                return result
            failures.append(why)
            session = sound_session(listener.session)
        return halted(result, failures)

    def _attempt(self, began: _Began, monitor: Monitor, session: str) -> tuple[Listening, Ended, Result]:
        """One run of the command from its start to its end."""
        assignment, root, cancel, heard, born, plan = began
        raw = RawRun(root, assignment.task_id, datetime.now(UTC), f"{os.getpid()}.{next(_NUMBERS):06}")
        listener = Listening(self.reader(), monitor, heard, self.settings)
        started = time.time_ns()

        def begun(group: int) -> None:
            born(group)
            listener.tell(Doing("started", " ".join(self.command[:1])))

        ended = run_process(
            self.words(assignment, session), cwd=root, environment={**os.environ, **environment(assignment)},
            limits=self.settings.limits, cancel=cancel, born=begun, listener=listener, raw=raw,
        )  # fmt: skip
        listener.flush()
        if raw.why_not:
            listener.tell(Doing("noise", f"its output could not be kept: {raw.why_not}"))
        fresh = fresh_blocker(plan, read_plan(root, assignment.slug))
        left = self.later_verdict(assignment, root, started) if ended.by == "itself" else None
        result = judge(listener, ended, fresh, left, whole=self.whole, raw_path=raw.path)
        listener.tell(Doing("ended", result.reason))
        return listener, ended, result


class Listening:
    """Hears one run: tells what is done, watches for triggers and for silence, keeps the verdict."""

    def __init__(
        self, reader: EventReader, monitor: Monitor, heard: Callable[[Doing], None], settings: Settings
    ) -> None:
        self._reader, self._heard, self._steps = reader, heard, settings.steps
        self.monitor = monitor
        self._rhythm = Rhythm(time.monotonic(), floor=settings.quiet)
        self._held: Doing | None = None
        self._told_at = float("-inf")
        self.verdict: Verdict | None = None
        self.last = "nothing yet"
        """What the worker last did, in words."""
        self.trouble = ""
        """The last error that the agent itself told of."""
        self.limited = False
        """Whether the agent came to its own limit of steps."""
        self.closed = False
        """Whether the stream of events came to its own end."""
        self.torn = False
        """Whether it broke off within a line."""
        self._number = -1

    @property
    def session(self) -> str:
        """The session of the run, empty when it named none."""
        return self._reader.session

    def line(self, stream: str, line: OutputLine) -> bool:
        """One line of the run (`stream.workers.process.Listener`)."""
        self._rhythm.heard(time.monotonic())
        if stream == "err":
            if not line.data.lstrip().startswith(b"{"):
                self._reader.read(line.data)  # a notice that tells what a refusal was about
            self._tell_line(line)
            return False
        self._number += 1
        events = () if line.cut else self._reader.read(line.data)
        if line.cut or (line.torn and any(event.kind == "noise" for event in events)):
            self.torn = self.torn or line.torn
            self._tell_line(line)
        for event in events:
            self._take(event)
        return self.monitor.stop is not None

    def turn(self, now: float) -> None:
        """Time passes: a line that was held back is told, and that the worker is quiet."""
        if self._held is not None and now - self._told_at >= _PAUSE:
            self.flush()
        if self._rhythm.quiet(now):
            silence = self._rhythm.silence(now)
            since = datetime.now(UTC) - timedelta(seconds=silence)
            self.tell(Doing("quiet", f"no sign of life for {silence:.0f} s{LAST}{self.last}", since=since))

    def told(self, text: str) -> None:
        """Something about its processes."""
        self.tell(Doing("noise", f"still waiting for the end of {text}"))

    def tell(self, what: Doing) -> None:
        """Pass `what` on, fit to be shown."""
        self._heard(
            Doing(
                what.kind, clean(what.text), None if what.tool is None else clean(what.tool),
                None if what.path is None else clean(what.path), what.step, what.steps, what.cost_usd, what.tokens,
                what.since,
            )
        )  # fmt: skip

    def flush(self) -> None:
        """Tell the line that was held back."""
        if self._held is not None:
            held, self._held, self._told_at = self._held, None, time.monotonic()
            self.tell(held)

    def _take(self, event: AgentEvent) -> None:
        self.monitor.feed(event, self._number)
        if event.kind in {"say", "end"} and not event.helper:
            for text in event.text.split("\n"):
                self.verdict = read_verdict_line(text) or self.verdict
        if event.kind == "end":
            self.closed = True
            self.trouble = self.trouble or ("" if event.ok else event.what or "an error")
        elif event.kind in {"error", "limit"}:
            self.limited = self.limited or event.kind == "limit"
            self.trouble = event.text or event.what or "an error"
        elif event.kind in {"step", "say", "call"}:  # the agent goes on
            self.closed, self.trouble = False, ""
        shown = doing(event, step=self.monitor.steps, steps=self._steps)
        if shown is None:
            return
        if shown.kind in {"tool", "denied", "said"}:
            self.last = " ".join(part for part in (shown.tool, shown.text) if part)
        if shown.kind in {"said", "noise"}:
            self._hold(shown)
        else:
            self.flush()
            self.tell(shown)

    def _tell_line(self, line: OutputLine) -> None:
        text = " ".join(line.data[:1200].decode("utf-8", "replace").split())[:300]
        if line.cut:
            text = f"a line of more than {len(line.data)} bytes was passed over: {text}"
        if text:
            self._hold(Doing("noise", text))

    def _hold(self, shown: Doing) -> None:
        """Of many lines in a row the first is told at once, then the latest now and then."""
        self._held = shown
        if time.monotonic() - self._told_at >= _PAUSE:
            self.flush()


def stop_rules(plan: WorkPlan | None, root: Path, settings: Settings) -> StopRules:
    """What the triggers are judged by for the plan of a task.

    A worker does all that is open in the plan, so it owns what any open task owns, provided that each says what.
    """
    top = os.path.realpath(root)
    if plan is None:
        return StopRules(steps=settings.steps, variant=settings.variant, root=top)
    tasks = [task for task in plan.tasks if task.state != "done"]
    owned = [path for task in tasks for path in task.owned_paths]
    commands = [command for task in plan.tasks for command in task.validation_commands]
    commands += plan.tooling.commands if plan.tooling is not None else ()
    return StopRules(
        steps=settings.steps,
        owned_paths=tuple(dict.fromkeys(owned)) if tasks and all(task.owned_paths for task in tasks) else (),
        scope_text="\n".join(f"{task.title}\n{task.description}\n{task.review_criteria}" for task in tasks),
        commands=tuple(dict.fromkeys(command.strip("`") for command in commands)),
        variant=settings.variant,
        root=top,
    )
