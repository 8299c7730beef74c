"""The reader looks and never touches; it does again only what a change asks for."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness_tui.formats.pool import PlanParser
from harness_tui.workspace import features, reader
from harness_tui.workspace.reader import Reader

ALL = 1 << 40


@pytest.fixture
def read(workspace):
    made = Reader(workspace.root)
    yield made
    made.close()


def task(snapshot, name, pool=0):
    return next(item for item in snapshot.pools[pool].tasks if item.id == name)


def codes(snapshot):
    return {(problem.path, problem.code) for problem in snapshot.problems}


def picture(root):
    """Everything that a write could change: names, bytes, modes and times of files and folders."""
    found = {}
    for path in [root, *root.rglob("*")]:
        seen = path.lstat()
        data = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[path] = (seen.st_mode, seen.st_ino, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, data)
    return found


# Reading changes nothing

AUDITED = """
import json, os, sys
import harness_tui.workspace.once, harness_tui.cli.output, git.cmd, harness_tui.formats.strict_json
from harness_tui.workspace.live import Live
from harness_tui.workspace.reader import Reader
from pathlib import Path
root = Path(sys.argv[1])
CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.utime", "os.chmod", "os.chown",
           "os.link", "os.symlink", "shutil.", "tempfile.", "os.system", "os.exec", "os.fork", "os.posix_spawn",
           "os.kill", "socket.")
seen = []
def hook(event, args):
    if event == "open":
        seen.append([event, str(args[0]), int(args[2] or 0)])
    elif event.startswith(CHANGES):
        seen.append([event, str(args), 0])
    elif event == "subprocess.Popen":
        seen.append([event, [os.fspath(part) for part in args[1]], 0])
