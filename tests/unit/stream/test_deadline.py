"""What is done at a deadline, unless it is called off before."""

import threading
import time

from harness_tui.stream.deadline import Deadline

SOON = 0.01
LATER = 3600.0
PATIENCE = 10.0


def test_a_long_block_is_interrupted_by_the_action_once():
    calls = []
    called = threading.Event()

    def act():
        calls.append(threading.current_thread())
        called.set()

    deadline = Deadline(SOON, act)
    with deadline.watched():
        assert called.wait(PATIENCE)
        time.sleep(5 * SOON)
    deadline.close()
    assert len(calls) == 1
    assert calls[0] is not threading.current_thread()


def test_it_is_called_off_when_the_block_ends_before():
    calls = []
    deadline = Deadline(SOON, lambda: calls.append(1))
    for _ in range(100):
        with deadline.watched():
            pass
    time.sleep(5 * SOON)
    deadline.close()
    assert not calls


def test_each_block_has_a_deadline_of_its_own_and_one_thread_keeps_them_all():
    threads = set()
    called = threading.Event()

    def act():
        threads.add(threading.current_thread())
        called.set()

    deadline = Deadline(SOON, act)
    for _ in range(3):
        called.clear()
        with deadline.watched():
            assert called.wait(PATIENCE)
    deadline.close()
    assert len(threads) == 1


def test_the_block_is_not_left_while_the_action_goes_on():
    begun, go_on, done = threading.Event(), threading.Event(), []

    def act():
        begun.set()
        go_on.wait(PATIENCE)
        done.append(1)

    deadline = Deadline(SOON, act)
    with deadline.watched():
        assert begun.wait(PATIENCE)
        threading.Timer(5 * SOON, go_on.set).start()
    assert done
    deadline.close()


def test_closing_ends_the_thread_however_far_the_deadline_is():
    before = threading.active_count()
    deadline = Deadline(LATER, lambda: None)
    with deadline.watched():
        assert threading.active_count() == before + 1
        deadline.close()
    assert threading.active_count() == before


def test_closing_one_that_was_never_used_does_nothing():
    Deadline(LATER, lambda: None).close()
