"""Copying text out: a native tool where there is one, else the terminal's own clipboard (OSC 52)."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from typing import Final

NATIVE: Final = (
    (("wl-copy",), "WAYLAND_DISPLAY"),
    (("xclip", "-selection", "clipboard"), "DISPLAY"),
    (("xsel", "--clipboard", "--input"), "DISPLAY"),
    (("pbcopy",), ""),
    (("clip.exe",), "WSL_DISTRO_NAME"),
)
OSC52_LIMIT: Final = 74_994
"""Encoded bytes that terminals surely take; more is refused, as half a text is worse than none."""
_SECONDS: Final = 2.0


def native_command() -> tuple[str, ...] | None:
    """The first tool that can work here; None when there is none or `HARNESS_TUI_CLIPBOARD=osc52` forbids it."""
    if os.environ.get("HARNESS_TUI_CLIPBOARD") == "osc52" or os.environ.get("SSH_TTY"):
        return None
    for command, variable in NATIVE:
        if (not variable or os.environ.get(variable)) and shutil.which(command[0]):
            return command
    return None


def copy_native(text: str) -> bool:
    """Hand `text` to a native tool; False when there is none or it fails. Blocks for two seconds at most."""
    command = native_command()
    if command is None:
        return False
    try:
        done = subprocess.run(  # noqa: S603 - a fixed list of tools, the text goes in by a pipe
            command, input=text.encode("utf-8", "replace"), timeout=_SECONDS, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def osc52(text: str) -> str | None:
    """The sequence that makes the terminal take `text`, passed through tmux if we are in it; None when too long."""
    if os.environ.get("HARNESS_TUI_CLIPBOARD") == "native":
        return None
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    if len(encoded) > OSC52_LIMIT:
        return None
    sequence = f"\x1b]52;c;{encoded}\x07"
    return f"\x1bPtmux;\x1b{sequence}\x1b\\" if os.environ.get("TMUX") else sequence
