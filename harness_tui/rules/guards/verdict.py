"""What a guard answers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Verdict:
    """`go` is what the exit code says (0 or 1), `document` what is printed as JSON."""

    __slots__ = ("document", "go")

    def __init__(self, document: dict[str, Any], *, go: bool) -> None:
        self.document = document
        self.go = go

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and (self.go, self.document) == (other.go, other.document)

    def __repr__(self) -> str:
        return f"Verdict({self.document!r}, go={self.go})"

    __hash__ = None  # type: ignore[assignment] # a document can change


def strict(*, go: bool, findings: list[str]) -> dict[str, Any]:
    """Whether it may go on by the loop's rules, too: what the script overlooks counts here."""
    return {"ready": go and not findings, "findings": findings}
