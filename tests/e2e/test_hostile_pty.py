"""What files hold never acts on the terminal: a hostile workspace is drawn with the same acts as a harmless one."""

from __future__ import annotations

import re

import pytest

PAYLOADS = (
    "\x1b]0;PWNED\x07", "\x1b]52;c;UFdORUQ=\x07", "\x1b[2J\x1b[H", "\x1b[?1049l\x1b[?25h", "\x9b31mC1", "\x0e",
    "\x1b]8;;http://pwned\x1b\\x\x1b]8;;\x1b\\", "\x1bP1$r0m\x1b\\", "\x1bc", "\x07\x07", "\x08\x08\x08",
    "\x7f", "\x9d0;PWNED\x9c", "\u202etxt", "\U000e0041", "[red]x[/red]", "[@click=app.quit]x[/]",
    "\x1b[6n\x1b[c", "\x85", "\u2028", "\x1b[31m",
)  # fmt: skip
KEYS = (*"j3G2jj4c", "\x1b", "1", "o", "\x1b", "1", "\r", "j", "\r", "r", "\x1b", "!", "\x1b", "?", "\x1b", "g")
FILL = "z"
"""What stands in the harmless workspace where the hostile one has a payload."""


def poison(workspace, words):
    """The workspace with one of `words` in every place that is shown."""
    step = iter(range(10_000))

    def put(text):
        return re.sub("~", lambda _: words[next(step) % len(words)], text)

    rows = "".join(f"| T-0{n} | slug-{n}~ | Goal~ of {n}~~~ | full | — | blocked (~) |\n" for n in range(1, 9))
    head = "# Plan~\n\n| ID | Slug | Goal | Mode | Depends on | Status |\n|---|---|---|---|---|---|\n"
    workspace.write("docs/batches/alpha/BATCH_PLAN.md", put(f"{head}{rows}\n## Notes\n\n- note~~ of T-01~\n"))
    log = "".join(f"2024-04-02T08:{n:02}:00Z · T-0{n % 8 + 1} · needs-human · ask=~~ · ~{n}~\n" for n in range(40))
    workspace.write("docs/batches/alpha/STREAM_LOG.md", put(f"# Log~\n\n{log}"))
    workspace.write(
        "docs/batches/alpha/STREAM_REPORT.md", put("# R\n\n## Needs your input\n\n- T-01 slug: which~~~?\n- ~~\n")
    )
    for number, name in ((1, "01_REQUIREMENT_ANALYSIS"), (3, "03_GATE_REVIEW")):
        head = "# Title~~\n\n- item~~\n\n`code~` **b~** [link~](http://x/~)\n\n```\n~~~~\n```\n"
        text = f"{head}\n## Verdict\n\nAPPROVED~{number}\n"
        workspace.write(f"docs/features/press-cider/{name}.md", put(text))
    workspace.write(
        "docs/tasks.md", put("# T~\n\n## Active\n\n| ID | Slug | Stage |\n|---|---|---|\n| B~ | slug~ | 4~ |\n")
    )
    workspace.write(".harness/intervention.md", put("NOTE ~~\n~~\n"))
    workspace.append(f"{workspace.pool}/BATCH_PLAN.md", put("- ~~~ T-02\n"))
    workspace.append(f"{workspace.pool}/STREAM_LOG.md", put("2024-04-02T09:00:00Z · T-02 · ~~~\n~\n"))


def walk(terminal, workspace, words, branch):
    """Show the poisoned workspace on every screen; returns the terminal after the end, and its title before it."""
    poison(workspace, words)
    workspace.git("checkout", "-q", "-B", branch)
    screen = terminal("--pool", "alpha", workspace.root, size=(130, 44)).until("T-08").until("? help").settle()
    shown = [screen.text]
    for key in KEYS:
        screen.send(key).settle(0.12)
        shown.append(screen.text)
    screen.send("]").until("fill-bottles").settle(0.2)
    shown.append(screen.text)
    title, modes = screen.screen.title, screen.modes
    assert screen.leave() == 0, screen.text
    screen.assert_restored()
    return screen, "\n".join(shown), title, modes


@pytest.fixture
def harmless(tmp_path, repository):
    """A second workspace of the same shape."""
    import shutil

    shutil.copytree(repository.root, tmp_path / "other" / repository.root.name)
    return type(repository)(tmp_path / "other" / repository.root.name)


def test_a_hostile_workspace_is_drawn_with_the_same_acts_as_a_harmless_one(terminal, repository, harmless):
    bad, shown, title, modes = walk(terminal, repository, PAYLOADS, "m\u009b31m\u202e")
    good, plain, calm, expected = walk(terminal, harmless, (FILL,), "main")
    assert set(bad.kinds) - set(good.kinds) == set()
    for name in (kind for kind in bad.kinds if not kind.startswith(b"CSI")):
        assert name.startswith(b"OSC 2") or bad.kinds[name] == good.kinds[name], name
    assert title == calm
    assert modes == expected
    text = bytes(bad.raw).decode("utf-8")
    assert [char for char in text if "\x80" <= char < "\xa0" or char in "\u202e\u2028\U000e0041"] == []
    assert b"\x1b]52" not in bad.raw
    assert b"\x1b]8;" not in bad.raw
    # It was on the screen all the same: as marks, and in full where it is only brackets.
    for mark in ("␛]0;PWNED␇", "‹U+202E›", "[red]x[/red]", "[@click=app.quit]x"):
        assert mark in shown, mark
    assert len(shown) > len(plain) / 2


def test_a_harmless_pair_would_be_told_from_a_hostile_one(terminal, harmless):
    """The control: the comparison hears a sequence that a program lets through."""
    code = "import sys; sys.stdout.write('\\x1b]52;c;eA==\\x07\\x1b[2J\\x07'); sys.stdout.flush(); input()"
    import sys

    screen = terminal(argv=[sys.executable, "-c", code]).settle()
    assert {b"OSC 52", b"CSI J", b"\x07"} <= set(screen.kinds)
