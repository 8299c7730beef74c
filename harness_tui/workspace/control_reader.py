"""Reads the control state, and the lock in it, each file once per change."""

from __future__ import annotations

from harness_tui.formats.control_state import control_state
from harness_tui.formats.servo_fields import read_fields
from harness_tui.workspace.cache import Cache
from harness_tui.workspace.servo_layout import CONTROL, HOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from harness_tui.formats.servo_fields import ServoDocument
    from harness_tui.model.control import Control
    from harness_tui.model.handback import Handback
    from harness_tui.workspace.reads import Reads


class ControlReader:
    """Reads the control state of one workspace again and again; what is judged stays until one of its files changes."""

    def __init__(self, root: Path | str) -> None:
        self.cache: Cache[ServoDocument] = Cache(root, read_fields, whole=_whole)
        self._documents: tuple[ServoDocument, ...] = ()
        self._handback: Handback | None = None
        self.control: Control | None = None

    def read(self, reads: Reads, paths: Iterable[str]) -> Control | None:
        """The control state that `paths` hold, in the order in which they are asked; None when there is none."""
        found = [reads.get(self.cache, path) for path in paths]
        documents = tuple(document for document in found if document is not None)
        if len(documents) != len(self._documents) or any(
            new is not old for new, old in zip(documents, self._documents, strict=True)
        ):
            self._documents = documents
            self._handback = None
            self.control = control_state(documents) if documents else None
        return self.control

    def handback(self) -> Handback | None:
        """The lock in the control state as it was read last."""
        if self._handback is None and self.control is not None:
            from harness_tui.formats.handback_guard import guard_record  # noqa: PLC0415 - the guard of gates needs none
            from harness_tui.rules.handback import judge_handback  # noqa: PLC0415 - as above

            record = guard_record(self._documents, f"{HOME}/{CONTROL}")
            self._handback = judge_handback(record, self.control.active_milestone)
        return self._handback


def _whole(old: ServoDocument, new: ServoDocument) -> bool:
    """Whether a control file may replace the last one at once: it did not lose its end."""
    lost = len(new.headings) < len(old.headings)
    return not (lost and all(a.title == b.title for a, b in zip(old.headings, new.headings, strict=False)))
