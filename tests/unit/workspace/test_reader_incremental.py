"""Reading again what changed gives what a fresh reader finds, whatever happened in between."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness_tui.workspace import cache, features
from harness_tui.workspace.reader import Reader

HEAD = "# P\n\n| ID | Slug | Goal | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"
PLANS = (
    HEAD + "| T-01 | dig | Dig. | full | — | done |\n| T-02 | sow | Sow. | full | T-01 | pending |\n",
    HEAD + "| T-01 | dig | Dig. | full | — | done |\n| T-02 | sow | Sow. | full | T-01 | blocked |\n",
    HEAD + "| T-02 | sow | Sow. | full | T-09 | in-progress |\n",
    HEAD + "| T-01 | dig | Dig. | full | T-03 | pending |\n| T-03 | reap | Reap. | plan | T-01 | pending |\n",
    "# nothing\n", "", "\0\udcff|",
)  # fmt: skip
LOGS = (
    "# Log\n\n2024-05-01T06:00:00Z · T-01 · dispatching pm-orchestrator · slug=dig\n",
    "# Log\n\n2024-05-01T06:00:00Z · T-01 · DELIVERED · rollbacks=2\n2024-05-01T07:00:00Z · STREAM EXIT · drained\n",
    "2024-05-01T06:00:00Z · T-02 · regression gate · verify_all FAIL 3/0/2/0\nhalf a line",
    "",
)
DOCUMENTS = (
    "# D\n\n## Verdict\n\nAPPROVED\n",
    "# D\n\n## Verdict\n\nREJECTED\n",
    "# D\n\n- Rollbacks: 3\n\n## Verdict\n\nDELIVERED\n",
    "",
)
FOLDERS = ("docs/features/dig", "docs/features/sow", "docs/features/_archived/dig", "docs/features/_archived/sow")
POOLS = ("docs/batches/a", "docs/batches/b")
FILES = {
    **{f"{pool}/BATCH_PLAN.md": PLANS for pool in POOLS},
    **{f"{pool}/{name}": LOGS for pool in POOLS for name in ("STREAM_LOG.md", "BATCH_LOG.md")},
    f"{POOLS[0]}/STREAM_REPORT.md": ("# R\n\n## Needs your input\n\n- T-02: which seed?\n", "# R\n"),
    **{f"{folder}/{name}": DOCUMENTS for folder in FOLDERS for name in ("03_GATE_REVIEW.md", "07_DELIVERY.md")},
    "docs/tasks.md": ("# T\n\n## Active\n\n| ID | Slug | Stage |\n|---|---|---|\n| B-1 | sow | 4 |\n", "# T\n"),
    ".harness/intervention.md": ("STOP\nrain\n", "SKIP T-02\n", ""),
    ".harness/ambient.flag": ("",),
    ".harness/state/sow.json": ('{"slug": "sow", "stage": 3}', "{"),
    ".harness/scripts/verification_history.log": (
        '{"timestamp": "2024-05-01T06:30:00Z", "pass": 3, "warn": 0, "fail": 0, "skip": 0}\n', "x\n",
    ),
}  # fmt: skip
NAMES = tuple(FILES)
MOVES = (
    ("docs/features/dig", "docs/features/_archived/dig"), ("docs/features/_archived/dig", "docs/features/dig"),
    ("docs/features/sow", "docs/features/_archived/sow"), ("docs/batches/a", "docs/batches/b"),
    ("docs/batches/b", "docs/batches/aside"), ("docs/batches/aside", "docs/batches/b"), ("docs/batches", "docs/away"),
    ("docs/away", "docs/batches"), ("docs/features", "docs/far"), ("docs/far", "docs/features"),
    ("docs/batches/a/STREAM_LOG.md", "docs/batches/a/STREAM_LOG.old"),
    ("docs/batches/a/BATCH_PLAN.md", "docs/batches/a/BATCH_PLAN.bak"),
    ("docs/batches/a/BATCH_PLAN.bak", "docs/batches/a/BATCH_PLAN.md"),
)  # fmt: skip

edits = st.one_of(
    st.tuples(st.sampled_from(["write", "replace", "append"]), st.sampled_from(NAMES), st.integers(0, 6)),
    st.tuples(st.just("delete"), st.sampled_from((*NAMES, *FOLDERS, *POOLS, "docs", ".harness/state")), st.just(0)),
    st.tuples(st.just("move"), st.sampled_from(MOVES), st.just(0)),
    st.tuples(st.just("fifo"), st.sampled_from(NAMES), st.just(0)),
)


def steps(*ways):
    return st.lists(st.tuples(edits, st.sampled_from(ways)), min_size=1, max_size=12)


TOLD, ASIDE, UNTOLD = "told", "aside", "untold"
"""How an edit is heard of: at once, together with the next one, or not at all: then everything is looked at."""


def do(root, edit):
    """Make one edit; returns the paths that a watcher would tell."""
    kind, what, number = edit
    if kind == "move":
        source, target = root / what[0], root / what[1]
        if not source.exists() or target.exists() or not target.parent.is_dir():
            return set()
        inside = {path.relative_to(source) for path in source.rglob("*")} if source.is_dir() else set()
        source.rename(target)
        return {source, target} | ({source / p for p in inside} | {target / p for p in inside})
    path = root / what
    if kind == "delete":
        if path.is_dir():
            inside = set(path.rglob("*"))
            shutil.rmtree(path)
            return {path, *inside}
        path.unlink(missing_ok=True)
        return {path}
    made = {parent for parent in path.parents if not parent.exists()}
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "fifo":
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        return {path, *made}
    if path.exists() and not path.is_file():
        path.unlink()
    texts = FILES[what]
    data = os.fsencode(texts[number % len(texts)])
    if kind == "append":
        with path.open("ab") as file:
            file.write(data)
        return {path, *made}
    if kind == "replace":
        fresh = path.with_suffix(".tmp")
        fresh.write_bytes(data)
        fresh.replace(path)
        return {path, fresh, *made}
    path.write_bytes(data)
    return {path, *made}


def told(snapshot):
    """What a snapshot says, without the moment and without what only one who was there can know."""
    return replace(
        snapshot,
        generated_at=None,
        logs=tuple(replace(log, restarts=0) for log in snapshot.logs),
    )


def quiet(reader):
    """The reader's snapshot without the signs of life that it saw itself."""
    reader._observed.clear()
    return reader.read(frozenset(), budget=1 << 40)


