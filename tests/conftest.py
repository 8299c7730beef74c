"""A small workspace to read, and the program to run on it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("HARNESS_TUI_EXAMPLES", "0"))
"""Examples of each property in a deep run, drawn at random; 0 for a few that are the same in each run."""
settings.register_profile(
    "harness-tui",
    deadline=None,  # a loaded machine is no bug
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
    max_examples=EXAMPLES or 50,
    derandomize=not EXAMPLES,
    print_blob=True,
)
settings.load_profile("harness-tui")


def pytest_xdist_auto_num_workers():
    """How many run beside each other with `-n auto`: tests of screens and terminals wait half of their time.

    Not more than 8, as a container may show more cores than it has.
    """
    return min(2 * (os.cpu_count() or 1), 8)


def pytest_collection_finish():
    """What the tests have in common lives as long as they do: garbage is looked for elsewhere, and not too often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


# A shell without job control starts what runs behind it with these ignored, and children inherit that: Ctrl+C could
# not be tried then.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

PLAN = """\
# Batch Plan — orchard

> Created: 2024-04-02
> Stop policy: strong-signal-only

## Tasks

| ID | Slug | Goal (one sentence) | Mode | Depends on | Status |
|---|---|---|---|---|---|
| T-01 | pick-apples | Pick the Größe-L apples. | full | — | done |
| T-02 | press-cider | Press them the same day. | full | T-01 | in-progress |
| T-03 | fill-bottles | Fill and cork the bottles. | full | T-02 | pending |
| T-04 | print-labels | Print 标签 for the bottles. | plan | — | needs-human |
| T-05 | mend-ladder | Mend the ladder. | goal | T-99 | pending |

## Notes (optional)

- The press is lent out on Sundays.
"""
LOG = """\
# Stream Log — orchard

2024-04-02T08:00:00Z · pre-flight · baseline verify_all PASS 9/0/0/0
2024-04-02T08:01:00Z · T-01 · dispatching pm-orchestrator · slug=pick-apples · mode=full
2024-04-02T08:40:00Z · T-01 · DELIVERED · rollbacks=1 · final verify_all PASS 9/0/0/0
2024-04-02T08:41:00Z · T-01 · regression gate · verify_all PASS 9/0/0/0
2024-04-02T08:42:00Z · T-02 · dispatching pm-orchestrator · slug=press-cider · mode=full
"""
REPORT = """\
# Stream Report — orchard

## Needs your input

- T-04 print-labels: which paper shall it be?

## Stop reason

none
"""
BOARD = """\
# Tasks

## Active

| ID | Slug | Stage | Mode | Started | Folder |
|---|---|---|---|---|---|
| B-002 | press-cider | 3 | full | 2024-04-02 | `docs/features/press-cider/` |

## Completed

| ID | Slug | Outcome | Date | Folder |
|---|---|---|---|---|
| B-001 | pick-apples | Delivered | 2024-04-02 | `docs/features/_archived/pick-apples/` |
"""
GATE = "# Gate review\n\n## Verdict\n\nAPPROVED\n"
DELIVERY = """\
# Delivery

- Rollbacks: 1
- Final verify_all result: PASS (PASS: 9, WARN: 0, FAIL: 0)

## Verdict

DELIVERED
"""
HISTORY = '{"timestamp": "2024-04-02T08:40:00Z", "pass": 9, "warn": 0, "fail": 0, "skip": 0}\n'
POOL = "docs/batches/orchard"
FILES = {
    f"{POOL}/BATCH_PLAN.md": PLAN,
    f"{POOL}/STREAM_LOG.md": LOG,
    f"{POOL}/STREAM_REPORT.md": REPORT,
    "docs/tasks.md": BOARD,
    "docs/features/press-cider/01_REQUIREMENT_ANALYSIS.md": "# Requirement\n\n## Verdict\n\nREADY FOR DESIGN\n",
    "docs/features/press-cider/03_GATE_REVIEW.md": GATE,
    "docs/features/_archived/pick-apples/07_DELIVERY.md": DELIVERY,
    ".harness/scripts/verification_history.log": HISTORY,
}
GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Pomona", "GIT_AUTHOR_EMAIL": "pomona@example.invalid",
    "GIT_COMMITTER_NAME": "Pomona", "GIT_COMMITTER_EMAIL": "pomona@example.invalid",
}  # fmt: skip


def open_files() -> int:
    """How many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


class Workspace:
    """A folder with harness files, and the ways in which agents save them."""

    pool = POOL

    def __init__(self, root: Path) -> None:
        self.root = root

    def __truediv__(self, name: str) -> Path:
        return self.root / name

    @property
    def plan(self) -> Path:
        return self.root / POOL / "BATCH_PLAN.md"

    @property
    def log(self) -> Path:
        return self.root / POOL / "STREAM_LOG.md"

    def fill(self, files: dict[str, str] | None = None) -> Workspace:
        for name, text in (FILES if files is None else files).items():
            self.write(name, text)
        return self

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def replace(self, name: str, text: str | bytes) -> None:
        """Save as most editors do: a new file takes the place of the old one."""
        path = self.root / name
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(text if isinstance(text, bytes) else text.encode())
        fresh.replace(path)

    def append(self, name: str, text: str) -> None:
        with (self.root / name).open("ab") as file:
            file.write(text.encode())

    def set_status(self, task: str, status: str) -> None:
        """Change one status cell of the plan, saved by rename."""
        lines = self.plan.read_text("utf-8").split("\n")
        changed = [
            f"{line.rstrip(' |').rpartition('|')[0]}| {status} |" if line.startswith(f"| {task} |") else line
            for line in lines
        ]
        self.replace(f"{POOL}/BATCH_PLAN.md", "\n".join(changed))

    def git(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=environment | GIT_ENVIRONMENT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def commit(self, message: str = "a change") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def workspace(tmp_path):
    """A workspace without git in a folder of its own: nothing above it is one."""
    root = tmp_path / "orchard"
    root.mkdir()
    return Workspace(root).fill()


@pytest.fixture
def empty_workspace(tmp_path):
    """A repository without any harness file."""
    root = tmp_path / "fallow"
    (root / ".git").mkdir(parents=True)
    return Workspace(root)


@pytest.fixture
def repository(workspace):
    """The workspace as a git repository with one commit."""
    workspace.git("init", "-q", "-b", "main", ".")
    workspace.commit()
    return workspace


@pytest.fixture
def environment(tmp_path):
    """What a program is started with: nothing of the machine's own settings."""
    home = tmp_path / "home"
    home.mkdir()
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "LANG": "C.UTF-8",
        "TERM": "xterm-256color", "TMPDIR": str(tmp_path), "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }  # fmt: skip


@pytest.fixture
def files_open():
    """Count the open files of this process."""
    return open_files


@pytest.fixture
def command():
    """How the installed program is started."""
    return [sys.executable, "-m", "harness_tui"]


@pytest.fixture
def program(environment, command, tmp_path):
    """Run the program to its end and give back what it wrote, as bytes."""

    def run(*arguments, cwd=tmp_path, env=None, **options):
        argv = [*command, *(os.fspath(argument) for argument in arguments)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | options
        return subprocess.run(argv, cwd=cwd, env=environment | (env or {}), timeout=50, check=False, **options)

    return run


@pytest.fixture
def stranger():
    """A process that has nothing to do with us, and lives until the test is over."""
    child = subprocess.Popen(["sleep", "60"])
    yield child
    child.kill()
    child.wait()
