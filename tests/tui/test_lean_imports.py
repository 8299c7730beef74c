"""Textual is imported without what nobody needs for the first frame, and nothing stays hidden."""

import subprocess
import sys

START = "from harness_tui.tui.lean_imports import import_textual; import_textual(); import sys\n"


def run(code):
    return subprocess.run([sys.executable, "-c", START + code], capture_output=True, text=True, check=False)


def test_openssl_and_widgets_that_only_types_name_are_left_out():
    done = run("print([name for name in ('_ssl', '_hashlib', 'textual.widgets._tree') if name in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr
    assert run("assert 'textual.app' in sys.modules").returncode == 0


def test_they_can_be_imported_afterwards():
    code = "import ssl, textual.types; print(ssl.SSLContext.__name__, textual.types.DirEntry.__name__)"
    assert run(code).stdout.strip() == "SSLContext DirEntry"


def test_what_was_imported_before_stays_as_it_is():
    code = (
        "import ssl, textual.types as types; import_textual(); import textual.types as same; print(types is same, ssl)"
    )
    done = run(f"import sys; sys.modules.pop('textual.app'); {code}")
    assert done.stdout.startswith("True <module 'ssl'"), done.stderr


def test_other_names_come_from_the_real_module():
    code = (
        "from harness_tui.tui.lean_imports import _Types\n"
        "with _Types():\n"
        "    from textual.types import IgnoreReturnCallbackType, DirEntry\n"
        "print(DirEntry.__module__, 'textual.types' in sys.modules)"
    )
    assert run(code).stdout.strip() == "textual.widgets._directory_tree True"
