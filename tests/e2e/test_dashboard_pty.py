"""The installed program on a real terminal: it shows, follows, and leaves the terminal as it was."""

from __future__ import annotations

from harness_tui.tui.actions import ACTIONS


def test_it_shows_a_row_follows_changes_and_leaves_cleanly(dashboard, repository):
    screen = dashboard()
    assert screen.row("T-02", "! interrupted", "press-cider")
    assert screen.modes[1049], "not on the alternate screen"
    before = screen.row("T-03", "fill-bottles")
    repository.set_status("T-03", "skipped")
    screen.until(lambda s: s.row("T-03", "skipped", "fill-bottles"))
    assert screen.row("T-03", "fill-bottles") != before
    repository.append(f"{repository.pool}/STREAM_LOG.md", "2024-04-02T09:30:00Z · T-02 · the cork popped\n")
    screen.until("the cork popped")
    assert screen.leave() == 0
    screen.assert_restored()
    assert b"\x1b[?1049l" in screen.raw
    assert b"Traceback" not in screen.raw


def test_every_letter_and_back_again_harms_nothing(dashboard):
    screen = dashboard()
    keys = {key for action in ACTIONS for key in action.keys if len(key) == 1} - {"q", "y", "Y"}
    for key in sorted(keys):
        screen.send(key).pump(0.02)
        screen.send("\x1b").pump(0.02)
    screen.send("\x1b[A\x1b[B\x1b[5~\x1b[6~\t\x1b[Z\r\x1b")
    screen.settle()
    screen.send("\x1b").settle()
    screen.send("\x03")
    assert screen.leave() == 0
    screen.assert_restored()


def test_it_opens_from_any_folder_below_and_at_another_theme_without_mouse(terminal, repository):
    screen = terminal("--theme", "light", "--no-mouse", "--pool", "orchard", cwd=repository / "docs/features")
    screen.until("fill-bottles")
    assert not {1000, 1003, 1006} & screen.modes.keys()
    assert screen.leave() == 0
    screen.assert_restored()


def test_an_empty_repository_says_what_was_looked_for(terminal, empty_workspace):
    screen = terminal(empty_workspace.root).until("docs/batches")
    assert screen.leave() == 0
    screen.assert_restored()


def test_watching_leaves_the_repository_as_it_was(dashboard, repository):
    """Twenty refreshes: the index is not rewritten, nothing that the repository names is run."""
    mark = repository.root.parent / "canary"
    program = repository.root.parent / "canary.sh"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n", "utf-8")
    program.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(program))
    (repository / "docs/tasks.md").touch()
    index = repository / ".git/index"
    before = (index.stat().st_mtime_ns, index.stat().st_ino)
    screen = dashboard()
    screen.until("main")
    for _ in range(20):
        screen.send("R\x12").pump(0.05)
    screen.settle()
    assert screen.leave() == 0
    assert (index.stat().st_mtime_ns, index.stat().st_ino) == before
    assert not mark.exists()
    assert not (repository / ".git/index.lock").exists()
    assert sorted(path.name for path in repository.root.iterdir()) == [".git", ".harness", "docs"]
    repository.git("status")
    assert mark.exists(), "the control does not fire, so this test shows nothing"
