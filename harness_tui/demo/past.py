"""What happened before the demo starts: a finished batch, a first run of the stream, and the files they left."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from harness_tui.demo import board, documents, epic, loop, plan
from harness_tui.demo.features import FEATURES
from harness_tui.demo.plan import EMPTY, Row

if TYPE_CHECKING:
    from datetime import datetime

POOL = "default"
POOL_FOLDER = f"docs/batches/{POOL}"
BATCH = "spring-service"
BATCH_FOLDER = f"docs/batches/{BATCH}"
ARCHIVE = "docs/features/_archived"
GREEN = "PASS 4/0/0/0"
"""A passed verify_all as log lines word it: PASS/WARN/FAIL/SKIP."""
GREEN_LONG = "PASS (PASS: 4, WARN: 0, FAIL: 0, SKIP: 0)"
FIRST_TESTS = 2
"""Tests in the baseline before the played run."""


class Delivered(NamedTuple):
    """A task that was delivered: in which pool, how long ago it began, and how long it took."""

    pool: str
    id: str
    slug: str
    began: timedelta
    took: timedelta
    rollbacks: int = 0


DELIVERED = (
    Delivered(BATCH, "T-01", "counter-login", timedelta(days=9, hours=4), timedelta(minutes=38)),
    Delivered(BATCH, "T-02", "ticket-search", timedelta(days=9, hours=3), timedelta(minutes=51), 1),
    Delivered(BATCH, "T-03", "nightly-backup", timedelta(days=9, hours=2), timedelta(minutes=44)),
    Delivered(POOL, "T-01", "booking-calendar", timedelta(days=2, hours=6), timedelta(minutes=47)),
    Delivered(POOL, "T-02", "repair-ticket-states", timedelta(days=2, hours=5), timedelta(minutes=58), 1),
    Delivered(POOL, "T-03", "price-list-import", timedelta(days=2, hours=4), timedelta(minutes=33)),
)

_POOL_ROWS = (
    ("T-01", "booking-calendar", EMPTY, "done"),
    ("T-02", "repair-ticket-states", EMPTY, "done"),
    ("T-03", "price-list-import", "T-02", "done"),
    ("T-04", "pickup-notice", "T-02", "pending"),
    ("T-05", "pickup-payment", "T-04", "pending"),
    ("T-06", "pickup-receipt", "T-05", "pending"),
    ("T-07", "parts-reservation-plan", "T-03", "pending"),
    ("T-08", "parts-reorder", "T-07", "pending"),
    ("T-09", "parts-stocktake-report", "T-08", "pending"),
    ("T-10", "shelf-labels-i18n", EMPTY, "pending"),
)
_BATCH_ROWS = (
    ("T-01", "counter-login", EMPTY, "done"),
    ("T-02", "ticket-search", EMPTY, "done"),
    ("T-03", "nightly-backup", "T-01", "done"),
)
_LOANER = Row("T-04", "loaner-bikes", "Keep a list of bicycles on loan.", "full", "T-02", "skipped")


def stamp(at: datetime) -> str:
    """A UTC time as the norm writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def day(at: datetime) -> str:
    """The date of a time."""
    return at.strftime("%Y-%m-%d")


def verify_line(at: datetime) -> str:
    """One line of `verification_history.log` (1.9)."""
    counts = {"pass": 4, "warn": 0, "fail": 0, "skip": 0}
    return json.dumps({"timestamp": stamp(at), **counts}) + "\n"


def baseline(created: str, tests: int) -> str:
    """`baseline.json` (1.10)."""
    value = {
        "version": 1,
        "created": created,
        "test_count": tests,
        "passing_count": tests,
        "warnings_baseline": 0,
        "notes": "counted by python -m unittest",
    }
    return json.dumps(value, indent=2) + "\n"


def files(now: datetime) -> dict[str, str]:
    """All harness files as they stand at `now`, by path relative to the root."""
    found = {
        f"{BATCH_FOLDER}/BATCH_PLAN.md": _batch_plan(now),
        f"{BATCH_FOLDER}/BATCH_LOG.md": _log("Batch", BATCH, now),
        f"{BATCH_FOLDER}/BATCH_REPORT.md": _batch_report(),
        f"{POOL_FOLDER}/BATCH_PLAN.md": _pool_plan(now),
        f"{POOL_FOLDER}/STREAM_LOG.md": _log("Stream", POOL, now),
        f"{POOL_FOLDER}/STREAM_REPORT.md": _stream_report(),
        "docs/tasks.md": _board(now),
        ".harness/insight-index.md": _insights(now),
        ".harness/entropy-watch.state": f"delivered_since_sweep=0\nlast_sweep={stamp(now - timedelta(days=2))}\n",
        ".harness/scripts/baseline.json": baseline(day(now - timedelta(days=11)), FIRST_TESTS),
        ".harness/scripts/verification_history.log": "".join(
            verify_line(now - task.began + task.took) for task in DELIVERED
        ),
    }
    for task in DELIVERED:
        found |= _archived(task, now)
    return found | epic.files(now) | loop.FILES


def _rows(cells: tuple[tuple[str, str, str, str], ...]) -> tuple[Row, ...]:
    return tuple(
        Row(name, slug, FEATURES[slug].goal, FEATURES[slug].mode, depends, status)
        for name, slug, depends, status in cells
    )


