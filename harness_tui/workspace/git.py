"""Asking git without letting the repository act (CONTRACT rule 11).

Its configuration is written by agents, and plain `git status` runs what it names: a file system monitor, clean
filters, hooks, a transport that fetches missing objects. All of that is switched off for each call, no lock is taken
and the index is not rewritten. Every reading opens its processes, reads and is done with them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness_tui.formats.text import clean, decode
from harness_tui.model.frozen import frozen
from harness_tui.model.git import Git
from harness_tui.workspace.git_safety import ENVIRONMENT, NO_GIT, OPTIONS, TIMEOUT, find_git

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

_STATUS = (
    "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=all",
    "--no-renames", "--no-ahead-behind",
)  # fmt: skip
_FILTERS = ("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$")
_LOG = (
    "log", "-z", "--name-only", "--format=", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-show-signature",
    "--no-notes", "--no-decorate", "--no-color", "--ignore-submodules=all", "--max-count=1000",
)  # fmt: skip
NO_CHECKOUT = "not a git repository"
"""What `Git.error` says where there is no repository at all."""
_FATAL = (
    ("dubious ownership", "not trusted: owned by another user"),
    ("not a git repository", NO_CHECKOUT),
)
_UNBORN = "does not have any commits yet"
_LONGEST_ERROR = 200
_ENV = "/usr/bin/env"
# Fields before the path in an entry of `status --porcelain=v2`, by its first letter (git-status, "Porcelain Format")
_FIELDS = {b"1": 8, b"2": 9, b"u": 10, b"?": 1}


@frozen
class _Answer:
    """Output of a git process; `error` says in words why there is none."""

    output: bytes = b""
    error: str = ""
    unborn: bool = False


@frozen
class _Status:
    git: Git
    paths: tuple[str, ...] = ()


def read_git(root: Path, timeout: float = TIMEOUT) -> Git:
    """Branch, head and whether anything is uncommitted or untracked, for the checkout at `root`.

    Two short processes, `timeout` seconds each at most. Never raises: `error` says in words what is wrong.
    """
    return _status(root, timeout).git


def changed_files(root: Path, since: datetime, limit: int = 200, timeout: float = TIMEOUT) -> tuple[str, ...] | None:
    """Paths that are uncommitted or were changed by commits of HEAD since `since`, newest first, at most `limit`.

    Relative to the top of the checkout, a new folder as one path with a `/` at its end. None when git does not say.
    """
    status = _status(root, timeout)
    if status.git.error:
        return None
    log = _ask(root, (*_LOG, f"--max-age={int(since.timestamp())}"), timeout)
    if log.error and not log.unborn:
        return None
    committed = (_name(part.lstrip(b"\n")) for part in log.output.split(b"\0"))
    return tuple(dict.fromkeys(name for name in (*status.paths, *committed) if name))[:limit]


def _status(root: Path, timeout: float) -> _Status:
    filters = _ask(root, _FILTERS, timeout)
    if filters.error:  # not known which filters there are, so nothing that might run one is started
        return _Status(Git(error=filters.error))
    answer = _ask(root, _STATUS, timeout, empty=filters.output)
    if answer.error:
        return _Status(Git(error=answer.error))
    return _parse_status(answer.output)


def _parse_status(output: bytes) -> _Status:
    head = branch = None
    paths: list[str] = []
    items = iter(output.split(b"\0"))
    for item in items:
        if item.startswith(b"# branch.oid "):
            head = _name(item[len(b"# branch.oid ") :])
        elif item.startswith(b"# branch.head "):
            branch = _name(item[len(b"# branch.head ") :])
        elif fields := _FIELDS.get(item[:1]):
            paths.append(_name(item.split(b" ", fields)[-1]))
            if item.startswith(b"2"):
                next(items, None)  # the name before the renaming
    detached, unborn = branch == "(detached)", head == "(initial)"
    git = Git(
        branch=None if detached else branch,
        head=None if unborn else head,
        detached=detached,
        unborn=unborn,
        dirty=bool(paths),
    )
    return _Status(git, tuple(paths))


def _ask(root: Path, command: tuple[str, ...], timeout: float, *, empty: bytes = b"") -> _Answer:
    """Run git at `root`. `empty`: configuration keys, each ended by NUL, that are to say nothing."""
    program = find_git()
    if program is None:
        return _Answer(error=NO_GIT)
    own = {**ENVIRONMENT, **_switched_off(empty)}
    folder = os.path.abspath(root)  # noqa: PTH100 - links stay as they are
    argv = [*_without_foreign(own), program, "-C", folder, *OPTIONS, *command]
    try:
        status, output, complaint = _run(folder, argv, own, timeout)
    except Exception as error:  # noqa: BLE001 - the library has many, and none may end the reader
        return _Answer(error=f"git could not be run: {clean(str(error))}"[:_LONGEST_ERROR])
    if status == 0 or (status == 1 and not complaint):  # 1: no such setting
        return _Answer(output)
    return _Answer(output, in_words(complaint, timeout), _UNBORN in complaint)


def _run(folder: str, argv: list[str], environment: dict[str, str], timeout: float) -> tuple[int, bytes, str]:
    from git.cmd import Git as Runner  # noqa: PLC0415 - 0.2 s that only the first question to git costs

    status, output, complaint = Runner(folder).execute(
        argv,
        env=environment,
        with_extended_output=True,
        with_exceptions=False,
        stdout_as_string=False,
        strip_newline_in_stdout=False,
        kill_after_timeout=timeout,
    )
    return int(status), output if isinstance(output, bytes) else output.encode(), str(complaint)


def _without_foreign(own: dict[str, str]) -> list[str]:
    """Start of a command line that drops the GIT_* variables of this process.

    The library merges the whole environment into that of git, and a GIT_DIR that came from a git hook would lead to
    another repository.
    """
    foreign = [name for name in os.environ if name.startswith("GIT_") and name not in own]
    return [_ENV, *(part for name in foreign for part in ("-u", name))] if foreign else []


def _switched_off(keys: bytes) -> dict[str, str]:
    """Environment that makes each of `keys` (ended by NUL) say nothing, for this call only."""
    names = [os.fsdecode(key) for key in keys.split(b"\0") if key]
    settings = {"GIT_CONFIG_COUNT": str(len(names))}
    for number, name in enumerate(names):
        settings[f"GIT_CONFIG_KEY_{number}"] = name
        settings[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
    return settings


def in_words(complaint: str, timeout: float) -> str:
    """What git complains of, in a few words."""
    if complaint.startswith("Timeout:"):
        return f"no answer within {timeout:g} s"
    for sign, words in _FATAL:
        if sign in complaint:
            return words
    lines = complaint.split("\n")
    told = next((line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")), lines[0])
    return clean(told)[:_LONGEST_ERROR] or "git failed without a word"


def _name(name: bytes) -> str:
    return clean(decode(name))
