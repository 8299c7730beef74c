"""The terminal driver, hardened: no input can end it, no output shifts columns, a lost terminal ends the program."""

from __future__ import annotations

import codecs
import os
import selectors
import sys
import threading
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, Final

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from harness_tui.formats.text import clean
from harness_tui.tui.early_signals import EarlySignals
from harness_tui.tui.preview import ENTER, Preview
from harness_tui.tui.sizes import terminal_size
from harness_tui.tui.text import pin_widths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WAIT: Final = 0.1
_LISTENING: Final = 10
"""Silent waits after which nothing typed is half done any more, and the next byte is waited for without end."""
_PUSH_TITLE: Final = "\x1b[22;2t"
_POP_TITLE: Final = "\x1b[23;2t"
_CHUNK: Final = 1 << 12
_PASTE_START: Final = "\x1b[200~"
_PASTE_END: Final = "\x1b[201~"
_WAY_OUT: Final = frozenset({b"\x03", b"\x11", b"\x1b"})
"""Ctrl+C, Ctrl+Q and Esc: typed alone after a silence, they say that no paste is under way any more."""
PASTE_PATIENCE: Final = 20
"""Silent waits (a tenth of a second each) after which a paste that never ends is taken as ended."""
_LAST_RESORT: Final = 5.0
"""Seconds that the way out may take once the terminal is gone; then the process ends where it stands."""
_HUNG_UP: Final = 128 + 1


class CarefulDriver(LinuxDriver):
    """Differs from its base in nine points.

    Bytes that are no UTF-8 are replaced instead of ending the input thread. A paste whose end never comes is closed.
    End of input or an input error ends the program instead of spinning. Graphemes whose width terminals disagree on
    are written so that the next column stays where it is. A stop by SIGSTOP leaves one input thread, not two. Being
    stopped and continued happens between two turns of the event loop: a signal handler could find a lock taken. What is
    on the screen before it starts stays until the first frame. What is written after its thread has ended is written.
    While nobody types, the input thread sleeps.
    """

    lost = False
    """Whether the terminal went away."""
    preview = Preview()
    """What is on the terminal already when the driver starts."""
    signals = EarlySignals()
    """Who hears of signals until then."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Drawn on stdout, which is what was checked to be a terminal; the base draws on stderr.
        self._file: Any = _Outlet(sys.__stdout__ or self._file, self._lose)
        self.exit_event = self._waking = WakingEvent()
        self._titled = False
        self._taken = False

    def start_application_mode(self) -> None:
        """Take the terminal over, from the preview if there is one.

        Signals waited for that: what is half begun could not be undone.
        """
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._taken = True
        self.attrs_before = self.preview.hand_over(self.attrs_before)
        self.signals.release()

    def write(self, data: str) -> None:
        """Write to the terminal, by a thread until that has ended."""
        if data == ENTER and self.preview.up:
            return
        if self._writer_thread is None or self._writer_thread.is_alive():
            super().write(pin_widths(data))
        else:
            self._file.write(pin_widths(data))
            self._file.flush()

    def set_title(self, text: str) -> None:
        """Name the window; the name that it had comes back when the program leaves."""
        self.write(f"{'' if self._titled else _PUSH_TITLE}\x1b]2;{clean(text)}\x1b\\")
        self._titled = True

    def stop_application_mode(self) -> None:
        """Leave the terminal as it was, its title included."""
        if self._titled:
            self.write(_POP_TITLE)
            self._titled = False
        super().stop_application_mode()
        self._taken = False

    def leave(self) -> None:
        """Put the terminal back when the way out was cut short; nothing to do when it was not."""
        if self._taken:
            self.suspend_application_mode()

    def _sigtstp_application(self, *_: object) -> None:
        """Stop, as Ctrl+Z asks for. While another program has the terminal there is nothing to put away first."""
        if self._auto_restart:
            self._loop.call_soon_threadsafe(super()._sigtstp_application)
        else:
            super()._sigtstp_application()

    def _sigcont_application(self, *_: object) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._go_on)

    def _go_on(self) -> None:
        """Go on after a stop. One that was not heard of (SIGSTOP) is made up for: else two threads would read keys."""
        if self.lost or not self._app.is_running:
            return
        if not self._must_signal_resume:
            self.suspend_application_mode()
            self._must_signal_resume = True
        self.resume_application_mode()
        # What the terminal shows now is the shell's: every cell is drawn anew.
        self._app.refresh(layout=True)

    def run_input_thread(self) -> None:
        """Read keys and mouse until told to stop."""
        parser = XTermParser(self._debug)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        pasting, silent = False, 0
        with selectors.SelectSelector() as selector, self._waking.waking() as waking:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(waking, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                text = ""
                ready = selector.select(_WAIT if pasting or silent < _LISTENING else None)
                if any(key.fd == self.fileno for key, _ in ready):
                    data = self._read()
                    if not data:
                        self._lose()
                        break
                    text = decoder.decode(data)
                    if pasting and silent and data in _WAY_OUT:
                        text = _PASTE_END + text
                    silent = 0
                    pasting = _still_pasting(text, pasting=pasting)
                else:
                    silent += 1
                    if pasting and silent >= PASTE_PATIENCE:
                        text, pasting = _PASTE_END, False
                if text:
                    for message in parser.feed(text):
                        self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)
        try:
            for _ in parser.feed(""):
                pass
        except (EOFError, ParseError):
            pass

    def _get_terminal_size(self) -> tuple[int, int]:
        columns, lines = terminal_size()
        return columns, lines

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, _CHUNK)
        except OSError:
            return b""

    def _lose(self) -> None:
        if self.lost:
            return
        self.lost = True
        last_resort = threading.Timer(_LAST_RESORT, os._exit, (_HUNG_UP,))
        last_resort.daemon = True
        last_resort.start()
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(lambda: self._app.exit(return_code=_HUNG_UP))


class WakingEvent(threading.Event):
    """An event that also wakes a thread which waits in a `select`."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._end: int | None = None

    @contextmanager
    def waking(self) -> Iterator[int]:
        """A descriptor that can be read from as soon as the event is set."""
        begin, end = os.pipe()
        self._end = end
        if self.is_set():
            self.set()
        try:
            yield begin
        finally:
            with self._lock:
                self._end = None
                os.close(begin)
                os.close(end)

    def set(self) -> None:
        """Set the event."""
        super().set()
        with self._lock:
            if self._end is not None:
                os.write(self._end, b".")


class _Outlet:
    """The terminal as a file that can be written to even when it is gone; `lost` is told then."""

    def __init__(self, file: IO[str], lost: Callable[[], None]) -> None:
        self._file = file
        self._lost = lost

    def write(self, text: str) -> None:
        try:
            self._file.write(text)
        except OSError:
            self._lost()

    def flush(self) -> None:
        try:
            self._file.flush()
        except OSError:
            self._lost()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()


def _still_pasting(text: str, *, pasting: bool) -> bool:
    start, end = text.rfind(_PASTE_START), text.rfind(_PASTE_END)
    if start == end:
        return pasting
    return start > end
