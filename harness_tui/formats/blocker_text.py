"""A Blocker as it is written into a PLAN.md: `formats.blocker` reads the same parts (formats/hard-stop 1, 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness_tui.formats.text import clean
from harness_tui.model.regex import regex

if TYPE_CHECKING:
    from harness_tui.model.blocker import Blocker

LONGEST: Final = 500
"""Characters of a part that are written; all of it stands in the raw output of the run."""
UNKNOWN: Final = "not known"

_LABELS: Final = (
    ("Trigger", "trigger"), ("Error signature", "error_signature"), ("Tried", "tried"), ("Needed", "needed"),
)  # fmt: skip
_COMMENT: Final = regex(r"<(?=!--)|(?<=--)>")


def render_blocker(blocker: Blocker, *, like: bytes = b"") -> bytes:
    """The section with its four parts, one line each, with the line ends of `like`.

    What agents wrote can neither end its line nor open a comment, so nothing below or above changes its meaning.
    """
    lines = ["## Blocker", ""]
    lines += [f"- **{label}:** {_line(getattr(blocker, part))}" for label, part in _LABELS]
    end = "\r\n" if b"\r\n" in like else "\n"
    return "".join(line + end for line in lines).encode("utf-8", "replace")


def ended(data: bytes) -> bytes:
    """`data` with its last line ended and an empty one below it, ready for a section; unchanged when it is empty."""
    if not data.strip(b"\xef\xbb\xbf"):
        return data
    end = b"\r\n" if b"\r\n" in data else b"\n"
    if not data.endswith(b"\n"):
        return data + end + end
    return data if data.endswith((b"\n\n", b"\n\r\n")) else data + end


def _line(text: str | None) -> str:
    plain = " ".join(clean(" ".join((text or "").split())).split())
    plain = _COMMENT.sub("‹", plain)
    return (plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…") or UNKNOWN
