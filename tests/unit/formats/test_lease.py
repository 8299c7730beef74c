"""What a run lock claims."""

import json

import pytest

from harness_tui.formats.lease import parse_lease
from harness_tui.model.lease import LeaseClaim


def test_a_claim_is_read_whole():
    value = {
        "pid": 42,
        "started_at": "2026-01-02T03:04:05Z",
        "start_ticks": 7,
        "boot_id": "b",
        "host": "h",
        "pool": "kiln",
    }
    assert parse_lease(json.dumps(value).encode(), "l") == LeaseClaim(
        "l", 42, "2026-01-02T03:04:05Z", 7, "b", "h", "kiln"
    )


@pytest.mark.parametrize("pid", [0, -1, True, 4.0, "42", None, 2**40])
def test_a_pid_that_names_no_process_is_none(pid):
    claim = parse_lease(json.dumps({"pid": pid, "pool": "kiln"}).encode(), "l")
    assert (claim.pid, claim.pool) == (None, "kiln")
    assert [problem.code for problem in claim.problems] == ["lock-without-pid"]


@pytest.mark.parametrize("data", [b"", b"42", b"[]", b'{"pid": 1, "pid": 2}', b'{"pid": 1', b"\xff\xfe"])
def test_a_damaged_lock_claims_nothing(data):
    claim = parse_lease(data, "l")
    assert (claim.pid, claim.pool) == (None, "")
    assert [problem.code for problem in claim.problems] == ["unreadable-lock"]


def test_texts_are_cleaned():
    assert parse_lease(b'{"pid": 1, "host": "a\\u001bb"}', "l").host == "a\u241bb"
