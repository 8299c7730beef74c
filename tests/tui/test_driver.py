"""The driver: no input ends it, a lost terminal ends the program, its own title comes back."""

import asyncio
import os
import threading
import time

import pytest
from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from harness_tui.tui import driver as driver_module
from harness_tui.tui.driver import CarefulDriver, _still_pasting

FAMILY = "\U0001f468\u200d\U0001f469"


class Line:
    """A driver whose terminal is a pipe; `messages` are what came out of it."""

    def __init__(self):
        self.app = App()
        self.driver = CarefulDriver(self.app)
        self.read, self.end = os.pipe()
        self.driver.fileno = self.read
        self.messages = []
        self.exits = []
        self.driver.process_message = self.messages.append
        self.app.exit = lambda **words: self.exits.append(words)
        self.thread = threading.Thread(target=self.driver.run_input_thread, daemon=True)
        self.thread.start()

    @property
    def keys(self):
        return [message.key for message in self.messages if isinstance(message, events.Key)]

    @property
    def pastes(self):
        return [message.text for message in self.messages if isinstance(message, events.Paste)]

    def type(self, data):
        os.write(self.end, data)

    async def until(self, holds):
        end = time.monotonic() + 30
        while not holds():
            assert time.monotonic() < end, (self.messages, self.exits)
            await asyncio.sleep(0.01)

    def close(self):
        self.driver.exit_event.set()
        self.thread.join(30)
        assert not self.thread.is_alive()
        os.close(self.read)
        if self.end >= 0:
            os.close(self.end)


@pytest.fixture
async def line(monkeypatch):
    monkeypatch.setattr("harness_tui.tui.driver._LAST_RESORT", 3600)  # it would end the test runner
    found = Line()
    yield found
    found.close()


async def test_keys_arrive(line):
    line.type(b"a\x1b[A")
    await line.until(lambda: line.keys == ["a", "up"])


async def test_bytes_that_are_no_utf8_do_not_end_the_input(line):
    line.type(b"\xff\xfe\x80b")
    await line.until(lambda: "b" in line.keys)


async def test_a_character_cut_between_two_reads_arrives_whole(line):
    data = "ж".encode()
    line.type(data[:1])
    await asyncio.sleep(0.05)
    line.type(data[1:])
    await line.until(lambda: any(getattr(message, "character", None) == "ж" for message in line.messages))


async def test_an_old_mouse_report_does_not_end_the_input(line):
    line.type(b"\x1b[M \xe9\xe9")
    line.type(b"q")
    await line.until(lambda: "q" in line.keys)


async def test_while_nobody_types_the_input_thread_sleeps_and_then_hears_the_next_key(line, monkeypatch):
    monkeypatch.setattr(driver_module, "_WAIT", 0.001)
    line.type(b"a")
    await line.until(lambda: line.keys == ["a"])
    monkeypatch.setattr(driver_module, "_LISTENING", 0)
    waits = []
    select = driver_module.selectors.SelectSelector.select
    monkeypatch.setattr(
        driver_module.selectors.SelectSelector,
        "select",
        lambda self, timeout=None: waits.append(timeout) or select(self, timeout),
    )
    line.type(b"b")
    await line.until(lambda: line.keys == ["a", "b"] and waits[-1:] == [None])
    line.type(b"c")
    await line.until(lambda: line.keys == ["a", "b", "c"])


async def test_a_paste_arrives_as_one(line):
    line.type(b"\x1b[200~hello [b]\x1b[201~x")
    await line.until(lambda: line.keys == ["x"])
    assert line.pastes == ["hello [b]"]


async def test_a_paste_that_never_ends_is_ended_after_a_silence(line, monkeypatch):
    monkeypatch.setattr(driver_module, "PASTE_PATIENCE", 2)
    line.type(b"\x1b[200~half")
    await line.until(lambda: line.pastes == ["half"])
    line.type(b"k")
    await line.until(lambda: line.keys == ["k"])


@pytest.mark.parametrize(("byte", "key"), [(b"\x03", "ctrl+c"), (b"\x11", "ctrl+q")])
async def test_ctrl_c_gets_out_of_a_paste_that_never_ends(line, byte, key):
    line.type(b"\x1b[200~half")
    await asyncio.sleep(0.3)
    line.type(byte)
    await line.until(lambda: key in line.keys)


async def test_the_end_of_input_ends_the_program_as_a_hang_up(line):
    os.close(line.end)
    line.end = -1
    await line.until(lambda: line.exits == [{"return_code": 129}])
    assert line.driver.lost
    line.thread.join(30)
    assert not line.thread.is_alive()


async def test_an_input_error_ends_the_program(line, monkeypatch):
    def broken(*_words):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(driver_module.os, "read", broken)
    os.write(line.end, b"x")
    await line.until(lambda: line.exits == [{"return_code": 129}])


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("x", False, False), ("x", True, True), ("\x1b[200~x", False, True), ("\x1b[201~", True, False),
        ("\x1b[200~x\x1b[201~", False, False), ("\x1b[201~\x1b[200~y", True, True),
    ],
)  # fmt: skip
def test_pastes_are_tracked(text, before, after):
    assert _still_pasting(text, pasting=before) is after


@pytest.fixture
async def written(monkeypatch):
    data = []
    monkeypatch.setattr(LinuxDriver, "write", lambda _self, text: data.append(text))
    monkeypatch.setattr(LinuxDriver, "stop_application_mode", lambda _self: data.append("stopped"))
    return data


async def test_graphemes_of_unsure_width_are_pinned(written):
    CarefulDriver(App()).write(f"a{FAMILY}b")
    assert written == [f"a\x1b7{FAMILY}\x1b8\x1b[2Cb"]


async def test_plain_output_passes_as_it_is(written):
    CarefulDriver(App()).write("\x1b[1mplain\x1b[0m")
    assert written == ["\x1b[1mplain\x1b[0m"]


async def test_the_title_is_saved_once_set_and_put_back(written):
    driver = CarefulDriver(App())
    driver.set_title("one")
    driver.set_title("two\x1b\\\x07")
    driver.stop_application_mode()
    driver.stop_application_mode()
    assert written == [
        "\x1b[22;2t\x1b]2;one\x1b\\", "\x1b]2;two␛\\␇\x1b\\", "\x1b[23;2t", "stopped", "stopped",
    ]  # fmt: skip
