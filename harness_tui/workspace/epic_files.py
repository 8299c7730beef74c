"""The files of one epic for whoever writes them: found by listing, read as they are now, judged together."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from harness_tui.formats.decision_bundle import parse_bundle
from harness_tui.formats.decision_packet import parse_packet
from harness_tui.formats.epic_edit import old_history
from harness_tui.formats.epic_state import parse_epic_state
from harness_tui.formats.text import clean
from harness_tui.formats.unknowns import parse_ledger
from harness_tui.model.frozen import frozen
from harness_tui.model.refusal import NotThere, Refused
from harness_tui.rules.budget import judge
from harness_tui.rules.near import did_you_mean
from harness_tui.rules.questions import is_paid, packet_key
from harness_tui.workspace.atomic import WriteError, read_target, why_not
from harness_tui.workspace.files import is_inside

if TYPE_CHECKING:
    from pathlib import Path

    from harness_tui.model.decision import Bundle, Packet
    from harness_tui.model.epic import EpicState
    from harness_tui.model.unknown import Ledger
    from harness_tui.rules.budget import Judgement

LOCK: Final = "epics"
"""The one lock for bundle, state, ledger and trace of all epics."""

_FEATURES: Final = ".harness/features"
_TASKS: Final = ".harness/tasks"


@frozen
class EpicPaths:
    """Where the files of an epic are, or would be. `id` is its name as it is shown."""

    id: str
    state: Path
    packet: Path
    bundle: Path
    ledger: Path
    trace: Path

    @property
    def whole(self) -> tuple[Path, ...]:
        """Those that are written as a whole."""
        return (self.bundle, self.state, self.ledger)


@frozen
class EpicFiles:
    """The files of an epic as they are at one moment: bytes (None: no such file) and what they say."""

    paths: EpicPaths
    state_data: bytes | None
    packet_data: bytes | None
    bundle_data: bytes | None
    ledger_data: bytes | None
    state: EpicState | None
    packet: Packet | None
    bundle: Bundle | None
    ledger: Ledger | None

    @property
    def budget(self) -> Judgement:
        """What may still be spent. Raises `Refused` when there is no state, or it is damaged."""
        return judge(self.the_state.numbers)

    @property
    def the_state(self) -> EpicState:
        """The state. Raises `Refused` when there is none, or it is damaged."""
        name = f"{_FEATURES}/{self.paths.id}/state.json"
        if self.state is None:
            raise Refused("budget-unreadable", name, "there is no state.json: the budget is not known")
        if self.state.unreadable:
            raise Refused("budget-unreadable", name, f"the budget can't be read: {self.state.unreadable}")
        return self.state

    def paid(self, *, answered: bool) -> bool:
        """Whether the current packet's unit was spent already; `answered` when one of its questions has an answer."""
        if self.packet is None:
            return True
        numbers = self.the_state.numbers
        if is_paid(self.packet, numbers, answered=answered):
            return True
        return numbers.old_shape and packet_key(self.packet) in old_history(self.state_data or b"{}")


def find_epic(root: Path, epic_id: str) -> EpicPaths:
    """Where the epic of that name is. Raises `NotThere`: names come from the disk, never from the argument."""
    home = root / _FEATURES
    names: list[str] = []
    if is_inside(home, root):
        with suppress(OSError):
            names = sorted(os.listdir(home))  # noqa: PTH208 - names only
    for name in names:
        folder = home / name
        if epic_id in (name, clean(name)) and os.path.isdir(folder) and is_inside(folder, root):  # noqa: PTH112
            return EpicPaths(
                clean(name),
                folder / "state.json",
                folder / "decision-packet.json",
                folder / "decision-bundle.json",
                folder / "unknowns-ledger.json",
                root / ".harness/logs/epics" / name / "execution-trace.jsonl",
            )
    hint = did_you_mean(epic_id, [clean(name) for name in names if os.path.isdir(home / name)])  # noqa: PTH112
    raise NotThere(epic_id, f"there is no such epic: no folder of that name in {_FEATURES}{hint}")


def read_epic(root: Path, paths: EpicPaths) -> EpicFiles:
    """The files as they are now. Raises `WriteError` when one can't be opened."""
    state, packet, bundle, ledger = (
        read_target(path, root=root) for path in (paths.state, paths.packet, paths.bundle, paths.ledger)
    )
    home = f"{_FEATURES}/{paths.id}"
    return EpicFiles(
        paths,
        state_data=state,
        packet_data=packet,
        bundle_data=bundle,
        ledger_data=ledger,
        state=None if state is None else parse_epic_state(state, f"{home}/state.json"),
        packet=None if packet is None else parse_packet(packet, f"{home}/decision-packet.json"),
        bundle=None if bundle is None else parse_bundle(bundle, f"{home}/decision-bundle.json"),
        ledger=None if ledger is None else parse_ledger(ledger, f"{home}/unknowns-ledger.json"),
    )


def find_tasks(root: Path, epic_id: str) -> list[Path]:
    """Task files of the epic, by name. Raises `WriteError` when they can't be listed."""
    home = root / _TASKS
    if not is_inside(home, root):
        return []
    try:
        names = sorted(os.listdir(home))  # noqa: PTH208 - names only
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WriteError(home, why_not(error)) from error
    return [home / name for name in names if clean(name).startswith(f"{epic_id}.") and name.endswith(".json")]
