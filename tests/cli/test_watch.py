"""`watch`: one JSON object a line and change, until it is interrupted."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time

import pytest

PATIENCE = 25


class Watching:
    """The program at work; its lines come as they are written."""

    def __init__(self, argv, environment):
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.lines = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def until(self, wanted, again=None):
        """Objects up to the first that is `wanted`; `again` repeats what causes it until it was seen."""
        found, end = [], time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                line = self.lines.get(timeout=1)
            except queue.Empty:
                if again is not None:
                    again()
                continue
            assert line.endswith(b"\n")
            found.append(json.loads(line.decode()))
            if wanted(found[-1]):
                return found
        raise AssertionError(f"not seen among {found}")

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        error = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode, error


@pytest.fixture
def watching(command, environment, repository):
    started = []

    def start():
        found = Watching([*command, "watch", str(repository.root)], environment)
        started.append(found)
        # The first reading is no change; what git says of it is, and shows that the watch is on.
        found.until(lambda item: item["kind"] == "git")
        return found

    yield start
    for item in started:
        item.process.kill()
        item.process.wait()
        item.reader.join()
        item.process.stdout.close()
        item.process.stderr.close()


def test_each_change_is_an_object_with_what_when_and_where(watching, repository):
    watch = watching()
    repository.set_status("T-03", "blocked")
    seen = watch.until(lambda item: item["kind"] == "task-status")[-1]
    assert {"at", "revision", "kind", "title", "pool_id", "task_id", "before", "after", "path", "line"} <= set(seen)
    assert (seen["task_id"], seen["before"], seen["after"]) == ("T-03", "pending", "blocked")
    assert (seen["path"], seen["line"]) == ("docs/batches/orchard/BATCH_PLAN.md", 12)
    assert seen["at"].endswith("Z")
    repository.append(f"{repository.pool}/STREAM_LOG.md", "2024-04-02T09:00:00Z · T-02 · gate — Größe ok\n")
    later = watch.until(lambda item: item["kind"] == "log")[-1]
    assert later["revision"] > seen["revision"]
    assert later["title"].endswith("gate — Größe ok")
    assert watch.end(signal.SIGINT) == (130, b"")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_it_with_its_code_and_no_word(watching, number, code):
    assert watching().end(number) == (code, b"")


def test_a_reader_that_goes_away_ends_it_quietly(command, environment, repository):
    read, write = os.pipe()
    process = subprocess.Popen(
        [*command, "watch", str(repository.root)], stdout=write, stderr=subprocess.PIPE, env=environment
    )
    os.close(write)
    assert b'"git"' in os.read(read, 1 << 16)
    os.close(read)
    end = time.monotonic() + PATIENCE
    statuses = ["blocked", "pending"]
    while process.poll() is None and time.monotonic() < end:
        repository.set_status("T-03", statuses[0])
        statuses.reverse()
        try:
            process.wait(0.3)
        except subprocess.TimeoutExpired:
            continue
    assert process.poll() == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_folder_that_vanishes_and_comes_back_is_followed(watching, repository):
    watch = watching()
    aside = repository.root.parent / "aside"
    (repository / "docs/batches").rename(aside)
    watch.until(lambda item: item["kind"] == "pool-removed")
    aside.rename(repository / "docs/batches")
    watch.until(lambda item: item["kind"] == "pool-added")
    repository.set_status("T-03", "skipped")
    watch.until(lambda item: item["kind"] == "task-status" and item["after"] == "skipped")
    assert watch.end(signal.SIGTERM)[0] == 143


def test_it_needs_a_workspace(program, tmp_path):
    done = program("watch", tmp_path / "gone")
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.count(b"\n") == 1
