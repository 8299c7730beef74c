"""`tasks/<epic>.<n>.json`: one task of an epic (formats/interrupt-budget 1)."""

from __future__ import annotations

from typing import Final

from harness_tui.formats.json_fields import read_json, text, word
from harness_tui.model.outlook import EpicTask

_SAME: Final = {"completed": "done", "ready": "pending"}


def parse_epic_task(data: bytes, path: str) -> EpicTask | None:
    """The task, None when it can't be read. Never raises."""
    value, why, _ = read_json(data, path, "unreadable-task", "the task")
    if why or not isinstance(value, dict):
        return None
    name = text(value.get("id")) or path.rsplit("/", 1)[-1].removesuffix(".json")
    status = word(value.get("status"))
    needs = value.get("dependencies")
    names = tuple(text(item) for item in needs) if isinstance(needs, list) else ()
    return EpicTask(name, _SAME.get(status, status), names)
