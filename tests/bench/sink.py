"""Where frames go that are only to be measured."""

from __future__ import annotations

from textual.drivers.headless_driver import HeadlessDriver


class Sink(HeadlessDriver):
    """A terminal that takes everything, so that frames are turned into bytes."""

    written = 0

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        Sink.written += len(data)
