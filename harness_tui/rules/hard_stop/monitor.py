"""Watches an agent's events one by one and says when it must stop (formats/hard-stop 3).

The earliest event wins and there is one stop per run; what the agent does after it are breaches.
"""

from __future__ import annotations

import math
from collections import deque

from harness_tui.model.hard_stop import Stop
from harness_tui.rules.hard_stop.commands import builds_or_tests, is_destructive, squeezed
from harness_tui.rules.hard_stop.scope import inside, is_plan, named_in, relative
from harness_tui.rules.hard_stop.signature import Failure, failure, says_failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from harness_tui.model.agent_event import AgentEvent
    from harness_tui.model.hard_stop import StopRules

FAILURES: Final = 2
"""Equal failures of one command in a row."""
EQUAL_CALLS: Final = 3
"""Equal calls of one tool in a row."""
STRIKES: Final = 3
"""Refusals of one task with no approval between."""
SHARE: Final = 0.8
"""Share of the agent's own steps after which an open task stops."""
MOST_BREACHES: Final = 100

_DOORS: Final = frozenset(
    {"question", "askuserquestion", "plan_enter", "plan_exit", "exitplanmode", "enterplanmode"}
)  # fmt: skip
_POLLS: Final = frozenset({"bashoutput", "taskoutput", "agentoutput", "wait", "monitor"})
_SHELLS: Final = frozenset({"bash", "shell", "powershell"})
_SENTENCES: Final = ("these two agents are getting nowhere", "a competent human needs to step in")
_INTERRUPTED: Final = 130
_NOT_PERMITTED: Final = 126
_DONE: Final = frozenset({"x", "X"})
_ACTS: Final = frozenset({"cmd", "edit", "denied", "tool", "call", "review"})
_EXITS: Final = frozenset({"committer", "commit"})
_TRIED: Final = 6


