"""What every act offers to the dialog that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from harness_tui.model.answer import FileChange
    from harness_tui.model.snapshot import Snapshot

    Values = Mapping[str, str]

FieldKind = Literal["line", "text", "choice"]


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that is asked for. `hint` stands in it while it is empty; `choices` are (value, words).

    Typing in a field that `implies` (name, value) chooses that value of that other field.

    The dialog begins in the first one that is empty and `required`, or `asked` for though it may stay empty.
    """

    name: str
    label: str
    kind: FieldKind = "line"
    value: str = ""
    hint: str = ""
    required: bool = True
    choices: tuple[tuple[str, str], ...] = ()
    implies: tuple[str, str] | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What an act would do as things stand: `says` as (label, words), then each file with its bytes before and after.

    `warnings` are what the operator must have seen before it is done. `plan` is what `do` takes.
    """

    says: tuple[tuple[str, str], ...]
    changes: tuple[FileChange, ...]
    warnings: tuple[str, ...] = ()
    plan: Any = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an act happens: the newest snapshot is asked for whenever something is looked at."""

    root: Path
    snapshot: Callable[[], Snapshot]
    now: Callable[[], datetime]


class Act(Protocol):
    """One act. `key` names the draft that is kept when the dialog is left; `verb` stands on its button."""

    key: str
    title: str
    verb: str
    fields: tuple[Field, ...]
    prompt: str
    """What is said while nothing that is asked for was chosen; empty for the names of the empty fields."""

    def look(self, scene: Scene, values: Values) -> Look:
        """What would be written. Raises `Refused` and `WriteError`; nothing is written."""

    def do(self, scene: Scene, look: Look) -> str:
        """Write it; what was done, in words. Raises `Refused` and `WriteError`: nothing was, unless they say so."""
