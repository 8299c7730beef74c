"""Textual is imported without what nobody needs for the first frame, and nothing stays hidden."""

import subprocess
import sys

START = "from harness_tui.tui.lean_imports import import_textual; import_textual(); import sys\n"
LEFT_OUT = (
    "_ssl", "_hashlib", "typing_extensions", "uuid", "pickle", "difflib", "platformdirs", "shutil", "rich.table",
    "textual.command", "textual.types", "textual.widgets._input",
)  # fmt: skip


def run(code):
    return subprocess.run([sys.executable, "-c", START + code], capture_output=True, text=True, check=False)


def test_what_serves_a_rare_moment_is_left_out():
    done = run(f"print([name for name in {LEFT_OUT} if name in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr
    assert run("assert 'textual.app' in sys.modules").returncode == 0


def test_it_can_be_imported_afterwards():
    code = (
        "import ssl, uuid, typing_extensions, textual.command, textual.types\n"
        "print(ssl.SSLContext.__name__, uuid.__file__ is not None, typing_extensions.deprecated.__module__,"
        " textual.command.CommandPalette.__mro__[1].__name__, textual.types.DirEntry.__name__)"
    )
    assert run(code).stdout.strip() == "SSLContext True typing_extensions SystemModalScreen DirEntry"


def test_what_was_imported_before_stays_as_it_is():
    code = (
        "import ssl, textual.command as module; import_textual()\n"
        "import textual.command as same, textual.app as app\n"
        "print(module is same, app.CommandPalette is module.CommandPalette, ssl)"
    )
    done = run(f"import sys; sys.modules.pop('textual.app'); {code}")
    assert done.stdout.startswith("True True <module 'ssl'"), done.stderr


def test_what_stands_for_a_late_name_does_what_it_does():
    code = (
        "import textual.app as app, rich.style as style, textual.notifications as notes\n"
        "print('uuid' in sys.modules, len(app.uuid.uuid4().hex), style.loads(style.dumps({'a': 1})),"
        " app.CommandPalette.__name__, type(app.CommandPalette(id='palette')).__name__,"
        " len(notes.Notification('a').identity))"
    )
    assert run(code).stdout.strip() == "False 32 {'a': 1} CommandPalette CommandPalette 36"


def test_other_names_come_from_the_real_module():
    code = (
        "from harness_tui.tui.lean_imports import _StandIn\n"
        "with _StandIn('uuid', {}):\n"
        "    from uuid import NAMESPACE_DNS\n"
        "print(NAMESPACE_DNS.version, 'uuid' in sys.modules)"
    )
    assert run(code).stdout.strip() == "1 True"


def test_patterns_of_style_sheets_are_compiled_when_they_are_used():
    code = (
        "from textual.css import tokenize\n"
        "expect = tokenize.expect_variable_name_continue\n"
        "before = 'match' in vars(expect), expect._expect_eof, expect.names[0]\n"
        "tokens = list(tokenize.tokenize('$a: 3;', ('', '')))\n"
        "print(*before, tokens[0].name, 'match' in vars(expect), expect._expect_eof)"
    )
    assert run(code).stdout.strip() == "False True variable_value_end variable_name True True"
