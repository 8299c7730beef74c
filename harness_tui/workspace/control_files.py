"""The control state's files as they are now, for whoever asks once: a guard, or who is about to write."""

from __future__ import annotations

from pathlib import Path

from harness_tui.formats.control_state import control_state
from harness_tui.formats.handback_guard import guard_record
from harness_tui.formats.servo_fields import read_fields
from harness_tui.model.frozen import frozen
from harness_tui.rules.handback import judge_handback
from harness_tui.workspace.atomic import read_target
from harness_tui.workspace.layout import Layout
from harness_tui.workspace.servo_layout import CONTROL, HOME, ServoLayout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness_tui.formats.servo_fields import ServoDocument
    from harness_tui.model.control import Control
    from harness_tui.model.handback import GuardRecord, Handback


@frozen
class ControlFiles:
    """Bytes and fields of each file, and what they say together."""

    data: dict[Path, bytes]
    documents: dict[Path, ServoDocument]
    control: Control
    record: GuardRecord
    handback: Handback


def read_control_files(root: Path) -> ControlFiles | None:
    """The control state of the workspace at `root`, None when there is none. Raises `WriteError` for the unreadable."""
    layout = Layout(root)
    data: dict[Path, bytes] = {}
    for path in map(Path, ServoLayout(layout).control()):
        found = read_target(path, root=root)
        if found is not None:
            data[path] = found
    if not data:
        return None
    documents = {path: read_fields(found, layout.rel(path)) for path, found in data.items()}
    everything = tuple(documents.values())
    control = control_state(everything)
    record = guard_record(everything, f"{HOME}/{CONTROL}")
    return ControlFiles(data, documents, control, record, judge_handback(record, control.active_milestone))
