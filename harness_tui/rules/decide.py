"""Which of the loop's moves its guards allow now (harness-skill, Decide; formats/servo 1.3, 2.1 to 2.8).

In RepoScope eight guards are asked one after the other, and the first that says no ends it. Six are scripts; a change
of the goal, which only comes from outside, and the brief of a milestone, which the operator confirms, are not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from harness_tui.model.frozen import replace
from harness_tui.model.guard import GuardAnswer, Route
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from harness_tui.model.control import Control, ControlField
    from harness_tui.model.gates import WorktrackGate
    from harness_tui.model.handback import Handback

    BranchRule = Callable[[str, str], Route]

CHANGE_GOAL: Final = "change-goal"
BRIEF: Final = "milestone-brief"
BRANCH: Final = "branch-context-check"
BASELINE: Final = "git-hash-check"
BACKFILL: Final = "runtime-backfill-detect"
EVIDENCE: Final = "evidence-completeness-check"
DECIDE: Final = (
    "milestone-kind-routing", "pre-milestone-intake-guard", "complex-project-entry-gate-check",
    "milestone-review-gate-check", BACKFILL, "worktrack-intake-review-check", CHANGE_GOAL, BRIEF,
)  # fmt: skip
"""The guards of Decide in the order in which the loop asks them."""
OBSERVE: Final = (BRANCH, BASELINE)
JUDGE: Final = (EVIDENCE,)

_REPO: Final = ("RepoScope.Observe", "RepoScope.Decide", "WorktrackScope.Init", "RepoScope.Refresh")
_WORKTRACK: Final = ("Init", "Observe", "Decide", "Dispatch", "Verify", "Judge", "Recover", "Close")
_NO: Final = ("blocked", "unreadable")
_ROUTE: Final = ("recommended_next_route", "current_next_action", "worktrack_next_action", "repo_next_action")
_GOAL: Final = regex(r"(?:change|set)[-_ ]?(?:the[-_ ])?goal", re.IGNORECASE)
_MILESTONE: Final = regex(r"(?=.*milestone).*(?:creat|upsert|activat|init)|.*append[-_ ]worktracks?", re.IGNORECASE)
_ID: Final = regex(r"\bMS-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_CONFIRMED: Final = frozenset({"received", "confirmed", "approved", "accepted", "yes", "true"})
_ASK: Final = "handback_to_programmer"
_MOST: Final = 200
"""Characters of a file's text that a reason holds."""
_APART: Final = regex(r"[^a-z0-9]+")


def field_of(control: Control, *names: str) -> ControlField | None:
    """The field that counts of those with one of these keys: the first key that has a value, its last place."""
    for name in names:
        found = [item for item in control.fields if _APART.sub("_", item.key.rpartition(".")[2].lower()) == name]
        if found and found[-1].value:
            return found[-1]
    return None


def change_goal(control: Control) -> GuardAnswer:
    """A change of the goal is never chosen by Decide: it comes from the operator."""
    named = field_of(control, "current_function")
    route = field_of(control, *_ROUTE)
    for item in (named, route):
        if item is not None and _GOAL.search(item.value):
            reason = "a change of the goal comes from the operator, it is not decided here"
            return _said(CHANGE_GOAL, reason, item, go=False, action=_ASK)
    return _said(CHANGE_GOAL, "no change of the goal is under way", route, go=True)


def milestone_brief(control: Control) -> GuardAnswer:
    """Before a milestone is made, activated or given more worktracks, the operator confirms its brief."""
    route = field_of(control, *_ROUTE)
    if route is None or not _MILESTONE.match(route.value):
        return _said(BRIEF, "no milestone is to be made, activated or given more worktracks", route, go=True)
    named = _ID.findall(route.value) or [control.active_milestone]
    for item in reversed(control.approval):
        key = _APART.sub("_", item.key.rpartition(".")[2].lower())
        own = key == "milestone_brief" or any(
            key == f"milestone_brief_{_APART.sub('_', name.lower())}" for name in named
        )
        if own and _APART.split(item.value.lower().lstrip("*`\"' "))[0] in _CONFIRMED:
            return _said(BRIEF, f"the brief of {named[0]} is confirmed", item, go=True)
        if own:
            return _said(
                BRIEF, f"the brief of {named[0]} is not confirmed: {item.value[:_MOST]}", item, go=False, action=_ASK
            )
    reason = f"nothing says that you confirmed the brief of {named[0]}"
    return _said(BRIEF, reason, route, go=False, action=_ASK)


