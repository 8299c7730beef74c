"""What commands that write have in common: how they tell what they change, and that they don't."""

from __future__ import annotations

import sys
from contextlib import contextmanager

from harness_tui.cli.diagnostics import NOT_READ, NOT_THERE, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import Any, Final

    from harness_tui.model.answer import FileChange
    from harness_tui.model.refusal import Refused

REFUSED: Final = 1
USAGE: Final = 2


def usage(what: str, why: str) -> Failure:
    """A usage error that the argument parser can't know."""
    return Failure(what, f"{why}; see harness-tui {what} --help", USAGE)


@contextmanager
def refusals(root: Path, tell: Callable[[Refused], str] | None = None) -> Iterator[None]:
    """Turns a refusal into exit 1 (3 when something is not there), a failed write into exit 4.

    `tell` makes what a refusal prints on stdout, beside the line on stderr.
    """
    from harness_tui.model.refusal import NotThere, Refused
    from harness_tui.workspace.atomic import WriteError

    try:
        yield
    except NotThere as error:
        raise Failure(error.what, _and_offer(error), NOT_THERE) from error
    except Refused as error:
        if tell is not None:
            sys.stdout.write(tell(error) + "\n")
        raise Failure(error.what, _and_offer(error), REFUSED) from error
    except WriteError as error:
        path = error.path
        name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        raise Failure(name, error.why, NOT_READ) from error


def _and_offer(error: Refused) -> str:
    return f"{error.why}; {error.offer}" if error.offer else error.why


def refused_document(error: Refused) -> str:
    """A refusal as JSON, with both texts where something changed."""
    from harness_tui.cli.json_text import dump
    from harness_tui.formats.text import clean

    parts = {"what": error.what, "why": error.why, "shown": error.shown, "now": error.now, "offer": error.offer}
    return dump({"refused": error.code, **{name: clean(text) for name, text in parts.items()}})


def changes_document(changes: Iterable[FileChange]) -> list[dict[str, Any]]:
    """Path and exact new content of each file; bytes that are no UTF-8 can't occur in what we write."""
    return [
        {
            "path": change.path,
            "how": "append" if change.append else "create" if change.before is None else "replace",
            "content": content(change),
        }
        for change in changes
    ]


def changes_text(changes: Iterable[FileChange]) -> str:
    """The same to be read: each file as a unified diff, what acts on a terminal made visible."""
    from harness_tui.formats.byte_diff import unified, visible_lines

    parts = []
    for change in changes:
        how = "append to" if change.append else "create" if change.before is None else "change"
        data = content(change).encode("utf-8", "surrogateescape")
        parts.append(f"\n{how} {change.path}\n")
        added = "".join(f"+{line}\n" for line in visible_lines(data)) if change.append else ""
        parts.append(added or unified(change.before, data, change.path))
    return "".join(parts)


def content(change: FileChange) -> str:
    """New content as text; a line that is appended with its end."""
    return change.after.decode("utf-8", "surrogateescape") + ("\n" if change.append else "")
