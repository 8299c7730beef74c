"""What every call of git has in common: nothing that a repository names is run, nothing is locked or fetched.

CONTRACT rule 11. The configuration of a repository is written by agents, and git runs what it names: a file system
monitor, hooks, a transport that fetches missing objects.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

TIMEOUT: Final = 5.0
"""Seconds after which a git process is killed."""

NO_GIT: Final = "git is not installed"

OPTIONS: Final = (
    "--no-pager", "--no-optional-locks",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=keep",
    "-c", "diff.external=", "-c", "submodule.recurse=false", "-c", "log.showSignature=false",
)  # fmt: skip
"""Options of git itself, before its command."""

ENVIRONMENT: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "none",  # no transport, so an object that is missing is not fetched
    "GIT_NO_LAZY_FETCH": "1",
}
"""Variables of each call; all other GIT_* ones are dropped."""


def find_git() -> str | None:
    """Absolute path of git. Relative entries of PATH are left out: they may lead into the workspace."""
    for entry in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(entry, "git")  # noqa: PTH118 - a hook waits for this
        if entry.startswith("/") and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113 - as above
            return path
    return None


def clean_environment() -> dict[str, str]:
    """The environment for one call: a GIT_DIR that came from a git hook would lead to another repository."""
    return {name: text for name, text in os.environ.items() if not name.startswith("GIT_")} | ENVIRONMENT
