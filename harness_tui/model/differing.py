"""Which members of two long sequences are not the same object: what was read again keeps the objects that stay."""

from __future__ import annotations

from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def differing(old: Sequence[object], new: Sequence[object]) -> list[int]:
    """Positions, ascending, at which both hold different objects, as far as the shorter one goes. No loop in Python."""
    return list(compress(count(), map(is_not, old, new)))
