"""What a gate file says in one place, and what an operator's exception adds (formats/servo 1.7, 1.8)."""

from __future__ import annotations

from harness_tui.formats.servo_values import flag, is_empty, verdict_word, worst
from harness_tui.model.gates import AxisWord
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.formats.servo_fields import Field, ServoDocument
    from harness_tui.model.verify import GateWord

_VERDICTS = frozenset({"verdict", "axis_verdict", "surface_verdict"})
_EXCEPTION = ("exception_type", "reason", "accepted_gate_verdict_preserved_as")


class Statement(NamedTuple):
    """One stated verdict: the word that counts, the text as written, its line."""

    verdict: GateWord
    text: str
    line: int

    @property
    def adverse(self) -> bool:
        """Whether it is a word that is known and no pass."""
        return self.verdict not in {"pass", "unknown"}

    @property
    def remarks(self) -> bool:
        """Whether it is a pass with remarks."""
        return verdict_word(self.text)[1]

    @classmethod
    def of(cls, document: ServoDocument, item: Field) -> Statement:
        """The worst of the verdict of a field and those that its children `verdict` say."""
        below = [child for child in document.children(item) if child.name in _VERDICTS]
        found = [
            cls(verdict_word(said.value)[0], said.value, said.line)
            for said in ([item, *below] if item.value or not below else below)
        ]
        return _worst_of(found)


def axis_word(axis: str, found: Sequence[Statement]) -> AxisWord | None:
    """The worst statement about an axis; None when there is none."""
    if not found:
        return None
    item = _worst_of(found)
    return AxisWord(axis, item.verdict, item.text, item.line)


def _worst_of(found: Sequence[Statement]) -> Statement:
    """The first of those with the worst verdict; there is one at least."""
    bad = worst(item.verdict for item in found)
    return next(item for item in found if item.verdict == bad)


def overridden(document: ServoDocument) -> str | None:
    """A manual exception in words; None when there is none. It stands beside a verdict and never changes it."""
    parts = {item.name: item.value for item in document.fields if item.name and item.within("manual_exception")}
    own = next((item.value for item in document.named("manual_exception") if not is_empty(item.value)), "")
    if flag(parts.get("present", own)) is False:
        return None
    said = [parts[name] for name in _EXCEPTION if not is_empty(parts.get(name, ""))]
    if not said and own:
        said = [own]
    if not said and flag(parts.get("present", "")):
        said = ["manual exception"]
    return "; ".join(said) or None
