"""Whether a signal makes sense before it is sent: who it means, and what its consumer would do with it.

The tables of formats/harness-kit 1.4 decide: what a pool's loop rejects is refused here, with the reason.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from harness_tui.model.refusal import NotThere, Refused
from harness_tui.model.regex import regex
from harness_tui.rules.near import MOST, asked, near, no_such_pool
from harness_tui.rules.status import SETTLED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from harness_tui.model.intervention import Signal
    from harness_tui.model.pool import Pool, Task
    from harness_tui.model.stream import Stream

SLUG: Final = regex(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SLUG_LIMIT: Final = 40
"""Characters of the longest slug (formats/harness-kit 1.1)."""

_POOL: Final = "a run makes the pool default: L, or harness-tui stream; docs/batches/<pool>/BATCH_PLAN.md is one, too"
_STAGE: Final = regex(r"0?[1-7]")
_SKIPPABLE: Final = frozenset({"05", "06"})
_PADDING: Final = regex(r"(?<!\d)0+(?=\d)")
_LOOKS_LIKE: Final = str.maketrans(
    "АВЕКМНОРСТУХІЈЅавекмнорстухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχ‐‑‒–—−﹣－",
    "ABEKMHOPCTYXIJSabekmhopctyxijsABEZHIKMNOPTYXaiknoptux--------",
)
"""Cyrillic and Greek letters and dashes that can't be told from ASCII on a screen."""


class Checked(NamedTuple):
    """What a signal means: the row that it names, if it names one, and what the operator should know before."""

    pool_id: str | None = None
    task: Task | None = None
    warnings: tuple[str, ...] = ()


def choose_pool(pools: Sequence[Pool], wanted: str | None, streams: Mapping[str, Stream]) -> Pool | None:
    """The pool that is meant: `wanted`, else the only one, else the only one that is running. Raises `Refused`."""
    if wanted is not None:
        found = [pool for pool in pools if pool.id == wanted]
        if not found:
            raise NotThere(wanted, no_such_pool(wanted, [pool.id for pool in pools]))
        return found[0]
    if len(pools) <= 1:
        return pools[0] if pools else None
    running = [pool for pool in pools if pool.id in streams and streams[pool.id].state == "running"]
    return running[0] if len(running) == 1 else None


def in_pool_context(streams: Mapping[str, Stream]) -> bool:
    """Whether signals are read by a loop over a pool: there is a pool that is not drained."""
    return any(stream.state != "drained" for stream in streams.values())


def check_add(
    slug: str,
    goal: str,
    pool: Pool | None,
    pools: Sequence[Pool],
    *,
    folders: Collection[str] = (),
    pending: Iterable[Signal] = (),
) -> Checked:
    """Whether a row `slug` may be added to `pool`. Raises `Refused`.

    `folders` are the slugs that have a feature folder, live or archived; `pending` the signals that stand unread.
    """
    if pool is None and not pools:
        raise NotThere(slug, "there is no pool; a single task would keep ADD as a note and queue nothing", offer=_POOL)
    if pool is None:
        raise Refused("no-pool", slug, f"ADD needs to know its pool: name it with --pool ({_ids(pools)})")
    if not pool.readable or pool.stale:
        raise Refused("unreadable", pool.path, f"the plan can't be read now, so it is not known whether {slug} is free")
    _check_slug(slug)
    if not goal.strip():
        raise Refused("no-goal", slug, "a row needs a goal: one sentence")
    if "\n" in goal.strip():
        raise Refused("long-goal", slug, "a goal is one line: it becomes a cell of a table")
    folded = _skeleton(slug)
    for task in pool.tasks:
        if task.slug == slug:
            state = (
                "is open already" if task.effective_status not in SETTLED else f"was {task.effective_status} already"
            )
            raise Refused(
                "slug-taken", slug, f"it {state}: {task.id} ({task.effective_status}, {pool.path}:{task.line})"
            )
        if _skeleton(task.slug) == folded:
            raise Refused(
                "slug-taken",
                slug,
                f"it can't be told from the slug of {task.id}, {task.slug!a} ({pool.path}:{task.line})",
            )
    if slug in folders:
        raise Refused(
            "slug-taken", slug, "it has a feature folder already, live or archived; its documents would be mixed up"
        )
    if any(signal.keyword == "ADD" and signal.argument == slug for signal in pending):
        raise Refused("waits", slug, "its ADD waits in the file already")
    warnings = (f"pool {pool.id} is run as a batch: its loop rejects ADD",) if pool.kind == "batch" else ()
    return Checked(pool.id, warnings=warnings)


