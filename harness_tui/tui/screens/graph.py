"""The dependencies of a pool as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from harness_tui.tui.facts import Fact, heading
from harness_tui.tui.facts_task import status_text
from harness_tui.tui.text import literal

if TYPE_CHECKING:
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.stream import Stream

MOST = 2000
"""Lines of the tree that are drawn at most."""
_FORK, _END = "├─ ", "└─ "
_DEEPEST = 12  # what lies deeper is not moved further to the right


def graph_facts(pool: Pool, stream: Stream | None = None) -> list[Fact]:
    """Tasks below what they depend on. A task with several dependencies is drawn in full once, then by name only."""
    behind: dict[str, list[Task]] = {}
    names = {task.id for task in pool.tasks}
    for task in pool.tasks:
        for name in task.depends_on:
            behind.setdefault(name, []).append(task)
    facts: list[Fact] = []
    drawn: set[int] = set()
    tops = [task for task in pool.tasks if not any(name in names for name in task.depends_on)]
    stack = [(task, "", "", "") for task in reversed(tops)]
    while stack and len(facts) < MOST:
        task, above, stem, branch = stack.pop()
        again = id(task) in drawn
        facts.append(_line(pool, task, above, stem + branch, stream, again=again))
        if not again:
            drawn.add(id(task))
            if branch and len(stem) < (_DEEPEST - 1) * len(branch):
                stem += "│  " if branch == _FORK else "   "
            below = reversed(behind.get(task.id, []))
            stack += [(item, task.id, stem, _FORK if at else _END) for at, item in enumerate(below)]
    rest = [] if stack else [task for task in pool.tasks if id(task) not in drawn]
    if rest:
        facts.append(heading("In or behind a ring"))
        facts += [_line(pool, task, "", "", stream, again=False) for task in rest[:MOST]]
    if len(facts) >= MOST:
        facts.append(heading(f"{MOST} lines of the tree are shown; the table has all {len(pool.tasks)} rows"))
    return facts


def _line(pool: Pool, task: Task, above: str, lead: str, stream: Stream | None, *, again: bool) -> Fact:
    tail = literal("  (see above)", "$text-muted") if again else literal("")
    also = [name for name in task.depends_on if name != above]
    needs = literal(f"  also needs {', '.join(also)}", "$text-muted") if also and lead else literal("")
    text = Content.assemble(
        literal(lead, "$text-muted"),
        literal(f"{task.id} ", "bold"),
        literal(f"{task.slug}  "),
        status_text(task, stream),
        needs,
        tail,
    )
    return Fact(text, pool.path, task.line, pool_id=pool.id, task_id=task.id)
