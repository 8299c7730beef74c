"""A field of the control state that could not be taken at face value."""

from __future__ import annotations

from harness_tui.model.frozen import frozen


@frozen
class Gap:
    """One field that is missing, unreadable or doubled, and what is assumed in its place (formats/servo 1.3).

    `line` counts from 1 and is None when the field is missing. `default` is the conservative value that is used, empty
    where none is: then the value is not known. `path` is the file that has, or should have, the field.
    """

    key: str
    line: int | None
    why: str
    default: str = ""
    path: str = ""