sys.addaudithook(hook)
from harness_tui.workspace.git import read_git
reader = Reader(root)
reader.git = read_git(root)
first = reader.read_all()
reader.read()
reader.read(frozenset({str(root / "docs/batches/orchard/BATCH_PLAN.md")}))
reader.close()
print(json.dumps([len(first.pools[0].tasks), first.git.branch, seen]))
"""


def test_reading_opens_nothing_for_writing_and_nothing_outside(repository, environment):
    done = subprocess.run(
        [sys.executable, "-c", AUDITED, str(repository.root)],
        capture_output=True,
        env=environment,
        timeout=50,
        check=False,
    )
    assert done.stderr == b""
    tasks, branch, seen = json.loads(done.stdout)
    assert (tasks, branch) == (5, "main")
    opened = [(path, flags) for event, path, flags in seen if event == "open"]
    inside = [path for path, _ in opened if path.startswith(f"{repository.root}/")]
    assert len(inside) >= 8, "the hook hears nothing"
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    system = ("/proc/", "/dev/null", sys.prefix, sys.base_prefix, "/usr/lib/", "/etc/")
    code = str(Path(reader.__file__).resolve().parents[1])
    outside = {
        path for path, _ in opened if not path.startswith((f"{repository.root}/", code, *system)) and not path.isdigit()
    }
    assert outside == set()
    assert [path for path, flags in opened if flags & writing and path != "/dev/null"] == []
    started = [argv for event, argv, _ in seen if event == "subprocess.Popen"]
    assert started
    assert all(any(part.endswith("/git") for part in argv) for argv in started)
    assert [event for event, _, _ in seen if event not in ("open", "subprocess.Popen")] == []


def test_reading_leaves_every_name_byte_and_time_as_it_was(repository):
    before = picture(repository.root)
    made = Reader(repository.root)
    from harness_tui.workspace.once import read_workspace

    read_workspace(repository.root)
    for _ in range(3):
        made.read()
    made.read(frozenset({str(repository.plan), str(repository.log)}))
    made.close()
    assert picture(repository.root) == before


def test_a_reader_gives_all_files_back(workspace, files_open):
    before = files_open()
    made = Reader(workspace.root)
    made.read_all()
    made.close()
    assert files_open() == before


# Nothing is done twice


@pytest.fixture
def counted(monkeypatch):
    """How often each file is parsed, by its name."""
    calls = {}

    def count(name):
        calls[name] = calls.get(name, 0) + 1

    def wrap(module, function):
        real = getattr(module, function)

        def parse(data, name, *rest):
            count(name)
            return real(data, name, *rest)

        monkeypatch.setattr(module, function, parse)

    for function in ("parse_board", "parse_report", "parse_history", "parse_task_state", "parse_interventions"):
        wrap(reader, function)
    wrap(features, "parse_document")
    real = PlanParser.parse

    def parse(self, data):
        count("plan")
        return real(self, data)

    monkeypatch.setattr(PlanParser, "parse", parse)
    monkeypatch.setattr("harness_tui.workspace.signature.CLOCK_STEP", 0)
    return calls


def test_unchanged_files_are_parsed_once_and_a_changed_one_once_more(counted, workspace):
    workspace.write(".harness/intervention.md", "SKIP T-03\n")
    made = Reader(workspace.root)
    for _ in range(4):
        made.read()
    assert set(counted.values()) == {1}
    assert {"plan", "docs/tasks.md", "docs/features/press-cider/03_GATE_REVIEW.md"} <= set(counted)
    workspace.set_status("T-03", "blocked")
    for _ in range(3):
        made.read()
    made.read(frozenset({str(workspace.plan)}))
    assert counted.pop("plan") == 2
    assert set(counted.values()) == {1}
    made.close()


def test_a_pass_without_a_change_gives_the_same_objects(read):
    first, second = read.read(), read.read()
    assert second.pools[0] is first.pools[0]
    assert second.logs[0] is first.logs[0]
    assert replace(first, generated_at=None) == replace(second, generated_at=None)


def test_a_known_path_is_read_without_listing_any_folder(workspace, read, monkeypatch):
    read.read()
    listed = []
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(path) or iter(()))
    workspace.set_status("T-03", "blocked")
    found = read.read(frozenset({str(workspace.plan)}))
    assert task(found, "T-03").effective_status == "blocked"
    assert listed == []
    assert not read.listed


@pytest.mark.parametrize(
    "name", ["docs/features/press-cider/04_DEVELOPMENT.md", "docs/batches/late/BATCH_PLAN.md", "docs"]
)
def test_a_path_that_is_not_known_makes_it_look_everywhere(workspace, read, name):
    read.read()
    if name.endswith(".md"):
        workspace.write(name, workspace.plan.read_text("utf-8"))
    read.read(frozenset({str(workspace / name)}))
    assert read.listed


# What comes and goes


def test_a_plan_that_vanishes_and_comes_back(workspace, read):
    read.read()
    workspace.plan.rename(workspace / "aside.md")
    gone = read.read(frozenset({str(workspace.plan)}))
    assert gone.pools[0].tasks == ()
    assert (f"{workspace.pool}/BATCH_PLAN.md", "no-plan") in {(p.path, p.code) for p in gone.pools[0].problems}
    (workspace / "aside.md").rename(workspace.plan)
    assert len(read.read(frozenset({str(workspace.plan)})).pools[0].tasks) == 5


def test_a_pool_folder_that_is_removed_and_made_anew_is_read_at_once(workspace, read):
    import shutil

    plan = workspace.plan.read_bytes()
    read.read()
    shutil.rmtree(workspace / workspace.pool)
    assert read.read(frozenset({str(workspace / workspace.pool), str(workspace.plan)})).pools == ()
    workspace.write(f"{workspace.pool}/BATCH_PLAN.md", plan)
    assert len(read.read(frozenset({str(workspace.plan)})).pools[0].tasks) == 5


def test_the_kind_of_a_pool_follows_its_files(workspace, read):
    log = workspace / f"{workspace.pool}/STREAM_LOG.md"
    kept = log.read_bytes()
    assert read.read().pools[0].kind == "stream"
    log.unlink()
    assert read.read().pools[0].kind == "stream", "its report says so"
    log.write_bytes(kept)
    for name in ("LOG", "REPORT"):
        (workspace / f"{workspace.pool}/STREAM_{name}.md").rename(workspace / f"{workspace.pool}/BATCH_{name}.md")
    assert read.read().pools[0].kind == "batch"


def test_a_slug_that_is_live_and_archived_counts_by_its_live_documents(workspace, read):
    workspace.write(
        "docs/features/pick-apples/01_REQUIREMENT_ANALYSIS.md", "# again\n\n## Verdict\n\nREADY FOR DESIGN\n"
    )
    found = task(read.read(), "T-01")
    assert found.folder == "docs/features/pick-apples"
    assert found.documents[0] == "docs/features/pick-apples/01_REQUIREMENT_ANALYSIS.md"
    assert found.effective_status != "unknown"


def test_a_task_that_moves_to_the_archive_keeps_its_documents(workspace, read):
    read.read()
    source, target = workspace / "docs/features/press-cider", workspace / "docs/features/_archived/press-cider"
    source.rename(target)
    found = task(read.read(frozenset({str(source), str(target)})), "T-02")
    assert found.folder == "docs/features/_archived/press-cider"
    assert found.stage == 3
    assert all(name.startswith("docs/features/_archived/") for name in found.documents)


def test_a_document_that_is_deleted_and_written_again_is_seen_at_once(workspace, read):
    name = "docs/features/press-cider/03_GATE_REVIEW.md"
    path = workspace / name
    read.read()
    path.unlink()
    assert task(read.read(frozenset({str(path)})), "T-02").gates.gate_review is None
    read.read()
    workspace.write(name, "# G\n\n## Verdict\n\nREJECTED\n")
    assert task(read.read(frozenset({str(path)})), "T-02").gates.gate_review.verdict == "REJECTED"


def test_a_problem_goes_with_the_file_that_has_it(workspace, read):
    board = workspace / "docs/tasks.md"
    with board.open("r+b") as file:
        file.truncate((32 << 20) + 1)
    assert ("docs/tasks.md", "unreadable") in codes(read.read())
    board.unlink()
    assert "docs/tasks.md" not in {path for path, _ in codes(read.read())}


def test_links_out_of_the_workspace_are_told_and_not_followed(workspace, read, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/BATCH_PLAN.md").write_text(workspace.plan.read_text("utf-8"), "utf-8")
    (workspace / "docs/batches/spy").symlink_to(tmp_path / "secret")
    (workspace / "docs/features/press-cider/04_DEVELOPMENT.md").symlink_to(tmp_path / "secret/BATCH_PLAN.md")
    found = read.read()
    assert [pool.id for pool in found.pools] == ["orchard"]
    assert task(found, "T-02").stage == 3
    assert {
        ("docs/batches/spy", "link-outside"), ("docs/features/press-cider/04_DEVELOPMENT.md", "link-outside")
    } <= codes(found)  # fmt: skip


def test_a_file_that_becomes_a_link_out_is_not_followed_even_when_it_was_known(workspace, read, tmp_path):
    (tmp_path / "secret.md").write_text(
        workspace.plan.read_text("utf-8").replace("pick-apples", "secret-slug"), "utf-8"
    )
    read.read()
    workspace.plan.unlink()
    workspace.plan.symlink_to(tmp_path / "secret.md")
    found = read.read(frozenset({str(workspace.plan)}))
    assert "secret-slug" not in str(found)


def test_names_with_control_characters_are_shown_and_read(tmp_path, workspace, read):
    odd = "docs/batches/a\x1b]0;x\x07\nb"
    workspace.write(f"{odd}/BATCH_PLAN.md", workspace.plan.read_text("utf-8").replace("press-cider", "a\x1b[2Jb"))
    (workspace / "docs/features/a\x1b[2Jb").mkdir()
    workspace.write("docs/features/a\x1b[2Jb/03_GATE_REVIEW.md", "## Verdict\n\nAPPROVED\n")
    for _ in range(2):
        found = read.read()
        pool = found.pools[0]
        assert pool.id == "a␛]0;x␇␊b"
        assert len(pool.tasks) == 5
        assert not {"\x1b", "\x07"} & set(str(found.pools))


def test_a_half_written_plan_keeps_the_last_rows_with_a_mark(workspace, read):
    read.read()
    whole = workspace.plan.read_bytes()
    workspace.plan.write_bytes(whole[: whole.index(b"| T-03")])
    half = read.read(frozenset({str(workspace.plan)}))
    assert half.pools[0].stale
    assert len(half.pools[0].tasks) == 5
    assert read.unsettled
    workspace.plan.write_bytes(whole.replace(b"| pending |", b"| blocked |"))
    done = read.read(frozenset({str(workspace.plan)}))
    assert not done.pools[0].stale
    assert task(done, "T-03").effective_status == "blocked"
    assert not read.unsettled


def test_a_plan_that_stays_short_is_taken_after_the_grace(workspace, read, monkeypatch):
    read.read()
    whole = workspace.plan.read_bytes()
    workspace.plan.write_bytes(whole[: whole.index(b"| T-03")])
    assert len(read.read().pools[0].tasks) == 5
    monkeypatch.setattr("harness_tui.workspace.cache.GRACE", 0.0)
    settled = read.read(frozenset())
    assert [item.id for item in settled.pools[0].tasks] == ["T-01", "T-02"]
    assert not settled.pools[0].stale


@pytest.mark.parametrize("wanted", ["", "# no table\n"])
def test_a_plan_that_loses_its_table_is_stale_and_not_empty(workspace, read, wanted):
    read.read()
    workspace.plan.write_text(wanted, "utf-8")
    found = read.read(frozenset({str(workspace.plan)}))
    assert found.pools[0].stale
    assert len(found.pools[0].tasks) == 5


def test_a_deleted_row_in_the_middle_is_believed_at_once(workspace, read):
    read.read()
    lines = workspace.plan.read_text("utf-8").split("\n")
    workspace.plan.write_text("\n".join(line for line in lines if not line.startswith("| T-02")), "utf-8")
    found = read.read(frozenset({str(workspace.plan)}))
    assert [item.id for item in found.pools[0].tasks] == ["T-01", "T-03", "T-04", "T-05"]


# The rest of a snapshot


def test_the_old_and_the_new_folder_of_scripts_are_both_read(workspace, read):
    workspace.write("scripts/verification_history.log", '{"timestamp": "2024-04-01T01:00:00Z", "pass": 1, "fail": 1}\n')
    assert len([run for run in read.read().verify_runs if run.path.endswith("history.log")]) == 2


def test_the_baseline_is_the_result_with_which_the_run_began(workspace, read):
    found = read.read(budget=ALL)
    assert found.verify_baseline is not None
    assert (found.verify_baseline.passed, found.verify_baseline.line) == (9, 3)


def test_a_big_log_is_read_in_slices_and_to_its_end_when_asked(workspace):
    line = "2024-04-02T09:00:00Z · T-02 · still pressing apples, one crate after the other\n"
    workspace.append(f"{workspace.pool}/STREAM_LOG.md", line * 2000)
    made = Reader(workspace.root)
    first = made.read(budget=1 << 12)
    assert not made.logs.complete
    assert first.logs[0].entries < 2005
    assert made.read_all().logs[0].entries == 2005
    assert made.logs.complete
    made.close()


def test_watched_slugs_are_those_with_work_left_the_running_first(read):
    assert read.watched_slugs(read.read().pools) == ["press-cider", "print-labels", "fill-bottles", "mend-ladder"]


def test_an_empty_folder_is_a_snapshot_too(tmp_path):
    made = Reader(tmp_path)
    found = made.read()
    assert found.pools == ()
    assert found.stream.why == "no pool was found"
    made.close()
