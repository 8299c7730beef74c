"""Is this the branch on which the function may run? (formats/servo 2.1).

Two generations of the script are answered. With a worktrack's contract the branch is what the contract names; with a
worktrack's id it is `wt/<id>`, quotes around values are no part of them, and Verify is held to the branch, too.
"""

from __future__ import annotations

from harness_tui.model.regex import regex
from harness_tui.rules.guards.fields import bullets
from harness_tui.rules.guards.verdict import Verdict, strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

SCOPES: Final = ("RepoScope", "WorktrackScope")
FUNCTIONS: Final = ("Observe", "Decide", "Init", "Dispatch", "Verify", "Judge", "Close", "Refresh", "Recover")

_BASELINE: Final = "baseline_branch"
_MILESTONE: Final = "active_milestone_branch"
_WORKTRACK: Final = "worktrack_branch"
_CLOSEOUT: Final = "closeout_target_ref"
_FALLBACK: Final = "develop"
_ID: Final = regex(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_QUOTES: Final = "`\"'"


class Branches:
    """The branches that the files name; empty where they name none. `gaps` are the defaults that were taken."""

    __slots__ = ("baseline", "closeout", "findings", "gaps", "milestone", "places", "worktrack")

    def __init__(self) -> None:
        self.baseline = self.milestone = self.worktrack = self.closeout = ""
        self.gaps: list[str] = []
        self.findings: list[str] = []
        self.places: dict[str, dict[str, Any]] = {}


class _Answer:
    """What a rule says; it starts with all being well."""

    def __init__(self, contexts: list[str], branches: list[str] | None = None) -> None:
        self.contexts = contexts
        self.branches = branches or []
        self.blocked = False
        self.warning: str | None = None
        self.target: str | None = None
        self.reason = ""


def judge(  # noqa: PLR0913 - what the script is told, and what it asks git
    control: str | None, contract: str | None, scope: str, function: str, *, branch: str, head: str,
    origin: Callable[[], str], worktrack_id: str | None = None,
) -> Verdict:  # fmt: skip
    """Whether `function` of `scope` may run on `branch` (empty: none).

    `control` and `contract` are texts, None where there is no file; `origin` tells the main branch of the remote and
    is asked only when the control state names none. A `worktrack_id` takes the place of the contract.
    """
    named = _branches(control, contract, origin, bare=worktrack_id is not None)
    error = _take_id(named, worktrack_id, scope) if worktrack_id is not None else ""
    context = "unknown" if error else _context(branch, named)
    if error:
        answer = _Answer([])
        answer.blocked, answer.target, answer.reason = True, named.milestone or None, error
    else:
        answer = _by_rule(scope, function, branch, context, named, by_id=worktrack_id is not None)
    go = not answer.blocked
    document: dict[str, Any] = {
        "current_branch": branch,
        "branch_context": context,
        "expected_contexts": answer.contexts,
        "expected_branches": answer.branches,
        "legal": go,
        "blocked": not go,
        "warning": answer.warning,
        "target_branch": answer.target,
        "reason": answer.reason,
        "derived_worktrack_branch": named.worktrack if worktrack_id is not None else "",
        "active_milestone_branch": named.milestone,
        "head_hash": head,
        "config_hydration_gaps": named.gaps,
        "decided_by": named.places.get(_decisive(scope, function, context)),
        "strict": strict(go=go, findings=_findings(answer, named, branch, control) if go else []),
    }
    if worktrack_id is not None:
        document["worktrack_id"] = worktrack_id
    return Verdict(document, go=go)


def _branches(control: str | None, contract: str | None, origin: Callable[[], str], *, bare: bool) -> Branches:
    named = Branches()
    quotes = _QUOTES if bare else ""
    for name, text, line in bullets(control or "", (_BASELINE, _MILESTONE)):
        value = text.strip(quotes) if quotes else text
        if name == _BASELINE:
            _note(named, name, named.baseline, value, line)
            named.baseline = value
        elif value and value != "none":
            _note(named, name, named.milestone, value, line)
            named.milestone = value
    for name, value, line in bullets("" if bare else contract or "", (_WORKTRACK, _CLOSEOUT)):
        _note(named, name, named.worktrack if name == _WORKTRACK else named.closeout, value, line)
        if name == _WORKTRACK:
            named.worktrack = value
        else:
            named.closeout = value
    if control is None:
        named.gaps.append("control_state_missing")
    elif not named.baseline:
        named.baseline = origin() or _FALLBACK
        named.gaps.append(f"baseline_branch_missing_resolved_to_{named.baseline}")
    return named


def _note(named: Branches, name: str, before: str, value: str, line: int) -> None:
    if before and before != value:
        named.findings.append(f"{name} is given with different values (the last in line {line})")
    named.places[name] = {"field": name, "line": line}


def _take_id(named: Branches, worktrack_id: str, scope: str) -> str:
    """Set the branch of the worktrack; what is wrong with the id, empty when nothing is."""
    if not worktrack_id:
        return "a worktrack's id is needed" if scope == SCOPES[1] else ""
    unsafe = ".." in worktrack_id or worktrack_id.endswith((".", ".lock"))
    if unsafe or not _ID.fullmatch(worktrack_id):
        return "the worktrack's id can't be part of a branch name"
    named.worktrack = f"wt/{worktrack_id}"
    return ""


def _context(branch: str, named: Branches) -> str:
    if branch == named.baseline:
        return "baseline"
    if named.milestone and branch == named.milestone:
        return "milestone"
    if named.worktrack and branch == named.worktrack:
        return "worktrack"
    return "unknown"


def _by_rule(scope: str, function: str, branch: str, context: str, named: Branches, *, by_id: bool) -> _Answer:
    if scope == SCOPES[0]:
        return _repo(function, branch, context, named, by_id=by_id)
    return _worktrack(function, branch, context, named, by_id=by_id)


def _repo(function: str, branch: str, context: str, named: Branches, *, by_id: bool) -> _Answer:
    if function in {"Observe", "Decide"}:
        answer = _Answer(["baseline", "milestone"])
        if context not in answer.contexts:
            answer.warning = (
                f"{function} may go on, but go to {named.baseline or 'the baseline'} before anything is changed"
            )
            answer.target = named.baseline
        answer.reason = f"{function} only reads"
        return answer
    if function == "Init":
        return _held(_Answer(["baseline"]), context == "baseline", named.baseline, f"RepoScope.Init on {context}")
    if function == "Refresh":
        both = [name for name in (named.milestone, named.baseline) if name]
        if by_id:
            wanted = [named.milestone] if named.worktrack and named.milestone else both
        else:
            wanted = [named.closeout] if named.closeout else both
        target = wanted[0] if wanted else named.baseline
        return _held(_Answer([], wanted), branch in wanted, target, f"RepoScope.Refresh on {branch or 'no branch'}")
    return _Answer([])


def _worktrack(function: str, branch: str, context: str, named: Branches, *, by_id: bool) -> _Answer:
    says = f"WorktrackScope.{function} on {branch or 'no branch'} ({context})"
    if function == "Init":
        label = "milestone" if named.milestone else "baseline"
        if not by_id:
            return _held(_Answer([label]), context == label, label, says)
        wanted = named.milestone or named.baseline
        return _held(_Answer([label], [wanted]), branch == wanted, wanted, says)
    if function in {"Dispatch", "Judge"} or (function == "Verify" and by_id):
        return _held(_Answer(["worktrack"]), context == "worktrack", named.worktrack or "unknown", says)
    if function == "Close":
        return _close(branch, named, says, by_id=by_id)
    if function in {"Observe", "Decide", "Verify", "Recover"}:
        answer = _Answer(["worktrack"])
        answer.reason = says
        if context != "worktrack":
            answer.warning = f"{says}: it may go on, but change nothing of another branch"
        return answer
    return _Answer([])


def _close(branch: str, named: Branches, says: str, *, by_id: bool) -> _Answer:
    if by_id:
        ends = [named.milestone]
        target = named.milestone or named.baseline
    else:
        ends = [named.closeout] if named.closeout else [named.milestone, named.baseline]
        target = named.closeout or named.milestone or named.baseline
    wanted = [name for name in (named.worktrack, *ends) if name]
    return _held(_Answer(["worktrack"], wanted), branch in wanted, target, says)


def _held(answer: _Answer, holds: bool, target: str, says: str) -> _Answer:  # noqa: FBT001 - the condition itself
    """`answer`, blocked with the branch to go to unless the condition holds."""
    answer.blocked = not holds
    answer.target = None if holds else target
    where = " / ".join(answer.branches or answer.contexts)
    answer.reason = f"{says}: allowed" if holds else f"{says}: it must run on {where or target}"
    return answer


def _decisive(scope: str, function: str, context: str) -> str:
    """The field whose value decided."""
    if context in {"baseline", "milestone"}:
        return _BASELINE if context == "baseline" else _MILESTONE
    return _WORKTRACK if scope == SCOPES[1] and function != "Init" else _BASELINE


def _findings(answer: _Answer, named: Branches, branch: str, control: str | None) -> list[str]:
    found = list(named.findings)
    if control is None:
        found.append("there is no control state to say which branch is the right one")
    if not branch:
        found.append("the checkout is on no branch")
    if not answer.contexts and not answer.branches:
        found.append("no rule knows this function in this scope")
    if answer.warning:
        found.append(answer.warning)
    return found
