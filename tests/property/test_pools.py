"""A judge that keeps what it knows gives the same pool as one that starts afresh, whatever changed in between."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support.build import (
    NOW,
    ago,
    board,
    board_row,
    delivery,
    entry,
    feature,
    inputs,
    lease,
    log_of_entries,
    need,
    plan,
    report,
    report_row,
    row,
    snapshot,
    stage_doc,
    state,
)

from harness_tui.model.intervention import Interventions
from harness_tui.model.pool import STATUSES
from harness_tui.model.problem import Problem
from harness_tui.rules.frontier import with_frontier
from harness_tui.rules.inbox import inbox
from harness_tui.rules.pools import PoolJudge
from harness_tui.rules.recap import Recap, recap, seen
from harness_tui.rules.stream import Signs, stream_state
from harness_tui.rules.why import why
from harness_tui.store.diff import diff

IDS = ("T-01", "T-02", "T-03", "t-01")
SLUGS = ("ramp", "door", "glaze")
KINDS = ("dispatch", "delivered", "failed", "needs-human", "skipped", "note")

statuses = st.sampled_from(STATUSES)
rows = st.builds(
    lambda task, status, needs, slug, goal, malformed: row(
        task, status, needs, slug=slug, goal=goal, malformed=malformed
    ),
    st.sampled_from(IDS),
    statuses,
    st.lists(st.sampled_from((*IDS, "T-99")), max_size=2, unique=True),
    st.sampled_from(SLUGS),
    st.sampled_from(("grind", "sift")),
    st.booleans(),
)
problems = st.lists(
    st.builds(
        Problem,
        st.just("P"),
        st.one_of(st.none(), st.integers(1, 6)),
        st.just("error"),
        st.sampled_from(("cell-count", "bom")),
        st.just("mend it"),
    ),
    max_size=2,
).map(tuple)
plans = st.builds(
    lambda found, odd, first, table: plan(
        *(item._replace(line=first + place) for place, item in enumerate(found)), problems=odd, table=table
    ),
    st.lists(rows, max_size=5),
    problems,
    st.integers(1, 2),
    st.booleans(),
)
logs = st.one_of(
    st.none(),
    st.lists(
        st.tuples(st.sampled_from(KINDS), st.sampled_from((*IDS, None)), st.sampled_from(("", *SLUGS))), max_size=6
    ).map(
        lambda events: log_of_entries(
            *(
                entry(line, kind, task, at=ago(hours=9 - line), slug=slug)
                for line, (kind, task, slug) in enumerate(events, 1)
            )
        )
    ),
)
features = st.lists(
    st.builds(
        lambda slug, says, superseded, stage: feature(
            delivery(says) if says else None, stage_doc(stage, "APPROVED"), slug=slug, superseded=superseded
        ),
        st.sampled_from(SLUGS),
        st.one_of(st.none(), statuses),
        st.booleans(),
        st.integers(0, 7),
    ),
    max_size=2,
)
boards = st.lists(
    st.builds(lambda slug, says, active: board(board_row(says, slug=slug, active=active)), st.sampled_from(SLUGS),
              statuses, st.booleans()),
    max_size=2,
)  # fmt: skip
reports = st.one_of(
    st.none(),
    st.lists(
        st.builds(
            report_row, st.sampled_from(IDS), st.sampled_from(("DELIVERED", "BLOCKED")), slug=st.sampled_from(SLUGS)
        ),
        max_size=2,
    ).map(lambda found: report(*found, needs=[need()])),
)
states = st.lists(
    st.builds(
        lambda slug, why: state(slug=slug, blocked=why), st.sampled_from(SLUGS), st.sampled_from((None, "rounds"))
    ),
    max_size=1,
)
worlds = st.fixed_dictionaries(
    {"plan": plans, "log": logs, "features": features, "boards": boards, "told": reports, "states": states}
)
edits = st.lists(
    st.one_of(
        worlds,
        st.fixed_dictionaries({"plan": plans}),
        st.fixed_dictionaries({"log": logs}),
        st.fixed_dictionaries({"features": features}),
        st.fixed_dictionaries({"boards": boards}),
        st.fixed_dictionaries({"told": reports}),
        st.fixed_dictionaries({"states": states}),
        st.fixed_dictionaries({"status": st.tuples(st.integers(0, 4), statuses)}),
        st.fixed_dictionaries({"problems": problems}),
        st.fixed_dictionaries({"shift": st.integers(1, 2)}),
        st.fixed_dictionaries({"forget": st.sampled_from(IDS)}),
        st.fixed_dictionaries({"event": st.tuples(st.sampled_from(KINDS), st.sampled_from(IDS))}),
        st.just({}),
    ),
    max_size=5,
)


def changed(world, edit):
    """`world` after one edit; only what the edit names gets new objects, as a reader gives them."""
    if "event" in edit:
        return world | {"log": appended(world["log"], *edit["event"])}
    if "forget" in edit:
        return world | {"log": without(world["log"], edit["forget"])}
    if "problems" in edit:
        return world | {"plan": replace(world["plan"], problems=edit["problems"])}
    if "shift" in edit:
        moved = tuple(item._replace(line=item.line + edit["shift"]) for item in world["plan"].rows)
        return world | {"plan": replace(world["plan"], rows=moved)}
    if "status" not in edit:
        return world | edit
    place, status = edit["status"]
    found = list(world["plan"].rows)
    if place < len(found):
        found[place] = found[place]._replace(status=status, status_text=status)
    return world | {"plan": plan(*found, problems=world["plan"].problems, table=world["plan"].table)}


def appended(log, kind, task):
    """`log` with one more line; what it says about other tasks stays the same object."""
    known = log if log is not None else log_of_entries()
    line = known.entries + 20
    fresh = log_of_entries(entry(line, kind, task)).tasks[task]
    old = known.tasks.get(task, fresh)
    item = replace(old, dispatch=fresh.dispatch or old.dispatch, result=fresh.result or old.result, last=fresh.last)
    return replace(known, entries=known.entries + 1, tasks={**known.tasks, task: item})


def without(log, task):
    """`log` after it was cut: it no longer names `task`."""
    return log and replace(log, tasks={name: item for name, item in log.tasks.items() if name != task})


class Reading:
    """Hands the same objects to the judge again as long as nothing in them changed."""

    def __init__(self):
        self.world, self.inputs = None, None

    def of(self, world):
        if self.world is not None:
            fresh = inputs(**{name: part for name, part in world.items() if name != "plan"})
            old = self.inputs
            names = {"features": "features", "log": "log", "boards": "boards", "report": "told", "states": "states"}
            same = {name: getattr(old, name) for name, key in names.items() if self.world[key] is world[key]}
            self.inputs = replace(fresh, **same)
        else:
            self.inputs = inputs(**{name: part for name, part in world.items() if name != "plan"})
        self.world = world
        return self.inputs


@given(worlds, edits)
def test_after_any_edits_a_judge_says_what_a_fresh_one_says(world, steps):
    judge, reading = PoolJudge("mill", "stream"), Reading()
    judge.judge(world["plan"], reading.of(world))
    for step in steps:
        world = changed(world, step)
        witnesses = reading.of(world)
        found = judge.judge(world["plan"], witnesses)
        assert found == PoolJudge("mill", "stream").judge(world["plan"], witnesses)


@given(worlds, st.booleans())
def test_any_pool_adds_up_and_runs_only_what_nothing_keeps_from_running(world, running):
    witnesses = inputs(**{name: part for name, part in world.items() if name != "plan"})
    pool = with_frontier(PoolJudge("mill", "stream").judge(world["plan"], witnesses), running=running)
    assert sum(pool.tally.values()) == len(pool.tasks) == len(world["plan"].rows)
    status = {task.id: task.effective_status for task in pool.tasks}
    assert len(set(pool.frontier)) == len(pool.frontier)
    for task in pool.tasks:
        assert task.runnable == (task.id in pool.frontier)
        if task.runnable:
            assert all(status.get(name) == "done" for name in task.depends_on)
            assert task.effective_status in ("pending", "in-progress")
        assert task.decided_by in {item.source for item in task.evidence}


@given(worlds, worlds, st.sampled_from((None, True, False)), st.integers(-40, 40))
def test_every_rule_answers_for_any_pool_and_its_answers_have_a_reason(world, later, alive, hours):
    held = None if alive is None else lease(alive=alive)
    found = []
    for part in (world, later):
        witnesses = inputs(**{name: value for name, value in part.items() if name != "plan"})
        pool = PoolJudge("mill", "stream").judge(part["plan"], witnesses)
        signs = Signs(((ago(hours=hours), "P"),), (ago(hours=-hours), "P"))
        stream = stream_state(pool, part["log"], held, signs, ambient=False, now=NOW)
        pool = with_frontier(pool, running=stream.state == "running")
        assert stream.why == stream.causes[0].text
        assert all(why(pool, task, stream) for task in pool.tasks)
        logs = {"mill": part["log"]} if part["log"] else {}
        found.append(
            snapshot(
                pool, stream=stream, streams={"mill": stream}, inbox=inbox([pool], logs, Interventions(), None, ())
            )
        )
    assert diff(found[0], found[0]) == ()
    for change in diff(*found):
        assert change.title
    assert recap(seen(found[1]), found[1]) == Recap()
