"""What asking a guard costs: `python tests/bench/bench_guard.py [--rounds N] [--json]`.

The floor is `python -c "import json, re, subprocess"`: what the scripts of a control loop import before they start.
Processor time of whole processes, ours and the floor in turns; compiled modules are at hand, as in an installation.
"""

from __future__ import annotations

import argparse
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
        ["checkpoint-writeback", "--checkpoint-type", "observed", "--control-state", STATE, "--dry-run"], 3.0,
    ),
    "intervention": (["intervention"], 2.6),
    "lock": (["lock"], 3.2),
    "pool": (["pool"], 3.4),
}  # fmt: skip
TEXT = """\
# Control state

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


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ratios = measure(Path(folder), options.rounds)
    show(ratios, as_json=options.json)
    return int(any(ratio.ratio > ratio.goal for ratio in ratios))


def measure(folder: Path, rounds: int) -> list[Ratio]:
    root = folder / "w"
    for name, text in ((STATE, TEXT), ("docs/batches/default/BATCH_PLAN.md", PLAN)):
        (root / name).parent.mkdir(parents=True)
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
        name: ([sys.executable, "-c", PROGRAM, "guard", *words], goal) for name, (words, goal) in GUARDS.items()
    }
    for argv, _ in commands.values():
        seconds(argv)  # compiles
    return [compare(name, argv, FLOOR, rounds, goal, seconds) for name, (argv, goal) in commands.items()]


if __name__ == "__main__":
    sys.exit(main())
