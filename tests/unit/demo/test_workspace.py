"""The sample workspace as it is built."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from harness_tui.demo import documents, past, plan, repository, workspace

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
    rows = plan.rows((root / past.POOL_FOLDER / "BATCH_PLAN.md").read_text("utf-8"))
    assert [row.status for row in rows] == ["done"] * 3 + ["pending"] * 7
    assert {row.mode for row in rows} == {"full", "plan", "goal"}
    assert sum("日本語" in row.goal and "🚲" in row.goal for row in rows) == 1
    known = {row.id for row in rows}
    assert all(known.issuperset(row.needs()) for row in rows)


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


def test_a_rebuild_brings_back_the_first_state_and_keeps_unread_signals(tmp_path):
    folder = tmp_path / "w"
    workspace.build(folder)
    listing = {path.relative_to(folder) for path in folder.rglob("*") if ".git" not in path.parts}
    (folder / past.POOL_FOLDER / "STREAM_LOG.md").write_text("damaged", "utf-8")
    (folder / "docs/features/new-one").mkdir()
    (folder / "docs/features/new-one/01_REQUIREMENT_ANALYSIS.md").write_text("x", "utf-8")
    shutil.rmtree(folder / past.BATCH_FOLDER)
    signal = folder / ".harness/intervention.md"
    signal.write_text("# Intervention\n\nSTOP — wait\n", "utf-8")
    workspace.rebuild(folder)
    found = {path.relative_to(folder) for path in folder.rglob("*") if ".git" not in path.parts}
    assert found - listing == {signal.relative_to(folder)}
    assert listing <= found
    assert (folder / past.POOL_FOLDER / "STREAM_LOG.md").read_text("utf-8").startswith("# Stream Log")