def in_order(answers: Iterable[GuardAnswer]) -> tuple[GuardAnswer, ...]:
    """`answers`, those of Decide in its order and marked: which of them stops it, and which are not reached."""
    found = {answer.name: answer for answer in answers}
    marked = [found[name] for name in OBSERVE if name in found]
    stopped = False
    for step, name in enumerate(DECIDE, 1):
        if name in found:
            stops = found[name].state in _NO and not stopped
            marked.append(replace(found[name], step=step, reached=not stopped, stops=stops))
            stopped = stopped or stops
    return (*marked, *(found[name] for name in JUDGE if name in found))


def routes(
    control: Control, handback: Handback | None, gates: Sequence[WorktrackGate], answers: Sequence[GuardAnswer],
    branch: BranchRule,
) -> tuple[Route, ...]:  # fmt: skip
    """The functions that may follow in the current scope; none when nobody knows the scope.

    `gates` are the current ones. `branch` says whether a function may run on the branch that is checked out. What the
    handback lock holds, or may hold, is not legal.
    """
    names = {"RepoScope": _REPO, "WorktrackScope": tuple(f"WorktrackScope.{name}" for name in _WORKTRACK)}
    found = []
    for name in names.get(control.scope, ()):
        route = branch(*name.split("."))
        held = _locked(handback) or _held(name, control, gates, {answer.name: answer for answer in answers})
        stronger = held is not None and (held[0] is False or route.legal is not False)
        found.append(Route(name, *held) if held is not None and stronger else route)
    return tuple(found)


_Held = tuple["bool | None", str, str, "int | None"]


def _locked(handback: Handback | None) -> _Held | None:
    if handback is None or handback.locked is False:
        return None
    words = "held by the handback lock" if handback.locked else "it is not recorded that the handback lock is open"
    return False, words, handback.path, handback.line


def _held(name: str, control: Control, gates: Sequence[WorktrackGate], answers: dict[str, GuardAnswer]) -> _Held | None:
    """What keeps a function from running besides the branch."""
    if name == "WorktrackScope.Init" and control.scope == "RepoScope":
        chain = [answers[guard] for guard in DECIDE if guard in answers]
        first = next((answer for answer in chain if answer.stops), None)
        if first is not None:
            return False, f"guard {first.step}, {first.name}: {first.reason}", first.path, first.line
        unasked = next((answer for answer in chain if answer.state == "not-asked"), None)
        if unasked is not None:
            return None, f"guard {unasked.step}, {unasked.name}, can't be asked: {unasked.reason}", "", None
    evidence = answers.get(EVIDENCE)
    if name.endswith("Judge") and evidence is not None and evidence.state != "ready":
        legal = None if evidence.state in {"doubtful", "not-asked"} else False
        return legal, f"evidence: {evidence.reason}", evidence.path, evidence.line
    if name.endswith("Close"):
        worst = next((gate for gate in gates if gate.verdict != "pass" or gate.missing_axes), None)
        if worst is not None:
            missing = f", {', '.join(worst.missing_axes)} not given" if worst.missing_axes else ""
            return False, f"the gate of {worst.id or worst.path} says {worst.verdict}{missing}", worst.path, worst.line
        if not gates:
            return None, "there is no gate of the current worktrack", "", None
    return None


def _said(name: str, reason: str, item: ControlField | None, *, go: bool, action: str = "") -> GuardAnswer:
    path, line, key = (item.path, item.line, item.key) if item is not None else ("", None, "")
    return GuardAnswer(
        name, "decide", "ready" if go else "blocked", reason, path=path, line=line, field=key, action=action
    )
