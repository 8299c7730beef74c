"""JSON as it is printed: indented, non-ASCII kept, and nothing in it that acts on a terminal."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def dump(value: Any) -> str:
    """Indented JSON of a document, non-ASCII kept."""
    return _escape(json.dumps(value, indent=2, ensure_ascii=False))


def dump_line(value: Any) -> str:
    """The same on one line, for NDJSON."""
    return _escape(json.dumps(value, ensure_ascii=False))


def _escape(text: str) -> str:
    """JSON text that can be shown on a terminal: the root is a path as it is, and may hold what acts on one."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\u200d" else json.dumps(char)[1:-1] for char in text)
