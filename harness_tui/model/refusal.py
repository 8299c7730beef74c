"""Why something that the operator asked for is not done."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - a well-formed no, not a fault
    """A well-formed no: nothing was written, unless `why` says so.

    `code` is stable, `why` is for a person, `what` names the question or file. `shown` and `now` are the two texts
    where something is not what it was when it was shown. `offer` says what can be done instead.
    """

    def __init__(self, code: str, what: str, why: str, *, shown: str = "", now: str = "", offer: str = "") -> None:
        super().__init__(f"{what}: {why}")
        self.code = code
        self.what = what
        self.why = why
        self.shown = shown
        self.now = now
        self.offer = offer


class NotThere(Refused):
    """A thing that was named is not in the workspace."""

    def __init__(self, what: str, why: str, *, offer: str = "") -> None:
        super().__init__("not-there", what, why, offer=offer)
