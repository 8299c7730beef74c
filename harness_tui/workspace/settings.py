"""The operator's own defaults, `$XDG_CONFIG_HOME/harness-tui/settings.toml`; a command line wins over them."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Final

from harness_tui.rules.near import did_you_mean
from harness_tui.workspace.files import FileError, read_file

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "worker": (str,), "adapter": (str,), "result_file": (str,), "variant": (str,),
    "silence": (int, float), "limit": (int, float), "tick": (int, float), "steps": (int,), "idle": (int,),
}  # fmt: skip
"""What the table `[stream]` may hold."""


class SettingsError(Exception):
    """The file can't be used; `path` is the file, the text says why."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(why)
        self.path = path


def settings_file() -> Path:
    """Where the settings are, or would be."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "harness-tui" / "settings.toml"


def stream_settings() -> dict[str, Any]:
    """The table `[stream]`; empty without a file. Raises `SettingsError`."""
    path = settings_file()
    try:
        found = tomllib.loads(read_file(path).decode("utf-8-sig"))
    except FileError as error:
        if error.gone:
            return {}
        raise SettingsError(path, error.reason) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(path, str(error)) from error
    other = next((name for name in found if name != "stream"), None)
    if other is not None:
        hint = "; it belongs below [stream]" if other in _TYPES else did_you_mean(other, ("stream",))
        raise SettingsError(path, f"there is no setting {other!r}: all stand in the table [stream]{hint}")
    table = found.get("stream", {})
    if not isinstance(table, dict):
        raise SettingsError(path, "[stream] is no table")
    for name, value in table.items():
        if name not in _TYPES:
            hint = did_you_mean(name, _TYPES)
            raise SettingsError(path, f"[stream] has no setting {name!r}; there are {', '.join(sorted(_TYPES))}{hint}")
        if not isinstance(value, _TYPES[name]) or isinstance(value, bool):
            raise SettingsError(path, f"[stream] {name} must be a {'number' if int in _TYPES[name] else 'text'}")
        if isinstance(value, (int, float)) and not 0 <= value < 10**9:
            raise SettingsError(path, f"[stream] {name} is out of range")
    return table
