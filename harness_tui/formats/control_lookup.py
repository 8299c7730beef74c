"""One value for each field of the control state: where it is looked for, which of several counts, what is assumed."""

from __future__ import annotations

from harness_tui.formats.control_duplicates import is_note
from harness_tui.formats.servo_fields import canonical
from harness_tui.formats.servo_values import flag, is_empty, whole_number
from harness_tui.model.gap import Gap
from harness_tui.model.typed import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness_tui.formats.servo_fields import Field, ServoDocument

_UNFILLED = " | "


class Want(NamedTuple):
    """A field that is looked for: its names, the conservative default, the sections where it belongs.

    With `bullet` a bare bullet of those sections stands for it, too (`- N/A`, `- develop`).
    """

    names: tuple[str, ...]
    default: str
    sections: tuple[str, ...] = ()
    bullet: bool = False


class _Places(NamedTuple):
    """The fields of one file that give a value."""

    path: str
    items: list[Field]


class Lookup:
    """Looks fields up in documents, the first of which that has one gives it, and lists in `gaps` what it assumed."""

    def __init__(self, documents: Sequence[ServoDocument]) -> None:
        self._documents = documents
        self._path = documents[-1].path if documents else ""
        self.gaps: list[Gap] = []

    def place(self, want: Want) -> Field | None:
        """The field that counts: in its own section before others, and there the last one."""
        found = self._places(want)
        return found.items[-1] if found else None

    def text(self, want: Want) -> str:
        """The value as written; the default when it is missing, empty or an unfilled template."""
        places = self._places(want)
        if places is None:
            self._missing(want)
            return want.default
        found = places.items[-1]
        if found.name and _UNFILLED in found.value:
            self._gap(want, places.path, found, f"unfilled template: {found.value}")
            return want.default
        value = found.value if found.name in want.names or not found.key else f"{found.key}: {found.value}"
        return want.default if is_empty(value) else value

    def flag(self, want: Want, *, strict: bool) -> bool:
        """The value as a truth; `strict` is the stricter one, which a doubled or unreadable field counts as."""
        found = self._places(want)
        if found is None:
            self._missing(want)
            return strict
        values = [flag(item.value) for item in found.items]
        if None in values:
            item = found.items[values.index(None)]
            self._gap(want, found.path, item, f"neither a plain yes nor a plain no: {item.value or 'empty'}")
            return strict
        return strict if strict in values else not strict

    def number(self, want: Want, *, largest: bool = False) -> int:
        """The value as a number; what is missing or unreadable counts as 0, of several the smallest (or largest)."""
        found = self._places(want)
        if found is None:
            self._missing(want)
            return 0
        values = [whole_number(item.value) for item in found.items]
        for item, value in zip(found.items, values, strict=True):
            if value is None:
                self._gap(want, found.path, item, f"no number: {item.value or 'empty'}")
                return 0
        known = [value for value in values if value is not None]
        return max(known) if largest else min(known)

    def _places(self, want: Want) -> _Places | None:
        """The candidates of the first document that has any, those of the right section only if there are such."""
        for document in self._documents:
            for name in want.names:
                items = _top(document, name)
                inside = [item for item in items if canonical(item.section) in want.sections]
                if items:
                    return _Places(document.path, inside or items)
        if want.bullet:
            for document in self._documents:
                bare = [item for item in document.fields if _is_bare(item, want)]
                if bare:
                    return _Places(document.path, bare[:1])
        return None

    def _missing(self, want: Want) -> None:
        self.gaps.append(Gap(want.names[0], None, "missing", want.default, self._path))

    def _gap(self, want: Want, path: str, item: Field, why: str) -> None:
        self.gaps.append(Gap(want.names[0], item.line, why, want.default, path))


def _top(document: ServoDocument, name: str) -> list[Field]:
    return [f for f in document.named(name) if not f.trail and f.place != "front" and not is_note(f)]


def _is_bare(item: Field, want: Want) -> bool:
    return (
        not item.trail
        and item.place in {"bullet", "heading"}
        and canonical(item.section) in want.sections
        and (not item.name or "_" not in item.name)
    )
