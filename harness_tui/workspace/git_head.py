"""On which commit and branch a checkout is, at the cost of one short process: guards are asked at every turn."""

from __future__ import annotations

from harness_tui.workspace.git_safety import NO_GIT, OPTIONS, TIMEOUT, clean_environment, find_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_BRANCH: Final = "refs/heads/"
_ORIGIN: Final = "refs/remotes/origin/"
_SHORTEST: Final = 40
"""Characters of a commit's name at least; before the first commit git gives the word HEAD back."""


class GitError(Exception):
    """Git can't be asked at all; its text says why."""


class Head:
    """Branch and commit of a checkout. Both are empty outside one, `branch` off a branch, `commit` before the first."""

    __slots__ = ("branch", "commit")

    def __init__(self, branch: str = "", commit: str = "") -> None:
        self.branch = branch
        self.commit = commit


def read_head(folder: str = ".", timeout: float = TIMEOUT) -> Head:
    """Where the checkout around `folder` stands.

    Raises `GitError` when git is missing, gives no answer in time or refuses to look; that there is no repository, or
    no commit in it, is an answer.
    """
    lines, _ = _ask(folder, ("rev-parse", "HEAD", "--symbolic-full-name", "HEAD"), timeout)
    commit = lines[0] if lines and len(lines[0]) >= _SHORTEST else ""  # HEAD: no commit yet
    if commit and len(lines) > 1:  # a branch or tag called HEAD costs the second line
        return Head(_branch(lines[1]), commit)
    lines, complaint = _ask(folder, ("symbolic-ref", "--quiet", "HEAD"), timeout)
    if "fatal: " in complaint:
        from harness_tui.workspace.git import NO_CHECKOUT, in_words  # noqa: PLC0415 - only what fails needs words

        words = in_words(complaint, timeout)
        if words != NO_CHECKOUT:
            raise GitError(words)
    return Head(_branch(lines[0]) if lines else "", commit)


def origin_branch(folder: str = ".") -> str:
    """The main branch of `origin` as this clone knows it, empty when it does not; nobody else is asked."""
    lines, _ = _ask(folder, ("symbolic-ref", "--quiet", f"{_ORIGIN}HEAD"), TIMEOUT)
    return lines[0].removeprefix(_ORIGIN) if lines and lines[0].startswith(_ORIGIN) else ""


def _branch(ref: str) -> str:
    return ref.removeprefix(_BRANCH) if ref.startswith(_BRANCH) else ""


def _ask(folder: str, command: tuple[str, ...], timeout: float) -> tuple[list[str], str]:
    """Lines that git prints, and what it complains of."""
    import subprocess  # noqa: PLC0415 - most guards ask git nothing

    program = find_git()
    if program is None:
        raise GitError(NO_GIT)
    argv = [program, "-C", folder, *OPTIONS, *command]
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            argv, stdin=subprocess.DEVNULL, capture_output=True, env=clean_environment() | {"LC_ALL": "C"},
            timeout=timeout, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise GitError(f"no answer within {timeout:g} s") from None
    except OSError as error:
        raise GitError(error.strerror or str(error)) from None
    return done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1], done.stderr.decode("utf-8", "replace")
