import ctypes
import sys

import pytest

from harness_tui.workspace.orphans import adopting

GET_CHILD_SUBREAPER = 37  # prctl(2)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted on Linux")


def is_next_parent():
    answer = ctypes.c_int()
    assert ctypes.CDLL(None).prctl(GET_CHILD_SUBREAPER, ctypes.byref(answer), 0, 0, 0) == 0
    return bool(answer.value)


def test_orphans_come_to_this_process_for_as_long_as_a_run_lasts():
    with adopting():
        assert is_next_parent()
    assert not is_next_parent()
