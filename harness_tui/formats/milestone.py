"""A milestone file in any of its five shapes (formats/servo 1.8).

Bullets; headings with yaml; headings with a value; front matter with a table; the newest template, tasks as headings.
"""

from __future__ import annotations

from harness_tui.formats.milestone_gate import parse_milestone_gate
from harness_tui.formats.milestone_rows import TASK, worktrack_rows
from harness_tui.formats.servo_fields import canonical, read_fields
from harness_tui.formats.servo_values import as_list, first_word, is_empty, whole_number
from harness_tui.model.milestone import Milestone, Progress
from harness_tui.model.problem import Problem
from harness_tui.model.regex import regex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import Field, ServoDocument

_HOME = frozenset({"metadata", "control_signal", "milestone", "milestone_artifact", "summary"})
_FINISHED = frozenset({"completed", "superseded"})
_STATUSES = frozenset({"planned", "active"}) | _FINISHED
_ELSEWHERE = (
    "worktrack_list", "worktracks", "acceptance", "final_acceptance", "milestone_gate", "milestone_review_gate",
)  # fmt: skip
_FILE_ID = regex(r"(MS-[A-Za-z0-9][\w-]*?)(?:-composite-acceptance)?\.md")


def parse_milestone(data: bytes, path: str) -> Milestone:
    """The milestone that `data`, the file shown as `path`, describes. What it does not give is empty or unknown."""
    document = read_fields(data, path)
    status, status_line, problems = _status(document)
    identity = _value(document, "milestone_id") or _id_of(path)
    kind = _value(document, "milestone_kind") or "unknown"
    gate = parse_milestone_gate(document, identity, status, kind, status_line)
    return Milestone(
        id=identity,
        path=path,
        title=_value(document, "title"),
        purpose=_value(document, "purpose"),
        priority=_value(document, "priority"),
        gate=gate,
        worktracks=worktrack_rows(document),
        progress=_progress(document),
        depends_on=_names(document, "depends_on_milestones"),
        handback=_first(document, "handback_state") or _handback_state(document),
        review=_first(document, "latest_review_status", "milestone_review_gate_status"),
        problems=problems,
    )


def _id_of(path: str) -> str:
    name = path.rpartition("/")[2]
    match = _FILE_ID.fullmatch(name)
    return match[1] if match else name.removesuffix(".md")


def _places(document: ServoDocument, name: str) -> list[Field]:
    """Where the milestone itself has the field: its own sections first, then other sections, front matter last."""
    top = [f for f in document.named(name) if not f.trail and not is_empty(f.value) and not _of_part(f)]
    home = [f for f in top if f.place != "front" and canonical(f.section) in (*_HOME, name)]
    other = [f for f in top if f.place != "front" and f not in home]
    return [*home, *other, *(f for f in top if f.place == "front")]


def _of_part(item: Field) -> bool:
    """Whether the field is about a worktrack, a gate or an acceptance, not about the milestone itself."""
    return item.within(*_ELSEWHERE) or any(TASK.fullmatch(title) for title in item.headings)


def _value(document: ServoDocument, name: str) -> str:
    found = _places(document, name)
    return found[0].value if found else ""


def _status(document: ServoDocument) -> tuple[str, int | None, tuple[Problem, ...]]:
    """The status, its line, and a problem when front matter and body differ: then what is not finished counts."""
    places = _places(document, "status")
    body = [f for f in places if f.place != "front" and (canonical(f.section) in (*_HOME, "status") or f == places[0])]
    known = body[:1] + [f for f in places if f.place == "front"][:1]
    if not known:
        return "unknown", None, ()
    words = [_status_word(item.value) for item in known]
    chosen = next((index for index, word in enumerate(words) if word not in _FINISHED), 0)
    problems: tuple[Problem, ...] = ()
    if len(set(words)) > 1:
        places_said = ", ".join(f"{word} in line {item.line}" for word, item in zip(words, known, strict=True))
        message = f"the status is given twice: {places_said}; {words[chosen]} counts"
        problems = (Problem(document.path, known[chosen].line, "warning", "milestone-status-differs", message),)
    return words[chosen], known[chosen].line, problems


def _status_word(value: str) -> str:
    word = first_word(value)
    return word if word in _STATUSES else value


def _progress(document: ServoDocument) -> Progress:
    def number(*names: str) -> int | None:
        found = [whole_number(f.value) for f in document.named(*names) if f.within("progress_counter")]
        return found[0] if found else None

    return Progress(number("total", "total_worktracks"), number("completed"), number("blocked"), number("deferred"))


def _names(document: ServoDocument, key: str) -> tuple[str, ...]:
    """Items of a list in any shape: inline, nested, or the bullets of a section of that name."""
    found: dict[str, None] = {}
    for item in document.fields:
        if item.name == key and not item.trail:
            found.update(dict.fromkeys(as_list(item.value)))
        elif not item.name and item.within(key) and not is_empty(item.value):
            found[item.value] = None
    return tuple(found)


def _first(document: ServoDocument, *names: str) -> str:
    return next((item.value for item in document.named(*names) if not is_empty(item.value)), "")


def _handback_state(document: ServoDocument) -> str:
    return next((f.value for f in document.named("state") if f.within("handback") and not is_empty(f.value)), "")
