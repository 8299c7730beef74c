"""The control state of the loop, in one file or in four, with a conservative default for what is missing.

Sources: formats/servo 1.3 (sections, fields, defaults), 1.4 (split layout, aliases), 4 (what real files do). A default
never grants anything, and each one that is used is listed as a gap.
"""

from __future__ import annotations

from harness_tui.formats.control_duplicates import HISTORY, duplicates, is_note
from harness_tui.formats.control_lookup import Lookup, Want
from harness_tui.formats.servo_fields import canonical
from harness_tui.formats.servo_values import counts, first_word, is_empty
from harness_tui.model.control import Control, ControlField, Ledger
from harness_tui.model.frozen import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness_tui.formats.servo_fields import Field, ServoDocument
    from harness_tui.model.control import Layout

_ACTIVE = frozenset(
    {
        "active", "initializing", "observing", "scheduling", "dispatching", "verifying", "judging", "recovering",
        "closing", "worktrackscope",
    }
)  # fmt: skip
_INACTIVE = frozenset({"closed", "inactive", "none", "n/a", ""})
_NEXT = ("current_next_action",)

_REPO_SCOPE = Want(("repo_scope",), "unknown", sections=("current_control_level", "repo_control_level"))
_WT_SCOPE = Want(("worktrack_scope",), "none", sections=("current_control_level", "worktrack_control_level"))
_FUNCTION = Want(("current_function",), "unknown", sections=("current_control_level",))
_WORKTRACK = Want(
    ("active_worktrack", "current_worktrack"), "none", sections=("active_worktrack", "worktrack_current"), bullet=True
)
_MILESTONE = Want(("active_milestone",), "none", sections=("active_milestone", "milestone_pipeline"), bullet=True)
_MILESTONE_STATUS = Want(("milestone_status",), "none", sections=("active_milestone", "milestone_pipeline"))
_ROUTE = Want(
    ("recommended_next_route", "current_next_action", "worktrack_next_action", "repo_next_action"),
    "none", sections=_NEXT, bullet=True,
)  # fmt: skip
_APPROVAL = Want(("needs_programmer_approval", "approval_required"), "true", sections=("approval_boundary",))
_AUTONOMY = Want(("post_contract_autonomy", "autonomy_mode"), "none", sections=("continuation_authority",))
_MAX_NEW = Want(("max_auto_new_worktracks",), "0", sections=("continuation_authority",))
_STOP = Want(("stop_after_autonomous_slice", "require_stop_after_slice"), "yes", sections=("continuation_authority",))
_BUDGET = Want(("autonomy_budget_remaining",), "0", sections=("autonomy_ledger",))
_OPENED = Want(("autonomous_worktracks_opened",), "0", sections=("autonomy_ledger",))
_REVIEW = ("milestone_review_gate", "active_milestone", "milestone_pipeline")
_TEXTS = (
    Want(("approval_scope",), "nothing", sections=("approval_boundary",)),
    Want(("approval_persistence",), "one-shot", sections=("approval_boundary",)),
    Want(("autonomy_scope",), "nothing", sections=("continuation_authority",)),
    Want(("baseline_branch",), "ask git", sections=("baseline_branch",), bullet=True),
    Want(("branch_context_guard_status",), "blocked", sections=("branch_environment_guard",)),
    Want(("latest_observed_checkpoint",), "full refresh due", sections=("baseline_traceability",)),
    Want(("last_doc_catch_up_checkpoint",), "full refresh due", sections=("baseline_traceability",)),
    Want(("milestone_input_checkpoint",), "unknown", sections=("baseline_traceability",)),
    Want(("latest_review_status", "active_milestone_review_gate_status"), "missing", sections=_REVIEW),
    Want(("latest_review_checkpoint",), "N/A", sections=_REVIEW),
)
_FLAGS = (
    Want(("milestone_review_gate_ready",), "false", sections=_REVIEW),
    Want(("effective_review_pass",), "false", sections=_REVIEW),
)
_NUMBERS = (Want(("milestone_review_count",), "0", sections=_REVIEW),)


def is_split(documents: Iterable[ServoDocument]) -> bool:
    """Whether the files say, or show by being there, that the state is split (formats/servo 1.4)."""
    return any(
        document.path.endswith("control-state-repo.md")
        or any(first_word(item.value) == "split" for item in document.named("control_state_version"))
        for document in documents
    )


def control_state(documents: Sequence[ServoDocument]) -> Control:
    """The control state that `documents` hold; what two of them give comes from the first."""
    layout: Layout = "split" if is_split(documents) else "single"
    look = Lookup(documents)
    repo, worktrack = look.text(_REPO_SCOPE), look.text(_WT_SCOPE)
    milestone = look.place(_MILESTONE)
    control = Control(
        scope=_scope(repo, worktrack),
        function=look.text(_FUNCTION),
        active_milestone=look.text(_MILESTONE),
        active_worktrack=look.text(_WORKTRACK),
        next_route=_next_route(look),
        layout=layout,
        paths=tuple(document.path for document in documents),
        repo_scope=repo,
        worktrack_scope=worktrack,
        milestone_status=look.text(_MILESTONE_STATUS),
        needs_approval=look.flag(_APPROVAL, strict=True),
        autonomy=look.text(_AUTONOMY),
        stop_after_slice=look.flag(_STOP, strict=True),
        ledger=Ledger(
            budget_remaining=look.number(_BUDGET),
            opened=look.number(_OPENED, largest=True),
            max_new_worktracks=look.number(_MAX_NEW),
        ),
        fields=_fields(documents),
        approval=_fields(documents, "approval_boundary"),
        continuation=_fields(documents, "continuation_authority", "user_defined_servo_controls"),
        duplicates=duplicates(documents),
        summary=_summary(documents),
        milestone_line=milestone.line if milestone else None,
    )
    for want in _TEXTS:
        look.text(want)
    for want in _FLAGS:
        look.flag(want, strict=False)
    for want in _NUMBERS:
        look.number(want)
    return replace(control, gaps=tuple(look.gaps))


def _summary(documents: Sequence[ServoDocument]) -> tuple[tuple[str, int], ...]:
    """Counts by status: in one line (`planned=0 / active=1`, with or without prose), or nested (`active_count:`)."""
    return counts(
        text
        for document in documents
        for item in document.named("milestone_pipeline_summary")
        for text in (item.value, *(f"{child.name}={child.value}" for child in document.children(item)))
    )


def _scope(repo: str, worktrack: str) -> str:
    word = first_word(worktrack)
    if word in _ACTIVE:
        return "WorktrackScope"
    return "RepoScope" if word in _INACTIVE and first_word(repo) not in {"unknown", ""} else "unknown"


def _next_route(look: Lookup) -> str:
    """The route, else the action, else the prose bullet of the section."""
    for name in _ROUTE.names:
        found = look.place(Want((name,), "none", sections=_NEXT))
        if found is not None and not is_empty(found.value):
            return found.value
    return look.text(_ROUTE)


def _fields(documents: Iterable[ServoDocument], *sections: str) -> tuple[ControlField, ...]:
    return tuple(
        ControlField(item.section, _dotted(item), item.value, item.line, document.path)
        for document in documents
        for item in document.fields
        if item.place != "front" and _shown(item) and (not sections or canonical(item.section) in sections)
    )


def _shown(item: Field) -> bool:
    """Notes hold long remarks: only what looks like a field there is one."""
    return not is_note(item) or (item.name.isidentifier() and not item.trail and item.name not in HISTORY)


def _dotted(item: Field) -> str:
    return ".".join(part for part in (*item.trail, item.key) if part)
