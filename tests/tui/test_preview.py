"""What is drawn before Textual is there says what the dashboard will say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from harness_tui.tui import preview
from harness_tui.tui.preview import draw
from harness_tui.workspace.reader import Reader

SIZE = os.terminal_size((120, 40))


@pytest.fixture
def snapshot(workspace):
    return Reader(workspace.root).read()


def lines(drawing):
    return re.findall(r"\x1b\[\d+;2H([^\x1b]*)", drawing)


def test_colours_are_those_of_the_dashboard():
    from harness_tui.tui.theme import THEMES

    assert {theme.name: (theme.foreground, theme.background) for theme in THEMES} == preview.COLOURS


def test_it_shows_the_wanted_pool_or_the_one_that_matters(snapshot):
    first = snapshot.pools[0]
    other = replace(first, id="other", tasks=first.tasks[:1])
    both = replace(snapshot, pools=(first, other))
    assert f"pool {first.id}" in lines(draw(both, "nosuch", "", SIZE, {}))[0]
    found = lines(draw(both, "other", "", SIZE, {}))
    assert "pool other" in found[0]
    assert len(found) == 2
    assert first.tasks[0].id in found[1]
    assert first.tasks[0].slug in found[1]


def test_it_shows_nothing_where_the_dashboard_shows_something_else(snapshot):
    assert draw(snapshot, "", "", SIZE, {})
    assert not draw(snapshot, "", "", os.terminal_size((59, 40)), {})
    assert not draw(snapshot, "", "", os.terminal_size((120, 15)), {})
    assert not draw(replace(snapshot, pools=()), "", "", SIZE, {})
    assert not draw(replace(snapshot, pools=(replace(snapshot.pools[0], tasks=()),)), "", "", SIZE, {})


def test_text_of_files_can_not_act_and_keeps_to_its_place(snapshot):
    pool = snapshot.pools[0]
    evil = replace(pool.tasks[0], id="T-1\x1b[2J", slug="a\x1b]0;x\x07\x9bb\r\n" + "漢" * 300)
    hostile = replace(snapshot, root="/tmp/\x1b[31mred", pools=(replace(pool, tasks=(evil,)),))
    drawing = draw(hostile, "", "", SIZE, {})
    assert set(re.findall(r"\x1b[^A-Za-z]*[A-Za-z]", drawing)) <= {
        "\x1b[?1049h", "\x1b[?25l", "\x1b[0m", "\x1b[2J", "\x1b[1;2H", "\x1b[6;2H", "\x1b[H",
    }  # fmt: skip
    assert not set(drawing) & {"\r", "\n", "\x07", "\x9b"}
    assert all(len(line) < 72 for line in lines(drawing))


def test_colours_only_where_the_terminal_has_them(snapshot):
    assert "38;2;29;35;43;48;2;251;251;249m" in draw(snapshot, "", "harness-light", SIZE, {"COLORTERM": "truecolor"})
    for env in ({}, {"COLORTERM": "truecolor", "NO_COLOR": "1"}):
        assert "38;2" not in draw(snapshot, "", "harness-light", SIZE, env)


def test_it_needs_no_textual():
    code = "import sys, harness_tui.tui.run; print('textual' in sys.modules, 'harness_tui.tui.preview' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.split() == ["False", "True"]
