"""`.harness/harness-tui/sent.jsonl`, the history of sent signals: one JSON object a line, only ever appended to.

A line that was cut by a crash, or that is none of ours, costs itself alone.
"""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from harness_tui.formats.json_fields import moment
from harness_tui.formats.strict_json import BadJson, loads
from harness_tui.formats.text import clean, clean_block, split_lines
from harness_tui.model.problem import Problem
from harness_tui.model.sent import SENT_EVENTS, SentHistory, SentRecord, Where

if TYPE_CHECKING:
    from harness_tui.model.sent import SentEvent

PATH: Final = ".harness/harness-tui/sent.jsonl"
_EVENTS: Final[dict[str, SentEvent]] = {event: event for event in SENT_EVENTS}


def parse_sent(data: bytes | None, path: str = PATH) -> SentHistory:
    """The records in `data`, None when there is no file."""
    records: list[SentRecord] = []
    problems: list[Problem] = []
    for number, line in enumerate(split_lines(data or b""), 1):
        if not line.strip():
            continue
        try:
            record = _record(loads(line))
        except BadJson as error:
            record, reason = None, error.reason
        else:
            reason = "it is no record of a signal"
        if record is not None:
            records.append(record)
        else:
            message = f"this line is left out: {clean(reason)}; a crash may have cut it"
            problems.append(Problem(path, number, "info", "sent-record", message))
    return SentHistory(path, tuple(records), tuple(problems))


def render_record(record: SentRecord) -> bytes:
    """The record as one line, without its end."""
    value = {
        "id": record.id,
        "at": record.at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "event": record.event,
        "keyword": record.keyword,
        "argument": record.argument,
        "text": record.text,
        "pool_id": record.pool_id,
        "seen": dict(record.seen),
        "evidence": record.evidence._asdict() if record.evidence is not None else None,
        "by": record.by,
        **({"batch": record.batch} if record.batch else {}),
    }
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _record(value: Any) -> SentRecord | None:
    if not isinstance(value, dict):
        return None
    at, event = moment(value.get("at")), _EVENTS.get(str(value.get("event")))
    names = [value.get(name) for name in ("id", "keyword", "argument", "text")]
    if at is None or event is None or not all(isinstance(name, str) for name in names) or not names[0]:
        return None
    signal_id, keyword, argument, text = (str(name) for name in names)
    pool = value.get("pool_id")
    return SentRecord(
        clean(signal_id), at, event, clean(keyword), clean(argument), clean_block(text),
        clean(pool) if isinstance(pool, str) else None, _seen(value.get("seen")), _where(value.get("evidence")),
        *(clean(value[name]) if isinstance(value.get(name), str) else "" for name in ("by", "batch")),
    )  # fmt: skip


def _seen(value: Any) -> tuple[tuple[str, int], ...]:
    items = value.items() if isinstance(value, dict) else ()
    return tuple((clean(path), lines) for path, lines in items if type(lines) is int and lines >= 0)


def _where(value: Any) -> Where | None:
    if not isinstance(value, dict) or not isinstance(value.get("path"), str):
        return None
    line = value.get("line")
    return Where(clean(value["path"]), line if type(line) is int and line > 0 else None)
