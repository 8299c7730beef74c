"""The status as text: what the dashboard shows, for pipes, screen readers and terminals that can do less."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from harness_tui.cli.text_families import family_lines
from harness_tui.formats.text import clean
from harness_tui.rules.activity import activity_words, owner_words
from harness_tui.rules.inbox import asking
from harness_tui.rules.span import age, clock
from harness_tui.rules.stream import shown_status, shown_tally
from harness_tui.rules.verify_words import verify_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from harness_tui.model.git import Git
    from harness_tui.model.inbox import InboxItem
    from harness_tui.model.pool import Pool, ShownStatus, Task
    from harness_tui.model.problem import Problem
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.model.stream import Stream

_STYLE = {
    "done": "green", "in-progress": "cyan", "interrupted": "bold yellow", "failed": "bold red",
    "needs-human": "bold red", "blocked": "yellow", "unknown": "yellow", "error": "bold red", "warning": "yellow",
}  # fmt: skip


class _Output(Console):
    """Leaves it to `cli.main` what happens when the reader of a pipe goes away."""

    def on_broken_pipe(self) -> None:
        """Raise instead of ending the program with 1."""
        raise BrokenPipeError


def console() -> Console:
    """Stdout: colours only on a terminal that knows them and when NO_COLOR is not set; never any markup."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return _Output(
        file=sys.stdout, no_color=plain, force_terminal=False if plain else None, markup=False, highlight=False,
        emoji=False, soft_wrap=True,
    )  # fmt: skip


SENT_SHOWN: Final = 3
"""Sent signals that are told of, the newest first."""
LOOKED_FOR = (
    "no pool found: looked for docs/batches/<pool>/BATCH_PLAN.md, .harness/features/<epic>/state.json,",
    ".servo/control-state.md and PLAN.md",
)
"""What an empty workspace is told."""


def status_lines(snapshot: Snapshot) -> Iterator[Text]:
    """The whole snapshot, most urgent first: state, what needs the operator, pools, what could not be read."""
    now = snapshot.generated_at
    yield Text(clean(snapshot.root), "bold")
    if snapshot.git is not None:
        yield Text(f"git      {git_words(snapshot.git)}")
    others = list(family_lines(snapshot))
    if snapshot.pools or not others:
        yield Text(f"stream   {stream_words(snapshot.stream, now)}")
        if snapshot.stream.why:
            yield Text(f"         {snapshot.stream.why}")
        if snapshot.stream.owner is not None:
            yield Text(f"         run by {owner_words(snapshot.stream.owner)}")
        if snapshot.stream.doing is not None:
            yield Text(f"         worker: {' · '.join(activity_words(snapshot.stream.doing))}")
        yield Text(f"ambient  {'on' if snapshot.stream.ambient else 'off'}")
    if snapshot.verify_runs:
        run = snapshot.verify_runs[-1]
        when = f", {age(run.at, now)} ago" if run.at is not None and run.at <= now else ""
        yield Text(f"verify   {verify_words(run)}{when}", _STYLE.get(run.verdict, ""))
    if snapshot.interventions.present:
        yield Text(f"signal   {snapshot.interventions.safest}, unread: {snapshot.interventions.path}", "bold red")
    for sent in snapshot.sent[:SENT_SHOWN]:
        name = f"{sent.keyword} {sent.argument}".strip()
        path, line = sent.evidence or ("", None)
        where = f"  ({path}{f':{line}' if line is not None else ''})" if path else ""
        yield Text(f"sent     {name} {age(sent.at, now)}: {sent.state}, {clean(sent.why)}{where}")
    if len(snapshot.sent) > SENT_SHOWN:
        yield Text(f"         and {len(snapshot.sent) - SENT_SHOWN} sent before (status --json says more)")
    yield Text("")
    needs = asking(snapshot.inbox)
    yield Text(f"{len(needs)} need{'s' if len(needs) == 1 else ''} you" if needs else "nothing needs you", "bold")
    yield from (inbox_line(item, now) for item in needs)
    for pool in snapshot.pools:
        yield Text("")
        yield from pool_lines(pool, snapshot.streams.get(pool.id), now)
    yield from others
    if not snapshot.pools and not others:
        yield Text("")
        yield from (Text(line) for line in LOOKED_FOR)
    problems = [*snapshot.problems, *(item for pool in snapshot.pools for item in pool.problems)]
    shown = [problem for problem in problems if problem.severity != "info"]
    if shown:
        yield Text("")
        yield Text(f"{len(shown)} problem{'s' if len(shown) > 1 else ''} (harness-tui doctor says more)", "bold")
        yield from (problem_line(problem) for problem in shown[:10])


def git_words(git: Git) -> str:
    """Branch, head and whether files changed, in words."""
    if git.error:
        return git.error
    if git.unborn:
        return f"{git.branch or '?'}, no commits yet"
    where = f"detached at {(git.head or '')[:9]}" if git.detached else f"{git.branch} {(git.head or '')[:9]}"
    return where + {True: ", changed files", False: ", clean", None: ""}[git.dirty]


def stream_words(stream: Stream, now: datetime) -> str:
    """State of a stream with its pool, its task and for how long."""
    words: str = stream.state
    if stream.task_id:
        words += f" {stream.task_id}"
    if stream.pool_id:
        words += f" in {stream.pool_id}"
    if stream.since is not None and stream.since <= now:
        words += (
            f" for {clock(now - stream.since)}" if stream.state == "running" else f" since {age(stream.since, now)}"
        )
    return words


def inbox_line(item: InboxItem, now: datetime) -> Text:
    """One thing that needs the operator, with its place."""
    place = f"{item.path}:{item.line}" if item.line is not None else item.path
    old = age(item.since, now)
    line = Text(f"  {item.kind}: {item.title}", "bold red" if item.urgency > 1 else "yellow")
    line.append(f"  ({', '.join(part for part in (old, place) if part)})", "dim")
    return line


def pool_lines(pool: Pool, stream: Stream | None, now: datetime) -> Iterator[Text]:
    """A pool's heading, tally and rows; `stream` says whether what is in progress is being worked on."""
    counts = ", ".join(f"{count} {word}" for word, count in shown_tally(pool, stream).items())
    state = counts or ("no tasks" if pool.readable else "the plan can't be read")
    yield Text(f"{pool.kind} pool {pool.id}: {state}", "bold")
    if not pool.tasks:
        return
    widths = [max(len(getattr(task, name)) for task in pool.tasks) for name in ("id", "slug")]
    for task in pool.tasks:
        yield _task_line(task, shown_status(task.effective_status, stream), min(widths[0], 12), min(widths[1], 40), now)


def _task_line(task: Task, status: ShownStatus, id_width: int, slug_width: int, now: datetime) -> Text:
    line = Text(f"  {task.id.ljust(id_width)}  {task.slug.ljust(slug_width)}  ")
    line.append(status.ljust(11), _STYLE.get(status, ""))
    line.append(f"  {task.stage}/7  {age(task.touched_at, now).rjust(4)}")
    if task.drift:
        line.append(
            f"  the plan says {task.status}" if task.status != task.effective_status else "  files differ", "yellow"
        )
    if task.waiting_on:
        line.append(f"  waits for {', '.join(wait.id for wait in task.waiting_on)}", "dim")
    return line


def problem_line(problem: Problem) -> Text:
    """One problem: severity, place, words, code."""
    place = f"{problem.path}:{problem.line}" if problem.line is not None else problem.path
    line = Text(f"  {problem.severity}", _STYLE.get(problem.severity, ""))
    line.append(f" {place}: {problem.message} [{problem.code}]")
    return line
