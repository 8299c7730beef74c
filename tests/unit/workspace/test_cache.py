"""Readings by path: parsed once per change, kept when a file is half written or can't be read."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from harness_tui.workspace.cache import GRACE, Cache

CLOCK = 60 * 10**9
"""Nanoseconds of a step of the clock that no slow machine outlasts."""


class Parser:
    """Counts what it parses; the value of a file is its upper-case text."""

    def __init__(self):
        self.calls = []

    def __call__(self, data, name):
        self.calls.append(name)
        return data.decode().upper()


@pytest.fixture
def parse():
    return Parser()


@pytest.fixture
def cache(tmp_path, parse):
    return Cache(tmp_path, parse, whole=lambda old, new: len(new) >= len(old))


def age(path):
    """Make a file one whose next change has other times."""
    past = time.time() - 100
    os.utime(path, (past, past))


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "a.md"
    path.write_text("one", "utf-8")
    age(path)
    # utime itself is a change of status: as if it had been long ago, too.
    monkeypatch.setattr("harness_tui.workspace.signature.CLOCK_STEP", 0)
    return path


def get(cache, path, *, look=True, clock=0.0):
    return cache.get(str(path), path.name, look=look, clock=clock)


def test_an_unchanged_file_is_parsed_once_and_its_reading_stays_the_same(cache, parse, file):
    first = get(cache, file)
    assert first.value == "ONE"
    for _ in range(5):
        assert get(cache, file) is first
    assert parse.calls == ["a.md"]


def test_a_changed_file_is_parsed_once(cache, parse, file):
    get(cache, file)
    file.write_text("three", "utf-8")
    assert [get(cache, file).value for _ in range(3)] == ["THREE"] * 3
    assert len(parse.calls) == 2


def test_a_touched_file_is_not_parsed(cache, parse, file):
    first = get(cache, file)
    os.utime(file)
    assert get(cache, file) is first
    assert len(parse.calls) == 1


def test_without_a_look_the_last_reading_is_taken(cache, file):
    first = get(cache, file)
    file.unlink()
    assert get(cache, file, look=False) is first
    assert get(cache, file) is None
    assert get(cache, file, look=False) is None


def test_two_changes_within_one_step_of_the_clock_are_both_seen(tmp_path, parse):
    cache, path = Cache(tmp_path, parse), tmp_path / "a.md"
    path.write_text("pending", "utf-8")
    times = path.stat().st_mtime_ns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness_tui.workspace.signature.CLOCK_STEP", CLOCK)
        get(cache, path)
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, b"blocked")
    os.close(descriptor)
    os.utime(path, ns=(times, times))
    real = os.stat

    def coarse(name, **options):
        """The times that a file system with coarse stamps would give."""
        found = real(name, **options)
        if Path(name) != path:
            return found
        return os.stat_result((*found[:10], *(float(times // 10**9),) * 3, *(times,) * 3))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "stat", coarse)
        patch.setattr("harness_tui.workspace.signature.CLOCK_STEP", CLOCK)
        assert get(cache, path).value == "BLOCKED"


def test_a_file_that_looks_half_written_keeps_its_last_value_for_a_while(cache, file):
    get(cache, file)
    file.write_text("o", "utf-8")
    half = get(cache, file, clock=10.0)
    assert (half.value, half.stale, cache.unsettled) == ("ONE", True, True)
    assert get(cache, file, clock=10.0 + GRACE / 2).value == "ONE"
    taken = get(cache, file, clock=10.0 + GRACE)
    assert (taken.value, taken.stale, cache.unsettled) == ("O", False, False)
    assert cache.stale_problems() == ()


def test_a_file_that_is_completed_is_taken_at_once(cache, file):
    get(cache, file)
    file.write_text("", "utf-8")
    assert get(cache, file, clock=1.0).stale
    file.write_text("one two", "utf-8")
    done = get(cache, file, clock=1.1)
    assert (done.value, done.stale) == ("ONE TWO", False)
    file.write_text("x", "utf-8")
    assert get(cache, file, clock=50.0).stale, "the grace begins anew"


def test_a_file_that_gets_its_old_bytes_back_is_no_longer_stale(cache, file):
    get(cache, file)
    file.write_text("", "utf-8")
    get(cache, file, clock=1.0)
    file.write_text("one", "utf-8")
    back = get(cache, file, clock=1.5)
    assert (back.value, back.stale, cache.unsettled) == ("ONE", False, False)


def test_what_cannot_be_read_keeps_its_last_value_with_a_problem(cache, file):
    get(cache, file)
    file.unlink()
    file.mkdir()
    reading = get(cache, file)
    assert (reading.value, reading.stale) == ("ONE", True)
    (problem,) = cache.stale_problems()
    assert (problem.path, problem.line, problem.severity, problem.code) == ("a.md", None, "error", "unreadable")
    file.rmdir()
    file.write_text("one more", "utf-8")
    assert get(cache, file).value == "ONE MORE"
    assert cache.stale_problems() == ()


def test_a_problem_goes_with_its_file(cache, file):
    file.unlink()
    file.mkdir()
    assert get(cache, file).value == ""
    assert len(cache.stale_problems()) == 1
    file.rmdir()
    assert get(cache, file) is None
    assert cache.stale_problems() == ()


def test_a_readable_but_half_written_file_is_not_called_unreadable(cache, file):
    get(cache, file)
    file.unlink()
    file.mkdir()
    get(cache, file, clock=1.0)
    file.rmdir()
    file.write_text("o", "utf-8")
    half = get(cache, file, clock=1.5)
    assert (half.value, half.stale) == ("ONE", True)
    assert cache.stale_problems() == ()
    assert cache.unsettled


@pytest.mark.parametrize("make", ["pipe", "link", "loop"])
def test_a_pipe_or_a_link_out_of_the_workspace_is_not_read(tmp_path, parse, make):
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("secret", "utf-8")
    path = root / "a.md"
    {
        "pipe": lambda: os.mkfifo(path),
        "link": lambda: path.symlink_to(tmp_path / "secret"),
        "loop": lambda: path.symlink_to(path),
    }[make]()
    reading = get(Cache(root, parse), path)
    assert reading is None or (reading.value == "" and reading.problem is not None)


def test_forget_keeps_only_what_is_named(cache, parse, file, tmp_path):
    other = tmp_path / "b.md"
    other.write_text("two", "utf-8")
    get(cache, file)
    get(cache, other)
    cache.forget({str(other)})
    get(cache, other)
    assert len(parse.calls) == 2
    get(cache, file)
    assert len(parse.calls) == 3
    cache.drop(str(file))
    cache.drop("not there")
    get(cache, file)
    assert len(parse.calls) == 4
