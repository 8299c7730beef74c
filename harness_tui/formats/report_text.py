"""The report that a run writes at its end: what it asks, then what became of the rows (formats/harness-kit 1.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness_tui.formats.plan_edit import cell_text
from harness_tui.formats.text import clean
from harness_tui.model.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness_tui.model.report import NeedsInput

_COUNTED = ("done", "failed", "blocked", "needs-human", "skipped", "pending", "in-progress", "unknown")


@frozen
class ReportText:
    """What stands in a report. `rows` are (id, slug, verdict, link); `entropy` is the verdict line of a sweep."""

    title: str
    written_at: str
    needs: Sequence[NeedsInput]
    rows: Sequence[tuple[str, str, str, str]]
    tally: Mapping[str, int]
    passes: int
    verify: str
    stop_reason: str
    elapsed: str = ""
    entropy: str = ""
    batch: bool = False


def render_report(report: ReportText) -> bytes:
    """The whole file."""
    parts = [f"# {one_line(report.title)}", "", f"> Written: {report.written_at} by harness-tui", ""]
    if not report.batch or report.needs:
        parts += ["## Needs your input", "", *_needs(report.needs), ""]
    if report.entropy:
        parts += ["## Entropy watch", "", one_line(report.entropy), ""]
    parts += ["## Tasks", "", "| ID | Slug | Verdict | Link |", "|---|---|---|---|"]
    parts += [f"| {' | '.join(cell_text(cell) or '—' for cell in row)} |" for row in report.rows]
    counts = " · ".join(
        f"{report.tally.get(word, 0)} {word}" for word in _COUNTED if word in report.tally or word in _COUNTED[:5]
    )
    parts += ["", "## Counts", "", f"- {counts}", f"- Passes: {report.passes}"]
    if report.elapsed:
        parts.append(f"- Elapsed: {report.elapsed}")
    parts += [f"- Final verify_all: {one_line(report.verify)}", "", "## Stop reason", ""]
    parts += [one_line(report.stop_reason) or "none", ""]
    return "\n".join(parts).encode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    """`text` on one line, nothing that hides."""
    return clean(" ".join(text.split()))


def _needs(needs: Sequence[NeedsInput]) -> list[str]:
    lines: list[str] = []
    for item in needs:
        slug = f" `{one_line(item.slug).replace('`', '')}`" if item.slug else ""
        lines.append(f"- {item.task_id or '—'}{slug}, raised by {one_line(item.stage) or 'the worker'}")
        lines.append(f"  - Ask: {one_line(item.ask) or 'nothing was said'}")
        lines.append(f"  - Unblocks when: {one_line(item.unblock) or 'nothing was said'}")
    return lines or ["None."]