def _pool_plan(now: datetime) -> str:
    created, queued = day(now - timedelta(days=3)), day(now - timedelta(days=1))
    asked = "Customers should hear when the bicycle is ready, and pay when they fetch it"
    notes = (
        f'Decomposed pickup-* (3 rows) ← "{asked}" ({queued})',
        "The parts rows wait for the plan of T-07: whoever counts reserved parts differently builds all three twice.",
    )
    return plan.render(POOL, created, _rows(_POOL_ROWS), notes)


def _batch_plan(now: datetime) -> str:
    notes = ("T-04 was skipped by the operator: the insurance forbids lending.",)
    return plan.render(BATCH, day(now - timedelta(days=10)), (*_rows(_BATCH_ROWS), _LOANER), notes)


def _log(kind: str, pool: str, now: datetime) -> str:
    tasks = [task for task in DELIVERED if task.pool == pool]
    first, last = tasks[0], tasks[-1]
    lines = [f"{stamp(now - first.began - timedelta(minutes=2))} · pre-flight · baseline verify_all {GREEN}"]
    for task in tasks:
        ended = now - task.began + task.took
        mode = FEATURES[task.slug].mode
        link = f"07=docs/features/{task.slug}/07_DELIVERY.md"
        head = f"{stamp(now - task.began)} · {task.id} · dispatching pm-orchestrator"
        facts = f"files=2 · rollbacks={task.rollbacks} · final verify_all {GREEN}"
        lines += [
            f"{head} · slug={task.slug} · mode={mode}",
            f"{stamp(ended)} · {task.id} · DELIVERED · {link} · {facts}",
            f"{stamp(ended + timedelta(minutes=1))} · {task.id} · regression gate · verify_all {GREEN}",
        ]
    end = now - last.began + last.took + timedelta(minutes=3)
    if kind == "Batch":
        lines.insert(-3, f"{stamp(now - last.began)} · T-04 · SKIPPED · slug=loaner-bikes · by the operator")
    word = "STREAM EXIT" if kind == "Stream" else "batch end"
    lines.append(f"{stamp(end)} · {word} · drained · {len(tasks)} done · no hard stop")
    return f"# {kind} Log — {pool}\n\n" + "".join(f"{line}\n" for line in lines)


def _report_table(pool: str) -> str:
    lines = [f"| {t.id} | {t.slug} | DELIVERED | `{ARCHIVE}/{t.slug}/` |" for t in DELIVERED if t.pool == pool]
    return "| id | slug | verdict | link |\n|---|---|---|---|\n" + "".join(f"{line}\n" for line in lines)


def _stream_report() -> str:
    return (
        f"# Stream Report — {POOL}\n\n## Needs your input\n\nNone.\n\n## Tasks\n\n{_report_table(POOL)}\n"
        "## Counts\n\n- done: 3 · failed: 0 · blocked: 0 · needs-human: 0 · skipped: 0\n- passes run: 3\n"
        f"- final verify_all: {GREEN_LONG}\n\n## Stop reason\n\nnone\n"
    )


def _batch_report() -> str:
    skipped = f"| {_LOANER.id} | {_LOANER.slug} | SKIPPED | {EMPTY} |\n"
    return (
        f"# Batch Report — {BATCH}\n\n## Tasks\n\n{_report_table(BATCH)}{skipped}\n"
        "## Counts\n\n- done: 3 · failed: 0 · blocked: 0 · skipped: 1\n- elapsed: 2 h 46 min\n"
        f"- final verify_all: {GREEN_LONG}\n\n## Stop reason\n\nnone\n"
    )


def _board(now: datetime) -> str:
    lines = [
        board.completed_line(number, task.slug, "Delivered", day(now - task.began), f"{ARCHIVE}/{task.slug}")
        for number, task in enumerate(DELIVERED, 1)
    ]
    return board.render(tuple(reversed(lines)))


def _insights(now: datetime) -> str:
    entries = (insight_line(now - task.began, task.slug) for task in DELIVERED)
    return (
        "# Insight index\n\n> What earlier tasks learned. At most 30 entries, the newest last.\n\n"
        "<!-- one entry: date · fact · evidence -->\n\n" + "".join(entries)
    )


def insight_line(at: datetime, slug: str) -> str:
    """One entry of the insight index (1.10)."""
    return f"- {day(at)} · {FEATURES[slug].insight} · evidence: {slug}/07_DELIVERY.md\n"


def _archived(task: Delivered, now: datetime) -> dict[str, str]:
    feature = FEATURES[task.slug]
    folder = f"{ARCHIVE}/{task.slug}"
    verdict = "GOAL ACHIEVED" if feature.mode == "goal" else "DELIVERED"
    found = {
        f"{folder}/{documents.NAMES[stage]}": documents.document(feature, stage, documents.VERDICTS[stage], GREEN_LONG)
        for stage in documents.STAGES_OF[feature.mode]
        if stage != max(documents.NAMES)
    }
    notes = f"- {stamp(now - task.began + task.took)} · 07 · {verdict} · advance · no intervention\n"
    found[f"{folder}/PM_LOG.md"] = documents.pm_log(feature, task.id) + notes
    found[f"{folder}/{documents.NAMES[7]}"] = documents.delivery(
        feature, task.id, verdict, rollbacks=task.rollbacks, verify=GREEN_LONG
    )
    if feature.mode == "goal":
        found[f"{folder}/goal_state.json"] = documents.goal_state(feature, ("2 of 3 criteria", "3 of 3 criteria"))
    return found