@pytest.fixture(autouse=True)
def no_grace(monkeypatch):
    """A file that looks half written is taken as it is, as it would be two seconds later."""
    monkeypatch.setattr(cache, "GRACE", 0.0)


ONE_PATCH = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@ONE_PATCH
@given(steps(TOLD, TOLD, ASIDE))
def test_a_reader_that_is_told_of_changes_agrees_with_a_fresh_one(script):
    check(script)


@ONE_PATCH
@given(steps(TOLD, UNTOLD, UNTOLD, ASIDE))
def test_a_reader_that_looks_for_himself_agrees_with_a_fresh_one(script):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            features, "_ARCHIVE_EVERY", 1
        )  # else a document edited in its archive is seen half a minute later
        check(script)


def check(script):
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for index, (path, texts) in enumerate(FILES.items()):
            if index % 3 != 2:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(texts[0], "utf-8")
        reader = Reader(root)
        try:
            reader.read(budget=1 << 40)
            waiting = set()
            for edit, how in script:
                waiting |= do(root, edit)
                if how == ASIDE:
                    continue
                changed = frozenset(map(str, waiting))
                waiting = set()
                reader.read(changed if how == TOLD else None, budget=1 << 40)
                fresh = Reader(root)
                want = fresh.read(budget=1 << 40)
                fresh.close()
                assert told(quiet(reader)) == told(want), (edit, how)
        finally:
            reader.close()
