"""Messages between threads, screens and widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness_tui.model.change import Change
    from harness_tui.model.snapshot import Snapshot
    from harness_tui.tui.facts import Fact


READER_NAME: Final = "reader"
"""Names the reader screen, which is imported only when a file is opened.

Screens have no ids: one that was closed is gone a little later, and ids are unique.
"""


class SnapshotArrived(Message):
    """A new reading of the workspace, with what changed since the one before."""

    def __init__(self, snapshot: Snapshot, changes: tuple[Change, ...]) -> None:
        self.snapshot = snapshot
        self.changes = changes
        super().__init__()


class LiveChanged(Message):
    """How changes are heard of: `live`, `polling` or `stale`, and why."""

    def __init__(self, state: str, why: str) -> None:
        self.state = state
        self.why = why
        super().__init__()


class Answered(Message):
    """What the worker thread found out for a widget: `use` is called with it on the UI thread."""

    def __init__(self, use: Callable[[], None]) -> None:
        self.use = use
        super().__init__()


class FactChosen(Message):
    """The operator opened a line of a list."""

    def __init__(self, fact: Fact) -> None:
        self.fact = fact
        super().__init__()


class OpenSource(Message):
    """Show a file of the workspace at a line (from 1); `path` is relative to the root."""

    def __init__(self, path: str, line: int | None) -> None:
        self.path = path
        self.line = line
        super().__init__()
