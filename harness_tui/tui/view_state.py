"""How the operator left the dashboard: view settings, and what had been seen, for each workspace.

Kept in `$XDG_STATE_HOME/harness-tui/`; nothing of it is a fact about the workspace, and losing it loses nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from harness_tui.model.frozen import field, record

_PRIME: Final = 2**64 - 59


@record
class ViewState:
    """`seen` holds statuses by task (`rules.recap.seen`), and is empty before the first visit."""

    theme: str = ""
    pool: str = ""
    seen: dict[str, str] = field(default_factory=dict)


def state_file(root: Path) -> Path:
    """The file for the workspace at `root`."""
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    # The path as a number is told apart as well by its remainder as by a hash, and hashlib would load OpenSSL.
    name = f"{int.from_bytes(os.fsencode(root), 'big') % _PRIME:016x}"
    return Path(home) / "harness-tui" / f"{name}.json"


def load(root: Path) -> ViewState:
    """The state as it was left; a fresh one when there is none or it can't be read."""
    import json  # noqa: PLC0415 - at the first start there is no state

    try:
        found: Any = json.loads(state_file(root).read_bytes())
    except (OSError, ValueError, RecursionError):
        return ViewState()
    if not isinstance(found, dict):
        return ViewState()
    texts = {name: value for name in ("theme", "pool") if isinstance(value := found.get(name), str)}
    seen = found.get("seen")
    pairs = seen.items() if isinstance(seen, dict) else ()
    return ViewState(**texts, seen={key: value for key, value in pairs if isinstance(value, str)})


def save(root: Path, state: ViewState) -> None:
    """Keep `state`; a disk that does not take it is no reason to complain on leaving."""
    import json  # noqa: PLC0415 - not at the start
    import tempfile  # noqa: PLC0415 - as above
    from dataclasses import asdict  # noqa: PLC0415 - as above

    path = state_file(root)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".view-", suffix=".tmp")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(asdict(state), file)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
