from __future__ import annotations

import pytest

from harness_tui.rules.hard_stop.signature import comparable, failure, first_error_line, looks_like_error


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("", None),
        ("\n  \n", None),
        ("one thing\nother", "one thing"),
        ("compiling\n\x1b[31merror:\x1b[0m cold kiln\n", "error: cold kiln"),
        (
            "> kiln@1.0.0 test\n> vitest run\n\n FAIL  a.test.ts > fires\nAssertionError: 2 != 3",
            "FAIL a.test.ts > fires",
        ),
        ('Traceback (most recent call last):\n  File "a.py", line 1\nValueError: cold', "ValueError: cold"),
        ("=== test session starts ===\n=== FAILURES ===\n___ test_a ___\nE   assert 3 == 4", "E assert 3 == 4"),
        (
            "make[1]: Entering directory '/x/error'\ngcc: fatal error: no input files",
            "gcc: fatal error: no input files",
        ),
        ("npm ERR! code ELIFECYCLE\nnpm ERR! missing script: fire", "npm ERR! missing script: fire"),
        ("12 passed, 0 failed\nexit soon: cannot open kiln", "exit soon: cannot open kiln"),
        ("✓ reports errors\nok 1 - refuses bad input\nnot ok 2 - fires", "not ok 2 - fires"),
        ("test kiln::error ... ok\ntest kiln::fire ... FAILED", "test kiln::fire ... FAILED"),
        ("10%\r50%\rerror: cold\r\n", "error: cold"),
        ("warning: unused\nsrc/a.c:1: error: b", "src/a.c:1: error: b"),
        ("\x1b]0;error title\x07all\nfailed to fire", "failed to fire"),
    ],
)
def test_the_first_line_that_looks_like_an_error(output, line):
    assert first_error_line(output) == line


@pytest.mark.parametrize(
    "line", ["0 errors", "no failures", "Found 0 errors, 0 warnings", "PASS error.test.ts", "fine"]
)
def test_lines_that_tell_of_no_error(line):
    assert not looks_like_error(line)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("failed in 3.2s", "failed in 12 ms"),
        ("error after 1m 20s", "error after 2m 1s"),
        (
            "[08:00:00.112] OSError: /tmp/tmpa1/horn at 0x7f10aa30 (pid 4411)",
            "[08:03:10.845] OSError: /tmp/tmpq0/horn at 0x7f99be10 (pid 4502)",
        ),
        ("2026-01-02T03:04:05Z error", "2027-02-03 04:05:06.7 error"),
        ("no such file /tmp/build-17/a.c", "no such file /tmp/build-18/a.c"),
        ("error  a", "error a"),
    ],
)
def test_what_differs_from_run_to_run_does_not_matter(one, other):
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.ts(14,3): error TS2322", "a.ts(15,3): error TS2322"),
        ("expected 3", "expected 4"),
        ("no such file /tmp/a.c", "no such file /tmp/b.c"),
        ("error at /src/1", "error at /src/2"),
        ("error: port 8000", "error: port 8001"),
    ],
)
def test_what_tells_errors_apart_stays(one, other):
    assert comparable(one) != comparable(other)


def test_failures_are_the_same_when_all_that_is_known_agrees():
    base = failure("make", 2, "error: a")
    assert base.same(failure("make", 2, "error: a"))
    assert base.same(failure("make", None, "error: a"))
    assert not base.same(failure("make", 3, "error: a"))
    assert not base.same(failure("make", 2, "error: b"))
    assert not base.same(failure("make", 2, ""))
    assert not base.same(failure("make x", 2, "error: a"))


def test_an_endless_output_is_read_quickly():
    assert first_error_line("a" * (1 << 21)) is not None
    assert first_error_line("\n" * (1 << 21)) is None
