"""The reader of `.servo/`: what is found, in which order, and how seldom it is read."""

from pathlib import Path

import pytest

from harness_tui.workspace import cache
from harness_tui.workspace import worktracks as worktracks_module
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.servo import ServoReader

GATE = "---\nworktrack_id: {}\n---\n- implementation_gate: {}\n- validation_gate: pass\n- policy_gate: pass\n"
CONTROL = (
    "## Current Control Level\n\n- repo_scope: active\n- worktrack_scope: verifying\n\n## Active Worktrack\n\n"
    "- active_worktrack: WT-2\n\n## Active Milestone\n\n- active_milestone: MS-1\n\n## Handback Guard\n\n"
    "- handback_lock_active: true\n"
)


@pytest.fixture
def root(tmp_path):
    put(tmp_path, "control-state.md", CONTROL)
    put(tmp_path, "worktrack/gate-evidence.md", GATE.format("WT-10", "pass"))
    put(tmp_path, "worktrack/WT-2/gate-evidence.md", GATE.format("WT-2", "blocked"))
    put(tmp_path, "worktrack/WT-2/closeout-record.md", "## Gate\n\n- verdict: pass\n- worktrack_id: WT-2\n")
    put(tmp_path, "worktrack/WT-9-gate-evidence.md", GATE.format("WT-9", "hard-fail"))
    put(tmp_path, "worktrack/WT-9-closeout-report.md", "- worktrack_id: WT-8\n")
    put(tmp_path, "milestone/MS-1.md", "## Metadata\n\n- milestone_id: MS-1\n- status: active\n")
    put(tmp_path, "milestone/MS-1-composite-acceptance.md", "- composite_verdict: blocked\n")
    put(tmp_path, "milestone/MS-3.md", "## Metadata\n\n- milestone_id: MS-3\n- status: planned\n")
    put(tmp_path, "repo/milestone-backlog.md", "## Active\n\n### MS-1\n\n## Planned\n\n### MS-3\n")
    put(tmp_path, "repo/worktrack-backlog.md", "## Done\n\n### WT-1\n")
    return tmp_path


@pytest.fixture
def reads(monkeypatch):
    """Paths that were opened, in order."""
    opened = []
    real = cache.read_file

    def spy(path, **options):
        opened.append(Path(path).name)
        return real(path, **options)

    monkeypatch.setattr(cache, "read_file", spy)
    return opened


def put(root, name, text):
    path = root / ".servo" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def reader(root):
    return ServoReader(Layout(root))


def test_without_the_folder_the_family_is_empty(tmp_path, reads):
    family = reader(tmp_path).refresh(None, 0.0)
    assert not family.present
    assert (family.handback, family.control, family.worktracks, reader(tmp_path).folders(), reads) == (
        None,
        None,
        (),
        [],
        [],
    )


def test_all_three_naming_habits_are_found_the_current_worktrack_first(root):
    family = reader(root).refresh(None, 0.0)
    assert [(gate.id, gate.verdict, gate.current) for gate in family.worktracks] == [
        ("WT-2", "blocked", True), ("WT-10", "pass", False), ("WT-9", "hard-fail", False),
    ]  # fmt: skip
    assert [gate.path for gate in family.worktracks] == [
        ".servo/worktrack/WT-2/gate-evidence.md", ".servo/worktrack/gate-evidence.md",
        ".servo/worktrack/WT-9-gate-evidence.md",
    ]  # fmt: skip


def test_without_a_control_state_every_gate_may_be_the_current_one(root):
    (root / ".servo/control-state.md").unlink()
    assert all(gate.current for gate in reader(root).refresh(None, 0.0).worktracks)


def test_with_no_active_worktrack_no_gate_is_current(root):
    put(root, "control-state.md", CONTROL.replace("WT-2", "none"))
    assert not any(gate.current for gate in reader(root).refresh(None, 0.0).worktracks)


def test_a_rolling_gate_without_an_id_is_that_of_the_link(root):
    put(
        root,
        "control-state.md",
        CONTROL.replace("WT-2\n", "WT-5\n- gate_evidence: .servo/worktrack/gate-evidence.md\n"),
    )
    put(root, "worktrack/gate-evidence.md", "- verdict: blocked\n")
    first = reader(root).refresh(None, 0.0).worktracks[0]
    assert (first.id, first.current, first.path) == (None, True, ".servo/worktrack/gate-evidence.md")


def test_a_closeout_belongs_to_the_gate_beside_it_unless_it_names_another_worktrack(root):
    current, _, other = reader(root).refresh(None, 0.0).worktracks
    assert (current.closeout, current.closeout_verdict) == (".servo/worktrack/WT-2/closeout-record.md", "unknown")
    assert (other.closeout, other.closeout_verdict) == (None, None)


def test_control_lock_milestones_and_lists_are_read(root):
    family = reader(root).refresh(None, 0.0)
    assert (family.control.active_milestone, family.control.scope, family.handback.locked) == (
        "MS-1",
        "WorktrackScope",
        True,
    )
    assert [milestone.id for milestone in family.milestones] == ["MS-1", "MS-3"]
    assert family.milestone_gates[0].axes.composite == "blocked"
    assert [entry.id for entry in family.backlog.entries] == ["MS-1", "MS-3"]
    assert [entry.id for entry in family.worktrack_backlog.entries] == ["WT-1"]
    assert family.history is None


