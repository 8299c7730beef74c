"""What asking a guard costs: `python tests/bench/bench_guard.py [--rounds N] [--json]`.

The floor is `python -c "import json, re, subprocess"`: what the scripts of a control loop import before they start.
Processor time of whole processes, ours and the floor in turns; compiled modules are at hand, as in an installation.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from side_by_side import Ratio, compare, show

FLOOR = [sys.executable, "-c", "import json, re, subprocess"]
PROGRAM = "import re, sys; from harness_tui.cli.main import main; sys.exit(main())"
"""What the console script does."""
STATE = ".servo/control-state.md"
EVENTS = "events.ndjson"
GUARDS = {
    "dispatch-profile-check (no file)": (["dispatch-profile-check", "--profile-json", "{}"], 1.2),
    "milestone-kind-routing (a file)": (["milestone-kind-routing", "--milestone", STATE], 1.3),
    "autonomy-policy-check": (["autonomy-policy-check", "--operation", "observe", "--skill", "x"], 1.3),
    "evidence-completeness-check": (["evidence-completeness-check", "--evidence-file", STATE], 1.4),
    "git-hash-check (a file and git)": (["git-hash-check", "--control-state", STATE], 1.6),
    "branch-context-check (a file and git)": (
        ["branch-context-check", "--control-state", STATE, "--scope", "RepoScope", "--function", "Observe"], 1.7,
    ),
    "checkpoint-writeback --dry-run": (
        ["checkpoint-writeback", "--checkpoint-type", "observed", "--control-state", STATE, "--dry-run"], 1.9,
    ),
    "normalize-control-state --dry-run": (["normalize-control-state", "--input", STATE, "--dry-run"], 1.6),
    "intervention": (["intervention"], 1.2),
    "lock": (["lock"], 1.4),
    "pool": (["pool"], 1.5),
    "gate": (["gate"], 1.7),
    "budget": (["budget"], 1.5),
    "packet": (["packet"], 1.5),
    "pipeline": (["pipeline"], 1.7),
    "hard-stop (events)": (["hard-stop", "--events", EVENTS], 1.7),
    "all": (["all"], 3.6),
}  # fmt: skip
TEXT = """\
# Control state

## Active Worktrack

- active_worktrack: WT-3

## Baseline Branch

- baseline_branch: trunk

## Baseline Traceability

- latest_observed_checkpoint: none yet
- milestone_kind: goal-driven

## Handback Guard

- handback_lock_active: false
"""
PLAN = (
    "| ID | Slug | Goal | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n| T-1 | a | A. | full | — | done |\n"
)

GATE = """\
---
worktrack_id: WT-3
---

- worktrack_gate_verdict: pass
- implementation_gate: pass
- validation_gate: pass
- policy_gate: pass
"""
EPIC = {
    "epic_id": "sh-1-hay", "current_stage": "SPEC", "risk_level": "medium",
    "interrupt_budget": {"total": 2, "consumed": 0, "remaining": 2},
}  # fmt: skip
FILES = {
    STATE: TEXT,
    EVENTS: '{"k":"read","path":"a"}\n',
    "docs/batches/default/BATCH_PLAN.md": PLAN,
    ".servo/worktrack/WT-3/gate-evidence.md": GATE,
    ".harness/features/sh-1-hay/state.json": json.dumps(EPIC),
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--only", default="", help="guards whose name holds this")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ratios = measure(Path(folder), options.rounds, options.only)
    show(ratios, as_json=options.json)
    return int(any(ratio.ratio > ratio.goal for ratio in ratios))


def measure(folder: Path, rounds: int, only: str) -> list[Ratio]:
    root = folder / "w"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment |= {"PYTHONPYCACHEPREFIX": str(folder / "cache"), "GIT_CONFIG_GLOBAL": "/dev/null"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    for words in (["init", "-q"], ["-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "x", "--allow-empty"]):
        subprocess.run(["git", *words], cwd=root, env=environment, check=True)

    def seconds(argv: list[str]) -> float:
        with subprocess.Popen(argv, cwd=root, env=environment, stdout=subprocess.DEVNULL) as child:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode in {0, 1}, argv
        return used.ru_utime + used.ru_stime

    commands = {
        name: ([sys.executable, "-c", PROGRAM, "guard", *words], goal)
        for name, (words, goal) in GUARDS.items()
        if only in name
    }
    for argv, _ in commands.values():
        seconds(argv)  # compiles
    return [compare(name, argv, FLOOR, rounds, goal, seconds) for name, (argv, goal) in commands.items()]


if __name__ == "__main__":
    sys.exit(main())
