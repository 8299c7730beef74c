"""Each command imports what it needs and nothing else; only the dashboard knows Textual."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
from harness_tui.cli.main import main
try:
    code = main(sys.argv[1:])
except SystemExit as end:
    code = end.code
sys.stderr.write(json.dumps([code, sorted(sys.modules)]))
"""


@pytest.fixture
def modules(environment):
    def after(*arguments):
        argv = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
        done = subprocess.run(
            argv, capture_output=True, env=environment, timeout=50, check=True, stdin=subprocess.DEVNULL
        )
        code, names = json.loads(done.stderr.rpartition(b"\n")[2])
        return code, {name.partition(".")[0] for name in names}, set(names)

    return after


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["status"], 0), (["status", "--json"], 0), (["doctor"], 1), (["doctor", "--json"], 1), (["--plain"], 0),
        ([], 0),
    ],
)  # fmt: skip
def test_no_headless_command_imports_textual(modules, workspace, arguments, expected):
    code, top, _ = modules(*arguments, workspace.root)
    assert code == expected
    assert not {"textual", "watchdog", "asyncio", "markdown_it", "pygments"} & top


def test_json_output_needs_no_rich_and_pydantic_only_where_a_json_document_is_read(modules, workspace):
    for command in ("status", "doctor"):
        assert not {"pydantic", "rich"} & modules(command, "--json", workspace.root)[1]
    workspace.write(".harness/state/press-cider.json", '{"slug": "press-cider", "stage": 3}')
    assert "rich" not in modules("status", "--json", workspace.root)[1]


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["status", "--help"], ["--nosuch"]])
def test_help_and_version_import_almost_nothing(modules, arguments):
    _, top, names = modules(*arguments)
    assert not {"git", "rich", "pydantic", "logging", "subprocess", "asyncio", "dataclasses"} & top
    assert len([name for name in names if name.startswith("harness_tui")]) < (10 if arguments != ["--nosuch"] else 12)


def test_completion_imports_the_heads_of_the_commands_and_nothing_that_they_use(modules):
    _, top, names = modules("completion", "bash")
    assert not {"git", "rich", "pydantic", "logging", "subprocess", "asyncio", "dataclasses"} & top
    rooms = {name.split(".")[1] for name in names if name.startswith("harness_tui.")}
    assert rooms == {"cli"}


def test_watch_imports_no_textual(environment, workspace):
    modules = "harness_tui.cli.commands.watch, harness_tui.store.store, harness_tui.workspace.live"
    code = f"import json, sys, {modules}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, timeout=50, check=True)
    assert not {"textual", "rich", "asyncio"} & {name.partition(".")[0] for name in json.loads(done.stdout)}