def test_each_file_is_parsed_once_and_the_family_stays_the_same_object(root, monkeypatch):
    parsed = []
    real = worktracks_module.parse_gate
    monkeypatch.setattr(worktracks_module, "parse_gate", lambda data, path: parsed.append(path) or real(data, path))
    servo = reader(root)
    family = servo.refresh(None, 0.0)
    assert len(parsed) == len(set(parsed)) == 5
    assert servo.refresh(None, 1.0) is family
    assert servo.refresh(frozenset(), 1.0) is family
    assert len(parsed) == 5


def test_a_change_reads_that_file_alone(root, reads):
    servo = reader(root)
    before = servo.refresh(None, 0.0)
    path = put(root, "control-state.md", CONTROL.replace("true", "false"))
    reads.clear()
    assert servo.knows(path)
    after = servo.refresh(frozenset({path}), 1.0)
    assert (reads, after.handback.locked) == (["control-state.md"], False)
    assert after.worktracks[0] is before.worktracks[0]


def test_new_and_removed_files_are_seen_by_the_next_full_look(root):
    servo = reader(root)
    servo.refresh(None, 0.0)
    path = put(root, "worktrack/WT-11/gate-evidence.md", GATE.format("WT-11", "pass"))
    assert not servo.knows(path)
    assert "WT-11" in {gate.id for gate in servo.refresh(None, 1.0).worktracks}
    Path(path).unlink()
    assert "WT-11" not in {gate.id for gate in servo.refresh(None, 2.0).worktracks}


def test_a_limit_reads_the_current_worktrack_first_and_the_rest_later(root):
    servo = reader(root)
    family = servo.refresh(None, 0.0, limit=3)
    assert family.control is not None
    assert "WT-2" in {gate.id for gate in family.worktracks}
    assert servo.unsettled
    while servo.unsettled:
        family = servo.refresh(frozenset(), 0.0, limit=3)
    assert family == reader(root).refresh(None, 0.0)


def test_a_file_that_lost_its_end_keeps_the_last_reading_for_a_moment(root):
    servo = reader(root)
    servo.refresh(None, 0.0)
    put(root, "control-state.md", CONTROL.partition("## Handback")[0])
    family = servo.refresh(None, 1.0)
    assert family.handback.locked is True
    assert family.stale == (".servo/control-state.md",)
    assert servo.unsettled
    family = servo.refresh(None, 9.0)
    assert (family.handback.locked, family.stale, servo.unsettled) == (None, (), False)


def test_a_file_that_cannot_be_read_keeps_its_last_reading_and_is_reported(root):
    servo = reader(root)
    servo.refresh(None, 0.0)
    path = root / ".servo/control-state.md"
    path.unlink()
    path.symlink_to("/dev/zero")
    family = servo.refresh(frozenset({str(path)}), 1.0)
    assert family.handback.locked is True
    assert "unreadable" in {problem.code for problem in family.problems}


def test_links_out_of_the_workspace_are_not_followed(root, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "gate-evidence.md").write_text(GATE.format("WT-77", "pass"))
    (root / ".servo/worktrack/WT-77").symlink_to(elsewhere)
    assert "WT-77" not in {gate.id for gate in reader(root).refresh(None, 0.0).worktracks}


def test_what_an_editor_puts_beside_a_file_is_no_file_that_is_missing(root):
    for name in ("control-state.md", "worktrack/WT-2/gate-evidence.md", "milestone/MS-1.md"):
        place = root / ".servo" / name
        (place.parent / f".#{place.name}").symlink_to("somebody@example.1234:1600000000")  # a lock of Emacs
    layout = Layout(root)
    found = ServoReader(layout).refresh(None, 0.0)
    assert layout.problems == ()
    assert [milestone.id for milestone in found.milestones] == ["MS-1", "MS-3"]


def test_a_folder_that_vanishes_leaves_an_empty_family(root):
    servo = reader(root)
    assert servo.refresh(None, 0.0).present
    (root / ".servo").rename(root / "gone")
    assert not servo.refresh(None, 1.0).present
    assert not servo.knows(str(root / ".servo/control-state.md"))


def test_few_folders_are_worth_a_watch(root):
    servo = reader(root)
    servo.refresh(None, 0.0)
    names = [folder.relative_to(root).as_posix() for folder in servo.folders()]
    assert names == [".servo", ".servo/worktrack", ".servo/milestone", ".servo/repo", ".servo/worktrack/WT-2"]


def test_the_split_layout_is_read_with_its_siblings(root):
    put(root, "control-state-repo.md", "## Milestone Pipeline\n\n- active_milestone: MS-3\n")
    family = reader(root).refresh(None, 0.0)
    assert (family.control.layout, family.control.active_milestone) == ("split", "MS-3")
    assert family.milestones[0].id == "MS-3"


def test_doubled_and_unreadable_lock_fields_are_problems_with_a_line(root):
    put(root, "control-state.md", CONTROL + "- handback_lock_active: false\n- stable_handback_threshold: two\n")
    family = reader(root).refresh(None, 0.0)
    found = {problem.line for problem in family.problems if problem.code == "handback-gap"}
    assert (family.handback.locked, found) == (True, {17, 18})


def test_one_stat_is_the_price_of_an_absent_folder(tmp_path, monkeypatch):
    servo = reader(tmp_path)
    monkeypatch.setattr(servo._places, "files", lambda: pytest.fail("nothing should be listed"))
    assert not servo.refresh(None, 0.0).present
    assert not servo.refresh(frozenset(), 0.0).present
