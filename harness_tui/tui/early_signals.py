"""Signals that end the program before the dashboard listens to them itself."""

from __future__ import annotations

import signal
from typing import Final

_NUMBERS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)


class EarlySignals:
    """Makes them raise `SystemExit`, so that whatever was begun is undone; not where half a step can't be undone."""

    def __init__(self) -> None:
        self.came: list[int] = []
        """Numbers of those that came."""
        self._held = False

    def catch(self) -> None:
        """From now on they raise. One that is ignored stays so, as under nohup."""
        for number in _NUMBERS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._end)

    def hold(self) -> None:
        """From now on they wait."""
        self._held = True

    def release(self) -> None:
        """They raise again, one that has waited at once."""
        self._held = False
        if self.came:
            raise SystemExit(128 + self.came[0])

    def _end(self, number: int, _frame: object) -> None:
        self.came.append(number)
        if not self._held:
            raise SystemExit(128 + number)
