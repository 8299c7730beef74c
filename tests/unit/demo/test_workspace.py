"""The sample workspace as it is built."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from harness_tui.demo import documents, past, repository, workspace
from harness_tui.workspace.once import read_workspace

SECTIONS = {
    1: "Goal, In-scope behaviors, Out of scope, Boundary conditions, Acceptance criteria, Resolved questions, Verdict",
    2: "Architecture summary, Change ledger, Interfaces, Constraints, Frozen set, Migration & edit sequence, "
    "Out of scope, Verification plan, Residuals travelling, Verdict",
    3: "Dimension audit, Findings, Binding conditions, Pre-answered developer questions, Verdict",
    4: "Summary, Files changed, verify_all result, Design drift, Condition disposition, Open issues for review, "
    "Dev-map updates, Verdict",
    5: "Files reviewed, Findings, Requirement coverage check, Design fidelity check, Axis status, "
    "Residuals travelling, Verdict",
    6: "Test plan, Adversarial tests, Boundary tests added, verify_all result, Defects found, Stability, Verdict",
    7: "Summary, Insight, Verdict",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "wheelhouse"
    workspace.build(folder)
    return folder


def headings(text):
    return ", ".join(line[3:] for line in text.split("\n") if line.startswith("## "))


@pytest.mark.parametrize("stage", SECTIONS)
def test_each_stage_document_has_the_sections_of_the_norm(root, stage):
    path = root / past.ARCHIVE / "booking-calendar" / documents.NAMES[stage]
    assert headings(path.read_text("utf-8")) == SECTIONS[stage]


def test_the_pool_has_delivered_and_waiting_rows_and_one_in_other_scripts(root):
    tasks = read_workspace(root).pools[0].tasks
    assert [task.status for task in tasks] == ["done"] * 3 + ["pending"] * 7
    assert {task.mode for task in tasks} == {"full", "plan", "goal"}
    assert sum("日本語" in task.goal and "🚲" in task.goal for task in tasks) == 1
    known = {task.id for task in tasks}
    assert all(known.issuperset(task.depends_on) for task in tasks)


def test_there_is_a_question_a_budget_a_locked_loop_and_a_plan_and_nothing_to_complain_about(root):
    found = read_workspace(root)
    assert [(item.question_id, item.state, item.default) for item in found.epics.decisions] == [("D-1", "open", "B")]
    assert [(item.total, item.left, item.state) for item in found.epics.budgets] == [(2, 2, "ok")]
    assert found.servo.handback.locked
    assert found.servo.handback.gaps == ()
    assert [item.kind for item in found.inbox] == ["lock", "decision"]
    assert found.problems == ()


def test_its_check_is_green_and_counts_what_is_there(root, tmp_path):
    folder = tmp_path / "w"
    shutil.copytree(root, folder)
    script = folder / ".harness/scripts/verify_all.sh"
    assert subprocess.run(["bash", script], capture_output=True, check=False).returncode == 0
    (folder / past.ARCHIVE / "ticket-search/07_DELIVERY.md").unlink()
    (folder / "tests/test_tickets.py").write_text("import nothing_of_that_name\n", "utf-8")
    done = subprocess.run(["bash", script], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "  PASS: 1\n  WARN: 1\n  FAIL: 2\n  SKIP: 0\n" in done.stdout
    assert '"pass": 1, "warn": 1, "fail": 2, "skip": 0}' in (script.parent / "verification_history.log").read_text()


def test_no_file_holds_what_a_strict_reader_refuses(root):
    for path in (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts):
        data = path.read_bytes()
        assert data.endswith(b"\n")
        assert b"\r" not in data
        assert not data.startswith(b"\xef\xbb\xbf")
        data.decode("utf-8")


def test_a_decomposition_has_its_provenance_line(root):
    assert '- Decomposed pickup-* (3 rows) ← "' in (root / past.POOL_FOLDER / "BATCH_PLAN.md").read_text("utf-8")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_repository_has_four_commits_of_the_demo_operator_and_is_clean(root):
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout

    commits = git("log", "--format=%an <%ae> %aI").splitlines()
    assert len(commits) == 4
    assert {line.rpartition(" ")[0] for line in commits} == {"Demo Operator <demo@example.invalid>"}
    age = datetime.now(UTC) - datetime.fromisoformat(commits[0].rpartition(" ")[2])
    assert timedelta(hours=23) < age < timedelta(hours=26)
    assert git("status", "--porcelain") == ""
    assert git("branch", "--show-current").strip() == "main"


def test_git_settings_of_the_operator_have_no_say(tmp_path, monkeypatch):
    config = tmp_path / "config"
    config.write_text("[commit]\n\tgpgSign = true\n[user]\n\tname = Somebody Else\n", "utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    workspace.build(tmp_path / "w")
    assert (tmp_path / "w/.git").is_dir()
    assert not (tmp_path / "elsewhere").exists()
    assert (tmp_path / "w/.git/refs/heads/main").is_file()


def test_without_git_everything_else_is_built(tmp_path, monkeypatch):
    monkeypatch.setattr(repository.shutil, "which", lambda _: None)
    workspace.build(tmp_path / "w")
    assert not (tmp_path / "w/.git").exists()
    assert (tmp_path / "w" / past.POOL_FOLDER / "BATCH_PLAN.md").is_file()
