"""A pool is drained from the keyboard of a real terminal."""

import pytest

from harness_tui.model.lease import OWN

PLAN = """\
# Batch Plan — mill

## Tasks

| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |
|---|---|---|---|---|---|
| T-01 | grind-wheat | Grind the wheat. | full | — | pending |
| T-02 | sift-flour | Sift the flour. | full | T-01 | pending |
"""


@pytest.fixture
def mill(tmp_path):
    root = tmp_path / "a mill"
    (root / ".harness").mkdir(parents=True)
    plan = root / "docs/batches/mill/BATCH_PLAN.md"
    plan.parent.mkdir(parents=True)
    plan.write_text(PLAN)
    agent = root / "agent.sh"
    agent.write_text(
        '#!/bin/sh\necho "working on $HARNESS_SLUG"\nuntil [ -e go ]; do sleep 0.05; done\necho DELIVERED\n'
    )
    agent.chmod(0o755)
    return root


def test_two_rows_are_drained_by_a_run_that_was_started_with_a_key(terminal, mill):
    screen = terminal(cwd=mill)
    screen.until("? help").send("L").until("Start a run · pool mill")
    screen.send("./agent.sh\r").until("T-01 → T-02")
    assert not (mill / OWN).exists()
    screen.send("\r").until("working on grind-wheat")
    (mill / "go").touch()
    screen.until(lambda it: all(it.row(f"{name} ✓ done") for name in ("T-01", "T-02"))).until("✓ drained")
    screen.until("mill: 2 done")
    assert screen.leave() == 0
    screen.assert_restored()
    assert not (mill / OWN).exists()