class Monitor:
    """Judges the events of one run; `stop` is the trigger that fired, None as long as none has."""

    def __init__(self, rules: StopRules) -> None:
        self._rules = rules
        self._root = rules.root
        self._limit = math.ceil(SHARE * rules.steps) if rules.steps and rules.steps > 0 else None
        self._failures: dict[tuple[str, str], tuple[Failure, int]] = {}
        self._calls: dict[str, tuple[tuple[str, str], int]] = {}
        self._refusals: dict[str, int] = {}
        self._did: deque[str] = deque(maxlen=_TRIED)
        self._task = ""
        self._closed = False
        self.steps = 0
        """Finished model steps of the agent's own session."""
        self.stop: Stop | None = None
        self.warnings: list[str] = []
        """Codes of what is worth a warning, each once, in the order in which it was seen."""
        self.breaches: list[int] = []
        """Numbers of the events by which the agent went on after the stop, the first `MOST_BREACHES`."""

    @property
    def strikes(self) -> dict[str, int]:
        """Refusals by task since its last approval."""
        return {task_words(task): count for task, count in self._refusals.items()}

    def feed(self, event: AgentEvent, at: int) -> Stop | None:
        """The stop that `event`, the one with number `at`, brings about."""
        if self.stop is not None:
            if self._breaks(event) and self.breaches[-1:] != [at] and len(self.breaches) < MOST_BREACHES:
                self.breaches.append(at)
            return None
        # All are asked, as each keeps its own count; where several fire the named triggers come before the backstops.
        fired = [stop for stop in self._judge(event, at) if stop is not None]
        self.stop = fired[0] if fired else None
        if self.stop is None:
            self._remember(event)
        return self.stop

    def _judge(self, event: AgentEvent, at: int) -> Iterator[Stop | None]:
        yield self._denial(event, at)
        yield self._repetition(event, at)
        yield self._change(event, at)
        yield self._budget(event, at)
        yield self._deadlock(event, at)
        yield self._loop(event, at)
        if event.kind == "error":
            self._warn("session-error")
        elif event.kind == "start" and event.path and not self._root:
            self._root = event.path

    def _repetition(self, event: AgentEvent, at: int) -> Stop | None:
        if event.kind == "task" and (event.mark in _DONE or self._task != _task_name(event.task)):
            self._failures.clear()
        if event.kind != "cmd" or event.exit_code == _INTERRUPTED:
            return None
        if event.exit_code == _NOT_PERMITTED:
            self._warn("os-refusal")
        command = squeezed(event.command)
        if not builds_or_tests(command, self._rules.commands):
            return None
        row = (event.helper, command)
        if event.exit_code == 0:
            self._failures.pop(row, None)
            return None
        if event.exit_code is None and not event.failed and not says_failed(event.output):
            return None
        now = failure(command, event.exit_code, event.output)
        before, count = self._failures.get(row, (now, 0))
        count = count + 1 if before.same(now) else 1
        known = now if now.shown.exit is not None or count == 1 else before
        self._failures[row] = (known, count)
        if count < FAILURES:
            return None
        return Stop(
            "repeated_failure", at, str(known.shown), self._tried(f"ran `{command}` {count} times"),
            f"a change that makes `{command}` pass, or a decision about this error", signature=known.shown,
            reason=f"`{command}` failed {count} times in a row in the same way",
        )  # fmt: skip

    def _denial(self, event: AgentEvent, at: int) -> Stop | None:
        if event.kind != "denied":
            return None
        tool = event.tool.casefold()
        if tool == "doom_loop":
            return self._doom(at, event.what or "a tool", by=event.by)
        if tool in _DOORS:
            return None
        if event.by == "os" or (event.by == "user" and event.feedback):
            self._warn("os-refusal" if event.by == "os" else "steered")
            return None
        what = squeezed(event.what) or "a call"
        shell = tool in _SHELLS
        halted = shell and (event.by == "hook" or is_destructive(event.what))
        needed = "a way to do the task without it"
        if not halted:  # nobody is advised to allow what was rightly refused
            needed = f"allow {event.tool or 'the call'}: {what}, or {needed}"
        reason = f"{event.tool or 'a call'} was denied by {event.by}: {what}"
        tried = self._tried(f"asked for {event.tool or 'it'}: {what}")
        return Stop(
            "permission_wall", at, f"`{what}` — denied by {event.by}", tried, needed, reason=reason,
            path="" if shell else event.what, by=event.by, guard_blocked=halted,
        )  # fmt: skip

    def _change(self, event: AgentEvent, at: int) -> Stop | None:
        if event.kind != "edit" or not event.path or is_plan(event.path, self._root):
            return None
        rules, path = self._rules, event.path
        if not rules.owned_paths:
            if rules.scope_text and not named_in(path, rules.scope_text, self._root):
                self._warn("scope-unknown")
            return None
        if inside(path, rules.owned_paths, self._root):
            return None
        shown = relative(path, self._root)
        owned = ", ".join(rules.owned_paths[:_TRIED]) + (" …" if len(rules.owned_paths) > _TRIED else "")
        return Stop(
            "out_of_scope", at, f"change of {shown}, outside {owned}", self._tried(f"changed {shown}"),
            f"add {shown} to the Owned Paths of the task, or a decision to take the change back",
            reason=f"{shown} is outside the paths that the task owns", path=path,
        )  # fmt: skip

    def _budget(self, event: AgentEvent, at: int) -> Stop | None:
        if event.kind == "task":
            self._closed = event.mark in _DONE
        elif event.kind == "step" and not event.helper:
            self.steps += 1
        elif event.kind != "limit":
            return None
        over = self._limit is not None and self.steps >= self._limit
        if event.kind == "limit":
            reason = "limit-reached"
        elif event.kind == "step" and over and not self._closed:
            reason = f"{self.steps} of {self._rules.steps} steps are used and the task is open"
        else:
            return None
        if self._rules.variant == "orchestrated":
            # There it is a technical failure, which the orchestrator meets with a fresh session.
            if event.kind == "limit":
                self._warn("step-limit")
            return None
        used, words = self._used(event)
        return Stop(
            "step_budget", at, words, self._tried(f"worked for {used} steps" if used else "worked"),
            "a smaller task, or more steps for this one", reason=reason,
        )  # fmt: skip

    def _used(self, event: AgentEvent) -> tuple[int, str]:
        """Steps that are used, 0 when nobody told of any, and that in words. Whose limit it is need not be known."""
        used = event.turns or self.steps
        if event.kind != "limit":
            return used, f"{used} of {self._rules.steps} steps used"
        after = f", after {used} steps" if used else ""
        return used, f"the agent ended at its own limit of steps{after}"

    def _deadlock(self, event: AgentEvent, at: int) -> Stop | None:
        said = " ".join(event.text.split()).casefold() if event.kind in {"say", "review"} else ""
        spoken = any(sentence in said for sentence in _SENTENCES) and _may_be_reviewer(event)
        task = _task_name(event.task) or self._task
        if event.kind == "review" and event.verdict == "approved":
            self._refusals.pop(task, None)
        elif event.kind == "review" and event.verdict == "refused":
            self._refusals[task] = self._refusals.get(task, 0) + 1
        count = self._refusals.get(task, 0) if event.kind == "review" and event.verdict == "refused" else 0
        if (not spoken and count < STRIKES) or self._rules.variant == "orchestrated":
            return None
        about = f"task {task}" if task else "the task"
        why = f"the review refused {about} {count} times" if count >= STRIKES else "the reviewer asks for a human"
        return Stop(
            "reviewer_deadlock", at, why, self._tried(f"{max(count, 1)} rounds of review"),
            f"a decision about what the review asks for in {about}", reason=why,
        )  # fmt: skip

    def _loop(self, event: AgentEvent, at: int) -> Stop | None:
        """Equal calls in a row. Text and steps between are no calls; a call of unknown input breaks the row."""
        if event.kind not in {"cmd", "edit", "read", "denied", "tool", "call", "review"}:
            return None
        if event.tool.casefold() in _POLLS:  # asking again is their use
            return None
        row = self._calls.get(event.helper)
        if not event.call:
            if event.call is None and event.kind != "review":
                self._calls.pop(event.helper, None)
            return None
        call = (event.tool, event.call)
        count = row[1] + 1 if row is not None and row[0] == call else 1
        self._calls[event.helper] = (call, count)
        return self._doom(at, event.tool, count=count) if count >= EQUAL_CALLS else None

    def _doom(self, at: int, tool: str, *, by: str = "", count: int = EQUAL_CALLS) -> Stop:
        why = f"`{tool}` was called {count} times in a row with the same input"
        return Stop("doom_loop", at, why, self._tried(why), "a hint that leads out of the loop", reason=why, by=by)

    def _remember(self, event: AgentEvent) -> None:
        if event.kind == "task":
            self._task = _task_name(event.task)
        elif event.kind == "edit" and event.path:
            self._note(f"changed {relative(event.path, self._root)}")
        elif event.kind == "cmd" and event.command:
            self._note(f"ran `{squeezed(event.command)}`")

    def _note(self, text: str) -> None:
        if text in self._did:
            self._did.remove(text)
        self._did.append(text)

    def _tried(self, last: str) -> str:
        """What was done before the stop, the latest last."""
        return "; ".join([*(text for text in self._did if not last.startswith(text)), last])

    def _warn(self, code: str) -> None:
        if code not in self.warnings:
            self.warnings.append(code)

    def _breaks(self, event: AgentEvent) -> bool:
        """Whether an event after the stop is more than the way out: the plan, the commit, the question."""
        if event.kind not in _ACTS or event.tool.casefold() in _DOORS:
            return False
        if event.kind == "edit":
            return not is_plan(event.path, self._root)
        return not (event.what.casefold() in _EXITS or (event.call or "").casefold().find('"committer"') >= 0)


def trigger_words(trigger: str) -> str:
    """A trigger as a Blocker names it."""
    return trigger.replace("_", " ").capitalize()


def task_words(task: str) -> str:
    """A task as it is spoken of: an id that is a number needs the word before it."""
    return f"Task {task}" if task[:1].isdigit() else task


def _task_name(task: str) -> str:
    """`Task 2` and `2` are one task."""
    name = " ".join(task.split()).casefold()
    return name.removeprefix("task").strip(" #:") or name


def _may_be_reviewer(event: AgentEvent) -> bool:
    return not event.agent or "review" in event.agent.casefold()