def check_skip(
    name: str,
    pool: Pool | None,
    pools: Sequence[Pool],
    *,
    pending: Iterable[Signal] = (),
    running: Collection[str] = (),
) -> Checked:
    """Whether the row with exactly the id `name` may be skipped. Raises `Refused`.

    Without `pool` the id must stand in one of `pools` only. An id that is not there is a `NotThere`. `running` are the
    ids of the pools of which a run is alive.
    """
    candidates = [pool] if pool is not None else list(pools)
    rows = [(place, task) for place in candidates for task in place.tasks if task.id == name]
    if not rows:
        raise NotThere(name, _absent(name, candidates))
    if len(rows) > 1:
        places = ", ".join(f"{place.path}:{task.line}" for place, task in rows[:5])
        hint = "name the pool with --pool" if len({id(place) for place, _ in rows}) == len(rows) else "make it unique"
        raise Refused("duplicate-id", name, f"it stands in {len(rows)} rows ({places}); {hint} first")
    place, task = rows[0]
    if task.effective_status in SETTLED:
        raise Refused("settled", name, f"it is {task.effective_status} already ({place.path}:{task.line})")
    if any(signal.keyword == "SKIP" and signal.argument == name for signal in pending):
        raise Refused("waits", name, "its SKIP waits in the file already")
    warnings = [f"{name} looks like {twin} ({place.path}:{line})" for twin, line in _twins(task, place)]
    if task.effective_status == "in-progress" and place.id in running:
        warnings.append(f"{name} is in progress: this is read when it has ended, and refused if it was delivered")
    return Checked(place.id, task, tuple(warnings))


def check_stage_skip(stage: str, streams: Mapping[str, Stream]) -> Checked:
    """Whether a stage of a single task may be skipped: 05 and 06 only. Raises `Refused`."""
    _check_stage(stage)
    if in_pool_context(streams):
        raise Refused(
            "pool-context", stage, "SKIP of a stage is for single tasks; the loop over a pool takes a task id"
        )
    if stage.zfill(2) not in _SKIPPABLE:
        why = "the gate review is never skipped" if stage.zfill(2) == "03" else "only 05 and 06 can be"
        raise Refused("stage", stage, f"this stage can't be skipped: {why}")
    return Checked()


def check_redirect(stage: str, text: str, streams: Mapping[str, Stream]) -> Checked:
    """Whether a stage of a single task may be given another brief. Raises `Refused`."""
    _check_stage(stage)
    check_redirects(streams, stage)
    if not text.strip():
        raise Refused("no-text", stage, "REDIRECT needs the new brief of the stage")
    return Checked()


def check_redirects(streams: Mapping[str, Stream], what: str = "REDIRECT") -> None:
    """Whether any stage may be given another brief. Raises `Refused`; `what` is what it names."""
    if in_pool_context(streams):
        why = "REDIRECT is for single tasks; the loop over a pool rejects it: stop it (X), or leave a note (M)"
        raise Refused("pool-context", what, why)


def check_stop(pool: Pool | None, streams: Mapping[str, Stream]) -> Checked:
    """What a STOP for `pool`, or for every run, means."""
    running = [name for name, stream in streams.items() if stream.state == "running"]
    if pool is None or not running or pool.id in running:
        return Checked()
    text = f"it waits for a run of pool {pool.id}; the run of pool {', '.join(running)} goes on"
    return Checked(warnings=(text,))


def is_stage(name: str) -> bool:
    """Whether `name` is written like a stage, 01 to 07."""
    return _STAGE.fullmatch(name) is not None


def _ids(pools: Sequence[Pool]) -> str:
    return ", ".join(pool.id for pool in pools)


def _check_stage(stage: str) -> None:
    if not is_stage(stage):
        raise Refused("stage", stage, "this is no stage: 01 to 07")


def _check_slug(slug: str) -> None:
    if len(slug) > SLUG_LIMIT:
        raise Refused("slug", slug, f"it has {len(slug)} characters; at most {SLUG_LIMIT} are allowed")
    if not SLUG.fullmatch(slug):
        raise Refused(
            "slug", slug, f"{slug!a} is no slug: lower case letters and digits, parts joined by single hyphens"
        )


def _absent(name: str, pools: Sequence[Pool]) -> str:
    """Why no row is meant, with the rows that may have been."""
    folded = _skeleton(name)
    rows = [task for pool in pools for task in pool.tasks]
    found = [task for task in rows if _skeleton(task.id) == folded] + [task for task in rows if task.slug == name]
    if not found:
        by_id = {word: task for task in reversed(rows) for word in (task.slug, task.id)}
        found = [by_id[word] for word in near(name, by_id)]
    hint = asked(dict.fromkeys(f"{task.id!a} {task.slug}" for task in found[:MOST]))
    return f"no row has the id {name!a}{f'{hint} An id is never guessed' if hint else ''}"


def _twins(task: Task, pool: Pool) -> list[tuple[str, int]]:
    folded = _skeleton(task.id)
    return [
        (f"{other.id!a} {other.slug}", other.line)
        for other in pool.tasks
        if other is not task and other.id != task.id and _skeleton(other.id) == folded
    ]


def _skeleton(name: str) -> str:
    """What is left of a name for the eye: compatible forms, look-alikes, case and padding made the same."""
    text = unicodedata.normalize("NFKC", name).strip().translate(_LOOKS_LIKE)
    return _PADDING.sub("", text.casefold())
